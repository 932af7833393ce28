/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By which way a step's streams go, in virtual time: state by state, and a stream over connections
   that break and a controller that stands still, from a seed. */
#include "tests/unit/test.h"

#include "agent/peers/had.h"
#include "agent/peers/hops.h"
#include "agent/peers/way.h"

#define S USEC_PER_SEC

static void short_step_makes_no_connection(void **state) {
        struct way w;

        way_begin(&w, true);
        assert_int_equal(way_use(&w, 0, S), WAY_BY_CONTROLLER); /* an acknowledgement */
        assert_int_equal(way_due(&w), USEC_INFINITY);
        assert_int_equal(way_use(&w, 100, S), WAY_BY_CONTROLLER);
        assert_int_equal(way_due(&w), S + WAY_MOMENT);
        assert_false(way_connect_is_due(&w, S + WAY_MOMENT - 1));
        assert_true(way_connect_is_due(&w, S + WAY_MOMENT));
        assert_true(way_up(&w)); /* what is with the controller may be stuck there */
        assert_int_equal(way_use(&w, 1 << 20, 2 * S), WAY_DIRECT);
}

static void bulk_does_not_go_by_the_controller(void **state) {
        struct way w;

        way_begin(&w, true);
        assert_int_equal(way_use(&w, WAY_SMALL, S), WAY_BY_CONTROLLER);
        assert_int_equal(way_use(&w, 1, S), WAY_DIRECT);
        assert_int_equal(way_use(&w, 1, S), WAY_DIRECT); /* waits for the connection */
        assert_true(way_up(&w));
        assert_false(way_up(&w));
}

static void without_an_address_by_the_controller(void **state) {
        struct way w;

        way_begin(&w, false);
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_BY_CONTROLLER);
        assert_int_equal(way_due(&w), USEC_INFINITY);
        assert_true(way_up(&w)); /* it was heard by a connection: that is taken */
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_DIRECT);
}

static void first_failure_decides(void **state) {
        struct way w;

        way_begin(&w, true);
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_DIRECT);
        assert_true(way_lost(&w, false, S));
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_BY_CONTROLLER);
        assert_false(way_lost(&w, false, 2 * S));
        assert_true(way_up(&w)); /* the other end comes */
}

static void silent_address_is_not_waited_for(void **state) {
        struct way w;

        way_begin(&w, true);
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_DIRECT);
        assert_true(way_slow(&w)); /* what waits for the connection is to be sent again */
        assert_false(way_slow(&w));
        assert_int_equal(way_use(&w, 1 << 20, S), WAY_BY_CONTROLLER);
        assert_true(way_may_repeat(&w));
        assert_true(way_up(&w)); /* it stands after all */
        assert_int_equal(way_use(&w, 1, S), WAY_DIRECT);
        assert_false(way_slow(&w));
        assert_false(way_lost(&w, false, S));
        assert_true(way_slow(&w));                /* likewise one that is made again */
        assert_false(way_lost(&w, false, 2 * S)); /* all has gone by the controller */
        assert_int_equal(w.state, WAY_REFUSED);
}

static void refused_connection_is_tried_again(void **state) {
        usec_t now = S;
        struct way w;

        way_begin(&w, true);
        (void)way_use(&w, 1 << 20, now);
        assert_true(way_lost(&w, false, now));
        assert_int_equal(way_due(&w), USEC_INFINITY); /* not for a step that says nothing */
        assert_int_equal(way_use(&w, 1, now), WAY_BY_CONTROLLER);
        now = way_due(&w);
        assert_int_equal(now, S + WAY_LATER);
        assert_int_equal(way_use(&w, 1, now), WAY_BY_CONTROLLER);
        assert_true(way_connect_is_due(&w, now));
        assert_int_equal(way_use(&w, 1, now), WAY_BY_CONTROLLER); /* nothing waits for it */
        assert_false(way_lost(&w, false, now));
        (void)way_use(&w, 1, now);
        now = way_due(&w);
        assert_true(way_connect_is_due(&w, now));
        assert_true(way_up(&w));
        assert_int_equal(way_use(&w, 1, now), WAY_DIRECT);
}

