/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --gpus of one type or two with --gres-flags=enforce-binding on several nodes, against trying
 * everything: a job is refused where no nodes with any parts of the GPUs have cores near these for
 * its tasks, and else it runs so. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES     4
#define SIDES     3
#define KINDS     2
#define GPUS_MAX  9 /* of a kind, asked for */
#define TASKS_MAX (NODES + 10)

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

struct drawn {
        /* sides 0: a core is as good as another */
        uint32_t sides, cores[SIDES], gpus[SIDES][KINDS];
        uint32_t all_cores, all_gpus[KINDS];
};

/* by the number of kinds, less one */
static const char *const types[][KINDS] = { { "" }, { ":a", ":b" } };

static void add(char **text, const char *line) {
        _cleanup_free_ char *before = *text;

        *text = xasprintf("%s%s", before, line);
}

static void draw_side(char **text, struct drawn *d, uint32_t node, uint32_t side, uint32_t kinds) {
        d->cores[side] = 1 + roll(3);
        for (uint32_t k = 0; k < kinds; k++) {
                uint32_t gpus = kinds == 1 ? 1 + roll(3) : roll(3), first = 10 * k + d->all_gpus[k];
                d->gpus[side][k] = gpus;
                d->all_gpus[k] += gpus;
                if (!gpus || !d->sides)
                        continue;
                _cleanup_free_ char *line = xasprintf(
                                "gres.conf NodeName=n%u Name=gpu %s%s File=/dev/g[%u-%u] Cores=%u-%u\n",
                                node, kinds == 1 ? "" : "Type=", kinds == 1 ? "" : types[1][k] + 1,
                                first, first + gpus - 1, d->all_cores,
                                d->all_cores + d->cores[side] - 1);
                add(text, line);
        }
        d->all_cores += d->cores[side];
}

static struct world *make(struct drawn of[NODES], uint32_t kinds) {
        char *text = xstrdup(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "EnforcePartLimits=ALL\nSelectTypeParameters=CR_Core\nGresTypes=gpu\nPartitionName=p Nodes=ALL Default=YES\n");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (uint32_t i = 0; i < NODES; i++) {
                struct drawn *d = &of[i];
                *d = (struct drawn){ .sides = roll(4) ? 1 + roll(SIDES) : 0 };
                for (uint32_t side = 0; side < MAX(1u, d->sides); side++)
                        draw_side(&text, d, i, side, kinds);
                _cleanup_free_ char *second = kinds > 1 ? xasprintf(",gpu:b:%u", d->all_gpus[1])
                                                        : xstrdup("");
                _cleanup_free_ char *line = xasprintf(
                                "NodeName=n%u CPUs=%u RealMemory=1000 Gres=gpu%s:%u%s\n", i,
                                d->all_cores, types[kinds - 1][0], d->all_gpus[0], second);
                add(&text, line);
        }
        if (world_new(text, &w, &fail) < 0)
                fail_msg("%s", fail.text);
        free(text);
        world_advance(w, w->now);
        return w;
}

/* Are so many GPUs of some sides, each giving one of each kind, near cores for so many tasks?
   known: each side has a core too. */
static bool node_does(const struct drawn *d, uint32_t tasks, uint32_t per_task,
                const uint32_t gpus[KINDS], bool known) {
        if (!d->sides) /* all cores are near all */
                return tasks * per_task <= d->all_cores && gpus[0] <= d->all_gpus[0] &&
                       gpus[1] <= d->all_gpus[1];
        for (uint32_t set = 1; set < 1u << d->sides; set++) {
                uint32_t has[KINDS] = { 0 }, of[KINDS] = { 0 }, cores = 0, n = 0;
                for (uint32_t side = 0; side < d->sides; side++) {
                        bool used = false;
                        for (uint32_t k = 0; k < KINDS; k++) {
                                bool gives = set >> side & 1 && gpus[k] && d->gpus[side][k];
                                has[k] += gives ? d->gpus[side][k] : 0;
                                of[k] += gives;
                                used |= gives;
                        }
                        cores += used ? d->cores[side] : 0;
                        n += used;
                }
                if (of[0] <= gpus[0] && gpus[0] <= has[0] && of[1] <= gpus[1] &&
                                gpus[1] <= has[1] && tasks * per_task <= cores &&
                                (!known || n <= tasks * per_task))
                        return true;
        }
        return false;
}

