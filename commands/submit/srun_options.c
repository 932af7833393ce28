/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads srun's command line, with options from all sources, and checks conflicts. */
#include "commands/filter/filter.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/submit/srun.h"

#include "commands/submit/plugins.h"
#include "lib/timetext.h"

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* Makes the step of --interactive: one task on the first node, which takes no resources from
   other steps. */
static int become_interactive(struct job_options *o, struct fail *fail) {
        if (!o->job_id)
                return fail_set(fail, -EINVAL,
                                "--interactive is for the shell of salloc: there is no allocation");
        o->num_tasks = o->min_nodes = o->max_nodes = 1;
        o->overlap = true;
        if (o->pty && !isatty(STDIN_FILENO)) {
                command_error(SRUN, "Not using a pseudo-terminal, disregarding --pty option");
                o->pty = false;
        }
        return 0;
}

/* Checks --prolog or --epilog: "none", or an executable file. */
static int check_hook(const char **path, struct fail *fail) {
        struct stat st;

        if (!*path)
                return 0;
        if (strcasecmp(*path, "none") == 0) {
                *path = "none";
                return 0;
        }
        if (stat(*path, &st) == 0 && S_ISDIR(st.st_mode))
                errno = EISDIR;
        else if (access(*path, X_OK) == 0)
                return 0;
        return fail_set(fail, -errno, "Access denied for %.200s: %s", *path, strerror(errno));
}

/* Checks conflicts between options of steps. */
static int step_options_check(struct srun *s, struct fail *fail) {
        const struct job_options *o = &s->o;

        if (o->relative_set && !o->job_id)
                return fail_set(fail, -EINVAL,
                                "--relative is for a step in an allocation that is there already");
        if (o->relative_set && (o->nodelist || o->exclude))
                return fail_set(fail, -EINVAL,
                                "-r,--relative not allowed with -w,--nodelist or -x,--exclude.");
        if (o->says_exclusive && o->overlap)
                return fail_set(fail, -EINVAL, "--exclusive and --overlap are mutually exclusive");
        if (o->exact && o->whole)
                return fail_set(fail, -EINVAL, "--exact and --whole are mutually exclusive");
        if (o->pty && (o->in || o->out || o->err || o->label))
                return fail_set(fail, -EINVAL,
                                "--pty goes with none of --input, --output, --error and --label");
        if (o->multi_prog && o->bcast)
                return fail_set(fail, -EINVAL,
                                "--bcast goes with one program, not with --multi-prog");
        if (o->external_launcher && !o->says_tasks && !o->ntasks_per_node) {
                s->o.num_tasks = 0;
                s->o.ntasks_per_node = 1;
        }
        /* The launcher's step takes no resources of other steps */
        if (o->external_launcher && !o->resv_ports)
                s->o.no_ports = true;
        int r = o->interactive ? become_interactive(&s->o, fail) : 0;
        if (r >= 0)
                r = check_hook(&s->o.srun_prolog, fail);
        if (r >= 0)
                r = check_hook(&s->o.srun_epilog, fail);
        return r >= 0 && o->multi_prog ? srun_read_multi_prog(s, fail) : r;
}

/* Sizes and kind of steps from the environment of an allocation or another step, used if the
   command line has no such options. */
struct sizes {
        uint32_t cpus_per_task, tasks, min_nodes, max_nodes, ntasks_per_node;
        const char *mpi;
        bool exact;
};

static struct sizes take_sizes(struct job_options *o) {
        struct sizes env = { o->cpus_per_task, o->num_tasks, o->min_nodes, o->max_nodes,
                o->ntasks_per_node, o->mpi, o->exact };

        o->cpus_per_task = o->num_tasks = o->min_nodes = o->max_nodes = o->ntasks_per_node = 0;
        o->mpi = NULL;
        o->exact = false;
        return env;
}

