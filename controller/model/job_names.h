/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_names.h - jobs by their owner and name
 *
 * A singleton looks for namesakes whenever one of them has ended: found without looking at all
 * jobs. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;

struct job_names;

struct job_names *job_names_new(void);
struct job_names *job_names_free(struct job_names *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct job_names *, job_names_free)

/* As long as it is in, neither name nor uid change.  No name is the name "". */
void job_names_insert(struct job_names *t, struct job *j);
void job_names_remove(struct job_names *t, struct job *j);
/* The latest that was inserted, and the one before j; NULL: there is none. */
struct job *job_names_latest(const struct job_names *t, uid_t uid, const char *name);
struct job *job_names_before(const struct job *j);
