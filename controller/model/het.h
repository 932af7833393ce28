/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/het.h - heterogeneous jobs: what the components of one request know of each
 * other (guide "Heterogeneous job support")
 *
 * Each component is a job of its own, with an id of its own; those of one request have consecutive
 * ids.  The first one is the leader, whose id is that of the whole. */
#pragma once

#include "controller/model/job.h"

#define HET_MAX 128u /* components of one request */

struct het {
        uint32_t id; /* the leader's */
        uint32_t n;  /* components that were asked for */
        /* of the ways to place them, where it is looked at there, so many are for no nodes, as of
         */
        const struct bid *never_in; /* compared only */
        uint64_t never_as_of;
        uint32_t never_ways;
        /* by their offset; NULL: forgotten, or not restored yet */
        struct job *of[];
};

/* One for n components of which none has joined; owned by those that join. */
struct het *het_new(uint32_t id, uint32_t n);
/* j is the component at offset; j->het, j->het_offset.  -EEXIST: another job is. */
int het_join(struct het *h, struct job *j, uint32_t offset);
/* j belongs to it no more, if it did; the last one frees it. */
void het_leave(struct job *j);

/* It is a batch job that may run again, and so are all that go back to the queue with it: of these
   none is missing. */
bool job_may_run_again(const struct job *j);

static inline bool job_is_het(const struct job *j) {
        return j->het;
}
/* The same job, or another component of its request. */
static inline bool job_is_with(const struct job *a, const struct job *b) {
        return a == b || (a->het && a->het == b->het);
}
/* It is not the first one of its request: decided with the leader. */
static inline bool job_is_het_follower(const struct job *j) {
        return j->het && j->het_offset;
}
/* What is suspended and goes on as one: j, or the components of its heterogeneous job.  The numbers
   of job_together() are below this. */
static inline uint32_t job_n_together(const struct job *j) {
        return j->het ? j->het->n : 1;
}
/* NULL: the component of that number has no nodes, or is leaving them. */
static inline struct job *job_together(struct job *j, uint32_t i) {
        struct job *m = j->het ? j->het->of[i] : j;

        return m && (m->state == JOB_RUNNING || m->state == JOB_SUSPENDED) && !m->completing ? m
                                                                                             : NULL;
}
/* The job that claims nodes, and stands in the queue, for j: itself, or of a component the leader,
   if that is there yet. */
static inline const struct job *job_leader(const struct job *j) {
        return job_is_het_follower(j) && j->het->of[0] ? j->het->of[0] : j;
}