/* The kind of step does not apply to external launchers. */
static void fill_kind(struct job_options *o, const struct sizes *env) {
        if (o->external_launcher)
                return;
        if (!o->ntasks_per_node)
                o->ntasks_per_node = env->ntasks_per_node;
        if (!o->mpi)
                o->mpi = env->mpi;
        o->exact |= env->exact;
}

/* Fills gaps after the command line's options. */
static void fill_sizes(struct job_options *o, const struct sizes *env) {
        fill_kind(o, env);
        if (o->cpus_per_task) { /* on the command line the option means more */
                o->fill_nodes = true;
                o->exact |= !o->overcommit && !o->whole;
        } else
                o->cpus_per_task = env->cpus_per_task;
        o->fill_nodes |= command_env_set("SRUN_CPUS_PER_TASK");
        o->says_tasks = o->num_tasks;
        o->says_nodes = o->max_nodes;
        if (!o->says_tasks)
                o->num_tasks = env->tasks;
        /* The allocation's number; --relative skips some of its nodes */
        if (!o->says_nodes && !o->relative_set && !o->zero_nodes) {
                o->min_nodes = env->min_nodes;
                o->max_nodes = env->max_nodes;
        }
}

int srun_options_read(struct srun *s, struct fail *fail) {
        struct fail why = { 0 }; /* a warning in fail is kept on success */
        size_t n = srun_components(s);
        int r = 0;

        command_view.job = s->o.job_id;
        command_view.verbose = s->o.verbose;
        command_view.quiet = s->o.quiet;
        for (size_t i = 0; i < n && r >= 0; i++) {
                bool own = i && s->n_parts;
                int group = s->salloc || s->elsewhere ? -1
                            : s->n_parts              ? s->parts[i].group
                                                      : s->group;
                command_view.argc = own ? s->parts[i].argc : s->argc;
                command_view.argv = own ? s->parts[i].argv : s->argv;
                r = command_options_read(i, n, group, &why);
        }
        command_view.argc = s->argc;
        command_view.argv = s->argv;
        if (r == -EINVAL)
                s->failure = job_options_exit(r);
        return r < 0 ? fail_set(fail, r, "%s", why.text) : 0;
}

size_t srun_components(const struct srun *s) {
        return s->n_parts ? s->n_parts : 1 + s->n_later;
}

const struct job_options *srun_options_of(const struct srun *s, size_t at) {
        return !at ? &s->o : s->n_parts ? &s->parts[at].o : &s->later[at - 1];
}

void srun_tell_filter(const struct srun *s, uint32_t step) {
        size_t n = srun_components(s);
        _cleanup_free_ const struct job_options **list = xnew0(const struct job_options *, n);

        for (size_t i = 0; i < n; i++)
                list[i] = srun_options_of(s, i);
        filter_post_submit(list, n, s->job, step);
}

/* Applies options carried from earlier lines. */
static int earlier_lines_carry(struct srun *s) {
        int r = 0;

        if (s->turn) /* s->o has the first component's options */
                s->o.job_id = s->parts[s->turn].o.job_id;
        for (size_t i = 0; r == 0 && i < s->line; i++)
                r = job_options_carry(&s->o, s->lines[i].argc, s->lines[i].argv);
        return r;
}

/* Returns whether the step is in an existing job. In a later component's turn the first
   component's options are in parts. */
static bool is_in_job(const struct srun *s) {
        return s->turn ? s->parts[s->turn].o.job_id : s->o.job_id;
}

/* Takes the program of the line, and sizes from the environment. */
static void line_options_end(struct srun *s, struct sizes *env) {
        const struct srun_line *line = &s->lines[s->line];

        if (line->program) { /* NULL: the only line */
                s->argc = line->n_program;
                s->argv = line->program;
        }
        /* A component takes no sizes from the environment */
        if (s->n_parts && !s->spans && is_in_job(s))
                *env = (struct sizes){ .mpi = env->mpi, .exact = env->exact };
        fill_sizes(&s->o, env);
}

