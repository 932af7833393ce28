/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for many nodes: rows that were forged, changed, said too late or twice, and a slumberd's
   part of the tree, with the slumberds below it in the test's hands. */
#include "tests/unit/test.h"

#include "tests/unit/tree_world.h"

static int begin(void **state) {
        (void)state;
        world_begin();
        return 0;
}

static int end(void **state) {
        (void)state;
        world_end();
        return 0;
}

static int take_from(struct peer *from, Slumber__TreeMessage *m, const struct tree_node *node,
                uint64_t received) {
        struct fail fail = { 0 };
        int r = hops_take(world.hops, NULL, from, &m, node, received, &fail);

        if (m)
                slumber__tree_message__free_unpacked(m, NULL);
        return r;
}

/* From the slumberd above. */
static int take(Slumber__TreeMessage *m, const struct tree_node *node) {
        return take_from(&world.peers[ROWS], m, node, 3);
}

/* Proofs are for the controller. */
static void say(Slumber__TreeAnswer *m, enum tree_news what, const char *rows) {
        static uint64_t proofs[ROWS];
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(ROWS);

        (void)bitset_parse(set, rows);
        tree_answer_say(m, what, (char *)(uintptr_t)rows, proofs, bitset_count(set));
}

static bool answer_to(uint64_t id, size_t from, const char *had, const char *launched,
                const char *apart) {
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;

        m.id = id;
        say(&m, TREE_HAD, had);
        say(&m, TREE_LAUNCHED, launched);
        say(&m, TREE_APART, apart);
        return hops_answered(world.hops, &world.peers[from], &m);
}

static bool answer(size_t from, const char *had, const char *launched) {
        return answer_to(1, from, had, launched, "");
}

static void run_for(usec_t time) {
        usec_t until = now_monotonic() + time;

        while (now_monotonic() < until)
                assert_true(sd_event_run(world.event, 5 * USEC_PER_MSEC) >= 0);
}

static void forged_row_does_nothing(void **state) {
        struct tree_node node = self(), other = self();
        Slumber__TreeMessage *m = message(1, NOW, false);

        (void)state;
        m->rows[0]->body.data[m->rows[0]->body.len - 1] ^= 1;
        assert_int_equal(take(m, &node), -EKEYREJECTED);
        m = message(1, NOW, false);
        m->blocks[0]->signature.data[0] ^= 1;
        assert_int_equal(take(m, &node), -EKEYREJECTED);
        m = message(1, NOW, false);
        m->common.data = (uint8_t *)xstrdup("*");
        m->common.len = 1;
        assert_int_equal(take(m, &node), -EKEYREJECTED);
        m = message(1, NOW, false);
        m->id = 2; /* another message's, so that it is done once more */
        assert_int_equal(take(m, &node), -EKEYREJECTED);
        other.name = "n3";
        assert_int_equal(take(message(1, NOW, false), &other), -EACCES);
        m = message(1, NOW, false);
        m->rows[2]->number = 1;
        assert_int_equal(take(m, &node), -EBADMSG);
        assert_int_equal(world.delivered, 0);
        for (size_t i = 0; i < ROWS; i++)
                assert_int_equal(world.peers[i].n_rows, 0); /* nor is it handed on */
}

static void late_row_does_nothing(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW - TREE_LIFE, false), &node), -EKEYEXPIRED);
        assert_int_equal(take(message(1, NOW - 11 * S, false), &node), 0);
        assert_int_equal(world.delivered, 1);
}

