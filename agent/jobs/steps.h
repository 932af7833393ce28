/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/steps.h - steps and the connections to their daemons */
#pragma once

#include "agent/state/agent.h"

/* ---- steps.c ---- */
/* Adds a step to j; takes ownership of group and socket. socket: NULL if step_take_daemon()
   follows. */
struct step *step_new(struct job *j, const struct step_name *name, struct cg *group, char *socket);
void step_free(struct step *s);
/* Connects s to the started daemon d and receives the daemon's events. Takes ownership of frame,
   the packed StepdSpec already sent to d, and of d's conn and socket. */
void step_take_daemon(struct step *s, struct stepd *d, uint8_t *frame, size_t size);
/* Kills the step daemon if a plug-in blocks the daemon. */
void step_end_plugin(struct step *s);
/* Sends a LaunchResult or StepEnded to the job's step manager, or to the controller. */
void step_tell(struct agent *a, Envelope *env);
void step_acknowledged(struct step *s); /* may free s and its job */
/* Asks the daemon of each step named by env for a StepStat, which goes to the controller. */
void steps_stat(struct agent *a, const Envelope *env);
/* Restores the CPU frequencies set by ended steps whose daemons were killed before restoring
   them. */
void steps_put_cpus_back(struct agent *a);
void steps_resend_ended(struct agent *a); /* after each registration */
void steps_go_on(struct agent *a);        /* resumes reading output of step daemons */
void steps_adopt(struct agent *a);
void step_tell_lost(struct step *s); /* reports that the step's daemon was killed */

/* ---- clean.c ---- */
/* Called when the daemon of s was killed: starts a step daemon that deletes the step's containers,
   and calls step_tell_lost() afterwards. False: no container, or the deletion cannot start. */
bool step_clean(struct step *s);
void step_clean_stop(struct step *s);