static int option_sources_read(struct srun *s, enum job_command command, int argc, char **argv,
                struct fail *fail) {
        bool is_srun = command == JOB_SRUN;
        struct sizes env = { 0 };
        int operand;

        if (is_srun)
                srun_take_group(s, s->group);
        job_options_init(&s->o, command);
        command_options_begin(s->turn);
        int r = filter_defaults(&s->o, false, fail);
        if (r != 0)
                return r;
        /* The variables of a job hold for each component; variables within a job are about its
           steps as a whole. */
        bool of_job = is_srun && s->line && !command_env_set("SLURM_JOB_ID");
        if (of_job && (r = earlier_lines_carry(s)) != 0)
                return r;
        r = job_options_environment(&s->o, fail);
        if (r < 0)
                s->failure = job_options_exit(r);
        if (r != 0)
                return r;
        if (is_srun) {
                env = take_sizes(&s->o);
                job_options_line_begins();
                r = of_job ? 0 : earlier_lines_carry(s);
                if (r != 0)
                        return r;
        }
        r = options_parse(job_options_table(command), argc, argv, &s->o, &operand);
        if (r < 0)
                s->failure = job_options_exit(r);
        if (r == 0)
                r = filter_apply(&s->o, fail);
        if (r == 0 && is_srun)
                r = job_options_line_ends(&s->o, fail);
        if (r != 0)
                return r;
        job_options_read(&s->o);
        s->argc = argc - operand;
        s->argv = argv + operand;
        if (is_srun)
                line_options_end(s, &env);
        return 0;
}

/* Returns the number of operands; 0 if salloc's next component follows. */
static int operands_count(int argc, char **argv) {
        return argc && streq(argv[0], ":") ? 0 : argc;
}

int srun_sources_read(struct srun *s, enum job_command command, int argc, char **argv,
                struct fail *fail) {
        bool changed = false;

        filter_component(command, s->turn);
        int r = option_sources_read(s, command, argc, argv, fail);
        if (r == 0 && (s->argc || command == JOB_SALLOC))
                r = filter_pre_submit(&s->o, operands_count(s->argc, s->argv), s->argv, &changed,
                                fail);
        return r == 0 && changed ? option_sources_read(s, command, argc, argv, fail) : r;
}

/* A component's part of the command line; argv[0] is the program or ":". */
struct part {
        int argc;
        char **argv;
};

static int read_later(struct srun *s, const struct part *parts, size_t at, struct job_options *o,
                int *ret_first, struct fail *fail) {
        job_options_init(o, JOB_SALLOC);
        command_options_begin(at);
        int r = filter_defaults(o, false, fail);
        for (size_t i = 0; i < at && r == 0; i++)
                r = job_options_carry(o, parts[i].argc, parts[i].argv);
        if (r == 0)
                r = job_options_environment(o, fail);
        if (r == 0)
                r = options_parse(job_options_table(JOB_SALLOC), parts[at].argc, parts[at].argv, o,
                                ret_first);
        if (r < 0)
                s->failure = job_options_exit(r);
        if (r == 0)
                r = filter_apply(o, fail);
        job_options_read(o);
        return r;
}

/* Reads a later component of salloc; operands after the options start at *ret_first. */
static int salloc_component_read(struct srun *s, const struct part *parts, size_t at,
                struct job_options *o, int *ret_first, struct fail *fail) {
        bool changed = false;

        filter_component(JOB_SALLOC, at);
        int r = read_later(s, parts, at, o, ret_first, fail);
        if (r == 0) {
                char **rest = parts[at].argv + *ret_first;
                r = filter_pre_submit(o, operands_count(parts[at].argc - *ret_first, rest), rest,
                                &changed, fail);
        }
        if (r == 0 && changed)
                r = read_later(s, parts, at, o, ret_first, fail);
        return r == 0 ? job_options_check(o, fail) : r;
}

