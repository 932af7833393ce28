/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size of a job: tasks, CPUs, nodes, memory, and the shape of its nodes. */
#include "commands/jobspec/jobspec_rows.h"

#include "lib/timetext.h"

#include <ctype.h>
#include <strings.h>

#define JOB_SPEC_MAX 32767 /* cores or threads for the system; Slurm's limit */

#define DEFINE_COUNT(function, option)                                                             \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return job_option_count(field, value, (option), fail);                             \
        }
DEFINE_COUNT(set_ntasks, "ntasks")
DEFINE_COUNT(set_cpus_per_task, "cpus-per-task")
DEFINE_COUNT(set_ntasks_per_node, "ntasks-per-node")
DEFINE_COUNT(set_mincpus, "mincpus")

DEFINE_COUNT(set_sockets_per_node, "sockets-per-node")
DEFINE_COUNT(set_cores_per_socket, "cores-per-socket")
DEFINE_COUNT(set_threads_per_core, "threads-per-core")
DEFINE_COUNT(set_ntasks_per_socket, "ntasks-per-socket")
DEFINE_COUNT(set_ntasks_per_core, "ntasks-per-core")

/* Reads the first n characters of text: a number, or "*" for 0. */
static int any_or_count(const char *text, size_t n, uint32_t *ret) {
        _cleanup_free_ char *word = xstrndup(text, n);
        uint64_t count = 0;

        if (!streq(word, "*") && uint_parse(word, 1, JOB_COUNT_MAX, &count) < 0)
                return -EINVAL;
        *ret = (uint32_t)count;
        return 0;
}

/* Sets "sockets[:cores[:threads]]", each may be "*". */
static int option_set_node_info(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint32_t *const fields[] = {
                &o->sockets_per_node,
                &o->cores_per_socket,
                &o->threads_per_core,
        };
        static const char *const arguments[] = { "first", "second", "third" };
        const char *p = value;

        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                size_t n = strcspn(p, ":");

                if (any_or_count(p, n, fields[i]) < 0)
                        return fail_set(fail, -EDOM,
                                        "Invalid numeric value \"%.*s\" for %s arg of -B.",
                                        (int)MIN(n, 50u), p, arguments[i]);
                p += n;
                if (!*p)
                        break;
                p++;
        }
        o->node_info = true;
        return *p ? job_option_invalid("extra-node-info", fail) : 0;
}

/* clang-format off */
static const struct hint {
        const char *word, *help;
        uint32_t threads_per_core, ntasks_per_core; /* 0: unset */
        bool one_core_per_socket;
        const char *bind; /* StepSpec.cpu_bind_hint */
} hints[] = {
        { "compute_bound", "use all cores in each socket, one thread per core", 1, 0, false, "cores" },
        { "memory_bound",  "use only one core in each socket, one thread per core", 1, 0, true, "cores" },
        { "multithread",   "use extra threads with in-core multithreading", 0, TASKS_PER_CORE_ANY, false, "threads" },
        { "nomultithread", "don't use extra threads with in-core multithreading", 1, 0, false, "one_thread" },
};
/* clang-format on */

static int option_set_hint(void *field, const char *value, struct fail *fail) {
        if (strcasecmp(value, "help") == 0) {
                puts("Application hint options:\n    --hint=             Bind tasks according to application hints");
                for (size_t i = 0; i < ELEMENTSOF(hints); i++)
                        printf("        %-15s %s\n", hints[i].word, hints[i].help);
                return OPTIONS_DONE;
        }
        for (size_t i = 0; i < ELEMENTSOF(hints); i++)
                if (strcasecmp(value, hints[i].word) == 0) {
                        *(const char **)field = hints[i].word;
                        return 0;
                }
        return fail_set(fail, -EDOM, "unrecognized --hint argument \"%.50s\", see --hint=help",
                        value);
}

int job_hint_check(struct job_options *o, struct fail *fail) {
        if (!o->hint || o->job_id) /* the hint was for the job */
                return 0;
        if (o->node_info || o->ntasks_per_core || o->threads_per_core)
                return fail_set(fail, -EINVAL,
                                "Following options are mutually exclusive with --hint: --ntasks-per-core, --threads-per-core, -B");
        for (size_t i = 0; i < ELEMENTSOF(hints); i++)
                if (streq(o->hint, hints[i].word)) {
                        o->threads_per_core = hints[i].threads_per_core;
                        o->ntasks_per_core = hints[i].ntasks_per_core;
                        o->one_core_per_socket = hints[i].one_core_per_socket;
                }
        return 0;
}

const char *job_bind_hint(const struct job_options *o) {
        for (size_t i = 0; o->hint && i < ELEMENTSOF(hints); i++)
                if (streq(o->hint, hints[i].word))
                        return hints[i].bind;
        return o->ntasks_per_core && o->ntasks_per_core < TASKS_PER_CORE_ANY ? "cores"
               : o->ntasks_per_socket                                        ? "sockets"
                                                                             : "";
}

/* Reads a number of --nodes: "4", "2k" (1024 each). Returns the end of the number, NULL if
   invalid. */
static const char *node_number(const char *text, uint32_t *ret) {
        unsigned long long n;
        char *end;

        if (*text < '0' || *text > '9')
                return NULL;
        errno = 0;
        n = strtoull(text, &end, 10);
        if (errno || n > JOB_COUNT_MAX)
                return NULL;
        if (*end == 'k' || *end == 'K') {
                n *= 1024;
                end++;
        }
        if (n > JOB_COUNT_MAX)
                return NULL;
        *ret = (uint32_t)n;
        return end;
}

