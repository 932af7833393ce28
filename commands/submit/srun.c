/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * srun: tasks on nodes, their streams at this end.  Outside an allocation it asks for one, which
 * ends with it; inside (SLURM_JOB_ID, --jobid) it asks for a step only.
 *
 * One connection carries everything; the phases follow each other as its messages say (enum
 * srun_phase), and nothing polls: a job that must wait for resources, and a step that must wait for
 * other steps or booting nodes, are answered when they can start.  run() is the loop: the
 * connection, standard input, signals, and the nearest of three times (say that the job waits; the
 * second Ctrl-C; give a killed step up).  What it asks for is in srun_ask.c.
 *
 * A connection that breaks (slumberctld or this host's slumberd was restarted) ends nothing: the
 * step goes on, srun tries again, ever more slowly, and asks for its allocation and its step again
 * (lost(), try_again()), known by its token. The controller gives it SlurmdTimeout for that.
 * Streams are made whole by srun_step.c.
 *
 * Invariant: a request is sent only when the answer of the one before has come (srun_send with
 * answered), so one number, awaited, tells which answer is meant.
 */
#include "commands/submit/srun.h"
#include "commands/filter/filter.h"

#include "commands/exitcode.h"
#include "commands/submit/plugins.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/printable.h"

#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/signalfd.h>

#define QUEUE_NOTICE (USEC_PER_SEC / 10) /* an allocation that comes sooner was not queued */
#define STEP_NOTICE  (USEC_PER_SEC / 10) /* nor does a step wait that begins sooner */
#define SECOND_INT   USEC_PER_SEC        /* Ctrl-C twice within this ends the step */
/* a restart is over sooner: the user need not be told */
#define SAY_LOST    USEC_PER_SEC
#define RETRY_FIRST (50 * USEC_PER_MSEC)
#define RETRY_LAST  (2 * USEC_PER_SEC)
#define ANSWER_WAIT                                                                                \
        (10 * USEC_PER_SEC) /* of a daemon that is just starting, before it is asked again */
/* timeout(1) signals its command and its group: two within this are one, later somebody insists */
#define SECOND_TERM (USEC_PER_SEC / 2)
#define ABORT_MORE  (2 * USEC_PER_SEC) /* for a killed step, beyond KillWait */
#define LATE_READ   (2 * USEC_PER_SEC) /* beyond --msg-timeout, to read what is there already */

/* ---- ends ---- */

static void retry_later(struct srun *s);

/* A daemon that stands still must not keep us: it tells the controller that we have gone when it
   goes on. */
static void expect_answer(struct srun *s) {
        if (s->phase != SRUN_DONE && s->w && !s->answer_by)
                s->answer_by = now_monotonic() + ANSWER_WAIT;
}

static void no_answer(struct srun *s) {
        command_error(s->program,
                        "neither the daemon of this host nor the controller answers: not waiting any longer");
        s->failed = true;
        s->phase = SRUN_DONE;
}

void srun_finish(struct srun *s) {
        if (!s->w && s->salloc && s->lost_since && !s->revoked) { /* try_again() comes here */
                s->phase = SRUN_COMPLETE;
                return;
        }
        if (!s->w || !s->own || s->revoked || s->job == 0) {
                s->phase = SRUN_DONE;
                return;
        }
        s->phase = SRUN_COMPLETE;
        s->again = AGAIN_NONE;
        uint32_t status = s->status ? s->status : s->failed ? 1u << 8 : 0;
        if (srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE, status, false, true) < 0)
                retry_later(s);
}

static void give_up(struct srun *s) {
        s->failed = true;
        srun_finish(s);
}

void srun_nodes_silent(struct srun *s, const char *nodes) {
        if (s->salloc || (!s->ends && !s->deadline))
                return;
        command_error(SRUN,
                        "StepId=%u.%s is not waited for any longer: slumberd of %s does not answer",
                        s->job, STEP_WORD(s->step), nodes);
        srun_step_done(s);
        give_up(s);
        expect_answer(s);
}

static usec_t abort_wait(const struct srun *s) {
        return s->kill_wait * USEC_PER_SEC + ABORT_MORE;
}

void srun_end_step(struct srun *s) {
        if (s->deadline)
                return;
        /* its end must come here too */
        s->deadline = now_monotonic() + abort_wait(s) + ANSWER_WAIT;
        (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, 0, true, false);
}

static void act_signal(struct srun *s, uint32_t signal) {
        (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL, signal, true, false);
}

void srun_signal_step(struct srun *s, uint32_t signal) {
        if (s->direct && !s->held)
                srun_send_signal(s, "", step_signals_add(s->signals, signal), signal);
        else
                act_signal(s, signal);
}

