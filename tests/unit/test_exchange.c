/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All nodes of a step in one process, over a network that loses, doubles and reorders, whose
   slumberds are killed, and whose nodes start late; in virtual time, from a seed. */
#include "tests/unit/test.h"

#include "agent/common/tree.h"
#include "agent/step/mpi/exchange.h"

#define ROUNDS    4
#define MESSAGES  20 /* exchange_send() of each node */
#define NODES_MAX 60

struct link { /* instead of agent/common/link.c */
        uint32_t node;
        bool down;
};

struct node {
        struct step s;
        Slumber__StepdSpec spec;
        Slumber__LaunchStep launch;
        Slumber__CredentialBody credential;
        struct link link;
        uint32_t rounds, begun;
        uint32_t sent, to[NODES_MAX], from[NODES_MAX]; /* messages */
        usec_t starts;
};

static struct {
        struct node nodes[NODES_MAX];
        uint32_t n, width;
        size_t part;                 /* bytes of a part, at most */
        unsigned lossy, kills, late; /* percent, percent, number of nodes */
        uint64_t seed;
        usec_t now;
        Slumber__NodeMessage **packets;
        size_t n_packets, allocated;
        char complaint[256];
} w;

static uint32_t any(uint32_t below) {
        w.seed = w.seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(w.seed >> 33) % below;
}

/* ---- what the step daemon has around it ---- */

bool link_up(const struct link *l) {
        return !l->down;
}

size_t link_queued(const struct link *l) {
        (void)l;
        return 0;
}

static void add_packet(const Slumber__NodeMessage *m) {
        size_t size = slumber__node_message__get_packed_size(m);
        _cleanup_free_ uint8_t *data = xmalloc(size);

        slumber__node_message__pack(m, data);
        GROW(w.packets, w.allocated, w.n_packets);
        w.packets[w.n_packets++] = slumber__node_message__unpack(NULL, size, data);
}

void link_send(struct link *l, Envelope *env) {
        const Slumber__NodeMessage *m = env->node_message;

        assert_int_equal(m->from, l->node);
        assert_true(m->to < w.n && m->to != m->from);
        assert_true(m->data.len <= 256 << 10);
        add_packet(m);
}

void step_complain(struct step *s, const char *format, ...) {
        va_list ap;

        (void)s;
        va_start(ap, format);
        vsnprintf(w.complaint, sizeof w.complaint, format, ap);
        va_end(ap);
}

void step_abort(struct step *s, struct task *t, int code) {
        (void)t;
        s->abort_status = code << 8;
}

/* ---- what the nodes do ---- */

static size_t part_size(uint32_t node, uint32_t round) {
        return (node * 7919u + round * 104729u) % (w.part + 1);
}

static void begin_round(struct node *n);

static void on_done(const struct exchange_part *parts, size_t n_nodes, void *user) {
        struct node *n = user;
        uint32_t round = n->rounds++;

        assert_int_equal(n_nodes, w.n);
        for (uint32_t i = 0; i < n_nodes; i++) {
                assert_int_equal(parts[i].size, part_size(i, round));
                for (size_t k = 0; k < parts[i].size; k++)
                        if (parts[i].data[k] != (uint8_t)(i * 3 + round + k))
                                fail();
        }
        begin_round(n);
}

static void begin_round(struct node *n) {
        size_t size = part_size(n->link.node, n->begun);
        _cleanup_free_ uint8_t *data = xmalloc(size + 1);

        if (n->begun == ROUNDS)
                return;
        for (size_t k = 0; k < size; k++)
                data[k] = (uint8_t)(n->link.node * 3 + n->begun + k);
        n->begun++;
        assert_int_equal(exchange_all(&n->s, data, size, on_done, n), 0);
}

static void on_text(struct step *s, uint32_t from, const uint8_t *data, size_t size, void *user) {
        struct node *n = user;
        uint32_t number;

        assert_ptr_equal(s, &n->s);
        assert_int_equal(size, sizeof number);
        memcpy(&number, data, sizeof number);
        assert_int_equal(number, n->from[from]++);
}

