/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on several resources together, against trying everything: a job waits where no nodes with
 * any tasks and any parts of the GPUs are within all of them, and else it runs so. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define NODES 5
#define NONE  UINT32_MAX

static uint64_t state;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

struct drawn {
        uint32_t cores, threads, memory, a, b; /* GPUs of type a count by their type */
};

enum { CPUS, MEMORY, GPUS, OF_A, LIMITS };

static struct world *make(struct drawn of[NODES]) {
        char *text = xstrdup(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nSelectType=select/cons_tres\n"
                        "SelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\nAccountingStorageEnforce=limits\n"
                        "AccountingStorageTRES=gres/gpu,gres/gpu:a\nPartitionName=p Nodes=ALL Default=YES\n");
        struct fail fail = { 0 };
        struct world *w = NULL;

        for (uint32_t i = 0; i < NODES; i++) {
                _cleanup_free_ char *before = text;
                of[i] = (struct drawn){ .cores = 1 + roll(4),
                        .threads = 1 + roll(2),
                        .memory = 1000 * (1 + roll(3)),
                        .a = roll(3),
                        .b = roll(3) };
                text = xasprintf(
                                "%sNodeName=n%u CPUs=%u CoresPerSocket=%u ThreadsPerCore=%u RealMemory=%u Gres=gpu:a:%u,gpu:b:%u\n",
                                before, i, of[i].cores * of[i].threads, of[i].cores, of[i].threads,
                                of[i].memory, of[i].a, of[i].b);
        }
        if (world_new(text, &w, &fail) < 0 ||
                        world_sacctmgr_line(w, "add account team", &fail) < 0 ||
                        world_sacctmgr_line(w, "add user u account=team", &fail) < 0)
                fail_msg("%s", fail.text);
        free(text);
        world_advance(w, w->now);
        return w;
}

struct wish {
        uint32_t min_nodes, max_nodes, tasks, cpus, memory, per_node, altogether;
        bool whole;
        uint64_t limit[LIMITS];
};

/* What a node would count for; false: it cannot have that. */
static bool count(const struct drawn *d, const struct wish *j, uint32_t tasks, uint32_t gpus,
                uint64_t used[LIMITS]) {
        uint32_t wanted = tasks * j->cpus,
                 cores = j->whole ? d->cores : DIV_ROUND_UP(wanted, d->threads);

        gpus = MAX(gpus, j->per_node);
        if (wanted > d->cores * d->threads || gpus > d->a + d->b || j->memory > d->memory)
                return false;
        used[CPUS] += cores * d->threads;
        used[MEMORY] += j->memory ? j->memory : d->memory;
        used[GPUS] += j->whole ? d->a + d->b : gpus;
        used[OF_A] += j->whole ? d->a : gpus - MIN(gpus, d->b);
        for (size_t i = 0; i < LIMITS; i++)
                if (used[i] > j->limit[i])
                        return false;
        return true;
}

/* With the nodes from at on, so many more tasks and GPUs. */
static bool can(const struct drawn of[NODES], const struct wish *j, uint32_t at, uint32_t nodes,
                uint32_t tasks, uint32_t gpus, const uint64_t used[LIMITS]) {
        if (nodes >= j->min_nodes && tasks == 0 && gpus == 0)
                return true;
        if (at == NODES)
                return false;
        if (can(of, j, at + 1, nodes, tasks, gpus, used))
                return true;
        for (uint32_t t = 1; t <= MAX(tasks, 1u) && nodes < j->max_nodes; t++)
                for (uint32_t g = j->altogether > 0; g <= gpus; g++) {
                        uint64_t with[LIMITS];
                        memcpy(with, used, sizeof with);
                        if (count(&of[at], j, t, g, with) &&
                                        can(of, j, at + 1, nodes + 1, tasks - MIN(tasks, t),
                                                        gpus - g, with))
                                return true;
                }
        return false;
}

static struct wish draw_wish(void) {
        struct wish j = {
                .min_nodes = 1 + roll(3),
                .cpus = 1 + roll(3),
                .whole = roll(2),
                .memory = roll(3) ? 100 * (1 + roll(12)) : 0,
        };
        uint32_t kind = roll(3);

        j.max_nodes = roll(2) ? j.min_nodes + roll(2) : NONE;
        j.tasks = j.min_nodes + roll(4);
        j.per_node = kind == 1 ? 1 + roll(3) : 0;
        j.altogether = kind == 2 ? j.min_nodes + roll(4) : 0;
        j.limit[CPUS] = 2 + roll(16);
        j.limit[MEMORY] = roll(2) ? 1000 + 500 * roll(8) : UINT64_MAX;
        j.limit[GPUS] = roll(2) ? roll(9) : UINT64_MAX;
        j.limit[OF_A] = roll(3) ? roll(5) : UINT64_MAX;
        return j;
}

