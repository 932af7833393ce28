/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that slurm.conf does not name: lib/config/config_dynamic.c, and how a cluster takes them.
 */
#include "tests/unit/test.h"

#include "controller/jobs/job_events.h"
#include "controller/nodes/node_events.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

#define T0 (UINT64_C(1700000000) * USEC_PER_SEC)

static const char conf[] =
                "ClusterName=test\nSlurmctldHost=localhost\nSlurmUser=root\nSelectType=select/cons_tres\nMaxNodeCount=5\n"
                "NodeName=n[1-2] CPUs=4\nNodeSet=fast Feature=f1\nNodeSet=both Nodes=n1,fast\n"
                "PartitionName=all Nodes=ALL Default=YES\nPartitionName=quick Nodes=fast\nPartitionName=both Nodes=both\n"
                "PartitionName=old Nodes=n[1-2]\n";

static struct config *make_config(void) {
        struct config *config = NULL;
        struct fail fail = { 0 };

        if (config_parse("test.conf", conf, strlen(conf), &config, &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

static int join(struct cluster *c, const char *line, struct fail *fail) {
        struct config_node *nodes = NULL;
        size_t n = 0;

        assert_int_equal(config_dynamic_parse(c->config, NODE_FROM_ADMIN, line, &nodes, &n, fail),
                        0);
        int r = cluster_nodes_join(c, nodes, n, true, T0, fail);
        for (size_t i = 0; i < n; i++)
                config_node_done(&nodes[i]);
        free(nodes);
        return r;
}

static struct cluster *make_cluster(void) {
        struct registration reg = {
                .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0,
        };
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        assert_int_equal(cluster_new(make_config(), T0, &c, &fail), 0);
        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        turn(c, T0);
        return c;
}

static void assert_members(const struct cluster *c, const char *partition, const char *nodes) {
        _cleanup_free_ char *text = cluster_nodes_text(c, cluster_partition(c, partition)->nodes);

        assert_string_equal(text, nodes);
}

static void leave(struct cluster *c, const char *list, int r, const char *why) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct fail fail = { 0 };

        assert_int_equal(hostlist_parse(list, &names, &fail), 0);
        assert_int_equal(cluster_nodes_leave(c, names, T0, &fail), r);
        assert_string_equal(fail.text, why);
}

static void a_line_makes_the_same_node_again(void **state) {
        static const char *const lines[] = {
                "NodeName=d1 CPUs=8 Boards=1 SocketsPerBoard=2 CoresPerSocket=2 ThreadsPerCore=2 "
                "RealMemory=5000 TmpDisk=7 Weight=9 Feature=a,b Gres=gpu:2 State=CLOUD NodeAddr=10.0.0.1 Port=99",
                "NodeName=x-1.y_z Port=7 State=FUTURE"
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                struct config_node *a = NULL, *b = NULL;
                size_t n = 0;
                assert_int_equal(
                                config_dynamic_parse(NULL, NODE_FROM_ADMIN, lines[i], &a, &n, NULL),
                                0);
                assert_int_equal(n, 1);
                _cleanup_free_ char *line = config_node_line(a);
                assert_int_equal(config_dynamic_parse(NULL, NODE_FROM_STORE, line, &b, &n, NULL),
                                0);
                _cleanup_free_ char *again = config_node_line(b);
                assert_string_equal(line, again);
                config_node_done(a);
                config_node_done(b);
                free(a);
                free(b);
        }
}

static void what_is_not_taken_is_named(void **state) {
        static const struct {
                enum config_node_from from;
                const char *line, *why;
        } bad[] = {
                { NODE_FROM_AGENT, "NodeName=d1", "NodeName is not taken here" },
                { NODE_FROM_AGENT, "Port=7", "Port is not taken here" },
                { NODE_FROM_AGENT, "NodeAddr=x", "NodeAddr is not taken here" },
                { NODE_FROM_AGENT, "State=CLOUD", "State is not taken here" },
                { NODE_FROM_AGENT, "Reason=x", "Reason is not taken here" },
                { NODE_FROM_AGENT, "MemSpecLimit=100", "MemSpecLimit=100 leaves jobs nothing" },
                { NODE_FROM_AGENT, "Colour=red", "no such key" },
                { NODE_FROM_AGENT, "Feature=a\nGres=b", "control character" },
                { NODE_FROM_AGENT, "Feature=a\\#b", "backslash" },
                { NODE_FROM_ADMIN, "NodeName=d1", "CLOUD or FUTURE was expected" },
                { NODE_FROM_ADMIN, "NodeName=d1 State=DOWN", "CLOUD or FUTURE was expected" },
                { NODE_FROM_ADMIN, "State=CLOUD", "NodeName is missing" },
                { NODE_FROM_ADMIN, "NodeName=-d State=CLOUD", "cannot be the name of a node" },
                { NODE_FROM_ADMIN, "NodeName=all State=CLOUD", "cannot be the name of a node" },
                { NODE_FROM_ADMIN, "NodeName=a/b State=CLOUD", "a character that is not allowed" },
                { NODE_FROM_ADMIN, "NodeName=d[1-2] Port=1,2,3 State=CLOUD",
                                "Port has 3 values for 2 nodes" },
        };
        _cleanup_(config_freep) struct config *config = make_config();

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct config_node *nodes = NULL;
                struct fail fail = { 0 };
                size_t n = 0;
                assert_true(config_dynamic_parse(config, bad[i].from, bad[i].line, &nodes, &n,
                                            &fail) < 0);
                assert_null(nodes);
                if (!strstr(fail.text, bad[i].why))
                        fail_msg("%s: %s", bad[i].line, fail.text);
        }
}

static void a_node_that_joins_is_where_it_belongs(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct fail fail = { 0 };

        assert_int_equal(join(c, "NodeName=a1 CPUs=2 Feature=f1 State=CLOUD", &fail), 0);
        assert_int_equal(join(c, "NodeName=d[2-3] CPUs=2 State=CLOUD", &fail), 0);
        assert_members(c, "all", "n[1-2],a1,d[2-3]");
        assert_members(c, "quick", "a1");
        assert_members(c, "both", "n1,a1");
        assert_members(c, "old", "n[1-2]");
        _cleanup_free_ char *text = node_state_text(cluster_node(c, "a1"));
        assert_string_equal(text, "IDLE+CLOUD+DYNAMIC_NORM+POWERED_DOWN");
        turn(c, T0 + 1);
        assert_true(join(c, "NodeName=d4 State=CLOUD", &fail) < 0);
        assert_string_equal(fail.text, "there are 5 nodes, and MaxNodeCount is 5");
        assert_true(join(c, "NodeName=n1 State=CLOUD", &fail) < 0);
        assert_string_equal(fail.text, "node n1 exists already");
        assert_true(join(c, "NodeName=both State=CLOUD", &fail) < 0);
        assert_string_equal(fail.text, "both is the name of a NodeSet");
        assert_int_equal(c->n_nodes, 5);
}

static void what_scontrol_has_changed_stays(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct fail fail = { 0 };

        free_and_strdup(&cluster_node(c, "n1")->features, "by-hand");
        cluster_set_weight(c, cluster_node(c, "n2"), 42);
        cluster_partition(c, "all")->state = PARTITION_DRAIN;
        cluster_partition(c, "all")->max_time = USEC_PER_SEC;
        assert_int_equal(join(c, "NodeName=d1 CPUs=2 State=CLOUD", &fail), 0);
        assert_string_equal(cluster_node(c, "n1")->features, "by-hand");
        assert_int_equal(cluster_node(c, "n2")->weight, 42);
        assert_int_equal(cluster_partition(c, "all")->state, PARTITION_DRAIN);
        assert_int_equal(cluster_partition(c, "all")->max_time, USEC_PER_SEC);
        leave(c, "d1", 0, "");
        assert_int_equal(cluster_node(c, "n2")->weight, 42);
        assert_members(c, "all", "n[1-2]");
}

static void a_node_in_use_does_not_leave(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct registration reg = {
                .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 2, 1, 1, 2, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0,
        };
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .batch = true,
                .min_nodes = 1,
                .max_nodes = 1,
                .share = SHARE_NO,
                .partition = (char *)(uintptr_t) "quick" };
        struct job *j = NULL;
        struct fail fail = { 0 };

