/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller's part of a message for many nodes: eight of them, the tree is two wide, and the
   slumberds are sockets in the test's hands. */
#include "tests/unit/test.h"

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "lib/abilities.h"

#include <sys/socket.h>

#define T0    (1700000000 * USEC_PER_SEC)
#define NODES 8u
#define JOB   7u

static struct {
        struct controller ctl;
        struct peer peers[NODES];
        struct wire *wires[NODES];
        struct peer *agents[NODES];
        struct credential_key *key;
        char path[64];
        uint64_t id; /* of the tree */
        size_t launched[NODES];
} world;

static void on_message(struct conn *c, Envelope *env, void *user) {
        fail_msg("the test calls tree_answer() itself");
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
        fail_msg("closed: %s", why);
}

static void connect_node(uint32_t i) {
        static const struct conn_ops ops = { .message = on_message, .closed = on_closed };
        struct peer *p = &world.peers[i];
        int fd[2];

        *p = (struct peer){ .ctl = &world.ctl,
                .refs = 1,
                .node = world.ctl.cluster->nodes[i],
                .listens = 6818,
                .can = CAN_ALL };
        memset(p->tree_key, (int)i + 1, sizeof p->tree_key);
        TAILQ_INIT(&p->tree_rows);
        STAILQ_INIT(&p->tree_held);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        assert_int_equal(conn_adopt(world.ctl.event, fd[0], &ops, NULL, &p->conn), 0);
        world.wires[i] = wire_new(fd[1]);
        world.agents[i] = p;
}

static int begin(void **state) {
        static const char text[] = "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nTreeWidth=2\n"
                                   "NodeName=n[0-7] NodeAddr=127.0.0.1\n"
                                   "PartitionName=p Nodes=ALL Default=YES\n";
        struct config *config = NULL;

        (void)state;
        memset(&world, 0, sizeof world);
        assert_int_equal(config_parse("test.conf", text, strlen(text), &config, NULL), 0);
        assert_int_equal(cluster_new(config, T0, &world.ctl.cluster, NULL), 0);
        assert_int_equal(sd_event_new(&world.ctl.event), 0);
        strcpy(world.path, "/tmp/test-tree-XXXXXX");
        assert_non_null(mkdtemp(world.path));
        _cleanup_free_ char *file = xasprintf("%s/key", world.path);
        assert_int_equal(credential_key_load(file, &world.key, NULL), 0);
        world.ctl.signing_key = world.key;
        world.ctl.agents = world.agents;
        for (uint32_t i = 0; i < NODES; i++)
                connect_node(i);
        return 0;
}

static void disconnect_node(uint32_t i) {
        conn_close(TAKE(world.peers[i].conn));
        tree_peer_gone(&world.peers[i]);
        world.agents[i] = NULL;
}

static int end(void **state) {
        _cleanup_free_ char *file = xasprintf("%s/key", world.path);

        (void)state;
        trees_free(&world.ctl);
        for (uint32_t i = 0; i < NODES; i++) {
                if (world.peers[i].conn)
                        disconnect_node(i);
                wire_free(world.wires[i]);
        }
        cluster_free(world.ctl.cluster);
        sd_event_unref(world.ctl.event);
        credential_key_free(world.key);
        unlink(file);
        rmdir(world.path);
        return 0;
}

static void launch(usec_t patience) {
        const struct tree_wish wish = { .job = JOB, .step = 0, .patience = patience };
        struct tree *t = tree_new(&world.ctl, &wish);

        for (uint32_t i = 0; i < NODES; i++) {
                Slumber__LaunchStep m = SLUMBER__LAUNCH_STEP__INIT;
                ENVELOPE(env, LAUNCH_STEP, launch_step, &m);
                assert_true(tree_add(t, world.ctl.cluster->nodes[i], &env));
        }
        world.id = tree_next(&world.ctl);
        tree_send(t);
}

/* What comes to node i, after a while of at most 10 s. */
static Envelope *hear(uint32_t i) {
        usec_t until = now_monotonic() + 10 * USEC_PER_SEC;
        Envelope *env = NULL;

        do {
                assert_true(sd_event_run(world.ctl.event, 5 * USEC_PER_MSEC) >= 0);
                int r = wire_receive(world.wires[i], 1, &env);
                assert_true(r == 0 || r == -ETIMEDOUT);
        } while (!env && now_monotonic() < until);
        assert_non_null(env);
        return env;
}

static void assert_silence(uint32_t i) {
        Envelope *env = NULL;

        assert_int_equal(wire_receive(world.wires[i], 1, &env), -ETIMEDOUT);
}

static void assert_rows(uint32_t i, uint32_t first, size_t n) {
        _cleanup_envelope_ Envelope *env = hear(i);

        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_TREE_MESSAGE);
        assert_int_equal(env->tree_message->id, world.id);
        assert_int_equal(env->tree_message->n_rows, n);
        assert_int_equal(env->tree_message->rows[0]->number, first);
}

