/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/jobenv.h"

#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

/* Variables that slumberd sets for each job, step or task: values inherited from a submitting
   job would be wrong. */
static const char *const own_names[] = {
        "SLURM_ARBITRARY_NODELIST",
        "SLURM_ARRAY_JOB_ID",
        "SLURM_ARRAY_TASK_ID",
        "SLURM_CLUSTER_NAME",
        "SLURM_CPUS_ON_NODE",
        "SLURM_CPUS_PER_TASK",
        "SLURM_DISTRIBUTION",
        "SLURM_EXPORT_ENV",
        "SLURM_GTIDS",
        "SLURM_JOBID",
        "SLURM_LAUNCH_NODE_IPADDR",
        "SLURM_LOCALID",
        "SLURM_MEM_PER_CPU",
        "SLURM_MEM_PER_GPU",
        "SLURM_MEM_PER_NODE",
        "SLURM_NNODES",
        "SLURM_NODEID",
        "SLURM_NODE_ALIASES",
        "SLURM_NODELIST",
        "SLURM_NPROCS",
        "SLURM_NTASKS",
        "SLURM_NTASKS_PER_NODE",
        "SLURM_PROCID",
        "SLURM_RESTART_COUNT",
        "SLURM_SRUN_COMM_HOST",
        "SLURM_SRUN_COMM_PORT",
        "SLURM_STEPID",
        "SLURM_SUBMIT_DIR",
        "SLURM_SUBMIT_HOST",
        "SLURM_TASKS_PER_NODE",
        "SLURM_TASK_PID",
        "SLURM_TOPOLOGY_ADDR",
        "SLURM_TOPOLOGY_ADDR_PATTERN",
        "SLURMD_NODENAME",
        "ENVIRONMENT",
};
static const char *const own_prefixes[] = { "SLURM_JOB_", "SLURM_STEP_" };

/* Variables exported even without ALL, as jobs need these. */
static const char *const basic_names[] = { "HOME", "LOGNAME", "PATH", "SHELL", "USER" };

static bool starts_with(const char *s, const char *prefix) {
        return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Returns whether var, "NAME=value", has the given name (n bytes). */
static bool is_called(const char *var, const char *name, size_t n) {
        return strncmp(var, name, n) == 0 && var[n] == '=';
}

static bool variable_in_list(const char *var, const char *const *names, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (is_called(var, names[i], strlen(names[i])))
                        return true;
        return false;
}

static bool set_by_a_job(const char *var) {
        for (size_t i = 0; i < ELEMENTSOF(own_prefixes); i++)
                if (starts_with(var, own_prefixes[i]))
                        return true;
        return variable_in_list(var, own_names, ELEMENTSOF(own_names));
}

/* Handles an item of --export other than "ALL". */
static int export_word(struct environment *e, char *const *env, const char *word, size_t n,
                struct fail *fail) {
        const char *equals = memchr(word, '=', n);
        size_t name = equals ? (size_t)(equals - word) : n;

        if (name == 0)
                return fail_set(fail, -EINVAL, "Invalid --export specification");
        if (equals) {
                _cleanup_free_ char *line = xstrndup(word, n);
                environment_put(e, line);
                return 0;
        }
        for (; *env; env++)
                if (is_called(*env, word, n))
                        environment_put(e, *env);
        return 0;
}

/* Returns the length of the next item; commas in quotes do not end an item. */
static size_t export_item_length(const char *s) {
        char quote = 0;
        size_t n = 0;

        for (; s[n] && (quote || s[n] != ','); n++)
                if (quote ? s[n] == quote : s[n] == '"' || s[n] == '\'')
                        quote = quote ? 0 : s[n];
        return n;
}

static bool export_item_is(const char *s, size_t n, const char *word) {
        return n == strlen(word) && strncasecmp(s, word, n) == 0;
}

static bool export_has_item(const char *list, const char *word) {
        for (const char *s = list; *s;) {
                size_t n = export_item_length(s);

                if (export_item_is(s, n, word))
                        return true;
                s += n + (s[n] == ',');
        }
        return false;
}

bool job_env_is_wanted(const char *export, const char *name) {
        size_t length = strlen(name);

        if (!export || export_has_item(export, "ALL") || starts_with(name, "SLURM_") ||
                        starts_with(name, "SPANK_"))
                return true;
        for (const char *s = export; *s;) {
                size_t n = export_item_length(s);

                if (n >= length && strncmp(s, name, length) == 0 &&
                                (n == length || s[length] == '='))
                        return true;
                s += n + (s[n] == ',');
        }
        return false;
}

bool job_env_is_fresh(const char *export) {
        return export && !export_has_item(export, "ALL") && !export_has_item(export, "NIL");
}

static void environment_inherit(struct environment *e, char *const *env, bool all, bool fresh) {
        for (; *env; env++) {
                if (!strchr(*env, '=') || (fresh && set_by_a_job(*env)))
                        continue;
                if (!all && !starts_with(*env, "SLURM_") && !starts_with(*env, "SPANK_"))
                        continue;
                environment_add(e, *env);
        }
}

int job_env_fill(struct environment *e, char *const *env, const char *export, bool fresh,
                struct fail *fail) {
        bool all = !export || export_has_item(export, "ALL");
        int r = 0;

        environment_inherit(e, env, all, fresh);
        for (const char *s = export ? export : ""; *s && r >= 0;) {
                size_t n = export_item_length(s);

                if (n > 0 && !export_item_is(s, n, "ALL") && !export_item_is(s, n, "NONE") &&
                                !export_item_is(s, n, "NIL"))
                        r = export_word(e, env, s, n, fail);
                s += n + (s[n] == ',');
        }
        return r;
}

void job_env_basic(struct environment *e, char *const *env) {
        for (; *env; env++) {
                if (!variable_in_list(*env, basic_names, ELEMENTSOF(basic_names)))
                        continue;
                _cleanup_free_ char *name = xstrndup(*env, strcspn(*env, "="));
                environment_default(e, name, *env + strlen(name) + 1);
        }
}

/* ---- limits, umask, folder, host ---- */

Slumber__Rlimit **job_rlimits(uint32_t not, size_t *ret_n) {
        struct {
                Slumber__Rlimit *list[RLIM_NLIMITS], limits[RLIM_NLIMITS];
        } *all = xmalloc(sizeof *all);
        struct rlimit limit;
        size_t n = 0;

        for (uint32_t i = 0; i < RLIM_NLIMITS; i++) {
                Slumber__Rlimit *to = &all->limits[n];

                if (not &1u << i || getrlimit((int)i, &limit) < 0)
                        continue;
                slumber__rlimit__init(to);
                to->resource = i;
                to->soft = limit.rlim_cur;
                to->hard = limit.rlim_max;
                all->list[n++] = to;
        }
        *ret_n = n;
        return all->list;
}

uint32_t job_umask(void) {
        mode_t mask = umask(0);

        umask(mask);
        return mask;
}

char *job_cwd(void) {
        char *cwd = getcwd(NULL, 0);

        return cwd ? cwd : xstrdup("/");
}

char *job_host(void) {
        struct utsname u;

        if (uname(&u) < 0)
                return xstrdup("localhost");
        u.nodename[strcspn(u.nodename, ".")] = 0;
        return xstrdup(u.nodename);
}
