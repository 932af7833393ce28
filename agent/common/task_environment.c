/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/task_environment.h"

#include "lib/preserve_env.h"

static void environment_put_lines(struct environment *e, char *const *lines, size_t n) {
        for (size_t i = 0; i < n; i++)
                environment_put(e, lines[i]);
}

static void set_ranks(struct environment *e, const Slumber__LaunchStep *l) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (size_t i = 0; i < l->n_ranks; i++)
                fprintf(out, "%s%u", i ? "," : "", l->ranks[i]);
        memstream_close(out);
        environment_set(e, "SLURM_GTIDS", "%s", text);
        free(text);
}

static void of_batch(struct environment *e, const Slumber__StepdSpec *spec) {
        environment_set(e, "ENVIRONMENT", "BATCH");
        environment_set(e, "HOSTNAME", "%s", spec->node);
        if (spec->credential->restarts > 0)
                environment_set(e, "SLURM_RESTART_COUNT", "%u", spec->credential->restarts);
}

/* Sets the CPU binding variables. how: "none", or e.g. "map_cpu:0,2", whose list gets its own
   variable too. */
static void of_binding(struct environment *e, const char *how, const char *verbose) {
        size_t type = strcspn(how, ":");

        type += how[type] == ':';
        environment_set(e, "SLURM_CPU_BIND", "%s,%s", verbose, how);
        environment_set(e, "SLURM_CPU_BIND_VERBOSE", "%s", verbose);
        environment_set(e, "SLURM_CPU_BIND_TYPE", "%.*s", (int)type, how);
        environment_set(e, "SLURM_CPU_BIND_LIST", "%s", how + type);
}

/* Sets the memory binding variables: "local", or e.g. "map_mem:0,1", whose list gets its own
   variable too; "" for verbose alone. */
static void of_memory(struct environment *e, const Slumber__StepSpec *spec) {
        const char *verbose = spec->mem_bind_verbose ? "verbose" : "quiet", *how = spec->mem_bind;
        size_t type = strcspn(how, ":");

        if (!*how && !spec->mem_bind_verbose)
                return;
        type += how[type] == ':';
        environment_set(e, "SLURM_MEM_BIND", "%s%s%s%s", verbose,
                        spec->mem_bind_prefer ? ",prefer" : "", *how ? "," : "", how);
        environment_set(e, "SLURM_MEM_BIND_VERBOSE", "%s", verbose);
        if (spec->mem_bind_sort)
                environment_set(e, "SLURM_MEM_BIND_SORT", "sort");
        if (spec->mem_bind_prefer)
                environment_set(e, "SLURM_MEM_BIND_PREFER", "prefer");
        environment_set(e, "SLURM_MEM_BIND_TYPE", "%.*s", (int)type, how);
        environment_set(e, "SLURM_MEM_BIND_LIST", "%s", how + type);
}

/* Sets SLURM_DISTRIBUTION if the job has requested none, like Slurm: with one task a node, cyclic
   and block layouts are equal. */
static void of_distribution(struct environment *e, const Slumber__LaunchStep *l) {
        const char *distribution = environment_get(e, "SLURM_DISTRIBUTION");

        if (distribution && !*distribution)
                environment_set(e, "SLURM_DISTRIBUTION",
                                l->num_tasks <= l->num_nodes ? "cyclic" : "block");
}

static void of_srun_step(struct environment *e, const Slumber__StepdSpec *spec) {
        const Slumber__LaunchStep *l = spec->launch;
        uint32_t step = spec->credential->step_id;

        of_distribution(e, l);
        environment_set(e, "SLURM_STEP_ID", "%u", step);
        environment_set(e, "SLURM_STEPID", "%u", step);
        environment_set(e, "SLURM_STEP_NODELIST", "%s", l->step_nodes);
        environment_set(e, "SLURM_STEP_NUM_NODES", "%u", l->num_nodes);
        environment_set(e, "SLURM_STEP_NUM_TASKS", "%u", l->num_tasks);
        environment_set(e, "SLURM_STEP_TASKS_PER_NODE", "%s", l->tasks_per_node);
        environment_set(e, "SLURM_TASKS_PER_NODE", "%s", l->tasks_per_node);
        environment_set(e, "SLURM_NTASKS", "%u", l->num_tasks);
        environment_set(e, "SLURM_NPROCS", "%u", l->num_tasks);
        environment_set(e, "SLURM_NNODES", "%u", l->num_nodes);
        if (l->spec && l->spec->cpus_per_task)
                environment_set(e, "SLURM_CPUS_PER_TASK", "%u", l->spec->cpus_per_task);
        if (l->spec) {
                if (*l->spec->mpi && !streq(l->spec->mpi, "none"))
                        environment_set(e, "SLURM_MPI_TYPE", "%s",
                                        *l->spec->mpi_type ? l->spec->mpi_type : l->spec->mpi);
                environment_set(e, "SLURM_UMASK", "%04o", l->spec->umask);
                if (l->spec->pty) {
                        environment_set(e, "SLURM_PTY_WIN_COL", "%u", l->spec->pty->columns);
                        environment_set(e, "SLURM_PTY_WIN_ROW", "%u", l->spec->pty->rows);
                }
                const char *bound = *spec->cpu_bind ? spec->cpu_bind : l->spec->cpu_bind;
                if (*bound)
                        of_binding(e, bound, spec->cpu_bind_verbose ? "verbose" : "quiet");
                of_memory(e, l->spec);
        }
}

