/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/adopt.h - pam_slumber_adopt; which processes belong to which job and step */
#pragma once

#include "agent/state/agent.h"

/* ---- adopt.c ---- */
void adopt_answer(struct client *c, const Envelope *env);
/* Another node asks where a connection from here comes from, or has been asked and answers. */
void adopt_origin(struct agent *a, const Slumber__Origin *m);
void adopt_forget(struct client *c); /* it has gone */

/* ---- pids.c ---- */
void pids_answer(struct agent *a, struct conn *conn, const Envelope *env, uid_t uid);