static void send_one(struct node *n) {
        uint32_t to = any(w.n);

        if (to == n->link.node || n->sent == MESSAGES)
                return;
        assert_int_equal(exchange_send(&n->s, to, EXCHANGE_TEST, &n->to[to], sizeof n->to[to]), 0);
        n->to[to]++;
        n->sent++;
}

static void start_node(uint32_t i, char **addresses) {
        struct node *n = &w.nodes[i];

        *n = (struct node){ .link.node = i, .starts = n->starts };
        slumber__stepd_spec__init(&n->spec);
        slumber__launch_step__init(&n->launch);
        slumber__credential_body__init(&n->credential);
        n->launch.node_rank = i;
        n->launch.num_nodes = w.n;
        n->launch.tree_width = w.width;
        n->launch.step_nodes = (char *)"n[0-59]";
        n->launch.addresses = addresses;
        n->launch.n_addresses = addresses ? 1 : 0;
        n->s.spec = &n->spec;
        n->s.launch = &n->launch;
        n->s.credential = &n->credential;
        n->s.link = &n->link;
        exchange_hook(&n->s, EXCHANGE_TEST, on_text, n);
        begin_round(n);
        begin_round(n); /* waits behind it */
}

/* ---- the network ---- */

static void bounce(uint32_t from, uint32_t to) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        m.from = from;
        m.to = to;
        m.undelivered = true;
        exchange_message(&w.nodes[from].s, &m, w.now);
}

static void deliver(void) {
        size_t i = w.lossy ? any((uint32_t)w.n_packets) : 0;
        Slumber__NodeMessage *m = w.packets[i];
        unsigned luck = any(100);

        if (luck >= w.lossy || luck % 3 != 0) { /* else it is doubled */
                memmove(w.packets + i, w.packets + i + 1, (--w.n_packets - i) * sizeof *w.packets);
        }
        bool kept = i < w.n_packets && w.packets[i] == m;
        if (w.now < w.nodes[m->to].starts || (luck < w.lossy && luck % 3 == 1))
                bounce(m->from, m->to);
        else if (luck >= w.lossy || luck % 3 == 0)
                exchange_message(&w.nodes[m->to].s, m, w.now);
        if (!kept)
                slumber__node_message__free_unpacked(m, NULL);
}

/* What was on its way from and to that node is lost, and both sides hear of it. */
static void kill_slumberd(uint32_t node) {
        size_t n = 0;

        for (size_t i = 0; i < w.n_packets; i++)
                if (w.packets[i]->from == node || w.packets[i]->to == node)
                        slumber__node_message__free_unpacked(w.packets[i], NULL);
                else
                        w.packets[n++] = w.packets[i];
        w.n_packets = n;
        exchange_resume(&w.nodes[node].s);
        for (uint32_t i = 0; i < w.n; i++)
                if (i != node && w.nodes[i].s.exchange)
                        bounce(i, node);
}

static bool all_done(void) {
        for (uint32_t i = 0; i < w.n; i++)
                if (w.nodes[i].rounds < ROUNDS || (w.n > 1 && w.nodes[i].sent < MESSAGES) ||
                                !exchange_settled(&w.nodes[i].s, 0))
                        return false;
        return true;
}

static usec_t next_event(void) {
        usec_t next = USEC_INFINITY;

        for (uint32_t i = 0; i < w.n; i++) {
                int wait = w.now < w.nodes[i].starts
                                           ? (int)((w.nodes[i].starts - w.now) / USEC_PER_MSEC + 1)
                                           : exchange_patience(&w.nodes[i].s, w.now);
                if (wait >= 0)
                        next = MIN(next, w.now + (usec_t)wait * USEC_PER_MSEC);
        }
        return next;
}

static void turn(char **addresses) {
        for (uint32_t i = 0; i < w.n; i++) {
                struct node *n = &w.nodes[i];
                if (w.now < n->starts)
                        continue;
                if (!n->s.exchange)
                        start_node(i, addresses);
                if (w.n > 1 && any(3) == 0)
                        send_one(n);
                exchange_go_on(&n->s, w.now);
        }
        if (w.kills && any(100) < w.kills)
                kill_slumberd(any(w.n));
        for (uint32_t i = any(2 * w.n) + 1; i > 0 && w.n_packets; i--)
                deliver();
}