/* A srun whose standard input says nothing, and a node that cannot reach its slumberd. */
static void other_end_that_does_not_come_is_looked_for(void **state) {
        struct way w;

        /* a step that is silent but for its end asks for none */
        way_begin(&w, true);
        assert_int_equal(way_use(&w, 0, S), WAY_BY_CONTROLLER);
        assert_int_equal(way_use(&w, 0, 9 * S), WAY_BY_CONTROLLER);
        assert_int_equal(way_due(&w), USEC_INFINITY);
        way_begin(&w, true);
        assert_int_equal(way_use(&w, 0, S), WAY_BY_CONTROLLER);
        assert_int_equal(way_use(&w, 0, S + WAY_IDLE - 1), WAY_BY_CONTROLLER);
        assert_int_equal(way_due(&w), USEC_INFINITY);
        assert_int_equal(way_use(&w, 0, S + WAY_IDLE), WAY_BY_CONTROLLER);
        assert_true(way_connect_is_due(&w, S + WAY_IDLE));
        assert_int_equal(way_use(&w, 0, S + WAY_IDLE), WAY_BY_CONTROLLER);
        assert_true(way_up(&w));
        assert_int_equal(way_use(&w, 0, 2 * S), WAY_DIRECT);
}

static void broken_connection_is_made_again(void **state) {
        usec_t now = S;
        struct way w;

        way_begin(&w, true);
        (void)way_use(&w, 1 << 20, now);
        assert_false(way_up(&w)); /* what has waited is on its way */
        assert_false(way_lost(&w, false, now));
        assert_int_equal(way_use(&w, 1, now), WAY_DROP);
        assert_true(way_connect_is_due(&w, now));
        assert_int_equal(way_use(&w, 1, now), WAY_DIRECT); /* waits for it */
        assert_true(way_up(&w));
        assert_false(way_lost(&w, false, now));
        while (now < S + WAY_GIVE_UP) {
                now = way_due(&w);
                assert_true(now <= S + WAY_GIVE_UP + S);
                assert_true(way_connect_is_due(&w, now));
                if (way_lost(&w, false, now))
                        break;
        }
        assert_true(now >= S + WAY_GIVE_UP);
        assert_int_equal(way_use(&w, 1 << 20, now), WAY_BY_CONTROLLER);
}

static void connection_without_use_is_not_missed(void **state) {
        struct way w;

        way_begin(&w, true);
        (void)way_use(&w, 1 << 20, S);
        (void)way_up(&w);
        assert_false(way_lost(&w, true, 61 * S));
        assert_int_equal(way_due(&w), USEC_INFINITY);
        assert_int_equal(way_use(&w, 1, 100 * S), WAY_DIRECT);
        assert_false(way_up(&w));
}

static void stranger_is_left(void **state) {
        usec_t now = S;
        struct way w;

        way_begin(&w, true);
        (void)way_use(&w, 1 << 20, now);
        (void)way_up(&w);
        while (!way_unknown(&w, now)) {
                assert_true(now < S + WAY_STRANGE);
                now = way_due(&w);
                assert_true(way_repeat_is_due(&w, now));
                assert_false(way_repeat_is_due(&w, now));
        }
        assert_int_equal(way_use(&w, 1 << 20, now), WAY_BY_CONTROLLER);
        assert_false(way_unknown(&w, now));
}

static void dead_hop_is_passed_over(void **state) {
        struct way w;

        way_begin(&w, true);
        w.more = true;
        (void)way_use(&w, 1 << 20, S);
        (void)way_up(&w);
        assert_false(way_lost(&w, false, S));
        assert_true(way_connect_is_due(&w, S));
        assert_true(way_lost(&w, false, S)); /* at once, unlike the last one */
        way_next(&w, false, S);
        assert_true(way_connect_is_due(&w, S));
        assert_true(way_up(&w));
        assert_int_equal(way_use(&w, 1, S), WAY_DIRECT);
}

