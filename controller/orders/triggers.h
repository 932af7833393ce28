/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/triggers.h - triggers (strigger): setting, clearing and firing
 *
 * A trigger that fires becomes a run: the program, with the nodes or the job as argument, at a
 * point in time.  FX_TRIGGER asks for the program of the run with a serial, again after each
 * restart; programs/trigger_programs.c ensures that the program starts once. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* want: events, job, nodes, offset, program and owner; *ret_id: the new trigger's number. */
enum slumber_error trigger_set(struct cluster *c, const struct trigger *want, usec_t now,
                uint32_t *ret_id, struct fail *fail);

struct trigger_choice { /* 0 and NULL: any */
        uint32_t id, job;
        const uid_t *uid;
};
/* Removes triggers and runs whose program has not been requested, and that `by` may remove (NULL:
   all). Returns the number removed. */
size_t triggers_clear(struct cluster *c, const struct trigger_choice *which, const uid_t *by);

void triggers_review(struct cluster *c, usec_t now); /* DEADLINE_TRIGGERS */
/* The program of the run has ended, or could not be run. */
void trigger_ended(struct cluster *c, uint64_t serial);
/* Called when nodes, jobs and triggers have been restored from the store. */
void triggers_restored(struct cluster *c, usec_t now);
