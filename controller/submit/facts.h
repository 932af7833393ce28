/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/submit/facts.h - what job_submit.lua is told beside the request: its sender, the
 * partitions and the reservations that this may use */
#pragma once

#include "controller/loop/caller.h"

struct facts {
        struct partition_message *messages; /* own */
        Slumber__Partition **partitions;    /* own */
        Slumber__ReservationList reservations;
};

/* m borrows from f and caller, whose user is known. */
void facts_fill(struct facts *f, struct controller *ctl, const struct caller *caller,
                Slumber__RuleRequest *m);
void facts_done(struct facts *f, const Slumber__RuleRequest *m);
