/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/past.h - what the accounts know of jobs that the controller has forgotten
 *
 * A dependency may name a job that MinJobAge has removed; how it ended is in the accounts alone,
 * which answer later.  jobs/past.h asks and judges. */
#pragma once

#include "lib/bitset.h"

/* A run of a job, a task or a component that is over. */
struct past_run {
        /* the task of an array, the offset of a component; PAST_REST: tasks that never had records
           of their own */
        uint32_t part;
        bool completed;
        uint32_t uid;
        usec_t submit, start; /* start 0: it never ran */
        uint64_t row;         /* the last one of a part says how that ended */
        struct bitset *tasks; /* of PAST_REST; NULL otherwise */
};
#define PAST_REST UINT32_MAX

enum past_kind {
        PAST_UNKNOWN, /* the accounts have no row */
        PAST_JOB,
        PAST_ARRAY,
        PAST_HET,
};

/* Of one id. */
struct past {
        uint32_t job;
        bool told; /* the accounts have answered */
        enum past_kind kind;
        char *account; /* of the job that had the id last; NULL: none, or its rows have several */
        struct past_run *runs; /* by part, PAST_REST last */
        size_t n_runs, a_runs;
        bool completed, failed; /* all of them; some of them */
        usec_t start;           /* the last one's */
        uint32_t *waiting;      /* ids of jobs that are to be looked at */
        size_t n_waiting, a_waiting;
};

struct pasts {
        bool kept;        /* there are accounts to be asked */
        struct past **of; /* by job: those that are asked for, and one while it is being heard */
        size_t n, allocated;
};

struct past *past_free(struct past *p); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct past *, past_free)
void pasts_done(struct pasts *all);
