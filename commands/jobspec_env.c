/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables that stand for options of sbatch, srun and salloc.  All of Slurm's are here: one of an option that is not
 * there yet is refused as the option is, not passed over. */
#include "commands/command.h"
#include "commands/jobspec_rows.h"
#include "commands/jobspec.h"

#include <strings.h>

struct env_row {
        unsigned who;
        const char *variable, *option;
        bool flag; /* the option takes no value; 0 and no leave it off */
};

/* In this order, so that the newer of two names wins. */
/* clang-format off */
static const struct env_row env_rows[] = {
        { JOB_SBATCH, "SBATCH_ACCOUNT", "account", false },
        { JOB_SBATCH, "SBATCH_ARRAY_INX", "array", false },
        { JOB_SBATCH, "SBATCH_CLUSTERS", "clusters", false },
        { JOB_SBATCH, "SBATCH_CONSTRAINT", "constraint", false },
        { JOB_SBATCH, "SBATCH_DEBUG", "verbose", true },
        { JOB_SBATCH, "SBATCH_DISTRIBUTION", "distribution", false },
        { JOB_SBATCH, "SBATCH_ERROR", "error", false },
        { JOB_SBATCH, "SBATCH_EXCLUSIVE", "exclusive", false },
        { JOB_SBATCH, "SBATCH_EXPORT", "export", false },
        { JOB_SBATCH, "SBATCH_GET_USER_ENV", "get-user-env", true },
        { JOB_SBATCH, "SBATCH_GPUS", "gpus", false },
        { JOB_SBATCH, "SBATCH_HINT", "hint", false },
        { JOB_SBATCH, "SBATCH_INPUT", "input", false },
        { JOB_SBATCH, "SBATCH_JOB_NAME", "job-name", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_NODE", "mem", false },
        { JOB_SBATCH, "SBATCH_NO_KILL", "no-kill", true },
        { JOB_SBATCH, "SBATCH_NO_REQUEUE", "no-requeue", true },
        { JOB_SBATCH, "SBATCH_OPEN_MODE", "open-mode", false },
        { JOB_SBATCH, "SBATCH_OUTPUT", "output", false },
        { JOB_SBATCH, "SBATCH_OVERCOMMIT", "overcommit", true },
        { JOB_SBATCH, "SBATCH_PARTITION", "partition", false },
        { JOB_SBATCH, "SBATCH_QOS", "qos", false },
        { JOB_SBATCH, "SBATCH_REQUEUE", "requeue", true },
        { JOB_SBATCH, "SBATCH_RESERVATION", "reservation", false },
        { JOB_SBATCH, "SBATCH_SIGNAL", "signal", false },
        { JOB_SBATCH, "SBATCH_TIMELIMIT", "time", false },
        { JOB_SBATCH, "SBATCH_WAIT", "wait", true },
        { JOB_SBATCH, "SBATCH_WAIT_ALL_NODES", "wait-all-nodes", false },
        { JOB_SBATCH, "SBATCH_WCKEY", "wckey", false },
        { JOB_SBATCH, "SBATCH_ACCTG_FREQ", "acctg-freq", false },
        { JOB_SBATCH, "SBATCH_BATCH", "batch", false },
        { JOB_SBATCH, "SBATCH_CONTAINER", "container", false },
        { JOB_SBATCH, "SBATCH_CORE_SPEC", "core-spec", false },
        { JOB_SBATCH, "SBATCH_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SBATCH, "SBATCH_DELAY_BOOT", "delay-boot", false },
        { JOB_SBATCH, "SBATCH_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SBATCH, "SBATCH_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SBATCH, "SBATCH_GPU_BIND", "gpu-bind", false },
        { JOB_SBATCH, "SBATCH_GPU_FREQ", "gpu-freq", false },
        { JOB_SBATCH, "SBATCH_GRES", "gres", false },
        { JOB_SBATCH, "SBATCH_GRES_FLAGS", "gres-flags", false },
        { JOB_SBATCH, "SBATCH_IGNORE_PBS", "ignore-pbs", true },
        { JOB_SBATCH, "SBATCH_MEM_BIND", "mem-bind", false },
        { JOB_SBATCH, "SBATCH_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SBATCH, "SBATCH_NETWORK", "network", false },
        { JOB_SBATCH, "SBATCH_POWER", "power", false },
        { JOB_SBATCH, "SBATCH_PROFILE", "profile", false },
        { JOB_SBATCH, "SBATCH_REQ_SWITCH", "switches", false },
        { JOB_SBATCH, "SBATCH_SPREAD_JOB", "spread-job", true },
        { JOB_SBATCH, "SBATCH_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SBATCH, "SBATCH_THREAD_SPEC", "thread-spec", false },
        { JOB_SBATCH, "SBATCH_TRES_PER_TASK", "tres-per-task", false },
        { JOB_SBATCH, "SBATCH_USE_MIN_NODES", "use-min-nodes", true },

        { JOB_SALLOC, "SALLOC_ACCOUNT", "account", false },
        { JOB_SALLOC, "SALLOC_BELL", "bell", true },
        { JOB_SALLOC, "SALLOC_CLUSTERS", "clusters", false },
        { JOB_SALLOC, "SALLOC_CONSTRAINT", "constraint", false },
        { JOB_SALLOC, "SALLOC_DEBUG", "verbose", true },
        { JOB_SALLOC, "SALLOC_EXCLUSIVE", "exclusive", false },
        { JOB_SALLOC, "SALLOC_GPUS", "gpus", false },
        { JOB_SALLOC, "SALLOC_HINT", "hint", false },
        { JOB_SALLOC, "SALLOC_IMMEDIATE", "immediate", true },
        { JOB_SALLOC, "SALLOC_KILL_CMD", "kill-command", true },
        { JOB_SALLOC, "SALLOC_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SALLOC, "SALLOC_MEM_PER_NODE", "mem", false },
        { JOB_SALLOC, "SALLOC_NO_BELL", "no-bell", true },
        { JOB_SALLOC, "SALLOC_NO_KILL", "no-kill", true },
        { JOB_SALLOC, "SALLOC_OVERCOMMIT", "overcommit", true },
        { JOB_SALLOC, "SALLOC_PARTITION", "partition", false },
        { JOB_SALLOC, "SALLOC_QOS", "qos", false },
        { JOB_SALLOC, "SALLOC_RESERVATION", "reservation", false },
        { JOB_SALLOC, "SALLOC_SIGNAL", "signal", false },
        { JOB_SALLOC, "SALLOC_TIMELIMIT", "time", false },
        { JOB_SALLOC, "SALLOC_WAIT_ALL_NODES", "wait-all-nodes", false },
        { JOB_SALLOC, "SALLOC_WCKEY", "wckey", false },
        { JOB_SALLOC, "SALLOC_ACCTG_FREQ", "acctg-freq", false },
        { JOB_SALLOC, "SALLOC_BURST_BUFFER", "bb", false },
        { JOB_SALLOC, "SALLOC_CONTAINER", "container", false },
        { JOB_SALLOC, "SALLOC_CORE_SPEC", "core-spec", false },
        { JOB_SALLOC, "SALLOC_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SALLOC, "SALLOC_DELAY_BOOT", "delay-boot", false },
        { JOB_SALLOC, "SALLOC_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SALLOC, "SALLOC_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SALLOC, "SALLOC_GPU_BIND", "gpu-bind", false },
        { JOB_SALLOC, "SALLOC_GPU_FREQ", "gpu-freq", false },
        { JOB_SALLOC, "SALLOC_GRES", "gres", false },
        { JOB_SALLOC, "SALLOC_GRES_FLAGS", "gres-flags", false },
        { JOB_SALLOC, "SALLOC_MEM_BIND", "mem-bind", false },
        { JOB_SALLOC, "SALLOC_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SALLOC, "SALLOC_NETWORK", "network", false },
        { JOB_SALLOC, "SALLOC_POWER", "power", false },
        { JOB_SALLOC, "SALLOC_PROFILE", "profile", false },
        { JOB_SALLOC, "SALLOC_REQ_SWITCH", "switches", false },
        { JOB_SALLOC, "SALLOC_SPREAD_JOB", "spread-job", true },
        { JOB_SALLOC, "SALLOC_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SALLOC, "SALLOC_THREAD_SPEC", "thread-spec", false },
        { JOB_SALLOC, "SALLOC_TRES_PER_TASK", "tres-per-task", false },
        { JOB_SALLOC, "SALLOC_USE_MIN_NODES", "use-min-nodes", true },

        { JOB_SRUN, "SLURM_ACCOUNT", "account", false },
        { JOB_SRUN, "SLURM_CLUSTERS", "clusters", false },
        { JOB_SRUN, "SLURM_CONSTRAINT", "constraint", false },
        { JOB_SRUN, "SLURM_TRES_PER_TASK", "tres-per-task", false },
        { JOB_SRUN, "SLURM_CPUS_PER_TASK", "cpus-per-task", false },
        { JOB_SRUN, "SRUN_CPUS_PER_TASK", "cpus-per-task", false },
        { JOB_SRUN, "SLURM_DEPENDENCY", "dependency", false },
        { JOB_SRUN, "SLURM_DISABLE_STATUS", "disable-status", true },
        { JOB_SRUN, "SLURM_DISTRIBUTION", "distribution", false },
        { JOB_SRUN, "SLURM_EXACT", "exact", true },
        { JOB_SRUN, "SLURM_EXCLUSIVE", "exclusive", false },
        { JOB_SRUN, "SRUN_EXPORT_ENV", "export", false },
        { JOB_SRUN, "SLURM_EXPORT_ENV", "export", false },
        { JOB_SRUN, "SLURM_GPUS", "gpus", false },
        { JOB_SRUN, "SLURM_HINT", "hint", false },
        { JOB_SRUN, "SLURM_IMMEDIATE", "immediate", true },
        { JOB_SRUN, "SLURM_JOB_ID", "jobid", false },
        { JOB_SRUN, "SLURM_JOB_NAME", "job-name", false },
        { JOB_SRUN, "SLURM_KILL_BAD_EXIT", "kill-on-bad-exit", false },
        { JOB_SRUN, "SLURM_LABELIO", "label", true },
        { JOB_SRUN, "SLURM_MPI_TYPE", "mpi", false },
        { JOB_SRUN, "SLURM_NO_KILL", "no-kill", true },
        { JOB_SRUN, "SLURM_NNODES", "nodes", false },
        { JOB_SRUN, "SLURM_JOB_NUM_NODES", "nodes", false },
        { JOB_SRUN, "SLURM_NPROCS", "ntasks", false },
        { JOB_SRUN, "SLURM_NTASKS", "ntasks", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_NODE", "ntasks-per-node", false },
        { JOB_SRUN, "SLURM_OPEN_MODE", "open-mode", false },
        { JOB_SRUN, "SLURM_OVERCOMMIT", "overcommit", true },
        { JOB_SRUN, "SLURM_OVERLAP", "overlap", true },
        { JOB_SRUN, "SLURM_PARTITION", "partition", false },
        { JOB_SRUN, "SLURM_QOS", "qos", false },
        { JOB_SRUN, "SLURM_RESERVATION", "reservation", false },
        { JOB_SRUN, "SLURM_STDERRMODE", "error", false },
        { JOB_SRUN, "SLURM_STDINMODE", "input", false },
        { JOB_SRUN, "SLURM_STDOUTMODE", "output", false },
        { JOB_SRUN, "SLURM_TIMELIMIT", "time", false },
        { JOB_SRUN, "SLURM_UNBUFFEREDIO", "unbuffered", true },
        { JOB_SRUN, "SLURM_WAIT", "wait", false },
        { JOB_SRUN, "SLURM_WCKEY", "wckey", false },
        { JOB_SRUN, "SLURM_WORKING_DIR", "chdir", false },
        { JOB_SRUN, "SLURM_MEM_PER_CPU", "mem-per-cpu", false },
        { JOB_SRUN, "SLURM_MEM_PER_NODE", "mem", false },
        { JOB_SRUN, "SLURM_ACCTG_FREQ", "acctg-freq", false },
        { JOB_SRUN, "SLURMD_DEBUG", "slurmd-debug", false },
        { JOB_SRUN, "SLURM_BCAST", "bcast", false },
        { JOB_SRUN, "SLURM_BCAST_EXCLUDE", "bcast-exclude", false },
        { JOB_SRUN, "SLURM_BURST_BUFFER", "bb", false },
        { JOB_SRUN, "SLURM_COMPRESS", "compress", false },
        { JOB_SRUN, "SLURM_CORE_SPEC", "core-spec", false },
        { JOB_SRUN, "SLURM_CPUS_PER_GPU", "cpus-per-gpu", false },
        { JOB_SRUN, "SLURM_CPU_BIND", "cpu-bind", false },
        { JOB_SRUN, "SLURM_CPU_FREQ_REQ", "cpu-freq", false },
        { JOB_SRUN, "SLURM_DEBUG", "verbose", true },
        { JOB_SRUN, "SLURM_DELAY_BOOT", "delay-boot", false },
        { JOB_SRUN, "SLURM_EPILOG", "epilog", false },
        { JOB_SRUN, "SLURM_GPUS_PER_NODE", "gpus-per-node", false },
        { JOB_SRUN, "SLURM_GPUS_PER_TASK", "gpus-per-task", false },
        { JOB_SRUN, "SLURM_GPU_BIND", "gpu-bind", false },
        { JOB_SRUN, "SLURM_GPU_FREQ", "gpu-freq", false },
        { JOB_SRUN, "SLURM_GRES", "gres", false },
        { JOB_SRUN, "SLURM_STEP_GRES", "gres", false },
        { JOB_SRUN, "SLURM_GRES_FLAGS", "gres-flags", false },
        { JOB_SRUN, "SLURM_MEM_BIND", "mem-bind", false },
        { JOB_SRUN, "SLURM_MEM_PER_GPU", "mem-per-gpu", false },
        { JOB_SRUN, "SLURM_NETWORK", "network", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_CORE", "ntasks-per-core", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_GPU", "ntasks-per-gpu", false },
        { JOB_SRUN, "SLURM_NTASKS_PER_SOCKET", "ntasks-per-socket", false },
        { JOB_SRUN, "SLURM_POWER", "power", false },
        { JOB_SRUN, "SLURM_PROFILE", "profile", false },
        { JOB_SRUN, "SLURM_PROLOG", "prolog", false },
        { JOB_SRUN, "SLURM_REMOTE_CWD", "chdir", false },
        { JOB_SRUN, "SLURM_REQ_SWITCH", "switches", false },
        { JOB_SRUN, "SLURM_RESV_PORTS", "resv-ports", false },
        { JOB_SRUN, "SLURM_SEND_LIBS", "send-libs", false },
        { JOB_SRUN, "SLURM_SIGNAL", "signal", false },
        { JOB_SRUN, "SLURM_SPREAD_JOB", "spread-job", true },
        { JOB_SRUN, "SLURM_TASK_EPILOG", "task-epilog", false },
        { JOB_SRUN, "SLURM_TASK_PROLOG", "task-prolog", false },
        { JOB_SRUN, "SLURM_THREADS", "threads", false },
        { JOB_SRUN, "SLURM_THREADS_PER_CORE", "threads-per-core", false },
        { JOB_SRUN, "SLURM_THREAD_SPEC", "thread-spec", false },
        { JOB_SRUN, "SLURM_USE_MIN_NODES", "use-min-nodes", true },
        { JOB_SRUN, "SLURM_CONTAINER", "container", false },
        { JOB_SRUN, "SRUN_CONTAINER", "container", false },
};
/* clang-format on */

static bool says_no(const char *value) {
        return streq(value, "0") || strcasecmp(value, "no") == 0;
}

/* The time of --switches has a variable of its own. */
static int switch_wait(struct job_options *o, struct fail *fail) {
        const char *name = o->command == JOB_SBATCH   ? "SBATCH_WAIT4SWITCH"
                           : o->command == JOB_SALLOC ? "SALLOC_WAIT4SWITCH"
                                                      : "SLURM_WAIT4SWITCH";
        const char *value = getenv(name);
        int r = isempty(value) ? 0 : job_options_switch_wait(o, value, fail);

        return r < 0 ? fail_prefix(fail, r, "%s", name) : 0;
}

int job_options_environment(struct job_options *o, struct fail *fail) {
        const struct option_table *table = job_options_table(o->command);
        const bool exclusive = o->says_exclusive, oversubscribe = o->says_oversubscribe;

        for (size_t i = 0; i < ELEMENTSOF(env_rows); i++) {
                const struct env_row *row = &env_rows[i];
                const char *value = row->who & o->command ? getenv(row->variable) : NULL;
                int r;

                if (isempty(value) || (row->flag && says_no(value)))
                        continue;
                if (streq(row->variable, "SLURM_JOB_NAME") && command_env_set("SLURM_JOB_ID"))
                        continue; /* the job's: a step of it has one of its own */
                r = options_set(table, row->option, row->flag ? NULL : value, o, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s", row->variable);
        }
        if (o->command == JOB_SRUN)
                o->plain_sizes = 0; /* SLURM_MEM_PER_NODE and others are the job's, in MB */
        o->says_exclusive = exclusive; /* what is said overrides the environment */
        o->says_oversubscribe = oversubscribe;
        return switch_wait(o, fail);
}
