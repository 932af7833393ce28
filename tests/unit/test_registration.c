/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A registration of slumberd -F that is refused leaves the FUTURE node to others, and a slumberd of
 * an earlier build gets nothing that it would drop without a word. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/agents/agent_config.h"
#include "controller/agents/agents.h"
#include "controller/launch/launch.h"
#include "controller/launch/step_nodes.h"
#include "controller/loop/call_stats.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/model/abilities.h"
#include "controller/nodes/node_events.h"
#include "controller/records/identity.h"
#include "lib/abilities.h"
#include "lib/config/config.h"
#include "lib/conn/conn.h"
#include "lib/files/job_container.h"
#include "lib/wire.h"
#include "lib/x11.h"

#include <sys/socket.h>

#define T0 (UINT64_C(1700000000) * USEC_PER_SEC)

static const char conf[] = "ClusterName=test\nSlurmctldHost=localhost\nSlurmUser=root\n"
                           "NodeName=n1 CPUs=4 RealMemory=1000\n"
                           "NodeName=f1 CPUs=4 RealMemory=1000 State=FUTURE\n"
                           "PartitionName=all Nodes=ALL Default=YES\n";

struct world {
        struct controller ctl;
        struct peer peer;
        struct wire *w; /* the agent's end */
};

static int begin(void **state) {
        static const struct conn_ops ops = { 0 };
        struct world *w = xnew0(struct world, 1);
        int fd[2];

        w->ctl.cluster = cluster_of(conf, T0);
        assert_int_equal(sd_event_new(&w->ctl.event), 0);
        w->ctl.agents = xnew0(struct peer *, w->ctl.cluster->n_nodes);
        w->ctl.calls = call_stats_new();
        w->ctl.identity = xnew0(struct identity, 1);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        w->peer = (struct peer){ .ctl = &w->ctl, .refs = 1 };
        assert_int_equal(conn_adopt(w->ctl.event, fd[0], &ops, NULL, &w->peer.conn), 0);
        w->w = wire_new(fd[1]);
        *state = w;
        return 0;
}

static int end(void **state) {
        struct world *w = *state;

        conn_close(w->peer.conn);
        wire_free(w->w);
        free(w->ctl.agents);
        call_stats_free(w->ctl.calls);
        identity_done(w->ctl.identity);
        free(w->ctl.identity);
        cluster_free(w->ctl.cluster);
        sd_event_unref(w->ctl.event);
        free(w);
        return 0;
}

/* The machine "m" sends what change makes of a registration that could be taken. */
static void refuses(struct world *w, void (*change)(Slumber__Register *m), const char *expected) {
        const struct node *n = cluster_node(w->ctl.cluster, "f1");
        Slumber__Register m = SLUMBER__REGISTER__INIT;
        Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;
        Envelope *answer = NULL;

        hw.cpus = n->configured.cpus;
        hw.boards = n->configured.boards;
        hw.sockets = n->configured.sockets;
        hw.cores = n->configured.cores;
        hw.threads = n->configured.threads;
        hw.real_memory = n->configured.memory;
        m.node = (char *)(uintptr_t) "m";
        m.protocol = WIRE_VERSION;
        m.hardware = &hw;
        m.future = true;
        change(&m);
        ENVELOPE(env, REGISTER_NODE, register_node, &m);
        agent_handle(&w->ctl, &w->peer, &env);
        while (sd_event_run(w->ctl.event, 0) > 0)
                ;
        assert_int_equal(wire_receive(w->w, USEC_PER_SEC, &answer), 0);
        assert_int_equal(answer->body_case, SLUMBER__ENVELOPE__BODY_REGISTER_REPLY);
        assert_string_equal(answer->register_reply->error->text, expected);
        slumber__envelope__free_unpacked(answer, NULL);
        assert_string_equal(n->hostname, "f1");
        assert_int_equal(n->flags & NODE_DYNAMIC_FUTURE, 0);
        assert_int_equal(n->base, NODE_FUTURE);
}

static void nothing(Slumber__Register *m) {
        (void)m;
}

static void too_many_jobs(Slumber__Register *m) {
        static Slumber__RunningJob job = SLUMBER__RUNNING_JOB__INIT;
        static Slumber__RunningJob *jobs[100001];

        for (size_t i = 0; i < ELEMENTSOF(jobs); i++)
                jobs[i] = &job;
        m->jobs = jobs;
        m->n_jobs = ELEMENTSOF(jobs);
}

static void also_dynamic(Slumber__Register *m) {
        m->dynamic = true;
}

