/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another configuration while jobs are there: what may go, what must stay. */
#include "tests/unit/test.h"

#include "controller/jobs/job_events.h"
#include "controller/model/spec.h"
#include "controller/nodes/node_events.h"
#include "controller/records/record.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

#define T0 (1700000000 * USEC_PER_SEC)

static struct config *make_config(const char *nodes) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n%s"
                        "PartitionName=p Nodes=ALL Default=YES\n",
                        nodes);
        struct config *config = NULL;
        struct fail fail = { 0 };

        if (config_parse("test.conf", text, strlen(text), &config, &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

static struct cluster *make_cluster(const char *nodes) {
        struct registration reg = { .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0,
                .start_time = T0 };
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        assert_int_equal(cluster_new(make_config(nodes), T0, &c, &fail), 0);
        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, T0, NULL), 0);
        turn(c, T0);
        return c;
}

static struct job *submit(struct cluster *c, uint32_t nodes) {
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .share = SHARE_NO };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec,
                                         &(struct submitter){ .uid = 1000,
                                                         .gid = 1000,
                                                         .user = "u",
                                                         .group = "g" },
                                         T0, &j, NULL),
                        SLUMBER_OK);
        turn(c, T0);
        assert_int_equal(j->state, JOB_RUNNING);
        return j;
}

static void refuse(struct cluster *c, const char *nodes, const char *why) {
        struct config *config = make_config(nodes);
        struct fail fail = { 0 };

        assert_int_equal(cluster_reconfigure(c, config, T0 + 1, &fail), -EBUSY);
        assert_string_equal(fail.text, why);
        config_free(config);
}

static void a_job_that_is_over_keeps_no_node(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n[1-3] CPUs=4\n");
        struct job *kept = submit(c, 1), *gone = submit(c, 2);
        uint32_t kept_id = kept->id, gone_id = gone->id;

        (void)state;
        job_batch_ended(c, gone, 0, false, NULL, T0, T0);
        job_gone(c, gone, c->nodes[1], NULL, T0);
        job_gone(c, gone, c->nodes[2], NULL, T0);
        assert_false(gone->completing);
        assert_int_equal(cluster_reconfigure(c, make_config("NodeName=n[1-2] CPUs=4\n"), T0 + 1,
                                         NULL),
                        0);
        assert_null(cluster_job(c, gone_id)); /* its record names a node that is no more */
        assert_non_null(cluster_job(c, kept_id));
        turn(c, T0 + 1);
}

static void a_node_that_a_running_job_has_left_stays(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n[1-3] CPUs=4\n");
        struct job *j = submit(c, 3);

        (void)state;
        j->asked.no_kill = true;
        node_down(c, c->nodes[2], "broken", T0);
        assert_int_equal(j->state, JOB_RUNNING);
        assert_int_equal(c->nodes[2]->n_jobs, 0);
        refuse(c, "NodeName=n[1-2] CPUs=4\n", "node n3 has job 1 and cannot be taken out");
}

/* The job's record, read by the cluster of such nodes: its cores on its node at. */
static void check_cores(struct cluster *c, const struct job *j, const char *nodes, uint32_t at,
                const char *there, uint32_t units) {
        _cleanup_(cluster_freep) struct cluster *to = NULL;
        struct fail fail = { 0 };
        struct job_message m;

        assert_int_equal(cluster_new(make_config(nodes), T0, &to, &fail), 0);
        job_message_init(&m, c, j, RECORD_STORE | RECORD_ALLOC, T0);
        assert_string_equal(m.alloc[at].cores, there);
        if (job_restore(to, &m.job, T0, &fail) < 0)
                fail_msg("%s", fail.text);
        job_message_done(&m);
        const struct job *again = cluster_job(to, j->id);
        uint32_t n = 0;
        job_for_each_unit(u, again, &again->placed.alloc[at])
                n++;
        assert_int_equal(n, units);
}

static void a_node_that_a_job_has_left_may_have_other_cores(void **state) {
        static const char *const
                        larger = "NodeName=n1 CPUs=4\nNodeName=n2 CPUs=8\nNodeName=n3 CPUs=4\n",
                        *const smaller =
                                        "NodeName=n1 CPUs=4\nNodeName=n2 CPUs=2\nNodeName=n3 CPUs=4\n";
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n[1-3] CPUs=4\n");
        struct job *j = submit(c, 3);

        (void)state;
        job_batch_ended(c, j, 0, false, NULL, T0, T0);
        job_gone(c, j, c->nodes[1], NULL, T0);
        assert_true(j->completing);
        assert_int_equal(cluster_reconfigure(c, make_config(larger), T0 + 1, NULL), 0);
        assert_int_equal(cluster_node(c, "n2")->units, 8);
        check_cores(c, j, larger, 1, "0-3", 4);
        check_cores(c, j, larger, 2, "0-3", 4);
        assert_int_equal(cluster_reconfigure(c, make_config(smaller), T0 + 1, NULL), 0);
        check_cores(c, j, smaller, 1, "0-3", 2);
        check_cores(c, j, smaller, 2, "0-3", 4);
}

