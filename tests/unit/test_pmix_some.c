/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PMIx fences of some tasks: the first node puts the parts together, and one that drops parts, as a
   step daemon of an earlier build does, ends the step. */
#include "tests/unit/test.h"

#include "agent/pmi/pmix_line.h"
#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmix_some.h"

#define SET  4711
#define LATE (40 * USEC_PER_SEC)

static uint32_t me;
static bool has_all;
static size_t n_lost, n_sent, n_done;
static uint32_t sent_kind[8], sent_to[8];
static char done_data[32];

uint32_t exchange_nodes(const struct step *s) {
        return 3;
}

uint32_t exchange_node(const struct step *s) {
        return me;
}

bool exchange_has_all(const struct step *s, uint32_t node) {
        return has_all;
}

void pmix_some_lost(struct step *s, const char *why) {
        n_lost++;
}

void pmix_some_done(struct step *s, uint32_t number, const void *data, size_t size) {
        assert_int_equal(number, 9);
        snprintf(done_data, sizeof done_data, "%.*s", (int)size, (const char *)data);
        n_done++;
}

int pmix_some_send(struct step *s, uint32_t node, uint32_t kind, uint64_t set, const void *data,
                size_t size) {
        assert_int_equal(set, SET);
        assert_true(n_sent < ELEMENTSOF(sent_to));
        sent_to[n_sent] = node;
        sent_kind[n_sent++] = kind;
        return 0;
}

static void begin(uint32_t node) {
        me = node;
        has_all = false;
        n_lost = n_sent = n_done = 0;
}

/* Fence 9 of tasks on nodes 0 and 2. */
static int enter(struct step *s, const char *part) {
        struct {
                struct pmix_some_head head;
                uint32_t nodes[2];
                char part[8];
        } said = { .head = { .set = SET, .n_nodes = 2 }, .nodes = { 0, 2 } };

        memcpy(said.part, part, strlen(part));
        return pmix_some_enter(s, 9, (const uint8_t *)&said,
                        offsetof(__typeof__(said), part) + strlen(part));
}

static void part(struct step *s, uint32_t from, const char *text) {
        uint8_t data[32];
        const uint64_t set = SET;

        memcpy(data, &set, sizeof set);
        memcpy(data + sizeof set, text, strlen(text));
        assert_int_equal(pmix_some_part(s, from, data, sizeof set + strlen(text)), 0);
}

static void the_first_node_puts_them_together(void **state) {
        struct step s = { 0 };

        begin(0);
        for (size_t turn = 0; turn < 2; turn++) {
                n_sent = 0;
                part(&s, 2, "two");
                assert_int_equal(n_done, turn);
                assert_int_equal(enter(&s, "zero"), 0);
                assert_int_equal(n_done, turn + 1);
                assert_string_equal(done_data, "zerotwo");
                assert_int_equal(n_sent, turn ? 1 : 2); /* it is told once that it is heard */
                assert_int_equal(sent_kind[0], turn ? PMIX_LINE_SOME_ALL : PMIX_LINE_SOME_HEARD);
                assert_int_equal(sent_kind[n_sent - 1], PMIX_LINE_SOME_ALL);
                assert_int_equal(sent_to[n_sent - 1], 2);
        }
        assert_int_equal(pmix_some_patience(&s, now_monotonic()), -1);
        pmix_some_end(&s);
}

static void one_that_has_said_that_it_hears_may_take_long(void **state) {
        struct step s = { 0 };
        usec_t now = now_monotonic();

        begin(2);
        assert_int_equal(enter(&s, "two"), 0);
        assert_int_equal(sent_kind[0], PMIX_LINE_SOME);
        assert_int_equal(sent_to[0], 0);
        pmix_some_go_on(&s, now + LATE); /* it may be to start yet */
        has_all = true;
        assert_true(pmix_some_patience(&s, now + LATE) > 0);
        pmix_some_heard(&s, 0);
        assert_int_equal(pmix_some_patience(&s, now + LATE), -1);
        pmix_some_go_on(&s, now + 10 * LATE);
        assert_int_equal(n_lost, 0);
        pmix_some_end(&s);
}

static void one_that_drops_parts_ends_the_step(void **state) {
        struct step s = { 0 };
        usec_t now = now_monotonic();

        begin(2);
        has_all = true;
        assert_int_equal(enter(&s, "two"), 0);
        assert_int_equal(enter(&s, "two"), 0);
        pmix_some_go_on(&s, now);
        assert_int_equal(n_lost, 0);
        pmix_some_go_on(&s, now + LATE);
        pmix_some_go_on(&s, now + 10 * LATE);
        assert_int_equal(n_lost, 1);
        assert_int_equal(pmix_some_patience(&s, now + LATE), -1);
        pmix_some_end(&s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_first_node_puts_them_together),
                cmocka_unit_test(one_that_has_said_that_it_hears_may_take_long),
                cmocka_unit_test(one_that_drops_parts_ends_the_step),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
