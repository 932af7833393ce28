/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/run_span.h - steps over several components of a heterogeneous job
 *
 * Each component has a run and a step of its own, with the same step id and its own nodes, so code
 * about nodes treats the step like any other. The components share one srun, which sees one step of
 * the leader. */
#pragma once

#include "controller/launch/step_begin.h"

/* Returns the job id by which srun and the nodes know the step. */
static inline uint32_t run_known_job(const struct run *r) {
        return r->span ? r->span : r->job;
}
/* Returns whether r and o are runs of the same started step; true if r is o. */
bool run_is_with(const struct run *r, const struct run *o);
/* Returns any run of a started step known by job and step; NULL: none. */
struct run *run_find_known(const struct controller *ctl, uint32_t job, uint32_t step);
/* Returns the run that has n among the nodes of its job; NULL: none. */
struct run *run_find_on(const struct controller *ctl, uint32_t job, uint32_t step,
                const struct node *n);
/* Returns whether the run is on the job, or will be. */
bool run_is_of(const struct run *r, uint32_t job);
/* Returns the job of component `part` of a waiting spanning run, or NULL; else the run's job. */
struct job *run_job(const struct controller *ctl, const struct run *r, size_t part);

/* The step's tasks as reported to srun and sattach: the nodes of all components, in order. */
struct run_tasks {
        char *nodes;
        uint32_t *count, *ranks; /* tasks on each node, and their ranks */
        size_t n;
        Slumber__TaskList **lists;
        uint32_t *parts; /* tasks of each component */
        size_t n_parts;
        uint32_t restarts; /* restarts of the job by which the step is known */
};

/* r must have started; run_tasks_done() frees t's members. */
void run_tasks_fill(const struct controller *ctl, const struct run *r, struct run_tasks *t);
void run_tasks_done(struct run_tasks *t);

/* Signal all runs of the step of r. */
void span_terminate(struct controller *ctl, const struct run *r);
void span_kill(struct controller *ctl, const struct run *r, uint32_t abort_status);
/* Tells srun that the step is over, unless another component is still running. */
void run_tell_ended(const struct controller *ctl, const struct run *r, const struct node *n,
                uint32_t exit_code);
/* Returns whether all nodes of all components have launched the step. */
bool span_launched(const struct controller *ctl, const struct run *r);

/* Returns SLUMBER_OK if the request for several components is valid; else the error with a text
   in fail. */
enum slumber_error span_check(const struct controller *ctl, const struct job *leader,
                const Slumber__StepRequest *m, struct fail *fail);
/* Returns SLUMBER_OK and the fit of each component if all can start now, SLUMBER_NODES_BUSY if
   the step has to wait. f must be zeroed before; fits_done() frees f's members. */
enum slumber_error span_fit(const struct controller *ctl, const struct run *r, struct fits *f,
                struct fail *fail);
/* Starts the steps of all components; r, which was waiting, becomes the run of the first
   component. */
void span_start(struct controller *ctl, struct run *r, struct fits *f);
