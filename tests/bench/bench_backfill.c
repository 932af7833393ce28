/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_backfill [NODES [cores [JOBS [SEED]]]]: the plan of a long queue from nothing, what one
 * event costs the pass over the queue and the plan, and what a pending job and a node take of
 * memory. All nodes are busy; jobs are of 1 to NODES/10 nodes and 10 minutes to a day, from a fixed
 * seed; heterogeneous ones have three components.
 *
 * cores: nodes of 64 cores that jobs share (plan_whole_nodes: no); half of the jobs ask for cores.
 * With each of these figures goes a number that stands for all places of the plan: two versions
 * that plan the same print the same. */
#include "controller/jobs/job_events.h"
#include "controller/nodes/node_events.h"
#include "controller/sched/backfill.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <sys/resource.h>

#define NOW (1700000000 * USEC_PER_SEC)

static uint64_t seed;

static uint32_t below(uint32_t n) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(seed >> 33) % n;
}

/* As often between 1 and 2 as between 500 and 1,000. */
static uint32_t spread(double from, double to) {
        return (uint32_t)(from * exp(log(to / from) * below(1 << 20) / (1 << 20)));
}

static struct cluster *make(unsigned nodes, unsigned cpus, const char *select) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "%s\nMaxJobCount=1000000\nNodeName=n[1-%u] CPUs=%u\nPartitionName=p Nodes=ALL Default=YES\n",
                        select, nodes, cpus);
        struct config *config = NULL;
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        if (config_parse("bench", text, strlen(text), &config, &fail) < 0 ||
                        cluster_new(config, NOW, &c, &fail) < 0) {
                fprintf(stderr, "bench_backfill: %s\n", fail.text);
                exit(1);
        }
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct registration reg = { .version = "1",
                        .hardware = c->nodes[i]->configured,
                        .boot_time = NOW,
                        .start_time = NOW };
                (void)node_register(c, c->nodes[i], &reg, NOW, NULL);
        }
        return c;
}

static void submit_spec(struct cluster *c, struct job_spec spec) {
        struct fail fail = { 0 };
        struct job *j;

        enum slumber_error e = job_admit(c, &spec,
                        &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" }, NOW,
                        &j, &fail);

        if (e != SLUMBER_OK) {
                fprintf(stderr, "bench_backfill: a job of %u nodes was refused: error %d %s\n",
                                spec.min_nodes, (int)e, fail.text);
                exit(1);
        }
}

static void submit(struct cluster *c, uint32_t nodes, uint32_t seconds) {
        submit_spec(c, (struct job_spec){ .batch = true,
                                       .min_nodes = nodes,
                                       .max_nodes = nodes,
                                       .num_tasks = nodes * 8,
                                       .time_limit = seconds * USEC_PER_SEC });
}

/* A job of that many cores of each node; 0: whole nodes (--exclusive). */
static struct job_spec cores_spec(uint32_t nodes, uint32_t cores, uint32_t seconds) {
        return (struct job_spec){ .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = nodes,
                .cpus_per_task = MAX(1u, cores),
                .share = cores ? 0 : SHARE_NO,
                .time_limit = seconds * USEC_PER_SEC };
}

static void submit_cores(struct cluster *c, uint32_t nodes, uint32_t cores, uint32_t seconds) {
        submit_spec(c, cores_spec(nodes, cores, seconds));
}

/* Components of a heterogeneous job. */
#define COMPONENTS 3

static void submit_het(struct cluster *c, uint32_t nodes, uint32_t seconds) {
        struct job_spec specs[COMPONENTS];
        struct job *of[COMPONENTS];
        struct fail fail = { 0 };
        size_t failed;

        for (size_t i = 0; i < COMPONENTS; i++)
                specs[i] = (struct job_spec){ .batch = true,
                        .min_nodes = MAX(1u, nodes / (1 + i)),
                        .max_nodes = MAX(1u, nodes / (1 + i)),
                        .num_tasks = MAX(1u, nodes / (1 + i)) * 8,
                        .time_limit = seconds * USEC_PER_SEC };
        if (het_admit(c, specs, COMPONENTS,
                            &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                            NOW, of, &failed, &fail) == SLUMBER_OK)
                return;
        fprintf(stderr, "bench_backfill: component %zu was refused: %s\n", failed, fail.text);
        exit(1);
}

