/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/trace.h - a trace: submit time, request and run time of jobs
 *
 * Times count from the trace's time 0. Traces are read from memory: the caller reads the file. */
#pragma once

#include "controller/model/het.h"
#include "lib/fail.h"

#define TRACE_FIRST_UID 1000 /* first uid of users known by name only */

/* 5 GB; the largest log of the Parallel Workloads Archive has a tenth. */
#define TRACE_JOBS_MAX 20000000
#define TRACE_TIME_MAX (1000ull * 365 * 86400 * USEC_PER_SEC) /* the sum of two times fits usec_t */

/* Rarely used fields, with all fields that model/job_fields.h replays; NULL or 0: unset. */
struct trace_more {
        const char *user, *group;
        const char *reservation; /* CSV */
#define X(type, field) const char *field;
        JOB_TEXTS_REPLAYED(X)
#undef X
        usec_t begin, deadline; /* from the trace's time 0 */
        uint64_t mem_per_gpu;
#define X(type, field) type field;
        JOB_TIMES_REPLAYED(X)
        JOB_NUMBERS_REPLAYED(X)
#undef X
#define X(type, field, last) uint32_t field;
        JOB_ENUMS_REPLAYED(X)
#undef X
        uint32_t cpus_per_gpu, min_cpus_node;
        unsigned share; /* enum job_share */
};

struct trace_job {
        const char *name;          /* name in the trace: a number in SWF */
        usec_t submit, run, limit; /* limit: NO_LIMIT: none; 0: the partition's */
        uint32_t tasks, nodes, max_nodes, cpus_per_task, tasks_per_node; /* 0: unset */
        uint64_t mem_per_cpu, mem_per_node;                              /* MB; 0: unset */
        uint32_t uid, gid, priority;
        int32_t nice;
        bool exclusive, fails;
        /* Number of components of a het job, which follow in jobs[] with equal submit time; 0: not
           a het job, or not its first component. */
        uint32_t het;
        /* Index in jobs[] of the preceding job, whose end this job waits for; UINT32_MAX: none. */
        uint32_t after;
        usec_t waited; /* recorded waiting time; NO_LIMIT: unknown */
        /* Time from the preceding job's end to submission; NO_LIMIT: unknown. */
        usec_t think;
        /* NULL: unset; owned by the trace. */
        const char *partition, *account, *qos, *features, *nodelist, *exclude;
        const char *partition_too;     /* SWF: alternative if the partition does not exist */
        const struct trace_more *more; /* NULL: unset; owned by the trace */
        uint32_t line;
};

enum trace_left_out {   /* reasons for leaving lines out */
        LEFT_NEVER_RAN, /* cancelled before it started */
        LEFT_PART,      /* SWF: part of a job that another line sums up */
        LEFT_NO_RUN,    /* run time unknown */
        LEFT_NO_SIZE,   /* number of processors unknown */
        TRACE_LEFT_OUT_MAX,
};

struct trace_label { /* "; Computer: Cray T3E" */
        const char *label, *value;
};

struct trace {
        struct trace_job *jobs; /* sorted by submit; jobs of equal time in file order */
        size_t n, allocated;
        size_t left_out[TRACE_LEFT_OUT_MAX];
        usec_t zero; /* CLOCK_REALTIME of time 0; 0: unknown */
        struct trace_label *labels;
        size_t n_labels, a_labels;
        bool optional_qos;     /* ignore an unknown QOS */
        bool guess_partitions; /* replace an unknown partition by the default one */
        /* Of the traced machine; 0: unknown. */
        uint64_t processors, machine_nodes;
        bool overuse; /* jobs exceeded their limits on the traced machine */
        /* CSV: named users by uid minus TRACE_FIRST_UID; names are owned by the trace. */
        const char **users;
        size_t n_users, a_users;
        struct word_table *words;
        struct trace_more **more;
        size_t n_more, a_more;
};

struct trace *trace_new(void);
struct trace *trace_free(struct trace *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct trace *, trace_free)
/* Returns a copy of text, owned by t; equal texts share one pointer. */
const char *trace_word(struct trace *t, const char *text, size_t n);
/* Returns the user's name; NULL: known by number only. */
const char *trace_user(const struct trace *t, uint32_t uid);
/* Returns an empty struct, owned by t. */
struct trace_more *trace_more_new(struct trace *t);
/* Sets fields of spec from more, except times, memory per GPU and sharing; texts are borrowed from
   the trace. */
void trace_more_ask(const struct trace_more *more, struct job_spec *spec);
/* Calls line() for each line of text, numbered from 1, without "\n" or "\r\n", until line() returns
   a negative value. */
int trace_lines(const char *text, size_t size,
                int (*line)(const char *text, size_t n, unsigned number, void *user), void *user);
/* Sorts the jobs. Preceding jobs must come first, components must be adjacent. -EINVAL with
   fail. */
int trace_sort(struct trace *t, const char *file, struct fail *fail);
const char *trace_left_out_text(int why);
/* Returns the first label of that name, in any case; NULL: none. */
const char *trace_label_of(const struct trace *t, const char *label);

/* Reads the Standard Workload Format 2.2. -EINVAL with fail: file, line, field; -EFBIG. */
int swf_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail);
/* Reads lines of values, the first line with column names: slumber-sim(1) has the list. */
int csv_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail);

/* Reads seconds, "12" or "552.21", to microseconds; drops further digits. -EINVAL; -ERANGE: over
   TRACE_TIME_MAX. */
int seconds_read(const char *text, size_t n, usec_t *ret);