static void assert_asked(uint32_t i) {
        _cleanup_envelope_ Envelope *env = hear(i);

        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_TREE_ANSWER);
        assert_int_equal(env->tree_answer->id, world.id);
}

static void launched(struct controller *ctl, const struct tree_wish *w, struct node *n) {
        assert_int_equal(w->job, JOB);
        world.launched[n->index]++;
}

/* What each of these nodes has said. */
static void say(Slumber__TreeAnswer *m, enum tree_news what, const char *rows, uint64_t *proofs) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(NODES);
        size_t n = 0;

        assert_int_equal(bitset_parse(set, rows), 0);
        bitset_for_each(i, set)
                proofs[n++] = tree_proof(world.peers[i].tree_key, world.id, what);
        tree_answer_say(m, what, (char *)(uintptr_t)rows, proofs, n);
}

static void answer_all(uint32_t from, const char *had, const char *started, const char *apart) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;
        uint64_t proofs[TREE_NEWS][NODES];

        m.id = world.id;
        say(&m, TREE_HAD, had, proofs[TREE_HAD]);
        say(&m, TREE_LAUNCHED, started, proofs[TREE_LAUNCHED]);
        say(&m, TREE_APART, apart, proofs[TREE_APART]);
        tree_answer(&world.ctl, &world.peers[from], &m, launched);
}

static void answer(uint32_t from, const char *had, const char *started) {
        answer_all(from, had, started, "");
}

/* All that comes to node i is a message for so many, first is the first of them; behind: of its
   last row. */
static void assert_rows_behind(uint32_t i, uint32_t first, size_t n, uint64_t behind) {
        _cleanup_envelope_ Envelope *env = hear(i);

        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_TREE_MESSAGE);
        const Slumber__TreeMessage *m = env->tree_message;
        assert_int_equal(m->n_rows, n);
        assert_int_equal(m->rows[0]->number, first);
        const ProtobufCBinaryData *packed = &m->rows[n - 1]->body;
        Slumber__TreeRowBody *body = slumber__tree_row_body__unpack(NULL, packed->len,
                        packed->data);
        assert_non_null(body);
        assert_int_equal(body->behind, behind);
        slumber__tree_row_body__free_unpacked(body, NULL);
}

static void each_launch_is_told_once(void **state) {
        (void)state;
        launch(USEC_PER_SEC);
        assert_rows(0, 0, 4);
        assert_rows(4, 4, 4);
        answer(0, "0-3", "0-1");
        answer(0, "0-3", "0-3");
        answer(4, "4-7", "4-7");
        for (uint32_t i = 0; i < NODES; i++)
                assert_int_equal(world.launched[i], 1);
        assert_true(LIST_EMPTY(&world.ctl.trees));
}

/* The others go on to answer meanwhile: that is no reason to wait for it. */
static void nodes_below_one_that_is_silent_are_told_anew(void **state) {
        (void)state;
        launch(60 * USEC_PER_MSEC);
        assert_rows(0, 0, 4);
        assert_rows(4, 4, 4);
        for (char had[] = "4-5"; had[2] <= '7'; had[2]++) {
                answer(4, had, "");
                for (int i = 0; i < 5; i++)
                        assert_true(sd_event_run(world.ctl.event, 5 * USEC_PER_MSEC) >= 0);
        }
        assert_rows(1, 1, 2);
        assert_rows(3, 3, 1);
        assert_rows(2, 2, 1); /* as 1 is silent, too: directly */
        assert_silence(0);
        assert_silence(5);
}

static void node_below_one_that_is_gone_is_told_at_once(void **state) {
        (void)state;
        launch(60 * USEC_PER_SEC);
        assert_rows(0, 0, 4);
        disconnect_node(0);
        assert_rows(1, 1, 2);
        assert_rows(3, 3, 1);
}

static void what_one_that_is_gone_was_told_is_asked_for(void **state) {
        (void)state;
        launch(60 * USEC_PER_SEC);
        assert_rows(0, 0, 4);
        assert_rows(4, 4, 4);
        answer(0, "0-3", "");
        answer(4, "4-7", "");
        disconnect_node(0); /* the others of its subtree had told it that their step has started */
        assert_asked(1);
        assert_asked(2);
        assert_asked(3);
        assert_silence(4);
        assert_silence(5);
        answer(1, "1", "1");
        answer(2, "2", "2");
        answer(3, "3", ""); /* it tells that by itself */
        assert_int_equal(world.launched[1] + world.launched[2], 2);
        assert_int_equal(world.launched[3], 0);
}

