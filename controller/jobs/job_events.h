/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_events.h - events of a job: placed, launched, suspended, ended, requeued
 *
 * See the job launch guide, "job allocation" and "job termination". Callers check permissions
 * first. */
#pragma once

#include "controller/model/cluster.h"
#include "lib/errors.h"

struct step_use;

/* Puts a new pending job into the queue. The caller has filled in all of j, including its id
   (cluster_take_job_id()), except priority and times. */
void job_submitted(struct cluster *c, struct job *j, usec_t now);
/* Updates reason and queue position of j after a condition of j has changed; no-op unless j is in
   the queue. */
void job_eligibility_changed(struct cluster *c, struct job *j, usec_t now);
/* Moves j, with alloc, units, nodes and num_cpus set, from the queue to the nodes. The caller calls
   job_try_launch() once victims on the nodes are known. */
void job_start(struct cluster *c, struct job *j, usec_t now);
/* Returns j, which is configuring, to the queue as if j had never been started. why: text for the
   user's command, after "...waits for resources again: ". */
void job_unstart(struct cluster *c, struct job *j, const char *why, usec_t now);
/* Launches j if nothing keeps j waiting any more; the time limit begins. May be called at any
   time. */
void job_try_launch(struct cluster *c, struct job *j, usec_t now);
/* job_try_launch() for every job on n; turn() calls jobs_try_launch() for the nodes of
   FOLLOW_LAUNCH. */
void jobs_try_launch(struct cluster *c, struct node *n, usec_t now);

/* Ends j in state with reason. kill_reason (may be NULL) is printed in the job's output. j keeps
   its nodes as COMPLETING until each node has released j. */
void job_end(struct cluster *c, struct job *j, enum job_state state, enum job_reason reason,
                const char *kill_reason, usec_t now);
enum slumber_error job_requeue(struct cluster *c, struct job *j, const char *kill_reason, bool hold,
                usec_t now);
/* Requeues j, a batch job whose script exited with the wait status, and perhaps holds j, as
   RequeueExit and RequeueExitHold say. Returns false if neither names the exit code or j may not
   run again. */
bool job_requeue_for_exit(struct cluster *c, struct job *j, uint32_t status, usec_t now);
/* Shows j, requeued and held by the user, as SPECIAL_EXIT until released. */
void job_hold_special(struct cluster *c, struct job *j);
/* job_requeue() even with --no-requeue. */
enum slumber_error job_requeue_always(struct cluster *c, struct job *j, const char *kill_reason,
                bool hold, usec_t now);
/* Requeues j after a failed launch; after more than MaxBatchRequeue failures j is held. always:
   even with --no-requeue. */
enum slumber_error job_requeue_unlaunched(struct cluster *c, struct job *j, bool always, bool hold,
                usec_t now);
enum slumber_error job_cancel(struct cluster *c, struct job *j, uid_t uid, usec_t now);
/* Sends signal to j. A signal for the whole job (STEP_ANY) reaches a disconnected slumberd when
   slumberd is back, once even if sent several times. A signal for one step returns
   SLUMBER_NODE_AWAY if a node is away; the other nodes have received the signal. */
enum slumber_error job_signal(struct cluster *c, struct job *j, int signal, uint32_t step,
                bool batch_only, bool full);
/* Keeps a signal for the whole job that was sent to n just before n's slumberd disconnected. */
void job_signal_missed(struct cluster *c, struct job *j, struct node *n, int signal,
                bool batch_only, bool full);
/* Writes a line to the standard error of j's batch script or of the command holding j. */
enum slumber_error job_notify(struct cluster *c, struct job *j, const char *text);
/* Writes the notices that job_notify() has kept until the batch script began. */
void job_write_notices(struct cluster *c, struct job *j);
/* Ends a step by SIGTERM and, after KillWait, SIGKILL; may be repeated. */
enum slumber_error job_terminate_step(struct cluster *c, struct job *j, uint32_t step);
/* Sets the time limit of s, just begun; NO_LIMIT and 0: no step limit. */
void job_step_limit(struct cluster *c, struct job *j, struct step *s, usec_t limit);
/* Ends steps whose own time limit is reached. Called again until nodes that were away have ended
   the step. */
void job_steps_due(struct cluster *c, struct job *j, usec_t now);
/* Ends a step on request of uid, who is recorded as cancelling the step: with SIGTERM and KillWait
   or, if signal is SIGKILL, with SIGKILL alone. */
