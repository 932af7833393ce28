/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/steps.h - steps and the lines to their daemons */
#pragma once

#include "agent/state/agent.h"

/* ---- steps.c ---- */
/* Takes ownership of group and socket; NULL: step_take_daemon() follows. */
struct step *step_new(struct job *j, const struct step_name *name, struct cg *group, char *socket);
void step_free(struct step *s);
/* d has been started, and sent frame, the packed StepdSpec; it sends events.  Takes frame, and d's
   conn and socket. */
void step_take_daemon(struct step *s, struct stepd *d, uint8_t *frame, size_t size);
/* A step daemon that a plug-in holds up is killed. */
void step_end_plugin(struct step *s);
/* LaunchResult or StepEnded, to whoever makes the steps of that job. */
void step_tell(struct agent *a, Envelope *env);
void step_acknowledged(struct step *s); /* may free s and its job */
/* Each of the steps that env names tells the controller what it uses (StepStat). */
void steps_stat(struct agent *a, const Envelope *env);
/* What steps that are over have set for their CPUs, if their daemons were killed before they could
   put it back. */
void steps_put_cpus_back(struct agent *a);
void steps_resend_ended(struct agent *a); /* after each registration */
void steps_go_on(struct agent *a);        /* reads their output again */
void steps_adopt(struct agent *a);
void step_tell_lost(struct step *s); /* the controller hears that its daemon was killed */

/* ---- clean.c ---- */
/* The daemon of s was killed: false: nothing is to be deleted of its containers, or it cannot be;
   else step_tell_lost() is called when that is over. */
bool step_clean(struct step *s);
void step_clean_stop(struct step *s);
