/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of srun -v about the step, in Slurm's wording: programs parse the job id, the nodes and the
 * ends of tasks. */
#include "commands/exitcode.h"
#include "commands/submit/srun.h"

#include "lib/hostlist.h"
#include "lib/printable.h"
#include "lib/wordlist.h"

void srun_say_options(const struct srun *s) {
        bool say = s->o.verbose;

        for (size_t i = 0; i < s->n_later; i++)
                say |= s->later[i].verbose;
        if (!say)
                return;
        job_options_say(&s->o, stderr);
        for (size_t i = 1; i < s->n_parts; i++)
                job_options_say(&s->parts[i].o, stderr);
        for (size_t i = 0; i < s->n_later; i++)
                job_options_say(&s->later[i], stderr);
}

static const char *value_in(char **environment, size_t n, const char *name) {
        size_t length = strlen(name);

        for (size_t i = 0; i < n; i++)
                if (strncmp(environment[i], name, length) == 0 && environment[i][length] == '=')
                        return environment[i] + length + 1;
        return NULL;
}

/* Converts "4,2(x3)" to "4(x1),2(x3)". */
static char *counts_text(const char *cpus) {
        char *text = xstrdup("");

        for_each_word(word, cpus, ",")
                text_add_word(&text, ",", "%s%s", word, strchr(word, '(') ? "" : "(x1)");
        return text;
}

void srun_say_allocated(const struct srun *s, const Slumber__Allocation *allocation) {
        const char *nodes, *cpus;

        if (!s->o.verbose)
                return;
        if (allocation) {
                nodes = allocation->nodes;
                cpus = value_in(allocation->environment, allocation->n_environment,
                                "SLURM_JOB_CPUS_PER_NODE");
        } else {
                /* --jobid may name another job */
                bool within = strtoul(strempty(getenv("SLURM_JOB_ID")), NULL, 10) == s->job;
                nodes = within ? getenv("SLURM_JOB_NODELIST") : NULL;
                cpus = getenv("SLURM_JOB_CPUS_PER_NODE");
        }
        if (isempty(nodes) || isempty(cpus))
                return;
        _cleanup_(hostlist_freep) struct hostlist *list = NULL;
        _cleanup_free_ char *counts = counts_text(cpus);
        if (hostlist_parse(nodes, &list, NULL) >= 0)
                printable_fprintf(stderr, SRUN ": jobid %u: nodes(%zu):`%s', cpu counts: %s\n",
                                s->job, hostlist_count(list), nodes, counts);
}

static char *ranks_text(const Slumber__TaskList *tasks) {
        _cleanup_free_ char *text = tasks->n_ranks ? exit_tasks_text(tasks->ranks, tasks->n_ranks)
                                                   : xstrdup("");
        const char *numbers = strchr(text, ' ');

        return tasks->n_ranks > 1 ? xasprintf("[%s]", strempty(numbers ? numbers + 1 : NULL))
                                  : xstrdup(numbers ? numbers + 1 : "");
}

void srun_say_launch(const struct srun *s, const Slumber__StepReply *reply) {
        for (size_t i = 0; s->o.verbose && i < hostlist_count(s->nodes) && i < reply->n_tasks;
                        i++) {
                _cleanup_free_ char *ranks = ranks_text(reply->tasks[i]);
                fprintf(stderr, SRUN ": launching StepId=%u.%s on host %s, %zu tasks: %s\n", s->job,
                                STEP_WORD(s->step), hostlist_get(s->nodes, i),
                                reply->tasks[i]->n_ranks, ranks);
        }
}

void srun_say_started(const struct srun *s) {
        for (size_t i = 0; s->o.verbose && i < hostlist_count(s->nodes); i++) {
                uint32_t tasks = 0;
                for (uint32_t rank = 0; rank < s->num_tasks; rank++)
                        tasks += s->node_of[rank] == i;
                fprintf(stderr, SRUN ": Node %s, %u tasks started\n", hostlist_get(s->nodes, i),
                                tasks);
        }
}

void srun_say_exited(const struct srun *s, const Slumber__StepNotice *notice) {
        if (!s->o.verbose || notice->n_ranks == 0)
                return;
        fprintf(stderr,
                        SRUN
                        ": Received task exit notification for %zu task%s of StepId=%u.%s (status=0x%04x).\n",
                        notice->n_ranks, notice->n_ranks == 1 ? "" : "s", s->job,
                        STEP_WORD(s->step), notice->exit_code);
        if (notice->exit_code == 0) {
                _cleanup_free_ char *tasks = exit_tasks_text(notice->ranks, notice->n_ranks);
                printable_fprintf(stderr, SRUN ": %s: %s: Completed\n", notice->node, tasks);
        }
}