enum slumber_error job_cancel_step(struct cluster *c, struct job *j, uint32_t step, uid_t uid,
                int signal);
/* Sends jn's slumberd, now back, the kept signals and the end of steps cancelled meanwhile. */
void job_node_catch_up(struct cluster *c, struct job *j, struct job_node *jn);
enum slumber_error job_hold(struct cluster *c, struct job *j, bool by_admin, usec_t now);
enum slumber_error job_release(struct cluster *c, struct job *j, bool admin, usec_t now);
/* scontrol suspend and resume */
enum slumber_error job_suspend(struct cluster *c, struct job *j, usec_t now);
enum slumber_error job_resume(struct cluster *c, struct job *j, usec_t now);
/* Suspend j for a preemptor (job_stop) and resume j (job_continue); used by gang scheduling.
   by_user: by scontrol suspend. */
void job_stop(struct cluster *c, struct job *j, bool by_user, usec_t now);
/* Suspends v or, if v is a component, all running components of its heterogeneous job. */
void job_stop_whole(struct cluster *c, struct job *v, usec_t now);
void job_continue(struct cluster *c, struct job *j, usec_t now);
/* Sets *ret_job to the job for which v is suspended by gang scheduling (StoppedFor), and *ret_until
   to the time at which v can resume: the expected end of that job (0: no time limit), or v's next
   time slice if both jobs take turns. Of several such jobs the last to end counts; for a
   heterogeneous job, of all components. *ret_job is 0 if v waits for no job. */
void job_stopped_for(const struct cluster *c, const struct job *v, usec_t now, uint32_t *ret_job,
                usec_t *ret_until);
bool job_is_stopped_everywhere(const struct job *j);

/* job_victims.c: victims of a job starting on booting nodes */
/* Marks v and all components as victims of a job starting now; v runs on until job_stop_victims()
   of the starting job. */
void job_is_victim(struct job *v, usec_t now);
/* Suspends the victims on the nodes of j and j's components if these nodes are up; else plans the
   suspension for shortly before. */
void job_stop_victims(struct cluster *c, struct job *j, usec_t now);
/* job_stop_victims() once all nodes of j are up; cheap while some are not. */
void job_nodes_are_up(struct cluster *c, struct job *j, usec_t now);
/* Ends the suspension plans of victims of j after j has begun or left the nodes, unless some
   configuring job needs the victims' units. */
void job_spare_victims(struct cluster *c, const struct job *j);
/* Handles JOB_DEADLINE_STOP of v. */
void job_stop_due(struct cluster *c, struct job *v, usec_t now);
/* Returns whether the nodes that j needs to begin are up. */
bool job_nodes_ready(const struct cluster *c, const struct job *j);

/* Returns whether v has no running process that could use GraceTime: v is suspended or
   configuring. */
bool job_needs_no_grace(const struct job *v);
/* Ends v for its preemptor j in mode (PREEMPT_CANCEL or PREEMPT_REQUEUE) after grace. up_by: when
   j's nodes are up, 0 if they are up; v ends no earlier, and v's grace period is timed to end
   then. */
void job_preempt(struct cluster *c, struct job *v, const struct job *j, enum preempt_mode mode,
                usec_t grace, usec_t up_by, usec_t now);
/* Handles stop_at of v, whose warning was postponed. */
void job_preempt_due(struct cluster *c, struct job *v, usec_t now);
/* Makes v, whose warning was postponed, end no later than up_by, or after its grace time from now
   if up_by is too soon. */
void job_preempt_hasten(struct cluster *c, struct job *v, usec_t up_by, usec_t now);
/* Resumes the powered-down nodes of j's claim. */
void claim_wake(struct cluster *c, const struct job *j);
/* Reviews claims with booting nodes: resumes nodes again after a restart, warns the victims when
   all nodes are up, and drops the claim, sparing its victims, if a node fails to boot. */
void claims_review(struct cluster *c, usec_t now);
void job_grace_over(struct cluster *c, struct job *v, usec_t now);
/* Ends j after the end of the batch script, or of the command holding j, with the wait status;
   within GraceTime j ends as preempted. */
void job_exited(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory, usec_t now);
/* job_claim() keeps nodes for the pending j until its victims are gone. */
void job_claim(struct cluster *c, struct job *j, const struct bitset *nodes);
/* Keeps nodes for j, without victims of j's own, until claims_renew(): j gets the nodes when jobs
   that are ending anyway are gone. */
