/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/request.h - the request of a job that place() depends on, as words that can be
 * compared and hashed
 *
 * Two jobs with the same words have the same possible places: the pass over the queue does not try
 * the second after the first was refused, and the plan caches by them (shape.h).  A new field of a
 * request is added in request.c, and only there. */
#pragma once

#include "controller/model/cluster.h"

struct request {
        uint64_t *word;
        size_t n, allocated;
        uint64_t hash;
};

/* Overwrites *r.  how_many: with the numbers of nodes and tasks; else only what each node must
   have. */
void request_of(struct request *r, const struct cluster *c, const struct job *j, bool how_many);
/* The request with numbers, and what limits of QOS and associations depend on. */
void request_with_limits(struct request *r, const struct cluster *c, const struct job *j);
/* What each node must have, and what possible victims depend on; priority: on that, too. */
void request_to_preempt(struct request *r, const struct cluster *c, const struct job *j,
                bool priority);
bool request_same(const struct request *a, const struct request *b);
void request_done(struct request *r);
