/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/accounts/sacct.h - private to sacct: rows, and the fields that can be printed */
#pragma once

#include "commands/job_text.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/table.h"
#include "lib/wire.h"

typedef Slumber__Ended Ended;
typedef Slumber__EndedStep EndedStep;

struct sacct_row {
        const Ended *e;              /* the job; for a step the record of sacct_step_record() */
        const Ended *job;            /* e of a job; NULL: the row is a step */
        const EndedStep *step;       /* NULL: the row is a job */
        usec_t user_cpu, system_cpu; /* CPU time of the step, or sum over the job's steps */
        bool measured;               /* user_cpu and system_cpu are known */
};
/* Makes the row of a step of a job; *e receives the step's record. */
struct sacct_row sacct_step_row(const Ended *job, const EndedStep *step, Ended *e);

/* ---- associations: sacct_assoc.c ---- */

struct sacct_assocs {
        struct sacct_assoc *list;
        size_t n, allocated;
};
/* Loads all associations; results as query_accounts(). */
int sacct_assocs_load(struct wire *w, struct sacct_assocs *a, uint32_t *code, struct fail *fail);
void sacct_assocs_done(struct sacct_assocs *a);
/* Returns the id of the job's association; 0: none. */
uint64_t sacct_assoc_id(const struct sacct_assocs *a, const Ended *e);

/* Values common to all rows: "user" of the fields' text functions */
struct sacct_view {
        usec_t now;
        /* loaded if needed, see sacct_field_wants_assocs(), --associations */
        struct sacct_assocs assocs;
        /* --units: 'K', 'M', 'G', 'T' or 'P'; 0: the largest unit with a whole number */
        char unit;
        bool expand_patterns;
        bool no_convert; /* --noconvert: keep the stored unit */
};

/* Returns the fields in the order of --helpformat. */
const struct table_field *sacct_fields(size_t *ret_n);
/* Returns the value of a Job's started_by with Slurm's word; -EINVAL: unknown word. */
int64_t sacct_starter_parse(const char *word);
/* Fields of --long */
extern const char sacct_long_format[];
/* Returns whether the field is a sum over the usage of steps. */
bool sacct_field_sums_steps(const struct table_field *field);
/* Returns whether the field is measured on nodes: for a running step the nodes must be asked. */
bool sacct_field_is_measured(const struct table_field *field);
bool sacct_field_wants_assocs(const struct table_field *field);
/* Returns "12", "12_3" or "12_[4-9]". */
const char *sacct_job_id(const Ended *e, struct scratch *s);
/* Returns "12.batch" or "12_3.0"; step NULL: the job's id. */
const char *sacct_row_id(const struct sacct_row *row, struct scratch *s);
/* Returns the elapsed time without suspensions; until now if the job is not over. */
usec_t sacct_elapsed(const Ended *e, usec_t now);
/* Returns the waiting time since the job was eligible. */
usec_t sacct_planned(const Ended *e, usec_t now);
/* Makes the object for --json and --yaml: a job with the given steps; owned by the caller. */
struct json_object *sacct_json(const struct sacct_row *job, const EndedStep *const *steps,
                size_t n_steps, usec_t now);

/* ---- steps: sacct_steps.c ---- */

/* Steps by job and run, in display order: steps of the accounts, and running steps from the
   controller */
struct sacct_steps {
        const EndedStep **list;
        size_t n;
        EndedStep *live; /* running steps; tres_alloc is allocated */
        size_t n_live;
        bool *measured; /* elements of live with figures, see sacct_figures.c */
};
void sacct_steps_init(struct sacct_steps *s, const struct ended_list *ended,
                const struct job_list *jobs, usec_t now);
void sacct_steps_done(struct sacct_steps *s);
/* Returns the steps of the job's run; *ret_n: their number. */
const EndedStep *const *sacct_steps_of(const struct sacct_steps *s, const Ended *job,
                size_t *ret_n);

/* ---- figures of running steps: sacct_figures.c ---- */

/* The texts of a step with lists of its tasks' usage, by enum measure_part */
#define SACCT_STEP_PARTS(e)                                                                        \
        {                                                                                          \
                &(e)->task_most, &(e)->task_most_node, &(e)->task_most_rank, &(e)->task_least,     \
                                &(e)->task_least_node, &(e)->task_least_rank, &(e)->task_sum       \
        }
/* Copies the figures of m into e. e->nodes is borrowed from m; other texts belong to e until
   sacct_step_measure_done(). */
void sacct_step_measure(EndedStep *e, const Slumber__StepStatOf *m);
void sacct_step_measure_done(EndedStep *e);
/* Fetches the figures of all running steps; steps that the user may not see stay without. */
int sacct_steps_measure(struct sacct_steps *s, struct wire *w, struct fail *fail);

/* ---- jobs known to the controller: sacct_live.c ---- */