static void abort_step(struct srun *s) {
        if (!s->deadline)
                fprintf(stderr,
                                SRUN ": Job step aborted: Waiting up to %u seconds for job step to "
                                     "finish.\n",
                                (unsigned)(abort_wait(s) / USEC_PER_SEC));
        srun_end_step(s);
        expect_answer(s);
}

/* ---- a connection that broke ---- */

static void ask_later(struct srun *s) {
        usec_t now = now_monotonic();

        s->awaited = 0;
        s->again = AGAIN_NONE;
        if (!s->lost_since)
                s->lost_since = now;
        s->launch_by = 0; /* that all have launched it is told once */
        s->backoff = s->backoff ? MIN(s->backoff * 2, RETRY_LAST) : RETRY_FIRST;
        s->retry_at = now + s->backoff / 2 + s->token % (s->backoff / 2); /* not all at once */
}

static void retry_later(struct srun *s) {
        s->w = wire_free(s->w);
        ask_later(s);
}

/* This host's daemon is there, and passes the streams of a step that runs without it. */
static void controller_lost(struct srun *s) {
        if (s->phase == SRUN_RUNNING && s->direct && s->w)
                ask_later(s);
        else
                retry_later(s);
}

static void try_again(struct srun *s) {
        struct fail fail = { 0 };
        int r;

        s->retry_at = now_monotonic() + ANSWER_WAIT;
        if (!s->w && command_connect_now(&s->w, &fail) < 0) {
                retry_later(s);
                return;
        }
        if (s->phase == SRUN_COMPLETE) {
                srun_finish(s);
                return;
        }
        s->again = s->own ? AGAIN_JOB : AGAIN_STEP;
        r = s->own ? srun_ask_job(s) : srun_ask_step(s);
        if (r < 0)
                retry_later(s);
}

static void say_lost(struct srun *s) {
        s->said_lost = true;
        if (s->phase == SRUN_RUNNING && !s->salloc)
                fprintf(stderr,
                                SRUN ": Unable to contact slurm controller: StepId=%u.%s goes on, "
                                     "waiting to "
                                     "attach to it again\n",
                                s->job, STEP_WORD(s->step));
        else
                fprintf(stderr, "%s: Unable to contact slurm controller: waiting for it\n",
                                s->program);
}

static void is_back(struct srun *s) {
        s->again = AGAIN_NONE;
        s->lost_since = s->retry_at = s->backoff = 0;
        s->said_lost = false;
        if (s->salloc)
                return;
        /* that it is to end was perhaps not heard */
        if (s->deadline)
                (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, 0, true, false);
        else if (s->ends && s->direct && s->phase == SRUN_RUNNING)
                act_signal(s, s->ends);
}

void srun_cancel(struct srun *s) {
        (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, 0, false, false);
}

/* Nothing runs yet: our allocation goes, another's stays. */
static void cancel_waiting(struct srun *s) {
        if (!s->w) { /* the controller ends what it does not see come back */
                s->failed = true;
                s->phase = SRUN_DONE;
                return;
        }
        if (s->phase == SRUN_SUBMIT) {
                s->cancel_wanted = true;
                expect_answer(s);
                return;
        }
        s->failed = true;
        if (s->own) {
                if (s->gave_up)
                        ; /* and has said why */
                else if (s->salloc)
                        fprintf(stderr, "%s: Job allocation %u has been revoked.\n%s: Job aborted due to signal\n",
                                        s->program, s->job, s->program);
                else
                        fprintf(stderr,
                                        SRUN ": Job allocation %u has been revoked\n" SRUN
                                             ": Force Terminated JobId=%u\n",
                                        s->job, s->job);
                s->phase = SRUN_COMPLETE;
                if (srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, 0, false, true) == 0)
                        return;
        }
        s->phase = SRUN_DONE;
}

/* ---- what comes in ---- */

static void on_submit_reply(struct srun *s, const Slumber__SubmitReply *reply) {
        command_told(s->program, false, reply->told);
        if (s->o.test_only) {
                if (!s->o.quiet)
                        command_estimate(SRUN, reply);
                s->phase = SRUN_DONE;
                return;
        }
        s->job = reply->job_id;
        s->phase = SRUN_QUEUED;
        if (s->salloc)
                filter_post_submit(&s->o, s->job, STEP_NONE);
        if (!isempty(reply->message))
                fprintf(stderr, "%s: %s\n", s->program, reply->message);
        if (s->cancel_wanted)
                cancel_waiting(s);
        else
                s->queue_notice = now_monotonic() + QUEUE_NOTICE;
        if (s->o.immediate_seconds && !s->give_up_at)
                s->give_up_at = now_monotonic() + s->o.immediate_seconds * USEC_PER_SEC;
}