static double cpu_ms(void) {
        struct rusage u;

        getrusage(RUSAGE_SELF, &u);
        return (double)u.ru_utime.tv_sec * 1000 + (double)u.ru_utime.tv_usec / 1000;
}

struct cost {
        double ms, longest;
        unsigned turns;
};

/* Turns until nothing is left to do at that moment; the first of them has the pass over the
   queue. */
static struct cost settle(struct cluster *c, usec_t now) {
        struct cost all = { 0 };

        do {
                double from = cpu_ms();
                turn(c, now);
                double took = cpu_ms() - from;
                effects_done(&c->effects);
                all.ms += took;
                all.longest = MAX(all.longest, took);
                all.turns++;
        } while (cluster_next_deadline(c) <= now);
        return all;
}

static void fill(struct cluster *c, unsigned nodes) {
        for (unsigned left = nodes; left;) {
                uint32_t n = spread(1, MAX(2, nodes / 10));
                n = MIN(left, n);
                submit(c, n, 600 + below(86400));
                left -= n;
        }
        (void)settle(c, NOW);
}

static size_t planned(const struct cluster *c) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_queue; i++)
                n += c->queue[i]->job->waiting.plan != NULL;
        return n;
}

static size_t plan_bytes(const struct cluster *c) {
        size_t bytes = 0;

        for (size_t i = 0; i < c->n_queue; i++)
                if (c->queue[i]->job->waiting.plan)
                        bytes += sizeof(struct job_plan) +
                                 c->queue[i]->job->waiting.plan->n_ranges *
                                                 sizeof(struct node_range);
        return bytes;
}

static void hash_word(uint64_t *hash, uint64_t word) {
        *hash = (*hash ^ word) * 0x9e3779b97f4a7c15u;
        *hash ^= *hash >> 29;
}

/* Of who runs, and of each waiting job's place: when, on which nodes, and what it takes there. */
static uint64_t plan_hash(const struct cluster *c) {
        uint64_t hash = c->n_active;

        for (size_t i = 0; i < c->n_queue; i++) {
                const struct job *j = c->queue[i]->job;
                const struct job_plan *p = j->waiting.plan;
                hash_word(&hash, j->id);
                if (!p)
                        continue;
                hash_word(&hash, p->start);
                hash_word(&hash, p->until);
                for (size_t k = 0; k < p->n_ranges + p->n_licenses + p->n_parts + p->n_takes; k++)
                        hash_word(&hash, (uint64_t)p->ranges[k].from << 32 | p->ranges[k].n);
        }
        return hash;
}

static void end_one(struct cluster *c) {
        struct job *j = c->active[c->n_active / 2];

        job_end(c, j, JOB_COMPLETED, REASON_NONE, NULL, NOW + USEC_PER_SEC);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                job_gone(c, j, j->placed.alloc[i].node, NULL, NOW + USEC_PER_SEC);
}

/* Every so many jobs one is heterogeneous; 0: none. */
static void run(unsigned nodes, unsigned jobs, unsigned het, const char *select, const char *what) {
        seed = 1;
        struct cluster *c = make(nodes, 8, select);
        fill(c, nodes);
        for (unsigned i = 0; i < jobs; i++) {
                uint32_t n = spread(1, MAX(2, nodes / 10)), seconds = 60 * (10 + spread(1, 1430));
                if (het && i % het == 0)
                        submit_het(c, n, seconds);
                else
                        submit(c, n, seconds);
        }
        struct cost plan = settle(c, NOW);
        printf("%7u jobs on %6u nodes, %s: planned %zu in %.0f ms of %u turns, the longest %.1f ms; %.0f bytes a job, %.0f a node\n",
                        jobs, nodes, what, planned(c), plan.ms, plan.turns, plan.longest,
                        (double)plan_bytes(c) / jobs, (double)backfill_bytes(c) / nodes);
        end_one(c);
        double from = cpu_ms();
        note(c, FACT_PASS_DUE);
        sched_pass(c, NOW + USEC_PER_SEC, true);
        double pass = cpu_ms() - from;
        struct cost event = settle(c, NOW + USEC_PER_SEC);
        printf("        a job ends: the pass over the queue %.2f ms; the plan %.0f ms of %u turns, the longest %.1f ms\n",
                        pass, event.ms, event.turns, event.longest);
        submit(c, 1, 600);
        event = settle(c, NOW + USEC_PER_SEC);
        printf("        one more job: %.2f ms of %u turns\n", event.ms, event.turns);
        cluster_free(c);
}