struct sacct_live {
        Ended e; /* borrows texts of the job */
        char *texts[2];
};
void sacct_live_init(struct sacct_live *l, const Job *job, usec_t now);
void sacct_live_done(struct sacct_live *l);

/* ---- scripts: sacct_script.c ---- */

/* Prints the script of a job, or its environment: "NONE" if the job had none, none was kept, or
   the user may not read it. */
int sacct_print_script(struct wire *w, const Ended *job, bool environment, struct scratch *scratch,
                struct fail *fail);

/* ---- array tasks in --jobs: sacct_tasks.c ---- */

struct task_range {
        uint32_t from, to; /* array indices, inclusive */
};
struct task_ranges {
        struct task_range *list;
        size_t n, allocated;
};
/* Adds the array indices of a text such as "3", "1-5,9" or "0-10:2". -EINVAL: invalid; ranges
   before the mistake may have been added. */
int task_ranges_add(struct task_ranges *r, const char *text);
/* Sorts and joins the ranges; call once after the last task_ranges_add(). */
void task_ranges_sort(struct task_ranges *r);
/* Returns whether the sorted ranges have an index in from..to. */
bool task_ranges_meet(const struct task_ranges *r, uint32_t from, uint32_t to);
void task_ranges_done(struct task_ranges *r);

/* ---- selection and order of jobs: sacct_choice.c ---- */

/* Inclusive range of counts or microseconds; to 0: any */
struct range {
        uint64_t from, to;
};

struct known_user {
        char *name;
        uid_t uid;
};

/* Cache of the controller's uids for user names */
struct known {
        struct known_user *users;
        size_t n, allocated;
};

enum whole_hetjob { WHOLE_UNSAID, WHOLE_YES, WHOLE_NO };

struct sacct {
        enum whole_hetjob whole_hetjob;
        bool all, all_clusters, brief, duplicates, helpformat, long_format, no_header, no_steps,
                        parsable, parsable2, scripts, truncate, environments;
        bool wants_assocs;
        bool sums;     /* some field sums the usage of steps */
        bool measures; /* some field is measured on nodes */
        bool completion, document, expand, local_uid;
        const char *accounts, *clusters, *delimiter, *end, *file, *format, *groups, *ids, *names,
                        *nodes, *partitions, *qos, *reasons, *start, *states, *users, *wckeys,
                        *constraints, *associations;
        struct range num_nodes, num_cpus, limit; /* limit: microseconds */
        unsigned starters;                       /* 1 << a Job's started_by; 0: any */
        struct sacct_view view;
        usec_t from, until; /* 0: unlimited */
        unsigned verbose;
        struct job_id *id_list;
        struct task_ranges *id_tasks; /* array tasks named by each id of id_list */
        size_t n_ids, allocated_ids;
        /* Heterogeneous job of each id of id_list, with WHOLE_YES; or 0 */
        int64_t *het_of;
        uint32_t *uids;
        size_t n_uids;
        bool wanted[SHOWN_MAX]; /* states of --state; valid if states is set */
        struct hostlist *hosts;
        struct known known;
        char *cluster; /* name of the cluster asked */
        bool other;    /* cluster is not this cluster */
        bool headed;   /* the heading is printed */
};

/* Adds an id of --jobs to id_list, which takes ownership. Adjacent ids with tasks of an array
   are joined to a single entry. -EINVAL: invalid task indices. */
int sacct_name(struct sacct *s, struct job_id *id);
/* Must be called after the last sacct_name(). */
void sacct_names_sort(struct sacct *s);
void sacct_names_done(struct sacct *s);
/* Returns whether a job is selected, regardless of steps named in --jobs. */
bool sacct_is_wanted(const struct sacct *s, const Ended *e);
/* Returns whether --jobs names the job, or no job. */
bool sacct_by_id(const struct sacct *s, const Ended *e);
/* Returns whether --jobs names the job without a step, or this step, or this component of the
   step (NULL: the job itself). */
bool sacct_by_step(const struct sacct *s, const Ended *e, const EndedStep *step);
/* A resized run has a row for each size with --duplicates: returns whether the step belongs to
   the row, by the step's end. */
bool sacct_is_of_row(const struct sacct *s, const Ended *e, const EndedStep *step);
/* Returns whether the record stands for the pending tasks of an array. */
bool sacct_is_rest(const Ended *e);
/* Iterates over tasks of a text such as "3" or "1-5,9": returns true with *ret until the end.
   Initially p points to the text, and *ret is -1. */
bool sacct_next_task(const char **p, int64_t *ret);
/* Sorts jobs in display order and drops duplicates: runs known to both accounts and controller,
   and without --duplicates earlier runs. Returns the number of remaining jobs, at the start of
   list. */
size_t sacct_order(const struct sacct *s, Ended **list, size_t n);