static void say_queued(struct srun *s) {
        s->queue_notice = 0;
        s->said_queued = true;
        if (s->o.quiet)
                return;
        if (s->salloc)
                fprintf(stderr, "%s: Pending job allocation %u\n", s->program, s->job);
        fprintf(stderr, "%s: job %u queued and waiting for resources\n", s->program, s->job);
}

static void on_allocated(struct srun *s, const Slumber__Allocation *allocation) {
        if (s->phase != SRUN_QUEUED)
                return;
        s->queue_notice = s->give_up_at = 0;
        if (s->said_queued && !s->o.quiet)
                fprintf(stderr, "%s: job %u has been allocated resources\n", s->program, s->job);
        if (s->salloc) {
                salloc_allocated(s, allocation);
                return;
        }
        srun_say_allocated(s, allocation);
        srun_keep_allocation(s, allocation);
        int r = srun_ask_step(s);
        if (r < 0 && s->phase == SRUN_STEP) /* it was the connection */
                retry_later(s);
        else if (r < 0)
                give_up(s);
}

static void on_job_ended(struct srun *s, const Slumber__Job *job) {
        s->revoked = true;
        if (s->salloc) {
                salloc_revoked(s, job);
        } else if (s->phase < SRUN_RUNNING) {
                fprintf(stderr, SRUN ": Job allocation %u has been revoked\n", s->job);
                s->failed = true;
                s->phase = SRUN_DONE;
        } else if (s->phase == SRUN_RUNNING) {
                abort_step(s);
        }
}

static void say_here(struct srun *s) {
        Slumber__PingRequest here = SLUMBER__PING_REQUEST__INIT;

        here.job_id = s->job;
        ENVELOPE(envelope, PING, ping, &here);
        (void)srun_send(s, &envelope, false);
}

/* --msg-timeout, from now on */
static void limit_launch(struct srun *s) {
        s->launch_by = now_monotonic() + s->o.launch_seconds * USEC_PER_SEC;
        s->launch_late = false;
}

static void on_job_notice(struct srun *s, const Slumber__JobNotice *notice) {
        if (notice->job_id != s->job)
                return;
        switch (notice->kind) {
        case SLUMBER__JOB_NOTICE__KIND__ALLOCATED:
        case SLUMBER__JOB_NOTICE__KIND__READY:
                on_allocated(s, notice->allocation);
                if (s->salloc && notice->kind == SLUMBER__JOB_NOTICE__KIND__READY)
                        salloc_ready(s, notice->allocation);
                break;
        case SLUMBER__JOB_NOTICE__KIND__ENDED:
                on_job_ended(s, notice->job);
                break;
        case SLUMBER__JOB_NOTICE__KIND__MESSAGE:
                if (!s->o.quiet)
                        fprintf(stderr, "%s: %s\n", s->program, notice->text);
                break;
        case SLUMBER__JOB_NOTICE__KIND__PING:
                say_here(s);
                break;
        case SLUMBER__JOB_NOTICE__KIND__SUSPENDED: /* nothing is launched meanwhile */
                if (s->launch_by)
                        s->launch_by = USEC_INFINITY;
                break;
        case SLUMBER__JOB_NOTICE__KIND__RESUMED:
                if (s->launch_by)
                        limit_launch(s);
                break;
        case SLUMBER__JOB_NOTICE__KIND__NONE:
        case _SLUMBER__JOB_NOTICE__KIND_IS_INT_SIZE:
                break;
        }
}