/* However the clock of the controller's host is set. */
static void row_from_before_the_registration_does_nothing(void **state) {
        struct tree_node node = self();
        uint64_t id = tree_id(7, 100);

        (void)state;
        node.since = 0; /* the controller does not say it: what it sends itself is left */
        assert_int_equal(take(message(id, NOW, false), &node), -EKEYEXPIRED);
        node.since = id;
        assert_int_equal(take(message(id - 1, NOW, false), &node), -EKEYEXPIRED);
        assert_int_equal(take(message(tree_id(8, 200), NOW, false), &node), -EKEYEXPIRED);
        assert_int_equal(take(message(tree_id(6, 200), NOW, false), &node), -EKEYEXPIRED);
        assert_int_equal(world.delivered, 0);
        node.now = NOW + 60 * S;
        assert_int_equal(take(message(id, NOW, false), &node), 0);
        node.now = NOW - 3600 * S; /* it was set forward, and the node does not know that yet */
        assert_int_equal(take(message(id + 1, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 2);
}

static void row_that_comes_twice_is_done_once(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, false), &node), 0);
        assert_int_equal(take(message(1, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 1);
        assert_int_equal(take(message(2, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 2);
}

static void row_does_not_overtake_the_controller(void **state) {
        struct tree_node node = self();
        struct fail fail = { 0 };
        Slumber__TreeMessage *m = message(1, NOW, false), *again = message(2, NOW, false);

        (void)state;
        assert_int_equal(hops_take(world.hops, NULL, NULL, &m, &node, 2, &fail), 0);
        assert_int_equal(world.delivered, 0);
        hops_go_on(world.hops, 3);
        assert_int_equal(world.delivered, 1);
        assert_int_equal(hops_take(world.hops, NULL, NULL, &again, &node, 2, &fail), 0);
        hops_controller_gone(world.hops); /* it is said again, in another message */
        hops_go_on(world.hops, 3);
        assert_int_equal(world.delivered, 1);
}

static void rows_that_wait_keep_their_order(void **state) {
        static const uint64_t ids[] = { 63, 64, 65, 127, 128, 192 };
        struct tree_node node = self();

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(ids); i++)
                assert_int_equal(take_from(NULL, message(ids[i], NOW, false), &node, 2), 0);
        assert_int_equal(world.delivered, 0);
        hops_go_on(world.hops, 3);
        assert_int_equal(world.delivered, ELEMENTSOF(ids));
        assert_memory_equal(world.order, ids, sizeof ids);
}

static void row_that_overtook_another_waits_behind_it(void **state) {
        static const uint64_t ids[] = { 1, 2 };
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take_from(&world.peers[ROWS], message(2, NOW, false), &node, 2), 0);
        assert_int_equal(take_from(NULL, message(1, NOW, false), &node, 2), 0);
        hops_go_on(world.hops, 3);
        assert_memory_equal(world.order, ids, sizeof ids);
}

/* A launch that the slumberd above lets go when the job is over. */
static void kept_row_does_nothing(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(5, NOW, false), &node), 0);
        assert_int_equal(take(message(4, NOW, true), &node), -ESTALE);
        hops_job_message(world.hops, 3); /* the rows are to come after 3 */
        assert_int_equal(take(message(6, NOW, true), &node), 0);
        hops_job_message(world.hops, 4);
        assert_int_equal(take(message(7, NOW, true), &node), -ESTALE);
        assert_int_equal(world.delivered, 2);
        assert_int_equal(take(message(6, NOW, true), &node), 0); /* again: it is known */
        assert_int_equal(take_from(NULL, message(7, NOW, false), &node, 5), 0);
        assert_int_equal(world.delivered, 3);
        hops_controller_gone(world.hops); /* another process of it begins elsewhere */
        assert_int_equal(take(message(2, NOW, true), &node), 0);
        assert_int_equal(world.delivered, 4);
}

