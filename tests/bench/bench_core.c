/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_core [NODES [JOBS]]: what the core costs: placing large jobs, a pass over a long queue,
   putting all to sleep. */
#include "controller/jobs/job_events.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/scenario/world.h"

static struct world *make(unsigned nodes, const char *state) {
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMaxJobCount=1000000\n"
                        "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/partition_prio\n"
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=5\nSuspendRate=0\n"
                        "ResumeRate=0\nNodeName=n[1-%u] CPUs=8 State=%s Feature=f\n"
                        "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\n"
                        "PartitionName=low PriorityTier=1 Default=YES\nPartitionName=high PriorityTier=2\n"
                        "PartitionName=other PriorityTier=1\nPartitionName=down State=DOWN\n",
                        nodes, state);
        struct world *w = NULL;
        struct fail fail = { 0 };

        if (world_new(conf, &w, &fail) < 0) {
                fprintf(stderr, "bench_core: %s\n", fail.text);
                exit(1);
        }
        w->answering = false;
        return w;
}

static void admit(struct world *w, const struct job_spec *spec) {
        struct fail fail = { 0 };
        struct job *j;

        if (job_admit(w->c, spec,
                            &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                            w->now, &j, &fail) != SLUMBER_OK)
                abort();
}

static void submit(struct world *w, const char *partition, uint32_t nodes, const char *features) {
        admit(w, &(struct job_spec){ .batch = true,
                                 .partition = (char *)(uintptr_t)partition,
                                 .min_nodes = nodes,
                                 .max_nodes = nodes,
                                 .num_tasks = nodes * 8,
                                 .features = (char *)(uintptr_t)features });
}

static void submit_on(struct world *w, const char *node) {
        admit(w, &(struct job_spec){ .batch = true,
                                 .partition = (char *)(uintptr_t) "low",
                                 .min_nodes = 1,
                                 .max_nodes = 1,
                                 .num_tasks = 1,
                                 .req_nodes = (char *)(uintptr_t)node });
}

static void step(struct world *w) {
        turn(w->c, w->now);
        effects_done(&w->c->effects);
}

static double ms_since(usec_t from) {
        return (double)(now_monotonic() - from) / 1000;
}

static void timed_turn(struct world *w, const char *what) {
        usec_t from = now_monotonic();

        step(w);
        printf("%-60s %8.3f ms\n", what, ms_since(from));
}

/* Each of another name, so that no job is waited for: the search finds none. */
static void submit_singletons(struct world *w) {
        char name[16];
        usec_t from = now_monotonic();

        for (unsigned i = 0; i < 1000; i++) {
                snprintf(name, sizeof name, "s%u", i);
                admit(w, &(struct job_spec){ .batch = true,
                                         .partition = (char *)(uintptr_t) "low",
                                         .min_nodes = 1,
                                         .max_nodes = 1,
                                         .num_tasks = 1,
                                         .name = name,
                                         .dependency = (char *)(uintptr_t) "singleton" });
        }
        printf("%-60s %8.3f ms\n", "1,000 singletons of names of their own admitted",
                        ms_since(from));
        timed_turn(w, "a pass with them");
}

/* Jobs that each name a node where another runs. */
static void name_busy_nodes(unsigned nodes) {
        struct world *w = make(nodes, "CLOUD");

        submit(w, "low", nodes, NULL);
        step(w);
        for (unsigned i = 0; i < 4000; i++)
                submit_on(w, w->c->nodes[i % 200]->name);
        timed_turn(w, "4,000 jobs that name one of 200 busy nodes");
        note(w->c, FACT_PASS_DUE);
        timed_turn(w, "a pass with them");
        for (unsigned i = 0; i < 4000; i++)
                submit_on(w, w->c->nodes[0]->name);
        timed_turn(w, "4,000 more that name the same one");
        world_free(w);
}

int main(int argc, char **argv) {
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 10000,
                 jobs = argc > 2 ? (unsigned)atoi(argv[2]) : 10000;
        struct world *w = make(nodes, "CLOUD");
        usec_t from;

        setvbuf(stdout, NULL, _IOLBF, 0);
        printf("%u nodes, %u jobs\n", nodes, jobs);
        submit(w, "low", nodes / 2, NULL);
        timed_turn(w, "half of the nodes for one job, asleep: placed and woken");
        submit(w, "low", nodes - nodes / 2, NULL);
        timed_turn(w, "the other half");
        from = now_monotonic();
        for (unsigned i = 0; i < jobs; i++)
                submit(w, i % 2 ? "low" : "other", 1, NULL);
        printf("%-60s %8.3f ms\n", "all jobs admitted", ms_since(from));
        timed_turn(w, "first pass over the blocked queue");
        note(w->c, FACT_PASS_DUE);
        timed_turn(w, "a pass over the blocked queue");
        for (unsigned i = 0; i < 1000; i++)
                submit(w, "low", 1, "f");
        timed_turn(w, "1,000 more that want a feature");
        note(w->c, FACT_PASS_DUE);
        timed_turn(w, "a pass with them");
        for (unsigned i = 0; i < 1000; i++)
                submit(w, "down", 1, NULL);
        timed_turn(w, "1,000 more in a partition that is down");
        submit(w, "low", 1, NULL);
        timed_turn(w, "one more job");
        submit_singletons(w);
        submit(w, "high", nodes / 2, NULL);
        timed_turn(w, "a high job that cannot stop what boots");
        world_free(w);
        name_busy_nodes(nodes);
        w = make(nodes, "UNKNOWN");
        w->answering = true;
        w->tell_agents = false;
        from = now_monotonic();
        world_advance(w, w->now);
        printf("%-60s %8.3f ms\n", "all nodes register, a turn each", ms_since(from));
        w->answering = false;
        submit(w, "low", nodes / 2, NULL);
        timed_turn(w, "half of the nodes, up: placed and launched");
        submit(w, "high", nodes / 2 + 10, NULL);
        timed_turn(w, "a high job that stops it");
        for (size_t i = 0; i < w->c->n_jobs; i++)
                (void)job_cancel(w->c, w->c->jobs[i].job, 0, w->now);
        step(w);
        for (size_t i = 0; i < w->c->n_jobs; i++)
                for (size_t k = 0; k < w->c->jobs[i].job->placed.n_alloc; k++)
                        job_gone(w->c, w->c->jobs[i].job, w->c->jobs[i].job->placed.alloc[k].node,
                                        NULL, w->now);
        step(w);
        w->now += 6 * USEC_PER_SEC;
        timed_turn(w, "SuspendTime of all nodes at once");
        world_free(w);
        return 0;
}
