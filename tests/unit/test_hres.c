/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is charged of hierarchical resources: the guide's examples in any order of jobs and nodes,
   and what is free of each layer afterwards. */
#include "controller/resources/hres.h"
#include "tests/unit/test.h"

#include <sys/resource.h>

#define NODES 32
#define JOBS  400

struct layer_of {
        size_t from, n;
        uint32_t count;
        bool infinite;
};

struct setup {
        struct hres h;
        uint64_t used[16];
        uint64_t seed;
};

static char *names[16];

static const char *name_of(const void *user, size_t license) {
        (void)user;
        if (!names[license])
                names[license] = xasprintf("%zu", license);
        return names[license];
}

static void begin(struct setup *s, enum resource_mode mode, const struct layer_of *layers, size_t n,
                uint64_t seed) {
        *s = (struct setup){ .h = { .name = xstrdup("r"), .mode = mode }, .seed = seed };
        s->h.layers = xnew0(struct hres_layer, n);
        for (size_t i = 0; i < n; i++) {
                s->h.layers[i] = (struct hres_layer){ .nodes = bitset_new(NODES),
                        .license = i,
                        .total = layers[i].count,
                        .infinite = layers[i].infinite };
                bitset_add_range(s->h.layers[i].nodes, layers[i].from, layers[i].n);
        }
        s->h.n_layers = n;
        hres_complete(&s->h);
}

static void end(struct setup *s) {
        struct hres_list list = { xnew(struct hres, 1), 1 };

        list.list[0] = s->h;
        hres_list_done(&list);
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                free(TAKE(names[i]));
}

static uint32_t roll(struct setup *s, uint32_t n) {
        s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(s->seed >> 33) % n;
}

static struct hres_room *room_for(const struct setup *s, uint32_t n) {
        struct hres_room *r = hres_room_new(NODES, 1);
        uint64_t *free = xnew(uint64_t, s->h.n_layers);

        for (size_t i = 0; i < s->h.n_layers; i++) {
                const struct hres_layer *l = &s->h.layers[i];
                free[i] = l->infinite ? HRES_FREE
                                      : l->total - MIN(s->used[l->license], (uint64_t)l->total);
        }
        hres_room_add(r, &s->h, n, free);
        return r;
}

static void apply(struct setup *s, const struct countlist *charge, bool takes) {
        for (size_t i = 0; charge && i < charge->n; i++) {
                uint64_t *used = &s->used[strtoul(charge->list[i].name, NULL, 10)];
                *used = takes ? *used + charge->list[i].n : *used - charge->list[i].n;
        }
}

static struct countlist *charge(struct setup *s, uint32_t n, size_t from, size_t nodes) {
        _cleanup_(hres_room_freep) struct hres_room *r = room_for(s, n);
        _cleanup_(bitset_freep) struct bitset *on = bitset_new(NODES);

        bitset_add_range(on, from, nodes);
        struct countlist *c = hres_charge(r, on, name_of, NULL);
        apply(s, c, true);
        return c;
}

static const struct layer_of natural[] = {
        { 0, 32, 50, false },
        { 0, 16, 100, false },
        { 16, 16, 100, false },
};
static const struct layer_of flat[] = {
        { 0, 32, 24, false },
        { 0, 16, 16, false },
        { 16, 16, 16, false },
        { 0, 8, 12, false },
        { 8, 8, 12, false },
        { 16, 8, 12, false },
        { 24, 8, 12, false },
};
static const struct layer_of power[] = {
        { 0, 32, 20000, false },
        { 0, 16, 12000, false },
        { 16, 16, 12000, false },
};

/* Jobs on random nodes start and end; as many of the resource as there are can be had, and never
   more. */
static uint64_t most_in_use(enum resource_mode mode, const struct layer_of *layers, size_t n,
                uint32_t each, uint64_t seed) {
        struct countlist *held[JOBS] = { 0 };
        uint64_t most = 0, jobs = 0;
        struct setup s;

        begin(&s, mode, layers, n, seed);
        for (int round = 0; round < 20 * JOBS; round++) {
                size_t at = roll(&s, JOBS);
                if (held[at]) {
                        if (roll(&s, 4) == 0) {
                                apply(&s, held[at], false);
                                held[at] = countlist_free(held[at]);
                                jobs--;
                        }
                        continue;
                }
                size_t from = roll(&s, NODES);
                held[at] = charge(&s, each, from, 1 + roll(&s, (uint32_t)(NODES - from)));
                jobs += held[at] != NULL;
                most = MAX(most, jobs * each);
                for (size_t i = 0; i < n; i++)
                        assert_true(layers[i].infinite || s.used[i] <= layers[i].count);
        }
        for (size_t i = 0; i < JOBS; i++) {
                apply(&s, held[i], false);
                countlist_free(held[i]);
        }
        for (size_t i = 0; i < n; i++)
                assert_int_equal(s.used[i], 0);
        end(&s);
        return most;
}