static void a_connection_is_one_nodes(void **state) {
        struct world *w = *state;

        w->peer.node = cluster_node(w->ctl.cluster, "n1");
        refuses(w, nothing, "the registration of m is malformed");
}

static void malformed_ones_take_nothing(void **state) {
        refuses(*state, too_many_jobs, "the registration of m is malformed");
        refuses(*state, also_dynamic, "the registration of m is malformed");
}

static uint64_t proof;

static void knows_more(Slumber__Register *m) {
        static Slumber__StateSeen seen = SLUMBER__STATE_SEEN__INIT;

        seen.state = 7;
        seen.generation = 3;
        seen.given = 20;
        seen.proof = proof;
        m->seen = &seen;
}

/* The controller's state is an older copy: none is taken any more, and connected ones are let go.
 */
static void none_is_taken_by_an_older_state(void **state) {
        static const char text[] =
                        "the state in /var/spool is older than it was: node m knows generation 3 of it and "
                        "JobId=20, and it has generation 2 and JobId=0; put the newest files back, or go on above "
                        "these with slumberctld --accept-state";
        struct world *w = *state;

        const struct state_seen more = { .state = 7, .generation = 3, .given = 20 };

        *w->ctl.identity = (struct identity){ .now = { .state = 7, .generation = 2 },
                .key = { 1, 2 } };
        proof = identity_proof(w->ctl.identity, &more);
        refuses(w, knows_more, text);
        refuses(w, nothing, text);
        w->ctl.agents[0] = &w->peer;
        w->peer.node = cluster_node(w->ctl.cluster, "n1");
        refuses(w, nothing, text);
}

static void slumberds_of_earlier_builds_have_no_streams(void **state) {
        struct world *w = *state;
        struct node *n = cluster_node(w->ctl.cluster, "n1");
        struct job_node alloc[] = { { .node = n } };
        struct job j = { .placed = { .alloc = alloc, .n_alloc = 1 } };
        struct step s = { .nodes = bitset_new(1) };
        bool one;

        bitset_add(s.nodes, 0);
        assert_true(step_nodes_have_streams(&w->ctl, &j, &s, &one)); /* it is away */
        assert_false(one);
        w->peer.node = n;
        w->peer.listens = 6818;
        w->ctl.agents[n->index] = &w->peer;
        assert_null(relay_address(&w->peer));
        assert_false(step_nodes_have_streams(&w->ctl, &j, &s, &one));
        w->peer.can = CAN_STREAMS;
        assert_true(step_nodes_have_streams(&w->ctl, &j, &s, &one));
        assert_false(one); /* an earlier build's would go to all tasks */
        w->peer.can |= CAN_INPUT_OF_RANK;
        assert_true(step_nodes_have_streams(&w->ctl, &j, &s, &one) && one);
        _cleanup_free_ char *home = relay_address(&w->peer);
        assert_string_equal(home, "n1:6818");
        w->ctl.agents[n->index] = NULL;
        bitset_free(s.nodes);
}

/* n1 registers with these abilities. */
static void registers(struct world *w, unsigned can) {
        struct node *n = cluster_node(w->ctl.cluster, "n1");
        struct registration reg = { .hardware = n->configured,
                .boot_time = T0,
                .lacks = CAN_ALL & ~can };
        (void)node_register(w->ctl.cluster, n, &reg, T0, NULL);
}

static void no_job_goes_where_folders_would_be_shared(void **state) {
        static const char containers[] = "NodeName=n1 BasePath=/private\n";
        struct world *w = *state;
        struct cluster *c = w->ctl.cluster;
        struct config *config = (struct config *)(uintptr_t)c->config;
        const struct node *n = cluster_node(c, "n1");

        registers(w, 0);
        assert_true(node_is_schedulable(n));
        assert_int_equal(job_containers_parse("job_container.conf", containers,
                                         sizeof containers - 1, &config->containers, NULL),
                        0);
        node_check_abilities(c, cluster_node(c, "n1"), T0); /* as after scontrol reconfigure */
        assert_false(node_is_schedulable(n));
        assert_string_equal(n->reason,
                        "the slumberd of n1 is of an earlier build without job_container/tmpfs");
        registers(w, CAN_ALL);
        assert_int_equal(n->flags & NODE_INVALID_REG, 0);
        registers(w, CAN_ALL & ~CAN_PRIVATE_FOLDERS);
        assert_int_equal(n->flags & NODE_INVALID_REG, NODE_INVALID_REG);
}

