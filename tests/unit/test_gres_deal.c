/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wanted of several kinds altogether, against trying everything: it is dealt out where it
 * can be, to the unit, and jobs that ask so are refused where no nodes would do, and have what they
 * ask for where some do. */
#include "controller/jobs/job_events.h"
#include "controller/model/gres.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES 5
#define KINDS 3

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

/* Is there any way?  Node after node is given anything that it may. */
static bool can(const struct gres_total *left, const struct gres_parts *has,
                const struct gres_parts *least, size_t n) {
        struct gres_parts give = { 0 };

        if (n == 0)
                return gres_total_sum(left) == 0;
        for (give.of[0] = 0; give.of[0] <= MIN((uint64_t)has->of[0], left->of[0]); give.of[0]++)
                for (give.of[1] = 0; give.of[1] <= MIN((uint64_t)has->of[1], left->of[1]);
                                give.of[1]++)
                        for (give.of[2] = 0; give.of[2] <= MIN((uint64_t)has->of[2], left->of[2]);
                                        give.of[2]++) {
                                uint64_t sum = gres_parts_sum(&give);
                                struct gres_total rest = *left;
                                if (sum == 0 || sum > has->most || give.of[0] < least->of[0] ||
                                                give.of[1] < least->of[1] ||
                                                give.of[2] < least->of[2])
                                        continue;
                                for (uint32_t k = 0; k < KINDS; k++)
                                        rest.of[k] -= give.of[k];
                                if (can(&rest, has + 1, least + 1, n - 1))
                                        return true;
                        }
        return false;
}

static void check_dealt(const struct gres_total *t, const struct gres_parts *has,
                const struct gres_parts *least, size_t n, const struct gres_parts *dealt) {
        struct gres_sums sums = { 0 };

        for (size_t i = 0; i < n; i++) {
                assert_true(gres_parts_sum(&dealt[i]) >= 1);
                assert_true(gres_parts_sum(&dealt[i]) <= has[i].most);
                for (uint32_t k = 0; k < KINDS; k++)
                        assert_true(dealt[i].of[k] <= has[i].of[k] &&
                                        dealt[i].of[k] >= least[i].of[k]);
                gres_sums_add(&sums, &dealt[i]);
        }
        for (uint32_t k = 0; k < t->n; k++)
                assert_int_equal(sums.of[k], t->of[k]);
}

static void it_is_dealt_where_it_can_be(void **unused) {
        size_t dealt_out = 0, refused = 0;

        for (state = 1; dealt_out + refused < 20000;) {
                struct gres_parts has[NODES] = { 0 }, least[NODES] = { 0 }, dealt[NODES];
                struct gres_total t = { .n = 1 + roll(KINDS) };
                size_t n = 1 + roll(NODES);
                for (uint32_t k = 0; k < t.n; k++)
                        t.of[k] = 1 + roll(4);
                for (size_t i = 0; i < n; i++) {
                        has[i].most = roll(3) ? UINT32_MAX : 1 + roll(4);
                        for (uint32_t k = 0; k < t.n; k++)
                                has[i].of[k] = roll(2) ? roll(4) : 0;
                        uint32_t k = roll(t.n);
                        least[i].of[k] = roll(4) ? 0
                                                 : MIN(1 + roll(2), MIN(has[i].of[k], has[i].most));
                }
                bool could = can(&t, has, least, n),
                     does = gres_deal(&t, has, least, NULL, n, dealt);
                assert_int_equal(could, does);
                dealt_out += does;
                refused += !does;
                if (does)
                        check_dealt(&t, has, least, n, dealt);
        }
        assert_true(dealt_out > 1000 && refused > 1000);
}

