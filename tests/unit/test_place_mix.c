/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --gpus with --gres-flags=enforce-binding on several nodes, against trying everything: a job is refused where no nodes with any parts of
 * the GPUs have cores near these for its tasks, and else it runs so. */
#include "controller/core/job_events.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES 4
#define SIDES 3

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

struct drawn {
        uint32_t sides, cores[SIDES], gpus[SIDES]; /* sides 0: a core is as good as another */
        uint32_t all_cores, all_gpus;
};

static struct world *make(struct drawn of[NODES]) {
        char *text = xstrdup("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                             "EnforcePartLimits=ALL\nSelectTypeParameters=CR_Core\nGresTypes=gpu\nPartitionName=p Nodes=ALL Default=YES\n");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (size_t i = 0; i < NODES; i++) {
                struct drawn *d = &of[i];
                *d = (struct drawn){ .sides = roll(4) ? 1 + roll(SIDES) : 0 };
                for (uint32_t k = 0; k < MAX(1u, d->sides); k++) {
                        uint32_t gpus = 1 + roll(3), cores = 1 + roll(3);
                        if (d->sides) {
                                _cleanup_free_ char *before = text;
                                text = xasprintf("%sgres.conf NodeName=n%zu Name=gpu File=/dev/g[%u-%u] Cores=%u-%u\n", before, i, d->all_gpus,
                                                d->all_gpus + gpus - 1, d->all_cores, d->all_cores + cores - 1);
                        }
                        d->cores[k] = cores;
                        d->gpus[k] = gpus;
                        d->all_cores += cores;
                        d->all_gpus += gpus;
                }
                _cleanup_free_ char *before = text;
                text = xasprintf("%sNodeName=n%zu CPUs=%u RealMemory=1000 Gres=gpu:%u\n", before, i, d->all_cores, d->all_gpus);
        }
        assert_int_equal(world_new(text, &w, &fail), 0);
        free(text);
        world_advance(w, w->now);
        return w;
}

/* Are so many GPUs of some sides, each giving one, near cores for so many tasks?  known: each side has a core too. */
static bool node_does(const struct drawn *d, uint32_t tasks, uint32_t per_task, uint32_t gpus, bool known) {
        if (d->sides <= 1) /* all cores are near all */
                return tasks * per_task <= d->all_cores && gpus <= d->all_gpus;
        for (uint32_t set = 1; set < 1u << d->sides; set++) {
                uint32_t has = 0, cores = 0, n = (uint32_t)__builtin_popcount(set);
                for (uint32_t k = 0; k < d->sides; k++)
                        if (set >> k & 1) {
                                has += d->gpus[k];
                                cores += d->cores[k];
                        }
                if (n <= gpus && gpus <= has && tasks * per_task <= cores && (!known || n <= tasks * per_task))
                        return true;
        }
        return false;
}

/* All ways to give the nodes from at on tasks and GPUs; n of them have some so far.  Each has a task at least. */
static bool can(const struct drawn *of, const struct job_spec *s, size_t at, uint32_t n, uint32_t tasks, uint32_t gpus) {
        bool known = s->num_tasks <= s->min_nodes || s->max_nodes == 1;

        if (gpus == 0)
                return n >= s->min_nodes && (!s->max_nodes || n <= s->max_nodes) && tasks == MAX(s->num_tasks, n);
        if (at == NODES)
                return false;
        if (can(of, s, at + 1, n, tasks, gpus))
                return true;
        for (uint32_t t = 1; t <= s->num_tasks; t++)
                for (uint32_t g = 1; g <= gpus; g++)
                        if (node_does(&of[at], t, s->cpus_per_task, g, known) && can(of, s, at + 1, n + 1, tasks + t, gpus - g))
                                return true;
        return false;
}

