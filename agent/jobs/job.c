/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs on the node: a job is frozen, thawed and ended as a whole (semantics: jobs.md 1.3).
 *
 *     running -> (frozen: thaw first) -> asked: SIGCONT, SIGTERM -> KillWait -> killed -> gone
 *
 * A job is gone when the cgroup is empty, each step daemon has reported the step's end, and the
 * epilog has run (hooks.c). JobGone is sent then. The job is forgotten when the controller has
 * acknowledged the ends of all steps, and JobGone if the job has hooks. Processes not dying
 * within UnkillableStepTimeout are reported with JobGone's error and stay watched. */
#include "agent/jobs/job.h"
#include "agent/jobs/containers.h"
#include "agent/jobs/hooks.h"
#include "agent/jobs/launch.h"
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/reclaim.h"
#include "agent/jobs/spare_groups.h"
#include "agent/jobs/steps.h"
#include "agent/machine/veto.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/streams/srun_streams.h"
#include "cgroup/proc.h"
#include "lib/timer.h"

#include <signal.h>

#define KILL_WAIT_MIN (5 * USEC_PER_SEC) /* Slurm's minimum of KillWait */
#define FINISH_AGAIN  (50 * USEC_PER_MSEC)
#define SETTLE_AGAIN  USEC_PER_SEC

static void finish_later(struct job *j);
static void ask_to_end(struct job *j);
static void kill_all(struct job *j);

struct job *job_forget(struct job *j) {
        job_table_remove(j);
        launch_dequeue(j, NULL);
        while (j->steps)
                step_free(j->steps);
        hooks_free(j);
        stepmgr_stop(j);
        reclaim_stop(j);
        sd_event_source_disable_unref(j->timer);
        sd_event_source_disable_unref(j->grace);
        sd_event_source_disable_unref(j->finish);
        sd_event_source_disable_unref(j->again);
        cg_freezer_free(j->freezer);
        cg_free(j->group);
        struct agent *a = j->agent;
        free(j->display);
        free(j->xauthority);
        free(j->x11_fault);
        free(j);
        if (!a->jobs)
                veto_idle(a->veto);
        return NULL;
}

static void send_freeze_result(struct agent *a, uint32_t id, uint64_t serial, bool frozen, int code,
                const char *why, usec_t duration);

/* Called when a step is gone. The cgroup of a terminating job must be seen empty first. */
void job_put(struct job *j) {
        if (!j->steps && job_terminating(j))
                finish_later(j); /* the last step was perhaps never launched */
        if (j->steps || j->queued || j->hooks || j->stepmgr || j->steps_unread ||
                        job_terminating(j))
                return;
        if (j->freeze_asked) /* the job ended before the freeze was answered */
                send_freeze_result(j->agent, j->id, j->serial, false, SLUMBER_JOB_ENDED, "", 0);
        reclaim_answer(j);
        spare_group_put(j);
        job_forget(j);
}

/* ---- freezing ---- */

static void send_freeze_result(struct agent *a, uint32_t id, uint64_t serial, bool frozen, int code,
                const char *why, usec_t duration) {
        Slumber__FreezeResult result = SLUMBER__FREEZE_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        if (code)
                set_error(&error, code, why);
        result.job_id = id;
        result.serial = serial;
        result.frozen = frozen;
        result.error = &error;
        result.duration = duration;
        result.node = a->node;
        ENVELOPE(env, FREEZE_RESULT, freeze_result, &result);
        upstream_send(a, &env);
}

/* Sends SIGCONT to a job that got SIGTSTP and is thawed or about to be thawed: a frozen process
   gets the signal after the thaw. Without a freezer the thaw itself sends SIGCONT. */
static void job_send_sigcont(struct job *j) {
        if (j->told && !streq(cg_kind(j->group), "none"))
                (void)cg_signal(j->group, SIGCONT);
        j->told = false;
}