static int option_set_nodes(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint32_t min, max = 0;
        const char *p = node_number(value, &min), *wrong = value;

        if (p && *p == '-') {
                wrong = p[1] ? p + 1 : value;
                p = node_number(p + 1, &max);
        } else
                max = p ? min : 0;
        o->zero_nodes = p && !*p && min == 0 && o->command == JOB_SRUN;
        if (o->zero_nodes)
                min = max > 0; /* -N0-2: at most two */
        else if (!p || *p)
                return fail_set(fail, -EINVAL, "\"%s\" is not a valid node count", wrong);
        else if (min == 0)
                return fail_set(fail, -EDOM, "\"%s\" is not a valid node count", value);
        if (max < min)
                return fail_set(fail, -EINVAL,
                                "Maximum node count %u is less than minimum node count %u", max,
                                min);
        o->min_nodes = min;
        o->max_nodes = max;
        return 0;
}

int job_option_size(struct job_options *o, uint64_t *field, unsigned plain, const char *value,
                const char *option, struct fail *fail) {
        size_t n = strlen(value);

        if (memory_parse(value, field, NULL) < 0)
                return job_option_invalid(option, fail);
        o->plain_sizes = n && isdigit((unsigned char)value[n - 1]) ? o->plain_sizes | plain
                                                                   : o->plain_sizes & ~plain;
        return 0;
}

void job_option_says_memory(struct job_options *o) {
        if (o->environment_memory)
                o->mem = o->mem_per_cpu = o->mem_per_gpu = o->mem_set = o->mem_per_cpu_set = 0;
        o->environment_memory = false;
}

static int option_set_mem(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        job_option_says_memory(o);
        o->mem_set = true;
        return job_option_size(o, &o->mem, PLAIN_MEM_PER_NODE, value, "mem", fail);
}

static int option_set_mem_per_cpu(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        job_option_says_memory(o);
        o->mem_per_cpu_set = true;
        return job_option_size(o, &o->mem_per_cpu, PLAIN_MEM_PER_CPU, value, "mem-per-cpu", fail);
}

static int option_set_core_spec(void *field, const char *value, struct fail *fail) {
        uint64_t n;

        if (uint_parse(value, 0, JOB_SPEC_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --core-spec.",
                                value);
        *(uint32_t *)field = (uint32_t)n + 1;
        return 0;
}

static int option_set_thread_spec(void *field, const char *value, struct fail *fail) {
        uint64_t n;

        if (uint_parse(value, 1, JOB_SPEC_MAX, &n) < 0)
                return fail_set(fail, -EDOM, "Invalid numeric value \"%s\" for --thread-spec.",
                                value);
        *(uint32_t *)field = (uint32_t)n;
        return 0;
}

static int option_set_tmp(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        return job_option_size(o, &o->tmp_disk, PLAIN_TMP_DISK, value, "tmp", fail);
}

/* clang-format off */
const struct job_row job_rows_size[] = {
        CALL(ALL | ENV(ALL) | NO_STEP, "core-spec", 'S', WIRE(core_spec), option_set_core_spec, "count", "cores of each node that are kept for the system"),
        CALL(ALL, "cores-per-socket", 0, AT(cores_per_socket), set_cores_per_socket, "count", "cores that a socket must have at least"),
        CALL(ALL, "cpus-per-task", 'c', AT(cpus_per_task), set_cpus_per_task, "count", "CPUs for each task"),
        CALL(ALL, "extra-node-info", 'B', 0, option_set_node_info, "s[:c[:t]]", "sockets, cores and threads that a node must have at least"),
        CALL(ALL, "hint", 0, AT(hint), option_set_hint, "word", "what kind of program it is; --hint=help"),
        CALL(ALL | CARRIED, "mem", 0, 0, option_set_mem, "size[KMGT]", "memory on each node, MB"),
        CALL(ALL, "mem-per-cpu", 0, 0, option_set_mem_per_cpu, "size[KMGT]", "memory for each CPU, MB"),
        CALL(ALL, "mincpus", 0, WIRE(min_cpus_node), set_mincpus, "count", "CPUs that a node must have at least"),
        CALL(ALL, "nodes", 'N', 0, option_set_nodes, "min[-max]", "number of nodes"),
        CALL(ALL, "ntasks", 'n', AT(num_tasks), set_ntasks, "count", "number of tasks"),
        CALL(ALL, "ntasks-per-core", 0, AT(ntasks_per_core), set_ntasks_per_core, "count", "tasks on each core at most"),
        CALL(ALL, "ntasks-per-node", 0, AT(ntasks_per_node), set_ntasks_per_node, "count", "tasks on each node"),
        CALL(ALL, "tasks-per-node", 0, AT(ntasks_per_node), set_ntasks_per_node, NULL, NULL),
        CALL(ALL, "ntasks-per-socket", 0, AT(ntasks_per_socket), set_ntasks_per_socket, "count", "tasks on each socket at most"),
        FLAG(ALL | ENV(ALL), "overcommit", 'O', overcommit, "more tasks than CPUs"),
        CALL(ALL, "sockets-per-node", 0, AT(sockets_per_node), set_sockets_per_node, "count", "sockets that a node must have at least"),
        CALL(ALL | ENV(ALL) | NO_STEP, "thread-spec", 0, WIRE(thread_spec), option_set_thread_spec, "count", "threads of each node that are kept for the system"),
        CALL(ALL, "threads-per-core", 0, AT(threads_per_core), set_threads_per_core, "count", "threads of each core that it uses"),
        CALL(ALL, "tmp", 0, 0, option_set_tmp, "size[KMGT]", "temporary disk on each node, MB"),
        WIRE_FLAG(ALL | ENV(ALL) | NO_STEP, "use-min-nodes", 0, use_min_nodes, "of a range of nodes rather the fewest"),
};
/* clang-format on */
const size_t n_job_rows_size = ELEMENTSOF(job_rows_size);
