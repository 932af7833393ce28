/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/steps.h - the steps of srun from launch to end */
#pragma once

#include "controller/loop/controller.h"

void handle_step_io(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* The job is over: waiting commands are told. */
void runs_end_job(struct controller *ctl, uint32_t job);
void runs_client_gone(struct controller *ctl, const struct address *caller, bool for_good);
/* The process of user uid or root that has requested a step with this token has ended. */
void runs_command_dead(struct controller *ctl, uint64_t token, uid_t uid);
/* Like watch_look_for_holders(), for the commands of steps. */
bool runs_look_for_commands(struct controller *ctl);
void run_orphaned(struct controller *ctl, uint32_t job, uint32_t step); /* FX_STEP_ORPHANED */
/* Makes the runs of j's steps after a restart, without commands. */
void runs_restore(struct controller *ctl, struct job *j, usec_t now);
void run_launch_result(struct controller *ctl, struct node *n, const Slumber__LaunchResult *r);
/* Returns false if the end must not be acknowledged yet, because the step's command may come
   back. */
bool run_step_ended(struct controller *ctl, struct node *n, const Slumber__StepEnded *e);
/* n has registered over a new connection. */
void runs_node_back(struct controller *ctl, struct node *n, const Slumber__Register *m);
void run_node_lost(struct controller *ctl, struct node *n, uint32_t job);
/* job has lost n for good and keeps running: its steps on n end on their other nodes, too, and
   their sruns learn the reason. */
void run_node_failed(struct controller *ctl, struct node *n, uint32_t job);
/* j has kept only the positions in keep of its allocation: positions in runs are renumbered. */
void runs_renumber(struct controller *ctl, const struct job *j, const struct bitset *keep);
/* Removes runs whose job or step has gone without a report of the nodes. */
void runs_settle(struct controller *ctl);
/* steps_silent.c: the step has been sent the request to end, or a signal that ends processes. */
void run_is_ending(struct controller *ctl, struct job *j, uint32_t step);
/* Handles a signal to a step that fx->node does not have yet, because the step is held or the
   job is suspended: a signal that ends processes ends the step on the node, a held step on all
   nodes. Returns false if the node has the step. */
bool run_signal_unsent(struct controller *ctl, const struct effect *fx);
bool signal_ends_processes(int signal); /* by default, like SIGTERM */
void runs_free(struct controller *ctl);
void run_is_stored(struct controller *ctl, uint32_t job, uint32_t step); /* FX_LAUNCH_STEP */
void run_launch(struct controller *ctl, uint32_t job, uint32_t step);
/* Tells the command of r, which is back, whether the job is suspended. */
void run_tell_whether_suspended(const struct run *r, const struct job *j);
/* Tells the commands of the job's steps that the job is suspended or resumed. */
void runs_tell_job(const struct controller *ctl, uint32_t job, Slumber__JobNotice__Kind kind);
/* Passes an agent's StepIo to the step's command. */
void run_step_io(struct controller *ctl, struct node *n, const Envelope *env);