static void on_frozen(struct cg_freezer *f, const struct cg_freezer_result *result, void *user) {
        struct job *j = user;

        (void)f;
        if (*result->why)
                log_fields(result->error ? LOG_WARNING : LOG_INFO, result->error, j->id,
                                j->agent->node, "Job %u: %s", j->id, result->why);
        if (!result->frozen)
                job_send_sigcont(j);
        stepmgr_set_suspended(j, result->frozen);
        if (j->freeze_asked) {
                j->freeze_asked = false;
                send_freeze_result(j->agent, j->id, j->serial, result->frozen,
                                result->error ? SLUMBER_CANNOT_FREEZE : 0, result->why,
                                result->duration);
        }
        if (j->phase == JOB_PHASE_THAWING)
                ask_to_end(j);
        stepmgr_retry_job(j);
}

static void on_changed(struct cg_freezer *f, void *user) {
        struct job *j = user;

        (void)f;
        if (j->phase >= JOB_PHASE_KILLED && cg_must_poll(j->group))
                (void)cg_kill(j->group);
        finish_later(j);
}

static const struct cg_freezer_ops freezer_ops = { .done = on_frozen, .changed = on_changed };

static int on_grace_over(sd_event_source *source, uint64_t t, void *user);
static int on_phase_over(sd_event_source *source, uint64_t t, void *user);
static int job_on_retry(sd_event_source *source, uint64_t t, void *user);
static int try_finish(sd_event_source *source, void *user);

/* Makes the event sources needed at the job's end now, so that the kernel cannot refuse them
   then. */
static int job_make_sources(struct job *j) {
        int r = timer_new(j->agent->event, USEC_PER_MSEC, on_grace_over, j, &j->grace);

        if (r >= 0)
                r = timer_new(j->agent->event, USEC_PER_MSEC, on_phase_over, j, &j->timer);
        if (r >= 0)
                r = timer_new(j->agent->event, USEC_PER_MSEC, job_on_retry, j, &j->again);
        if (r >= 0)
                r = sd_event_add_defer(j->agent->event, &j->finish, try_finish, j);
        return r < 0 ? r : sd_event_source_set_enabled(j->finish, SD_EVENT_OFF);
}

int job_get(struct agent *a, uint32_t id, uint32_t restarts, uid_t uid, struct job **ret,
                struct fail *fail) {
        struct job *j = job_find_exactly(a, id, restarts);
        struct cg_freezer *freezer = NULL;
        struct cg *group = NULL;

        if (j) {
                *ret = j;
                return 0;
        }
        const struct cg_job job = { .id = id,
                .restarts = restarts,
                .uid = uid,
                .known = !a->adopted,
                .another = job_find(a, id) != NULL };
        group = spare_group_take(a, id, restarts);
        bool spare = group;
        int r = spare ? 0 : cg_system_make_job(a->cgroups, &job, &group, fail);
        if (r < 0)
                return r;
        bool fresh = !spare && cg_is_fresh(group);
        j = xnew0(struct job, 1);
        r = fresh ? cg_freezer_new_thawed(a->event, group, &freezer_ops, j, &freezer)
                  : cg_freezer_new(a->event, group, &freezer_ops, j, &freezer);
        if (r < 0) {
                (void)fail_set(fail, r, "cannot read whether %s is frozen: %s", cg_folder(group),
                                strerror(-r));
                cg_free(group);
                free(j);
                return r;
        }
        *j = (struct job){ .agent = a,
                .id = id,
                .restarts = restarts,
                .uid = uid == CG_NO_USER ? 0 : uid,
                .group = group,
                .freezer = freezer };
        job_table_add(a, j);
        r = job_make_sources(j);
        if (r < 0) {
                job_forget(j);
                return fail_set(fail, r, "cannot watch over job %u: %s", id, strerror(-r));
        }
        *ret = j;
        return 0;
}

static bool all_steps_ended(const struct job *j) {
        for (const struct step *s = j->steps; s; s = s->next)
                if (!s->ended)
                        return false;
        return true;
}

static int on_grace_over(sd_event_source *source, uint64_t t, void *user) {
        struct job *j = user;

        (void)source, (void)t;
        cg_freezer_ask(j->freezer, true, j->agent->freeze_timeout);
        return 0;
}