static void the_guides_numbers_hold_in_any_order(void **state) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
                uint64_t all = most_in_use(RESOURCE_MODE_1, natural, ELEMENTSOF(natural), 1, seed);
                assert_int_equal(all, 250);
                all = most_in_use(RESOURCE_MODE_2, flat, ELEMENTSOF(flat), 1 + seed % 4, seed);
                assert_in_range(all, 1, 24);
        }
}

static void one_layer_is_charged_the_largest_first(void **state) {
        struct setup s;

        begin(&s, RESOURCE_MODE_1, natural, ELEMENTSOF(natural), 1);
        for (int i = 0; i < 150; i++) {
                _cleanup_(countlist_freep) struct countlist *c = charge(&s, 1, 0, 4);
                assert_int_equal(c->n, 1);
                assert_string_equal(c->list[0].name, i < 100 ? "1" : "0");
        }
        assert_null(charge(&s, 1, 0, 4));
        _cleanup_(countlist_freep) struct countlist *c = charge(&s, 1, 0, 20);
        assert_string_equal(c->list[0].name, "2"); /* it overlaps that one too */
        end(&s);
}

static void all_layers_are_charged_once(void **state) {
        struct setup s;

        begin(&s, RESOURCE_MODE_2, flat, ELEMENTSOF(flat), 1);
        _cleanup_(countlist_freep) struct countlist *c = charge(&s, 12, 0, 4);
        assert_int_equal(c->n, 3);
        assert_null(charge(&s, 12, 8, 4)); /* 16 - 12 = 4, though these have 12 */
        _cleanup_(countlist_freep) struct countlist *other = charge(&s, 12, 16, 4);
        assert_non_null(other);
        assert_null(charge(&s, 1, 24, 1)); /* 24 are in use */
        end(&s);
}

static void each_node_is_charged_for(void **state) {
        struct setup s;

        begin(&s, RESOURCE_MODE_3, power, ELEMENTSOF(power), 1);
        _cleanup_(countlist_freep) struct countlist *c = charge(&s, 1000, 8, 16);
        assert_int_equal(c->n, 3);
        assert_int_equal(s.used[0], 16000);
        assert_int_equal(s.used[1], 8000);
        assert_int_equal(s.used[2], 8000);
        assert_null(charge(&s, 1000, 0, 5)); /* 20000 - 16000 */
        _cleanup_(countlist_freep) struct countlist *more = charge(&s, 1000, 0, 4);
        assert_non_null(more);
        end(&s);
}

static void zero_and_infinite_mean_what_the_guide_says(void **state) {
        static const struct layer_of zero[] = { { 0, 32, 5, false }, { 0, 8, 0, false } },
                                     infinite[] = { { 0, 32, 5, false }, { 0, 8, 0, true } };
        struct countlist *c;
        struct setup s;

        begin(&s, RESOURCE_MODE_1, zero, 2, 1); /* as if it were not there */
        c = charge(&s, 5, 0, 1);
        assert_string_equal(c->list[0].name, "0");
        countlist_free(c);
        end(&s);
        begin(&s, RESOURCE_MODE_1, infinite, 2, 1); /* always */
        for (int i = 0; i < 10; i++)
                countlist_free(charge(&s, 5, 0, 1));
        assert_int_equal(s.used[1], 50);
        assert_int_equal(hres_most(&s.h), UINT32_MAX);
        end(&s);
        for (enum resource_mode mode = RESOURCE_MODE_2; mode <= RESOURCE_MODE_3; mode++) {
                begin(&s, mode, zero, 2, 1); /* never there */
                assert_null(charge(&s, 1, 0, 1));
                c = charge(&s, 5, 8, 1);
                assert_true(mode == RESOURCE_MODE_3 ? !c : c != NULL); /* in no innermost layer */
                countlist_free(c);
                end(&s);
                begin(&s, mode, infinite, 2, 1); /* no effect */
                c = charge(&s, 5, 0, 1);
                assert_non_null(c);
                countlist_free(c);
                assert_null(charge(&s, 1, 0, 1));
                end(&s);
        }
}

