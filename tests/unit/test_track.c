/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/model/node.h"
#include "controller/sched/plan/track.h"

enum { PARTS = 3, WIDTH = TRACK_GRES + PARTS - 1 };

/* So many steps, a second each, of the node with number 0, whose parts have the numbers 0, 1, 2. */
static struct track make(size_t steps) {
        return (struct track){ .width = WIDTH,
                .n_parts = PARTS,
                .second_part = 1,
                .n = (uint32_t)steps,
                .at = xnew0(usec_t, steps),
                .free = xnew0(int64_t, steps * WIDTH) };
}

static void set(struct track *k, size_t step, size_t part, int64_t free) {
        k->at[step] = step * USEC_PER_SEC;
        k->free[step * WIDTH + track_at(k, part)] = free;
}

static bool is_free(const struct track *k, const struct need *need, usec_t from, usec_t until) {
        int64_t least[WIDTH], units = 0;

        track_least(k, from, until, least);
        for (size_t p = 0; p < PARTS; p++)
                units += bitset_has(need->wanted, p) ? MAX(least[track_at(k, p)], 0) : 0;
        return units >= need->units;
}

/* Each step as a start, and each with all steps that a run from there on would be in. */
static usec_t look_everywhere(const struct track *k, const struct need *need, usec_t from,
                usec_t duration, usec_t end) {
        for (size_t i = 0; i <= k->n; i++) {
                const usec_t t = i ? k->at[i - 1] : from;
                usec_t until = end ? MIN(t + duration, end) : t + duration;
                if (t >= from && is_free(k, need, t, until))
                        return t;
        }
        return USEC_INFINITY;
}

static void the_earliest_start_is_found_on_a_node_of_several_parts(void **state) {
        const struct node n = { 0 };
        size_t later = 0;

        (void)state;
        srandom(7);
        for (int round = 0; round < 5000; round++) {
                const size_t steps = 1 + (size_t)random() % 40;
                struct track k = make(steps);
                _cleanup_(bitset_freep) struct bitset *wanted = bitset_new(PARTS);
                bitset_add(wanted, (size_t)random() % PARTS);
                bitset_add(wanted, (size_t)random() % PARTS);
                for (size_t i = 0; i < steps; i++)
                        for (size_t p = 0; p < PARTS; p++)
                                set(&k, i, p, random() % 6 - 1);
                const struct need need = { .units = 1 + random() % 5, .wanted = wanted };
                const usec_t from = (usec_t)random() % (20 * USEC_PER_SEC),
                             duration = 1 + (usec_t)random() % (15 * USEC_PER_SEC),
                             end = random() % 2 ? 0 : from + duration / 2 + 1;
                const usec_t found = track_from(&k, &n, &need, from, USEC_INFINITY, duration, end),
                             latest = (usec_t)random() % (40 * USEC_PER_SEC),
                             by = track_from(&k, &n, &need, from, latest, duration, end);
                assert_true(found == look_everywhere(&k, &need, from, duration, end));
                assert_true(found <= latest ? by == found : by > MAX(latest, from) || by == from);
                assert_true(by <= found);
                later += found > from && found != USEC_INFINITY;
                track_done(&k);
        }
        assert_in_range(later, 1000, 5000);
}

#define MANY 400000u

/* In turn one part is free and the other is not: no job keeps its unit for two steps.  With a look
   at all steps of a run for each start the test would not end today. */
static void a_long_track_is_walked_once(void **state) {
        struct track k = make(MANY);
        const struct node n = { 0 };
        const struct need need = { .units = 1 };

        (void)state;
        for (size_t i = 0; i < MANY; i++)
                set(&k, i, i % 2, 1);
        assert_true(track_from(&k, &n, &need, 0, USEC_INFINITY, MANY / 2 * USEC_PER_SEC, 0) ==
                        (MANY - 1) * USEC_PER_SEC);
        track_done(&k);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_earliest_start_is_found_on_a_node_of_several_parts),
                cmocka_unit_test(a_long_track_is_walked_once),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