/* Sends SIGTSTP, and freezes after PreemptParameters=suspend_grace_time. A repeated request does
   not extend the time. */
static void tell_and_freeze(struct job *j) {
        struct agent *a = j->agent;

        if (timer_is_armed(j->grace))
                return;
        if (a->suspend_grace == 0 || cg_freezer_state(j->freezer) != FREEZER_THAWED) {
                cg_freezer_ask(j->freezer, true, a->freeze_timeout);
                return;
        }
        j->told = true;
        (void)cg_signal(j->group, SIGTSTP);
        timer_arm(j->grace, a->suspend_grace);
}

static void job_thaw(struct job *j) {
        timer_disarm(j->grace);
        job_send_sigcont(j);
        cg_freezer_ask(j->freezer, false, j->agent->freeze_timeout);
}

void job_take_back(struct job *j) {
        if (!timer_is_armed(j->grace) && cg_freezer_state(j->freezer) != FREEZER_FREEZING)
                return;
        j->freeze_asked = false;
        job_thaw(j);
}

void jobs_forget_grace(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next) {
                if (j->adopted && a->suspend_grace) {
                        j->told = cg_freezer_is_frozen(j->freezer);
                        if (!j->told)
                                (void)cg_signal(j->group, SIGCONT);
                }
                j->adopted = false;
        }
}

/* Returns true if the job has no process of a step or the prolog. */
static bool has_no_process(const struct job *j) {
        return all_steps_ended(j) && !hooks_prolog_runs(j);
}

bool job_is_frozen(struct job *j) {
        if (has_no_process(j))
                return cg_freezer_is_frozen(j->freezer) || stepmgr_is_suspended(j);
        stepmgr_set_suspended(j, cg_freezer_is_frozen(j->freezer));
        return cg_freezer_is_frozen(j->freezer);
}

void job_freeze(struct agent *a, const Slumber__FreezeJob *m) {
        struct job *j = launch_now(job_find(a, m->job_id));

        remote_steps_drop_job_grants(a, m->job_id);
        bool thawed = !j || cg_freezer_state(j->freezer) == FREEZER_THAWED;
        /* a job without processes reaches any state at once */
        if (!j || (!job_terminating(j) && thawed && has_no_process(j))) {
                if (j)
                        stepmgr_set_suspended(j, m->freeze);
                send_freeze_result(a, m->job_id, m->serial, m->freeze, 0, "", 0);
                return;
        }
        if (job_terminating(j) && m->freeze) {
                send_freeze_result(a, m->job_id, m->serial, false, SLUMBER_JOB_ENDED, "", 0);
                return;
        }
        reclaim_stop(j);
        j->serial = m->serial;
        j->freeze_asked = true;
        if (m->freeze)
                tell_and_freeze(j);
        else
                job_thaw(j);
        stepmgr_retry_job(j);
}

/* ---- ending ---- */

enum gone { GONE_FORGOTTEN, GONE_KEPT, GONE_BUSY };

static void send_gone(struct agent *a, uint32_t id, uint32_t restarts, enum gone how, int code,
                const char *why) {
        Slumber__JobGone gone = SLUMBER__JOB_GONE__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        if (*why)
                set_error(&error, code, why);
        gone.job_id = id;
        gone.restarts = restarts;
        gone.node = a->node;
        gone.error = &error;
        gone.kept = how == GONE_KEPT;
        gone.busy = how == GONE_BUSY;
        ENVELOPE(env, JOB_GONE, job_gone, &gone);
        upstream_send(a, &env);
}

static void job_report_gone(struct job *j) {
        int code;
        const char *why = hooks_error(j, &code);

        send_gone(j->agent, j->id, j->restarts, j->hooks || j->stepmgr ? GONE_KEPT : GONE_FORGOTTEN,
                        code, why);
}

/* Reports that all of the job is over; may free j. */
static void is_gone(struct job *j) {
        job_report_gone(j);
        j->steps_unread = false; /* no srun asks for the steps any more */
        /* no process is left; steps may wait for their acknowledgements */
        j->phase = j->hooks || j->stepmgr ? JOB_PHASE_GONE : JOB_PHASE_RUNNING;
        job_put(j);
}

