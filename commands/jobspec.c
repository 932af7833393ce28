/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of sbatch, srun and salloc.  One table has a row for each option and says which commands have it; a command's
 * own table (job_options_table) is made of those rows.  Lines of the script, the environment and the command line go
 * through the same rows, so that a value is read in one way wherever it stands.
 *
 * Options of Slurm's that would have no effect here are refused by name, unless what they ask for is what happens
 * anyway (--mpi=none, --gres=none, --mail-type=NONE).
 */
#include "commands/jobspec.h"

#include "commands/jobid.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <signal.h>
#include <strings.h>
#include <sys/resource.h>

#define NICE_DEFAULT 100
#define NICE_MAX     2147483645
#define COUNT_MAX    (UINT32_MAX - 2)
#define LOGIN_PATIENCE 120 /* s for a login shell, as Slurm */

static int invalid(const char *option, struct fail *fail) {
        return fail_set(fail, -EINVAL, "Invalid --%s specification", option);
}

static int later(const char *what, struct fail *fail) {
        return fail_set(fail, -ENOTSUP, "%s is not implemented by Slumber yet", what);
}

/* ---- numbers ---- */

static int set_count(uint32_t *field, const char *value, const char *option, struct fail *fail) {
        uint64_t n;

        if (uint_parse(value, 1, COUNT_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --%s.", value, option);
        *field = (uint32_t)n;
        return 0;
}
#define DEFINE_COUNT(function, option)                                                             \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return set_count(field, value, (option), fail);                                    \
        }
DEFINE_COUNT(set_ntasks, "ntasks")
DEFINE_COUNT(set_cpus_per_task, "cpus-per-task")
DEFINE_COUNT(set_ntasks_per_node, "ntasks-per-node")
DEFINE_COUNT(set_mincpus, "mincpus")
DEFINE_COUNT(set_job_id, "jobid")

/* "4", "2k" (1024 each): one number of --nodes; returns what follows it, NULL when there is none. */
static const char *node_number(const char *text, uint32_t *ret) {
        unsigned long long n;
        char *end;

        if (*text < '0' || *text > '9')
                return NULL;
        errno = 0;
        n = strtoull(text, &end, 10);
        if (errno || n > COUNT_MAX)
                return NULL;
        if (*end == 'k' || *end == 'K') {
                n *= 1024;
                end++;
        }
        if (n > COUNT_MAX)
                return NULL;
        *ret = (uint32_t)n;
        return end;
}

static int set_nodes(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint32_t min, max = 0;
        const char *p = node_number(value, &min);

        if (p && *p == '-')
                p = node_number(p + 1, &max);
        else
                max = p ? min : 0;
        if (!p || *p || min == 0)
                return fail_set(fail, -EINVAL, "\"%s\" is not a valid node count", value);
        if (max < min)
                return fail_set(fail, -EINVAL,
                                "Maximum node count %u is less than minimum node count %u", max,
                                min);
        o->min_nodes = min;
        o->max_nodes = max;
        return 0;
}

static int set_nice(void *field, const char *value, struct fail *fail) {
        long long n = NICE_DEFAULT;
        char *end;

        if (value) {
                errno = 0;
                n = strtoll(value, &end, 10);
                if (!*value || *end)
                        return invalid("nice", fail);
                if (errno || n > NICE_MAX || n < -NICE_MAX)
                        return fail_set(fail, -ERANGE,
                                        "Invalid --nice value, out of range (+/- %d)", NICE_MAX);
        }
        *(int32_t *)field = (int32_t)n;
        return 0;
}

static int set_priority(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t n;

        if (strcasecmp(value, "TOP") == 0)
                return later("--priority=TOP", fail);
        if (uint_parse(value, 0, COUNT_MAX, &n) < 0)
                return invalid("priority", fail);
        o->priority = (uint32_t)n;
        o->hold = o->hold || n == 0;
        return 0;
}

/* ---- memory, times ---- */

static int set_memory(uint64_t *field, const char *value, const char *option, struct fail *fail) {
        return memory_parse(value, field, NULL) < 0 ? invalid(option, fail) : 0;
}

/* A job's environment says its memory in one of the two ways; a step may be asked for it in the other. */
static int set_mem(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (o->command == JOB_SRUN)
                o->mem_per_cpu = o->mem_per_cpu_set = 0;
        o->mem_set = true;
        return set_memory(&o->mem, value, "mem", fail);
}

static int set_mem_per_cpu(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (o->command == JOB_SRUN)
                o->mem = o->mem_set = 0;
        o->mem_per_cpu_set = true;
        return set_memory(&o->mem_per_cpu, value, "mem-per-cpu", fail);
}

static int set_tmp(void *field, const char *value, struct fail *fail) {
        return set_memory(field, value, "tmp", fail);
}

static int set_time(void *field, const char *value, struct fail *fail) {
        usec_t limit;

        if (duration_parse(value, &limit, NULL) < 0)
                return invalid("time", fail);
        *(usec_t *)field = limit ? limit : NO_LIMIT; /* as Slurm: no time is no limit */
        return 0;
}

static int set_begin(void *field, const char *value, struct fail *fail) {
        struct fail why = { 0 };

        if (time_parse(value, now_realtime(), field, &why) < 0)
                return fail_set(fail, -EINVAL, "Invalid --begin specification: %s", why.text);
        return 0;
}

/* ---- words ---- */

static int set_requeue(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 1;
        return 0;
}

static int set_no_requeue(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 2;
        return 0;
}

static int set_wait_all_nodes(void *field, const char *value, struct fail *fail) {
        if (!streq(value, "0") && !streq(value, "1"))
                return invalid("wait-all-nodes", fail);
        *(uint32_t *)field = *value == '1' ? 1 : 2;
        return 0;
}

static int set_kill_on_invalid_dep(void *field, const char *value, struct fail *fail) {
        if (strcasecmp(value, "yes") != 0 && strcasecmp(value, "no") != 0)
                return invalid("kill-on-invalid-dep", fail);
        *(uint32_t *)field = strcasecmp(value, "yes") == 0 ? 1 : 2;
        return 0;
}

static int set_exclusive(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (!value || streq(value, "exclusive")) {
                o->share = SLUMBER__SHARE__SHARE_NO;
                return 0;
        }
        if (strcasecmp(value, "user") == 0)
                return later("--exclusive=user", fail);
        if (strcasecmp(value, "mcs") == 0)
                return later("--exclusive=mcs", fail);
        if (strcasecmp(value, "topo") == 0)
                return later("--exclusive=topo", fail);
        return invalid("exclusive", fail);
}

static int set_oversubscribe(void *field, const char *value, struct fail *fail) {
        *(Slumber__Share *)field = SLUMBER__SHARE__SHARE_YES;
        return 0;
}

static int set_open_mode(void *field, const char *value, struct fail *fail) {
        if (value[0] != 'a' && value[0] != 't')
                return invalid("open-mode", fail);
        *(bool *)field = value[0] == 'a';
        return 0;
}

static int set_no_kill(void *field, const char *value, struct fail *fail) {
        if (value && strcasecmp(value, "off") != 0 && strcasecmp(value, "no") != 0)
                return invalid("no-kill", fail);
        *(bool *)field = !value;
        return 0;
}

#define RLIMITS_ALL UINT32_MAX

/* clang-format off */
static const struct {
        const char *name;
        uint32_t mask;
} rlimit_names[] = {
        { "ALL", RLIMITS_ALL },
        { "AS", 1u << RLIMIT_AS },
        { "CORE", 1u << RLIMIT_CORE },
        { "CPU", 1u << RLIMIT_CPU },
        { "DATA", 1u << RLIMIT_DATA },
        { "FSIZE", 1u << RLIMIT_FSIZE },
        { "MEMLOCK", 1u << RLIMIT_MEMLOCK },
        { "NOFILE", 1u << RLIMIT_NOFILE },
        { "NONE", 0 },
        { "NPROC", 1u << RLIMIT_NPROC },
        { "RSS", 1u << RLIMIT_RSS },
        { "STACK", 1u << RLIMIT_STACK },
};
/* clang-format on */

static int rlimit_mask(const char *name, size_t n, uint32_t *ret, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(rlimit_names); i++)
                if (strlen(rlimit_names[i].name) == n && strncasecmp(rlimit_names[i].name, name, n) == 0) {
                        *ret |= rlimit_names[i].mask;
                        return 0;
                }
        return fail_set(fail, -EDOM, "Bad rlimit name: %.*s", (int)MIN(n, (size_t)100), name);
}

