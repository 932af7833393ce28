/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_tokens.h - index of interactive jobs by the token of the requesting srun or
 * salloc
 *
 * A command that lost its connection asks for its allocation by token; the index avoids a scan of
 * all jobs. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct job;

struct job_tokens;

struct job_tokens *job_tokens_new(void);
struct job_tokens *job_tokens_free(struct job_tokens *t); /* accepts NULL, returns NULL */
DEFINE_CLEANUP(struct job_tokens *, job_tokens_free)

/* No-ops for jobs without a token and for batch jobs.  Token and uid must not change while j is in
   the index. */
void job_tokens_insert(struct job_tokens *t, struct job *j);
void job_tokens_remove(struct job_tokens *t, struct job *j);
struct job *job_tokens_find(const struct job_tokens *t, uint64_t token, uid_t uid); /* NULL: none */