static void end_world(void) {
        for (uint32_t i = 0; i < w.n; i++)
                exchange_done(&w.nodes[i].s);
        for (size_t i = 0; i < w.n_packets; i++)
                slumber__node_message__free_unpacked(w.packets[i], NULL);
        free(TAKE(w.packets));
        w.n_packets = w.allocated = 0;
}

static void run(uint32_t n, uint32_t width, size_t part, unsigned lossy, unsigned kills,
                unsigned late) {
        static char row[] = "n[0-59]:6818", *addresses[] = { row };

        memset(w.nodes, 0, sizeof w.nodes);
        w.n = n;
        w.width = width;
        w.part = part;
        w.lossy = lossy;
        w.kills = kills;
        w.now = USEC_PER_SEC;
        *w.complaint = 0;
        for (unsigned i = 0; i < late; i++)
                w.nodes[any(n)].starts = w.now + any(3000) * USEC_PER_MSEC;
        for (uint32_t i = 0; i < n; i++)
                if (w.now >= w.nodes[i].starts)
                        start_node(i, addresses);
        for (unsigned turns = 0; !all_done(); turns++) {
                assert_true(turns < 200000);
                turn(addresses);
                if (w.n_packets == 0 && !all_done()) {
                        usec_t next = next_event();
                        w.now = MAX(next == USEC_INFINITY ? 0 : next, w.now + USEC_PER_MSEC);
                }
        }
        assert_string_equal(w.complaint, "");
        for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < n; k++)
                        assert_int_equal(w.nodes[i].to[k], w.nodes[k].from[i]);
        end_world();
}

/* ---- the tree ---- */

static void each_node_has_one_parent_and_the_subtrees_are_all(void **state) {
        (void)state;
        for (uint32_t width = 1; width < 20; width++)
                for (uint32_t n = 1; n < 70; n++) {
                        uint32_t children = 0;
                        for (uint32_t i = 0; i < n; i++) {
                                struct tree_range r = tree_children(i, n, width);
                                uint32_t size = 1;
                                assert_true(r.end - r.first <= width);
                                for (uint64_t k = r.first; k < r.end; k++) {
                                        assert_int_equal(tree_parent((uint32_t)k, width), i);
                                        size += tree_size((uint32_t)k, n, width);
                                        children++;
                                }
                                assert_int_equal(tree_size(i, n, width), size);
                        }
                        assert_int_equal(children, n - 1);
                        assert_int_equal(tree_size(0, n, width), n);
                }
        assert_int_equal(tree_size(0, UINT32_MAX, 65533), UINT32_MAX);
        assert_true(tree_empty(tree_children(UINT32_MAX - 1, UINT32_MAX, 65533)));
}

/* ---- exchanges ---- */

static void one_node_is_done_in_the_next_turn(void **state) {
        (void)state;
        w.n = 1;
        w.part = 10;
        memset(w.nodes, 0, sizeof w.nodes);
        start_node(0, NULL);
        assert_int_equal(w.nodes[0].rounds, 0);
        exchange_go_on(&w.nodes[0].s, 5);
        assert_int_equal(w.nodes[0].rounds, ROUNDS);
        assert_int_equal(exchange_patience(&w.nodes[0].s, 5), -1);
        assert_int_equal(w.n_packets, 0);
        end_world();
}

static void all_get_the_parts_of_all(void **state) {
        static const uint32_t nodes[] = { 2, 3, 8, 17, 60 }, widths[] = { 1, 2, 16, 65533, 0 };

        (void)state;
        w.seed = 1;
        for (size_t i = 0; i < ELEMENTSOF(nodes); i++)
                for (size_t k = 0; k < ELEMENTSOF(widths); k++)
                        run(nodes[i], widths[k], 100, 0, 0, 0);
}

static void nothing_is_lost_or_doubled_on_a_bad_network(void **state) {
        (void)state;
        for (uint64_t seed = 0; seed < 60; seed++) {
                w.seed = seed;
                uint32_t n = 2 + any(30), width = 1 + any(5), lossy = 5 + any(40), kills = any(10);
                run(n, width, 200, lossy, kills, any(4));
        }
}

