/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/past.h - jobs removed from the controller, as known to the accounts
 *
 * A dependency may name a job that MinJobAge has removed.  Only the accounts know how the job
 * ended, and answer later. jobs/past.h asks and evaluates the answer. */
#pragma once

#include "lib/bitset.h"

/* An ended run of a job, task or component. */
struct past_run {
        /* Array task or offset of a component; PAST_REST: tasks without records of their own. */
        uint32_t part;
        bool completed;
        uint32_t uid;
        usec_t submit, start; /* start 0: never ran */
        uint64_t row;         /* the last row of a part gives the part's end */
        struct bitset *tasks; /* tasks of PAST_REST; else NULL */
};
#define PAST_REST UINT32_MAX

enum past_kind {
        PAST_UNKNOWN, /* no row in the accounts */
        PAST_JOB,
        PAST_ARRAY,
        PAST_HET,
};

/* The runs of a job id. */
struct past {
        uint32_t job;
        bool told; /* the accounts have answered */
        enum past_kind kind;
        char *account;         /* account of the last job with the id; NULL: none, or several */
        struct past_run *runs; /* sorted by part, PAST_REST last */
        size_t n_runs, a_runs;
        bool completed, failed; /* completed: all parts; failed: some part */
        usec_t start;           /* start of the last run */
        uint32_t *waiting;      /* ids of jobs whose dependencies wait for the answer */
        size_t n_waiting, a_waiting;
};

struct pasts {
        bool kept;        /* accounts are available */
        struct past **of; /* entries by job: asked, plus the entry whose answer is now evaluated */
        size_t n, allocated;
};

struct past *past_free(struct past *p); /* accepts NULL, returns NULL */
DEFINE_CLEANUP(struct past *, past_free)
void pasts_done(struct pasts *all);