/* The node does not say that it has a row before it has what is to come first. */
static void row_waits_for_the_one_that_it_follows(void **state) {
        static const uint64_t ids[] = { 1, 2, 3 };
        struct tree_node node = self();

        (void)state;
        world.behind = 2;
        assert_int_equal(take(message(3, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 0);
        assert_int_equal(world.peers[1].n_rows, 3); /* it is handed on meanwhile */
        run_for(50 * USEC_PER_MSEC);
        assert_string_equal(world.peers[ROWS].had, "");
        world.behind = 0;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        assert_int_equal(world.delivered, 1);
        world.behind = 1;
        assert_int_equal(take(message(2, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 3);
        assert_memory_equal(world.order, ids, sizeof ids);
        run_for(50 * USEC_PER_MSEC);
        assert_string_equal(world.peers[ROWS].had, "0");
}

/* ... no longer than until the controller itself sends it; and what was kept is refused then. */
static void controller_ends_the_wait_for_a_row(void **state) {
        struct tree_node node = self();

        (void)state;
        world.behind = 1;
        assert_int_equal(take(message(2, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 0);
        assert_int_equal(take_from(NULL, message(2, NOW, false), &node, 3), 0);
        assert_int_equal(world.delivered, 1);
        world.behind = 0;
        assert_int_equal(take(message(1, NOW, true), &node), -ESTALE);
        world.behind = 4;
        assert_int_equal(take(message(5, NOW, false), &node), 0);
        world.behind = 0; /* the controller takes all before it for done */
        assert_int_equal(take(message(6, NOW, false), &node), 0);
        assert_int_equal(world.delivered, 3);
        assert_int_equal(world.order[1], 5);
        assert_int_equal(take(message(4, NOW, true), &node), -ESTALE);
}

static void answer_of_what_is_over_goes_on(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        world.peers[ROWS].n_answers = 0;
        hops_lost(world.hops, &world.peers[1], false); /* its nodes are told from here */
        assert_true(answer(2, "2", "2") && answer(3, "3", "3") && answer(4, "4-6", "4-6"));
        assert_true(hops_launched(world.hops, 1));
        assert_int_equal(world.peers[ROWS].n_answers, 1);
        assert_int_equal(world.told, 0);
        assert_true(answer(1, "1", "1")); /* it was only slow */
        assert_int_equal(world.told, 1);
        assert_string_equal(world.told_launched, "1");
        assert_true(answer_to(9, 1, "1", "1", "")); /* of which nothing was here */
        assert_int_equal(world.told, 1);
}

/* A prolog may take an hour. */
static void slow_launch_is_waited_for(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        assert_true(answer(1, "1-3", "1-3"));
        assert_false(hops_wait_for(world.hops, &world.peers[1]));
        assert_true(answer(4, "4-6", "5"));
        assert_true(hops_wait_for(world.hops, &world.peers[4]));
        assert_true(answer_to(1, 4, "4-6", "5", "4"));
        assert_true(hops_wait_for(world.hops, &world.peers[4]));
        run_for(300 * USEC_PER_MSEC); /* longer than one that is silent is waited for */
        assert_int_equal(world.peers[5].n_rows, 0);
        assert_true(answer_to(1, 4, "4-6", "5-6", "4"));
        assert_false(hops_wait_for(world.hops, &world.peers[4]));
        world.peers[ROWS].n_answers = 0;
        hops_apart(world.hops, 1); /* refused: the node says that by itself */
        assert_int_equal(world.peers[ROWS].n_answers, 1);
        assert_int_equal(world.told, 0);
}

/* Of what is kept no more than so much, and nothing when all have it. */
static void kept_messages_are_bounded(void **state) {
        struct tree_node node = self();
        uint64_t n = 0;

        (void)state;
        for (; n < 40; n++) {
                Slumber__TreeMessage *m = message(n + 1, NOW, false);
                m->rows[1]->address = xrenew(m->rows[1]->address, 4 << 20);
                memset(m->rows[1]->address + 8, 'x', (4 << 20) - 9);
                m->rows[1]->address[(4 << 20) - 1] = 0;
                assert_int_equal(take(m, &node), 0);
        }
        assert_int_equal(world.delivered, n);
        assert_true(answer_to(1, 1, "1", "", "")); /* nothing is waited for any more */
        assert_int_equal(world.told, 1);
        assert_true(answer_to(n, 1, "1", "", ""));
        assert_int_equal(world.told, 1);
}

static void subtree_answers_as_one(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        assert_int_equal(world.peers[1].n_rows, 3);
        assert_int_equal(world.peers[4].n_rows, 3);
        assert_true(answer(1, "1-3", "1-3"));
        assert_true(answer(4, "4-6", "4-6"));
        assert_int_equal(world.peers[ROWS].n_answers, 0);
        assert_true(hops_launched(world.hops, 1));
        assert_int_equal(world.peers[ROWS].n_answers, 1);
        assert_string_equal(world.peers[ROWS].had, "0-6");
        assert_false(hops_launched(world.hops, 1)); /* all of it is over */
        assert_int_equal(world.told, 0);
}

static void liar_speaks_for_its_own_only(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, false), &node), 0);
        assert_false(answer(1, "0-6", ""));
        assert_false(answer(1, "4", ""));
        assert_false(answer(1, "1-3,100000", ""));
        assert_false(answer(1, "x", ""));
        run_for(50 * USEC_PER_MSEC);
        assert_null(strchr(world.peers[ROWS].had, '4'));
        assert_true(answer(4, "4-6", ""));
        assert_true(answer(1, "1-3", ""));
        assert_string_equal(world.peers[ROWS].had, "0-6");
}

static void dead_slumberd_is_left_out(void **state) {
        struct tree_node node = self();

        (void)state;
        world.peers[1].reachable = false;
        assert_int_equal(take(message(1, NOW, false), &node), 0);
        assert_int_equal(world.peers[2].n_rows, 1);
        assert_int_equal(world.peers[3].n_rows, 1);
        assert_int_equal(world.peers[4].n_rows, 3);
        hops_lost(world.hops, &world.peers[4], false);
        assert_int_equal(world.peers[5].n_rows, 1);
        assert_int_equal(world.peers[6].n_rows, 1);
        assert_true(answer(2, "2", "") && answer(3, "3", "") && answer(5, "5", "") &&
                        answer(6, "6", ""));
        run_for(50 * USEC_PER_MSEC);
        assert_string_equal(world.peers[ROWS].had, "0,2-3,5-6"); /* the others: the controller */
}

static void silent_slumberd_is_left_out(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, false), &node), 0);
        assert_true(answer(1, "1-3", ""));
        run_for(200 * USEC_PER_MSEC);
        assert_int_equal(world.peers[2].n_rows, 0);
        assert_int_equal(world.peers[5].n_rows, 1);
        assert_int_equal(world.peers[6].n_rows, 1);
}

