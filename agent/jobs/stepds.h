/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/stepds.h - step daemons without a step, and the process that becomes them */
#pragma once

#include "agent/state/agent.h"

/* ---- stepds.c ---- */
/* So many are told a step, at most, when they end before they have read what they are told. */
#define STEPDS_FOR_STEP 3
/* Returns an idle step daemon that is alive, or one to be started with its step.  The caller may
   take its conn and socket. */
int stepd_get(struct agent *a, struct stepd **ret, struct fail *fail);
bool stepd_is_new(const struct stepd *d);            /* it is not started yet */
int stepd_start(struct stepd *d, struct fail *fail); /* for an idle one: does nothing */
struct stepd *stepd_free(struct stepd *d);           /* with what it still has */
DEFINE_CLEANUP(struct stepd *, stepd_free)
bool stepds_wanted(const struct agent *a); /* idle step daemons are kept for later */
void stepd_idle(struct agent *a, struct conn *conn, char *socket); /* takes ownership of both */
void stepds_beat(struct agent *a); /* ends those that have been idle since the last heartbeat */
void stepds_done(struct agent *a);

/* ---- spawn.c ---- */
int spawner_start(struct agent *a, struct fail *fail);
void spawner_stop(struct agent *a); /* without one: does nothing */
/* A step daemon with copies of these descriptors; starts another spawner if there is none. */
int spawner_ask(struct agent *a, const int fds[STEP_FDS], struct fail *fail);
