/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_limits [NODES [CASE]]: turns over long queues in which few or none can start.
 *
 *   types    jobs that each ask for something else, and that a limit on types of GPUs refuses on
 * all nodes plans    jobs that are planned, under a limit; each turn one ends and another starts
 *   queue    a long queue of jobs that delay no other, and jobs that start behind it
 *   fill     jobs of many sizes come to an empty cluster
 *   near     GPUs lie near some cores each, and jobs come that want them on many nodes
 *   cores    1,000 reservations have some cores of each node, and jobs come that want most nodes
 *
 * With each figure goes a number that stands for all that was decided: two versions that decide the
 * same print the same. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "controller/updates/reservation_edit.h"
#include "tests/bench/timed.h"

static struct world *make(unsigned nodes, const char *more, const char *const *accounts) {
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nMaxJobCount=1000000\nGresTypes=gpu\n"
                        "AccountingStorageEnforce=limits\nAccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:v100\n"
                        "NodeName=n[1-%u] CPUs=8 RealMemory=10000 Gres=gpu:a100:4,gpu:v100:4 Feature=f\n"
                        "PartitionName=p Nodes=ALL Default=YES\n%s",
                        nodes, more);
        struct world *w = NULL;
        struct fail fail = { 0 };
        int r = world_new(conf, &w, &fail);

        for (; r >= 0 && *accounts; accounts++)
                r = world_sacctmgr_line(w, *accounts, &fail);
        if (r < 0) {
                fprintf(stderr, "bench_limits: %s\n", fail.text);
                exit(1);
        }
        w->answering = true;
        w->tell_agents = false;
        world_advance(w, w->now);
        w->answering = false;
        return w;
}

static struct job *submit(struct world *w, struct job_spec spec) {
        struct fail fail = { 0 };
        struct job *j;

        spec.batch = true;
        spec.account = (char *)(uintptr_t) "team";
        spec.min_nodes = MAX(1u, spec.min_nodes);
        if (job_admit(w->c, &spec,
                            &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                            w->now, &j, &fail) != SLUMBER_OK) {
                fprintf(stderr, "bench_limits: %s\n", fail.text);
                exit(1);
        }
        return j;
}

static void types(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team maxtresperjob=gres/gpu:a100=1,gres/gpu:v100=1",
                "add user u account=team",
                NULL,
        };
        struct bench b = { .w = make(nodes, "", accounts) };

        for (uint32_t i = 1; i <= 40; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = 4,
                                                  .mem_per_node = 100 + i,
                                                  .tres_per_job = (char *)(uintptr_t) "gpu:4" });
        timed_turns(&b, "types: 40 jobs that a limit on types of GPUs refuses");
        (void)submit(b.w, (struct job_spec){ .num_tasks = 1 });
        timed_turns(&b, "types: another job comes, which can start");
        world_free(b.w);
}

/* Each turn one ends. */
static void ends(struct bench *b, uint32_t id, const char *what) {
        struct job *j = cluster_job(b->w->c, id);

        b->w->now += USEC_PER_SEC;
        job_end(b->w->c, j, JOB_COMPLETED, REASON_NONE, 0, b->w->now);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                job_gone(b->w->c, j, j->placed.alloc[i].node, NULL, b->w->now);
        timed_turns(b, what);
}

static void plans(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team grptres=cpu=1000000",
                "add user u account=team",
                NULL,
        };
        struct bench b = { .w = make(nodes, "", accounts) };

        for (uint32_t i = 0; i < 3 * nodes; i++)
                (void)submit(b.w,
                                (struct job_spec){ .num_tasks = 8,
                                                .max_nodes = 1,
                                                .time_limit = (1 + i % 7) * 3600 * USEC_PER_SEC });
        timed_turns(&b, "plans: a job on each node, two more planned there");
        for (uint32_t id = 1; id <= 5; id++)
                ends(&b, id, "plans: a job ends, another starts");
        world_free(b.w);
}

static void queue(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team grptres=cpu=1000000",
                "add user u account=team",
                NULL,
        };
        struct bench b = { .w = make(nodes, "SchedulerParameters=bf_easy\n", accounts) };

        for (uint32_t i = 0; i < nodes; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = 7,
                                                  .max_nodes = 1,
                                                  .mem_per_node = 100 });
        timed_turns(&b, "queue: a job on each node");
        for (uint32_t i = 0; i < 10 * nodes; i++) /* features delay no job */
                (void)submit(b.w, (struct job_spec){ .num_tasks = 8,
                                                  .max_nodes = 1,
                                                  .mem_per_node = 100,
                                                  .features = (char *)(uintptr_t) "f",
                                                  .min_cpus_node = 1 + i / nodes % 8 });
        timed_turns(&b, "queue: ten times as many jobs wait, of 8 kinds");
        for (uint32_t i = 0; i < nodes / 10; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = 1,
                                                  .max_nodes = 1,
                                                  .mem_per_node = 100 + i });
        timed_turns(&b, "queue: others come, behind them, that can start");
        for (uint32_t i = 0; i < 20; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = 8,
                                                  .max_nodes = 1,
                                                  .mem_per_node = 100 + i,
                                                  .features = (char *)(uintptr_t) "f" });
        timed_turns(&b, "queue: 20 others that cannot");
        ends(&b, 1, "queue: a job ends, another starts");
        world_free(b.w);
}