static void orphan_answers_the_controller(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        hops_lost(world.hops, &world.peers[ROWS], false);
        assert_string_equal(world.told_had, "0");
        assert_true(answer(1, "1-3", "1-3") && answer(4, "4-6", "4-6"));
        assert_true(hops_launched(world.hops, 1));
        assert_string_equal(world.told_had, "0-6");
}

static void parent_that_closes_without_use_is_no_news(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        assert_true(answer(1, "1-3", "1-3") && answer(4, "4-6", "4-6"));
        run_for(50 * USEC_PER_MSEC);
        hops_lost(world.hops, &world.peers[ROWS], true);
        assert_int_equal(world.told, 0);
        assert_true(hops_launched(world.hops, 1));
        assert_string_equal(world.told_launched, "0-6");
}

/* What the slumberd above was told is lost with it. */
static void controller_is_answered_when_it_asks(void **state) {
        struct tree_node node = self();

        (void)state;
        assert_int_equal(take(message(1, NOW, true), &node), 0);
        assert_true(answer(1, "1-3", "1-3") && answer(4, "4-6", "4-6"));
        assert_true(hops_launched(world.hops, 1));
        hops_lost(world.hops, &world.peers[ROWS], false);
        assert_int_equal(world.told, 0);
        hops_asked(world.hops, 1);
        assert_string_equal(world.told_had, "0");
        assert_string_equal(world.told_launched, "0");
        assert_int_equal(take(message(2, NOW, true), &node), 0);
        hops_asked(world.hops, 2);
        assert_string_equal(world.told_launched, "");
        assert_false(hops_launched(world.hops, 2)); /* then it hears it from here */
        hops_asked(world.hops, 3);
        assert_int_equal(world.told, 2);
}

static void parts_are_even(void **state) {
        size_t n, first = 0;

        (void)state;
        for (size_t k = 0; k < 16; k++) {
                assert_int_equal(tree_part(100, 16, k, &n), first);
                assert_int_equal(n, k < 4 ? 7 : 6);
                first += n;
        }
        assert_int_equal(first, 100);
        assert_int_equal(tree_part(3, 16, 2, &n), 2);
        assert_int_equal(n, 1);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(parts_are_even),
                cmocka_unit_test_setup_teardown(forged_row_does_nothing, begin, end),
                cmocka_unit_test_setup_teardown(late_row_does_nothing, begin, end),
                cmocka_unit_test_setup_teardown(row_that_comes_twice_is_done_once, begin, end),
                cmocka_unit_test_setup_teardown(row_does_not_overtake_the_controller, begin, end),
                cmocka_unit_test_setup_teardown(row_from_before_the_registration_does_nothing,
                                begin, end),
                cmocka_unit_test_setup_teardown(rows_that_wait_keep_their_order, begin, end),
                cmocka_unit_test_setup_teardown(row_that_overtook_another_waits_behind_it, begin,
                                end),
                cmocka_unit_test_setup_teardown(kept_row_does_nothing, begin, end),
                cmocka_unit_test_setup_teardown(row_waits_for_the_one_that_it_follows, begin, end),
                cmocka_unit_test_setup_teardown(controller_ends_the_wait_for_a_row, begin, end),
                cmocka_unit_test_setup_teardown(answer_of_what_is_over_goes_on, begin, end),
                cmocka_unit_test_setup_teardown(slow_launch_is_waited_for, begin, end),
                cmocka_unit_test_setup_teardown(kept_messages_are_bounded, begin, end),
                cmocka_unit_test_setup_teardown(parent_that_closes_without_use_is_no_news, begin,
                                end),
                cmocka_unit_test_setup_teardown(controller_is_answered_when_it_asks, begin, end),
                cmocka_unit_test_setup_teardown(subtree_answers_as_one, begin, end),
                cmocka_unit_test_setup_teardown(liar_speaks_for_its_own_only, begin, end),
                cmocka_unit_test_setup_teardown(dead_slumberd_is_left_out, begin, end),
                cmocka_unit_test_setup_teardown(silent_slumberd_is_left_out, begin, end),
                cmocka_unit_test_setup_teardown(orphan_answers_the_controller, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