void job_claim_until_pass(struct cluster *c, struct job *j, const struct bitset *nodes);
void claims_renew(struct cluster *c);
void job_victim_gone(struct cluster *c, const struct job *v);
/* Frees j's claim if no victim is ending for j. */
void claim_settle(struct cluster *c, struct job *j);
void claims_settle(struct cluster *c);
/* Returns the job whose claim has n; NULL if none. */
const struct job *node_claimed_by(const struct cluster *c, const struct node *n);
/* Drops, after a pass, claims whose last victim was gone before that pass. */
void claims_end(struct cluster *c);

/* reports of slumberd */
/* Freezes a step of j begun on jn's node while j is suspended: the launch may have come by a
   different node, after the order to freeze. */
void job_freeze_launched(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
void job_launched(struct cluster *c, struct job *j, const char *error,
                usec_t now); /* error NULL: j runs */
/* Ends j after its batch script. why: reason if the script never ran; NULL if the script ran. end:
   the end as reported by slumberd, no later than now. */
void job_batch_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                const char *why, usec_t end, usec_t now);
/* Cancels j because its steps on n together use more memory than j has (OverMemoryKill). */
void job_over_memory(struct cluster *c, struct job *j, struct node *n, usec_t now);
/* Ends j, a job without a batch script, after the command holding j has ended. */
void job_holder_ended(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory,
                usec_t now);
/* Send mail about parts of the time limit (job_deadline.h) and about a dependency that can never be
 * met, each at most once. */
void job_mail_due(struct cluster *c, struct job *j, usec_t now);
void job_mail_dependency(struct cluster *c, struct job *j, bool never);
/* Allows j, which could not be stopped before, to be chosen as a victim again. */
void job_may_be_stopped(struct cluster *c, struct job *j);
void job_frozen(struct cluster *c, struct job *j, struct node *n, bool frozen, uint64_t serial,
                const char *error, usec_t now);
/* Why a node is drained. */
struct node_fault {
        const char *reason; /* "Kill task failed", "Epilog error", "Prolog error" */
        const char *error;  /* as slumberd reports the error */
};
extern const char kill_failed[], epilog_failed[], prolog_failed[];
/* Drains n because processes of the job are left or its prolog or epilog has failed. */
void node_drain_for(struct cluster *c, struct node *n, uint32_t job, const struct node_fault *fault,
                usec_t now);
/* Releases n from j, which is completing; fault drains n, NULL: no fault. */
void job_gone(struct cluster *c, struct job *j, struct node *n, const struct node_fault *fault,
                usec_t now);
/* Extends the deadline of a job's end on n: slumberd, asked again, reports a running prolog or
   epilog. */
void node_job_busy(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, usec_t now);

/* job_hooks.c */
/* PrologFlags=Alloc: asks ready nodes that have not been asked yet for j's prolog. Returns whether
   j may begin. */
bool job_prologs_over(struct cluster *c, struct job *j, usec_t now);
void job_prolog_over(struct cluster *c, struct job *j, struct node *n); /* n's prolog succeeded */
void job_prolog_again(struct job *j, struct job_node *jn); /* n's slumberd has lost the request */
/* Repeats the request to connected nodes that have not answered for long; j is CONFIGURING. */
void job_prologs_due(struct cluster *c, struct job *j);
/* Asks the nodes of the running j without j's extern step for the step. */
void job_extern_again(struct cluster *c, struct job *j);
/* Notes whether jn's node has j's extern step, if j has such a step. */
void job_extern_found(struct cluster *c, struct job *j, struct job_node *jn, bool there);
/* Start PrologSlurmctld at the allocation, EpilogSlurmctld at j's end. began: j has had its
   nodes. */
void job_hook_allocated(struct cluster *c, struct job *j);
void job_hook_leaves(struct cluster *c, struct job *j, bool began);
/* Notes that PrologSlurmctld or EpilogSlurmctld with this number has ended; error NULL: success.
   Returns false unless j waits for the program. */
bool job_hook_ended(struct cluster *c, struct job *j, uint64_t number, const char *error);
/* job_hook_ended() and its consequences for j. */
void job_hook_over(struct cluster *c, struct job *j, uint64_t number, const char *error,
                usec_t now);
