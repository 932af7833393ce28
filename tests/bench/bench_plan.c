/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_plan [NODES [HOURS]]: what scontrol power plan costs: the copy, during which the controller
 * stands still, and the plan itself, made beside it. */
#include "controller/nodes/node_events.h"
#include "controller/turn/turn.h"
#include "sim/plan.h"

#include <sys/resource.h>
#include <sys/wait.h>

#define NOW (1700000000 * USEC_PER_SEC)

static struct cluster *make(unsigned nodes) {
        _cleanup_free_ char *text = xasprintf(
                        "ClusterName=bench\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/bench\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=300\nResumeRate=0\n"
                        "NodeName=n[1-%u] CPUs=8\nPartitionName=p Nodes=ALL Default=YES\n",
                        nodes);
        struct config *config = NULL;
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        if (config_parse("bench", text, strlen(text), &config, &fail) < 0 ||
                        cluster_new(config, NOW, &c, &fail) < 0) {
                fprintf(stderr, "bench_plan: %s\n", fail.text);
                exit(1);
        }
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct registration reg = { .version = "1",
                        .hardware = c->nodes[i]->configured,
                        .boot_time = NOW,
                        .start_time = NOW };
                (void)node_register(c, c->nodes[i], &reg, NOW, NULL);
        }
        turn(c, NOW);
        effects_done(&c->effects);
        return c;
}

static void plan(struct cluster *c, unsigned hours, const char *rate) {
        struct what_if settings[] = { { "SuspendRate", rate } };
        struct plan_request req = {
                .horizon = hours * 3600 * USEC_PER_SEC,
                .settings = settings,
                .n_settings = 1,
        };
        struct plan p;
        struct fail fail = { 0 };
        struct rusage before, after;
        usec_t from = now_monotonic();
        pid_t pid = fork();

        if (pid == 0)
                _exit(plan_make(c, &req, NOW, &p, &fail) < 0 || p.n_lines == 0);
        double copy = (double)(now_monotonic() - from) / 1000;
        int status = 1;
        getrusage(RUSAGE_CHILDREN, &before);
        (void)waitpid(pid, &status, 0);
        getrusage(RUSAGE_CHILDREN, &after);
        printf("SuspendRate=%-5s copied in %.2f ms, planned in %.0f ms (%.0f ms of a processor)%s\n",
                        rate, copy, (double)(now_monotonic() - from) / 1000 - copy,
                        (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000 +
                                        (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) /
                                                        1000,
                        status ? " FAILED" : "");
}

int main(int argc, char **argv) {
        unsigned nodes = argc > 1 ? (unsigned)atoi(argv[1]) : 100000,
                 hours = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
        struct cluster *c = make(nodes);
        static const char *const rates[] = { "0", "60", "6000" };

        printf("%u nodes, %u hours\n", nodes, hours);
        for (size_t i = 0; i < ELEMENTSOF(rates); i++)
                plan(c, hours, rates[i]);
        cluster_free(c);
        return 0;
}
