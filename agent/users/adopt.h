/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/adopt.h - pam_slumber_adopt, and the processes of jobs and steps */
#pragma once

#include "agent/state/agent.h"

/* ---- adopt.c ---- */
void adopt_answer(struct client *c, const Envelope *env);
/* Handles Origin: another node asks for the origin of a connection, or answers this node's
   question. */
void adopt_origin(struct agent *a, const Slumber__Origin *m);
void adopt_forget(struct client *c); /* client c has gone */

/* ---- pids.c ---- */
void pids_answer(struct agent *a, struct conn *conn, const Envelope *env, uid_t uid);