static void on_refusal(struct srun *s, const Slumber__Error *error) {
        const char *words;

        switch (s->phase) {
        case SRUN_SUBMIT:
                command_told(s->program, true, error->told);
                words = command_refusal(s->program, error->code, error->text);
                if (s->o.test_only)
                        fprintf(stderr, "allocation failure: %s\n", words);
                else if (s->salloc &&
                                !(s->o.immediate &&
                                                (error->code == SLUMBER_NODES_BUSY ||
                                                                error->code == SLUMBER_NOT_TOP_PRIORITY)))
                        command_error(s->program, "Job submit/allocate failed: %s", words);
                else
                        command_error(s->program, "Unable to allocate resources: %s", words);
                s->job = 0;
                s->not_immediate = s->o.immediate &&
                                   (error->code == SLUMBER_NODES_BUSY ||
                                                   error->code == SLUMBER_NOT_TOP_PRIORITY);
                break;
        case SRUN_STEP:
                if (!s->own && error->code == SLUMBER_BAD_JOB_ID) {
                        command_error(SRUN, "Unable to confirm allocation for job %u: %s", s->job,
                                        slumber_error_text(SLUMBER_BAD_JOB_ID));
                        fprintf(stderr,
                                        SRUN
                                        ": Check SLURM_JOB_ID environment variable. Expired or invalid job %u\n",
                                        s->job);
                        break;
                }
                if (error->code == SLUMBER_BAD_NODE_COUNT && !isempty(error->text))
                        command_error(SRUN, "%s", error->text);
                else
                        command_error(SRUN, "Unable to create step for job %u: %s", s->job,
                                        command_refusal(SRUN, error->code, error->text));
                s->not_immediate = !s->own && s->o.immediate && error->code == SLUMBER_NODES_BUSY;
                break;
        case SRUN_COMPLETE: /* the job has ended meanwhile: all the better */
                s->phase = SRUN_DONE;
                return;
        case SRUN_QUEUED:
        case SRUN_RUNNING:
        case SRUN_DONE:
        case SRUN_PHASE_MAX:
                return;
        }
        give_up(s);
}

/* The step cannot begin yet (power-saving guide, "use of allocations"): said of one in an
   allocation that is there already, of an own one only with -v, as Slurm does. */
static void on_step_waits(struct srun *s, const char *nodes) {
        if (s->again == AGAIN_STEP && s->phase == SRUN_STEP) /* asked once more, it is heard */
                is_back(s);
        if (s->phase != SRUN_STEP || s->said_waits || s->o.quiet || (s->own && !s->o.verbose))
                return;
        free(s->waits_for);
        s->waits_for = xstrdup(nodes);
        s->step_notice = now_monotonic() + STEP_NOTICE;
}

static void say_waits(struct srun *s) {
        s->step_notice = 0;
        s->said_waits = true;
        if (s->own)
                fprintf(stderr, SRUN ": Waiting for resource configuration\n");
        else if (isempty(s->waits_for))
                fprintf(stderr, SRUN ": Job %u step creation temporarily disabled, retrying (%s)\n",
                                s->job, slumber_error_text(SLUMBER_NODES_BUSY));
        else
                fprintf(stderr,
                                SRUN
                                ": Job %u step creation temporarily disabled, retrying (Waiting for nodes to boot: %s)\n",
                                s->job, s->waits_for);
}

static void say_begins(struct srun *s, const Slumber__StepReply *reply) {
        s->step_notice = s->give_up_at = 0;
        if (!s->said_waits)
                return;
        if (s->own)
                fprintf(stderr, SRUN ": Nodes %s are ready for job\n", reply->nodes);
        else
                fprintf(stderr, SRUN ": Step created for StepId=%u.%s\n", s->job,
                                STEP_WORD(reply->step_id));
}

static int tell_plugins(struct srun *s) {
        struct fail fail = { 0 };

        filter_post_submit(&s->o, s->job, s->step);
        command_view.job = s->job;
        command_view.step = s->step;
        command_view.has_step = true;
        command_view.nodes = (uint32_t)hostlist_count(s->nodes);
        command_view.tasks = s->num_tasks;
        int r = command_plugins ? command_plugins->step_begins(&fail) : 0;
        if (r < 0)
                command_error(SRUN, "%s", fail.text);
        s->refused = r < 0;
        return r;
}

/* --prolog, for a controller that does not know it: the step runs already. */
static bool is_not_held(const struct srun *s, const Slumber__StepReply *reply) {
        const char *own = s->o.srun_prolog;
        bool ignored = !reply->held && !isempty(own) && !streq(own, "none");

        if (ignored)
                command_error(SRUN, "slumberctld is of an earlier version and does not know "
                                    "--prolog. Aborting step.");
        return ignored;
}

/* Its nodes are told now. */
static void launch_begins(struct srun *s) {
        if (s->o.launch_seconds)
                limit_launch(s);
        srun_pty_begin(s);
}

static void on_step_reply(struct srun *s, const Slumber__StepReply *reply) {
        say_begins(s, reply);
        s->phase = SRUN_RUNNING;
        s->kill_wait = reply->kill_wait;
        s->kill_on_bad_exit = reply->kill_on_bad_exit;
        free_and_strdup(&s->epilog, reply->srun_epilog);
        if (!s->o.wait_said)
                s->o.wait_seconds = reply->wait;
        if (srun_step_begin(s, reply) < 0 || tell_plugins(s) < 0 || is_not_held(s, reply)) {
                s->failed = true;
                srun_end_step(s);
        } else if (reply->held) {
                srun_prolog_begin(s, reply);
        } else {
                launch_begins(s);
        }
}

