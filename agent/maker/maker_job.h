/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/maker_job.h - a job as controller/steps reads it, made of what the controller has
 * told its node; pure */
#pragma once

#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

struct maker_job;
struct fit; /* where a step fits */

/* A step that runs, and what it has: borrowed. */
struct maker_taker {
        const Slumber__StepSpec *spec;
        const Slumber__MadeStep *made;
};

/* Borrows m, which must stay.  NULL with fail: its numbers cannot be. */
struct maker_job *maker_job_new(const Slumber__StepMaker *m, struct fail *fail);
struct maker_job *maker_job_free(struct maker_job *j);
DEFINE_CLEANUP(struct maker_job *, maker_job_free)

/* As fit_in(), beside these; list: the node of each of its tasks, or NULL.  SLUMBER_OK: *ret is
   where, to be freed by maker_fit_free(). */
enum slumber_error maker_job_fit(const struct maker_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct maker_taker *others, size_t n,
                struct fit **ret, struct fail *fail);
struct fit *maker_fit_free(struct fit *f); /* takes NULL */
DEFINE_CLEANUP(struct fit *, maker_fit_free)
/* It begins where f says: fills what m says of its tasks, CPUs, cores, memory and generic
   resources; made_step_done() frees that. */
void maker_job_begin(struct maker_job *j, const Slumber__StepSpec *spec, const struct fit *f,
                Slumber__MadeStep *m);
void made_step_done(Slumber__MadeStep *m);
/* One of an earlier slumberd goes on.  -EBADMSG: it is none of this job's. */
int maker_job_goes_on(struct maker_job *j, const Slumber__MadeStep *m);
void maker_job_end(struct maker_job *j, uint32_t step);
/* MB that a step has on a node; 0: all of its job's. */
uint64_t maker_job_memory(const struct maker_job *j, const Slumber__StepSpec *spec,
                const Slumber__MadeStepNode *node);
/* Its part of its job's generic resources there, as of CredentialBody.step_gres; borrowed. */
const char *maker_job_gres(const struct maker_job *j, const Slumber__MadeStep *m,
                const Slumber__MadeStepNode *node);
