/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/sacct.h - what sacct's files share: the rows, and the fields that it can print of them */
#pragma once

#include "commands/query.h"
#include "commands/table.h"
#include "lib/wire.h"

typedef Slumber__Ended Ended;
typedef Slumber__EndedStep EndedStep;

struct sacct_row {
        const Ended *e;        /* the job; of a step, what a step has of one, else nothing */
        const EndedStep *step; /* NULL: the job itself */
        usec_t user_cpu, system_cpu; /* of it, or of all of its steps */
        bool measured;         /* ... is known */
};

/* In the order of --helpformat.  user of their text functions is the present time, a usec_t. */
const struct table_field *sacct_fields(size_t *ret_n);
/* It is Slurm's, and Slumber has nothing to tell there yet. */
bool sacct_field_is_missing(const struct table_field *field);
/* --long */
extern const char sacct_long_format[];
/* It is the sum of what steps have used. */
bool sacct_field_sums_steps(const struct table_field *field);
/* "12", "12_3", "12_[4-9]" */
const char *sacct_job_id(const Ended *e, struct scratch *s);

/* ---- steps: sacct_steps.c ---- */

/* All steps by job and run, in the order in which they are shown: those of the accounts, and those that run by the controller's word. */
struct sacct_steps {
        const EndedStep **list;
        size_t n;
        EndedStep *live; /* with texts of its own: tres_alloc */
        size_t n_live;
};
void sacct_steps_init(struct sacct_steps *s, const struct ended_list *ended, const struct job_list *jobs, usec_t now);
void sacct_steps_done(struct sacct_steps *s);
/* Of that run; *ret_n. */
const EndedStep *const *sacct_steps_of(const struct sacct_steps *s, const Ended *job, size_t *ret_n);
/* A step as a record with what fields of jobs show of it; texts are borrowed. */
void sacct_step_record(const Ended *job, const EndedStep *step, Ended *ret);