static void parent_without_room_is_no_stranger(void **state) {
        usec_t now = S;
        struct way w;

        way_begin(&w, true);
        w.more = true; /* a stranger is passed over after WAY_DETOUR */
        (void)way_use(&w, 1 << 20, now);
        (void)way_up(&w);
        while (now < 100 * S) {
                assert_false(way_message_lost(&w, true, now));
                now = way_due(&w);
                assert_true(way_repeat_is_due(&w, now));
                assert_int_equal(way_use(&w, 1, now), WAY_DIRECT);
        }
        assert_false(way_message_lost(&w, false, now));
        assert_true(way_message_lost(&w, false, now + WAY_DETOUR));
}

static void hops_lead_up_and_down(void **state) {
        /* of width 2: root 0; 1 2; 3 4 5 6; 7 8 */
        assert_int_equal(hops_up(8, 0, 2), 3);
        assert_int_equal(hops_up(8, 1, 2), 1);
        assert_int_equal(hops_up(8, 2, 2), 0);
        assert_int_equal(hops_up(8, 9, 2), 0);
        assert_int_equal(hops_down(0, 8, 0, 2), 1);
        assert_int_equal(hops_down(0, 8, 1, 2), 3);
        assert_int_equal(hops_down(0, 8, 2, 2), 8);
        assert_int_equal(hops_down(0, 8, 3, 2), 0);
        assert_int_equal(hops_down(1, 8, 0, 2), 3);
        assert_int_equal(hops_down(3, 8, 0, 2), 8);
        assert_int_equal(hops_down(8, 8, 0, 2), 0);
        assert_int_equal(hops_down(2, 8, 0, 2), 0);
        assert_int_equal(hops_down(4, 8, 0, 2), 0);
        assert_int_equal(hops_down(5, 1, 0, 2), 0);
        assert_in_range(hops_width(65533), 2, 128); /* connections are few */
        for (uint32_t n = 1; n <= 16; n++)          /* no wider than the tree: all at its root */
                assert_int_equal(hops_up(n, 0, hops_width(0)), 0);
        for (uint32_t n = 1; n <= 2000; n++)
                for (uint32_t width = 2; width < 20; width += 3) {
                        uint32_t depth = hops_depth(n, width), at = 0;
                        for (uint32_t hop = 0; hop < depth; hop++) {
                                uint32_t next = hops_down(0, n, hop, width);
                                assert_int_equal(hops_down(at, n, 0, width), next);
                                assert_int_equal(hops_up(next, 0, width), at);
                                at = next;
                        }
                        assert_int_equal(at, n);
                }
}

/* ---- a stream ---- */

#define TOTAL  (4u << 20)
#define WINDOW (256u << 10)
#define CHUNK  (8u << 10)

struct packet {
        usec_t at;
        uint64_t offset, size, taken; /* of an acknowledgement: size 0 */
        unsigned connection;          /* 0: by the controller */
};

static struct {
        struct way way;
        uint64_t sent, taken, got, by_controller, seed;
        struct packet packets[4096];
        size_t n;
        unsigned connection;             /* its number; 0: none */
        usec_t now, up_at, stands_until; /* of the connection; the controller */
        bool refuses;
} w;

static uint32_t any(uint32_t below) {
        w.seed = w.seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(w.seed >> 33) % below;
}

static void put(uint64_t offset, uint64_t size, uint64_t taken, unsigned connection) {
        usec_t delay = connection ? 100 : 150;
        usec_t from = connection ? MAX(w.now, w.up_at) : MAX(w.now, w.stands_until);

        assert_true(w.n < ELEMENTSOF(w.packets));
        w.packets[w.n++] = (struct packet){ from + delay, offset, size, taken, connection };
}

static void again(bool yes) {
        if (yes)
                w.sent = w.taken;
}

static void make_connection(void) {
        static unsigned last;

        if (w.connection)
                return;
        if (w.refuses || any(4) == 0) {
                again(way_lost(&w.way, false, w.now));
                return;
        }
        w.connection = ++last;
        w.up_at = w.now + 1000;
}

