/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/facts.h - data for job_submit.lua besides the request: its sender, and the
 * partitions and reservations that the sender may use */
#pragma once

#include "controller/loop/caller.h"

struct facts;

/* Fills m and returns the data behind it, freed by facts_free(). m also borrows from caller;
   caller->user must be set. */
struct facts *facts_fill(struct controller *ctl, const struct caller *caller,
                Slumber__RuleRequest *m);
struct facts *facts_free(struct facts *f);
DEFINE_CLEANUP(struct facts *, facts_free)
