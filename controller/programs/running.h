/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/running.h - running programs for nodes' power: of this slumberctld, and of
 * earlier ones */
#pragma once

#include "controller/loop/controller.h"
#include "controller/programs/program.h"

/* Stops the controller when the last program of this controller has ended, or after a while
   (power-saving guide, "fault tolerance"); a second call stops at once. */
void programs_wait(struct controller *ctl);
/* running_restore() adopts the programs of earlier controllers that are still running;
   running_restored(): the nodes are known now. */
void running_restore(struct controller *ctl, const Slumber__ProgramRuns *m);
void running_restored(struct controller *ctl);
/* Adds `by` to the running programs of each node; -1 and 1 enclose a reconfiguration. */
void running_count(struct controller *ctl, int by);
void running_fill(const struct controller *ctl, Slumber__ProgramRuns *m);
void running_fill_done(Slumber__ProgramRuns *m);
void running_done(struct controller *ctl);

enum running_kind {
        RUNNING_SUSPEND,
        RUNNING_RESUME,
        RUNNING_RESUME_FAIL,
        RUNNING_REBOOT,
        RUNNING_MAX
};
DECLARE_STRTAB_TEXT(running_kind); /* "SuspendProgram" */

/* Returns the duration from the start after which a program is ended; USEC_INFINITY: the program is
   only logged (end_programs). */
usec_t running_timeout(const struct controller *ctl);
/* Returns whether a program of the kind is running. */
bool running_some(const struct controller *ctl, enum running_kind kind);
/* Starts a program for the nodes req->hostlist, which is watched and, after the timeout, logged or
   ended; if the program cannot be started, fail says why. */
int running_start(struct controller *ctl, enum running_kind kind, const struct program_request *req,
                pid_t *ret, struct fail *fail);
