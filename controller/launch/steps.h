/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/steps.h - the life and end of srun's steps */
#pragma once

#include "controller/loop/controller.h"

void handle_step_io(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* the job is over: its waiting commands are told */
void runs_end_job(struct controller *ctl, uint32_t job);
void runs_client_gone(struct controller *ctl, const struct address *caller, bool for_good);
/* The process of uid's, or root's, that has asked for a step by that token has ended. */
void runs_command_dead(struct controller *ctl, uint64_t token, uid_t uid);
/* As watch_look_for_holders(), of steps. */
bool runs_look_for_commands(struct controller *ctl);
void run_orphaned(struct controller *ctl, uint32_t job, uint32_t step); /* FX_STEP_ORPHANED */
/* after a restart: j's steps, without their commands */
void runs_restore(struct controller *ctl, struct job *j, usec_t now);
void run_launch_result(struct controller *ctl, struct node *n, const Slumber__LaunchResult *r);
/* false: it is not to be acknowledged yet, as the step's command may come back to hear of it. */
bool run_step_ended(struct controller *ctl, struct node *n, const Slumber__StepEnded *e);
/* by a new connection */
void runs_node_back(struct controller *ctl, struct node *n, const Slumber__Register *m);
void run_node_lost(struct controller *ctl, struct node *n, uint32_t job);
/* job, which goes on, has lost n for good: its steps that were there end on their other nodes, too,
   and their sruns are told why. */
void run_node_failed(struct controller *ctl, struct node *n, uint32_t job);
/* j has kept these of its places alone: they are numbered anew. */
void runs_renumber(struct controller *ctl, const struct job *j, const struct bitset *keep);
/* Ends runs of jobs or steps that are gone without a report of their nodes. */
void runs_settle(struct controller *ctl);
/* steps_silent.c: a signal that ends processes, or its end, was sent to that step of srun's. */
void run_is_ending(struct controller *ctl, struct job *j, uint32_t step);
/* A signal for a step that fx->node has not been told, as it is held or its job is suspended: one
   that ends processes ends the step there, of a held one on all nodes.  false: the node has it. */
bool run_signal_unsent(struct controller *ctl, const struct effect *fx);
bool signal_ends_processes(int signal); /* if a program does not handle it: SIGTERM and the like */
void runs_free(struct controller *ctl);
void run_is_stored(struct controller *ctl, uint32_t job, uint32_t step); /* FX_LAUNCH_STEP */
void run_launch(struct controller *ctl, uint32_t job, uint32_t step);
/* The command of r, which is back, hears whether its job is suspended. */
void run_tell_whether_suspended(const struct run *r, const struct job *j);
/* The commands of its steps hear that the job is suspended, or goes on. */
void runs_tell_job(const struct controller *ctl, uint32_t job, Slumber__JobNotice__Kind kind);
/* an agent's, for the command */
void run_step_io(struct controller *ctl, struct node *n, const Envelope *env);
