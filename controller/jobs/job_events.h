/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_events.h - events of a job: placed, launched, suspended, ended, requeued
 *
 * Job launch guide, "job allocation" and "job termination".  The caller checks
 * rights. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

struct step_use;

/* A new pending job in the queue; j is complete but for id, priority and times.  0 ids left: NULL
   is not possible, the caller has asked cluster_take_job_id(). */
void job_submitted(struct cluster *c, struct job *j, usec_t now);
/* A condition of a pending job has changed: updates its reason and its place in the queue. */
void job_eligibility_changed(struct cluster *c, struct job *j, usec_t now);
/* Moves j, with alloc, units, nodes and num_cpus set, from the queue to its nodes.  The caller
   calls job_try_launch() when it is known whether j waits for its turn. */
void job_start(struct cluster *c, struct job *j, usec_t now);
/* Returns j, which is configuring, to the queue as if it had never been started.  why: text for its
   command, behind "...waits for resources again: ". */
void job_unstart(struct cluster *c, struct job *j, const char *why, usec_t now);
/* Launches j if it waits for nothing any more; its time limit begins.  May be called at any
   time. */
void job_try_launch(struct cluster *c, struct job *j, usec_t now);
/* The same for every job on n; turn() calls it for the nodes of FOLLOW_LAUNCH. */
void jobs_try_launch(struct cluster *c, struct node *n, usec_t now);

/* Ends j in state with reason; kill_reason (may be NULL) is printed in its output.  With requeue it
   returns to the queue when its nodes have released it. */
void job_end(struct cluster *c, struct job *j, enum job_state state, enum job_reason reason,
                const char *kill_reason, usec_t now);
enum slumber_error job_requeue(struct cluster *c, struct job *j, const char *kill_reason, bool hold,
                usec_t now);
/* j, a batch job whose script has exited with status (a wait status): requeued, and perhaps held,
   as RequeueExit and RequeueExitHold say; false: they do not name its exit code, or j may not run
   again. */
bool job_requeue_for_exit(struct cluster *c, struct job *j, uint32_t status, usec_t now);
/* j, which was requeued and is held: shown as SPECIAL_EXIT until it is released. */
void job_hold_special(struct cluster *c, struct job *j);
/* Also one that is not to be requeued. */
enum slumber_error job_requeue_always(struct cluster *c, struct job *j, const char *kill_reason,
                bool hold, usec_t now);
/* After a launch of j that has failed; one more than MaxBatchRequeue, and it is held in the queue.
   always: also where it is not to be requeued. */
enum slumber_error job_requeue_unlaunched(struct cluster *c, struct job *j, bool always, bool hold,
                usec_t now);
enum slumber_error job_cancel(struct cluster *c, struct job *j, uid_t uid, usec_t now);
/* A signal for the whole job (STEP_ANY) reaches a disconnected agent at its return, once however
   often it was asked for; for one step the result is SLUMBER_NODE_AWAY, and the other nodes have
   got it. */
enum slumber_error job_signal(struct cluster *c, struct job *j, int signal, uint32_t step,
                bool batch_only, bool full);
/* One for the whole job was sent to n, whose agent is gone and may not have got it. */
void job_signal_missed(struct cluster *c, struct job *j, struct node *n, int signal,
                bool batch_only, bool full);
/* Writes a line to the standard error of its batch script, or of the command that holds it. */
enum slumber_error job_notify(struct cluster *c, struct job *j, const char *text);
/* Its script has begun: writes the notices that job_notify() has kept. */
void job_write_notices(struct cluster *c, struct job *j);
/* Ends a step like a job, by SIGTERM and KillWait; a second call changes nothing. */
enum slumber_error job_terminate_step(struct cluster *c, struct job *j, uint32_t step);
/* Sets the time limit of s, which has just begun; NO_LIMIT and 0: none of its own. */
void job_step_limit(struct cluster *c, struct job *j, struct step *s, usec_t limit);
/* Ends steps at their own time limit; nodes that were away are told when they are asked again. */
void job_steps_due(struct cluster *c, struct job *j, usec_t now);
/* The same by a user's request, or with signal SIGKILL by that alone: if it fails, uid has
   cancelled it. */
