/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/grant.h - what the first node of a job may start on this one: what the controller has
 * said, compared with the credential of a launch; pure */
#pragma once

#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

struct grant;

/* A copy of what m says.  NULL with fail: it grants nothing, or nothing that can be. */
struct grant *grant_new(const Slumber__Grant *m, struct fail *fail);
struct grant *grant_free(struct grant *g); /* takes NULL */
DEFINE_CLEANUP(struct grant *, grant_free)
bool grant_is_of(const struct grant *g, uint32_t job, uint32_t restarts);
/* What the controller tells the prolog of the job: borrowed. */
char **grant_hook_environment(const struct grant *g, size_t *ret_n);

/* Is m the launch of a step of that job, on node, of no more than the job has there?  Its
   credential must be signed by the job's first node and hold at now (CLOCK_REALTIME).
   -EKEYREJECTED, -EBADMSG, -EKEYEXPIRED: as of credential_verify(); -EACCES: it is of another node,
   job or user, or more than is granted, as fail says.  *ret: what was signed. */
int grant_check(const struct grant *g, const Slumber__LaunchStep *m, const char *node, uint64_t now,
                Slumber__CredentialBody **ret, struct fail *fail);
