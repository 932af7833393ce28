/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/dependency.h - jobs to wait for before scheduling (sbatch --dependency)
 *
 * A job with unmet dependencies is in the queue but not counted there. A start, end or requeue of a
 * job is reported by dependency_news(); turn() then reviews the dependents of the job only. */
#pragma once

#include "controller/model/dependency.h"
#include "lib/fail.h"

struct array;
struct cluster;
struct job;

/* Parses "afterok:12:13_4:14_[0-6:2],after:15+5", "afterok:12?afternotok:12", "singleton" or "12".
   Returns 0, or -EINVAL or -ERANGE with the reason in fail. stored: text comes from
   dependencies_text(), with states such as (failed). *ret is NULL if text is empty or "0"; the
   caller frees *ret by dependencies_free(). */
int dependencies_parse(const char *text, bool stored, struct dependencies **ret, struct fail *fail);
/* Returns the unmet dependencies as squeue %E shows them: "afterok:12(failed)"; the caller
   frees. */
char *dependencies_text(const struct dependencies *d);

/* Returns whether d names j, j's array or j's heterogeneous job. */
bool dependencies_name(const struct dependencies *d, const struct job *j);
/* Returns whether each job id in d has been given to a job and each named component exists, as
   far as slumberctld still knows the jobs. On false, fail has -ENOENT and names the job or
   component. */
bool dependencies_exist(const struct cluster *c, const struct dependencies *d, struct fail *fail);
/* Returns whether d can never be met in the present state. */
bool dependencies_never(const struct dependencies *d);
/* Returns whether j would wait for itself, directly or through more jobs, if d were its
   dependencies. */
bool dependencies_circular(const struct cluster *c, const struct job *j,
                const struct dependencies *d);

/* Registers j with the jobs named in j->waiting.depends and removes dependencies that are met
   already. j must have an id. */
void dependencies_join(struct cluster *c, struct job *j, usec_t now);
/* Handles the accounts' answer about job id: reviews the waiting jobs, then frees the answer,
   past_of(c, id), which must be settled. */
void dependencies_told(struct cluster *c, uint32_t id, usec_t now);
/* Handles a failure to read the accounts: the jobs waiting for job id are reviewed after a
   minute. */
void dependencies_untold(struct cluster *c, uint32_t id, usec_t now);
/* Reviews j once depend_due has passed: the time of after:ID+MINUTES, or of asking the accounts
   again. */
void dependencies_due(struct cluster *c, struct job *j, usec_t now);
/* Reviews the singleton dependencies of j, after a change of j's name, and the jobs waiting for
   j. */
void dependencies_renamed(struct cluster *c, struct job *j, usec_t now);
/* Notes that a has started, has ended or is back in the queue; dependencies_settle() does the
   rest. */
void dependency_news(struct cluster *c, const struct job *a);
/* Reviews the dependents of all noted jobs, until no job is noted any more. */
void dependencies_settle(struct cluster *c, usec_t now);
