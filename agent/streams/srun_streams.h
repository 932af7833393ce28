/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/streams/srun_streams.h - the streams of srun commands on this host */
#pragma once

#include "agent/state/agent.h"

/* ---- srun_streams.c ---- */
void srun_streams_open(struct client *c, const Slumber__StepReply *m);
void srun_streams_notice(struct client *c, const Slumber__StepNotice *m); /* m goes to c */
void srun_streams_close(struct client *c);                                /* c may have no step */
struct pid_set;
/* Adds the processes of this host's srun commands with a step of the job. */
void srun_streams_pids(const struct agent *a, uint32_t job, struct pid_set *set);
void srun_streams_drained(struct client *c); /* c has read from its connection */
/* Sends a StepIo of c to the nodes; false: the controller has to pass it on. */
bool srun_streams_send(struct client *c, Envelope *env);
/* Takes a StepIo of a node, received by p; p is NULL: from a step daemon of this node. false: the
   step's srun is not on this host. */
bool srun_streams_take(struct agent *a, struct peer *p, Envelope *env);
/* Takes a StepIo of the step's nodes, passed on by the controller. true: io was not for srun. */
bool srun_streams_hear(struct client *c, const Slumber__StepIo *io);
/* Shows viewers a StepIo given to srun by another way. */
void srun_streams_shown(struct client *c, const Slumber__StepIo *io);
void srun_streams_gone(struct client *c); /* srun has ended: tells the viewers */
/* Takes a View of a sattach, received by p. */
void srun_streams_view(struct agent *a, struct peer *p, Envelope *env);
/* Passes on srun's answer to a sattach. */
void srun_streams_answer(struct client *c, Envelope *env);
void srun_streams_up(struct agent *a, const struct peer *p);
void srun_streams_slow(struct agent *a, const struct peer *p);
void srun_streams_lost(struct agent *a, const struct peer *p, bool quiet);

/* ---- answer.c ---- */
void client_answer(struct client *c, Envelope *env); /* sends env to c, and adjusts c's streams */