void job_epilog_over(struct job *j) {
        is_gone(j);
}

void job_hooks_adopted(struct job *j, bool epilog_runs, bool over) {
        j->phase = over ? JOB_PHASE_GONE : epilog_runs ? JOB_PHASE_EPILOG : JOB_PHASE_RUNNING;
}

void job_gone_acknowledged(struct agent *a, const Slumber__JobGoneAck *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);

        if (!j || j->phase != JOB_PHASE_GONE)
                return;
        hooks_acknowledged(j);
        stepmgr_end(j);
        j->phase = JOB_PHASE_RUNNING;
        job_put(j);
}

static bool has_made_steps(const struct job *j) {
        bool has = j->steps_unread;

        for (const struct step *s = j->steps; s; s = s->next)
                has |= step_is_home(s->name.step);
        return has;
}

/* Refuses to be the step manager of a job: if no step was made here, the controller makes the
   steps. */
static void refuse_steps(struct agent *a, uint32_t job, uint32_t restarts, const char *why) {
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, SLUMBER_FAILED, why);
        result.job_id = job;
        result.restarts = restarts;
        result.step_id = STEP_MAKER;
        result.node = a->node;
        result.error = &error;
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        upstream_send(a, &env);
}

void job_makes_steps(struct agent *a, Slumber__MakerBegin *m) {
        const Slumber__CredentialBody *of = m->maker ? m->maker->credential : NULL;
        uint32_t id = of ? of->job_id : 0, restarts = of ? of->restarts : 0;
        struct job *j = NULL;
        struct fail fail = { 0 };
        int r = of ? job_get(a, id, restarts, of->uid, &j, &fail)
                   : fail_set(&fail, -EBADMSG, "the controller does not say which job");

        if (r >= 0 && !job_terminating(j)) {
                j->uid = of->uid;
                /* the controller does not know the made steps any more */
                if (!j->stepmgr && has_made_steps(j))
                        stepmgr_set_record_lost(j);
                else
                        r = stepmgr_begin(j, TAKE(m->maker), &fail);
        }
        if (r < 0 && id && !(j && has_made_steps(j)))
                refuse_steps(a, id, restarts, fail.text);
        if (r < 0)
                log_fields(LOG_ERR, 0, id, a->node, "No steps of job %u are made here: %s", id,
                                fail.text);
        if (j)
                job_put(j);
}

static bool has_script(const struct job *j) {
        const struct step *s;

        for (s = j ? j->steps : NULL; s; s = s->next)
                if (s->name.step == STEP_BATCH)
                        break;
        return s;
}

void job_made_steps(struct agent *a, const Slumber__MakerMade *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct fail fail = { 0 };

        /* no step is made before the batch script runs here */
        if ((m->serial == 0 && !has_script(j)) || (j && (j->stepmgr || job_terminating(j))))
                return;
        if (!j && job_get(a, m->job_id, m->restarts, m->uid, &j, &fail) < 0) {
                log_fields(LOG_ERR, 0, m->job_id, a->node,
                                "What was made of job %u is lost, and cannot be told: %s",
                                m->job_id, fail.text);
                return;
        }
        j->uid = m->uid;
        stepmgr_set_record_lost(j);
        job_put(j);
}

/* Removes the job's cgroup and perhaps j if all processes have ended; step daemons waiting for
   their release need no cgroup. False: processes are left to end. */
static bool job_finish(struct job *j) {
        if (j->phase >= JOB_PHASE_EPILOG)
                return true;
        if (!all_steps_ended(j) || hooks_prolog_runs(j))
                return false;
        if (cg_may_be_populated(j->group)) {
                if (j->phase == JOB_PHASE_PROLOG) /* the prolog has left processes in the job */
                        kill_all(j);
                else if (cg_populated(j->group) < 0)
                        timer_arm(j->again, FINISH_AGAIN);
                return false;
        }
        timer_disarm(j->timer); /* no process is unkillable */
        if (!stepmgr_settle_job(j)) {
                timer_arm(j->again, SETTLE_AGAIN);
                return false;
        }
        cg_freezer_watch(j->freezer, false);
        for (struct step *s = j->steps; s; s = s->next)
                /* then the job's cgroup is empty and need not be searched */
                (void)cg_remove(s->group);
        (void)cg_remove(j->group);
        j->over = true;
        containers_end(j->agent, j->id, j->restarts);
        if (hooks_start_epilog(j))
                j->phase = JOB_PHASE_EPILOG;
        else
                is_gone(j);
        return true;
}

