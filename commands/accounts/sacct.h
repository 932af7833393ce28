/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/accounts/sacct.h - what sacct's files share: the rows, and the fields that it can print
   of them */
#pragma once

#include "commands/job_text.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/table.h"
#include "lib/wire.h"

typedef Slumber__Ended Ended;
typedef Slumber__EndedStep EndedStep;

struct sacct_row {
        const Ended *e;              /* the job; of a step, what a step has of one, else nothing */
        const EndedStep *step;       /* NULL: the job itself */
        usec_t user_cpu, system_cpu; /* of it, or of all of its steps */
        bool measured;               /* ... is known */
};
/* The same of a step of that job; e is where its record goes. */
struct sacct_row sacct_step_row(const Ended *job, const EndedStep *step, Ended *e);

/* ---- associations: sacct_assoc.c ---- */

struct sacct_assocs {
        struct sacct_assoc *list;
        size_t n, allocated;
};
/* As query_accounts(). */
int sacct_assocs_load(struct wire *w, struct sacct_assocs *a, uint32_t *code, struct fail *fail);
void sacct_assocs_done(struct sacct_assocs *a);
/* 0: none */
uint64_t sacct_assoc_id(const struct sacct_assocs *a, const Ended *e);

/* What is the same for all rows: user of the fields' text functions. */
struct sacct_view {
        usec_t now;
        /* where they count: sacct_field_wants_assocs(), --associations */
        struct sacct_assocs assocs;
        /* --units: 'K', 'M', 'G', 'T' or 'P'; 0: the largest that keeps a number whole */
        char unit;
        bool expand_patterns;
        bool no_convert; /* --noconvert: the unit in which it is kept */
};

/* In the order of --helpformat. */
const struct table_field *sacct_fields(size_t *ret_n);
/* The word of Slurm's for a Job's started_by ("": none), and back; -EINVAL: there is no such
   word. */
const char *sacct_starter_text(int64_t starter);
int64_t sacct_starter_parse(const char *word);
/* n of unit (0: bytes, 'M': MB) as the view wants it; borrowed from s. */
const char *sacct_size(uint64_t n, char unit, const struct sacct_view *view, struct scratch *s);
/* --long */
extern const char sacct_long_format[];
/* It is the sum of what steps have used. */
bool sacct_field_sums_steps(const struct table_field *field);
/* A step that runs has it in no record: its nodes are asked. */
bool sacct_field_is_measured(const struct table_field *field);
bool sacct_field_wants_assocs(const struct table_field *field);
/* "12", "12_3", "12_[4-9]" */
const char *sacct_job_id(const Ended *e, struct scratch *s);
/* "12.batch", "12_3.0"; step NULL: the job's */
const char *sacct_row_id(const struct sacct_row *row, struct scratch *s);
/* Without the time for which it stood still; until now, where it is not over. */
usec_t sacct_elapsed(const Ended *e, usec_t now);
/* How long it waited once it might have started. */
usec_t sacct_planned(const Ended *e, usec_t now);
/* --json, --yaml: a job with those of its steps; the caller's */
struct json_object *sacct_json(const struct sacct_row *job, const EndedStep *const *steps,
                size_t n_steps, usec_t now);

/* ---- steps: sacct_steps.c ---- */

/* All steps by job and run, in the order in which they are shown: those of the accounts, and those
   that run by the controller's word. */
struct sacct_steps {
        const EndedStep **list;
        size_t n;
        EndedStep *live; /* with texts of its own: tres_alloc */
        size_t n_live;
        bool *measured; /* of each of these: it has figures, sacct_figures.c */
};
void sacct_steps_init(struct sacct_steps *s, const struct ended_list *ended,
                const struct job_list *jobs, usec_t now);
void sacct_steps_done(struct sacct_steps *s);
/* Of that run; *ret_n. */
const EndedStep *const *sacct_steps_of(const struct sacct_steps *s, const Ended *job,
                size_t *ret_n);
/* A step as a record with what fields of jobs show of it; texts are borrowed. */
void sacct_step_record(const Ended *job, const EndedStep *step, Ended *ret);

/* ---- figures of steps that run: sacct_figures.c ---- */

/* The texts of a step that are lists of what its tasks have used, by enum measure_part. */
#define SACCT_STEP_PARTS(e)                                                                        \
        {                                                                                          \
                &(e)->task_most, &(e)->task_most_node, &(e)->task_most_rank, &(e)->task_least,     \
                                &(e)->task_least_node, &(e)->task_least_rank, &(e)->task_sum       \
        }
/* Into e, whose nodes are m's afterwards; the other texts are e's own until
   sacct_step_measure_done(). */