void srun_go(struct srun *s) {
        if (!s->w || s->lost_since || s->awaited) /* it is asked again, with that */
                return;
        s->again = AGAIN_STEP;
        if (srun_ask_step(s) < 0)
                retry_later(s);
}

/* The allocation is ours again: on with what was asked of it. */
static void on_job_again(struct srun *s, const Slumber__SubmitReply *reply) {
        s->again = AGAIN_NONE;
        if (s->phase <= SRUN_QUEUED) {
                is_back(s);
                if (s->phase == SRUN_SUBMIT)
                        on_submit_reply(s, reply);
                if (reply->started)
                        on_allocated(s, reply->allocation);
        } else if (s->salloc) {
                is_back(s);
                if (reply->allocation && reply->allocation->ready)
                        salloc_ready(s, reply->allocation);
        } else {
                s->again = AGAIN_STEP;
                if (srun_ask_step(s) < 0)
                        retry_later(s);
        }
}

static void on_step_again(struct srun *s, const Slumber__StepReply *reply) {
        bool lost = s->lost_since;

        is_back(s);
        if (s->phase == SRUN_STEP)
                on_step_reply(s, reply);
        else if (reply->held && s->go) /* the prolog has ended since it was asked */
                srun_go(s);
        else if (s->held && s->go) { /* it is being launched: now its input may be sent */
                s->held = false;
                launch_begins(s);
                srun_viewers_room(s);
        }
        if (lost)
                s->launch_by = 0;
}

/* Is it worth to ask again?  At the beginning only when the controller may have heard us. */
static bool is_lost(const struct srun *s, const Slumber__Error *error) {
        return error->code == SLUMBER_CONTROLLER_LOST ||
               (error->code == SLUMBER_CONTROLLER_AWAY &&
                               (s->again != AGAIN_NONE || s->phase != SRUN_SUBMIT));
}

static void on_refused_again(struct srun *s, const Slumber__Error *error) {
        if (is_lost(s, error)) {
                controller_lost(s);
        } else if (s->again == AGAIN_STEP && s->phase == SRUN_STEP) {
                s->again = AGAIN_NONE;
                on_refusal(s, error);
        } else if (s->salloc && error->code == SLUMBER_JOB_ENDED) { /* meanwhile */
                is_back(s);
                on_job_ended(s, NULL);
        } else {
                command_error(s->program, "Unable to attach to job %u again: %s", s->job,
                                command_refusal(s->program, error->code, error->text));
                s->failed = true;
                s->revoked = s->again == AGAIN_JOB;
                s->again = AGAIN_NONE;
                srun_finish(s);
        }
}

static void on_answer_again(struct srun *s, const Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                on_refused_again(s, env->error);
        else if (s->again == AGAIN_JOB && env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_REPLY)
                on_job_again(s, env->submit_reply);
        else if (s->again == AGAIN_STEP && env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY)
                on_step_again(s, env->step_reply);
}

static void on_answer(struct srun *s, const Envelope *env) {
        s->awaited = 0;
        if (s->again != AGAIN_NONE)
                on_answer_again(s, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && is_lost(s, env->error))
                controller_lost(s);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                on_refusal(s, env->error);
        else if (s->phase == SRUN_SUBMIT && env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_REPLY)
                on_submit_reply(s, env->submit_reply);
        else if (s->phase == SRUN_STEP && env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY)
                on_step_reply(s, env->step_reply);
        else if (s->phase == SRUN_COMPLETE)
                s->phase = SRUN_DONE;
}

static void on_message(struct srun *s, const Envelope *env) {
        if (env->reply_to && env->reply_to == s->awaited)
                on_answer(s, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && env->reply_to == 0 &&
                        env->error->code == SLUMBER_CONTROLLER_AWAY)
                controller_lost(s);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && env->reply_to == 0 &&
                        env->error->code == SLUMBER_STORE_FULL && s->awaited)
                printable_fprintf(stderr, "%s: %s; still waiting\n", s->program, env->error->text);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_JOB_NOTICE)
                on_job_notice(s, env->job_notice);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                srun_step_io(s, env->step_io);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW)
                srun_viewer_input(s, env->view);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE &&
                        env->step_notice->kind == SLUMBER__STEP_NOTICE__KIND__WAITS)
                on_step_waits(s, env->step_notice->text);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE)
                srun_step_notice(s, env->step_notice);
        if (s->phase == SRUN_COMPLETE && s->awaited == 0 &&
                        s->w) { /* the step's end came just now */
                srun_step_done(s);
                srun_finish(s);
        }
}

