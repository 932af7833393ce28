/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The components of a heterogeneous job, against trying everything: where they find no nodes
 * together, no way to deal the nodes out to them would do. */
#include "controller/jobs/job_events.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES      6u
#define COMPONENTS 3u

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

static struct world *make(const char *limits) {
        char *text = xstrdup(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
                        "AccountingStorageEnforce=limits\nPartitionName=p Nodes=ALL Default=YES\n");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (uint32_t i = 0; i < NODES; i++) {
                _cleanup_free_ char *before = text;
                text = xasprintf("%sNodeName=n%u CPUs=%u RealMemory=%u%s\n", before, i, 1 + roll(4),
                                1000 * (1 + roll(2)), roll(3) ? "" : " Feature=f");
        }
        if (world_new(text, &w, &fail) < 0 ||
                        world_sacctmgr_line(w, "add account team", &fail) < 0 ||
                        world_sacctmgr_line(w, limits, &fail) < 0)
                fail_msg("%s", fail.text);
        free(text);
        world_advance(w, w->now);
        return w;
}

static struct job *admit(struct world *w, const struct job_spec *spec) {
        struct job *j = NULL;

        (void)job_admit(w->c, spec,
                        &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                        w->now, &j, NULL);
        return j;
}

/* Of so many nodes at most, and so many tasks more. */
static struct job *drawn(struct world *w, uint32_t most, uint32_t tasks) {
        for (;;) {
                uint32_t nodes = 1 + roll(most);
                const struct job_spec spec = { .batch = true,
                        .min_nodes = nodes,
                        .max_nodes = roll(2) ? nodes : 0,
                        .num_tasks = nodes + roll(tasks),
                        .tasks_set = true,
                        .mem_per_node = roll(3) ? 0 : 1500,
                        .features = roll(4) ? NULL : (char *)(uintptr_t) "f",
                        .share = roll(3) ? SHARE_OK : SHARE_NO };
                struct job *j = admit(w, &spec);
                if (j)
                        return j;
        }
}

static struct bitset *some_nodes(void) {
        struct bitset *set = bitset_new(NODES);

        for (uint32_t i = 0; i < NODES; i++)
                if (roll(4))
                        bitset_add(set, i);
        return set;
}

static bool fits(struct world *w, const struct together *o, const struct bitset *nodes) {
        struct placement where = { 0 };
        bool ret = place(w->c, o->j, nodes, o->when, PLACE_FREE, &where) >= 0;

        placement_done(&where);
        return ret;
}

/* Each node is one component's, in some way. */
static bool by_trying(struct world *w, const struct together *of) {
        uint32_t ways = 1;

        for (uint32_t i = 0; i < NODES; i++)
                ways *= COMPONENTS;
        for (uint32_t way = 0; way < ways; way++) {
                bool all = true;
                for (uint32_t k = 0; k < COMPONENTS && all; k++) {
                        _cleanup_(bitset_freep) struct bitset *mine = bitset_new(NODES);
                        for (uint32_t i = 0, rest = way; i < NODES; i++, rest /= COMPONENTS)
                                bitset_put(mine, i, rest % COMPONENTS == k);
                        bitset_and(mine, of[k].usable);
                        all = fits(w, &of[k], mine);
                }
                if (all)
                        return true;
        }
        return false;
}

static void check_distinct(const struct together *of) {
        _cleanup_(bitset_freep) struct bitset *taken = bitset_new(NODES);

        for (uint32_t k = 0; k < COMPONENTS; k++) {
                assert_non_null(of[k].where.nodes);
                assert_true(bitset_contains(of[k].usable, of[k].where.nodes));
                assert_false(bitset_overlaps(taken, of[k].where.nodes));
                bitset_or(taken, of[k].where.nodes);
        }
}

static void is_exact(void **unused) {
        uint32_t found = 0, none = 0;

        for (uint32_t seed = 1; seed <= 400; seed++) {
                state = seed * 7919;
                struct world *w = make("add user u account=team");
                struct together *of = xnew0(struct together, COMPONENTS);
                size_t why;
                for (uint32_t k = 0; k < COMPONENTS; k++)
                        of[k] = (struct together){ .j = drawn(w, 3, 6),
                                .usable = some_nodes(),
                                .when = { .from = w->now, .until = w->now } };
                int r = place_together(w->c, of, COMPONENTS, PLACE_FREE, NULL, &why);
                if (r >= 0)
                        check_distinct(of);
                if ((r >= 0) != by_trying(w, of))
                        fail_msg("seed %u: %d", seed, r);
                found += r >= 0;
                none += r < 0;
                together_free(of, COMPONENTS);
                world_free(w);
        }
        assert_true(found > 20 && none > 20);
}

#define FEW 5u /* nodes */

