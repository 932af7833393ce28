/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Environment variables for options of sbatch, srun and salloc: variables derived from option names
 * (ENV()), and here variables with names of their own. All of Slurm's variables are known: a
 * variable of an unsupported option is refused like the option, not ignored. */
#include "commands/command.h"
#include "commands/jobspec/jobspec.h"
#include "commands/jobspec/jobspec_rows.h"

#include <ctype.h>
#include <strings.h>

struct env_row {
        unsigned commands;
        const char *variable, *option;
        bool flag; /* the option takes no value, see says_yes() */
};

/* Order matters: the newer of two names comes later and wins. */
/* clang-format off */
static const struct env_row env_rows[] = {
        { JOB_SBATCH, "SBATCH_ARRAY_INX", "array", false },
        { JOB_SBATCH, "SBATCH_DEBUG", "verbose", true },
        { JOB_SBATCH, "SBATCH_ERROR", "error", false },
        { JOB_SBATCH, "SBATCH_EXCLUSIVE", "exclusive", false },
        { JOB_SBATCH, "SBATCH_EXPORT", "export", false },
        { JOB_SBATCH, "SBATCH_GET_USER_ENV", "get-user-env", false },
        { JOB_SBATCH, "SBATCH_GPUS", "gpus", false },
        { JOB_SBATCH, "SLURM_HINT", "hint", false },
        { JOB_SBATCH, "SBATCH_HINT", "hint", false },
        { JOB_SBATCH, "SBATCH_INPUT", "input", false },
        { JOB_SBATCH, "SBATCH_JOB_NAME", "job-name", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_NODE", "mem", false },
        { JOB_SBATCH, "SBATCH_NO_KILL", "no-kill", false },
        { JOB_SBATCH, "SBATCH_OUTPUT", "output", false },
        { JOB_SBATCH, "SBATCH_TIMELIMIT", "time", false },
        { JOB_SBATCH, "SBATCH_WAIT", "wait", true },
        { JOB_SBATCH, "SBATCH_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SBATCH, "SBATCH_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SBATCH, "SBATCH_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SBATCH, "SBATCH_GRES", "gres", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SBATCH, "SBATCH_REQ_SWITCH", "switches", false },
        { JOB_SBATCH, "SBATCH_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SBATCH, "SBATCH_TRES_PER_TASK", "tres-per-task", false },

        { JOB_SALLOC, "SALLOC_BELL", "bell", true },
        { JOB_SALLOC, "SALLOC_DEBUG", "verbose", true },
        { JOB_SALLOC, "SALLOC_EXCLUSIVE", "exclusive", false },
        { JOB_SALLOC, "SALLOC_GPUS", "gpus", false },
        { JOB_SALLOC, "SLURM_HINT", "hint", false },
        { JOB_SALLOC, "SALLOC_HINT", "hint", false },
        { JOB_SALLOC, "SALLOC_IMMEDIATE", "immediate", false },
        { JOB_SALLOC, "SALLOC_KILL_CMD", "kill-command", false },
        { JOB_SALLOC, "SALLOC_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SALLOC, "SALLOC_MEM_PER_NODE", "mem", false },
        { JOB_SALLOC, "SALLOC_NO_BELL", "no-bell", true },
        { JOB_SALLOC, "SALLOC_NO_KILL", "no-kill", false },
        { JOB_SALLOC, "SALLOC_TIMELIMIT", "time", false },
        { JOB_SALLOC, "SALLOC_BURST_BUFFER", "bb", false },
        { JOB_SALLOC, "SALLOC_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SALLOC, "SALLOC_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SALLOC, "SALLOC_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SALLOC, "SALLOC_GRES", "gres", false },
        { JOB_SALLOC, "SALLOC_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SALLOC, "SALLOC_REQ_SWITCH", "switches", false },
        { JOB_SALLOC, "SALLOC_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SALLOC, "SALLOC_TRES_PER_TASK", "tres-per-task", false },

        { JOB_SRUN, "SLURM_TRES_PER_TASK", "tres-per-task", false },
        { JOB_SRUN, "SLURM_CPUS_PER_TASK", "cpus-per-task", false },
        { JOB_SRUN, "SRUN_CPUS_PER_TASK", "cpus-per-task", false },
        { JOB_SRUN, "SLURM_EXCLUSIVE", "exclusive", false },
        { JOB_SRUN, "SRUN_EXPORT_ENV", "export", false },
        { JOB_SRUN, "SLURM_EXPORT_ENV", "export", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_GPU", "ntasks-per-gpu", false },
        { JOB_SRUN, "SLURM_GPUS", "gpus", false },
        { JOB_SRUN, "SLURM_HINT", "hint", false },
        { JOB_SRUN, "SLURM_IMMEDIATE", "immediate", false },
        { JOB_SRUN, "SLURM_JOB_ID", "jobid", false },
        { JOB_SRUN, "SLURM_JOB_NAME", "job-name", false },
        { JOB_SRUN, "SLURM_KILL_BAD_EXIT", "kill-on-bad-exit", false },
        { JOB_SRUN, "SLURM_LABELIO", "label", true },
        { JOB_SRUN, "SLURM_MPI_TYPE", "mpi", false },
        { JOB_SRUN, "SLURM_NO_KILL", "no-kill", false },
        { JOB_SRUN, "SLURM_NNODES", "nodes", false },
        { JOB_SRUN, "SLURM_JOB_NUM_NODES", "nodes", false },
        { JOB_SRUN, "SLURM_NPROCS", "ntasks", false },
        { JOB_SRUN, "SLURM_NTASKS", "ntasks", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_NODE", "ntasks-per-node", false },
        { JOB_SRUN, "SLURM_STDERRMODE", "error", false },
        { JOB_SRUN, "SLURM_STDINMODE", "input", false },
        { JOB_SRUN, "SLURM_STDOUTMODE", "output", false },
        { JOB_SRUN, "SLURM_TIMELIMIT", "time", false },
        { JOB_SRUN, "SLURM_UNBUFFEREDIO", "unbuffered", true },
        { JOB_SRUN, "SLURM_WAIT", "wait", false },
        { JOB_SRUN, "SLURM_WORKING_DIR", "chdir", false },
        { JOB_SRUN, "SLURM_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SRUN, "SLURM_MEM_PER_NODE", "mem", false },
        { JOB_SRUN, "SLURMD_DEBUG", "slurmd-debug", false },
        { JOB_SRUN, "SLURM_BCAST", "bcast", false },
        { JOB_SRUN, "SLURM_BCAST_EXCLUDE", "bcast-exclude", false },
        { JOB_SRUN, "SLURM_BURST_BUFFER", "bb", false },
        { JOB_SRUN, "SLURM_COMPRESS", "compress", false },
        { JOB_SRUN, "SLURM_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SRUN, "SLURM_CPU_BIND", "cpu-bind", false },
        { JOB_SRUN, "SLURM_CPU_FREQ_REQ", "cpu-freq", false },
        { JOB_SRUN, "SLURM_DEBUG", "verbose", true },
        { JOB_SRUN, "SLURM_EPILOG", "epilog", false },
        { JOB_SRUN, "SLURM_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SRUN, "SLURM_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SRUN, "SLURM_GRES", "gres", false },
        { JOB_SRUN, "SLURM_STEP_GRES", "gres", false },
        { JOB_SRUN, "SLURM_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_CORE", "ntasks-per-core", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_SOCKET", "ntasks-per-socket", false },
        { JOB_SRUN, "SLURM_PROLOG", "prolog", false },
        { JOB_SRUN, "SLURM_REMOTE_CWD", "chdir", false },
        { JOB_SRUN, "SLURM_REQ_SWITCH", "switches", false },
        { JOB_SBATCH, "SBATCH_REQUEUE", "requeue", true },
        { JOB_SRUN, "SLURM_RESV_PORTS", "resv-ports", false },
        { JOB_SRUN, "SLURM_SEND_LIBS", "send-libs", false },
        { JOB_SRUN, "SLURM_TASK_EPILOG", "task-epilog", false },
        { JOB_SRUN, "SLURM_TASK_PROLOG", "task-prolog", false },
        { JOB_SRUN, "SLURM_THREADS", "threads", false },
        { JOB_SRUN, "SLURM_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SRUN, "SRUN_CONTAINER", "container", false },
};
/* clang-format on */

#define VERBOSE_MAX 9

/* Returns whether a variable sets a flag, as in Slurm: empty, yes, or a number except 0. For
   --verbose the number is the level: 2 is -vv, and an empty variable is ignored. */
static bool says_yes(const char *option, const char *value) {
        return isempty(value) ? !streq(option, "verbose")
                              : strcasecmp(value, "yes") == 0 || atoi(value) != 0;
}

/* Returns whether the option requires a value: its empty variable is ignored. An option with an
   optional value is set by an empty variable. */
static bool needs_value(const struct job_options *o, const char *option) {
        const struct job_row *row;

        for (size_t i = 0; (row = job_row_at(i)); i++)
                if ((row->commands & o->command) && streq(row->row.name, option))
                        return row->row.kind != OPTION_CALL_OPTIONAL;
        return true;
}

/* Variables which may be in the tables: getenv() for each row would compare with the whole
   environment. Lines are environ's, as options keep pointers to their values. */
struct variables {
        struct variable {
                char *line;
                size_t len; /* length of the name */
        } * list;
        size_t n, allocated;
};

static void variables_find(struct variables *v) {
        for (char **line = environ; *line; line++) {
                const char *end = **line == 'S' ? strchr(*line, '=') : NULL;
                if (!end)
                        continue;
                GROW(v->list, v->allocated, v->n);
                v->list[v->n++] = (struct variable){ *line, (size_t)(end - *line) };
        }
}

static const char *variables_get(const struct variables *v, const char *name) {
        size_t len = strlen(name);

        for (size_t i = 0; i < v->n; i++)
                if (v->list[i].len == len && memcmp(v->list[i].line, name, len) == 0)
                        return v->list[i].line + len + 1;
        return NULL;
}

/* --switches has a separate variable for the time. */
static int switch_wait(struct job_options *o, struct fail *fail) {
        const char *name = o->command == JOB_SBATCH   ? "SBATCH_WAIT4SWITCH"
                           : o->command == JOB_SALLOC ? "SALLOC_WAIT4SWITCH"
                                                      : "SLURM_WAIT4SWITCH";
        const char *value = getenv(name);
        int r = isempty(value) ? 0 : job_options_switch_wait(o, value, fail);

        return r < 0 ? fail_prefix(fail, r, "%s", name) : 0;
}

static int set_from(struct job_options *o, const struct variables *v, const char *variable,
                const char *option, bool flag, struct fail *fail) {
        const char *value = variables_get(v, variable);

        if (!value || (flag ? !says_yes(option, value) : !*value && needs_value(o, option)))
                return 0;
        if (streq(variable, "SLURM_JOB_NAME") && command_env_set("SLURM_JOB_ID"))
                return 0; /* name of the job: a step has its own */
        unsigned times = streq(option, "verbose") ? (unsigned)MAX(1, MIN(atoi(value), VERBOSE_MAX))
                                                  : 1;
        int r = 0;

        for (unsigned i = 0; i < times && r == 0; i++)
                r = options_set(job_options_table(o->command), option,
                                flag || !*value ? NULL : value, o, fail);
        return r < 0 ? fail_prefix(fail, r, "%s", variable) : r;
}

static bool takes_no_value(enum option_kind kind) {
        return kind == OPTION_FLAG || kind == OPTION_COUNT || kind == OPTION_CALL_FLAG ||
               kind == OPTION_REFUSED;
}

/* Derives the variable: "spread-job" of sbatch is SBATCH_SPREAD_JOB. */
static int set_from_row(struct job_options *o, const struct variables *v,
                const struct option_row *row, struct fail *fail) {
        const char *command = o->command == JOB_SBATCH   ? "SBATCH_"
                              : o->command == JOB_SALLOC ? "SALLOC_"
                                                         : "SLURM_";
        char variable[64];

        assert(strlen(command) + strlen(row->name) < sizeof variable);
        for (char *p = stpcpy(stpcpy(variable, command), row->name); p > variable; p--)
                p[-1] = p[-1] == '-' ? '_' : (char)toupper((unsigned char)p[-1]);
        return set_from(o, v, variable, row->name, takes_no_value(row->kind), fail);
}

/* At most one of the three variables for memory may be set: there is no order of precedence. */
static int variables_check_memory(const struct job_options *o, const struct variables *v,
                struct fail *fail) {
        static const char *const options[] = { "mem-per-cpu", "mem-per-gpu", "mem" };
        unsigned n = 0;

        for (size_t i = 0; i < ELEMENTSOF(env_rows); i++)
                for (size_t k = 0; k < ELEMENTSOF(options); k++)
                        if ((env_rows[i].commands & o->command) &&
                                        streq(env_rows[i].option, options[k]) &&
                                        !isempty(variables_get(v, env_rows[i].variable)))
                                n++;
        return n < 2 ? 0
                     : fail_set(fail, -EDOM,
                                       "SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive.");
}

static bool says_memory(const struct job_options *o) {
        return o->mem_set || o->mem_per_cpu_set || o->mem_per_gpu;
}

/* If script and environment request memory in different ways (--mem, SBATCH_MEM_PER_CPU), the
   script wins, as in Slurm; in equal ways, the environment. */
static void choose_memory(struct job_options *o, const struct job_options *script) {
        if (!says_memory(script)) {
                o->environment_memory = says_memory(o);
                return;
        }
        if (o->mem_set == script->mem_set && o->mem_per_cpu_set == script->mem_per_cpu_set &&
                        !o->mem_per_gpu == !script->mem_per_gpu)
                return;
        o->mem = script->mem;
        o->mem_set = script->mem_set;
        o->mem_per_cpu = script->mem_per_cpu;
        o->mem_per_cpu_set = script->mem_per_cpu_set;
        o->mem_per_gpu = script->mem_per_gpu;
        o->plain_sizes = script->plain_sizes;
}

int job_options_environment(struct job_options *o, struct fail *fail) {
        const struct job_options script = *o;
        const bool exclusive = o->says_exclusive, oversubscribe = o->says_oversubscribe;
        struct variables v = { 0 };
        const struct job_row *row;
        int r = 0;

        variables_find(&v);
        r = variables_check_memory(o, &v, fail);
        for (size_t i = 0; r == 0 && (row = job_row_at(i)); i++)
                if (row->commands & ENV(o->command))
                        r = set_from_row(o, &v, &row->row, fail);
        for (size_t i = 0; r == 0 && i < ELEMENTSOF(env_rows); i++)
                if (env_rows[i].commands & o->command)
                        r = set_from(o, &v, env_rows[i].variable, env_rows[i].option,
                                        env_rows[i].flag, fail);
        free(v.list);
        if (r != 0)
                return r;
        if (o->command == JOB_SRUN)
                o->plain_sizes = 0; /* SLURM_MEM_PER_* of an allocation are in MB */
        choose_memory(o, &script);
        o->says_exclusive = exclusive; /* options override the environment */
        o->says_oversubscribe = oversubscribe;
        return switch_wait(o, fail);
}
