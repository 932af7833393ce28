/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/request.h - what place() looks at of a job, as words that can be compared and hashed
 *
 * Two jobs of the same words have the same places: the pass over the queue does not try the second after the first was
 * refused, and the plan keeps by them what it knows (shape.h).  A new wish has to be added in request.c, and only there. */
#pragma once

#include "controller/model/cluster.h"

struct request {
        uint64_t *word;
        size_t n, allocated;
        uint64_t hash;
};

/* What is there is overwritten.  how_many: also how many nodes and tasks; else only what each node must have. */
void request_of(struct request *r, const struct cluster *c, const struct job *j, bool how_many);
/* How many, and for which associations, as far as limits of QOS and associations go. */
void request_with_limits(struct request *r, const struct cluster *c, const struct job *j);
/* What each node must have, and its possible victims; priority: they depend on that too. */
void request_to_preempt(struct request *r, const struct cluster *c, const struct job *j, bool priority);
bool request_same(const struct request *a, const struct request *b);
void request_done(struct request *r);