/* So that all are within the limit, in some way to give each some of the nodes. */
static bool by_trying_within(struct world *w, const struct together *of) {
        struct together then[COMPONENTS];
        bool found = false;
        uint32_t ways = 1;

        for (uint32_t i = 0; i < FEW; i++)
                ways *= COMPONENTS + 1;
        for (uint32_t way = 0; way < ways && !found; way++) {
                found = true;
                memcpy(then, of, sizeof then);
                for (uint32_t k = 0; k < COMPONENTS; k++)
                        then[k].where = (struct placement){ 0 };
                for (uint32_t k = 0; k < COMPONENTS && found; k++) {
                        _cleanup_(bitset_freep) struct bitset *mine = bitset_new(NODES);
                        for (uint32_t i = 0, rest = way; i < FEW; i++, rest /= COMPONENTS + 1)
                                bitset_put(mine, i, rest % (COMPONENTS + 1) == k);
                        bitset_and(mine, of[k].usable);
                        found = place(w->c, of[k].j, mine, of[k].when, PLACE_FREE,
                                                &then[k].where) >= 0;
                }
                found = found &&
                        place_together_limit(w->c, then, COMPONENTS, w->now) == REASON_NONE;
                for (uint32_t k = 0; k < COMPONENTS; k++)
                        placement_done(&then[k].where);
        }
        return found;
}

static void limits_leave_what_they_can(void **unused) {
        uint32_t found = 0, none = 0;

        for (uint32_t seed = 1; seed <= 150; seed++) {
                state = seed * 104729;
                _cleanup_free_ char *limit = xasprintf("add user u account=team grptres=cpu=%u",
                                3 + roll(9));
                struct world *w = make(limit);
                struct together *of = xnew0(struct together, COMPONENTS);
                size_t why;
                for (uint32_t k = 0; k < COMPONENTS; k++) {
                        of[k] = (struct together){ .j = drawn(w, 2, 2),
                                .usable = some_nodes(),
                                .when = { .from = w->now, .until = w->now } };
                        bitset_del(of[k].usable, FEW);
                }
                int r = place_together(w->c, of, COMPONENTS, PLACE_FREE, NULL, &why);
                if (r >= 0) {
                        check_distinct(of);
                        assert_int_equal(place_together_limit(w->c, of, COMPONENTS, w->now),
                                        REASON_NONE);
                }
                for (uint32_t k = 0; k < COMPONENTS; k++)
                        placement_done(&of[k].where);
                if (r < 0 && by_trying_within(w, of))
                        fail_msg("seed %u: %d, limit %s", seed, r, limit);
                found += r >= 0;
                none += r == -EDQUOT;
                together_free(of, COMPONENTS);
                world_free(w);
        }
        assert_true(found > 5 && none > 5);
}

/* Two of three fit: the limit is told of the third. */
static void counts_those_before(void **unused) {
        state = 1;
        struct world *w = make("add user u account=team maxjobs=2");
        const struct job_spec spec = { .batch = true, .min_nodes = 1, .max_nodes = 1 };
        struct together *of = xnew0(struct together, COMPONENTS);
        size_t why;

        for (uint32_t k = 0; k < COMPONENTS; k++) {
                of[k] = (struct together){ .j = admit(w, &spec),
                        .usable = bitset_copy(w->c->schedulable),
                        .when = { .from = w->now, .until = w->now } };
                assert_non_null(of[k].j);
        }
        assert_int_equal(place_together(w->c, of, COMPONENTS, PLACE_FREE, NULL, &why), -EDQUOT);
        assert_int_equal(of[why].where.limit, REASON_ASSOC_MAX_JOBS);
        assert_int_equal(place_together(w->c, of, 2, PLACE_FREE, NULL, &why), 0);
        together_free(of, COMPONENTS);
        world_free(w);
}

/* Where the first one takes the lowest nodes it must leave all of them. */
static void large_ones_find_their_way(void **unused) {
        struct fail fail = { 0 };
        struct world *w = NULL;
        const struct job_spec spec = { .batch = true,
                .min_nodes = 500,
                .max_nodes = 500,
                .share = SHARE_NO };
        struct together *of = xnew0(struct together, 2);
        size_t why;

        if (world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                      "NodeName=n[1-1000] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n",
                            &w, &fail) < 0)
                fail_msg("%s", fail.text);
        world_advance(w, w->now);
        for (uint32_t k = 0; k < 2; k++)
                of[k] = (struct together){ .j = admit(w, &spec),
                        .usable = bitset_new(1000),
                        .when = { .from = w->now, .until = w->now } };
        bitset_add_range(of[0].usable, 0, 900);
        bitset_add_range(of[1].usable, 0, 400);
        bitset_add_range(of[1].usable, 500, 100);
        bitset_add_range(of[1].usable, 900, 100);
        assert_int_equal(place_together(w->c, of, 2, PLACE_FREE, NULL, &why), 0);
        assert_false(bitset_overlaps(of[0].where.nodes, of[1].where.nodes));
        placement_done(&of[0].where);
        placement_done(&of[1].where);
        bitset_add_range(of[1].usable, 0, 1000);
        bitset_minus(of[1].usable, of[0].usable); /* none of them is for both, and too few */
        assert_int_equal(place_together(w->c, of, 2, PLACE_FREE, NULL, &why), -ENOENT);
        together_free(of, 2);
        world_free(w);
}

