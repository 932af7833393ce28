/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/trace.h - jobs to come, as a trace tells of them: when submitted, what they ask for, how long
 * they run
 *
 * Times count from the trace's zero.  Read from memory: files are the caller's business. */
#pragma once

#include "controller/model/het.h"
#include "lib/fail.h"

#define TRACE_FIRST_UID 1000 /* of users that have a name only */

/* 5 GB of them; the largest log of the Parallel Workloads Archive has a tenth */
#define TRACE_JOBS_MAX 20000000
#define TRACE_TIME_MAX (1000ull * 365 * 86400 * USEC_PER_SEC) /* sums of two still fit */

/* What most traces do not tell of, with all that model/job_fields.h says is replayed; texts NULL,
   numbers 0: nothing said. */
struct trace_more {
        const char *user, *group;
        const char *reservation; /* CSV */
#define X(type, field) const char *field;
        JOB_TEXTS_REPLAYED(X)
#undef X
        usec_t begin, deadline; /* as submit */
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
        const char *name;          /* as the trace calls it: a number in SWF */
        usec_t submit, run, limit; /* limit NO_LIMIT: none; 0: the partition's */
        uint32_t tasks, nodes, max_nodes, cpus_per_task, tasks_per_node; /* 0: nothing said */
        uint64_t mem_per_cpu, mem_per_node;                              /* MB; 0: nothing said */
        uint32_t uid, gid, priority;
        int32_t nice;
        bool exclusive, fails;
        /* a heterogeneous job of so many components: the others stand behind it, submitted when it
           is; 0: it is none, or not the first of one */
        uint32_t het;
        /* it starts when that job, by its place in jobs[], has ended; UINT32_MAX: none */
        uint32_t after;
        usec_t waited; /* in truth; NO_LIMIT: not known */
        /* after that one's end it was submitted so much later; NO_LIMIT: not known */
        usec_t think;
        /* NULL: nothing said; the trace's */
        const char *partition, *account, *qos, *features, *nodelist, *exclude;
        const char *partition_too;     /* SWF: where there is no partition of that name */
        const struct trace_more *more; /* NULL: nothing said; the trace's */
        uint32_t line;
};

enum trace_left_out {   /* lines that are no job to be run */
        LEFT_NEVER_RAN, /* cancelled before it started */
        LEFT_PART,      /* SWF: a part of a job that another line sums up */
        LEFT_NO_RUN,    /* how long it ran is not known */
        LEFT_NO_SIZE,   /* ... or on how many processors */
        TRACE_LEFT_OUT_MAX,
};

struct trace_label { /* "; Computer: Cray T3E" */
        const char *label, *value;
};

struct trace {
        struct trace_job *jobs; /* by submit, those of one instant as they stand in the file */
        size_t n, allocated;
        size_t left_out[TRACE_LEFT_OUT_MAX];
        usec_t zero; /* CLOCK_REALTIME of time 0; 0: not known */
        struct trace_label *labels;
        size_t n_labels, a_labels;
        bool optional_qos;     /* one that there is not, is passed over */
        bool guess_partitions; /* where there is no partition of that name it is the default one */
        /* of the machine that it was taken from; 0: not known */
        uint64_t processors, machine_nodes;
        bool overuse; /* there jobs went on beyond their limits */
        /* CSV: those that it names, by their uids less TRACE_FIRST_UID; the names are the trace's
         */
        const char **users;
        size_t n_users, a_users;
        struct word_table *words;
        struct trace_more **more;
        size_t n_more, a_more;
};

struct trace *trace_new(void);
struct trace *trace_free(struct trace *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct trace *, trace_free)
/* A text that lasts as long as t; equal ones are kept once. */
const char *trace_word(struct trace *t, const char *text, size_t n);
/* NULL: it tells of a number only. */
const char *trace_user(const struct trace *t, uint32_t uid);
/* For t's jobs, empty. */
struct trace_more *trace_more_new(struct trace *t);
/* spec asks for what more tells, but for points in time, memory for each GPU and sharing; texts
   stay the trace's. */
void trace_more_ask(const struct trace_more *more, struct job_spec *spec);
/* line() for each line of text, counted from 1, without what ends it ("\n", "\r\n"), until it
   returns a negative value. */
int trace_lines(const char *text, size_t size,
                int (*line)(const char *text, size_t n, unsigned number, void *user), void *user);
/* Into order; each job's after must stand before it, components one behind the other.  -EINVAL with
   fail. */
int trace_sort(struct trace *t, const char *file, struct fail *fail);
const char *trace_left_out_text(int why);
/* the first of that name, in any case; NULL */
const char *trace_label_of(const struct trace *t, const char *label);

/* The Standard Workload Format 2.2.  -EINVAL with fail: file, line, field; -EFBIG. */
int swf_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail);
/* Lines of values, the first one of their names: slumber-sim(1) has the list. */
int csv_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail);

/* "12", "552.21": seconds to the microsecond, what stands behind the sixth digit is dropped.
   -EINVAL; -ERANGE: over TRACE_TIME_MAX. */
int seconds_read(const char *text, size_t n, usec_t *ret);
