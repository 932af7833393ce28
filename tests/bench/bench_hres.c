/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_hres [NODES [JOBS]]: what a pass over the queue and its whole plan cost, without and with
 * four hierarchical resources of three levels, of which every second job asks for two. */
#include "controller/jobs/job_events.h"
#include "controller/sched/backfill.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/scenario/world.h"

static uint64_t state = 1;

static uint32_t roll(uint32_t n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

/* The top, four parts of it, and four parts of each of these. */
static char *resources(unsigned nodes, bool scarce) {
        static const unsigned modes[] = { 1, 2, 2, 3 };
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (unsigned r = 0; r < ELEMENTSOF(modes); r++) {
                fprintf(out, "resources.yaml - resource: r%u\nresources.yaml   mode: MODE_%u\nresources.yaml   layers:\n",
                                r, modes[r]);
                for (unsigned parts = 1; parts <= 16; parts *= 4)
                        for (unsigned i = 0; i < parts; i++)
                                fprintf(out, "resources.yaml     - {nodes: 'n[%u-%u]', count: %u}\n",
                                                nodes * i / parts + 1, nodes * (i + 1) / parts,
                                                !scarce ? 3 * nodes / (parts * 2) + 10
                                                : modes[r] == RESOURCE_MODE_3
                                                                ? nodes / (parts * 2) + 130
                                                                : nodes / (parts * 60) + 12);
        }
        memstream_close(out);
        return text;
}

static struct world *make(unsigned nodes, bool scarce) {
        _cleanup_free_ char *
                        text = resources(nodes, scarce),
                       *conf = xasprintf(
                                       "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                                       "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMaxJobCount=1000000\n"
                                       "NodeName=n[1-%u] CPUs=8\nPartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE\n%s",
                                       nodes, text);
        struct world *w = NULL;
        struct fail fail = { 0 };

        if (world_new(conf, &w, &fail) < 0) {
                fprintf(stderr, "bench_hres: %s\n", fail.text);
                exit(1);
        }
        w->tell_agents = false;
        world_advance(w, w->now);
        w->answering = false;
        return w;
}

static void submit(struct world *w, uint32_t nodes, bool asks) {
        _cleanup_free_ char *licenses = asks ? xasprintf("r%u:%u,r%u:%u", roll(2), 1 + roll(3),
                                                               2 + roll(2), 1 + roll(2))
                                             : NULL;
        const struct job_spec spec = { .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = nodes * 8,
                .tasks_set = true,
                .time_limit = (60 + 60 * roll(600)) * USEC_PER_SEC,
                .licenses = licenses };
        const struct submitter by = { .uid = 1000, .gid = 1, .user = "u", .group = "g" };
        struct fail fail = { 0 };
        struct job *j;

        if (job_admit(w->c, &spec, &by, w->now, &j, &fail) != SLUMBER_OK) {
                fprintf(stderr, "bench_hres: %s\n", fail.text);
                exit(1);
        }
}

static double ms_since(usec_t from) {
        return (double)(now_monotonic() - from) / 1000;
}

static size_t planned(const struct world *w) {
        size_t n = 0;

        for (size_t i = 0; i < w->c->n_queue; i++)
                n += w->c->queue[i]->job->waiting.plan != NULL;
        return n;
}

/* Until each job has its place. */
static void timed_plan(struct world *w, const char *what) {
        usec_t from = now_monotonic();
        size_t turns = 0;

        do {
                turn(w->c, w->now);
                effects_done(&w->c->effects);
                turns++;
        } while ((w->c->planned.sound < w->c->n_queue || w->c->planned.end > w->c->planned.sound) &&
                        turns < 100000);
        printf("%-52s %9.1f ms (%zu turns, %zu pending, %zu planned)\n", what, ms_since(from),
                        turns, w->c->n_queue, planned(w));
}

static void timed_pass(struct world *w) {
        usec_t from = now_monotonic();

        sched_pass(w->c, w->now, true);
        printf("%-52s %9.1f ms\n", "  a pass over the queue", ms_since(from));
        effects_done(&w->c->effects);
}

static void run(unsigned nodes, unsigned jobs, bool asks, bool scarce) {
        struct world *w = make(nodes, scarce);

        for (unsigned taken = 0; taken < nodes;) {
                uint32_t n = MIN(1 + roll(40), nodes - taken);
                submit(w, n, asks && roll(2));
                taken += n;
        }
        timed_plan(w, asks ? "running jobs, half with two resources" : "running jobs");
        for (unsigned i = 0; i < jobs; i++)
                submit(w, 1 + roll(64), asks && i % 2);
        timed_plan(w, asks ? "the plan, every second job with two resources" : "the plan");
        timed_pass(w);
        printf("%-52s %9zu KB\n", "  memory of the plan, without the plans themselves",
                        backfill_bytes(w->c) / 1024);
        world_free(w);
}

int main(int argc, char **argv) {
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 10000,
                 jobs = argc > 2 ? (unsigned)atoi(argv[2]) : 10000;

        setvbuf(stdout, NULL, _IOLBF, 0);
        printf("%u nodes, %u pending jobs\n", nodes, jobs);
        run(nodes, jobs, false, false);
        run(nodes, jobs, true, false);
        printf("scarce: most jobs wait for them\n");
        run(nodes, jobs, true, true);
        return 0;
}