/* The first one would have the large nodes, which come first; but then the limit leaves the others
   too little. */
static void many_nodes_are_within_a_limit(void **unused) {
        const struct job_spec spec = { .batch = true,
                .min_nodes = 90,
                .max_nodes = 90,
                .share = SHARE_NO };
        struct together *of = xnew0(struct together, 3);
        struct fail fail = { 0 };
        struct world *w = NULL;
        size_t why;

        if (world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                      "AccountingStorageEnforce=limits\nNodeName=n[1-300] CPUs=16\nNodeName=n[301-600] CPUs=2\n"
                      "PartitionName=p Nodes=ALL Default=YES\n",
                            &w, &fail) < 0 ||
                        world_sacctmgr_line(w, "add account team", &fail) < 0 ||
                        world_sacctmgr_line(w, "add user u account=team grptres=cpu=1500", &fail) <
                                        0)
                fail_msg("%s", fail.text);
        world_advance(w, w->now);
        for (uint32_t k = 0; k < 3; k++) {
                of[k] = (struct together){ .j = admit(w, &spec),
                        .usable = bitset_copy(w->c->schedulable),
                        .when = { .from = w->now, .until = w->now } };
                assert_non_null(of[k].j);
        }
        assert_int_equal(place_together(w->c, of, 3, PLACE_FREE, NULL, &why), 0);
        assert_int_equal(place_together_limit(w->c, of, 3, w->now), REASON_NONE);
        for (uint32_t k = 0; k < 3; k++)
                placement_done(&of[k].where);
        for (uint32_t k = 0; k < 2; k++) { /* two can have large nodes alone */
                bitset_clear(of[k].usable);
                bitset_add_range(of[k].usable, 0, 300);
        }
        assert_int_equal(place_together(w->c, of, 3, PLACE_FREE, NULL, &why), -EDQUOT);
        together_free(of, 3);
        world_free(w);
}

#define RING 6u

/* Components that want so many nodes each, each of its half of a ring of 1,000 nodes, which
 *overlap. ret_looks: what that has cost. */
static int place_ring(uint32_t nodes, uint32_t tasks_per_node, uint64_t *ret_looks) {
        struct fail fail = { 0 };
        struct world *w = NULL;
        const struct job_spec spec = { .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = nodes * tasks_per_node,
                .share = SHARE_NO };
        struct together *of = xnew0(struct together, RING);
        size_t why;

        if (world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                      "NodeName=n[1-500] CPUs=2\nNodeName=n[501-1000] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n",
                            &w, &fail) < 0)
                fail_msg("%s", fail.text);
        world_advance(w, w->now);
        for (uint32_t k = 0; k < RING; k++) {
                of[k] = (struct together){ .j = admit(w, &spec),
                        .usable = bitset_new(1000),
                        .when = { .from = w->now, .until = w->now } };
                assert_non_null(of[k].j);
                for (uint32_t i = 0; i < 500; i++)
                        bitset_add(of[k].usable, (k * 166 + i) % 1000);
        }
        uint64_t from = w->c->slices.looked;
        int r = place_together(w->c, of, RING, PLACE_FREE, NULL, &why);
        *ret_looks = w->c->slices.looked - from;
        for (uint32_t k = 0; k < RING && r >= 0; k++) {
                assert_int_equal(bitset_count(of[k].where.nodes), nodes);
                for (uint32_t i = 0; i < k; i++)
                        assert_false(bitset_overlaps(of[i].where.nodes, of[k].where.nodes));
        }
        together_free(of, RING);
        world_free(w);
        return r;
}

/* Each in turn looks at 500 nodes, for 9 looks each at most. */
#define WALK (RING * 500 * 9)

static void what_it_costs_is_bounded(void **unused) {
        uint64_t looks;

        /* each is left as few nodes as it wants */
        assert_int_equal(place_ring(1000 / RING, 2, &looks), 0);
        assert_true(looks < 4 * WALK);
        /* that there are not enough is seen without a search */
        assert_int_equal(place_ring(1000 / RING + 1, 2, &looks), -EBUSY);
        assert_true(looks < 2 * WALK);
        /* the small nodes hold too few of the tasks: that is searched, but not for long */
        assert_int_equal(place_ring(1000 / RING, 3, &looks), -EBUSY);
        assert_true(looks < LOOKS_MAX / 2);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(is_exact),
                cmocka_unit_test(limits_leave_what_they_can),
                cmocka_unit_test(counts_those_before),
                cmocka_unit_test(large_ones_find_their_way),
                cmocka_unit_test(many_nodes_are_within_a_limit),
                cmocka_unit_test(what_it_costs_is_bounded),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
