/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/past.h - how a forgotten job ended, judged from the rows of the accounts
 *
 * FX_ASK_ACCOUNTS asks once for each id, however many jobs wait; dependencies_told() and
 * dependencies_untold() take the answer. */
#pragma once

#include "controller/model/past.h"

struct cluster;

/* Returns the question about job, borrowed; NULL if nobody has asked. */
struct past *past_of(const struct cluster *c, uint32_t job);
/* Asks the accounts about job, unless asked already; the job waits is reviewed when they answer. */
void past_ask(struct cluster *c, uint32_t job, uint32_t waits);
/* Removes the question from c and hands it over; the caller frees by past_free(). */
struct past *past_take(struct cluster *c, uint32_t job);

/* ---- building the answer ---- */

/* A row of the accounts whose job, array or heterogeneous job is p->job. Rows come in the order of
   the accounts. */
struct past_row {
        uint64_t row;
        uint32_t array_job, het_job; /* 0: none */
        uint32_t part;
        bool completed;
        uint32_t uid;
        const char *account; /* NULL: none */
        usec_t submit, start;
        const char *array_tasks; /* for PAST_REST */
};
void past_add(struct past *p, const struct past_row *row);
/* Ends the answer after the last row. Rows of an older job with the same id are dropped: ids start
   again after MaxJobId and with an empty state. */
void past_settle(struct past *p);

/* ---- judging the answer ---- */

struct verdict {
        bool known;
        bool completed; /* every run of the named part completed */
        bool failed;    /* some of the named part failed */
        usec_t start;   /* latest start of the part */
};
/* the whole job */
struct verdict past_whole(const struct past *p);
/* a task, or the component at offset part */
struct verdict past_part(const struct past *p, uint32_t part, bool component);
