/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/accounts/sacct.h - what sacct's files share: the rows, and the fields that it can print
   of them */
#pragma once

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
