/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/past.h - how a job ended that the controller has forgotten: asked of the
 * accounts, judged from their rows
 *
 * FX_ASK_ACCOUNTS asks, once for each id however many jobs wait; dependencies_told() and
 * dependencies_untold() take the answer. */
#pragma once

#include "controller/model/past.h"

struct cluster;

/* NULL: it is not asked for. */
struct past *past_of(const struct cluster *c, uint32_t job);
/* The accounts are asked for job, if they are not already; waits is looked at when they answer. */
void past_ask(struct cluster *c, uint32_t job, uint32_t waits);
/* It leaves the cluster, and is the caller's. */
struct past *past_take(struct cluster *c, uint32_t job);

/* ---- an answer is made ---- */

/* A row of the accounts that has p->job as its job, its array or its heterogeneous job; rows come
   in their order. */
struct past_row {
        uint64_t row;
        uint32_t array_job, het_job; /* 0: none */
        uint32_t part;
        bool completed;
        uint32_t uid;
        const char *account; /* NULL: none */
        usec_t submit, start;
        const char *array_tasks; /* of PAST_REST */
};
void past_add(struct past *p, const struct past_row *row);
/* All rows are there.  Those of an older job of that id may be among them, as ids begin anew behind
   MaxJobId and with a new state. */
void past_settle(struct past *p);

/* ---- it is judged ---- */

struct verdict {
        bool known;
        bool completed; /* all of what was asked for */
        bool failed;    /* some of it */
        usec_t start;   /* of the last one */
};
/* All of it. */
struct verdict past_whole(const struct past *p);
/* A task, or the component of that offset. */
struct verdict past_part(const struct past *p, uint32_t part, bool component);