static void the_first_give_more_and_each_of_all_kinds(void **unused) {
        const struct gres_parts has[3] = {
                { { 4, 4 }, UINT32_MAX },
                { { 4, 4 }, UINT32_MAX },
                { { 0, 4 }, UINT32_MAX },
        };
        const struct gres_total t = { 2, { 4, 3 } }, few = { 2, { 2, 1 } };
        const struct gres_parts first[3] = { { { 1, 1 }, 0 }, { { 3, 1 }, 0 }, { { 0, 1 }, 0 } };
        struct gres_parts dealt[3];

        assert_true(gres_deal(&t, has, NULL, NULL, 3, dealt));
        assert_int_equal(dealt[0].of[0], 3);
        assert_int_equal(dealt[1].of[0], 1);
        for (size_t i = 0; i < 3; i++)
                assert_int_equal(dealt[i].of[1], 1);
        assert_true(gres_deal(&t, has, NULL, first, 3, dealt));
        assert_int_equal(dealt[0].of[0], 1);
        assert_int_equal(dealt[1].of[0], 3);
        /* the third has but the second kind */
        assert_true(gres_deal(&few, has, NULL, NULL, 3, dealt));
        assert_int_equal(dealt[2].of[1], 1);
        assert_int_equal(dealt[0].of[1] + dealt[1].of[1], 0);
}

/* ---- which nodes ---- */

struct cluster_of { /* drawn by lot */
        struct gres_parts has[NODES];
        uint32_t cpus[NODES];
};

static struct world *make(struct cluster_of *x) {
        char *text = xstrdup(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "EnforcePartLimits=ALL\nSelectTypeParameters=CR_Core\nGresTypes=gpu\nPartitionName=p Nodes=ALL Default=YES\n");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (size_t i = 0; i < NODES; i++) {
                static const char type[KINDS] = { 'a', 'b', 'c' };
                _cleanup_free_ char *gres = xstrdup("");
                x->cpus[i] = 1 + roll(6);
                for (uint32_t k = 0; k < KINDS; k++) {
                        _cleanup_free_ char *before = NULL;
                        x->has[i].of[k] = roll(3) ? 0 : 1 + roll(3);
                        if (!x->has[i].of[k])
                                continue;
                        before = TAKE(gres);
                        gres = xasprintf("%s%sgpu:%c:%u", before, *before ? "," : " Gres=", type[k],
                                        x->has[i].of[k]);
                }
                _cleanup_free_ char *before = TAKE(text);
                text = xasprintf("%sNodeName=n%zu CPUs=%u RealMemory=1000%s\n", before, i,
                                x->cpus[i], gres);
        }
        assert_int_equal(world_new(text, &w, &fail), 0);
        free(text);
        world_advance(w, w->now);
        return w;
}

/* Would some of the nodes do? */
static bool some_do(const struct cluster_of *x, const struct job_spec *s,
                const struct gres_total *t) {
        const struct gres_parts none[NODES] = { 0 };

        for (uint32_t set = 1; set < 1u << NODES; set++) {
                struct gres_parts has[NODES];
                uint32_t tasks = 0;
                size_t n = 0;
                for (size_t i = 0; i < NODES; i++)
                        if (set >> i & 1) {
                                has[n] = x->has[i];
                                has[n++].most = s->cpus_per_gpu ? x->cpus[i] / s->cpus_per_gpu
                                                                : UINT32_MAX;
                                tasks += x->cpus[i];
                        }
                if (n >= s->min_nodes && (!s->max_nodes || n <= s->max_nodes) &&
                                tasks >= s->num_tasks && can(t, has, none, n))
                        return true;
        }
        return false;
}

