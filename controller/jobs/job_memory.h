/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_memory.h - memory of frozen jobs, pushed out to swap and given to other jobs
   (docs/states.md) */
#pragma once

#include "controller/model/cluster.h"

/* Returns whether v, frozen for j, may be asked to give memory. */
bool memory_may_ask(const struct cluster *c, const struct job *j, const struct job *v);
/* Returns the MB of v's memory on n that v could be asked for; 0: slumberd cannot push memory out,
   or v is asked for memory or owed memory already. */
uint64_t memory_can_give(const struct job *v, const struct node *n);

/* Asks v, frozen or about to be, for mb of v's memory on n for j; j is owed the same amount
   there. */
void memory_ask(struct cluster *c, struct job *v, struct node *n, uint64_t mb, const struct job *j);
/* Sends the requests to push memory out for j, to victims that are frozen on all nodes. Returns
   whether j is owed memory. */
bool memory_collect(struct cluster *c, struct job *j, usec_t now);
/* Notes whether n's slumberd can push memory out (why_not: reason if not, may be NULL or "") and
   how much swap is free (MB), an upper limit for requests. Jobs that could not give memory before
   may be asked again if swap has grown. */
void memory_swap(struct cluster *c, struct node *n, bool reclaims, const char *why_not,
                uint64_t free_mb, usec_t now);
/* Allows v, which could not give memory before, to be asked again. */
void memory_may_be_asked(struct cluster *c, struct job *v);
/* Returns whether any memory of v is given to another job or asked for: v must stay suspended
   then. */
bool memory_is_lent(const struct job *v);
/* Returns whether j waits for memory asked of v on n. */
bool memory_is_awaited(const struct job *j, const struct job *v, const struct node *n);
/* Handles slumberd's answer to a request to push memory out: v's use in MB, rounded up, before and
   after; error NULL: the use is measured. */
void memory_reclaimed(struct cluster *c, struct job *v, struct node *n, uint64_t serial,
                uint64_t before, uint64_t after, usec_t took, const char *error, usec_t now);
/* Handles a missing answer. */
void memory_overdue(struct cluster *c, struct job *v, struct job_node *vn, usec_t now);
/* Distributes free memory of n: first to jobs that are owed memory, then back to jobs that gave
   memory, the highest PriorityTier first and, within a tier, the last suspended first. */
void memory_level(struct cluster *c, struct node *n, usec_t now);

/* MB of j on all nodes: given to other jobs; owed to j. */
uint64_t memory_given(const struct job *j);
uint64_t memory_owed(const struct job *j);
/* Returns whether j gives memory, is owed memory or is asked for memory on any node. */
bool memory_moves(const struct job *j);