enum slumber_error job_cancel_step(struct cluster *c, struct job *j, uint32_t step, uid_t uid,
                int signal);
/* The agent of jn is back: steps that were cancelled meanwhile end there, and signals are
   delivered. */
void job_node_catch_up(struct cluster *c, struct job *j, struct job_node *jn);
enum slumber_error job_hold(struct cluster *c, struct job *j, bool by_admin, usec_t now);
enum slumber_error job_release(struct cluster *c, struct job *j, bool admin, usec_t now);
/* By hand (scontrol). */
enum slumber_error job_suspend(struct cluster *c, struct job *j, usec_t now);
enum slumber_error job_resume(struct cluster *c, struct job *j, usec_t now);
/* By the gang: suspends j for a preemptor, and resumes it. */
void job_stop(struct cluster *c, struct job *j, bool by_user, usec_t now);
/* By the gang: v and, if it is a component, all others of its heterogeneous job that run. */
void job_stop_whole(struct cluster *c, struct job *v, usec_t now);
void job_continue(struct cluster *c, struct job *j, usec_t now);
/* Sets *ret_job to the job for which v is suspended by gang scheduling (StoppedFor), and *ret_until
   to the time at which v can go on: the expected end of that job (0: it has no time limit), or v's
   next time slice where both take turns.  Where v waits for several jobs it is the one that ends
   last; a component of a heterogeneous job waits for those of all components.  *ret_job is 0 where
   v waits for no job. */
void job_stopped_for(const struct cluster *c, const struct job *v, usec_t now, uint32_t *ret_job,
                usec_t *ret_until);
bool job_is_stopped_everywhere(const struct job *j);

/* job_victims.c: victims of a job that starts while nodes of it boot */
/* v is to be suspended for a job that starts now, with all components where it is one, and runs on
   until job_stop_victims() of that job. */
void job_is_victim(struct job *v, usec_t now);
/* j has nodes: suspends those victims on them if its nodes are up, and those of other components;
   else they run on until shortly before that. */
void job_stop_victims(struct cluster *c, struct job *j, usec_t now);
/* The same when a node of j has come up; cheap while others have not. */
void job_nodes_are_up(struct cluster *c, struct job *j, usec_t now);
/* j has begun, or has left its nodes: jobs that ran on until its nodes are up, and that no other
   such job waits for, are victims no more. */
void job_spare_victims(struct cluster *c, const struct job *j);
/* JOB_DEADLINE_STOP of v has come. */
void job_stop_due(struct cluster *c, struct job *v, usec_t now);
/* The nodes that it needs to begin are up. */
bool job_nodes_ready(const struct cluster *c, const struct job *j);

/* Nothing of v runs that could use GraceTime: v is suspended, or its nodes are not ready yet. */
bool job_needs_no_grace(const struct job *v);
/* Ended for j, as it would be where it is to start, in mode (PREEMPT_CANCEL, PREEMPT_REQUEUE),
   after grace.  up_by: when j's nodes are up; v ends no earlier, and is told so much earlier that
   its grace is over then; 0: they are. */
void job_preempt(struct cluster *c, struct job *v, const struct job *j, enum preempt_mode mode,
                usec_t grace, usec_t up_by, usec_t now);
/* stop_at of v, which was to be told later, has come. */
void job_preempt_due(struct cluster *c, struct job *v, usec_t now);
/* Such a v ends no later than up_by, or after its grace from now on. */
void job_preempt_hasten(struct cluster *c, struct job *v, usec_t up_by, usec_t now);
/* Nodes that are kept for j are woken. */
void claim_wake(struct cluster *c, const struct job *j);
/* Of claims with nodes that boot: they are woken, if a restart has forgotten that; when they are up
   victims are told to end, and where one will not come up they are victims no more. */
void claims_review(struct cluster *c, usec_t now);
void job_grace_over(struct cluster *c, struct job *v, usec_t now);
/* Its script, or the command that holds it, has ended with that wait() status: j ends so, or as
   preempted in its GraceTime. */
