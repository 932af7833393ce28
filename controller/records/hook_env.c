/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/hook_env.h"

#include "controller/indexes/array.h"
#include "controller/model/het.h"
#include "controller/model/layout.h"
#include "controller/records/record.h"
#include "lib/child.h"
#include "lib/hostlist.h"

#include <limits.h>
#include <sys/wait.h>

static void hook_env_add_text(struct environment *e, const char *name, const char *value) {
        if (!isempty(value))
                environment_set(e, name, "%s", value);
}

/* Expands the patterns of file names that do not depend on a step: %A %a %j %u %x. */
static void put_pattern(FILE *out, const struct job *j, const char *pattern) {
        /* a job name may be long */
        for (const char *p = pattern; *p && ftell(out) < PATH_MAX; p++) {
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

static void add_file(struct environment *e, const char *name, const struct job *j,
                const char *pattern) {
        char *text = NULL;
        size_t size;

        if (isempty(pattern))
                return;
        FILE *out = memstream_open(&text, &size);
        if (pattern[0] != '/')
                fprintf(out, "%s/", strempty(j->asked.work_dir));
        put_pattern(out, j, pattern);
        memstream_close(out);
        environment_set(e, name, "%s", text);
        free(text);
}

void hook_env_nodes(struct environment *e, const struct job *j) {
        size_t n = j->placed.n_alloc;
        _cleanup_free_ const char **names = xnew(const char *, n + 1);
        _cleanup_free_ uint32_t *cpus = xnew(uint32_t, n + 1);

        for (size_t i = 0; i < n; i++) {
                names[i] = j->placed.alloc[i].node->name;
                cpus[i] = j->placed.alloc[i].cpus;
        }
        _cleanup_free_ char *nodes = n ? hostlist_compress(names, n) : NULL;
        environment_set(e, "SLURM_JOB_NODELIST", "%s", strna(nodes));
        if (!nodes)
                return;
        _cleanup_free_ char *text = layout_text(cpus, n);
        environment_set(e, "SLURM_NODELIST", "%s", nodes); /* old name of SLURM_JOB_NODELIST */
        environment_set(e, "SLURM_JOB_NUM_NODES", "%zu", n);
        environment_set(e, "SLURM_JOB_CPUS_PER_NODE", "%s", text);
}

void hook_env_array(struct environment *e, const struct job *j) {
        const struct array *a = j->array;

        if (!a)
                return;
        environment_set(e, "SLURM_ARRAY_JOB_ID", "%u", a->id);
        environment_set(e, "SLURM_ARRAY_TASK_ID", "%u", j->array_task);
        environment_set(e, "SLURM_ARRAY_TASK_COUNT", "%u", a->count);
        environment_set(e, "SLURM_ARRAY_TASK_MIN", "%u", a->min);
        environment_set(e, "SLURM_ARRAY_TASK_MAX", "%u", a->max);
        environment_set(e, "SLURM_ARRAY_TASK_STEP", "%u", a->step);
}

/* SLURM_HET_JOB_OFFSET is only set on the controller's host, as in Slurm. */
static void hook_env_add_het(struct environment *e, const struct job *j, bool on_node) {
        if (!j->het)
                return;
        environment_set(e, "SLURM_HET_JOB_ID", "%u", j->het->id);
        if (!on_node)
                environment_set(e, "SLURM_HET_JOB_OFFSET", "%u", j->het_offset);
}

void hook_env_end(struct environment *e, const struct job *j) {
        const int status = (int)j->running.exit_code;

        environment_set(e, "SLURM_JOB_EXIT_CODE", "%d", status);
        environment_set(e, "SLURM_JOB_EXIT_CODE2", "%d:%d", WEXITSTATUS(status),
                        WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        environment_set(e, "SLURM_JOB_DERIVED_EC", "%u", j->running.derived_exit_code);
}

void hook_env_job(struct environment *e, const struct cluster *c, const struct job *j) {
        environment_set(e, "SLURM_CLUSTER_NAME", "%s", c->config->cluster_name);
        environment_set(e, "SLURM_JOB_ID", "%u", j->id);
        environment_set(e, "SLURM_JOBID", "%u", j->id);
        environment_set(e, "SLURM_JOB_USER", "%s", strempty(j->user));
        environment_set(e, "SLURM_JOB_UID", "%u", (unsigned)j->uid);
        environment_set(e, "SLURM_JOB_GID", "%u", (unsigned)j->gid);
        hook_env_add_text(e, "SLURM_JOB_ACCOUNT", j->asked.account);
        environment_set(e, "SLURM_JOB_PARTITION", "%s", j->partition->name);
        environment_set(e, "SLURM_JOB_RESTART_COUNT", "%u", job_incarnation(j));
        environment_set(e, "SLURM_JOB_WORK_DIR", "%s", strempty(j->asked.work_dir));
        if (j->asked.comment)
                environment_set(e, "SLURM_JOB_COMMENT", "%s", j->asked.comment);
        add_file(e, "SLURM_JOB_STDIN", j, j->asked.std_in);
        add_file(e, "SLURM_JOB_STDOUT", j, j->asked.std_out);
        add_file(e, "SLURM_JOB_STDERR", j, j->asked.std_err);
}

/* Names of variables come from the user like their values, and are checked. */
static void add_of_plugins(struct environment *e, const char *lines) {
        static const char letters[] =
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

        for (const char *p = strempty(lines); *p; p += strcspn(p, "\n"), p += *p == '\n') {
                size_t n = strspn(p, letters);
                _cleanup_free_ char *name = xasprintf("SPANK_%.*s", (int)n, p);

                if (n > 0 && p[n] == '=')
                        environment_set(e, name, "%.*s", (int)strcspn(p + n + 1, "\n"), p + n + 1);
        }
}

void hook_env_fill(struct environment *e, const struct cluster *c, const struct job *j,
                enum hook hook) {
        static const char *const contexts[] = {
                [HOOK_CTLD_PROLOG] = "prolog_slurmctld",
                [HOOK_CTLD_EPILOG] = "epilog_slurmctld",
        };
        bool on_node = hook == HOOK_NODE_PROLOG || hook == HOOK_NODE_EPILOG;

        hook_env_job(e, c, j);
        hook_env_nodes(e, j);
        hook_env_array(e, j);
        hook_env_add_het(e, j, on_node);
        environment_set(e, "SLURM_UID", "%u", (unsigned)j->uid); /* old name of SLURM_JOB_UID */
        environment_set(e, "SLURM_JOB_NTASKS", "%u", job_tasks(j));
        hook_env_add_text(e, "SLURM_JOB_CONSTRAINTS", j->asked.features);
        hook_env_add_text(e, "SLURM_JOB_RESERVATION", j->asked.reservation);
        environment_set(e, "SLURM_JOB_OVERSUBSCRIBE", "%s", record_oversubscribe_word(c, j));
        environment_set(e, "SLURM_JOB_EXCLUSIVE", "%s", record_exclusive_word(j));
        add_of_plugins(e, j->asked.hook_variables);
        if (hook == HOOK_NODE_EPILOG || hook == HOOK_CTLD_EPILOG)
                hook_env_end(e, j);
        if (on_node)
                return;
        environment_set(e, "SLURM_JOB_NAME", "%s", strempty(j->asked.name));
        hook_env_add_text(e, "SLURM_JOB_GROUP", j->group);
        environment_set(e, "SLURM_SCRIPT_CONTEXT", "%s", contexts[hook]);
        environment_put(e, CHILD_PATH);
}