static void send_more(void) {
        while (w.sent < TOTAL && w.sent < w.taken + WINDOW) {
                uint64_t size = MIN(CHUNK, TOTAL - w.sent);
                enum way_use use = way_use(&w.way, size, w.now);

                if (use == WAY_DIRECT)
                        make_connection();
                if (use == WAY_DIRECT && !w.connection)
                        continue; /* said to be lost */
                if (use != WAY_DROP)
                        put(w.sent, size, 0, use == WAY_DIRECT ? w.connection : 0);
                if (use == WAY_BY_CONTROLLER && w.way.state == WAY_NEW)
                        w.by_controller += size;
                w.sent += size;
        }
}

static void drop_connection(void) {
        size_t kept = 0;

        for (size_t i = 0; i < w.n; i++)
                if (w.packets[i].connection != w.connection)
                        w.packets[kept++] = w.packets[i];
        w.n = kept;
        w.connection = 0;
        again(way_lost(&w.way, false, w.now));
}

static void arrive(const struct packet *p) {
        if (p->size == 0) {
                w.taken = MAX(w.taken, p->taken);
                w.sent = MAX(w.sent, w.taken);
                return;
        }
        if (p->offset <= w.got)
                w.got = MAX(w.got, p->offset + p->size);
        put(0, 0, w.got, p->connection && p->connection == w.connection ? p->connection : 0);
}

static void turn(void) {
        w.now += 50;
        if (w.connection && w.now >= w.up_at)
                again(way_up(&w.way));
        if (way_connect_is_due(&w.way, w.now))
                make_connection();
        again(way_repeat_is_due(&w.way, w.now));
        for (size_t i = 0; i < w.n;) {
                struct packet p = w.packets[i];
                if (p.at > w.now) {
                        i++;
                        continue;
                }
                memmove(&w.packets[i], &w.packets[i + 1], (w.n - i - 1) * sizeof p);
                w.n--;
                arrive(&p);
        }
        if (w.connection && w.now >= w.up_at && any(100) == 0)
                drop_connection();
        if (any(500) == 0)
                w.stands_until = w.now + any(1000000);
        send_more();
}

static void stream_is_whole_whatever_breaks(void **state) {
        for (uint64_t seed = 1; seed <= 60; seed++) {
                memset(&w, 0, sizeof w);
                w.seed = seed;
                w.now = S;
                w.refuses = seed % 10 == 0;
                way_begin(&w.way, seed % 15 != 0);
                while (w.taken < TOTAL && w.now < 1000 * S)
                        turn();
                assert_int_equal(w.got, TOTAL);
                assert_int_equal(w.taken, TOTAL);
                if (seed % 15 != 0)
                        assert_in_range(w.by_controller, 0, WAY_SMALL);
        }
}

static void numbered_message_is_done_once(void **state) {
        struct arrived h = { 0 };

        assert_false(arrived_before(&h, 0)); /* from a client that does not number */
        assert_false(arrived_before(&h, 0));
        assert_false(arrived_before(&h, 2)); /* it has overtaken the first */
        assert_false(arrived_before(&h, 1));
        assert_true(arrived_before(&h, 1));
        assert_true(arrived_before(&h, 2));
        assert_false(arrived_before(&h, 65));
        assert_false(arrived_before(&h, 3));
        assert_true(arrived_before(&h, 1)); /* too old to tell */
        assert_false(arrived_before(&h, UINT32_MAX));
        assert_true(arrived_before(&h, UINT32_MAX));
        assert_true(arrived_before(&h, 65));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(short_step_makes_no_connection),
                cmocka_unit_test(bulk_does_not_go_by_the_controller),
                cmocka_unit_test(without_an_address_by_the_controller),
                cmocka_unit_test(first_failure_decides),
                cmocka_unit_test(silent_address_is_not_waited_for),
                cmocka_unit_test(refused_connection_is_tried_again),
                cmocka_unit_test(other_end_that_does_not_come_is_looked_for),
                cmocka_unit_test(broken_connection_is_made_again),
                cmocka_unit_test(connection_without_use_is_not_missed),
                cmocka_unit_test(stranger_is_left),
                cmocka_unit_test(dead_hop_is_passed_over),
                cmocka_unit_test(parent_without_room_is_no_stranger),
                cmocka_unit_test(hops_lead_up_and_down),
                cmocka_unit_test(stream_is_whole_whatever_breaks),
                cmocka_unit_test(numbered_message_is_done_once),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
