/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/facts.h - what job_submit.lua is told beside the request: its sender, the
 * partitions and the reservations that this may use */
#pragma once

#include "controller/loop/caller.h"

struct facts;

/* m borrows from the result, which facts_free() frees, and from caller, whose user is known. */
struct facts *facts_fill(struct controller *ctl, const struct caller *caller,
                Slumber__RuleRequest *m);
struct facts *facts_free(struct facts *f);
DEFINE_CLEANUP(struct facts *, facts_free)
