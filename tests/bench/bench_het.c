/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_het [NODES [CASE]]: turns in which heterogeneous jobs are hard to place: their components
 * have overlapping partitions, and want nearly all nodes of them.
 *
 *   rings    six components, each in half of the nodes, which overlap
 *   lists    four components that may each be in two partitions
 *   many     forty components
 *   never    more of them than there are nodes, which is only seen when all are placed
 *   limits   a limit that some nodes, but not those that come first, would keep
 *
 * With each figure goes a number that stands for all that was decided: two versions that decide the
 * same print the same. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "tests/bench/timed.h"

#define PARTITIONS 8u

static uint64_t seed;

static uint32_t below(uint32_t n) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(seed >> 33) % n;
}

/* A third of the nodes have 16 CPUs, the others 8.  Partition p3 is the half of the nodes that
   begins behind three eighths, and so on. */
static struct world *make(unsigned nodes, const char *user) {
        char *text = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nMaxJobCount=1000000\n"
                        "AccountingStorageEnforce=limits\n"
                        "NodeName=n[1-%u] CPUs=16 RealMemory=10000\nNodeName=n[%u-%u] CPUs=8 RealMemory=10000\n"
                        "PartitionName=p Nodes=ALL Default=YES\n",
                        nodes / 3, nodes / 3 + 1, nodes);
        struct world *w = NULL;
        struct fail fail = { 0 };

        for (unsigned i = 0; i < PARTITIONS; i++) {
                unsigned from = i * nodes / PARTITIONS, until = from + nodes / 2;
                _cleanup_free_ char *before = text, *rest = NULL;
                if (until > nodes)
                        rest = xasprintf(",n[1-%u]", until - nodes);
                text = xasprintf("%sPartitionName=p%u Nodes=n[%u-%u]%s\n", before, i, from + 1,
                                MIN(until, nodes), rest ? rest : "");
        }
        if (world_new(text, &w, &fail) < 0 ||
                        world_sacctmgr_line(w, "add account team", &fail) < 0 ||
                        world_sacctmgr_line(w, user, &fail) < 0) {
                fprintf(stderr, "bench_het: %s\n", fail.text);
                exit(1);
        }
        free(text);
        w->answering = true;
        w->tell_agents = false;
        world_advance(w, w->now);
        w->answering = false;
        return w;
}

static struct submitter who = { .uid = 1, .gid = 1, .user = "u", .group = "g" };

/* On each node a job, of some hours, that has it or a half of it. */
static void fill(struct world *w, unsigned nodes, const char *what) {
        struct bench b = { .w = w };

        for (unsigned i = 0; i < nodes; i++) {
                struct job_spec spec = { .batch = true,
                        .account = (char *)(uintptr_t) "team",
                        .min_nodes = 1,
                        .max_nodes = 1,
                        .num_tasks = 4,
                        .mem_per_node = 1000,
                        .time_limit = (1 + below(600)) * 60 * USEC_PER_SEC,
                        .share = below(3) ? SHARE_NO : SHARE_OK };
                struct fail fail = { 0 };
                struct job *j;
                if (job_admit(w->c, &spec, &who, w->now, &j, &fail) != SLUMBER_OK) {
                        fprintf(stderr, "bench_het: %s\n", fail.text);
                        exit(1);
                }
        }
        timed_turns(&b, what);
}

/* Some that end make room for some. */
static void ends(struct bench *b, size_t n, const char *what) {
        b->w->now += USEC_PER_SEC;
        for (size_t i = 0; i < n && b->w->c->n_active; i++) {
                struct job *j = b->w->c->active[below((uint32_t)b->w->c->n_active)];
                if (j->completing || j->state != JOB_RUNNING)
                        continue;
                job_end(b->w->c, j, JOB_COMPLETED, REASON_NONE, 0, b->w->now);
                for (size_t k = 0; k < j->placed.n_alloc; k++)
                        job_gone(b->w->c, j, j->placed.alloc[k].node, NULL, b->w->now);
        }
        timed_turns(b, what);
}

struct hard {
        const char *name;
        const char *what;
        const char *user;
        uint32_t components, jobs;
        uint32_t share; /* of the nodes that all want, in percent */
        bool list, mixed;
};

static void submit(struct world *w, const struct hard *h, unsigned nodes) {
        struct job_spec *specs = xnew0(struct job_spec, h->components);
        struct job **of = xnew0(struct job *, h->components);
        struct fail fail = { 0 };
        size_t failed;

        for (uint32_t i = 0; i < h->components; i++) {
                uint32_t at = below(PARTITIONS),
                         n = MAX(1u, nodes * h->share / 100 / h->components);
                specs[i] = (struct job_spec){ .batch = true,
                        .account = (char *)(uintptr_t) "team",
                        .partition = h->list ? xasprintf("p%u,p%u", at, (at + 3) % PARTITIONS)
                                     : h->mixed && i % 2 ? xstrdup("p")
                                                         : xasprintf("p%u", at),
                        .min_nodes = n,
                        .max_nodes = n,
                        .num_tasks = n * (h->mixed && i % 2 ? 12 : 4),
                        .mem_per_node = 1000,
                        .time_limit = (10 + below(300)) * 60 * USEC_PER_SEC,
                        .share = i % 2 ? SHARE_NO : SHARE_OK };
        }
        if (het_admit(w->c, specs, h->components, &who, w->now, of, &failed, &fail) != SLUMBER_OK) {
                fprintf(stderr, "bench_het: component %zu was refused: %s\n", failed, fail.text);
                exit(1);
        }
        for (uint32_t i = 0; i < h->components; i++)
                free(specs[i].partition);
        free(specs);
        free(of);
}

static const struct hard cases[] = {
        { "rings", "six components, each in half of the nodes", "add user u account=team", 6, 30,
                        90, false, false },
        { "lists", "four that may each be in two partitions", "add user u account=team", 4, 30, 90,
                        true, false },
        { "many", "forty components", "add user u account=team", 40, 5, 90, false, false },
        { "never", "six of more nodes than there are", "add user u account=team", 6, 30, 104, false,
                        true },
        { "limits", "six beyond a limit", "add user u account=team grptres=cpu=", 6, 30, 60, true,
                        false },
};

static void run(const struct hard *h, unsigned nodes) {
        seed = 1;
        _cleanup_free_ char *user = h->user[strlen(h->user) - 1] == '='
                                                    ? xasprintf("%s%u", h->user, nodes * 8)
                                                    : xstrdup(h->user);
        struct bench b = { .w = make(nodes, user) };
        _cleanup_free_ char *full = xasprintf("%s: a job on each of %u nodes", h->name, nodes),
                            *what = xasprintf("%s: %s", h->name, h->what),
                            *end = xasprintf("%s: a tenth of the jobs end", h->name);

        for (uint32_t i = 0; i < h->jobs; i++)
                submit(b.w, h, nodes);
        timed_turns(&b, what);
        fill(b.w, nodes, full);
        for (uint32_t i = 0; i < h->jobs; i++)
                submit(b.w, h, nodes);
        timed_turns(&b, what);
        for (int i = 0; i < 3; i++)
                ends(&b, b.w->c->n_active / 10, end);
        world_free(b.w);
}

int main(int argc, char **argv) {
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;

        setvbuf(stdout, NULL, _IOLBF, 0);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                if (argc < 3 || streq(argv[2], cases[i].name))
                        run(&cases[i], nodes);
        return 0;
}
