/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/run_span.h - steps over several components of a heterogeneous job
 *
 * Each component has a run and a step of its own, of the same number, with its own nodes: all that
 * is of nodes is as with any step.  They have one srun, which knows them as one step of the
 * leader's. */
#pragma once

#include "controller/launch/step_begin.h"

/* By what its srun, and its nodes among each other, name the job. */
static inline uint32_t run_known_job(const struct run *r) {
        return r->span ? r->span : r->job;
}
/* Both are of one step, which has begun; r is with itself. */
bool run_is_with(const struct run *r, const struct run *o);
/* Any of those that are known as that step, which has begun; NULL: none. */
struct run *run_find_known(const struct controller *ctl, uint32_t job, uint32_t step);
/* Likewise the one that n is a node of. */
struct run *run_find_on(const struct controller *ctl, uint32_t job, uint32_t step,
                const struct node *n);
/* It is on that job, or, while it waits, is to be. */
bool run_is_of(const struct run *r, uint32_t job);
/* Of a request over several components that of its spec, or NULL; of another its job. */
struct job *run_job(const struct controller *ctl, const struct run *r, size_t part);

/* As its srun and sattach are told it: the nodes of all components in their order. */
struct run_tasks {
        char *nodes;
        uint32_t *count, *ranks; /* tasks on each, and which */
        size_t n;
        Slumber__TaskList **lists;
        uint32_t *parts; /* tasks of each component of a heterogeneous step */
        size_t n_parts;
        uint32_t restarts; /* of the job that it is known by */
};

/* r has begun. */
void run_tasks_fill(const struct controller *ctl, const struct run *r, struct run_tasks *t);
void run_tasks_done(struct run_tasks *t);

/* Those of all runs that are with r. */
void span_terminate(struct controller *ctl, const struct run *r);
void span_kill(struct controller *ctl, const struct run *r, uint32_t abort_status);
/* Its srun hears that the step is over, unless another component goes on. */
void run_tell_ended(const struct controller *ctl, const struct run *r, const struct node *n,
                uint32_t exit_code);
/* All nodes of all components have launched it. */
bool span_launched(const struct controller *ctl, const struct run *r);

/* Whether what is asked of the components can be. */
enum slumber_error span_check(const struct controller *ctl, const struct job *leader,
                const Slumber__StepRequest *m, struct fail *fail);
/* Where each component's part fits at once; f, zeroed before, fits_done() after. */
enum slumber_error span_fit(const struct controller *ctl, const struct run *r, struct fits *f,
                struct fail *fail);
/* r, which waits, becomes a run for each component; their steps have begun. */
void span_start(struct controller *ctl, struct run *r, struct fits *f);
