/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/het.h - heterogeneous jobs: links between the components of a request (guide
 * "Heterogeneous job support")
 *
 * Each component is a separate job; the components of a request have consecutive ids.  The first
 * component is the leader, whose id is the id of the whole job. */
#pragma once

#include "controller/model/job.h"

#define HET_MAX 128u /* maximum of components in a request */

struct het {
        uint32_t id; /* id of the leader */
        uint32_t n;  /* number of requested components */
        /* Cache of sched/het.c: the first never_ways ways to place the job are impossible for bid
         * never_in, as of never_as_of (cluster.nodes_as_of). */
        const struct bid *never_in; /* only compared */
        uint64_t never_as_of;
        uint32_t never_ways;
        /* Components by offset; NULL: removed, or not restored yet. */
        struct job *of[];
};

/* Makes a heterogeneous job of n components, none joined yet; owned by the components that join. */
struct het *het_new(uint32_t id, uint32_t n);
/* Makes j the component at offset: sets j->het and j->het_offset. -EEXIST: offset is taken. */
int het_join(struct het *h, struct job *j, uint32_t offset);
/* Removes j from its heterogeneous job, if any; the last component frees the job's struct het. */
void het_leave(struct job *j);

/* True for a batch job that may run again, if all components requeued together exist and may
   too. */
bool job_may_run_again(const struct job *j);

static inline bool job_is_het(const struct job *j) {
        return j->het;
}
/* True if a and b are equal or components of one request. */
static inline bool job_is_with(const struct job *a, const struct job *b) {
        return a == b || (a->het && a->het == b->het);
}
/* True for a component other than the leader: decided with the leader. */
static inline bool job_is_het_follower(const struct job *j) {
        return j->het && j->het_offset;
}
/* Jobs suspended and resumed as a unit: j alone, or all components.  The indexes of job_together()
   are below this number. */
static inline uint32_t job_n_together(const struct job *j) {
        return j->het ? j->het->n : 1;
}
/* Returns NULL if component i has no nodes, or is leaving them. */
static inline struct job *job_together(struct job *j, uint32_t i) {
        struct job *m = j->het ? j->het->of[i] : j;

        return m && (m->state == JOB_RUNNING || m->state == JOB_SUSPENDED) && !m->completing ? m
                                                                                             : NULL;
}
/* The job that claims nodes and is queued on behalf of j: the leader, if present, or j. */
static inline const struct job *job_leader(const struct job *j) {
        return job_is_het_follower(j) && j->het->of[0] ? j->het->of[0] : j;
}