static void nodes_outside_the_innermost_have_none_to_ask_for(void **state) {
        static const struct layer_of tree[] = { { 0, 32, 50, false }, { 0, 8, 7, false } };
        struct setup s;

        begin(&s, RESOURCE_MODE_3, tree, ELEMENTSOF(tree), 1);
        assert_int_equal(hres_most(&s.h), 7);
        end(&s);
        begin(&s, RESOURCE_MODE_2, tree, ELEMENTSOF(tree), 1);
        assert_int_equal(hres_most(&s.h), 50);
        end(&s);
}

static void nodes_are_picked_within_all_layers(void **state) {
        static const struct layer_of tree[] = {
                { 0, 32, 5, false },
                { 0, 16, 3, false },
                { 16, 16, 10, false },
        };
        struct setup s;

        begin(&s, RESOURCE_MODE_3, tree, ELEMENTSOF(tree), 1);
        _cleanup_(hres_room_freep) struct hres_room *r = room_for(&s, 1);
        _cleanup_(hres_pick_freep) struct hres_pick *p = hres_pick_new(r);
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(NODES);
        size_t low = 0, high = 0;
        for (size_t i = 0; i < NODES; i++)
                if (hres_pick_add(p, i)) {
                        low += i < 16;
                        high += i >= 16;
                }
        assert_int_equal(low, 3);
        assert_int_equal(high, 2);
        bitset_fill(all);
        assert_true(hres_is_open(r, all, 5));
        assert_false(hres_is_open(r, all, 6));
        end(&s);
}

/* Every layer has all nodes but one. */
static struct hres overlapping(size_t n_nodes, size_t n_layers) {
        struct hres h = { .name = xstrdup("r"), .mode = RESOURCE_MODE_2 };

        h.layers = xnew0(struct hres_layer, n_layers);
        for (; h.n_layers < n_layers; h.n_layers++) {
                struct hres_layer *l = &h.layers[h.n_layers];
                *l = (struct hres_layer){ .nodes = bitset_new(n_nodes), .total = 1 };
                bitset_fill(l->nodes);
                bitset_del(l->nodes, h.n_layers);
        }
        return h;
}

static void cells_are_as_many_as_nodes_differ(void **state) {
        struct setup s;

        for (uint64_t seed = 1; seed <= 50; seed++) {
                s = (struct setup){ .seed = seed };
                s.h = overlapping(NODES, 1 + roll(&s, 12));
                for (size_t i = 0; i < s.h.n_layers * NODES; i++)
                        bitset_put(s.h.layers[i / NODES].nodes, i % NODES, roll(&s, 3) == 0);
                hres_complete(&s.h);
                for (size_t i = 0; i < NODES; i++) {
                        size_t n = 0;
                        uint32_t cell = s.h.cell[i];
                        for (size_t k = 0; k < s.h.n_layers; k++)
                                if (bitset_has(s.h.layers[k].nodes, i))
                                        assert_int_equal(s.h.cells[cell].layers[n++], k);
                        assert_true(cell == UINT32_MAX ? n == 0 : n == s.h.cells[cell].n);
                        for (size_t k = 0; k < i; k++) {
                                bool same = true;
                                for (size_t l = 0; l < s.h.n_layers; l++)
                                        same &= bitset_has(s.h.layers[l].nodes, i) ==
                                                bitset_has(s.h.layers[l].nodes, k);
                                assert_int_equal(same, cell == s.h.cell[k]);
                        }
                }
                end(&s);
        }
}

static void many_overlapping_layers_take_little_memory(void **state) {
        struct setup s = { .h = overlapping(2000, 1000) };
        struct rusage before, after;

        getrusage(RUSAGE_SELF, &before);
        hres_complete(&s.h);
        getrusage(RUSAGE_SELF, &after);
        assert_int_equal(s.h.n_cells, 1001);
        assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 200 * 1024);
        end(&s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_guides_numbers_hold_in_any_order),
                cmocka_unit_test(one_layer_is_charged_the_largest_first),
                cmocka_unit_test(all_layers_are_charged_once),
                cmocka_unit_test(each_node_is_charged_for),
                cmocka_unit_test(zero_and_infinite_mean_what_the_guide_says),
                cmocka_unit_test(nodes_outside_the_innermost_have_none_to_ask_for),
                cmocka_unit_test(nodes_are_picked_within_all_layers),
                cmocka_unit_test(cells_are_as_many_as_nodes_differ),
                cmocka_unit_test(many_overlapping_layers_take_little_memory),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
