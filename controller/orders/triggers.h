/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/triggers.h - triggers (strigger): set, cleared, and when they fire
 *
 * One that fires becomes a run: the program, with the nodes or the job as its argument, at a point
 * in time.  FX_TRIGGER asks for the program of the run of that serial, again after each restart;
 * programs/trigger_programs.c sees to it that it starts once. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

/* want: events, job, nodes, offset, program and whose it is; *ret_id: its number. */
enum slumber_error trigger_set(struct cluster *c, const struct trigger *want, usec_t now,
                uint32_t *ret_id, struct fail *fail);

struct trigger_choice { /* 0 and NULL: any */
        uint32_t id, job;
        const uid_t *uid;
};
/* Removes those whose program has not been asked for, and that by may remove (NULL: all); how
   many. */
size_t triggers_clear(struct cluster *c, const struct trigger_choice *which, const uid_t *by);
bool trigger_is_chosen(const struct trigger *t, const struct trigger_choice *which);

void triggers_review(struct cluster *c, usec_t now); /* DEADLINE_TRIGGERS */
/* The program of that run has ended, or could not be run. */
void trigger_ended(struct cluster *c, uint64_t serial);
/* All nodes, jobs and triggers are back from the store. */
void triggers_restored(struct cluster *c, usec_t now);
