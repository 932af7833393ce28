/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_names.h - index of jobs by owner and name
 *
 * When a job ends, singleton dependencies look for jobs with equal owner and name; the index avoids
 * a scan of all jobs. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;

struct job_names;

struct job_names *job_names_new(void);
struct job_names *job_names_free(struct job_names *t); /* accepts NULL, returns NULL */
DEFINE_CLEANUP(struct job_names *, job_names_free)

/* Name and uid must not change while j is in the index.  NULL counts as name "". */
void job_names_insert(struct job_names *t, struct job *j);
void job_names_remove(struct job_names *t, struct job *j);
/* Return the job inserted last, and the job inserted before j; NULL: none. */
struct job *job_names_latest(const struct job_names *t, uid_t uid, const char *name);
struct job *job_names_before(const struct job *j);