/* ---- signals and times ---- */

static void on_interrupt(struct srun *s) {
        usec_t now = now_monotonic();

        if (s->phase < SRUN_RUNNING) {
                cancel_waiting(s);
        } else if (s->phase > SRUN_RUNNING) {
                s->phase = SRUN_DONE; /* the daemons see that we are gone */
        } else if (s->o.disable_status) {
                srun_signal_step(s, SIGINT);
        } else if (s->o.quit_on_interrupt ||
                        (s->interrupted && now - s->interrupted <= SECOND_INT)) {
                fprintf(stderr, SRUN ": sending Ctrl-C to StepId=%u.%s\n", s->job,
                                STEP_WORD(s->step));
                if (!s->w)
                        cancel_waiting(s);
                else
                        abort_step(s);
        } else {
                fprintf(stderr, SRUN ": interrupt (one more within 1 sec to abort)\n");
                srun_print_status(s);
        }
        s->interrupted = now;
}

static void pass_on(struct srun *s, uint32_t signal) {
        bool ends = !s->salloc && (signal == SIGTERM || signal == SIGQUIT || signal == SIGHUP);

        if (ends && s->o.debugger_test) { /* tasks that stand still would not heed it */
                abort_step(s);
                return;
        }
        srun_signal_step(s, signal);
        if (!ends)
                return;
        if (s->direct) /* the controller says which nodes are silent */
                act_signal(s, signal);
        s->ends = signal;
        expect_answer(s);
}

/* What was asked last has no answer yet. */
static bool asked_just_now(const struct srun *s) {
        return s->answer_by && now_monotonic() + ANSWER_WAIT < s->answer_by + SECOND_TERM;
}

/* SIGTERM behind SIGHUP or SIGQUIT, as at the end of a session: tasks may not heed those. */
static bool comes_behind(const struct srun *s, uint32_t signal) {
        return signal == SIGTERM && asked_just_now(s) && s->phase == SRUN_RUNNING && s->w &&
               !s->deadline && s->ends && s->ends != SIGTERM;
}

bool srun_signal_ends(int signal) {
        return signal == SIGINT || signal == SIGTERM || signal == SIGQUIT || signal == SIGHUP;
}

