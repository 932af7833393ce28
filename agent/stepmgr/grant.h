/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/grant.h - resources which a job's step manager may use on this node, as granted by
 * the controller, and the check of launches against the grant; pure */
#pragma once

#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

struct grant;

/* Copies m. NULL with fail set: m grants nothing, or is invalid. */
struct grant *grant_new(const Slumber__Grant *m, struct fail *fail);
struct grant *grant_free(struct grant *g); /* takes NULL */
DEFINE_CLEANUP(struct grant *, grant_free)
bool grant_is_of(const struct grant *g, uint32_t job, uint32_t restarts);
/* Environment of the job's prolog from the controller; borrowed. */
char **grant_hook_environment(const struct grant *g, size_t *ret_n);

/* Checks that m launches a step of the granted job on node within the granted resources. The
   credential must be signed by the job's step manager and be valid at now (CLOCK_REALTIME).
   *ret: the signed content. -EKEYREJECTED, -EBADMSG, -EKEYEXPIRED: as credential_verify().
   -EACCES: for another node, job or user, or beyond the grant; fail says how. */
int grant_check(const struct grant *g, const Slumber__LaunchStep *m, const char *node, uint64_t now,
                Slumber__CredentialBody **ret, struct fail *fail);
