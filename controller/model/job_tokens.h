/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_tokens.h - interactive jobs by the token of the srun or salloc that wants
 * them
 *
 * A command that lost its connection asks for its allocation by its token alone: found without a
 * look at all jobs. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;

struct job_tokens;

struct job_tokens *job_tokens_new(void);
struct job_tokens *job_tokens_free(struct job_tokens *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct job_tokens *, job_tokens_free)

/* Nothing for jobs without a token, and for batch jobs. As long as it is in, neither token nor uid
   change. */
void job_tokens_insert(struct job_tokens *t, struct job *j);
void job_tokens_remove(struct job_tokens *t, struct job *j);
struct job *job_tokens_find(const struct job_tokens *t, uint64_t token, uid_t uid); /* NULL */
