/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/stepds.h - step daemons without a step, and the spawner, which forks step daemons */
#pragma once

#include "agent/state/agent.h"

/* ---- stepds.c ---- */
/* Maximum number of daemons tried for a step when daemons end before reading the step. */
#define STEPDS_FOR_STEP 3
/* Returns a live idle step daemon, or a new daemon to be started by stepd_start(). The caller frees
   with stepd_free(), and may take conn and socket. */
int stepd_get(struct agent *a, struct stepd **ret, struct fail *fail);
bool stepd_is_new(const struct stepd *d);            /* the daemon is not started yet */
int stepd_start(struct stepd *d, struct fail *fail); /* no-op for an idle daemon */
/* frees d with its remaining descriptors; d may be NULL */
struct stepd *stepd_free(struct stepd *d);
DEFINE_CLEANUP(struct stepd *, stepd_free)
bool stepds_wanted(const struct agent *a); /* idle step daemons are kept for later */
/* takes ownership of conn and socket */
void stepd_idle(struct agent *a, struct conn *conn, char *socket);
void stepds_beat(struct agent *a); /* ends daemons idle since the last heartbeat */
void stepds_done(struct agent *a);

/* ---- spawn.c ---- */
int spawner_start(struct agent *a, struct fail *fail);
void spawner_stop(struct agent *a); /* no-op without a spawner */
/* Starts a step daemon with copies of the descriptors. Starts a new spawner if necessary. */
int spawner_ask(struct agent *a, const int fds[STEP_FDS], struct fail *fail);
