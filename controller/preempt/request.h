/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/request.h - the parts of a job's request on which place() depends, as words
 * for comparison and hashing
 *
 * Two jobs with equal words have the same possible places: the pass over the queue does not try the
 * second job after a refusal of the first, and the plan caches by these words (shape.h).  A new
 * field of a request is added in request.c only. */
#pragma once

#include "controller/model/cluster.h"

struct request {
        uint64_t *word;
        size_t n, allocated;
        uint64_t hash;
};

/* Overwrites *r.  how_many: include the numbers of nodes and tasks; else only the requirements for
   each node. */
void request_of(struct request *r, const struct cluster *c, const struct job *j, bool how_many);
/* Overwrites *r with the request, the numbers, and all inputs of QOS and association limits. */
void request_with_limits(struct request *r, const struct cluster *c, const struct job *j);
/* Overwrites *r with the requirements for each node and the inputs of the choice of victims;
   priority: include the priority of j. */
void request_to_preempt(struct request *r, const struct cluster *c, const struct job *j,
                bool priority);
bool request_same(const struct request *a, const struct request *b);
void request_done(struct request *r);