static bool tried[NODES + 1][NODES + 1][TASKS_MAX + 1][GPUS_MAX + 1][GPUS_MAX + 1]; /* in vain */

static bool can(const struct drawn *of, const struct job_spec *s, size_t at, uint32_t n,
                uint32_t tasks, const uint32_t gpus[KINDS]);

/* As below, with a part of that node for so many tasks. */
static bool can_with(const struct drawn *of, const struct job_spec *s, size_t at, uint32_t n,
                uint32_t tasks, uint32_t more, const uint32_t gpus[KINDS]) {
        bool known = s->num_tasks <= s->min_nodes || s->max_nodes == 1;

        for (uint32_t a = 0; a <= gpus[0]; a++)
                for (uint32_t b = 0; b <= gpus[1]; b++)
                        if (a + b &&
                                        node_does(&of[at], more, s->cpus_per_task,
                                                        (const uint32_t[]){ a, b }, known) &&
                                        can(of, s, at + 1, n + 1, tasks + more,
                                                        (const uint32_t[]){ gpus[0] - a,
                                                                        gpus[1] - b }))
                                return true;
        return false;
}

/* All ways to give the nodes from at on tasks and GPUs; n of them have some so far. Each has a task
   at least. */
static bool can(const struct drawn *of, const struct job_spec *s, size_t at, uint32_t n,
                uint32_t tasks, const uint32_t gpus[KINDS]) {
        if (gpus[0] + gpus[1] == 0)
                return n >= s->min_nodes && (!s->max_nodes || n <= s->max_nodes) &&
                       tasks == MAX(s->num_tasks, n);
        if (at == NODES || tasks >= MAX(s->num_tasks, n + 1) ||
                        tried[at][n][tasks][gpus[0]][gpus[1]])
                return false;
        if (can(of, s, at + 1, n, tasks, gpus))
                return true;
        for (uint32_t more = 1; tasks + more <= MAX(s->num_tasks, n + 1); more++)
                if (can_with(of, s, at, n, tasks, more, gpus))
                        return true;
        tried[at][n][tasks][gpus[0]][gpus[1]] = true;
        return false;
}

static void check_runs(struct world *w, struct job *j, const uint32_t gpus[KINDS]) {
        uint64_t has[KINDS] = { 0 };

        world_turn(w);
        assert_int_equal(j->state, JOB_RUNNING);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                size_t n;
                uint32_t sides;
                const struct gres_share *shares = gres_shares_of(j->placed.gres, j->placed.n_gres,
                                (uint32_t)i, &n);
                _cleanup_(bitset_freep) struct bitset *near = gres_near(jn->node, shares, n,
                                &sides);
                for (size_t k = 0; k < n; k++)
                        has[streq(strempty(jn->node->gres_items[shares[k].item].type), "b")] +=
                                        shares[k].count;
                for (size_t k = 0; near && k < jn->node->units; k++)
                        assert_true(!bitset_has(j->placed.units, jn->units_at + k) ||
                                        bitset_has(near, k));
        }
        assert_int_equal(has[0], gpus[0]);
        assert_int_equal(has[1], gpus[1]);
        _cleanup_free_ char *wrong = world_check(w);
        if (wrong)
                fail_msg("%s", wrong);
        (void)job_cancel(w->c, j, 0, w->now);
        world_advance(w, w->now + 60 * USEC_PER_SEC);
}

static struct job_spec draw_job(void) {
        struct job_spec s = { .batch = true,
                .tasks_set = true,
                .min_nodes = 1 + roll(NODES),
                .cpus_per_task = roll(3) ? 1 : 2,
                .gres_binding = GRES_BINDING_ENFORCED,
                .time_limit = 3600 * USEC_PER_SEC };