static void fill(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team",
                "add user u account=team",
                NULL,
        };
        struct bench b = { .w = make(nodes, "", accounts) };

        for (uint32_t i = 0; i < 2 * nodes; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = 2 + i % 5,
                                                  .min_nodes = 1 + i % 2,
                                                  .max_nodes = 1 + i % 2,
                                                  .mem_per_cpu = 500 });
        timed_turns(&b, "fill: jobs of many sizes");
        world_free(b.w);
}

static void cores(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team",
                "add user u account=team",
                NULL,
        };
        struct bench b = { .w = make(nodes, "", accounts) };

        for (unsigned i = 0; i < 1000; i++) {
                _cleanup_free_ char *start = xasprintf("now+%u", 3600 * i),
                                    *node = xasprintf("n%u", 1 + i % nodes);
                struct update_setting wanted[] = {
                        { "StartTime", start },
                        { "Duration", "60" },
                        { "Users", "other" },
                        { "CoreCnt", "2" },
                        { "Nodes", node },
                };
                struct fail fail = { 0 };
                struct resv *r;
                if (resv_create(b.w->c, wanted, ELEMENTSOF(wanted), 0, b.w->now, &r, &fail) !=
                                SLUMBER_OK) {
                        fprintf(stderr, "bench_limits: %s\n", fail.text);
                        exit(1);
                }
        }
        for (uint32_t i = 0; i < 20; i++)
                (void)submit(b.w, (struct job_spec){ .num_tasks = nodes * 4 / 5,
                                                  .min_nodes = nodes * 4 / 5,
                                                  .mem_per_node = 100 + i });
        timed_turns(&b, "cores: 20 jobs on four fifths of the nodes, beside 1,000 reservations of cores");
        world_free(b.w);
}

/* Twice as many as can run; every other one keeps to the cores near its GPUs, so that it is known
   of each node how many tasks can. */
static void near(unsigned nodes) {
        static const char *const accounts[] = {
                "add account team",
                "add user u account=team",
                NULL,
        };
        static const struct job_spec asked[] = {
                { .num_tasks = 2, .tres_per_node = (char *)(uintptr_t) "gpu:1" },
                { .num_tasks = 3, .tres_per_node = (char *)(uintptr_t) "gpu:2" },
                { .num_tasks = 2, .tres_per_job = (char *)(uintptr_t) "gpu:%u" },
                { .num_tasks = 1, .tres_per_task = (char *)(uintptr_t) "gpu:1" },
        };
        struct bench b = {
                .w = make(nodes,
                                "gres.conf Name=gpu Type=a100 File=/dev/a[0-1] Cores=0-1\ngres.conf Name=gpu Type=a100 File=/dev/a[2-3] Cores=2-3\n"
                                "gres.conf Name=gpu Type=v100 File=/dev/v[0-3] Cores=4-7\n",
                                accounts)
        };

        for (uint32_t i = 0; i < 40; i++) {
                struct job_spec s = asked[i / 2 % ELEMENTSOF(asked)];
                _cleanup_free_ char *all = xasprintf("gpu:%u", nodes / 4 * 2);
                s.min_nodes = s.max_nodes = nodes / 4;
                s.num_tasks *= s.min_nodes;
                s.mem_per_node = 100 + i;
                s.gres_binding = i % 2 ? GRES_BINDING_ENFORCED : GRES_BINDING_PREFERRED;
                if (s.tres_per_job)
                        s.tres_per_job = all;
                (void)submit(b.w, s);
        }
        timed_turns(&b, "near: 40 jobs on a quarter of the nodes each");
        for (uint32_t id = 1; id <= 4; id++)
                ends(&b, id, "near: a job ends, another starts");
        world_free(b.w);
}

int main(int argc, char **argv) {
        static const struct {
                const char *name;
                void (*run)(unsigned nodes);
        } cases[] = {
                { "types", types },
                { "plans", plans },
                { "queue", queue },
                { "fill", fill },
                { "near", near },
                { "cores", cores },
        };
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 10000;
        bool known = false;

        setvbuf(stdout, NULL, _IOLBF, 0);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                if (argc < 3 || streq(argv[2], cases[i].name)) {
                        cases[i].run(nodes);
                        known = true;
                }
        if (!known)
                fprintf(stderr, "bench_limits: there is no case \"%s\", only types, plans, queue, fill, near and cores\n",
                                argv[2]);
        return known ? 0 : 2;
}