static void check_runs(struct world *w, struct job *j, uint32_t gpus) {
        uint64_t has = 0;

        world_turn(w);
        assert_int_equal(j->state, JOB_RUNNING);
        for (size_t i = 0; i < j->n_alloc; i++) {
                const struct job_node *jn = &j->alloc[i];
                size_t n;
                uint32_t sides;
                const struct gres_share *shares = gres_shares_of(j->gres, j->n_gres, (uint32_t)i, &n);
                _cleanup_(bitset_freep) struct bitset *near = gres_near(jn->node, shares, n, &sides);
                for (size_t k = 0; k < n; k++)
                        has += shares[k].count;
                for (size_t k = 0; near && k < jn->node->units; k++)
                        assert_true(!bitset_has(j->units, jn->units_at + k) || bitset_has(near, k));
        }
        assert_int_equal(has, gpus);
        _cleanup_free_ char *wrong = world_check(w);
        if (wrong)
                fail_msg("%s", wrong);
        (void)job_cancel(w->c, j, 0, w->now);
        world_advance(w, w->now + 60 * USEC_PER_SEC);
}

static void parts_are_found_where_there_are_such(void **unused) {
        size_t found = 0, refused = 0;

        for (uint64_t seed = 1; seed <= 80; seed++) {
                struct drawn of[NODES];
                state = seed * 977;
                struct world *w = make(of);
                for (size_t i = 0; i < 40; i++) {
                        uint32_t gpus = 1 + roll(9);
                        _cleanup_free_ char *asked = xasprintf("gpu:%u", gpus);
                        struct job_spec s = { .batch = true, .tasks_set = true, .min_nodes = 1 + roll(NODES), .cpus_per_task = roll(3) ? 1 : 2,
                                .tres_per_job = asked, .gres_binding = GRES_BINDING_ENFORCED, .time_limit = 3600 * USEC_PER_SEC };
                        struct job *j = NULL;
                        s.num_tasks = s.min_nodes + roll(10);
                        s.max_nodes = roll(2) ? s.min_nodes + roll(2) : 0;
                        bool admitted = job_admit(w->c, &s, &(struct submitter){ .uid = 1000, .gid = 1, .user = "u", .group = "g" }, w->now, &j, NULL) == SLUMBER_OK;
                        if (admitted != can(of, &s, 0, 0, 0, gpus))
                                fail_msg("seed %u, request %zu: --gpus=%u -N%u-%u -n%u -c%u: %s", (unsigned)seed, i, gpus, s.min_nodes, s.max_nodes,
                                                s.num_tasks, s.cpus_per_task, admitted ? "taken" : "refused");
                        refused += !admitted;
                        found += admitted;
                        if (admitted)
                                check_runs(w, j, gpus);
                }
                world_free(w);
        }
        assert_true(found > 300 && refused > 300);
}

/* A fourth of the nodes, the last ones, have two cores near each GPU, the others one. */
static void of_very_many_those_are_taken_that_have_the_most_for_one(void **unused) {
        const char *conf = "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nSelectTypeParameters=CR_Core\nGresTypes=gpu\n"
                           "PartitionName=p Nodes=ALL Default=YES\nNodeName=n[1-300] CPUs=2 Gres=gpu:2\nNodeName=n[301-400] CPUs=4 Gres=gpu:2\n"
                           "gres.conf NodeName=n[1-300] Name=gpu File=/dev/g0 Cores=0\ngres.conf NodeName=n[1-300] Name=gpu File=/dev/g1 Cores=1\n"
                           "gres.conf NodeName=n[301-400] Name=gpu File=/dev/g0 Cores=0-1\ngres.conf NodeName=n[301-400] Name=gpu File=/dev/g1 Cores=2-3\n";
        struct job_spec s = { .batch = true, .tasks_set = true, .min_nodes = 80, .max_nodes = 80, .num_tasks = 162, .tres_per_job = (char *)(uintptr_t)"gpu:81",
                .gres_binding = GRES_BINDING_ENFORCED, .time_limit = 3600 * USEC_PER_SEC };
        const struct submitter who = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct world *w = NULL;
        struct job *j;

        assert_int_equal(world_new(conf, &w, &fail), 0);
        world_advance(w, w->now);
        assert_int_equal(job_admit(w->c, &s, &who, w->now, &j, NULL), SLUMBER_OK);
        check_runs(w, j, 81);
        s.num_tasks = 163;
        assert_int_equal(job_admit(w->c, &s, &who, w->now, &j, NULL), SLUMBER_NODES_NOT_AVAILABLE);
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(parts_are_found_where_there_are_such),
                cmocka_unit_test(of_very_many_those_are_taken_that_have_the_most_for_one) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