/* Asks again, after a restart of slumberctld, for a PrologSlurmctld or EpilogSlurmctld that may
   run, have ended or not have begun. */
void job_hook_restarted(struct cluster *c, const struct job *j);
/* Ends COMPLETING once the last node has released j and EpilogSlurmctld has ended. */
void job_check_done(struct cluster *c, struct job *j, usec_t now);
#define STATUS_PROLOG_FAILED 54 /* Slurm's ExitCode 0:54 */
/* Drains n, whose Prolog failed; requeues j, held by default, or ends j. */
void job_prolog_failed(struct cluster *c, struct job *j, struct node *n, const char *error,
                usec_t now);
/* job_gone() for any job that slumberd's JobGone names: a known job, an earlier incarnation, or a
   job forgotten long ago. */
void node_job_gone(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts,
                const struct node_fault *fault, usec_t now);
/* Handles the loss of n, or of j on n: j is requeued, ended or (--no-kill) goes on without n. */
void job_node_failed(struct cluster *c, struct job *j, struct node *n, usec_t now);
/* --no-kill: j has lost n and shrinks as soon as no step uses n any more (updates/resize.h). */
void job_goes_on_without(struct cluster *c, struct job *j, struct node *n);
/* Asks n's slumberd to end a job, or an incarnation of a job, without a place on n. epilog: the job
   had a place until now, so the epilog runs even if nothing of the job did. */
void node_end_stray(struct cluster *c, struct node *n, uint32_t id, uint32_t restarts, bool epilog,
                usec_t now);
/* Asks jn's slumberd, if connected, to end the local part of the completing j, and sets the
   deadline of the answer unless one is set. */
void job_kill_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
/* Handles the deadline of job_kill_node(). */
void job_kill_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
void strays_due(struct cluster *c, struct node *n, usec_t now);
/* Releases jn's node from j: nothing of j is left there, or the node is given up. */
void job_let_go(struct cluster *c, struct job *j, struct job_node *jn, usec_t now);
struct found_job { /* a job that a registering slumberd reports */
        uint32_t id, restarts;
        bool frozen, terminating, lost;
        bool script;      /* batch script runs there, or has ended unreported */
        bool extern_step; /* extern step runs there */
        bool owes;        /* prolog ran there, epilog perhaps not yet */
};
void jobs_reconcile(struct cluster *c, struct node *n, const struct found_job *found,
                size_t n_found, usec_t now);

/* Steps: nodes are positions in j->placed.alloc; s is borrowed from j. job_step_node_ended()
   returns true when the step's last node has ended; use NULL: not known. */
struct step *job_step_started(struct cluster *c, struct job *j, uint32_t id,
                const struct bitset *nodes, usec_t now);
bool job_step_node_ended(struct cluster *c, struct job *j, struct step *s, struct node *n,
                uint32_t status, const struct step_use *use, usec_t now);

/* Handles nodes whose answer to a freeze, a thaw or the job's end is late, or that are due to be
   asked again. */
void job_answers_due(struct cluster *c, struct job *j, usec_t now);
/* Sets the time by which jn's node must have answered, or is asked again. */
void job_set_due(struct cluster *c, struct job *j, struct job_node *jn, usec_t at);
/* Gives answers that were expected before a restart of slumberctld a new deadline. */
void job_restarted(struct cluster *c, struct job *j, usec_t now);

/* Added to the time limit of slumberd for a freeze or a kill, for the way there and back. */
#define ANSWER_MARGIN (10 * USEC_PER_SEC)

/* The srun that holds j, or has started s, is disconnected but may be alive. srun has SlurmdTimeout
   to come back, like slumberd; the holder of j has InactiveLimit, if set. Afterwards j is
   cancelled, and s is given up (FX_STEP_ORPHANED). A returning command resets orphan_due to 0. */
void job_holder_lost(struct cluster *c, struct job *j, usec_t now);
/* InactiveLimit: returns whether to ask the command holding j now for a sign of life. Called
   periodically; ends j (TIMEOUT) after a silence of that length. */
bool job_holder_ask(struct cluster *c, struct job *j, usec_t now);
void job_holder_answered(struct job *j);
void job_step_holder_lost(struct cluster *c, struct job *j, struct step *s, usec_t now);
void job_step_orphans_due(struct cluster *c, struct job *j, usec_t now);

void job_set_reason(struct cluster *c, struct job *j, enum job_reason reason, const char *text);