static int try_finish(sd_event_source *source, void *user) {
        struct job *j = user;

        (void)source;
        if (job_terminating(j))
                (void)job_finish(j);
        return 0;
}

/* Runs job_finish() from the event loop: job_finish() may free the job, which callers still use. */
static void finish_later(struct job *j) {
        (void)sd_event_source_set_enabled(j->finish, SD_EVENT_ONESHOT);
}

void job_step_ended(struct job *j) {
        if (job_terminating(j)) /* job_terminate() looks at the ends of a running job's steps */
                finish_later(j);
}

static void declare_unkillable(struct job *j) {
        _cleanup_free_ char *stuck = cg_stuck(j->group), *why = NULL;

        why = xasprintf("Kill task failed%s%s", *stuck ? ": " : "", stuck);
        log_fields(LOG_ERR, 0, j->id, j->agent->node, "Job %u does not end: %s", j->id, why);
        j->phase = JOB_PHASE_UNKILLABLE;
        unkillable_run(j);
        send_gone(j->agent, j->id, j->restarts, GONE_FORGOTTEN, SLUMBER_FAILED, why);
}

/* Kills the job's cgroup; tries again if the kernel is out of descriptors or memory. */
static void kill_group(struct job *j) {
        int r = cg_kill(j->group);
        bool failed = r < 0 && r != -ENOENT && r != -ENODEV;

        if (failed && !j->kill_failed)
                log_fields(LOG_ERR, r, j->id, j->agent->node,
                                "Cannot kill job %u, trying again: %m", j->id);
        j->kill_failed = failed;
        if (failed)
                timer_arm(j->again, FINISH_AGAIN);
}

static int job_on_retry(sd_event_source *source, uint64_t t, void *user) {
        struct job *j = user;

        (void)source, (void)t;
        if (job_terminating(j) && j->kill_failed)
                kill_group(j);
        finish_later(j);
        return 0;
}

static void kill_all(struct job *j) {
        kill_group(j);
        for (struct step *s = j->steps; s; s = s->next)
                step_end_plugin(s);
        j->phase = JOB_PHASE_KILLED;
        timer_arm(j->timer, j->agent->unkillable_timeout);
        cg_freezer_watch(j->freezer, true);
        finish_later(j);
}

static int on_phase_over(sd_event_source *source, uint64_t t, void *user) {
        struct job *j = user;

        (void)source, (void)t;
        if (j->phase == JOB_PHASE_ASKED)
                kill_all(j);
        else if (j->phase == JOB_PHASE_KILLED)
                declare_unkillable(j);
        return 0;
}

/* Signals, by the daemon, tasks not started yet. running: also running tasks (the script's shell),
   without their children and without the processes of had (NULL: none). */
static void signal_daemon(struct step *s, uint32_t sig, bool running, const struct pid_set *had) {
        Slumber__StepdSignal m = SLUMBER__STEPD_SIGNAL__INIT;
        size_t n = had ? had->n : 0;
        _cleanup_free_ uint32_t *pids = xnew(uint32_t, n + 1);

        for (size_t i = 0; i < n; i++)
                pids[i] = (uint32_t)had->pid[i];
        m.signal = sig;
        m.batch_only = running;
        m.had = pids;
        m.n_had = n;
        ENVELOPE(env, STEPD_SIGNAL, stepd_signal, &m);
        step_send(s, &env);
}

/* Sends SIGTERM once to each process: directly to processes in the cgroup, and by the step daemon
   to tasks being started, known only to the daemon. */
