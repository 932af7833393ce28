/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun runs tasks on nodes and passes their streams. Outside an allocation srun requests one, which
 * ends with srun; inside (SLURM_JOB_ID, --jobid) srun only requests a step.
 *
 * One connection carries all messages, and messages move srun from phase to phase (enum
 * srun_phase). Nothing polls: a job waiting for resources, and a step waiting for other steps or
 * booting nodes, get their reply when they can start. srun_run() is the main loop: it waits for the
 * connection, standard input, signals, and the next of the timers in struct srun (timers_run()).
 * srun_ask.c sends requests, srun_answers.c handles replies and notices.
 *
 * A lost connection (slumberctld or this host's slumberd was restarted) ends nothing: the step
 * keeps running. srun reconnects with growing pauses (srun_retry_later(), connection_retry()) and
 * repeats its requests for the allocation and the step, which the controller recognizes by their
 * token. The controller waits SlurmdTimeout for srun. srun_step.c completes the streams.
 *
 * Invariant: a request is sent only after the previous request was answered (srun_send() with
 * answered), so a single id, awaited, tells which reply is meant. */
#include "commands/submit/srun.h"

#include "commands/exitcode.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/printable.h"

#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/signalfd.h>

#define SECOND_INT USEC_PER_SEC /* a second Ctrl-C within this time ends the step */
/* Time from the SIGINT for the tasks to their SIGKILL */
#define INT_WAIT (USEC_PER_SEC / 4)
/* Restarts are usually over sooner and need no message */
#define SAY_LOST    USEC_PER_SEC
#define RETRY_FIRST (50 * USEC_PER_MSEC)
#define RETRY_LAST  (2 * USEC_PER_SEC)
#define ANSWER_WAIT                                                                                \
        (10 * USEC_PER_SEC) /* time for a starting daemon before the request is repeated anew */
/* timeout(1) signals its command and the command's group: two signals within this time count as
   one */
#define SECOND_TERM (USEC_PER_SEC / 2)
#define ABORT_MORE  (2 * USEC_PER_SEC) /* a killed step gets this time beyond KillWait */
/* While a timer is set, the clock is read at least each LOOK; a gap larger by STALL means that
   srun was stopped */
#define LOOK      USEC_PER_SEC
#define STALL     USEC_PER_SEC
#define LATE_READ (2 * USEC_PER_SEC) /* beyond --msg-timeout, to read messages already received */

/* ---- the clock ---- */

usec_t srun_now(const struct srun *s) {
        return now_monotonic() - s->stood_still;
}

/* Adds the time for which srun was stopped, noticed after a poll() of at most `waited`
   milliseconds; -1: no timer was set. */
static void look_at_clock(struct srun *s, int waited) {
        usec_t now = now_monotonic(), most = (usec_t)MAX(waited, 0) * USEC_PER_MSEC;

        if (waited >= 0 && s->looked_at && now - s->looked_at > most + STALL)
                s->stood_still += now - s->looked_at - most;
        s->looked_at = now;
}

void srun_job_stopped(struct srun *s) {
        if (!s->stopped_at)
                s->stopped_at = srun_now(s);
}

void srun_job_goes_on(struct srun *s) {
        usec_t stood = srun_now(s) - s->stopped_at;

        if (!s->stopped_at)
                return;
        s->stopped_at = 0;
        if (s->wait_until)
                s->wait_until += stood;
        if (s->deadline)
                s->deadline += stood;
        if (s->kill_at)
                s->kill_at += stood;
        if (s->launch_by)
                srun_limit_launch(s);
}

/* ---- ends of step and allocation ---- */

/* Limits the wait for a daemon that is stopped; a resumed daemon tells the controller that srun
   has gone. */
static void expect_answer(struct srun *s) {
        if (s->phase != SRUN_DONE && s->w && !s->answer_by)
                s->answer_by = srun_now(s) + ANSWER_WAIT;
}

static void no_answer(struct srun *s) {
        command_error(s->program,
                        "neither the daemon of this host nor the controller answers: not waiting any longer");
        s->failed = true;
        s->phase = SRUN_DONE;
}

void srun_finish(struct srun *s) {
        /* connection_retry() calls again */
        if (!s->w && s->salloc && s->lost_since && !s->revoked) {
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
                srun_retry_later(s);
}

void srun_give_up(struct srun *s) {
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
        srun_give_up(s);
        expect_answer(s);
}

static usec_t abort_wait(const struct srun *s) {
        return s->kill_wait * USEC_PER_SEC + ABORT_MORE;
}

/* signal: 0, or SIGKILL to skip SIGTERM, even if SIGTERM was sent before. */
static void step_request_end(struct srun *s, uint32_t signal) {
        if (s->deadline && s->end_signal >= signal)
                return;
        s->end_signal = signal;
        s->kill_at = 0;
        /* Time for the message about the end to arrive, too */
        if (!s->deadline)
                s->deadline = srun_now(s) + abort_wait(s) + ANSWER_WAIT;
        (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, signal, true, false);
}

void srun_end_step(struct srun *s) {
        step_request_end(s, 0);
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

static void srun_step_abort(struct srun *s, uint32_t signal) {
        if (!s->deadline)
                fprintf(stderr,
                                SRUN ": Job step aborted: Waiting up to %u seconds for job step to "
                                     "finish.\n",
                                (unsigned)(abort_wait(s) / USEC_PER_SEC));
        step_request_end(s, signal);
        expect_answer(s);
}

void srun_abort_step(struct srun *s) {
        srun_step_abort(s, 0);
}

/* ---- lost connections ---- */

static void requests_postpone(struct srun *s) {
        usec_t now = srun_now(s);

        s->awaited = 0;
        s->again = AGAIN_NONE;
        if (!s->lost_since)
                s->lost_since = now;
        s->launch_by = 0; /* STARTED is notified only once */
        s->backoff = s->backoff ? MIN(s->backoff * 2, RETRY_LAST) : RETRY_FIRST;
        /* Spreads the load of many sruns */
        s->retry_at = now + s->backoff / 2 + s->token % (s->backoff / 2);
}

void srun_retry_later(struct srun *s) {
        s->w = wire_free(s->w);
        s->step_back = false;
        requests_postpone(s);
}

/* This host's daemon is connected and still passes the streams of a running step. */
void srun_controller_lost(struct srun *s) {
        if (s->phase == SRUN_RUNNING && s->direct && s->w)
                requests_postpone(s);
        else
                srun_retry_later(s);
}

static void connection_retry(struct srun *s) {
        struct fail fail = { 0 };
        int r;

        s->retry_at = srun_now(s) + ANSWER_WAIT;
        if (!s->w && command_connect_now(&s->w, &fail) < 0) {
                srun_retry_later(s);
                return;
        }
        if (s->phase == SRUN_COMPLETE) {
                srun_finish(s);
                return;
        }
        s->again = s->own ? AGAIN_JOB : AGAIN_STEP;
        r = s->own ? srun_ask_job(s) : srun_ask_step(s);
        if (r < 0)
                srun_retry_later(s);
}

static void connection_lost_print(struct srun *s) {
        bool other = s->away && !streq(s->away, slumber_error_text(SLUMBER_CONTROLLER_AWAY));

        s->said_lost = true;
        if (s->phase == SRUN_RUNNING && !s->salloc)
                fprintf(stderr,
                                SRUN ": Unable to contact slurm controller: StepId=%u.%s goes on, "
                                     "waiting to "
                                     "attach to it again\n",
                                s->job, STEP_WORD(s->step));
        else
                printable_fprintf(stderr, "%s: %s: waiting for it\n", s->program,
                                other ? s->away : "Unable to contact slurm controller");
}

/* Repeats the request to end the step, which may have been lost. */
static void end_again(struct srun *s) {
        if (s->deadline)
                (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, s->end_signal, true,
                                false);
        else if (s->ends && s->direct && s->phase == SRUN_RUNNING)
                act_signal(s, s->ends);
}

void srun_is_back(struct srun *s) {
        s->again = AGAIN_NONE;
        s->lost_since = s->retry_at = s->backoff = 0;
        s->said_lost = s->job_due = s->step_back = false;
        free(TAKE(s->away));
        if (!s->salloc)
                end_again(s);
}

void srun_step_is_back(struct srun *s, bool held) {
        s->step_back = !held;
        srun_controller_lost(s);
        end_again(s);
}

void srun_cancel(struct srun *s) {
        (void)srun_act(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL, 0, false, false);
}

/* No task runs yet: ends srun's own allocation; another allocation stays. */
void srun_cancel_waiting(struct srun *s) {
        if (!s->w) { /* the controller ends requests whose command does not return */
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
                        ; /* the reason was printed */
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
/* ---- signals and timers ---- */

static void kill_step(struct srun *s) {
        fprintf(stderr, SRUN ": forcing job termination\n");
        srun_step_abort(s, SIGKILL);
}

/* Sends SIGINT to the tasks, and kills them soon after; a second call kills at once. */
static void interrupt_step(struct srun *s) {
        fprintf(stderr, SRUN ": sending Ctrl-C to StepId=%u.%s\n", s->job, STEP_WORD(s->step));
        if (!s->w) {
                srun_cancel_waiting(s);
                return;
        }
        if (s->kill_at || s->deadline) {
                kill_step(s);
                return;
        }
        srun_signal_step(s, SIGINT);
        s->kill_at = srun_now(s) + INT_WAIT;
}

static void on_interrupt(struct srun *s) {
        usec_t now = now_monotonic();

        if (s->phase < SRUN_RUNNING) {
                srun_cancel_waiting(s);
        } else if (s->phase > SRUN_RUNNING) {
                s->phase = SRUN_DONE; /* the daemons notice the end of srun */
        } else if (s->o.disable_status) {
                srun_signal_step(s, SIGINT);
        } else if (s->o.quit_on_interrupt ||
                        (s->interrupted && now - s->interrupted <= SECOND_INT)) {
                interrupt_step(s);
        } else {
                fprintf(stderr, SRUN ": interrupt (one more within 1 sec to abort)\n");
                srun_print_status(s);
        }
        s->interrupted = now;
}

static void signal_pass(struct srun *s, uint32_t signal) {
        bool ends = !s->salloc && (signal == SIGTERM || signal == SIGQUIT || signal == SIGHUP);

        if (ends && s->o.debugger_test) { /* tasks stopped at exec would not handle the signal */
                srun_abort_step(s);
                return;
        }
        srun_signal_step(s, signal);
        if (!ends)
                return;
        if (s->direct) /* the controller reports silent nodes */
                act_signal(s, signal);
        s->ends = signal;
        expect_answer(s);
}

/* Returns whether a request to end was sent a moment ago and is not answered. */
static bool asked_just_now(const struct srun *s) {
        return s->answer_by && srun_now(s) + ANSWER_WAIT < s->answer_by + SECOND_TERM;
}

/* Returns whether SIGTERM follows SIGHUP or SIGQUIT, as at the end of a session; tasks may have
   ignored the first signal. */
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
                signal_pass(s, SIGTERM);
                return;
        }
        if (info.ssi_signo == SIGTERM && asked_just_now(s))
                return;
        if (s->answer_by && (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM))
                no_answer(s);
        else if (info.ssi_signo == SIGINT && !s->salloc)
                on_interrupt(s);
        else if (s->phase < SRUN_RUNNING || !s->w)
                srun_cancel_waiting(s);
        else
                signal_pass(s, info.ssi_signo);
}

/* --wait: kills the remaining tasks. */
static void waited_enough(struct srun *s) {
        s->wait_until = 0;
        fprintf(stderr, SRUN ": First task exited %us ago\n", s->o.wait_seconds);
        srun_print_status(s);
        fprintf(stderr, SRUN ": Terminating StepId=%u.%s\n", s->job, STEP_WORD(s->step));
        srun_step_abort(s, SIGKILL);
}

/* --msg-timeout has expired. */
static void launch_is_late(struct srun *s) {
        s->launch_by = 0;
        command_error(SRUN,
                        "timeout waiting for task launch: not all nodes have launched StepId=%u.%s "
                        "within %u s (--msg-timeout)",
                        s->job, STEP_WORD(s->step), s->o.launch_seconds);
        s->failed = true;
        srun_abort_step(s);
}

static const char *why_step_waits(const struct srun *s) {
        return slumber_error_text(s->waits_for_ports ? SLUMBER_PORTS_BUSY : SLUMBER_NODES_BUSY);
}

/* --immediate=SECONDS has expired. */
static void waited_in_vain(struct srun *s) {
        s->give_up_at = 0;
        if (s->phase > SRUN_STEP)
                return;
        if (s->phase == SRUN_STEP)
                command_error(SRUN, "Unable to create step for job %u: %s", s->job,
                                why_step_waits(s));
        else
                command_error(s->program, "Unable to allocate resources: %s",
                                slumber_error_text(SLUMBER_NODES_BUSY));
        s->gave_up = s->not_immediate = true;
        srun_cancel_waiting(s);
}

/* If srun itself was stopped, a message already received may say that all nodes have launched
   the step: reads first, for a limited time, as tasks may write without end. */
static bool reads_first(struct srun *s, usec_t now) {
        struct pollfd fd = { .fd = s->w ? wire_fd(s->w) : -1, .events = POLLIN };

        if (s->launch_late || !s->w || (!wire_buffered(s->w) && poll(&fd, 1, 0) == 0))
                return false;
        s->launch_late = true;
        s->launch_by = now + LATE_READ;
        return true;
}

void srun_say_queued(struct srun *s) {
        s->queue_notice = 0;
        s->said_queued = true;
        if (s->o.quiet)
                return;
        if (s->salloc)
                fprintf(stderr, "%s: Pending job allocation %u\n", s->program, s->job);
        fprintf(stderr, "%s: job %u queued and waiting for resources\n", s->program, s->job);
}

static void step_waits_print(struct srun *s) {
        s->step_notice = 0;
        s->said_waits = true;
        if (s->own && !s->waits_for_ports)
                fprintf(stderr, SRUN ": Waiting for resource configuration\n");
        else if (isempty(s->waits_for))
                fprintf(stderr, SRUN ": Job %u step creation temporarily disabled, retrying (%s)\n",
                                s->job, why_step_waits(s));
        else
                fprintf(stderr,
                                SRUN
                                ": Job %u step creation temporarily disabled, retrying (Waiting for nodes to boot: %s)\n",
                                s->job, s->waits_for);
}

static void timers_run(struct srun *s) {
        usec_t now = srun_now(s);

        if (s->queue_notice && now >= s->queue_notice)
                srun_say_queued(s);
        if (s->step_notice && now >= s->step_notice && s->phase == SRUN_STEP)
                step_waits_print(s);
        if (s->give_up_at && now >= s->give_up_at)
                waited_in_vain(s);
        if (s->answer_by && now >= s->answer_by && s->phase != SRUN_DONE)
                no_answer(s);
        if (s->wait_until && !s->stopped_at && now >= s->wait_until && s->phase == SRUN_RUNNING)
                waited_enough(s);
        if (s->launch_by && !s->stopped_at && now >= s->launch_by && s->phase == SRUN_RUNNING &&
                        !reads_first(s, now))
                launch_is_late(s);
        if (s->kill_at && !s->stopped_at && now >= s->kill_at && s->phase == SRUN_RUNNING)
                kill_step(s);
        if (s->failures.due && now >= s->failures.due)
                exit_lines_print(&s->failures, SRUN, NULL);
        if (s->salloc)
                salloc_time(s);
        if (s->lost_since && !s->said_lost && now >= s->lost_since + SAY_LOST)
                connection_lost_print(s);
        if (s->lost_since && now >= s->retry_at) {
                if (s->again != AGAIN_NONE || (s->w && s->phase != SRUN_RUNNING))
                        /* no reply */
                        srun_controller_lost(s);
                else
                        connection_retry(s);
        }
        if (s->deadline && !s->stopped_at && now >= s->deadline && s->phase == SRUN_RUNNING &&
                        !s->salloc) {
                command_error(SRUN, "Timed out waiting for job step to complete");
                srun_step_done(s);
                srun_give_up(s);
                expect_answer(s);
        }
}

/* Returns the milliseconds until timers_run() has work, at most LOOK, for poll(); -1: no timer
   is set. */
static int timers_next(const struct srun *s) {
        usec_t when = s->queue_notice ? s->queue_notice : USEC_INFINITY, now = srun_now(s);

        if (s->step_notice && s->phase == SRUN_STEP)
                when = MIN(when, s->step_notice);
        if (s->deadline && !s->stopped_at && s->phase == SRUN_RUNNING)
                when = MIN(when, s->deadline);
        if (s->answer_by)
                when = MIN(when, s->answer_by);
        if (s->give_up_at)
                when = MIN(when, s->give_up_at);
        if (s->wait_until && !s->stopped_at && s->phase == SRUN_RUNNING)
                when = MIN(when, s->wait_until);
        if (s->launch_by && !s->stopped_at && s->phase == SRUN_RUNNING)
                when = MIN(when, s->launch_by);
        if (s->kill_at && !s->stopped_at && s->phase == SRUN_RUNNING)
                when = MIN(when, s->kill_at);
        if (s->failures.due)
                when = MIN(when, s->failures.due);
        if (s->lost_since)
                when = MIN(when, s->retry_at);
        if (s->lost_since && !s->said_lost)
                when = MIN(when, s->lost_since + SAY_LOST);
        if (s->salloc)
                when = MIN(when, salloc_deadline(s));
        if (when == USEC_INFINITY)
                return -1;
        return when <= now ? 0 : (int)(MIN(when - now, LOOK) / USEC_PER_MSEC + 1);
}

static void message_receive(struct srun *s) {
        _cleanup_envelope_ Envelope *env = NULL;
        int r = wire_receive(s->w, USEC_INFINITY, &env);

        s->answer_by = 0;
        if (r == -ECONNRESET || r == -EPIPE) {
                srun_retry_later(s);
        } else if (r < 0) {
                command_error(s->program, "the daemon of this host sends an unreadable message: %s",
                                wire_strerror(r));
                s->failed = true;
                s->phase = SRUN_DONE;
        } else {
                srun_message(s, env);
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
                int wait = buffered ? 0 : timers_next(s);
                if (poll(fds, ELEMENTSOF(fds), wait) < 0 && errno != EINTR)
                        break;
                look_at_clock(s, wait);
                if (fds[1].revents)
                        on_signal(s);
                if (s->w && (buffered || fds[0].revents) && s->phase != SRUN_DONE)
                        message_receive(s);
                if (fds[2].revents && srun_wants_input(s))
                        srun_read_input(s);
                if (fds[3].revents)
                        srun_prolog_over(s);
                timers_run(s);
        }
        exit_lines_print(&s->failures, SRUN, NULL);
}

/* ---- start ---- */

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

static int component_check_cluster(const struct srun *s, const struct job_options *o) {
        _cleanup_free_ char *own = NULL;

        return command_cluster(s->program, o->clusters, &own);
}

/* Checks --clusters of each component. SLURM_CLUSTERS, which may have selected the job's
   cluster, does not concern steps: steps run in the job's cluster. */
static int check_clusters(const struct srun *s) {
        int r = s->o.job_id && !s->o.clusters ? 0 : component_check_cluster(s, &s->o);

        for (size_t i = 0; i < s->n_later && r >= 0; i++)
                r = s->later[i].clusters ? component_check_cluster(s, &s->later[i]) : 0;
        for (size_t i = 1; i < s->n_parts && r >= 0; i++)
                r = s->parts[i].o.clusters ? component_check_cluster(s, &s->parts[i].o) : 0;
        return r;
}

int srun_begin(struct srun *s) {
        struct fail fail = { 0 };

        if (check_clusters(s) < 0)
                return -ENOENT;
        int r = command_connect(&s->w, &fail); /* signals still end srun here */
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
        srun_retry_later(s); /* the daemon went away just now */
        return 0;
}

int srun_failure(const struct srun *s) {
        return s->not_immediate ? command_exit_immediate() : command_exit_error();
}

static int exit_code(const struct srun *s) {
        int code = exit_code_of(s->status);

        if (s->no_files || s->refused)
                return command_exit_error();
        if (!s->o.quiet && ((s->status & 0x7f) == SIGKILL || (s->status & 0x7f) == SIGTERM))
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
        exit_lines_done(&s->failures);
        free(s->later);
        environment_free(s->job_env);
        free(s->epilog);
        free(s->away);
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
        srun_copy_done(&s->copy);
        srun_parts_free(s);
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
        srun_say_options(&s);
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