static void on_signal(struct srun *s) {
        struct signalfd_siginfo info;

        if (read(s->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
                return;
        if (s->salloc && salloc_signal(s, (int)info.ssi_signo))
                return;
        if (info.ssi_signo == SIGWINCH) {
                srun_pty_resized(s, "");
                return;
        }
        if (s->hook > 0 && srun_signal_ends((int)info.ssi_signo)) {
                srun_hook_signal(s);
                return;
        }
        if (comes_behind(s, info.ssi_signo)) {
                pass_on(s, SIGTERM);
                return;
        }
        if (info.ssi_signo == SIGTERM && asked_just_now(s))
                return;
        if (s->answer_by && (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM))
                no_answer(s);
        else if (info.ssi_signo == SIGINT && !s->salloc)
                on_interrupt(s);
        else if (s->phase < SRUN_RUNNING || !s->w)
                cancel_waiting(s);
        else
                pass_on(s, info.ssi_signo);
}

/* --wait: the others are not waited for any longer. */
static void waited_enough(struct srun *s) {
        s->wait_until = 0;
        fprintf(stderr, SRUN ": First task exited %us ago\n", s->o.wait_seconds);
        srun_print_status(s);
        fprintf(stderr, SRUN ": Terminating StepId=%u.%s\n", s->job, STEP_WORD(s->step));
        abort_step(s);
}

/* --msg-timeout */
static void launch_is_late(struct srun *s) {
        s->launch_by = 0;
        command_error(SRUN,
                        "timeout waiting for task launch: not all nodes have launched StepId=%u.%s "
                        "within %u s (--msg-timeout)",
                        s->job, STEP_WORD(s->step), s->o.launch_seconds);
        s->failed = true;
        abort_step(s);
}

/* --immediate=SECONDS */
static void waited_in_vain(struct srun *s) {
        s->give_up_at = 0;
        if (s->phase > SRUN_STEP)
                return;
        if (s->phase == SRUN_STEP)
                command_error(SRUN, "Unable to create step for job %u: %s", s->job,
                                slumber_error_text(SLUMBER_NODES_BUSY));
        else
                command_error(s->program, "Unable to allocate resources: %s",
                                slumber_error_text(SLUMBER_NODES_BUSY));
        s->gave_up = s->not_immediate = true;
        cancel_waiting(s);
}

/* Where srun stood still itself, what it has not read yet may say that all have launched it: that
   is read first, for a while, as tasks may write without end. */
static bool reads_first(struct srun *s, usec_t now) {
        struct pollfd fd = { .fd = s->w ? wire_fd(s->w) : -1, .events = POLLIN };

        if (s->launch_late || !s->w || (!wire_buffered(s->w) && poll(&fd, 1, 0) == 0))
                return false;
        s->launch_late = true;
        s->launch_by = now + LATE_READ;
        return true;
}

static void on_time(struct srun *s) {
        usec_t now = now_monotonic();

        if (s->queue_notice && now >= s->queue_notice)
                say_queued(s);
        if (s->step_notice && now >= s->step_notice && s->phase == SRUN_STEP)
                say_waits(s);
        if (s->give_up_at && now >= s->give_up_at)
                waited_in_vain(s);
        if (s->answer_by && now >= s->answer_by && s->phase != SRUN_DONE)
                no_answer(s);
        if (s->wait_until && now >= s->wait_until && s->phase == SRUN_RUNNING)
                waited_enough(s);
        if (s->launch_by && now >= s->launch_by && s->phase == SRUN_RUNNING && !reads_first(s, now))
                launch_is_late(s);
        if (s->salloc)
                salloc_time(s);
        if (s->lost_since && !s->said_lost && now >= s->lost_since + SAY_LOST)
                say_lost(s);
        if (s->lost_since && now >= s->retry_at) {
                if (s->again != AGAIN_NONE || (s->w && s->phase != SRUN_RUNNING))
                        /* it does not answer */
                        controller_lost(s);
                else
                        try_again(s);
        }
        if (s->deadline && now >= s->deadline && s->phase == SRUN_RUNNING && !s->salloc) {
                command_error(SRUN, "Timed out waiting for job step to complete");
                srun_step_done(s);
                give_up(s);
                expect_answer(s);
        }
}

/* Milliseconds until on_time() has something to do, for poll. */
static int nearest(const struct srun *s) {
        usec_t when = s->queue_notice ? s->queue_notice : USEC_INFINITY, now = now_monotonic();

        if (s->step_notice && s->phase == SRUN_STEP)
                when = MIN(when, s->step_notice);
        if (s->deadline && s->phase == SRUN_RUNNING)
                when = MIN(when, s->deadline);
        if (s->answer_by)
                when = MIN(when, s->answer_by);
        if (s->give_up_at)
                when = MIN(when, s->give_up_at);
        if (s->wait_until && s->phase == SRUN_RUNNING)
                when = MIN(when, s->wait_until);
        if (s->launch_by && s->phase == SRUN_RUNNING)
                when = MIN(when, s->launch_by);
        if (s->lost_since)
                when = MIN(when, s->retry_at);
        if (s->lost_since && !s->said_lost)
                when = MIN(when, s->lost_since + SAY_LOST);
        if (s->salloc)
                when = MIN(when, salloc_deadline(s));
        if (when == USEC_INFINITY)
                return -1;
        return when <= now ? 0 : (int)((when - now) / USEC_PER_MSEC + 1);
}

static void receive(struct srun *s) {
        _cleanup_envelope_ Envelope *env = NULL;
        int r = wire_receive(s->w, USEC_INFINITY, &env);

        s->answer_by = 0;
        if (r == -ECONNRESET || r == -EPIPE) {
                retry_later(s);
        } else if (r < 0) {
                command_error(s->program, "the daemon of this host sends an unreadable message: %s",
                                wire_strerror(r));
                s->failed = true;
                s->phase = SRUN_DONE;
        } else {
                on_message(s, env);
        }
}

void srun_run(struct srun *s) {
        while (s->phase != SRUN_DONE) {
                bool buffered = s->w && wire_buffered(s->w);
                struct pollfd fds[] = {
                        { .fd = s->w ? wire_fd(s->w) : -1, .events = POLLIN },
                        { .fd = s->signal_fd, .events = POLLIN },
                        { .fd = srun_wants_input(s) ? s->input_fd : -1, .events = POLLIN },
                        { .fd = s->hook_fd, .events = POLLIN },
                };

                if (s->w && !buffered && s->phase == SRUN_RUNNING && !s->salloc)
                        srun_tell_taken(s, poll(fds, 1, 0) == 0);
                if (poll(fds, ELEMENTSOF(fds), buffered ? 0 : nearest(s)) < 0 && errno != EINTR)
                        break;
                if (fds[1].revents)
                        on_signal(s);
                if (s->w && (buffered || fds[0].revents) && s->phase != SRUN_DONE)
                        receive(s);
                if (fds[2].revents && srun_wants_input(s))
                        srun_read_input(s);
                if (fds[3].revents)
                        srun_prolog_over(s);
                on_time(s);
        }
}

/* ---- the beginning ---- */

static int open_signals(bool children, bool window) {
        static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2,
                SIGALRM };
        sigset_t set;

        signal(SIGPIPE, SIG_IGN);
        sigemptyset(&set);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                sigaddset(&set, signals[i]);
        if (children)
                sigaddset(&set, SIGCHLD);
        if (window)
                sigaddset(&set, SIGWINCH);
        if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
                return -errno;
        int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        return fd < 0 ? -errno : fd;
}

int srun_begin(struct srun *s) {
        _cleanup_free_ char *cluster = NULL;
        struct fail fail = { 0 };

        if (command_cluster(s->program, s->o.clusters, &cluster) < 0)
                return -ENOENT;
        int r = command_connect(&s->w, &fail); /* signals end it yet */
        if (r >= 0) {
                r = s->signal_fd = open_signals(s->salloc, s->o.pty);
                if (r < 0)
                        fail_set(&fail, r, "%s", strerror(-r));
        }
        if (r < 0) {
                command_error(s->program, "Unable to allocate resources: %s", fail.text);
                return -ENOTCONN;
        }
        if (getrandom(&s->token, sizeof s->token, 0) != (ssize_t)sizeof s->token)
                s->token = (uint64_t)getpid() << 32 ^ now_realtime();
        s->job = s->o.job_id;
        s->own = s->job == 0;
        if (!s->own && s->o.task_licenses) {
                command_error(s->program,
                                "license/ in --tres-per-task: a step has no licenses of its own, only its job's");
                return -EINVAL;
        }
        s->phase = SRUN_PHASE_MAX;
        if (!s->own)
                srun_say_allocated(s, NULL);
        r = s->own ? srun_ask_job(s) : srun_ask_step(s);
        if (r >= 0 || s->phase == SRUN_PHASE_MAX)
                return r;
        retry_later(s); /* the daemon went as we came */
        return 0;
}

int srun_failure(const struct srun *s) {
        return s->not_immediate ? command_exit_immediate() : command_exit_error();
}

static int exit_code(const struct srun *s) {
        int code = exit_code_of(s->status);

        if (s->no_files || s->refused)
                return command_exit_error();
        if ((s->status & 0x7f) == SIGKILL || (s->status & 0x7f) == SIGTERM)
                fprintf(stderr, SRUN ": Force Terminated StepId=%u.%s\n", s->job,
                                STEP_WORD(s->step));
        return code ? code : s->failed ? srun_failure(s) : EXIT_SUCCESS;
}

void srun_free(struct srun *s) {
        for (int k = 1; k < 3; k++) {
                step_output_free(s->output[k]);
                if (s->output_fd[k] >= 0)
                        close(s->output_fd[k]);
        }
        if (s->input_fd > STDIN_FILENO)
                close(s->input_fd);
        if (s->signal_fd >= 0)
                close(s->signal_fd);
        step_input_free(s->input);
        step_signals_free(s->signals);
        srun_viewers_done(s);
        environment_free(s->job_env);
        free(s->epilog);
        hostlist_free(s->nodes);
        wire_free(s->w);
        free(s->tasks_left);
        free(s->ended);
        free(s->node_of);
        free(s->first_of);
        free(s->next_of);
        for (uint32_t i = 0; s->processes && i < s->num_tasks; i++)
                free(s->processes[i].executable);
        free(s->processes);
        free(s->out_file);
        free(s->err_file);
        free(s->multi_prog);
        free(s->submit_line);
        free(s->waits_for);
}

int srun_main(int argc, char **argv) {
        _cleanup_(srun_free) struct srun s = {
                .program = SRUN,
                .output_fd = { [0 ... 2] = -1 },
                .signal_fd = -1,
                .input_fd = -1,
                .hook_fd = -1,
                .failure = command_exit_error(),
        };
        struct fail fail = { 0 };
        s.submit_line = command_line_text(argc, argv);
        int r = srun_read_options(&s, argc, argv, &fail);

        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0) {
                if (fail.text[0])
                        command_error(SRUN, "%s", fail.text);
                return s.failure;
        }
        if (s.o.verbose)
                options_say(job_options_table(JOB_SRUN), stderr);
        if (fail.text[0] && !s.o.quiet)
                fprintf(stderr, SRUN ": %s\n", fail.text);
        if (srun_begin(&s) < 0)
                return s.failure;
        srun_run(&s);
        srun_pty_end(&s);
        srun_hook_leave(&s);
        srun_epilog(&s);
        return exit_code(&s);
}
