/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/mail_environment.h"

#include "controller/indexes/array.h"
#include "controller/model/layout.h"

#include <limits.h>

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

static void add_file(struct environment *e, const char *name, const struct job *j,
                const char *pattern) {
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
        environment_set(e, name, "%s", text);
        free(text);
}

static void add_nodes(struct environment *e, const struct cluster *c, const struct job *j) {
        _cleanup_free_ char *nodes = j->placed.nodes ? cluster_nodes_text(c, j->placed.nodes)
                                                     : NULL;

        environment_set(e, "SLURM_JOB_NODELIST", "%s", strna(nodes));
        if (!nodes)
                return;
        environment_set(e, "SLURM_JOB_NUM_NODES", "%zu", bitset_count(j->placed.nodes));
        if (j->placed.n_alloc) {
                _cleanup_free_ uint32_t *cpus = xnew(uint32_t, j->placed.n_alloc);
                for (size_t i = 0; i < j->placed.n_alloc; i++)
                        cpus[i] = j->placed.alloc[i].cpus;
                _cleanup_free_ char *text = layout_text(cpus, j->placed.n_alloc);
                environment_set(e, "SLURM_JOB_CPUS_PER_NODE", "%s", text);
        }
}

static void add_array(struct environment *e, const struct array *a, uint32_t task) {
        environment_set(e, "SLURM_ARRAY_JOB_ID", "%u", a->id);
        environment_set(e, "SLURM_ARRAY_TASK_ID", "%u", task);
        environment_set(e, "SLURM_ARRAY_TASK_COUNT", "%u", a->count);
        environment_set(e, "SLURM_ARRAY_TASK_MIN", "%u", a->min);
        environment_set(e, "SLURM_ARRAY_TASK_MAX", "%u", a->max);
        environment_set(e, "SLURM_ARRAY_TASK_STEP", "%u", a->step);
}

static void add_job(struct environment *e, const struct cluster *c, const struct job *j) {
        environment_set(e, "SLURM_CLUSTER_NAME", "%s", c->config->cluster_name);
        environment_set(e, "SLURM_JOB_ID", "%u", j->id);
        environment_set(e, "SLURM_JOBID", "%u", j->id);
        environment_set(e, "SLURM_JOB_NAME", "%s", strempty(j->asked.name));
        environment_set(e, "SLURM_JOB_USER", "%s", strempty(j->user));
        environment_set(e, "SLURM_JOB_UID", "%u", (unsigned)j->uid);
        environment_set(e, "SLURM_JOB_GROUP", "%s", strempty(j->group));
        environment_set(e, "SLURM_JOB_GID", "%u", (unsigned)j->gid);
        environment_set(e, "SLURM_JOB_ACCOUNT", "%s", strna(j->asked.account));
        environment_set(e, "SLURM_JOB_PARTITION", "%s", j->partition->name);
        environment_set(e, "SLURM_JOB_STATE", "%s", job_state_text(j->state));
        environment_set(e, "SLURM_JOB_RESTART_COUNT", "%u", j->restarts);
        environment_set(e, "SLURM_JOB_WORK_DIR", "%s", strempty(j->asked.work_dir));
        if (j->asked.comment)
                environment_set(e, "SLURM_JOB_COMMENT", "%s", j->asked.comment);
        add_file(e, "SLURM_JOB_STDIN", j, j->asked.std_in);
        add_file(e, "SLURM_JOB_STDOUT", j, j->asked.std_out);
        add_file(e, "SLURM_JOB_STDERR", j, j->asked.std_err);
}

struct environment *mail_environment(const struct cluster *c, const struct job *j,
                const char *type) {
        struct environment *e = environment_new();

        environment_set(e, "SLURM_JOB_MAIL_TYPE", "%s", type);
        add_job(e, c, j);
        add_nodes(e, c, j);
        if (j->array)
                add_array(e, j->array, j->array_task);
        return e;
}
