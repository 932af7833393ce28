/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_preempt [NODES [PREEMPTORS [MODE]]]: what it costs that many urgent jobs each stop one of
 * many that run, by CANCEL, REQUEUE and SUSPEND, and to look at them again while their victims are
 * on the way out.  MODE EXEMPT: jobs of half the nodes each look in vain for a start behind the
 * PreemptExemptTime of victims that have started 1 s apart.  With each figure goes a number that
 * stands for all that was decided: two versions that decide the same print the same. */
#include "controller/jobs/job_events.h"
#include "controller/sched/sched.h"
#include "tests/bench/timed.h"

static struct world *make(unsigned nodes, const char *mode, const char *exempt) {
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nMaxJobCount=1000000\n"
                        "PreemptMode=%s\nPreemptType=preempt/partition_prio\nPreemptExemptTime=%s\n"
                        "NodeName=n[1-%u] CPUs=8 RealMemory=10000\n"
                        "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL GraceTime=60\n"
                        "PartitionName=low PriorityTier=1 Default=YES\nPartitionName=mid PriorityTier=2\n"
                        "PartitionName=high PriorityTier=3\n",
                        mode, exempt, nodes);
        struct world *w = NULL;
        struct fail fail = { 0 };

        if (world_new(conf, &w, &fail) < 0) {
                fprintf(stderr, "bench_preempt: %s\n", fail.text);
                exit(1);
        }
        w->answering = true;
        w->tell_agents = false;
        world_advance(w, w->now);
        w->answering = false;
        return w;
}

static void submit(struct world *w, const char *partition, uint32_t nodes, uint32_t tasks) {
        const struct job_spec spec = { .batch = true,
                .partition = (char *)(uintptr_t)partition,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = tasks,
                .mem_per_cpu = 500,
                .requeue = 1 };
        struct fail fail = { 0 };
        struct job *j;

        if (job_admit(w->c, &spec,
                            &(struct submitter){ .uid = 1, .gid = 1, .user = "u", .group = "g" },
                            w->now, &j, &fail) != SLUMBER_OK)
                abort();
}

static void fill(struct world *w, unsigned nodes, bool mixed) {
        for (unsigned i = 0; i < (mixed ? 2 : 1) * nodes; i++) {
                if (mixed) {
                        submit(w, i % 3 ? "low" : "mid", 1 + i % 2, 2 + i % 5);
                } else {
                        submit(w, "low", 1, 8);
                }
                if (i % 4000 == 3999)
                        w->now += USEC_PER_SEC;
        }
}

static void run(unsigned nodes, unsigned preemptors, const char *mode, bool mixed) {
        struct bench b = { .w = make(nodes, mode, "0") };

        printf("%s, %u nodes full of %s, %u preemptors\n", mode, nodes,
                        mixed ? "jobs of many sizes" : "jobs of a node each", preemptors);
        fill(b.w, nodes, mixed);
        timed_turns(&b, "  jobs start");
        b.w->now += 5 * USEC_PER_SEC;
        timed_turns(&b, "  and run");
        for (unsigned i = 0; i < preemptors; i++)
                submit(b.w, "high", mixed ? 1 + i % 3 : 1, mixed ? (1 + i % 3) * (2 + i % 7) : 8);
        timed_turns(&b, "  preemptors come");
        submit(b.w, "low", 1, 8);
        timed_turns(&b, "  another job comes while victims are on their way out");
        submit(b.w, "high", 1, 8);
        timed_turns(&b, "  another preemptor comes");
        world_free(b.w);
}

static void run_exempt(unsigned nodes, unsigned preemptors) {
        struct bench b = { .w = make(nodes, "REQUEUE", "1-0") };

        printf("%u nodes full of jobs of a node each, %u preemptors of half of them wait for PreemptExemptTime\n",
                        nodes, preemptors);
        for (unsigned i = 0; i < nodes; i++) {
                submit(b.w, "low", 1, 8);
                turn(b.w->c, b.w->now);
                effects_done(&b.w->c->effects);
                b.w->now += USEC_PER_SEC;
        }
        for (unsigned i = 0; i < preemptors; i++)
                submit(b.w, "high", nodes / 2, nodes / 2 * 8);
        timed_turns(&b, "  preemptors come");
        double from = used_ms();
        for (unsigned i = 0; i < 100; i++) {
                submit(b.w, "low", 1, 8);
                turn(b.w->c, b.w->now);
                note_effects(&b);
                effects_done(&b.w->c->effects);
        }
        printf("%-56s %9.1f ms\n", "  100 other jobs come, one after the other", used_ms() - from);
        submit(b.w, "high", nodes / 2, nodes / 2 * 8);
        timed_turns(&b, "  another preemptor comes");
        world_free(b.w);
}

int main(int argc, char **argv) {
        static const char *const modes[] = { "CANCEL", "REQUEUE", "SUSPEND,GANG" };
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 10000,
                 preemptors = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;

        bool known = false;

        setvbuf(stdout, NULL, _IOLBF, 0);
        for (size_t i = 0; i < ELEMENTSOF(modes); i++)
                for (int mixed = 0; mixed < 2; mixed++)
                        if (argc < 4 || streq(argv[3], modes[i])) {
                                run(nodes, preemptors, modes[i], mixed);
                                known = true;
                        }
        if (argc < 4 || streq(argv[3], "EXEMPT")) {
                run_exempt(MIN(nodes, 1000u), preemptors);
                known = true;
        }
        if (!known)
                fprintf(stderr, "bench_preempt: there is no mode \"%s\", only CANCEL, REQUEUE, SUSPEND,GANG and EXEMPT\n",
                                argv[3]);
        return known ? 0 : 2;
}