void job_exited(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory, usec_t now);
/* Reserves nodes for pending j while it has victims; ends that; v has left its nodes; drops claims
   of jobs without victims, of restored ones. */
void job_claim(struct cluster *c, struct job *j, const struct bitset *nodes);
/* The same without victims, until claims_renew(): it needs these nodes when others, which are going
   anyway, are gone. */
void job_claim_until_pass(struct cluster *c, struct job *j, const struct bitset *nodes);
void claims_renew(struct cluster *c);
void job_victim_gone(struct cluster *c, const struct job *v);
/* it ends when no victim is on its way out for j */
void claim_settle(struct cluster *c, struct job *j);
void claims_settle(struct cluster *c);
/* The job that n is kept for so; NULL: none. */
const struct job *node_claimed_by(const struct cluster *c, const struct node *n);
/* After a pass: drops claims of preemptors with victims that were gone before it. */
void claims_end(struct cluster *c);

/* From the agents. */
/* A step of j has begun on jn's node: it is frozen there where j is suspended.  The launch may have
   come by other nodes, after the order to freeze. */
void job_freeze_launched(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
void job_launched(struct cluster *c, struct job *j, const char *error,
                usec_t now); /* error NULL: it runs */
/* why: the script never ran; NULL: it did.  end: when, as its agent says; no later than now. */
void job_batch_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                const char *why, usec_t end, usec_t now);
/* j's steps on n together have more memory than j may (OverMemoryKill): it is cancelled. */
void job_over_memory(struct cluster *c, struct job *j, struct node *n, usec_t now);
/* The command that holds j, which has no batch script, has ended. */
void job_holder_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                usec_t now);
/* Mail about parts of its time limit (job_deadline.h) and about a dependency that can never be met:
 * each is sent once. */
void job_mail_due(struct cluster *c, struct job *j, usec_t now);
void job_mail_dependency(struct cluster *c, struct job *j, bool never);
/* It could not be stopped, and may be chosen again. */
void job_may_be_stopped(struct cluster *c, struct job *j);
void job_frozen(struct cluster *c, struct job *j, struct node *n, bool frozen, uint64_t serial,
                const char *error, usec_t now);
/* Why a node is drained. */
struct node_fault {
        const char *reason; /* "Kill task failed", "Epilog error", "Prolog error" */
        const char *error;  /* as its agent says it */
};
extern const char kill_failed[], epilog_failed[], prolog_failed[];
/* No other job may have n: its processes are left, or its hooks have failed. */
void node_drain_for(struct cluster *c, struct node *n, uint32_t job, const struct node_fault *fault,
                usec_t now);
/* fault: NULL, all is well. */
void job_gone(struct cluster *c, struct job *j, struct node *n, const struct node_fault *fault,
                usec_t now);
/* Asked again, its agent says that a hook of the job runs: it has more time. */
void node_job_busy(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, usec_t now);

/* job_hooks.c */
/* With PrologFlags=Alloc: asks nodes for it that are ready and have not been asked; true: j need
   not wait. */
bool job_prologs_over(struct cluster *c, struct job *j, usec_t now);
void job_prolog_over(struct cluster *c, struct job *j, struct node *n); /* it went well there */
void job_prolog_again(struct job *j, struct job_node *jn); /* n's agent has lost the request */
/* j is CONFIGURING: nodes that are connected and have not answered for long are asked again. */
void job_prologs_due(struct cluster *c, struct job *j);
/* Of a job that runs and has an extern step: nodes that lack it are asked for it. */
void job_extern_again(struct cluster *c, struct job *j);
/* Whether jn's node has the extern step of j, if that has one. */
void job_extern_found(struct cluster *c, struct job *j, struct job_node *jn, bool there);
/* PrologSlurmctld and EpilogSlurmctld: at the allocation; at its end, where began says that the job
   has had its nodes. */
void job_hook_allocated(struct cluster *c, struct job *j);
void job_hook_leaves(struct cluster *c, struct job *j, bool began);
/* The hook of that number has ended; error: NULL, it has succeeded.  false: j is in no such hook.
 */
bool job_hook_ended(struct cluster *c, struct job *j, uint64_t number, const char *error);
/* ... and what follows. */
void job_hook_over(struct cluster *c, struct job *j, uint64_t number, const char *error,
                usec_t now);