/* Copies a variable of srun's environment; false: not set there. */
static bool put_given(struct environment *e, const Slumber__StepSpec *spec, const char *name) {
        size_t n = strlen(name);

        for (size_t i = 0; i < spec->n_environment; i++)
                if (strncmp(spec->environment[i], name, n) == 0 && spec->environment[i][n] == '=') {
                        environment_put(e, spec->environment[i]);
                        return true;
                }
        return false;
}

/* Keeps srun's values of the variables of --preserve-env. */
static void keep_given(struct environment *e, const Slumber__StepSpec *spec) {
        for (size_t i = 0; i < ELEMENTSOF(preserve_env_names); i++)
                if (!put_given(e, spec, preserve_env_names[i]))
                        environment_unset(e, preserve_env_names[i]);
        /* if srun has none, the job's value stays */
        (void)put_given(e, spec, "SLURM_JOB_NUM_NODES");
}

/* Removes the MPI variables of the step calling srun or sbatch, useless in a new step. */
static void drop_mpi(struct environment *e) {
        static const char *const names[] = {
                "PMI_FD",
                "PMI_JOBID",
                "PMI_RANK",
                "PMI_SIZE",
                "PMI_SPAWNED",
                "PMIX_NAMESPACE",
                "PMIX_RANK",
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                environment_unset(e, names[i]);
}

/* Returns true if the job is a component of a heterogeneous job. */
static bool is_of_het(const Slumber__LaunchStep *l) {
        for (size_t i = 0; i < l->n_job_environment; i++)
                if (strncmp(l->job_environment[i], "SLURM_HET_SIZE=", 15) == 0)
                        return true;
        return false;
}

void environment_of_step(struct environment *e, const Slumber__StepdSpec *spec) {
        const Slumber__CredentialBody *c = spec->credential;
        const Slumber__LaunchStep *l = spec->launch;

        if (l->script)
                environment_put_lines(e, l->script->environment, l->script->n_environment);
        if (l->spec)
                environment_put_lines(e, l->spec->environment, l->spec->n_environment);
        environment_put_lines(e, l->job_environment, l->n_job_environment);
        drop_mpi(e);

        if (!is_of_het(l)) { /* components of a heterogeneous job share the leader's ID */
                environment_set(e, "SLURM_JOB_ID", "%u", c->job_id);
                environment_set(e, "SLURM_JOBID", "%u", c->job_id);
        }
        environment_set(e, "SLURM_JOB_UID", "%u", c->uid);
        environment_set(e, "SLURM_JOB_GID", "%u", c->gid);
        environment_set(e, "SLURM_JOB_USER", "%s", c->user);
        environment_set(e, "SLURMD_NODENAME", "%s", spec->node);
        environment_set(e, "SLURM_NODEID", "%u", l->node_rank);
        environment_set(e, "SLURM_TOPOLOGY_ADDR", "%s",
                        *l->topology_addr ? l->topology_addr : spec->node);
        environment_set(e, "SLURM_TOPOLOGY_ADDR_PATTERN", "%s",
                        *l->topology_pattern ? l->topology_pattern : "node");
        environment_set(e, "SLURM_PRIO_PROCESS", "0");
        if (c->cpus)
                environment_set(e, "SLURM_CPUS_ON_NODE", "%u", c->cpus);
        if (spec->config && *spec->config->cluster_name)
                environment_set(e, "SLURM_CLUSTER_NAME", "%s", spec->config->cluster_name);
        set_ranks(e, l);
        (l->batch ? of_batch : of_srun_step)(e, spec);
        if (!l->batch && l->spec && l->spec->preserve_env)
                keep_given(e, l->spec);
        environment_of_gpus(e, spec, SIZE_MAX);
}

/* SLURM_TASK_PID is set by the task itself, as only the task knows the PID. */
void environment_of_task(struct environment *e, const Slumber__StepdSpec *spec, size_t local) {
        environment_set(e, "SLURM_LOCALID", "%zu", local);
        environment_set(e, "SLURM_PROCID", "%u", spec->launch->ranks[local]);
        if (spec->launch->spec &&
                        (*spec->launch->spec->tres_per_task || *spec->launch->spec->gpu_bind))
                environment_of_gpus(e, spec, local);
}
