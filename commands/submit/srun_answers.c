/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for srun and salloc from the controller or this host's daemon: replies, also to requests
 * repeated over a new connection, and notices of the job and the step. */
#include "commands/filter/filter.h"
#include "commands/submit/plugins.h"
#include "commands/submit/srun.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/printable.h"

#define QUEUE_NOTICE (USEC_PER_SEC / 10) /* no message if the allocation comes sooner */
#define STEP_NOTICE  (USEC_PER_SEC / 10) /* no message if the step starts sooner */

static void on_submit_reply(struct srun *s, const Slumber__SubmitReply *reply) {
        command_told(s->program, false, reply->told);
        if (s->o.test_only) {
                if (!s->o.quiet)
                        command_estimate(SRUN, reply, NULL);
                s->phase = SRUN_DONE;
                return;
        }
        s->job = reply->job_id;
        s->phase = SRUN_QUEUED;
        if (s->salloc)
                srun_tell_filter(s, STEP_NONE);
        if (!isempty(reply->message))
                fprintf(stderr, "%s: %s\n", s->program, reply->message);
        if (s->cancel_wanted)
                srun_cancel_waiting(s);
        else
                s->queue_notice = srun_now(s) + QUEUE_NOTICE;
        if (s->o.immediate_seconds && !s->give_up_at)
                s->give_up_at = srun_now(s) + s->o.immediate_seconds * USEC_PER_SEC;
}

static void take_allocation(struct srun *s, const Slumber__Allocation *allocation) {
        s->queue_notice = s->give_up_at = 0;
        if (s->n_later && !s->said_queued) /* Slurm prints the line for each heterogeneous job */
                srun_say_queued(s);
        if (s->said_queued && !s->o.quiet)
                fprintf(stderr, "%s: job %u has been allocated resources\n", s->program, s->job);
        if (s->salloc)
                return;
        srun_say_allocated(s, allocation);
        srun_keep_allocation(s, allocation);
}

/* again: the step requested with the allocation may exist. */
static void on_allocated(struct srun *s, const Slumber__Allocation *allocation, bool again) {
        if (s->phase != SRUN_QUEUED)
                return;
        take_allocation(s, allocation);
        if (s->salloc) {
                salloc_allocated(s, allocation);
                return;
        }
        s->again = again ? AGAIN_STEP : AGAIN_NONE;
        int r = srun_ask_step(s);
        if (r < 0 && s->phase == SRUN_STEP) /* the connection broke */
                srun_retry_later(s);
        else if (r < 0)
                srun_give_up(s);
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
                srun_abort_step(s);
        }
}

static void ping_answer(struct srun *s) {
        Slumber__PingRequest here = SLUMBER__PING_REQUEST__INIT;

        here.job_id = s->job;
        ENVELOPE(envelope, PING, ping, &here);
        (void)srun_send(s, &envelope, false);
}

void srun_limit_launch(struct srun *s) {
        s->launch_by = srun_now(s) + s->o.launch_seconds * USEC_PER_SEC;
        s->launch_late = false;
}

static void on_job_notice(struct srun *s, const Slumber__JobNotice *notice) {
        if (notice->job_id != s->job)
                return;
        switch (notice->kind) {
        case SLUMBER__JOB_NOTICE__KIND__ALLOCATED:
        case SLUMBER__JOB_NOTICE__KIND__READY:
                on_allocated(s, notice->allocation, false);
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
                ping_answer(s);
                break;
        case SLUMBER__JOB_NOTICE__KIND__SUSPENDED:
                srun_job_stopped(s);
                break;
        case SLUMBER__JOB_NOTICE__KIND__RESUMED:
                srun_job_goes_on(s);
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
                s->not_immediate = !s->own && s->o.immediate &&
                                   (error->code == SLUMBER_NODES_BUSY ||
                                                   error->code == SLUMBER_PORTS_BUSY);
                break;
        case SRUN_COMPLETE: /* the job has already ended */
                s->phase = SRUN_DONE;
                return;
        case SRUN_QUEUED:
        case SRUN_RUNNING:
        case SRUN_DONE:
        case SRUN_PHASE_MAX:
                return;
        }
        srun_give_up(s);
}