static void terminate_processes(struct job *j) {
        struct pid_set had = { 0 };

        (void)cg_signal_listed(j->group, SIGTERM, &had);
        for (struct step *s = j->steps; s; s = s->next)
                if (!s->launched && !s->ended)
                        signal_daemon(s, SIGTERM, true, &had);
        pid_set_done(&had);
}

static void ask_to_end(struct job *j) {
        j->phase = JOB_PHASE_ASKED;
        timer_arm(j->timer, MAX(j->agent->kill_wait, KILL_WAIT_MIN));
        cg_freezer_watch(j->freezer, true);
        (void)cg_signal(j->group, SIGCONT);
        terminate_processes(j);
        finish_later(j);
}

static void tell_steps(struct job *j, const Slumber__TerminateJob *m) {
        Slumber__StepdTerminate terminate = SLUMBER__STEPD_TERMINATE__INIT;

        terminate.reason = m->reason;
        terminate.now = m->now;
        ENVELOPE(env, STEPD_TERMINATE, stepd_terminate, &terminate);
        for (struct step *s = j->steps; s; s = s->next)
                step_send(s, &env);
}

/* Returns the job to end, also a job without steps here that needs an epilog. NULL: no such job, or
   the job cannot be made. */
static struct job *job_to_end(struct agent *a, const Slumber__TerminateJob *m, struct fail *fail) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);

        if (!j && (!m->epilog || !hooks_wanted(a, true)))
                return NULL;
        if (!j && job_get(a, m->job_id, m->restarts, m->uid, &j, fail) < 0)
                return NULL;
        if (!j->hooks && !j->steps)
                j->uid = m->uid;
        launch_dequeue(j, "the job is being ended");
        hooks_before_end(j, m);
        return j;
}

/* Waits for the prolog's end. With RunInJob the prolog may be frozen with the job, so the job is
   thawed. */
static void await_prolog(struct job *j) {
        j->phase = JOB_PHASE_PROLOG;
        if (cg_freezer_state(j->freezer) != FREEZER_THAWED)
                job_thaw(j);
}

/* Answers a repeated end request while a hook runs or after the job is gone; true: the end is under
   way or over. */
static bool ends_already(struct job *j) {
        if (j->phase == JOB_PHASE_GONE)
                job_report_gone(j);
        else if (j->phase >= JOB_PHASE_PROLOG)
                send_gone(j->agent, j->id, j->restarts, GONE_BUSY, 0, "");
        else if (hooks_prolog_runs(j))
                await_prolog(j);
        return j->phase >= JOB_PHASE_PROLOG;
}

void job_terminate(struct agent *a, const Slumber__TerminateJob *m) {
        struct fail fail = { 0 };
        struct job *j = job_to_end(a, m, &fail);

        remote_steps_drop_job_grants(a, m->job_id);
        if (!j) { /* the job's step daemons may have been killed */
                spare_group_end(a, m->job_id, m->restarts);
                containers_end(a, m->job_id, m->restarts);
                send_gone(a, m->job_id, m->restarts, GONE_FORGOTTEN, SLUMBER_EPILOG_FAILED,
                                fail.text);
                return;
        }
        if (ends_already(j))
                return;
        if (j->phase >= JOB_PHASE_KILLED || (job_terminating(j) && !m->now))
                return;
        if (job_finish(j)) /* the usual case: the controller ends a job when all steps have ended */
                return;
        reclaim_stop(j);
        timer_disarm(j->grace);
        if (!job_terminating(j)) {
                /* a step daemon waiting for the InitScript reads no messages */
                containers_interrupt(j);
                tell_steps(j, m);
        }
        if (m->now) {
                kill_all(j);
        } else if (cg_freezer_state(j->freezer) != FREEZER_THAWED) {
                j->phase = JOB_PHASE_THAWING;
                job_thaw(j);
        } else {
                ask_to_end(j);
        }
        stepmgr_retry_job(j);
}

/* ---- signals ---- */

/* Signals a cgroup. Only a kill reaches a frozen cgroup at once. */
static void signal_group(struct cg *g, uint32_t sig) {
        if (sig == SIGKILL)
                (void)cg_kill(g);
        else
                (void)cg_signal(g, (int)sig);
}

