/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/maker.h - the steps that this node makes for a job */
#pragma once

#include "agent/state/agent.h"

/* ---- made_steps.c ---- */
/* A StepRequest of c; false: it is for the controller. */
bool made_request(struct client *c, const Envelope *env);
/* Likewise, of that run of its job; NULL: it is not here. */
bool made_request_of(struct job *j, struct client *c, const Envelope *env);
bool made_action(struct client *c, const Envelope *env); /* likewise, a JobAction */
/* A message for the controller; true: it was about a step that is made here. */
bool made_takes(struct agent *a, const Envelope *env);
void made_client_gone(struct client *c, bool for_good);
/* c waits for a step, or has one, that is made here. */
bool made_is_clients(const struct client *c);
/* An AttachRequest of c's with that id for a step of j: it is answered.  false: j's steps are not
   made here. */
bool made_attach(struct job *j, struct client *c, uint64_t id, uint32_t step);
void made_signal(struct job *j, const Slumber__SignalJob *m); /* before it goes to j's steps */

/* ---- made_rows.c ---- */
/* From now on this node makes the steps of j.  Takes message. */
int maker_begin(struct job *j, Slumber__StepMaker *message, struct fail *fail);
void maker_look_again(struct job *j); /* it goes on, or ends: those that wait may begin or not */
/* It stands still from now on, or goes on, also where no process of it is here. */
void maker_halt(struct job *j, bool halted);
/* It does, as far as this node knows without a process of it: of an earlier slumberd until the
   controller has said so. */
bool maker_is_halted(const struct job *j);
/* Nothing of j runs any more: the controller is sent the rest, also of what a full disk does not
   take.  false: not yet, as other nodes may say how their steps have ended. */
bool maker_settle(struct job *j);
void maker_end(struct job *j);  /* ... and has it: nothing is kept */
void maker_stop(struct job *j); /* this slumberd ends, or j could not begin; the file stays */
void maker_acknowledged(struct agent *a, const Slumber__StepsReportAck *m);
void maker_welcome(struct agent *a); /* after each registration */
/* What this node has made of j is not known any more: its sruns and the controller are told, and it
   makes no more. */
void maker_lost(struct job *j);
/* That of an earlier slumberd; a negative errno with fail: j makes no more steps. */
int maker_adopt(struct job *j, struct fail *fail);

/* ---- parts.c ---- */
/* A MakerMessage of a node. */
void maker_take(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
void makers_lost(struct agent *a, const struct peer *p, bool quiet);
void maker_node_back(struct agent *a, const Slumber__MakerNodes *m);