static void set_limits(struct world *w, const struct wish *j) {
        static const char *const names[] = { "cpu", "mem", "gres/gpu", "gres/gpu:a" };
        char *line = xstrdup("modify account team set grptres=");
        struct fail fail = { 0 };

        for (size_t i = 0; i < LIMITS; i++) {
                _cleanup_free_ char *before = line;
                line = xasprintf("%s%s%s=%lld", before, i ? "," : "", names[i],
                                j->limit[i] == UINT64_MAX ? -1ll : (long long)j->limit[i]);
        }
        if (world_sacctmgr_line(w, line, &fail) < 0)
                fail_msg("%s", fail.text);
        free(line);
}

/* Returns whether it runs; negative: it is not admitted. */
static int ask(struct world *w, const struct drawn of[NODES], unsigned seed) {
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        const struct wish j = draw_wish();
        _cleanup_free_ char *each = xasprintf("gpu:%u", j.per_node),
                            *all = xasprintf("gpu:%u", j.altogether);
        struct job_spec s = { .batch = true,
                .tasks_set = true,
                .account = (char *)(uintptr_t) "team",
                .min_nodes = j.min_nodes,
                .max_nodes = j.max_nodes == NONE ? 0 : j.max_nodes,
                .num_tasks = j.tasks,
                .cpus_per_task = j.cpus,
                .mem_per_node = j.memory,
                .share = j.whole ? SHARE_NO : SHARE_OK,
                .tres_per_node = j.per_node ? each : NULL,
                .tres_per_job = j.altogether ? all : NULL,
                .time_limit = 3600 * USEC_PER_SEC };
        struct job *job = NULL;

        set_limits(w, &j);
        if (job_admit(w->c, &s, &submitter, w->now, &job, NULL) != SLUMBER_OK)
                return -1;
        world_turn(w);
        bool runs = job->state == JOB_RUNNING;
        if (runs != can(of, &j, 0, 0, j.tasks, j.altogether, (const uint64_t[LIMITS]){ 0 }))
                fail_msg("seed %u: -N%u-%u -n%u -c%u --mem=%u --gres=gpu:%u --gpus=%u%s, cpu=%lld mem=%lld gpu=%lld a=%lld: %s",
                                seed, j.min_nodes, j.max_nodes, j.tasks, j.cpus, j.memory,
                                j.per_node, j.altogether, j.whole ? " --exclusive" : "",
                                (long long)j.limit[CPUS], (long long)j.limit[MEMORY],
                                (long long)j.limit[GPUS], (long long)j.limit[OF_A],
                                runs ? "runs" : "waits");
        _cleanup_free_ char *wrong = world_check(w);
        if (wrong)
                fail_msg("seed %u: %s", seed, wrong);
        (void)job_cancel(w->c, job, 0, w->now);
        world_advance(w, w->now + 60 * USEC_PER_SEC);
        return runs;
}

static void placed_within_all_limits(void **unused) {
        size_t ran = 0, waited = 0;

        for (uint64_t seed = 1; seed <= 100; seed++) {
                struct drawn of[NODES];
                state = seed * 977;
                struct world *w = make(of);
                for (size_t i = 0; i < 40; i++) {
                        int r = ask(w, of, (unsigned)seed);
                        ran += r > 0;
                        waited += r == 0;
                }
                world_free(w);
        }
        assert_true(ran > 300 && waited > 300);
}

/* Hundreds of nodes of four kinds: each two would be within one of the limits. */
static void unfinished_search_asks_again(void **unused) {
        const char *conf =
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\nSelectTypeParameters=CR_Core_Memory\n"
                        "AccountingStorageEnforce=limits\nPartitionName=p Nodes=ALL Default=YES\nNodeName=n[1-300] CPUs=4 RealMemory=9000\n"
                        "NodeName=n[301-600] CPUs=5 RealMemory=7000\nNodeName=n[601-900] CPUs=6 RealMemory=5000\nNodeName=n[901-1200] CPUs=9 RealMemory=3000\n";
        struct job_spec s = { .batch = true,
                .account = (char *)(uintptr_t) "team",
                .min_nodes = 200,
                .max_nodes = 200,
                .share = SHARE_NO,
                .time_limit = 3600 * USEC_PER_SEC };
        const struct submitter submitter = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct world *w = NULL;
        struct job *j;

        assert_int_equal(world_new(conf, &w, &fail), 0);
        assert_int_equal(world_sacctmgr_line(w, "add account team grptres=cpu=1000,mem=1000000",
                                         &fail),
                        0);
        assert_int_equal(world_sacctmgr_line(w, "add user u account=team", &fail), 0);
        world_advance(w, w->now);
        assert_int_equal(job_admit(w->c, &s, &submitter, w->now, &j, NULL), SLUMBER_OK);
        world_turn(w);
        assert_int_equal(j->reason, REASON_ASSOC_GRP_MEM);
        for (size_t i = 0; i < 3; i++) {
                usec_t asked = j->waiting.last_sched_eval;
                world_advance(w, w->now + 30 * USEC_PER_SEC);
                assert_int_equal(j->waiting.last_sched_eval, asked + 30 * USEC_PER_SEC);
        }
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(placed_within_all_limits),
                cmocka_unit_test(unfinished_search_asks_again) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
