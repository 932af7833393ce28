/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of steps, and of allocations held by srun and salloc */
#include "commands/jobspec/jobspec_rows.h"

#include "built.h"
#include "commands/jobid.h"
#include "lib/config/config.h"
#include "lib/log.h"
#include "lib/step/cpufreq.h"
#include "lib/step/mpi_type.h"
#include "lib/timetext.h"
#include "lib/x11.h"

#include <ctype.h>
#include <signal.h>
#include <strings.h>

int job_het_groups(const char *text, bool *ret) {
        bool bracket = *text == '[';
        const char *at = text + bracket;

        for (;;) {
                unsigned long first, last;
                char *end;
                if (!isdigit((unsigned char)*at))
                        return -EINVAL;
                first = last = strtoul(at, &end, 10);
                if (*end == '-') {
                        if (!isdigit((unsigned char)end[1]))
                                return -EINVAL;
                        last = strtoul(end + 1, &end, 10);
                }
                if (first > last || last >= HET_COMPONENTS_MAX)
                        return -EINVAL;
                for (unsigned long i = first; i <= last; i++)
                        ret[i] = true;
                if (streq(end, bracket ? "]" : ""))
                        return 0;
                if (*end != ',')
                        return -EINVAL;
                at = end + 1;
        }
}

/* Sets components of a heterogeneous job: "1,3-5", "[1,3-5]". */
static int option_set_het_group(void *options, const char *value, struct fail *fail) {
        bool groups[HET_COMPONENTS_MAX] = { false };
        struct job_options *o = options;

        if (job_het_groups(value, groups) < 0)
                return fail_set(fail, -EDOM, "Invalid --het-group value: %.100s", value);
        o->het_group = value;
        return 0;
}

/* Refused with exit code 1, as in Slurm for several components. */
static int refuse_no_allocate(void *options, const char *value, struct fail *fail) {
        (void)options;
        (void)value;
        return fail_set(fail, -EDOM,
                        "--no-allocate is refused: a node starts nothing that is not part of a job");
}

/* Sets "12" or "12+1". */
static int option_set_job_id(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        size_t n = strcspn(value, "+");

        o->job_component = value[n] ? value : NULL;
        return job_option_count(&o->job_id, job_option_keep(xstrndup(value, n)), "jobid", fail);
}

/* "0" also overrides the site's KillOnBadExit. */
static int option_set_kill_on_bad_exit(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (value && !streq(value, "0") && !streq(value, "1"))
                return fail_set(fail, -EDOM,
                                "Invalid numeric value \"%.50s\" for --kill-on-bad-exit.", value);
        o->kill_on_bad_exit = !value || *value == '1';
        o->keep_on_bad_exit = !o->kill_on_bad_exit;
        return 0;
}

static int option_set_immediate(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t seconds = 0;

        if (value && uint_parse(value, 0, 365 * 24 * 3600, &seconds) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%.50s\" for immediate.",
                                value);
        o->immediate = !value || seconds > 0;
        /* 1 second means at once, as in Slurm. */
        o->immediate_seconds = seconds == 1 ? 0 : (uint32_t)seconds;
        return 0;
}

