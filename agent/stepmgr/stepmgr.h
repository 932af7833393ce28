/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/stepmgr.h - the step manager: steps made by this node for a job (--stepmgr) */
#pragma once

#include "agent/state/agent.h"

/* ---- stepmgr_steps.c ---- */
/* Handles a StepRequest of client c; false: the controller makes the job's steps. */
bool stepmgr_handle_request(struct client *c, const Envelope *env);
/* Handles a StepRequest for this run of the job; false: j is NULL or has no step manager here. */
bool stepmgr_handle_request_of_run(struct job *j, struct client *c, const Envelope *env);
/* A JobAction; false: for the controller */
bool stepmgr_handle_action(struct client *c, const Envelope *env);
/* Handles a message which a step daemon's slumberd has for the controller (LaunchResult,
   StepEnded). true: the message was about a step of a step manager here, and the controller must
   not get it. */
bool stepmgr_handle_report(struct agent *a, const Envelope *env);
void stepmgr_client_gone(struct client *c, bool for_good);
/* Returns whether client c waits for a step of a step manager here, or has a step. */
bool stepmgr_has_client(const struct client *c);
/* Answers AttachRequest id of client c for a step of j. false: this node does not manage j's
   steps. */
bool stepmgr_handle_attach(struct job *j, struct client *c, uint64_t id, uint32_t step);
/* Called before the signal goes to j's steps */
void stepmgr_note_signal(struct job *j, const Slumber__SignalJob *m);

/* ---- stepmgr_rows.c ---- */
/* This node becomes the step manager of j. Takes message, also when it fails. */
int stepmgr_begin(struct job *j, Slumber__StepMaker *message, struct fail *fail);
/* The job resumes or ends: waiting requests are tried again. */
void stepmgr_retry_job(struct job *j);
/* The controller has suspended (halted) or resumed the job, whose processes may all be
   elsewhere. */
void stepmgr_set_suspended(struct job *j, bool halted);
/* Returns whether the job is suspended, as far as the step manager knows; true for the step
   manager of an earlier slumberd until the controller has told the state. */
bool stepmgr_is_suspended(const struct job *j);
/* Called when none of j's processes runs here any more: sends the controller all remaining rows,
   including ends which a full disk did not take. false: too early, other nodes may still report
   how their steps have ended. */
bool stepmgr_settle_job(struct job *j);
/* The controller has all rows: frees j's step manager and removes its journal. */
void stepmgr_end(struct job *j);
/* Frees the step manager but keeps the journal: slumberd stops, or j could not begin */
void stepmgr_stop(struct job *j);
void stepmgr_handle_ack(struct agent *a, const Slumber__StepsReportAck *m);
/* Called after each registration: sends reports again. */
void stepmgr_send_reports_again(struct agent *a);
/* The record of j's steps is lost: reports the loss to the controller, kills the steps on this
   node, and refuses j's sruns from now on. */
void stepmgr_set_record_lost(struct job *j);
/* Restores the step manager of an earlier slumberd from its journal. Negative errno, with fail
   set: j gets no more steps. */
int stepmgr_restore(struct job *j, struct fail *fail);

/* ---- stepmgr_parts.c ---- */
/* Handles a MakerMessage from another node of a step. */
void stepmgr_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m);
void stepmgr_peer_lost(struct agent *a, const struct peer *p, bool quiet);
void stepmgr_node_back(struct agent *a, const Slumber__MakerNodes *m);