/* Returns true if the signal is for step s. Processes of logins (extern step) are no tasks: they
   end, freeze and resume only with the whole job. */
static bool step_wanted(const struct step *s, const Slumber__SignalJob *m) {
        if (s->name.step == STEP_EXTERN)
                return false;
        if (m->step)
                return s->name.step == m->step->value;
        if (m->batch_only)
                return s->name.step == STEP_BATCH;
        return m->full || s->name.step != STEP_BATCH;
}

/* SIGKILL and SIGSTOP cannot be caught; SIGCONT must reach each stopped process. */
static bool is_forced(uint32_t sig) {
        return sig == SIGKILL || sig == SIGSTOP || sig == SIGCONT;
}

/* Returns true if the signal goes to all processes of s instead of the tasks alone, like in
   Slurm with proctrack/cgroup: signals to end, stop or continue, --full and
   SignalChildrenProcesses. */
static bool reaches_all(const struct step *s, const Slumber__SignalJob *m) {
        if (m->batch_only && s->name.step == STEP_BATCH)
                return false;
        return s->job->agent->signal_children || is_forced(m->signal) || m->full;
}

/* Signals the batch step's processes except sruns: srun would forward the signal to tasks, which
   get the signal here already. */
static void signal_script(struct step *s, uint32_t sig) {
        struct pid_set spared = { 0 }, had = { 0 };

        srun_streams_pids(s->job->agent, s->job->id, &spared);
        if (cg_pids(s->group, &had) >= 0)
                for (size_t i = 0; i < had.n; i++)
                        if (!pid_set_has(&spared, had.pid[i]))
                                (void)kill(had.pid[i], (int)sig);
        pid_set_done(&had);
        pid_set_done(&spared);
}

static void signal_all(struct step *s, const Slumber__SignalJob *m) {
        bool of_all = m->full && !m->step && s->name.step == STEP_BATCH;

        if (of_all && !is_forced(m->signal))
                signal_script(s, m->signal);
        else
                signal_group(s->group, m->signal);
}

static void say_in(struct step *s, char *text) {
        Slumber__StepdSignal m = SLUMBER__STEPD_SIGNAL__INIT;

        m.text = text;
        ENVELOPE(env, STEPD_SIGNAL, stepd_signal, &m);
        step_send(s, &env);
}

/* Ends a step by the step daemon, which works even if slumberd ends. A frozen step would not see
   the SIGTERM, and is killed. */
static void terminate_step(struct step *s, char *reason, bool now) {
        Slumber__StepdTerminate m = SLUMBER__STEPD_TERMINATE__INIT;

        m.now = now;
        m.kill_wait = MAX(s->job->agent->kill_wait, KILL_WAIT_MIN);
        m.reason = reason;
        ENVELOPE(env, STEPD_TERMINATE, stepd_terminate, &m);
        step_send(s, &env);
        if (cg_freezer_state(s->job->freezer) != FREEZER_THAWED)
                (void)cg_kill(s->group);
}

void job_signal(struct agent *a, const Slumber__SignalJob *m) {
        struct job *j = launch_now(job_find(a, m->job_id));

        if (j)
                stepmgr_note_signal(j, m);
        if (j && j->hooks && m->step && (m->terminate || m->signal == SIGKILL))
                launch_cancel(hooks_launches(j), m->step->value);
        if (j && m->terminate && m->step && !job_terminating(j)) {
                for (struct step *s = j->steps; s; s = s->next)
                        if (step_wanted(s, m) && !s->ended)
                                terminate_step(s, m->text, m->signal == SIGKILL);
                return;
        }
        if (!j || (m->signal == 0 && !*m->text) || m->signal >= NSIG)
                return;
        for (struct step *s = j->steps; s; s = s->next) {
                if (!step_wanted(s, m))
                        continue;
                if (*m->text)
                        say_in(s, m->text);
                if (!*m->text && reaches_all(s, m))
                        signal_all(s, m);
                if (!*m->text && (!reaches_all(s, m) || !s->launched))
                        signal_daemon(s, m->signal, !reaches_all(s, m), NULL);
        }
}