/* The nodes below are told nothing directly. */
static void launches_follow_each_other_down_the_tree(void **state) {
        uint64_t ids[3];

        (void)state;
        for (size_t k = 0; k < ELEMENTSOF(ids); k++) {
                launch(60 * USEC_PER_SEC);
                ids[k] = world.id;
                assert_rows_behind(0, 0, 4, k ? ids[k - 1] : 0);
                assert_rows_behind(4, 4, 4, k ? ids[k - 1] : 0);
        }
        for (uint32_t i = 0; i < NODES; i++)
                assert_silence(i);
        for (size_t k = 0; k < ELEMENTSOF(ids); k++) {
                world.id = ids[k];
                answer(0, "0-3", "0-3");
                answer(4, "4-7", "4-7");
        }
        assert_true(LIST_EMPTY(&world.ctl.trees));
        launch(60 * USEC_PER_SEC);
        assert_rows_behind(0, 0, 4, 0); /* all is known to be there */
}

/* What is sent to a node directly comes behind all that was sent to it before. */
static void direct_row_comes_behind_earlier_ones(void **state) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        uint64_t ids[2];

        (void)state;
        for (size_t k = 0; k < ELEMENTSOF(ids); k++) {
                launch(60 * USEC_PER_SEC);
                ids[k] = world.id;
        }
        ENVELOPE(env, SIGNAL_JOB, signal_job, &m);
        assert_false(tree_before(&world.peers[5], &env));
        for (size_t k = 0; k < ELEMENTSOF(ids); k++) {
                world.id = ids[k];
                assert_rows(5, 5, 1);
        }
        assert_silence(5);
        assert_int_equal(world.peers[5].tree_left, 0);
}

/* A slumberd that says that others have what it keeps holds it back no longer than one that is
   silent. */
static void nobody_speaks_for_another_node(void **state) {
        static uint64_t lies[3];
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;

        (void)state;
        launch(60 * USEC_PER_MSEC);
        assert_rows(0, 0, 4);
        assert_rows(4, 4, 4);
        answer(0, "0-3", "0-3");
        m.id = world.id;
        tree_answer_say(&m, TREE_HAD, (char *)(uintptr_t) "5-7", lies, 3);
        tree_answer_say(&m, TREE_LAUNCHED, (char *)(uintptr_t) "5-7", lies, 3);
        tree_answer_say(&m, TREE_APART, (char *)(uintptr_t) "5-7", lies, 3);
        tree_answer(&world.ctl, &world.peers[4], &m, launched);
        assert_int_equal(world.launched[5], 0);
        assert_rows(5, 5, 2);
        assert_rows(7, 7, 1);
        assert_rows(6, 6, 1); /* of which 5 says nothing */
}

/* One that refuses a launch says that by its own connection. */
static void message_is_over_when_no_node_is_waited_for(void **state) {
        (void)state;
        launch(60 * USEC_PER_SEC);
        answer_all(0, "0-3", "0-2", "3");
        answer(4, "4-7", "4-6");
        assert_int_equal(world.ctl.trees_bytes, 0); /* all have it: it is not kept */
        assert_false(LIST_EMPTY(&world.ctl.trees));
        answer(7, "7", "7");
        assert_true(LIST_EMPTY(&world.ctl.trees));
        assert_int_equal(world.launched[3], 0);
}

static void what_waits_for_a_launch_goes_when_the_tree_is_over(void **state) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        (void)state;
        launch(60 * USEC_PER_SEC);
        io.job_id = JOB;
        ENVELOPE(env, STEP_IO, step_io, &io);
        assert_false(tree_before(&world.peers[0], &env)); /* its row is before that */
        assert_true(tree_before(&world.peers[5], &env));
        assert_int_equal(world.peers[5].tree_left, 1);
        trees_free(&world.ctl);
        assert_int_equal(world.peers[5].tree_left, 0);
        _cleanup_envelope_ Envelope *got = hear(5);
        assert_int_equal(got->body_case, SLUMBER__ENVELOPE__BODY_STEP_IO);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(each_launch_is_told_once, begin, end),
                cmocka_unit_test_setup_teardown(nodes_below_one_that_is_silent_are_told_anew, begin,
                                end),
                cmocka_unit_test_setup_teardown(node_below_one_that_is_gone_is_told_at_once, begin,
                                end),
                cmocka_unit_test_setup_teardown(what_one_that_is_gone_was_told_is_asked_for, begin,
                                end),
                cmocka_unit_test_setup_teardown(launches_follow_each_other_down_the_tree, begin,
                                end),
                cmocka_unit_test_setup_teardown(direct_row_comes_behind_earlier_ones, begin, end),
                cmocka_unit_test_setup_teardown(nobody_speaks_for_another_node, begin, end),
                cmocka_unit_test_setup_teardown(message_is_over_when_no_node_is_waited_for, begin,
                                end),
                cmocka_unit_test_setup_teardown(what_waits_for_a_launch_goes_when_the_tree_is_over,
                                begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