/* After a restart of the controller: it runs, has ended meanwhile, or has not begun. */
void job_hook_restarted(struct cluster *c, const struct job *j);
/* Completing ends when the last node has released the job and its EpilogSlurmctld has ended. */
void job_check_done(struct cluster *c, struct job *j, usec_t now);
#define STATUS_PROLOG_FAILED 54 /* Slurm's ExitCode 0:54 */
/* Prolog has failed on n: that is drained, j requeued, by default held, or ended. */
void job_prolog_failed(struct cluster *c, struct job *j, struct node *n, const char *error,
                usec_t now);
/* The same for whatever JobGone names: a job that is known, an earlier incarnation of it, or one
   long forgotten. */
void node_job_gone(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts,
                const struct node_fault *fault, usec_t now);
/* n has the job no longer, or must not have it: sent back, ended, or (--no-kill) smaller by one
   node. */
void job_node_failed(struct cluster *c, struct job *j, struct node *n, usec_t now);
/* --no-kill: j has lost n, and gets smaller as soon as no step runs that was there
   (updates/resize.h). */
void job_goes_on_without(struct cluster *c, struct job *j, struct node *n);
/* Asks n's agent to end what it has of a job, or of an incarnation of it, that has no place there;
   epilog: it had, until now, so its epilog runs even if nothing else of it did. */
void node_end_stray(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, bool epilog,
                usec_t now);
/* Asks jn's agent, if it is connected, to end a completing job's part; the deadline of its answer,
   where there is none. */
void job_kill_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* ... has passed. */
void job_kill_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
void strays_due(struct cluster *c, struct node *n, usec_t now);
/* jn's node has nothing of j any more, or is not waited for. */
void job_let_go(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
struct found_job { /* what a registering agent says runs on its node */
        uint32_t id, restarts;
        bool frozen, terminating, lost;
        bool script; /* its batch script runs there, or has ended and that is still to be told */
        bool extern_step; /* runs there */
        bool owes;        /* its hooks are remembered there, and it may owe its epilog */
};
void jobs_reconcile(struct cluster *c, struct node *n, const struct found_job *found,
                size_t n_found, usec_t now);

/* Steps: nodes are positions in j->placed.alloc; 0 = made.  A node's part ended: true when that was
   the last; use NULL: not known. */
struct step *job_step_started(struct cluster *c, struct job *j, uint32_t id,
                const struct bitset *nodes, usec_t now);
bool job_step_node_ended(struct cluster *c, struct job *j, struct step *s, struct node *n,
                uint32_t status, const struct step_use *use, usec_t now);

/* Nodes that owe an answer to a freeze, thaw or the job's end, or are to be asked again. */
void job_answers_due(struct cluster *c, struct job *j, usec_t now);
/* jn's node must have answered at that time, or is asked again. */
void job_set_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t at);
/* After a restart of the controller: answers that were owed to the last one get a new deadline. */
void job_restarted(struct cluster *c, struct job *j, usec_t now);

/* Beyond the time that an agent gives a freeze or a kill, for the way there and back. */
#define ANSWER_MARGIN (10 * USEC_PER_SEC)

/* The connection of the srun that holds j, or has started s, is broken, and it may live: it has
   SlurmdTimeout to come back, as an agent has; j has InactiveLimit, if that is set.  Then j is
   cancelled; s is given up (FX_STEP_ORPHANED).  A command that comes back sets orphan_due to 0. */
void job_holder_lost(struct cluster *c, struct job *j, usec_t now);
/* With InactiveLimit: whether the command that holds j is to be asked now if it is there.  Called
   again and again; when no answer has come for so long j ends (TIMEOUT). */
bool job_holder_ask(struct cluster *c, struct job *j, usec_t now);
void job_holder_answered(struct job *j);
void job_step_holder_lost(struct cluster *c, struct job *j, struct step *s, usec_t now);
void job_step_orphans_due(struct cluster *c, struct job *j, usec_t now);

void job_set_reason(struct cluster *c, struct job *j, enum job_reason reason, const char *text);