        assert_int_equal(join(c, "NodeName=d[1-2] CPUs=2 Feature=f1 State=FUTURE", &fail), 0);
        assert_int_equal(node_register(c, cluster_node(c, "d1"), &reg, T0, NULL), 0);
        assert_int_equal(job_admit(c, &spec,
                                         &(struct submitter){ .uid = 1000,
                                                         .gid = 1000,
                                                         .user = "u",
                                                         .group = "g" },
                                         T0, &j, NULL),
                        SLUMBER_OK);
        turn(c, T0);
        assert_int_equal(j->state, JOB_RUNNING);
        _cleanup_free_ char *busy = xasprintf("node d1 has job %u", j->id);
        leave(c, "d1", -EBUSY, busy);
        leave(c, "n1,d2", -EPERM,
                        "node n1 is configured in slurm.conf: only dynamic nodes can be deleted");
        leave(c, "d9", -ENOENT, "there is no node d9");
        assert_int_equal(c->n_nodes, 4);

        /* Its number changes under the job, and it is still the job's node. */
        assert_int_equal(join(c, "NodeName=d0 State=FUTURE", &fail), 0);
        leave(c, "d2", 0, "");
        assert_true(bitset_has(j->placed.nodes, cluster_node(c, "d1")->index));
        turn(c, T0 + 1);
        assert_int_equal(j->state, JOB_RUNNING);
        free_and_strdup(&cluster_partition(c, "old")->nodes_text, "n[1-2],d0");
        bitset_add(cluster_partition(c, "old")->nodes, cluster_node(c, "d0")->index);
        note(c, FACT_INVENTORY_CHANGED);
        assert_int_equal(join(c, "NodeName=d3 State=FUTURE", &fail), 0);
        leave(c, "d0", -EBUSY, "node d0 is named in Nodes of partition old");
}

static void dynamic_nodes_sleep_by_themselves(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct fail fail = { 0 };

        c->config->suspend_time = 60 * USEC_PER_SEC;
        assert_int_equal(join(c, "NodeName=d1 State=CLOUD", &fail), 0);
        assert_int_equal(join(c, "NodeName=d2 State=FUTURE", &fail), 0);
        assert_true(cluster_node(c, "n1")->suspend_time == 60 * USEC_PER_SEC);
        assert_true(cluster_node(c, "d1")->suspend_time == 60 * USEC_PER_SEC);
        assert_true(cluster_node(c, "d2")->suspend_time == 60 * USEC_PER_SEC);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_line_makes_the_same_node_again),
                cmocka_unit_test(what_is_not_taken_is_named),
                cmocka_unit_test(a_node_that_joins_is_where_it_belongs),
                cmocka_unit_test(what_scontrol_has_changed_stays),
                cmocka_unit_test(a_node_in_use_does_not_leave),
                cmocka_unit_test(dynamic_nodes_sleep_by_themselves),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