static int option_set_wait(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t seconds;

        if (uint_parse(value, 0, UINT32_MAX - 1, &seconds) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --wait.", value);
        o->wait_seconds = (uint32_t)seconds;
        o->wait_said = true;
        return 0;
}

static int option_set_mpi(void *field, const char *value, struct fail *fail) {
        static const char *const types[] = {
                "none",
                "pmi2",
#if SLUMBER_PMIX
                "pmix",
#endif
        };

        if (streq(value, "list")) {
                puts("MPI plugin types are...");
                for (size_t i = 0; i < ELEMENTSOF(types); i++)
                        printf("\t%s\n", types[i]);
                for (size_t i = 0; SLUMBER_PMIX && i < ELEMENTSOF(mpi_pmix_versions); i++)
                        printf("%s%s%s", i ? "," : "specific pmix plugin versions available: ",
                                        mpi_pmix_versions[i],
                                        i + 1 == ELEMENTSOF(mpi_pmix_versions) ? "\n" : "");
                return OPTIONS_DONE;
        }
        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (streq(value, types[i])) {
                        *(const char **)field = types[i];
                        return 0;
                }
        if (streq(value, MPI_OPENMPI)) {
                *(const char **)field = "none";
                return 0;
        }
        const char *version = SLUMBER_PMIX ? mpi_pmix_version(value) : NULL;
        if (version) {
                *(const char **)field = version;
                return 0;
        }
        return fail_set(fail, -EDOM, "Invalid MPI type '%.100s', --mpi=list for acceptable types",
                        value);
}

static int option_set_pty(void *field, const char *value, struct fail *fail) {
        if (value)
                return job_option_later("--pty with a file descriptor", fail);
        *(bool *)field = true;
        return 0;
}

static int option_set_relative(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t n;

        if (uint_parse(value, 0, JOB_COUNT_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --relative.", value);
        o->relative = (uint32_t)n;
        o->relative_set = true;
        return 0;
}

static int option_set_bell(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 1;
        return 0;
}

static int option_set_no_bell(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 2;
        return 0;
}

static int option_set_kill_command(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = SIGTERM;
        if (value && signal_parse(value, field) < 0)
                return fail_set(fail, -EINVAL,
                                "Invalid --kill-command specification: \"%s\" is not a signal",
                                value);
        return 0;
}

/* The program runs on the nodes: a path relative to this host's folder makes no sense. */
static int set_task_program(const char **field, const char *value, const char *option,
                struct fail *fail) {
        if (*value && *value != '/')
                return fail_set(fail, -EINVAL,
                                "Invalid --%s specification: \"%.200s\" is not an absolute path",
                                option, value);
        *field = value;
        return 0;
}

static int option_set_task_prolog(void *field, const char *value, struct fail *fail) {
        return set_task_program(field, value, "task-prolog", fail);
}

static int option_set_task_epilog(void *field, const char *value, struct fail *fail) {
        return set_task_program(field, value, "task-epilog", fail);
}

/* Ignored: slumberctld sends the step to the nodes, and srun has no threads to limit. */
static int option_set_threads(void *options, const char *value, struct fail *fail) {
        uint32_t count;

        return job_option_count(&count, value, "threads", fail);
}

/* Sets a number from 0 (errors only) to 4, or a word of SlurmdDebug. */
static int option_set_slurmd_debug(void *field, const char *value, struct fail *fail) {
        static const int numbers[] = { LOG_ERR, LOG_INFO, LOG_INFO, LOG_DEBUG, LOG_DEBUG };
        uint64_t n;
        int level = uint_parse(value, 0, ELEMENTSOF(numbers) - 1, &n) >= 0 ? numbers[n]
                    : *value >= '0' && *value <= '9'                       ? -EINVAL
                                                                           : log_level_parse(value);

        if (level < 0)
                return fail_set(fail, -EINVAL, "Invalid --slurmd-debug specification: %.200s",
                                value);
        /* Errors are always logged */
        *(uint32_t *)field = level > LOG_ERR ? (uint32_t)level + 1 : 0;
        return 0;
}

/* The number follows from the step's tasks unless given. */
static int option_set_resv_ports(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t n = UINT32_MAX;

        if (value && uint_parse(value, 0, UINT16_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%.50s\" for --resv-ports.",
                                value);
        o->resv_ports = (uint32_t)n;
        o->no_ports = n == 0;
        return 0;
}

/* Launched programs find each other on their own, and may use resources beyond the step's. */
static int option_set_external_launcher(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        (void)value;
        (void)fail;
        o->external_launcher = o->overlap = o->whole = true;
        o->mpi = o->mpi ? o->mpi : "none";
        return 0;
}

static int option_set_msg_timeout(void *field, const char *value, struct fail *fail) {
        return job_option_count(field, value, "msg-timeout", fail);
}

/* "off": all nodes are contacted directly. */
static int option_set_tree_width(void *field, const char *value, struct fail *fail) {
        uint64_t n = TREE_WIDTH_MAX;

        if (strcasecmp(value, "off") != 0 && uint_parse(value, 1, TREE_WIDTH_MAX, &n) < 0)
                return fail_set(fail, -EDOM,
                                "Invalid numeric value \"%.50s\" for --treewidth: 1 to %d or off",
                                value, TREE_WIDTH_MAX);
        *(uint32_t *)field = (uint32_t)n;
        return 0;
}

/* The controller checks the allowed governors. */
static int option_set_cpu_freq(void *field, const char *value, struct fail *fail) {
        struct cpu_freq f;
        int r = cpu_freq_parse(value, &f, fail);

        if (r >= 0)
                *(const char **)field = value;
        return r;
}

/* Sets value, "" if missing. */
static int option_set_word(void *field, const char *value, struct fail *fail) {
        (void)fail;
        *(const char **)field = value ? value : "";
        return 0;
}

static int option_set_x11(void *field, const char *value, struct fail *fail) {
        static const char *const words[] = { [X11_ALL] = "all",
                [X11_BATCH] = "batch",
                [X11_FIRST] = "first",
                [X11_LAST] = "last" };

        for (uint32_t i = X11_ALL; i < ELEMENTSOF(words); i++)
                if (strcasecmp(isempty(value) ? "all" : value, words[i]) == 0) {
                        *(uint32_t *)field = i;
                        return 0;
                }
        return fail_set(fail, -EINVAL,
                        "--x11=%.40s: one of all, batch, first and last was expected", value);
}

/* clang-format off */
const struct job_row job_rows_step[] = {
        CALL_OPT(JOB_SRUN, "bcast", 0, AT(bcast), option_set_word, "path", "copy the program to the job's nodes first, and run the copy"),
        TEXT(JOB_SRUN, "bcast-exclude", 0, bcast_exclude, "NONE|folder,...", "--send-libs sends no libraries of these folders"),
        CALL_FLAG(JOB_SALLOC, "bell", 0, AT(bell), option_set_bell, "ring the terminal's bell when it is allocated"),
        CALL_OPT(JOB_SRUN, "compress", 0, AT(compress), option_set_word, "library", "--bcast compresses on the way"),
        CALL(JOB_SRUN | JOB_SALLOC | JOB_SBATCH, "cpu-bind", 0, 0, job_set_cpu_bind, "[verbose,]how", "none, threads, cores, sockets, ldoms, rank, map_cpu:LIST...: CPUs of each task; --cpu-bind=help"),
        CALL(JOB_SRUN, "cpu_bind", 0, 0, job_set_cpu_bind, NULL, NULL),
        CALL(ALL, "cpu-freq", 0, WIRE(cpu_freq), option_set_cpu_freq, "min[-max][:governor]", "kHz, low, medium, highm1, high or a governor: of its steps' CPUs"),
        FLAG(JOB_SRUN | ENV(JOB_SRUN), "disable-status", 'X', disable_status, "hand Ctrl-C to the tasks at once"),
        TEXT(JOB_SRUN | CARRIED, "epilog", 0, srun_epilog, "program|none", "run this program here after the step"),
        CALL_FLAG(JOB_SRUN, "external-launcher", 0, 0, option_set_external_launcher, "the step is a task a node that starts others, as mpirun's; it has all that the job has there, and shares it"),
        FLAG(JOB_SRUN | ENV(JOB_SRUN) | CARRIED, "exact", 0, exact, "the step takes only what it asks for"),
        CALL_OPT(JOB_SRUN | JOB_SALLOC | CARRIED, "immediate", 'I', 0, option_set_immediate, "seconds", "now, or within so many seconds, or not at all"),
        CALL(JOB_SRUN, "jobid", 0, 0, option_set_job_id, "id", "run in this allocation"),
        CALL_OPT(JOB_SALLOC, "kill-command", 'K', AT(kill_signal), option_set_kill_command, "signal", "for the command when the allocation ends before it; TERM"),
        CALL_OPT(JOB_SRUN | CARRIED, "kill-on-bad-exit", 'K', 0, option_set_kill_on_bad_exit, "0|1", "end the step when a task fails"),
        FLAG(JOB_SRUN, "interactive", 0, interactive, "the step is salloc's shell: one task on the first node"),
        FLAG(JOB_SRUN | CARRIED, "label", 'l', label, "task number before each line"),
        CALL(ALL | ENV(ALL), "mem-bind", 0, 0, job_set_mem_bind, "[verbose,]how",
             "none, local, rank, map_mem:LIST, mask_mem:LIST: memory of each task; --mem-bind=help"),
        CALL(JOB_SRUN, "mem_bind", 0, 0, job_set_mem_bind, NULL, NULL),
        CALL(JOB_SRUN, "mpi", 0, AT(mpi), option_set_mpi, "none|pmi2|pmix|pmix_v3|pmix_v4|pmix_v5|list", "how the tasks of an MPI program find each other"),
        CALL(JOB_SRUN | CARRIED, "msg-timeout", 0, AT(launch_seconds), option_set_msg_timeout, "seconds", "end a step that its nodes have not all launched by then"),
        FLAG(JOB_SRUN, "multi-prog", 0, multi_prog, "the operand is a file that says which task runs what"),
        CALL_FLAG(JOB_SALLOC, "no-bell", 0, AT(bell), option_set_no_bell, "never ring it"),
        FLAG(JOB_SALLOC, "no-shell", 0, no_shell, "allocate and return"),
        WIRE_YES_NO(ALL | ENV(ALL), "oom-kill-step", 0, oom_kill_step,
                    "a process killed for want of memory is the end of its step on that node"),
        FLAG(JOB_SRUN | ENV(JOB_SRUN) | CARRIED, "overlap", 0, overlap, "the step shares with other steps"),
        FLAG(JOB_SRUN, "preserve-env", 'E', preserve_env, "tasks have the numbers of nodes and tasks of srun's environment"),
        TEXT(JOB_SRUN | CARRIED, "prolog", 0, srun_prolog, "program|none", "run this program here before the step"),
        CALL_OPT(JOB_SRUN | CARRIED, "pty", 0, AT(pty), option_set_pty, NULL, "task 0 has a terminal, and this one shows it"),
        FLAG(JOB_SRUN | CARRIED, "quit-on-interrupt", 0, quit_on_interrupt, "one Ctrl-C ends it"),
        CALL(JOB_SRUN, "relative", 'r', 0, option_set_relative, "number", "the step's first node is that one of the allocation, from 0"),
        CALL_OPT(JOB_SRUN, "resv-ports", 0, 0, option_set_resv_ports, "count", "ports for the step alone on its nodes, one more than the most tasks on a node; 0: none"),
        FLAG(JOB_SRUN, "debugger-test", 0, debugger_test,
             "stop each task at its first instruction, print its process"),
        CALL_OPT(JOB_SRUN, "send-libs", 0, AT(send_libs), option_set_word, "yes|no", "--bcast copies the program's libraries, too"),
        CALL(JOB_SRUN | CARRIED, "slurmd-debug", 0, AT(debug_level), option_set_slurmd_debug, "level",
             "the step daemons' messages, on standard error"),
        CALL(JOB_SRUN | CARRIED, "task-epilog", 0, AT(task_epilog), option_set_task_epilog, "path", "run this program after each task"),
        CALL(JOB_SRUN | CARRIED, "task-prolog", 0, AT(task_prolog), option_set_task_prolog, "path", "run this program before each task"),
        CALL(JOB_SRUN | CARRIED, "threads", 'T', 0, option_set_threads, "count", "no effect: srun starts tasks by no threads of its own"),
        CALL(JOB_SRUN, "treewidth", 0, AT(tree_width), option_set_tree_width, "number|off", "nodes that one of the step's nodes passes launches and output on for"),
        FLAG(JOB_SRUN | CARRIED, "unbuffered", 'u', unbuffered, "do not collect lines"),
        CALL(JOB_SRUN | CARRIED, "wait", 'W', 0, option_set_wait, "seconds", "end the step so long after its first task has ended"),
        FLAG(JOB_SBATCH | CARRIED, "wait", 'W', wait, "wait for the job's end, exit with its code"),
        CALL_OPT(JOB_SRUN | JOB_SALLOC, "x11", 0, WIRE(x11), option_set_x11, "all|batch|first|last",
                 "programs on these nodes of the job show their windows here"),
        FLAG(JOB_SRUN | ENV(JOB_SRUN) | CARRIED, "whole", 0, whole, "the step has all that the job has on its nodes, also with -c"),

        CALL(JOB_SRUN, "het-group", 0, 0, option_set_het_group, "list", "the components of the heterogeneous job that the step is on: 1,3-5"),
        CALL(JOB_SRUN, "pack-group", 0, 0, option_set_het_group, "list", NULL),
        NEVER_ARG(JOB_SRUN, "accel-bind", 0, "devices are bound by --gpu-bind"),
        NEVER(JOB_SRUN, "async", 0, "\"srun ... &\" and \"wait\" in a script do the same"),
        CALL_FLAG(JOB_SRUN | CARRIED, "no-allocate", 'Z', 0, refuse_no_allocate, NULL),
        NEVER_OPT(JOB_SBATCH | JOB_SALLOC, "resv-ports", 0, "ports are reserved for steps, by srun"),
};
/* clang-format on */
const size_t n_job_rows_step = ELEMENTSOF(job_rows_step);