static void they_are_found_where_there_are_such(void **unused) {
        size_t found = 0, refused = 0;

        for (uint64_t seed = 1; seed <= 60; seed++) {
                struct cluster_of x = { 0 };
                state = seed * 977;
                struct world *w = make(&x);
                for (size_t i = 0; i < 40; i++) {
                        struct gres_total t = { .n = 2 + roll(KINDS - 1) };
                        for (uint32_t k = 0; k < t.n; k++)
                                t.of[k] = 1 + roll(4);
                        _cleanup_free_ char *gpus =
                                        t.n == 2 ? xasprintf("gpu:a:%u,gpu:b:%u", (unsigned)t.of[0],
                                                                   (unsigned)t.of[1])
                                                 : xasprintf("gpu:a:%u,gpu:b:%u,gpu:c:%u",
                                                                   (unsigned)t.of[0],
                                                                   (unsigned)t.of[1],
                                                                   (unsigned)t.of[2]);
                        struct job_spec s = { .batch = true,
                                .num_tasks = 3 + roll(3) * roll(5),
                                .tasks_set = true,
                                .min_nodes = 1 + roll(3) * roll(2),
                                .cpus_per_gpu = roll(3) ? 0 : 1 + roll(2),
                                .tres_per_job = gpus,
                                .time_limit = 3600 * USEC_PER_SEC };
                        struct job *j = NULL;
                        s.max_nodes = roll(2) ? s.min_nodes + roll(3) : 0;
                        bool admitted = job_admit(w->c, &s,
                                                        &(struct submitter){ .uid = 1000,
                                                                        .gid = 1,
                                                                        .user = "u",
                                                                        .group = "g" },
                                                        w->now, &j, NULL) == SLUMBER_OK;
                        if (admitted != some_do(&x, &s, &t))
                                fail_msg("seed %u, request %zu: %s, -N%u-%u -n%u: %s",
                                                (unsigned)seed, i, gpus, s.min_nodes, s.max_nodes,
                                                s.num_tasks, admitted ? "taken" : "refused");
                        refused += !admitted;
                        if (!admitted)
                                continue;
                        found++;
                        world_turn(w);
                        assert_int_equal(j->state, JOB_RUNNING);
                        _cleanup_free_ char *wrong = world_check(w);
                        if (wrong)
                                fail_msg("%s", wrong);
                        (void)job_cancel(w->c, j, 0, w->now);
                        world_advance(w, w->now + 60 * USEC_PER_SEC);
                }
                world_free(w);
        }
        assert_true(found > 300 && refused > 300);
}

static void all_parts_are_told_one_after_the_other(void **unused) {
        const struct gres_parts has = { .of = { 2, 0, 1 }, .most = 2 };
        /* not three of them */
        static const uint32_t expected[][3] = {
                { 1, 0, 0 },
                { 2, 0, 0 },
                { 0, 0, 1 },
                { 1, 0, 1 },
        };
        struct gres_parts p = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(expected); i++) {
                assert_true(gres_parts_next(&p, &has));
                assert_memory_equal(p.of, expected[i], sizeof expected[i]);
        }
        assert_false(gres_parts_next(&p, &has));
}

/* Each has CPUs for four of its sixteen GPUs: what one brings depends on what the others do. */
static void many_nodes_with_few_cpus_are_no_more_work_than_others(void **unused) {
        const char *conf =
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nEnforcePartLimits=ALL\n"
                        "SelectTypeParameters=CR_Core\nGresTypes=gpu\nPartitionName=p Nodes=ALL Default=YES\n"
                        "NodeName=n[1-500] CPUs=8 Gres=gpu:a:4,gpu:b:4,gpu:c:4,gpu:d:4\n";
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        struct job_spec s = { .batch = true,
                .num_tasks = 1,
                .cpus_per_gpu = 2,
                .time_limit = 3600 * USEC_PER_SEC,
                .tres_per_job = (char *)(uintptr_t) "gpu:a:500,gpu:b:500,gpu:c:500,gpu:d:500" };
        struct fail fail = { 0 };
        struct world *w = NULL;
        struct job *j;

        assert_int_equal(world_new(conf, &w, &fail), 0);
        world_advance(w, w->now);
        assert_int_equal(job_admit(w->c, &s, &submitter, w->now, &j, NULL), SLUMBER_OK);
        world_turn(w);
        assert_int_equal(j->state, JOB_RUNNING);
        assert_int_equal(j->placed.n_alloc, 500);
        s.tres_per_job = (char *)(uintptr_t) "gpu:a:500,gpu:b:500,gpu:c:500,gpu:d:501";
        assert_int_equal(job_admit(w->c, &s, &submitter, w->now, &j, NULL),
                        SLUMBER_NODES_NOT_AVAILABLE);
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(it_is_dealt_where_it_can_be),
                cmocka_unit_test(the_first_give_more_and_each_of_all_kinds),
                cmocka_unit_test(they_are_found_where_there_are_such),
                cmocka_unit_test(all_parts_are_told_one_after_the_other),
                cmocka_unit_test(many_nodes_with_few_cpus_are_no_more_work_than_others),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