        s.num_tasks = s.min_nodes + roll(10);
        s.max_nodes = roll(2) ? s.min_nodes + roll(2) : 0;
        return s;
}

/* Returns whether it was admitted. */
static bool ask(struct world *w, const struct drawn of[NODES], uint32_t kinds, unsigned seed) {
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        const uint32_t gpus[KINDS] = {
                1 + roll(kinds == 1 ? GPUS_MAX : 5),
                kinds == 1 ? 0 : 1 + roll(5),
        };
        _cleanup_free_ char *first = xasprintf("gpu%s:%u", types[kinds - 1][0], gpus[0]),
                            *second = xasprintf("%s,gpu:b:%u", first, gpus[1]);
        struct job_spec s = draw_job();
        struct job *j = NULL;

        s.tres_per_job = kinds == 1 ? first : second;
        bool admitted = job_admit(w->c, &s, &submitter, w->now, &j, NULL) == SLUMBER_OK;
        memset(tried, 0, sizeof tried);
        if (admitted != can(of, &s, 0, 0, 0, gpus))
                fail_msg("seed %u: --gpus=%s -N%u-%u -n%u -c%u: %s", seed, s.tres_per_job,
                                s.min_nodes, s.max_nodes, s.num_tasks, s.cpus_per_task,
                                admitted ? "taken" : "refused");
        if (admitted)
                check_runs(w, j, gpus);
        return admitted;
}

static void ask_all(uint32_t kinds) {
        size_t found = 0, refused = 0;

        for (uint64_t seed = 1; seed <= 80; seed++) {
                struct drawn of[NODES];
                state = seed * 977;
                struct world *w = make(of, kinds);
                for (size_t i = 0; i < 40; i++) {
                        bool admitted = ask(w, of, kinds, (unsigned)seed);
                        found += admitted;
                        refused += !admitted;
                }
                world_free(w);
        }
        assert_true(found > 300 && refused > 300);
}

static void parts_are_found_where_there_are_such(void **unused) {
        ask_all(1);
}

static void parts_of_two_types_are_found_where_there_are_such(void **unused) {
        ask_all(2);
}

/* A fourth of the nodes, the last ones, have two cores near each GPU, the others one. */
static void of_very_many_those_are_taken_that_have_the_most_for_one(void **unused) {
        const char *conf =
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nSelectTypeParameters=CR_Core\nGresTypes=gpu\n"
                        "PartitionName=p Nodes=ALL Default=YES\nNodeName=n[1-300] CPUs=2 Gres=gpu:2\nNodeName=n[301-400] CPUs=4 Gres=gpu:2\n"
                        "gres.conf NodeName=n[1-300] Name=gpu File=/dev/g0 Cores=0\ngres.conf NodeName=n[1-300] Name=gpu File=/dev/g1 Cores=1\n"
                        "gres.conf NodeName=n[301-400] Name=gpu File=/dev/g0 Cores=0-1\ngres.conf NodeName=n[301-400] Name=gpu File=/dev/g1 Cores=2-3\n";
        struct job_spec s = { .batch = true,
                .tasks_set = true,
                .min_nodes = 80,
                .max_nodes = 80,
                .num_tasks = 162,
                .tres_per_job = (char *)(uintptr_t) "gpu:81",
                .gres_binding = GRES_BINDING_ENFORCED,
                .time_limit = 3600 * USEC_PER_SEC };
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct world *w = NULL;
        struct job *j;

        assert_int_equal(world_new(conf, &w, &fail), 0);
        world_advance(w, w->now);
        assert_int_equal(job_admit(w->c, &s, &submitter, w->now, &j, NULL), SLUMBER_OK);
        check_runs(w, j, (const uint32_t[KINDS]){ 81 });
        s.num_tasks = 163;
        assert_int_equal(job_admit(w->c, &s, &submitter, w->now, &j, NULL),
                        SLUMBER_NODES_NOT_AVAILABLE);
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(parts_are_found_where_there_are_such),
                cmocka_unit_test(parts_of_two_types_are_found_where_there_are_such),
                cmocka_unit_test(of_very_many_those_are_taken_that_have_the_most_for_one) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
