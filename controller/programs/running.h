/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/running.h - programs for nodes' power that run: this controller's, and those
   that have outlived an earlier one */
#pragma once

#include "controller/loop/controller.h"
#include "controller/programs/program.h"

/* running.c: stops the controller when none that it has started runs any more, or after a while
   (guide power-saving.txt, "fault tolerance"); asked again: now. */
void programs_wait(struct controller *ctl);
/* Those of earlier controllers that still run; restored: their nodes are known. */
void running_restore(struct controller *ctl, const Slumber__ProgramRuns *m);
void running_restored(struct controller *ctl);
/* 1: their nodes are told of them; -1: no more.  A reconfigure comes between. */
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
DECLARE_STRTAB(running_kind); /* "SuspendProgram" */

/* When one is ended, from its start: a duration. USEC_INFINITY: it is only told of
   (end_programs). */
usec_t running_timeout(const struct controller *ctl);
/* at least one of it runs */
bool running_some(const struct controller *ctl, enum running_kind kind);
/* req->hostlist are its nodes.  It is told of, watched to its end and ended for its time; of one
   that cannot be started fail says why. */
int running_start(struct controller *ctl, enum running_kind kind, const struct program_request *req,
                pid_t *ret, struct fail *fail);