static void large_parts_arrive_whole(void **state) {
        (void)state;
        for (uint64_t seed = 0; seed < 4; seed++) {
                w.seed = seed;
                run(4, 2, (size_t)3 << 20, seed * 10, seed, 0);
        }
}

/* The tree of as many children as there are, where each exchange ends at node 0. */
static void a_late_node_holds_up_and_loses_nothing(void **state) {
        (void)state;
        w.seed = 5;
        run(20, 16, 50, 0, 0, 6);
}

static void a_node_without_an_address_is_named(void **state) {
        (void)state;
        memset(w.nodes, 0, sizeof w.nodes);
        w.n = 2;
        w.width = 16;
        w.part = 10;
        w.now = USEC_PER_SEC;
        *w.complaint = 0;
        start_node(1, NULL);
        exchange_go_on(&w.nodes[1].s, w.now);
        assert_int_equal(w.n_packets, 1);
        assert_string_equal(w.packets[0]->address, "");
        bounce(1, 0);
        assert_non_null(strstr(w.complaint, "node n0 has no known address"));
        assert_int_equal(w.nodes[1].s.abort_status, EXIT_FAILURE << 8);
        end_world();
}

static void what_was_not_asked_for_ends_the_step(void **state) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        (void)state;
        memset(w.nodes, 0, sizeof w.nodes);
        w.n = 3;
        w.width = 1;
        *w.complaint = 0;
        start_node(1, NULL);
        m.from = 0;
        m.to = 1;
        m.serial = 1;
        m.kind = EXCHANGE_GATHER; /* by its parent */
        exchange_message(&w.nodes[1].s, &m, 1);
        assert_non_null(strstr(w.complaint, "node n0 has sent what was not asked for"));
        end_world();
}

static void bad_calls_are_refused(void **state) {
        struct step *s = &w.nodes[0].s;

        (void)state;
        memset(w.nodes, 0, sizeof w.nodes);
        w.n = 2;
        start_node(0, NULL);
        assert_int_equal(exchange_send(s, 0, EXCHANGE_TEST, "", 0), -EINVAL);
        assert_int_equal(exchange_send(s, 2, EXCHANGE_TEST, "", 0), -EINVAL);
        assert_int_equal(exchange_send(s, 1, EXCHANGE_GATHER, "", 0), -EINVAL);
        assert_int_equal(exchange_send(s, 1, EXCHANGE_TEST, "", EXCHANGE_PART_MAX + 1), -EMSGSIZE);
        assert_int_equal(exchange_all(s, "", EXCHANGE_PART_MAX + 1, on_done, NULL), -EMSGSIZE);
        _cleanup_free_ uint8_t *large = xcalloc(1, EXCHANGE_PART_MAX);
        for (int i = 0; i < 3; i++)
                assert_int_equal(exchange_send(s, 1, EXCHANGE_TEST, large, EXCHANGE_PART_MAX), 0);
        assert_int_equal(exchange_send(s, 1, EXCHANGE_TEST, large, EXCHANGE_PART_MAX), -ENOBUFS);
        for (int i = 0; i < 3; i++)
                assert_int_equal(exchange_all(s, large, EXCHANGE_PART_MAX, on_done, NULL), 0);
        assert_int_equal(exchange_all(s, large, EXCHANGE_PART_MAX, on_done, NULL), -ENOBUFS);
        end_world();
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_node_has_one_parent_and_the_subtrees_are_all),
                cmocka_unit_test(one_node_is_done_in_the_next_turn),
                cmocka_unit_test(all_get_the_parts_of_all),
                cmocka_unit_test(nothing_is_lost_or_doubled_on_a_bad_network),
                cmocka_unit_test(large_parts_arrive_whole),
                cmocka_unit_test(a_late_node_holds_up_and_loses_nothing),
                cmocka_unit_test(a_node_without_an_address_is_named),
                cmocka_unit_test(what_was_not_asked_for_ends_the_step),
                cmocka_unit_test(bad_calls_are_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
