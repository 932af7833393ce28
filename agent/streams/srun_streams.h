/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/srun_streams.h - the streams of commands here */
#pragma once

#include "agent/state/agent.h"

/* ---- srun_streams.c ---- */
void srun_streams_open(struct client *c, const Slumber__StepReply *m);
void srun_streams_notice(struct client *c, const Slumber__StepNotice *m); /* for c */
void srun_streams_close(struct client *c);                                /* if it has a step */
struct pid_set;
/* Adds the processes of this host's commands that hold a step of the job. */
void srun_streams_pids(const struct agent *a, uint32_t job, struct pid_set *set);
void srun_streams_drained(struct client *c); /* it has read */
/* A StepIo of c; false: it goes by the controller. */
bool srun_streams_send(struct client *c, Envelope *env);
/* One of a node, that has come by p, or NULL: of this one.  false: its srun is not here. */
bool srun_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* What the controller passes to c of its step's nodes; true: it was not for srun. */
bool srun_streams_hear(struct client *c, const Slumber__StepIo *io);
/* What srun is given by another way. */
void srun_streams_shown(struct client *c, const Slumber__StepIo *io);
void srun_streams_gone(struct client *c); /* srun has: sattaches hear it */
/* Of a sattach, which has come by p. */
void srun_streams_view(struct agent *a, struct peer *p, Envelope *env);
/* ... and what its srun says to it. */
void srun_streams_answer(struct client *c, Envelope *env);
void srun_streams_up(struct agent *a, const struct peer *p);
void srun_streams_slow(struct agent *a, const struct peer *p);
void srun_streams_lost(struct agent *a, const struct peer *p, bool quiet);

/* ---- answer.c ---- */
void client_answer(struct client *c, Envelope *env); /* to c, whose streams follow it */