static int set_propagate(void *field, const char *value, struct fail *fail) {
        uint32_t wanted = value ? 0 : RLIMITS_ALL;

        for (const char *p = value; p && *p;) {
                size_t n = strcspn(p, ",");
                int r = rlimit_mask(p, n, &wanted, fail);

                if (r < 0)
                        return r;
                p += n + (p[n] == ',');
        }
        *(uint32_t *)field = ~wanted;
        return 0;
}

static int set_kill_on_bad_exit(void *field, const char *value, struct fail *fail) {
        if (value && !streq(value, "0") && !streq(value, "1"))
                return invalid("kill-on-bad-exit", fail);
        *(bool *)field = !value || *value == '1';
        return 0;
}

static int set_immediate(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t seconds = 0;

        if (value && uint_parse(value, 0, 365 * 24 * 3600, &seconds) < 0)
                return invalid("immediate", fail);
        o->immediate = true;
        o->immediate_seconds = (uint32_t)seconds;
        return 0;
}

/* "[B:]USR1[@60]" */
static int set_signal(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        bool batch = strncasecmp(value, "B:", 2) == 0;
        const char *name = value + (batch ? 2 : 0), *at = strchr(name, '@');
        _cleanup_free_ char *word = xstrndup(name, at ? (size_t)(at - name) : strlen(name));
        uint64_t seconds = 60;
        uint32_t sig;

        if (strncasecmp(value, "R:", 2) == 0 || strncasecmp(value, "RB:", 3) == 0 || strncasecmp(value, "BR:", 3) == 0)
                return later("--signal=R: (reservations)", fail);
        if (signal_parse(word, &sig) < 0 || (at && uint_parse(at + 1, 0, UINT16_MAX, &seconds) < 0))
                return invalid("signal", fail);
        o->warn_signal = sig;
        o->warn_time = seconds * USEC_PER_SEC;
        o->warn_batch = batch;
        return 0;
}

