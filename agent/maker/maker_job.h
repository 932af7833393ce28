/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/maker_job.h - a job as controller/steps reads it, made of what the controller has
 * told its node; pure */
#pragma once

#include "lib/errors.h"
#include "lib/tasklist.h"
#include "proto/slumber.pb-c.h"

struct maker_job;

/* A step that runs, and how many CPUs it takes from others.  Borrowed. */
struct maker_taker {
        const Slumber__StepSpec *spec;
        const uint32_t *taken;
};

/* Borrows m, which must stay.  NULL with fail: its numbers cannot be. */
struct maker_job *maker_job_new(const Slumber__StepMaker *m, struct fail *fail);
struct maker_job *maker_job_free(struct maker_job *j);
DEFINE_CLEANUP(struct maker_job *, maker_job_free)

/* Whether a step fits beside these, and with how many tasks: as of fit_in().  list: the node of
   each of its tasks, or NULL. */
enum slumber_error maker_job_fit(const struct maker_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct maker_taker *others, size_t n,
                uint32_t *ret_tasks, struct fail *fail);
/* It begins with so many tasks: fills what m says of its CPUs, cores and memory. */
void maker_job_begin(struct maker_job *j, const Slumber__StepSpec *spec, uint32_t tasks,
                Slumber__MadeStep *m);
/* One of an earlier slumberd goes on. */
void maker_job_goes_on(struct maker_job *j, const Slumber__MadeStep *m);
void maker_job_end(struct maker_job *j, uint32_t step);
/* MB that a step has; 0: all of its job's. */
uint64_t maker_job_memory(const struct maker_job *j, const Slumber__StepSpec *spec, uint32_t taken);
