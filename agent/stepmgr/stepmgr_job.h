/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/stepmgr_job.h - a job in the form which controller/steps reads, made from the
 * controller's StepMaker; pure */
#pragma once

#include "lib/errors.h"
#include "lib/step/tasklist.h"
#include "proto/slumber.pb-c.h"

struct stepmgr_job;
struct fit; /* where a step fits */

/* A running step and its resources; borrowed */
struct stepmgr_taker {
        const Slumber__StepSpec *spec;
        const Slumber__MadeStep *made;
};

/* Borrows m, which must outlive the result. NULL with fail set: m is inconsistent. */
struct stepmgr_job *stepmgr_job_new(const Slumber__StepMaker *m, struct fail *fail);
struct stepmgr_job *stepmgr_job_free(struct stepmgr_job *j);
DEFINE_CLEANUP(struct stepmgr_job *, stepmgr_job_free)

/* Works like fit_in(): finds resources for spec beside the running steps in others. list: node
   of each task, or NULL. SLUMBER_OK: *ret is the result, freed by stepmgr_fit_free(). */
enum slumber_error stepmgr_job_fit_step(const struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const struct task_list *list, const struct stepmgr_taker *others, size_t n,
                struct fit **ret, struct fail *fail);
struct fit *stepmgr_fit_free(struct fit *f); /* takes NULL */
DEFINE_CLEANUP(struct fit *, stepmgr_fit_free)
/* Starts a step with the resources of f: fills m's tasks, CPUs, cores, memory and generic
   resources. stepmgr_job_free_message() frees these. */
void stepmgr_job_begin_step(struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const struct fit *f, Slumber__MadeStep *m);
void stepmgr_job_free_message(Slumber__MadeStep *m);
/* Adds a step started by an earlier slumberd. -EBADMSG: the step does not fit the job. */
int stepmgr_job_restore_step(struct stepmgr_job *j, const Slumber__MadeStep *m);
void stepmgr_job_end_step(struct stepmgr_job *j, uint32_t step);
/* Memory of a step on a node in MB; 0: all of the job's memory. */
uint64_t stepmgr_job_step_memory(const struct stepmgr_job *j, const Slumber__StepSpec *spec,
                const Slumber__MadeStepNode *node);
/* The step's part of the job's generic resources on the node, in the form of
   CredentialBody.step_gres; borrowed. */
const char *stepmgr_job_step_gres(const struct stepmgr_job *j, const Slumber__MadeStep *m,
                const Slumber__MadeStepNode *node);