void sacct_step_measure(EndedStep *e, const Slumber__StepStatOf *m);
void sacct_step_measure_done(EndedStep *e);
/* Asks for those of all steps that run; one that this user may not see has none. */
int sacct_steps_measure(struct sacct_steps *s, struct wire *w, struct fail *fail);

/* ---- jobs that the controller has: sacct_live.c ---- */

struct sacct_live {
        Ended e; /* borrows texts of the job */
        char *texts[2];
};
void sacct_live_init(struct sacct_live *l, const Job *job, usec_t now);
void sacct_live_done(struct sacct_live *l);

/* ---- scripts: sacct_script.c ---- */

/* Prints the script of a job, or its environment: "NONE" of one that had none, of which none was
   kept, or that this user may not read. */
int sacct_print_script(struct wire *w, const Ended *job, bool environment, struct scratch *scratch,
                struct fail *fail);

/* ---- tasks that --jobs names: sacct_tasks.c ---- */

struct task_range {
        uint32_t from, to; /* array indices; the range includes both */
};
struct task_ranges {
        struct task_range *list;
        size_t n, allocated;
};
/* Adds the array indices of a text like "3", "1-5,9" or "0-10:2".  -EINVAL: the text is none; the
   ranges before the mistake may have been added. */
int task_ranges_add(struct task_ranges *r, const char *text);
/* Sorts the ranges and joins adjacent ones; called once, after the last task_ranges_add(). */
void task_ranges_sort(struct task_ranges *r);
/* Whether r, which is sorted, has an index from "from" to "to". */
bool task_ranges_meet(const struct task_ranges *r, uint32_t from, uint32_t to);
void task_ranges_done(struct task_ranges *r);

/* ---- which jobs are shown, and in which order: sacct_choice.c ---- */

/* to 0: anything; counts or microseconds, both ends are in it */
struct range {
        uint64_t from, to;
};

struct known_user {
        char *name;
        uid_t uid;
};

/* Uids that the controller has told of users. */
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
        bool sums;     /* some field is the sum of what steps have used */
        bool measures; /* some field is measured on nodes */
        bool completion, document, expand, local_uid;
        const char *accounts, *clusters, *delimiter, *end, *file, *format, *groups, *ids, *names,
                        *nodes, *partitions, *qos, *reasons, *start, *states, *users, *wckeys,
                        *constraints, *associations;
        struct range num_nodes, num_cpus, limit; /* limit: us */
        unsigned starters;                       /* 1 << a Job's started_by; 0: any */
        struct sacct_view view;
        usec_t from, until; /* 0: open */
        unsigned verbose;
        struct job_id *id_list;
        struct task_ranges
                        *id_tasks; /* for each id of id_list: the array tasks that the id names */
        size_t n_ids, allocated_ids;
        int64_t *het_of; /* of each id, for WHOLE_YES: the heterogeneous job that it is of, or 0 */
        uint32_t *uids;
        size_t n_uids;
        bool wanted[SHOWN_MAX]; /* states; meant with states alone */
        struct hostlist *hosts;
        struct known known;
        char *cluster; /* that was asked */
        bool other;    /* it is another one than the own */
        bool headed;   /* the heading stands */
};

/* Adds an id of --jobs to id_list, which owns it then.  Neighbouring ids that name tasks of the
   same array become one entry.  -EINVAL: the text of the id's tasks is no list of indices. */
int sacct_name(struct sacct *s, struct job_id *id);
/* To be called after the last sacct_name(). */
void sacct_names_sort(struct sacct *s);
void sacct_names_done(struct sacct *s);
/* The job, whatever --jobs names of its steps. */
bool sacct_is_wanted(const struct sacct *s, const Ended *e);
/* --jobs names it, or names none. */
bool sacct_by_id(const struct sacct *s, const Ended *e);
/* ... without a step, or with that one, or that component of it (NULL: the job itself). */
bool sacct_by_step(const struct sacct *s, const Ended *e, const EndedStep *step);
/* With --duplicates: in a run with a row for each size, a step belongs to the row of its end. */
bool sacct_is_of_row(const struct sacct *s, const Ended *e, const EndedStep *step);
/* The tasks of an array that wait, which is one record. */
bool sacct_is_rest(const Ended *e);
/* The tasks of a text like "3" or "1-5,9", one by one: true with *ret until there is none left. p
   begins at the text, *ret at -1. */
bool sacct_next_task(const char **p, int64_t *ret);
/* Sorts them as they are shown, and leaves out what is there twice: a run that both the accounts
   and the controller have, without --duplicates earlier runs.  How many are left, at the begin. */
size_t sacct_order(const struct sacct *s, Ended **list, size_t n);