static void limits_that_an_earlier_build_does_not_know_are_named(void **state) {
        struct world *w = *state;
        struct config *config = (struct config *)(uintptr_t)w->ctl.cluster->config;

        config->cgroup.constrain_ram = config->cgroup.constrain_swap = true;
        assert_null(abilities_unheeded(config, CAN_BOUND_MEMORY)); /* as they are by default */
        config->cgroup.allowed_swap = 20;
        assert_null(abilities_unheeded(config, CAN_BOUND_MEMORY));
        config->cgroup.allowed_swap = 20.5;
        config->cgroup.max_ram = 80;
        assert_null(abilities_unheeded(config, 0));
        _cleanup_free_ char *text = abilities_unheeded(config, CAN_BOUND_MEMORY);
        assert_string_equal(text, "MaxRAMPercent, AllowedSwapSpace");
        config->cgroup.constrain_swap = false;
        _cleanup_free_ char *less = abilities_unheeded(config, CAN_BOUND_MEMORY);
        assert_string_equal(less, "MaxRAMPercent");
        config->cgroup.constrain_ram = false;
        assert_null(abilities_unheeded(config, CAN_BOUND_MEMORY));
}

static void no_launch_leaves_its_container(void **state) {
        struct world *w = *state;
        struct node *n = cluster_node(w->ctl.cluster, "n1");
        struct job_node at = { .node = n };
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;
        const struct launch l = { .at = &at, .spec = &spec };

        spec.container = (char *)(uintptr_t) "/bundle";
        registers(w, CAN_ALL & ~CAN_CONTAINERS);
        assert_int_equal(launch_send(&w->ctl, &l), -EOPNOTSUPP);
}

static void no_step_has_the_display_of_another_host(void **state) {
        struct world *w = *state;
        struct node *n = cluster_node(w->ctl.cluster, "n1");
        struct job_node alloc[] = { { .node = n } };
        struct job j = { .asked.x11 = X11_ALL, .placed = { .alloc = alloc, .n_alloc = 1 } };
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;
        struct launch l = { .job = &j, .at = alloc, .spec = &spec };

        registers(w, CAN_ALL & ~CAN_X11);
        assert_false(abilities_serve(n, &j)); /* none is begun there */
        assert_int_equal(launch_send(&w->ctl, &l), -EOPNOTSUPP);
        l.step = STEP_EXTERN;
        assert_int_equal(launch_lacks(&w->ctl, &l), 0);
        l.step = 0;
        registers(w, CAN_ALL);
        assert_int_equal(launch_lacks(&w->ctl, &l), 0);
        assert_true(abilities_serve(n, &j));
}

static void one_that_does_not_know_drained_nodes_checks_all(void **state) {
        struct world *w = *state;
        struct config *config = (struct config *)(uintptr_t)w->ctl.cluster->config;
        const struct node *n = cluster_node(w->ctl.cluster, "n1");
        const unsigned cans[] = { CAN_ALL, CAN_ALL & ~CAN_TELL_DRAINED };

        free_and_strdup(&config->site.veto_logind, "no");
        config->health.states = HEALTH_NONDRAINED_IDLE;
        for (size_t i = 0; i < ELEMENTSOF(cans); i++) {
                Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
                Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;

                registers(w, cans[i]);
                agent_config_fill(&w->ctl, n, &c, &hw);
                assert_int_equal(c.health_states,
                                i ? HEALTH_NONDRAINED_IDLE | HEALTH_IDLE : HEALTH_NONDRAINED_IDLE);
                agent_config_done(&c);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(a_connection_is_one_nodes, begin, end),
                cmocka_unit_test_setup_teardown(malformed_ones_take_nothing, begin, end),
                cmocka_unit_test_setup_teardown(none_is_taken_by_an_older_state, begin, end),
                cmocka_unit_test_setup_teardown(slumberds_of_earlier_builds_have_no_streams, begin,
                                end),
                cmocka_unit_test_setup_teardown(no_job_goes_where_folders_would_be_shared, begin,
                                end),
                cmocka_unit_test_setup_teardown(
                                limits_that_an_earlier_build_does_not_know_are_named, begin, end),
                cmocka_unit_test_setup_teardown(no_launch_leaves_its_container, begin, end),
                cmocka_unit_test_setup_teardown(no_step_has_the_display_of_another_host, begin,
                                end),
                cmocka_unit_test_setup_teardown(one_that_does_not_know_drained_nodes_checks_all,
                                begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
