/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_memory.h - memory of frozen jobs that is pushed out and promised to others
   (docs/states.md) */
#pragma once

#include "controller/model/cluster.h"

/* v may be asked, should it be frozen for j. */
bool memory_may_ask(const struct cluster *c, const struct job *j, const struct job *v);
/* MB of its memory on n that it could be asked for; 0: its agent cannot push any out, or a job
   waits for it already. */
uint64_t memory_can_give(const struct job *v, const struct node *n);

/* Asks v, frozen or about to be, for mb of its memory on n for j, which is owed as much there. */
void memory_ask(struct cluster *c, struct job *v, struct node *n, uint64_t mb, const struct job *j);
/* j waits for memory of others: those that stand still everywhere are told to let go of it. false:
   it does not wait. */
bool memory_collect(struct cluster *c, struct job *j, usec_t now);
/* v's part of some node is promised to others, or about to be: it must not go on. */
/* Its agent says where memory can be pushed out to, and how much of that is free (MB): it is asked
   for no more, and a job that could not give before for want of it may be asked again. */
void memory_swap(struct cluster *c, struct node *n, bool reclaims, const char *why_not,
                uint64_t free_mb, usec_t now);
/* It would not give of its memory, and may be asked again. */
void memory_may_be_asked(struct cluster *c, struct job *v);
bool memory_is_lent(const struct job *v);
/* j waits for memory that v is to give on n. */
bool memory_is_awaited(const struct job *j, const struct job *v, const struct node *n);
/* The answer: it uses so much now, in MB rounded up; error NULL: measured. */
void memory_reclaimed(struct cluster *c, struct job *v, struct node *n, uint64_t serial,
                uint64_t before, uint64_t after, usec_t took, const char *error, usec_t now);
/* No answer has come in time. */
void memory_overdue(struct cluster *c, struct job *v, struct job_node *vn, usec_t now);
/* Memory of n may have become free: a job that waits for it gets it, then it goes back to those
   that gave it, the highest tier first, and of one tier the last that was stopped. */
void memory_level(struct cluster *c, struct node *n, usec_t now);

/* MB in all: promised to others; what it waits for itself. */
uint64_t memory_given(const struct job *j);
uint64_t memory_owed(const struct job *j);
/* It lends or borrows memory, or is asked for some. */
bool memory_moves(const struct job *j);
