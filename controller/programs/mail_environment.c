/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/mail_environment.h"

#include "controller/indexes/array.h"
#include "controller/model/layout.h"

#include <limits.h>
#include <stdarg.h>
#include <sys/wait.h>

struct list {
        char **of;
        size_t n;
};

_printf_(2, 3) static void add(struct list *l, const char *format, ...) {
        va_list ap;

        l->of = xrenew(l->of, l->n + 2);
        va_start(ap, format);
        l->of[l->n] = xvasprintf(format, ap);
        va_end(ap);
        l->of[++l->n] = NULL;
}

/* The patterns of file names that need nothing of a step: %A %a %j %u %x. */
static void put_pattern(FILE *out, const struct job *j, const char *pattern) {
        for (const char *p = pattern; *p && ftell(out) < PATH_MAX; p++) { /* a name may be long */
                const char letter = *p == '%' ? p[1] : 0;

                if (letter == 'A')
                        fprintf(out, "%u", j->array ? j->array->id : j->id);
                else if (letter == 'a' && j->array)
                        fprintf(out, "%u", j->array_task);
                else if (letter == 'j')
                        fprintf(out, "%u", j->id);
                else if (letter == 'u')
                        fputs(strempty(j->user), out);
                else if (letter == 'x')
                        fputs(strempty(j->asked.name), out);
                else {
                        putc(*p, out);
                        continue;
                }
                p++;
        }
}

static void add_file(struct list *l, const char *name, const struct job *j, const char *pattern) {
        char *text = NULL;
        size_t size;

        if (isempty(pattern))
                return;
        FILE *out = open_memstream(&text, &size);
        if (!out)
                abort();
        if (pattern[0] != '/')
                fprintf(out, "%s/", strempty(j->asked.work_dir));
        put_pattern(out, j, pattern);
        fclose(out);
        add(l, "%s=%s", name, text);
        free(text);
}

static void add_nodes(struct list *l, const struct cluster *c, const struct job *j) {
        _cleanup_free_ char *nodes = j->placed.nodes ? cluster_nodes_text(c, j->placed.nodes)
                                                     : NULL;

        add(l, "SLURM_JOB_NODELIST=%s", strna(nodes));
        if (!nodes)
                return;
        add(l, "SLURM_JOB_NUM_NODES=%zu", bitset_count(j->placed.nodes));
        if (j->placed.n_alloc) {
                _cleanup_free_ uint32_t *cpus = xnew(uint32_t, j->placed.n_alloc);
                for (size_t i = 0; i < j->placed.n_alloc; i++)
                        cpus[i] = j->placed.alloc[i].cpus;
                _cleanup_free_ char *text = layout_text(cpus, j->placed.n_alloc);
                add(l, "SLURM_JOB_CPUS_PER_NODE=%s", text);
        }
}

static void add_array(struct list *l, const struct array *a, uint32_t task) {
        add(l, "SLURM_ARRAY_JOB_ID=%u", a->id);
        add(l, "SLURM_ARRAY_TASK_ID=%u", task);
        add(l, "SLURM_ARRAY_TASK_COUNT=%u", a->count);
        add(l, "SLURM_ARRAY_TASK_MIN=%u", a->min);
        add(l, "SLURM_ARRAY_TASK_MAX=%u", a->max);
        add(l, "SLURM_ARRAY_TASK_STEP=%u", a->step);
}

static void add_end(struct list *l, const struct job *j, const struct mail_facts *facts) {
        const int status = (int)j->running.exit_code;

        add(l, "SLURM_JOB_EXIT_CODE=%d", status);
        add(l, "SLURM_JOB_EXIT_CODE2=%d:%d", WEXITSTATUS(status),
                        WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        add(l, "SLURM_JOB_EXIT_CODE_MAX=%d", facts->most);
        if (facts->range)
                add(l, "SLURM_JOB_EXIT_CODE_MIN=%d", facts->least);
        add(l, "SLURM_JOB_DERIVED_EC=%u", j->running.derived_exit_code);
}

static void add_job(struct list *l, const struct cluster *c, const struct job *j) {
        add(l, "SLURM_CLUSTER_NAME=%s", c->config->cluster_name);
        add(l, "SLURM_JOB_ID=%u", j->id);
        add(l, "SLURM_JOBID=%u", j->id);
        add(l, "SLURM_JOB_NAME=%s", strempty(j->asked.name));
        add(l, "SLURM_JOB_USER=%s", strempty(j->user));
        add(l, "SLURM_JOB_UID=%u", (unsigned)j->uid);
        add(l, "SLURM_JOB_GROUP=%s", strempty(j->group));
        add(l, "SLURM_JOB_GID=%u", (unsigned)j->gid);
        add(l, "SLURM_JOB_ACCOUNT=%s", strna(j->asked.account));
        add(l, "SLURM_JOB_PARTITION=%s", j->partition->name);
        add(l, "SLURM_JOB_STATE=%s", job_state_text(j->state));
        add(l, "SLURM_JOB_RESTART_COUNT=%u", j->restarts);
        add(l, "SLURM_JOB_WORK_DIR=%s", strempty(j->asked.work_dir));
        if (j->asked.comment)
                add(l, "SLURM_JOB_COMMENT=%s", j->asked.comment);
        add_file(l, "SLURM_JOB_STDIN", j, j->asked.std_in);
        add_file(l, "SLURM_JOB_STDOUT", j, j->asked.std_out);
        add_file(l, "SLURM_JOB_STDERR", j, j->asked.std_err);
}

char **mail_environment(const struct cluster *c, const struct job *j,
                const struct mail_facts *facts) {
        struct list l = { 0 };

        add(&l, "SLURM_JOB_MAIL_TYPE=%s", facts->type);
        add_job(&l, c, j);
        add_nodes(&l, c, j);
        if (j->array)
                add_array(&l, j->array, j->array_task);
        if (facts->queued_time)
                add(&l, "SLURM_JOB_QUEUED_TIME=%s", facts->queued_time);
        if (facts->run_time)
                add(&l, "SLURM_JOB_RUN_TIME=%s", facts->run_time);
        if (facts->ended)
                add_end(&l, j, facts);
        return l.of;
}

char **mail_environment_free(char **list) {
        for (size_t i = 0; list && list[i]; i++)
                free(list[i]);
        free(list);
        return NULL;
}