static void nodes_of_a_running_job_keep_their_order(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n[1-3] CPUs=4\n");
        struct job *j = submit(c, 2);

        (void)state;
        refuse(c, "NodeName=n[2-3,1] CPUs=4\n",
                        "nodes n1 and n2 have job 1 and cannot change their order");
        assert_int_equal(cluster_reconfigure(c, make_config("NodeName=n[3,1-2] CPUs=4\n"), T0 + 1,
                                         NULL),
                        0);
        assert_string_equal(j->placed.alloc[0].node->name, "n1");
        assert_ptr_equal(job_node_find(j, j->placed.alloc[1].node), &j->placed.alloc[1]);
}

static size_t place_of(const char *name, const void *config) {
        for (size_t i = 0; i < ((const struct config *)config)->n_nodes; i++)
                if (streq(((const struct config *)config)->nodes[i].name, name))
                        return i;
        return SIZE_MAX;
}

static bool no_license(const char *name, const void *config) {
        return false;
}

static struct config *make_layered(const char *nodes) {
        static const char text[] = "- resource: flat\n  mode: MODE_2\n  layers:\n"
                                   "    - { nodes: [a1, b1, b2], count: 4 }\n";
        struct config *config = make_config(nodes);
        struct fail fail = { 0 };

        const struct resource_names names = { .n_nodes = config->n_nodes,
                .node = place_of,
                .license = no_license,
                .user = config };
        if (resources_parse("resources.yaml", text, strlen(text), &names, &config->resources,
                            &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

/* Jobs hold layers by name. */
static void layers_have_the_same_name_in_whatever_order_nodes_are(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=a1,b[1-2] CPUs=4\n");
        const char *nodes[] = { "NodeName=a1,b[1-2] CPUs=4\n", "NodeName=b[2,1],a1 CPUs=4\n" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(nodes); i++) {
                assert_int_equal(cluster_reconfigure(c, make_layered(nodes[i]), T0 + 1, NULL), 0);
                assert_int_equal(c->licenses.n, 1);
                assert_string_equal(c->licenses.list[0].name, "flat(a1,b[1-2])");
        }
}

static struct config *make_weighted(const char *weights) {
        _cleanup_free_ char *text = xasprintf(
                        "AccountingStorageTRES=gres/tape\nNodeName=n[1-3] CPUs=4\n"
                        "PartitionName=w Nodes=ALL TRESBillingWeights=%s\n",
                        weights);

        return make_config(text);
}

static void weights_that_are_refused_change_nothing(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n[1-3] CPUs=4\n");
        struct config *config = make_weighted("CPU=1.0,tapes=2.0");
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(cluster_reconfigure(c, config, T0 + 1, &fail), -EINVAL);
        assert_non_null(strstr(fail.text, "partition w: TRESBillingWeights: \"tapes\""));
        config_free(config);
        assert_int_equal(c->acct.tres.n, 0);
        assert_ptr_equal(cluster_node(c, "n2"), c->nodes[1]);
        submit(c, 3);
        assert_int_equal(cluster_reconfigure(c, make_weighted("CPU=1.0,gres/tape=2.0"), T0 + 2,
                                         NULL),
                        0);
        assert_int_equal(c->acct.tres.n, 1);
}

static void partitions_keep_their_state_where_that_is_wanted(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster("NodeName=n1 CPUs=4\n");

        (void)state;
        c->partitions[0]->state = PARTITION_DOWN;
        assert_int_equal(
                        cluster_reconfigure(c,
                                        make_config("NodeName=n1 CPUs=4\nReconfigFlags=KeepPartState\n"),
                                        T0 + 1, NULL),
                        0);
        assert_int_equal(c->partitions[0]->state, PARTITION_DOWN);
        assert_int_equal(cluster_reconfigure(c, make_config("NodeName=n1 CPUs=4\n"), T0 + 2, NULL),
                        0);
        assert_int_equal(c->partitions[0]->state, PARTITION_UP);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_job_that_is_over_keeps_no_node),
                cmocka_unit_test(a_node_that_a_running_job_has_left_stays),
                cmocka_unit_test(a_node_that_a_job_has_left_may_have_other_cores),
                cmocka_unit_test(nodes_of_a_running_job_keep_their_order),
                cmocka_unit_test(layers_have_the_same_name_in_whatever_order_nodes_are),
                cmocka_unit_test(weights_that_are_refused_change_nothing),
                cmocka_unit_test(partitions_keep_their_state_where_that_is_wanted),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