/* "[seconds][S|L]" */
static int set_get_user_env(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        size_t digits = value ? strspn(value, "0123456789") : 0;
        _cleanup_free_ char *number = xstrndup(value ? value : "", digits);
        uint64_t seconds = LOGIN_PATIENCE;

        if (digits && uint_parse(number, 1, 24 * 3600, &seconds) < 0)
                return invalid("get-user-env", fail);
        if (value && value[digits] && (!strchr("SL", value[digits]) || value[digits + 1]))
                return invalid("get-user-env", fail);
        o->login_env = true;
        o->login_patience = seconds * USEC_PER_SEC;
        o->login_mode = value && value[digits] ? value[digits] : 'L';
        return 0;
}

static char *join_words(char *text) {
        char *list = xnew0(char, strlen(text) + 1), *save = NULL;
        size_t n = 0;

        for (char *w = strtok_r(text, " \t\r\n,", &save); w; w = strtok_r(NULL, " \t\r\n,", &save))
                n += (size_t)sprintf(list + n, "%s%s", n ? "," : "", w);
        return list;
}

/* Names in the file, by white space or commas; kept until the end of the process. */
static int set_nodefile(void *field, const char *value, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        static char *list;
        FILE *in = fopen(value, "re");
        size_t size = 0;

        if (!in)
                return fail_set(fail, -errno, "--nodefile: %s: %s", value, strerror(errno));
        bool any = getdelim(&text, &size, 0, in) > 0;
        fclose(in);
        free(list);
        list = any ? join_words(text) : xstrdup("");
        *(const char **)field = list;
        return *list ? 0 : fail_set(fail, -ENODATA, "--nodefile: %s: no node is named in it", value);
}

static int set_wait(void *field, const char *value, struct fail *fail) {
        uint64_t seconds;

        if (uint_parse(value, 0, UINT32_MAX - 1, &seconds) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --wait.", value);
        *(uint32_t *)field = (uint32_t)seconds;
        return 0;
}

static int set_mpi(void *field, const char *value, struct fail *fail) {
        if (strcasecmp(value, "list") == 0) {
                puts("MPI plugin types are...\n\tnone");
                return OPTIONS_DONE;
        }
        return strcasecmp(value, "none") == 0 ? 0 : later("--mpi with another value than none", fail);
}

static int set_bell(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 1;
        return 0;
}

static int set_no_bell(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 2;
        return 0;
}

static int set_kill_command(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = SIGTERM;
        if (value && signal_parse(value, field) < 0)
                return fail_set(fail, -EINVAL, "Invalid --kill-command specification: \"%s\" is no signal", value);
        return 0;
}

static int set_distribution(void *options, const char *value, struct fail *fail) {
        static const char *const words[] = { "*", "arbitrary", "block", "cyclic", "plane" };
        struct job_options *o = options;
        size_t n = strcspn(value, ":,=");
        bool cyclic = strcasecmp(value, "cyclic") == 0, known = false;

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                known |= n == strlen(words[i]) && strncasecmp(value, words[i], n) == 0;
        if (!known)
                return invalid("distribution", fail);
        if (!cyclic && strcasecmp(value, "block") != 0)
                return later("--distribution with another value than block and cyclic", fail);
        if (cyclic && o->command != JOB_SRUN)
                return later("--distribution=cyclic for other commands than srun", fail);
        o->cyclic = cyclic;
        return 0;
}

/* Options whose only value known here is the one that changes nothing. */
static int only_value(const char *value, const char *word, const char *option, struct fail *fail) {
        if (strcasecmp(value, word) == 0)
                return 0;
        return fail_set(fail, -ENOTSUP,
                        "--%s with another value than %s is not implemented by Slumber yet", option,
                        word);
}
#define DEFINE_ONLY(function, option, word)                                                        \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return only_value(value ? value : "", (word), (option), fail);                     \
        }