/* The step cannot start yet. As in Slurm, srun prints a message only in an existing allocation,
   or with -v (Power Saving Guide, "Use of Allocations"). */
static void on_step_waits(struct srun *s, const Slumber__StepNotice *notice) {
        if (s->again == AGAIN_STEP && s->phase == SRUN_STEP) /* the repeated request was received */
                srun_is_back(s);
        s->waits_for_ports = notice->exit_code == SLUMBER_PORTS_BUSY;
        s->place = notice->place;
        if (s->phase != SRUN_STEP || s->said_waits || s->o.quiet || (s->own && !s->o.verbose))
                return;
        free(s->waits_for);
        s->waits_for = xstrdup(notice->text);
        s->step_notice = srun_now(s) + STEP_NOTICE;
}

static void say_begins(struct srun *s, const Slumber__StepReply *reply) {
        s->step_notice = s->give_up_at = 0;
        if (!s->said_waits)
                return;
        if (s->own && !s->waits_for_ports)
                fprintf(stderr, SRUN ": Nodes %s are ready for job\n", reply->nodes);
        else
                fprintf(stderr, SRUN ": Step created for StepId=%u.%s\n", s->job,
                                STEP_WORD(reply->step_id));
}

static int step_plugins_call(struct srun *s) {
        struct fail fail = { 0 };

        srun_tell_filter(s, s->step);
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

/* Returns whether a controller that does not know --prolog has already launched the step. */
static bool is_not_held(const struct srun *s, const Slumber__StepReply *reply) {
        const char *own = s->o.srun_prolog;
        bool ignored = !reply->held && !isempty(own) && !streq(own, "none");

        if (ignored)
                command_error(SRUN, "slumberctld is of an earlier version and does not know "
                                    "--prolog. Aborting step.");
        return ignored;
}

/* The nodes get the launch now. */
static void launch_begins(struct srun *s) {
        if (s->o.launch_seconds)
                srun_limit_launch(s);
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
        if (srun_step_begin(s, reply) < 0 || step_plugins_call(s) < 0 || is_not_held(s, reply)) {
                s->failed = true;
                srun_end_step(s);
        } else if (reply->held) {
                srun_prolog_begin(s, reply);
        } else {
                launch_begins(s);
        }
}

void srun_go(struct srun *s) {
        if (!s->w || s->lost_since || s->awaited) /* the repeated request has go, too */
                return;
        s->again = AGAIN_STEP;
        if (srun_ask_step(s) < 0)
                srun_retry_later(s);
}

/* The step requested with the allocation has started together with it. */
static void on_first_step(struct srun *s, const Slumber__StepReply *reply) {
        take_allocation(s, reply->allocation);
        s->phase = SRUN_STEP;
        if (srun_open_files(s, false) < 0) {
                srun_cancel_waiting(s);
                return;
        }
        on_step_reply(s, reply);
}

/* The controller has recognized the allocation: continues with the requests after it. */
static void on_job_again(struct srun *s, const Slumber__SubmitReply *reply) {
        s->again = AGAIN_NONE;
        s->job_due = false;
        if (s->phase <= SRUN_QUEUED) {
                srun_is_back(s);
                if (s->phase == SRUN_SUBMIT)
                        on_submit_reply(s, reply);
                if (reply->started)
                        on_allocated(s, reply->allocation, s->step_asked);
        } else if (s->salloc) {
                srun_is_back(s);
                if (reply->allocation && reply->allocation->ready)
                        salloc_ready(s, reply->allocation);
        } else {
                s->again = AGAIN_STEP;
                if (srun_ask_step(s) < 0)
                        srun_retry_later(s);
        }
}

static void on_step_again(struct srun *s, const Slumber__StepReply *reply) {
        bool lost = s->lost_since;

        if (s->job_due)
                srun_step_is_back(s, reply->held);
        else
                srun_is_back(s);
        if (s->phase == SRUN_STEP)
                on_step_reply(s, reply);
        else if (reply->held && s->go) /* the prolog has ended since the request */
                srun_go(s);
        else if (s->held && s->go) { /* the step is being launched: input may be sent from now on */
                s->held = false;
                launch_begins(s);
                srun_viewers_room(s);
        }
        if (lost)
                s->launch_by = 0;
}

/* Returns whether the request should be repeated. At the start only if the controller may have
   received the request. */
static bool is_lost(const struct srun *s, const Slumber__Error *error) {
        return error->code == SLUMBER_CONTROLLER_LOST ||
               (error->code == SLUMBER_CONTROLLER_AWAY &&
                               (s->again != AGAIN_NONE || s->phase != SRUN_SUBMIT));
}

/* While the allocation waits for the controller, requests the step alone from its maker, which
   would end the step otherwise. */
static bool asks_step_alone(struct srun *s) {
        if (s->again != AGAIN_JOB || s->salloc || s->phase != SRUN_RUNNING || !s->direct ||
                        s->step_back)
                return false;
        s->job_due = true;
        s->again = AGAIN_STEP;
        return srun_ask_step(s) == 0;
}

static void on_refused_again(struct srun *s, const Slumber__Error *error) {
        if (is_lost(s, error)) {
                if (asks_step_alone(s))
                        return;
                srun_controller_lost(s);
        } else if (s->again == AGAIN_STEP && s->phase == SRUN_STEP) {
                s->again = AGAIN_NONE;
                on_refusal(s, error);
        } else if (s->salloc && error->code == SLUMBER_JOB_ENDED) { /* while disconnected */
                srun_is_back(s);
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

static void reply_handle(struct srun *s, const Envelope *env) {
        s->awaited = 0;
        if (s->again != AGAIN_NONE)
                on_answer_again(s, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && is_lost(s, env->error))
                srun_controller_lost(s);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                on_refusal(s, env->error);
        else if (s->phase == SRUN_SUBMIT && env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_REPLY)
                on_submit_reply(s, env->submit_reply);
        else if (s->phase == SRUN_STEP && env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY)
                on_step_reply(s, env->step_reply);
        else if (s->phase == SRUN_COMPLETE)
                s->phase = SRUN_DONE;
}

/* The controller, or the step's maker, is lost. */
static void controller_lost_handle(struct srun *s) {
        s->step_back = false;
        srun_controller_lost(s);
}

static bool says_why_slow(const Slumber__Error *error) {
        return error->code == SLUMBER_STORE_FULL || error->code == SLUMBER_STILL_WAITS;
}

void srun_message(struct srun *s, const Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR &&
                        env->error->code == SLUMBER_CONTROLLER_AWAY)
                free_and_strdup(&s->away, env->error->text);
        if (env->reply_to && env->reply_to == s->awaited)
                reply_handle(s, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && env->reply_to == 0 &&
                        env->error->code == SLUMBER_CONTROLLER_AWAY)
                controller_lost_handle(s);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && env->reply_to == 0 &&
                        says_why_slow(env->error) && s->awaited)
                printable_fprintf(stderr, "%s: %s; still waiting\n", s->program, env->error->text);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_JOB_NOTICE)
                on_job_notice(s, env->job_notice);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                srun_step_io(s, env->step_io);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY &&
                        env->step_reply->allocation && s->phase == SRUN_QUEUED)
                on_first_step(s, env->step_reply);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW)
                srun_viewer_input(s, env->view);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE &&
                        env->step_notice->kind == SLUMBER__STEP_NOTICE__KIND__WAITS)
                on_step_waits(s, env->step_notice);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE)
                srun_step_notice(s, env->step_notice);
        if (s->phase == SRUN_COMPLETE && s->awaited == 0 &&
                        s->w) { /* the step has ended just now */
                srun_step_done(s);
                srun_finish(s);
        }
}