int srun_read_components(struct srun *s, int argc, char **argv, struct fail *fail) {
        _cleanup_free_ struct part *parts = xnew(struct part, (size_t)argc + 1);
        size_t n = 0;
        int r = 0, first;

        parts[n++] = (struct part){ argc - s->argc, argv };
        while (r == 0 && s->argc && streq(s->argv[0], ":")) {
                if (n == HET_COMPONENTS_MAX)
                        return fail_set(fail, -E2BIG, "more than %d components",
                                        HET_COMPONENTS_MAX);
                parts[n] = (struct part){ s->argc, s->argv };
                s->later = xrenew(s->later, n);
                r = salloc_component_read(s, parts, n, &s->later[n - 1], &first, fail);
                s->n_later = n;
                if (r == 0)
                        r = user_check_component(s->o.become.user, s->o.become.group,
                                        s->later[n - 1].become.user, s->later[n - 1].become.group,
                                        n, fail);
                if (r != 0)
                        break;
                parts[n++].argc = first;
                s->argc -= first;
                s->argv += first;
        }
        return r;
}

/* --jobid=12+1, --het-group=1: replaces the job id by the component's id. */
static int find_component(const struct srun *s, struct job_options *o, struct fail *fail) {
        _cleanup_(job_id_done) struct job_id id = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;

        if (s->leader && s->group >= 0 && !s->spans) { /* ids of components are consecutive */
                o->job_id = s->leader + (uint32_t)s->group;
                return 0;
        }
        if (!o->job_component || s->spans)
                return 0;
        if (job_id_parse(o->job_component, &id) < 0 || id.has_step)
                return fail_set(fail, -EINVAL, "Invalid numeric value \"%s\" for --jobid.",
                                o->job_component);
        int r = command_connect(&w, fail);
        return r < 0 ? r : query_component(w, &id, &o->job_id, fail);
}

int srun_become(struct srun *s, struct fail *fail) {
        int r = user_become(s->o.become.user, s->o.become.group, fail);

        if (r == -EINVAL)
                s->failure = job_options_exit(r);
        return r;
}

int srun_options_check(struct srun *s, struct fail *fail) {
        if (s->n_parts && !s->o.nodelist && !isempty(getenv("SLURM_HOSTFILE")))
                return fail_set(fail, -EOPNOTSUPP,
                                "SLURM_HOSTFILE is not for a step of several components: each has "
                                "--distribution=arbitrary with a --nodelist of its own");
        int r = job_options_check(&s->o, fail);

        if (r >= 0)
                r = step_options_check(s, fail);
        if (r >= 0 && s->n_parts && !s->spans && !s->o.min_nodes)
                s->o.min_nodes = 1;       /* fewer than all nodes of the job */
        if (s->n_parts && !s->o.truncate) /* components must not truncate each other's files */
                s->o.append = true;
        return r;
}

int srun_read_options(struct srun *s, int argc, char **argv, struct fail *fail) {
        int r = srun_split(s, argc, argv, fail);

        if (r != 0)
                return r;
        if (s->n_parts) {
                s->line = s->parts[0].line;
                s->group = s->parts[0].group;
        }
        r = srun_sources_read(s, JOB_SRUN, s->lines[s->line].argc, s->lines[s->line].argv, fail);
        if (r != 0)
                return r;
        r = find_component(s, &s->o, fail);
        if (r >= 0 && s->n_parts)
                r = srun_read_parts(s, fail);
        if (r != 0)
                return r;
        if (s->argc == 0) {
                fputs(SRUN ": fatal: No command given to execute.\n", stderr);
                return -EINVAL;
        }
        if (s->o.test_only && s->o.job_id)
                return fail_set(fail, -EINVAL,
                                "--test-only is for a new allocation, not inside of job %u",
                                s->o.job_id);
        r = srun_options_check(s, fail);
        if (r >= 0)
                r = srun_options_read(s, fail);
        return r < 0 ? r : srun_become(s, fail);
}