DEFINE_ONLY(only_gres, "gres", "none")
DEFINE_ONLY(only_profile, "profile", "none")
DEFINE_ONLY(only_mail, "mail-type", "NONE")
DEFINE_ONLY(only_cpu_bind, "cpu-bind", "none")
DEFINE_ONLY(only_mem_bind, "mem-bind", "none")

/* ---- the table ---- */

#define BOTH     (JOB_SBATCH | JOB_SRUN)
#define ALL      (BOTH | JOB_SALLOC)
#define AT(name) offsetof(struct job_options, name)
#define TEXT(who, name, letter, field, argument, help)                                             \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_TEXT, AT(field), NULL, (argument), (help)         \
                }                                                                                  \
        }
#define FLAG(who, name, letter, field, help)                                                       \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_FLAG, AT(field), NULL, NULL, (help)               \
                }                                                                                  \
        }
#define CALL(who, name, letter, offset, set, argument, help)                                       \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_CALL, (offset), (set), (argument), (help)         \
                }                                                                                  \
        }
#define CALL_FLAG(who, name, letter, offset, set, help)                                            \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_CALL_FLAG, (offset), (set), NULL, (help)          \
                }                                                                                  \
        }
#define CALL_OPT(who, name, letter, offset, set, argument, help)                                   \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_CALL_OPTIONAL, (offset), (set), (argument),       \
                                        (help)                                                     \
                }                                                                                  \
        }
#define REFUSED(who, name, letter)                                                                 \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_REFUSED, 0, NULL, NULL, NULL                      \
                }                                                                                  \
        }
#define REFUSED_ARG(who, name, letter)                                                             \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_REFUSED_ARG, 0, NULL, NULL, NULL                  \
                }                                                                                  \
        }
#define REFUSED_OPT(who, name, letter)                                                             \
        {                                                                                          \
                (who), {                                                                           \
                        (name), (letter), OPTION_REFUSED_OPTIONAL, 0, NULL, NULL, NULL             \
                }                                                                                  \
        }

struct job_row {
        unsigned who; /* enum job_command */
        struct option_row row;
};

