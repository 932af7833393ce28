/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/maker_job.h - a job in the form which controller/steps reads, made from the
 * controller's StepMaker; pure */
#pragma once

#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

struct maker_job;
struct fit; /* where a step fits */

/* A running step and its resources; borrowed */
struct maker_taker {
        const Slumber__StepSpec *spec;
        const Slumber__MadeStep *made;
};

/* Borrows m, which must outlive the result. NULL with fail set: m is inconsistent. */
struct maker_job *maker_job_new(const Slumber__StepMaker *m, struct fail *fail);
struct maker_job *maker_job_free(struct maker_job *j);
DEFINE_CLEANUP(struct maker_job *, maker_job_free)

/* Works like fit_in(): finds resources for spec beside the running steps in others. list: node
   of each task, or NULL. SLUMBER_OK: *ret is the result, freed by maker_fit_free(). */
enum slumber_error maker_job_fit(const struct maker_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct maker_taker *others, size_t n,
                struct fit **ret, struct fail *fail);
struct fit *maker_fit_free(struct fit *f); /* takes NULL */
DEFINE_CLEANUP(struct fit *, maker_fit_free)
/* Starts a step with the resources of f: fills m's tasks, CPUs, cores, memory and generic
   resources. made_step_done() frees these. */
void maker_job_begin(struct maker_job *j, const Slumber__StepSpec *spec, const struct fit *f,
                Slumber__MadeStep *m);
void made_step_done(Slumber__MadeStep *m);
/* Adds a step started by an earlier slumberd. -EBADMSG: the step does not fit the job. */
int maker_job_goes_on(struct maker_job *j, const Slumber__MadeStep *m);
void maker_job_end(struct maker_job *j, uint32_t step);
/* Memory of a step on a node in MB; 0: all of the job's memory. */
uint64_t maker_job_memory(const struct maker_job *j, const Slumber__StepSpec *spec,
                const Slumber__MadeStepNode *node);
/* The step's part of the job's generic resources on the node, in the form of
   CredentialBody.step_gres; borrowed. */
const char *maker_job_gres(const struct maker_job *j, const Slumber__MadeStep *m,
                const Slumber__MadeStepNode *node);