/* Nodes of 64 cores, of which half are full of jobs of some cores. */
static struct cluster *make_cores(unsigned nodes) {
        struct cluster *c = make(nodes, 64,
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core");

        c->config->bf.parts = true;
        for (unsigned left = nodes / 2; left;) {
                uint32_t n = spread(1, MAX(2, nodes / 10));
                n = MIN(left, n);
                submit_cores(c, n, 0, 600 + below(86400));
                left -= n;
        }
        (void)settle(c, NOW);
        for (unsigned i = 0; i < nodes / 2; i++)
                for (uint32_t left = 64; left;) {
                        uint32_t n = spread(8, 64);
                        n = MIN(left, n);
                        submit_cores(c, 1, n, 600 + below(86400));
                        left -= n;
                }
        (void)settle(c, NOW);
        return c;
}

static void show(const struct cluster *c, const char *what, struct cost cost) {
        printf("        %s: %.2f ms of %u turns, the longest %.1f ms  %016" PRIx64 "\n", what,
                        cost.ms, cost.turns, cost.longest, plan_hash(c));
}

/* sbatch --test-only of a job that would be the first of the queue, on an eighth of the nodes. */
static void ask_first(struct cluster *c, unsigned nodes) {
        struct job_spec spec = cores_spec(nodes / 8, 4, 3600);
        struct fail fail = { 0 };
        struct estimate *when = NULL;
        struct job *j;

        spec.priority = UINT32_MAX - 1;
        if (job_check(c, &spec, &(struct submitter){ .user = "root", .group = "root" },
                            NOW + USEC_PER_SEC, &j, &fail) != SLUMBER_OK)
                errx(1, "bench_backfill: %s", fail.text);
        double from = cpu_ms();
        int r = job_estimate(c, j, NOW + USEC_PER_SEC, &when);
        printf("        --test-only of a first job: %.2f ms, %s in %.0f s  %016" PRIx64 "\n",
                        cpu_ms() - from, r < 0 ? "never" : "starts",
                        r < 0 ? 0.0 : (double)(estimate_start(when) - NOW) / (double)USEC_PER_SEC,
                        plan_hash(c));
        estimate_free(when);
        job_free(j);
}

/* Half of the pending jobs, too, ask for some cores: of one node, or a tenth of them of up to
   eight. */
static void run_cores(unsigned nodes, unsigned jobs, unsigned from_seed) {
        seed = from_seed;
        struct cluster *c = make_cores(nodes);
        size_t running = c->n_active;

        for (unsigned i = 0; i < jobs; i++) {
                uint32_t seconds = 60 * (10 + spread(1, 1430));
                if (i % 2)
                        submit_cores(c, spread(1, MAX(2, nodes / 10)), 0, seconds);
                else
                        submit_cores(c, i % 20 ? 1 : 1 + below(8), spread(1, 64), seconds);
        }
        struct cost plan = settle(c, NOW);
        printf("%7u jobs on %6u nodes of 64 cores with %zu jobs, half for cores: planned %zu; %.0f bytes a node\n",
                        jobs, nodes, running, planned(c), (double)backfill_bytes(c) / nodes);
        show(c, "the whole plan", plan);
        end_one(c);
        show(c, "a job ends", settle(c, NOW + USEC_PER_SEC));
        submit_cores(c, 1, 4, 600);
        show(c, "one more job", settle(c, NOW + USEC_PER_SEC));
        ask_first(c, nodes);
        cluster_free(c);
}

int main(int argc, char **argv) {
        static const char linear[] = "SelectType=select/linear",
                          shared[] = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core";
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 10000;

        setvbuf(stdout, NULL, _IOLBF, 0);
        if (argc > 2 && streq(argv[2], "cores")) {
                run_cores(nodes, argc > 3 ? (unsigned)atoi(argv[3]) : 10000,
                                argc > 4 ? (unsigned)atoi(argv[4]) : 1);
                return 0;
        }
        run(nodes, 1000, 0, linear, "whole");
        run(nodes, 3000, 0, linear, "whole");
        run(nodes, 10000, 0, linear, "whole");
        run(nodes, 10000, 0, shared, "shared");
        run(nodes, 10000, 10, linear, "whole, a tenth of three components");
        run(nodes / 10, 10000, 0, linear, "whole");
        run(nodes, 100000, 0, linear, "whole");
        return 0;
}