/* clang-format off */
static const struct job_row all_rows[] = {
        TEXT(ALL, "account", 'A', account, "name", "charge the job to this account"),
        TEXT(JOB_SBATCH, "array", 'a', array, "list", "one task for each index: 0-15, 1,3,7, 0-99:3%4"),
        CALL(ALL, "begin", 'b', AT(begin), set_begin, "time", "do not start before this time"),
        TEXT(ALL, "chdir", 'D', chdir, "folder", "where the job runs; default here"),
        TEXT(ALL, "comment", 0, comment, "text", "words to keep with the job"),
        TEXT(ALL, "constraint", 'C', features, "list", "features that its nodes must have"),
        CALL(ALL, "cpus-per-task", 'c', AT(cpus_per_task), set_cpus_per_task, "count", "CPUs for each task"),
        TEXT(ALL, "dependency", 'd', dependency, "list", "wait for other jobs: afterok:ID, after:ID+MINUTES, singleton..."),
        CALL(ALL, "distribution", 'm', 0, set_distribution, "how", "block or cyclic: how tasks go to nodes"),
        TEXT(BOTH, "error", 'e', err, "file", "where standard error goes"),
        TEXT(ALL, "exclude", 'x', exclude, "nodes", "nodes that it must not get"),
        CALL_OPT(ALL, "exclusive", 0, 0, set_exclusive, NULL, "no other job on its nodes"),
        TEXT(BOTH, "export", 0, export, "list", "variables to hand over: ALL, NONE or names"),
        TEXT(JOB_SBATCH, "export-file", 0, export_file, "file|descriptor", "more variables: NAME=value, each ended by a null"),
        TEXT(ALL, "extra", 0, extra, "text", "words for site programs"),
        CALL_OPT(JOB_SBATCH, "get-user-env", 0, 0, set_get_user_env, "seconds", "what a login shell has in its environment"),
        TEXT(ALL, "gid", 0, become.group, "group", "the job's group (root only)"),
        FLAG(ALL, "hold", 'H', hold, "submit, but do not start before it is released"),
        TEXT(BOTH, "input", 'i', in, "file", "where standard input comes from"),
        TEXT(ALL, "job-name", 'J', name, "name", "the job's name"),
        CALL(ALL, "kill-on-invalid-dep", 0, AT(kill_on_invalid_dep), set_kill_on_invalid_dep, "yes|no",
             "cancel it when its dependency can never be met"),
        CALL(ALL, "mem", 0, 0, set_mem, "size[KMGT]", "memory on each node, MB"),
        CALL(ALL, "mem-per-cpu", 0, 0, set_mem_per_cpu, "size[KMGT]", "memory for each CPU, MB"),
        CALL(ALL, "mincpus", 0, AT(mincpus), set_mincpus, "count", "CPUs that a node must have at least"),
        CALL_OPT(ALL, "nice", 0, AT(nice), set_nice, "number", "lower the priority"),
        CALL_OPT(ALL, "no-kill", 'k', AT(no_kill), set_no_kill, "off", "go on when a node fails"),
        CALL(ALL, "nodefile", 'F', AT(nodelist), set_nodefile, "file", "as --nodelist, names in a file"),
        TEXT(ALL, "nodelist", 'w', nodelist, "nodes", "nodes that it must get"),
        CALL(ALL, "nodes", 'N', 0, set_nodes, "min[-max]", "number of nodes"),
        CALL(ALL, "ntasks", 'n', AT(num_tasks), set_ntasks, "count", "number of tasks"),
        CALL(ALL, "ntasks-per-node", 0, AT(ntasks_per_node), set_ntasks_per_node, "count", "tasks on each node"),
        CALL(BOTH, "open-mode", 0, AT(append), set_open_mode, "append|truncate", "how output files are opened"),
        TEXT(BOTH, "output", 'o', out, "file", "where standard output goes"),
        FLAG(ALL, "overcommit", 'O', overcommit, "more tasks than CPUs"),
        CALL_FLAG(ALL, "oversubscribe", 's', AT(share), set_oversubscribe, "other jobs may use the same CPUs"),
        CALL_FLAG(ALL, "share", 0, AT(share), set_oversubscribe, NULL),
        FLAG(JOB_SBATCH, "parsable", 0, parsable, "print the job id alone"),
        TEXT(ALL, "partition", 'p', partition, "name", "the partition to run in"),
        CALL(ALL, "priority", 0, 0, set_priority, "number", "its priority (admins)"),
        CALL_OPT(BOTH, "propagate", 0, AT(no_rlimits), set_propagate, "limits", "resource limits to hand over: ALL, NONE, STACK, NOFILE, ..."),
        TEXT(ALL, "qos", 'q', qos, "name", "quality of service"),
        { ALL, { "quiet", 'Q', OPTION_COUNT, AT(quiet), NULL, NULL, "no informational words" } },
        CALL_FLAG(BOTH, "requeue", 0, AT(requeue), set_requeue, "may be started again"),
        CALL_FLAG(BOTH, "no-requeue", 0, AT(requeue), set_no_requeue, "must not be started again"),
        CALL(ALL, "signal", 0, 0, set_signal, "[B:]signal[@seconds]", "sent so long (60 s) before its time is up"),
        FLAG(BOTH, "test-only", 0, test_only, "say when and where it would start, do not submit"),
        CALL(ALL, "time", 't', AT(time_limit), set_time, "limit", "minutes, H:M:S, D-H:M:S"),
        CALL(ALL, "tmp", 0, AT(tmp_disk), set_tmp, "size[KMGT]", "temporary disk on each node, MB"),
        TEXT(ALL, "uid", 0, become.user, "user", "whose job it is (root only)"),
        { ALL, { "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "more words" } },
        FLAG(JOB_SBATCH, "wait", 'W', wait, "wait for the job's end, exit with its code"),
        CALL(ALL, "wait-all-nodes", 0, AT(wait_all_nodes), set_wait_all_nodes, "0|1", "start when all nodes are up"),
        TEXT(ALL, "wckey", 0, wckey, "key", "words for accounting"),
        TEXT(JOB_SBATCH, "wrap", 0, wrap, "command", "make a script of this command"),

        FLAG(JOB_SRUN, "disable-status", 'X', disable_status, "hand Ctrl-C to the tasks at once"),
        FLAG(JOB_SRUN, "exact", 0, exact, "the step takes only what it asks for"),
        CALL_OPT(JOB_SRUN | JOB_SALLOC, "immediate", 'I', 0, set_immediate, "seconds", "now, or within so many seconds, or not at all"),
        CALL(JOB_SRUN, "jobid", 0, AT(job_id), set_job_id, "id", "run in this allocation"),
        CALL_OPT(JOB_SRUN, "kill-on-bad-exit", 'K', AT(kill_on_bad_exit), set_kill_on_bad_exit, "0|1",
                 "end the step when a task fails"),
        FLAG(JOB_SRUN, "label", 'l', label, "task number before each line"),
        CALL(JOB_SRUN, "mpi", 0, 0, set_mpi, "none|list", "how MPI programs start: only none for now"),
        FLAG(JOB_SRUN, "overlap", 0, overlap, "the step shares with other steps"),
        FLAG(JOB_SRUN, "quit-on-interrupt", 0, quit_on_interrupt, "one Ctrl-C ends it"),
        FLAG(JOB_SRUN, "unbuffered", 'u', unbuffered, "do not collect lines"),
        CALL(JOB_SRUN, "wait", 'W', AT(wait_seconds), set_wait, "seconds", "end the step so long after its first task has ended"),

        CALL_FLAG(JOB_SALLOC, "bell", 0, AT(bell), set_bell, "ring the terminal's bell when it is allocated"),
        CALL_FLAG(JOB_SALLOC, "no-bell", 0, AT(bell), set_no_bell, "never ring it"),
        CALL_OPT(JOB_SALLOC, "kill-command", 'K', AT(kill_signal), set_kill_command, "signal",
                 "for the command when the allocation ends before it; TERM"),
        FLAG(JOB_SALLOC, "no-shell", 0, no_shell, "allocate and return"),

        /* What they ask for is what happens without them: values that change nothing are accepted. */
        CALL(ALL, "cpu-bind", 0, 0, only_cpu_bind, NULL, NULL),
        CALL(ALL, "gres", 0, 0, only_gres, NULL, NULL),
        { JOB_SBATCH, { "ignore-pbs", 0, OPTION_IGNORED, 0, NULL, NULL, NULL } },
        CALL(ALL, "mail-type", 0, 0, only_mail, NULL, NULL),
        { ALL, { "mail-user", 0, OPTION_IGNORED_ARG, 0, NULL, NULL, NULL } }, /* --mail-type=NONE */
        CALL(ALL, "mem-bind", 0, 0, only_mem_bind, NULL, NULL),
        CALL(ALL, "profile", 0, 0, only_profile, NULL, NULL),
        { JOB_SRUN, { "whole", 0, OPTION_IGNORED, 0, NULL, NULL, NULL } },

        REFUSED_ARG(ALL, "acctg-freq", 0),
        REFUSED_ARG(ALL, "batch", 0), REFUSED_ARG(ALL, "bb", 0), REFUSED_ARG(ALL, "bbf", 0),
        REFUSED_OPT(JOB_SRUN, "bcast", 0), REFUSED_ARG(ALL, "cluster-constraint", 0),
        REFUSED_ARG(ALL, "clusters", 'M'), REFUSED_ARG(ALL, "cluster", 0),
        REFUSED_OPT(JOB_SRUN, "compress", 0), REFUSED_ARG(ALL, "container", 0),
        REFUSED_ARG(ALL, "container-id", 0), REFUSED(ALL, "contiguous", 0),
        REFUSED_ARG(ALL, "core-spec", 'S'), REFUSED_ARG(ALL, "cores-per-socket", 0),
        REFUSED_ARG(ALL, "cpu-freq", 0), REFUSED_ARG(ALL, "cpus-per-gpu", 0),
        REFUSED_ARG(ALL, "deadline", 0), REFUSED_ARG(ALL, "delay-boot", 0),
        REFUSED_ARG(JOB_SRUN, "epilog", 0),
         REFUSED_ARG(ALL, "extra-node-info", 'B'),
        REFUSED_OPT(JOB_SALLOC, "get-user-env", 0),
        REFUSED_ARG(ALL, "gpu-bind", 0), REFUSED_ARG(ALL, "gpu-freq", 0), REFUSED_ARG(ALL, "gpus", 'G'),
        REFUSED_ARG(ALL, "gpus-per-node", 0), REFUSED_ARG(ALL, "gpus-per-socket", 0),
        REFUSED_ARG(ALL, "gpus-per-task", 0), REFUSED_ARG(ALL, "gres-flags", 0),
        REFUSED_ARG(JOB_SRUN, "het-group", 0), REFUSED_ARG(ALL, "hint", 0),
        REFUSED_ARG(ALL, "licenses", 'L'),
        REFUSED_ARG(ALL, "mcs-label", 0), REFUSED_ARG(ALL, "mem-per-gpu", 0),
        REFUSED_ARG(JOB_SRUN, "msg-timeout", 0), REFUSED(JOB_SRUN, "multi-prog", 0),
        REFUSED_ARG(ALL, "network", 0), REFUSED(JOB_SRUN, "no-allocate", 'Z'),
        REFUSED_ARG(ALL, "ntasks-per-core", 0),
        REFUSED_ARG(ALL, "ntasks-per-gpu", 0), REFUSED_ARG(ALL, "ntasks-per-socket", 0),
        REFUSED_ARG(ALL, "power", 0), REFUSED_ARG(ALL, "prefer", 0), REFUSED(JOB_SRUN, "preserve-env", 'E'),
        REFUSED_ARG(JOB_SRUN, "prolog", 0), REFUSED_OPT(JOB_SRUN, "pty", 0), REFUSED(ALL, "reboot", 0),
        REFUSED_ARG(JOB_SRUN, "relative", 'r'), REFUSED_ARG(ALL, "reservation", 0),
        REFUSED_OPT(JOB_SRUN, "resv-ports", 0), REFUSED_OPT(JOB_SRUN, "send-libs", 0),
        REFUSED_ARG(JOB_SRUN, "slurmd-debug", 0),
        REFUSED_ARG(ALL, "sockets-per-node", 0), REFUSED(ALL, "spread-job", 0),
        REFUSED(ALL, "stepmgr", 0), REFUSED_ARG(ALL, "switches", 0),
        REFUSED_ARG(JOB_SRUN, "task-epilog", 0), REFUSED_ARG(JOB_SRUN, "task-prolog", 0),
        REFUSED_ARG(ALL, "thread-spec", 0),
        REFUSED_ARG(JOB_SRUN, "threads", 'T'), REFUSED_ARG(ALL, "threads-per-core", 0),
        REFUSED_ARG(ALL, "time-min", 0),
        REFUSED_ARG(ALL, "tres-bind", 0), REFUSED_ARG(ALL, "tres-per-task", 0),
        REFUSED(ALL, "use-min-nodes", 0), REFUSED_OPT(JOB_SRUN | JOB_SALLOC, "x11", 0),

        { ALL, { "help", 'h', OPTION_HELP, 0, NULL, NULL, "show this text" } },
        { ALL, { "usage", 0, OPTION_USAGE, 0, NULL, NULL, "show the options in short" } },
        { ALL, { "version", 'V', OPTION_VERSION, 0, NULL, NULL, "show the version" } },
};
/* clang-format on */

#define ROWS_MAX ELEMENTSOF(all_rows)

static void select_rows(enum job_command command, struct option_row *rows, size_t *ret_n) {
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(all_rows); i++)
                if (all_rows[i].who & command)
                        rows[n++] = all_rows[i].row;
        *ret_n = n;
}

const struct option_table *job_options_table(enum job_command command) {
        static struct option_row sbatch_rows[ROWS_MAX], srun_rows[ROWS_MAX], salloc_rows[ROWS_MAX];
        static const char *sbatch_seen[ROWS_MAX], *srun_seen[ROWS_MAX], *salloc_seen[ROWS_MAX];
        static struct option_table sbatch = { "sbatch", "[script [argument...]]", true, sbatch_rows, 0, NULL, sbatch_seen };
        static struct option_table srun = { "srun", "program [argument...]", true, srun_rows, 0, NULL, srun_seen };
        static struct option_table salloc = { "salloc", "[command [argument...]]", true, salloc_rows, 0, NULL, salloc_seen };

        assert(command == JOB_SBATCH || command == JOB_SRUN || command == JOB_SALLOC);

        if (sbatch.n_rows == 0) {
                select_rows(JOB_SBATCH, sbatch_rows, &sbatch.n_rows);
                select_rows(JOB_SRUN, srun_rows, &srun.n_rows);
                select_rows(JOB_SALLOC, salloc_rows, &salloc.n_rows);
        }
        if (command == JOB_SALLOC)
                return &salloc;
        return command == JOB_SBATCH ? &sbatch : &srun;
}

void job_options_init(struct job_options *o, enum job_command command) {
        *o = (struct job_options){ .command = command };
}

/* ---- what follows from it ---- */

/* Host lists are checked here, so that a typing mistake is not a job that waits for ever. */
static int check_nodes(struct job_options *o, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL, *not = NULL;
        size_t count;
        int r;

        if (o->exclude && (r = hostlist_parse(o->exclude, &not, fail)) < 0)
                return r;
        if (!o->nodelist)
                return 0;
        r = hostlist_parse(o->nodelist, &nodes, fail);
        if (r < 0)
                return r;
        count = hostlist_count(nodes);
        if (o->max_nodes && count > o->max_nodes)
                return fail_set(fail, -EINVAL, "invalid number of nodes (-N %zu-%u)", count,
                                o->max_nodes);
        if (count > o->min_nodes)
                o->min_nodes = (uint32_t)count;
        return 0;
}

static void count_nodes(struct job_options *o, struct fail *fail) {
        if (!o->min_nodes && o->num_tasks && o->ntasks_per_node)
                o->min_nodes = (o->num_tasks + o->ntasks_per_node - 1) / o->ntasks_per_node;
        if (!o->num_tasks)
                return;
        if (o->max_nodes > o->num_tasks)
                o->max_nodes = MAX(o->num_tasks, 1u);
        if (o->min_nodes <= o->num_tasks)
                return;
        fail_set(fail, 0, "Warning: can't run %u processes on %u nodes, setting nnodes to %u",
                        o->num_tasks, o->min_nodes, o->num_tasks);
        o->min_nodes = o->num_tasks;
}

int job_options_check(struct job_options *o, struct fail *fail) {
        int r;

        if (o->mem_set && o->mem_per_cpu_set)
                return fail_set(fail, -EINVAL,
                                "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        r = check_nodes(o, fail);
        if (r < 0)
                return r;
        count_nodes(o, fail);
        return 0;
}

int job_options_exit(int r) {
        return r == -EDOM ? EXIT_FAILURE : 255;
}

const char *job_std_path(const char *path) {
        return path && streq(path, "none") ? "/dev/null" : path;
}

/* protobuf-c's strings are not const, but a message that is only packed is not written to. */
static char *text(const char *s) {
        return (char *)(s ? s : "");
}

static void spec_texts(const struct job_options *o, Slumber__JobSpec *ret) {
        ret->name = text(o->name);
        ret->partition = text(o->partition);
        ret->account = text(o->account);
        ret->qos = text(o->qos);
        ret->comment = text(o->comment);
        ret->extra = text(o->extra);
        ret->features = text(o->features);
        ret->req_nodes = text(o->nodelist);
        ret->exc_nodes = text(o->exclude);
        ret->wckey = text(o->wckey);
        ret->dependency = text(o->dependency);
        ret->array = text(o->array);
        ret->kill_on_invalid_dep = o->kill_on_invalid_dep;
        ret->work_dir = text(o->chdir);
        ret->std_in = text(job_std_path(o->in));
        ret->std_out = text(job_std_path(o->out));
        ret->std_err = text(job_std_path(o->err));
}

void job_options_spec(const struct job_options *o, Slumber__JobSpec *ret) {
        slumber__job_spec__init(ret);
        spec_texts(o, ret);
        ret->append_output = o->append;
        ret->min_nodes = o->min_nodes;
        ret->max_nodes = o->max_nodes;
        ret->num_tasks = o->num_tasks; /* 0: what follows from the rest */
        ret->tasks_set = o->num_tasks || o->ntasks_per_node;
        ret->cpus_per_task = o->cpus_per_task;
        ret->ntasks_per_node = o->ntasks_per_node;
        ret->min_cpus_node = o->mincpus;
        ret->mem_per_node = o->mem;
        ret->mem_per_cpu = o->mem_per_cpu;
        ret->all_memory = (o->mem_set || o->mem_per_cpu_set) && !o->mem && !o->mem_per_cpu;
        ret->tmp_disk = (uint32_t)MIN(o->tmp_disk, (uint64_t)UINT32_MAX);
        ret->oversubscribe = o->share;
        ret->time_limit = o->time_limit;
        ret->begin_time = o->begin;
        ret->hold = o->hold;
        ret->nice = o->nice;
        ret->warn_signal = o->warn_signal;
        ret->warn_time = o->warn_time;
        ret->warn_batch = o->warn_batch;
        ret->priority = o->priority;
        ret->requeue = o->requeue;
        ret->wait_all_nodes = o->wait_all_nodes;
        ret->no_kill = o->no_kill;
        ret->overcommit = o->overcommit;
        ret->batch = o->command == JOB_SBATCH;
        ret->stays = o->no_shell;
}
