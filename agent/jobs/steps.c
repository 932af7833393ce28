/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberd's side of the step daemons.
 *
 * A step daemon starts with a connection to slumberd, and has a folder in the spool. After a
 * restart, slumberd connects to the socket named in the folder's record. When a connection ends
 * without a release, the daemon is dead (the socket refuses) or has dropped slumberd (which
 * connects again). If the daemon is dead, the step's processes are killed and the step is
 * reported as lost; if the kernel says that the daemon had not read the step, a new daemon gets
 * the step.
 *
 *     launched -> ended (kept) -> acknowledged by the controller -> released -> idle, or gone ->
 *     folder removed
 *
 * The end of a batch script is kept in the record instead, and the daemon is released at once:
 * hundreds of short scripts end before the controller has acknowledged the first end, and each
 * would need a daemon.
 *
 * The record is removed at the release: a slumberd ending before the folder is removed leaves no
 * record to be taken for a step with a dead daemon. */
#include "agent/jobs/steps.h"
#include "agent/common/cpufreq.h"
#include "agent/common/cpufreq_files.h"
#include "agent/common/plugin_doing.h"
#include "agent/jobs/containers.h"
#include "agent/jobs/groups.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/stepds.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/streams/bulk.h"
#include "agent/streams/node_messages.h"
#include "agent/streams/step_streams.h"
#include "agent/tree/hop.h"
#include "lib/addresses.h"
#include "lib/folder.h"

#define CROWD_POLL (100 * USEC_PER_MSEC)

static void on_step_closed(struct conn *c, int r, const char *why, void *user);
static void on_step_message(struct conn *c, Envelope *env, void *user);
static const struct conn_ops step_ops = { .message = on_step_message, .closed = on_step_closed };

struct step *step_new(struct job *j, const struct step_name *name, struct cg *group, char *socket) {
        struct step *s = xnew0(struct step, 1);

        *s = (struct step){ .job = j,
                .name = *name,
                .group = group,
                .socket = socket,
                .next = j->steps };
        j->steps = s;
        return s;
}

static void set_unborn(struct step *s, bool unborn) {
        s->job->agent->unborn += (size_t)unborn - (size_t)s->unborn;
        s->unborn = unborn;
}

/* Forgets the display of the ended extern step: the port may be reused by a different user. */
static void forget_display(struct job *j) {
        if (!j->display)
                return;
        free(TAKE(j->display));
        free(TAKE(j->xauthority));
        free_and_strdup(&j->x11_fault, "X11: the extern step has ended");
}

void step_free(struct step *s) {
        struct step **p = &s->job->steps;

        if (s->name.step == STEP_EXTERN)
                forget_display(s->job);
        while (*p != s)
                p = &(*p)->next;
        *p = s->next;
        set_unborn(s, false);
        if (s->conn)
                conn_close(s->conn);
        sd_event_source_disable_unref(s->again);
        step_clean_stop(s);
        if (s->ended)
                slumber__step_ended__free_unpacked(s->ended, NULL);
        free(s->told.frame);
        free(s->peers);
        addresses_free(s->elsewhere);
        addresses_free(s->listening);
        step_streams_done(s);
        free(s->socket);
        free(s->stepmgr_address);
        cg_free(s->group);
        free(s);
}

void step_take_daemon(struct step *s, struct stepd *d, uint8_t *frame, size_t size) {
        struct conn *conn = s->conn = TAKE(d->conn);

        free(s->socket);
        s->socket = TAKE(d->socket);
        set_unborn(s, stepd_is_new(d));
        s->told.frame = frame;
        s->told.size = size;
        s->told.sent = conn_sent(conn);
        conn_set_ops(conn, &step_ops, s);
}

void step_end_plugin(struct step *s) {
        _cleanup_free_ char *folder = step_name_folder(&s->name);

        if (!s->ended && plugin_doing_kill(folder))
                log_fields(LOG_WARNING, 0, s->name.job, s->job->agent->node,
                                "Step %u: a plug-in does not return; its step daemon is killed",
                                s->name.step);
}

/* ---- the end ---- */

void step_tell(struct agent *a, Envelope *env) {
        if (!stepmgr_handle_report(a, env) && !remote_step_report(a, env))
                upstream_send(a, env);
}

/* s may be freed. */
static void send_ended(struct step *s) {
        usec_t at = s->ended->ended_boottime, now = now_boottime();

        /* the duration is sent: clocks need not agree */
        s->ended->since_end = at && at < now ? now - at : 0;
        /* for readers much later */
        s->ended->end_time = upstream_now(s->job->agent) - s->ended->since_end;
        ENVELOPE(env, STEP_ENDED, step_ended, s->ended);
        step_tell(s->job->agent, &env);
}

static void set_ended(struct step *s, const Slumber__StepEnded *e) {
        if (s->ended)
                return;
        struct job *j = s->job;
        s->ended = wire_copy(&e->base);
        send_ended(s);
        job_step_ended(j);
}

/* Returns which plug-in was involved in the end of the step's daemon; the caller frees. NULL:
   none. */
static char *plugin_of(const struct step *s) {
        _cleanup_free_ char *folder = step_name_folder(&s->name);

        return plugin_doing_text(folder);
}

/* Returns true if no process of the step runs here. */
static bool step_has_no_process(const struct step_name *name, void *user) {
        struct job *j = job_find_exactly(user, name->job, name->restarts);
        const struct step *s = j ? job_find_step(j, name->step) : NULL;

        return !s || s->lost;
}

void steps_put_cpus_back(struct agent *a) {
        const struct cpufreq c = { .spool = a->spool, .tree = CPUFREQ_TREE };
        struct fail fail = { 0 };

        if (!a->adopted)
                return;
        int r = cpufreq_end(&c, step_has_no_process, a, false, &fail);

        a->cpus_changed = r < 0;
        if (r < 0 && r != -EAGAIN && !a->cpus_said)
                log_warning(0, "The frequency of CPUs that a step has set is not put back yet: %s",
                                fail.text);
        a->cpus_said = r < 0 && (r != -EAGAIN || a->cpus_said);
}

static void step_declare_lost(struct step *s) {
        _cleanup_free_ char *name = step_name_text(&s->name), *plugin = plugin_of(s);
        int r = cg_kill(s->group);

        log_fields(LOG_WARNING, 0, s->name.job, s->job->agent->node,
                        "The step daemon of %s is gone; what was left of the step is killed%s%s",
                        name, plugin ? ": " : "", strempty(plugin));
        if (r < 0 && r != -ENOENT)
                log_fields(LOG_WARNING, r, s->name.job, s->job->agent->node,
                                "Cannot kill what is left of step %s: %m", name);
        s->lost = true;
        steps_put_cpus_back(s->job->agent);
        if (!step_clean(s))
                step_tell_lost(s);
}

void step_tell_lost(struct step *s) {
        Slumber__StepEnded e = SLUMBER__STEP_ENDED__INIT;
        _cleanup_free_ char *plugin = plugin_of(s);

        if (plugin)
                e.text = plugin;
        e.job_id = s->name.job;
        e.restarts = s->name.restarts;
        e.step_id = s->name.step;
        e.node = s->job->agent->node;
        e.lost = e.last = true;
        e.end_time = now_realtime();
        e.ended_boottime = now_boottime();
        set_ended(s, &e);
}

static void forget_step(struct step *s) {
        struct job *j = s->job;
        struct agent *a = j->agent;
        bool epilog_is_there = s->name.step == STEP_EXTERN && j->phase == JOB_PHASE_EPILOG;

        spool_remove_step(&s->name);
        if (!epilog_is_there) /* RunInJob */
                (void)cg_remove(s->group);
        step_free(s);
        job_put(j);
        steps_put_cpus_back(a); /* the daemon has restored the frequencies, unless killed */
}

/* Releases the step's daemon, which becomes idle or closes the connection: see step_on_idle(),
   on_step_closed(). */
static void step_release_daemon(struct step *s) {
        Slumber__StepdRelease m = SLUMBER__STEPD_RELEASE__INIT;

        m.stay = stepds_wanted(s->job->agent);
        ENVELOPE(env, STEPD_RELEASE, stepd_release, &m);
        if (s->conn)
                (void)conn_send(s->conn, &env);
}

/* Keeps the end of a batch script in the record and releases the daemon. */
static void keep_end(struct step *s, const Slumber__StepEnded *e) {
        s->kept = s->name.step == STEP_BATCH && s->conn && spool_keep_end(&s->name, e) >= 0;
        if (s->kept)
                step_release_daemon(s);
}

void step_acknowledged(struct step *s) {
        if (!s->ended)
                return;
        s->acknowledged = true;
        if (!s->conn) {
                forget_step(s);
                return;
        }
        if (!s->kept)
                step_release_daemon(s);
        if (s->kept || conn_queued(s->conn) == 0)
                spool_remove_record(&s->name);
}

void steps_resend_ended(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps, *after; s; s = after) {
                        after = s->next;
                        if (s->ended && !s->acknowledged)
                                send_ended(s);
                }
}

static void stat_absent(struct agent *a, Slumber__StepName *name, uint64_t question) {
        Slumber__StepStat m = SLUMBER__STEP_STAT__INIT;

        m.step = name;
        m.absent = true;
        ENVELOPE(env, STEP_STAT, step_stat, &m);
        env.reply_to = question;
        upstream_send(a, &env);
}

void steps_stat(struct agent *a, const Envelope *question) {
        const Slumber__StepStatAsk *m = question->step_stat_ask;

        for (size_t i = 0; i < m->n_steps; i++) {
                Slumber__StepStatAsk ask = SLUMBER__STEP_STAT_ASK__INIT;
                Slumber__StepName *name = m->steps[i];
                struct job *j = job_find_exactly(a, name->job_id, name->restarts);
                struct step *s = j ? job_find_step(j, name->step_id) : NULL;
                if (!s || !s->launched || !s->conn) {
                        stat_absent(a, name, question->id);
                        continue;
                }
                ENVELOPE(env, STEP_STAT_ASK, step_stat_ask, &ask);
                env.id = question->id;
                step_send(s, &env);
        }
}

void steps_go_on(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        if (s->conn)
                                conn_pause(s->conn, false);
}

/* ---- what step daemons say ---- */

static void terminate_again(struct step *s) {
        Slumber__StepdTerminate terminate = SLUMBER__STEPD_TERMINATE__INIT;

        ENVELOPE(env, STEPD_TERMINATE, stepd_terminate, &terminate);
        step_send(s, &env);
}

static void on_hello(struct step *s, const Slumber__StepdHello *hello) {
        groups_remember(s->job->agent, hello);
        if (*hello->display) {
                free_and_strdup(&s->job->display, hello->display);
                free_and_strdup(&s->job->xauthority, hello->xauthority);
        }
        if (*hello->x11_fault)
                free_and_strdup(&s->job->x11_fault, hello->x11_fault);
        if (!s->n_nodes) {
                s->node_rank = hello->node_rank;
                s->n_nodes = hello->num_nodes;
                step_streams_nodes(s, hello->addresses, hello->n_addresses, hello->tree_width);
                node_adopted(s, hello);
        }
        if (hello->ended)
                set_ended(s, hello->ended);
        /* the first message perhaps came while no daemon listened */
        else if (job_terminating(s->job))
                terminate_again(s);
}

/* Takes the step out of the tree's answer: the result is sent directly to the controller. */
static void step_leave_tree(const struct step *s) {
        if (s->tree)
                hops_apart(s->job->agent->hops, s->tree);
}

/* Frees the step manager of a job whose batch script failed to start: no steps were or will be
   made. */
static void no_script(struct step *s) {
        if (s->name.step == STEP_BATCH)
                stepmgr_end(s->job);
}

/* Handles the result of a launch. A failed launch has no end to report: the daemon may go. */
static void on_launch_result(struct step *s, Envelope *env) {
        Slumber__LaunchResult *result = env->launch_result;
        bool failed = result->error && result->error->code;

        s->launched = true;
        /* interrupted by the job's end: the node has no fault */
        if (failed && job_terminating(s->job))
                result->error->code = SLUMBER_JOB_ENDED;
        if (failed)
                log_fields(LOG_ERR, 0, s->name.job, s->job->agent->node,
                                "Cannot launch step %s: %s", STEP_WORD(s->name.step),
                                result->error->text);
        if (failed && s->name.step == STEP_EXTERN) /* the job's mount namespace could not be made */
                containers_end(s->job->agent, s->name.job, s->name.restarts);
        if (failed)
                no_script(s);
        s->acknowledged |= failed; /* the daemon may repeat the result of a running step */
        bool apart = failed || result->n_processes;
        if (apart)
                step_leave_tree(s);
        if (apart || !s->tree || !hops_launched(s->job->agent->hops, s->tree))
                step_tell(s->job->agent, env);
}

static void on_step_ended(struct step *s, Envelope *env) {
        if (!env->step_ended->last) {
                step_tell(s->job->agent, env);
                return;
        }
        bool failed = s->acknowledged;
        if (!failed && !s->ended)
                keep_end(s, env->step_ended);
        if (!failed)
                set_ended(s, env->step_ended);
        else if (!s->ended)
                s->ended = wire_copy(&env->step_ended->base);
        if (failed)
                step_acknowledged(s);
}

/* The daemon is free for a new step. */
static void step_on_idle(struct step *s) {
        if (!s->acknowledged && !s->kept)
                return;
        stepd_idle(s->job->agent, TAKE(s->conn), TAKE(s->socket));
        if (s->acknowledged)
                forget_step(s);
}

static void on_step_message(struct conn *c, Envelope *env, void *user) {
        struct step *s = user;
        struct agent *a = s->job->agent;

        (void)c;
        free(TAKE(s->told.frame));
        set_unborn(s, false);
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_STEPD_HELLO:
                on_hello(s, env->stepd_hello);
                break;
        case SLUMBER__ENVELOPE__BODY_LAUNCH_RESULT:
                on_launch_result(s, env);
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_ENDED:
                on_step_ended(s, env);
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_STAT:
                upstream_send(s->job->agent, env);
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_IO:
                bulk_moved(s->job->agent, env->step_io->data.len);
                step_streams_send(s, env);
                break;
        case SLUMBER__ENVELOPE__BODY_NODE_MESSAGE:
                node_message_send(s, env);
                break;
        case SLUMBER__ENVELOPE__BODY_STEPD_IDLE:
                step_on_idle(s);
                break;
        default:
                log_warning(0, "Step daemon of job %u sent message %d, which is not for slumberd",
                                s->name.job, (int)env->body_case);
        }
        launches_go_on(a);
}

static void launch_died(struct step *s) {
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        _cleanup_free_ char *plugin = plugin_of(s);

        set_error(&error, SLUMBER_FAILED,
                        plugin ? plugin : "slumberstepd ended before it had started the step");
        if (plugin)
                log_fields(LOG_ERR, 0, s->name.job, s->job->agent->node,
                                "Cannot launch step %s: %s", STEP_WORD(s->name.step), plugin);
        result.job_id = s->name.job;
        result.step_id = s->name.step;
        result.restarts = s->name.restarts;
        result.node = s->job->agent->node;
        result.error = &error;
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        step_leave_tree(s);
        step_tell(s->job->agent, &env);
        (void)cg_kill(s->group);
        no_script(s);
        forget_step(s);
}

/* Returns true if the daemon ended before reading the step, so that nothing was started. If more
   than the step was sent, messages are lost, and the launch has failed. */
static bool never_began(const struct step *s, const struct conn *c) {
        return s->told.frame && conn_unread(c) && conn_sent(c) == s->told.sent &&
               !job_terminating(s->job);
}

static int tell_another(struct step *s, struct fail *fail) {
        _cleanup_(stepd_freep) struct stepd *d = NULL;
        int r = stepd_get(s->job->agent, &d, fail);

        if (r >= 0)
                r = spool_write_socket(&s->name, d->socket, fail);
        if (r < 0)
                return r;
        r = conn_send_packed(d->conn, s->told.frame, s->told.size);
        if (r < 0)
                return fail_set(fail, r, "cannot pass the step on: %s", strerror(-r));
        r = stepd_start(d, fail);
        if (r < 0)
                return r;
        step_take_daemon(s, d, TAKE(s->told.frame), s->told.size);
        return 0;
}

static void launch_again(struct step *s) {
        struct fail fail = { 0 };
        int r = ++s->told.daemons < STEPDS_FOR_STEP ? tell_another(s, &fail) : -ECHILD;

        if (r >= 0)
                return;
        if (*fail.text)
                log_fields(LOG_ERR, 0, s->name.job, s->job->agent->node, "Step %s: %s",
                                STEP_WORD(s->name.step), fail.text);
        launch_died(s);
}

static int step_on_retry(sd_event_source *source, uint64_t at, void *user);

/* Connects to the step's daemon. Tries again later if many foreign connections fill the daemon's
   queue, or slumberd is out of descriptors. */
static void look_for_daemon(struct step *s) {
        _cleanup_close_ int fd = rendezvous_connect(s->socket);
        int r = fd < 0 ? fd : conn_adopt(s->job->agent->event, TAKE_FD(fd), &step_ops, s, &s->conn);

        if (r == -EAGAIN || r == -EMFILE || r == -ENFILE || r == -ENOMEM || r == -ENOBUFS) {
                sd_event_source_disable_unref(s->again);
                s->again = NULL;
                r = sd_event_add_time_relative(s->job->agent->event, &s->again, CLOCK_MONOTONIC,
                                CROWD_POLL, 0, step_on_retry, s);
        }
        if (r < 0 && !s->launched)
                launch_died(s);
        else if (r < 0)
                step_declare_lost(s);
}

static int step_on_retry(sd_event_source *source, uint64_t at, void *user) {
        (void)source, (void)at;
        look_for_daemon(user);
        return 0;
}

static void on_step_closed(struct conn *c, int r, const char *why, void *user) {
        struct step *s = user;
        struct agent *a = s->job->agent;
        bool again = never_began(s, c);

        (void)r, (void)why;
        s->conn = NULL;
        set_unborn(s, false);
        if (s->acknowledged)
                forget_step(s);
        else if (again)
                launch_again(s);
        else if (!s->kept)
                look_for_daemon(s);
        launches_go_on(a);
}

/* ---- after a restart ---- */

static void step_adopt(struct agent *a, const struct step_name *name) {
        Slumber__StepdSpec *record = NULL;
        struct cg *group = NULL;
        struct fail fail = { 0 };
        struct job *j;
        int r = spool_read_record(name, &record);

        if (r == -ENOENT) { /* the step never began, or its end is acknowledged */
                spool_remove_step(name);
                return;
        }
        if (r < 0 || cg_open(record->cgroup, &group, &fail) < 0 ||
                        job_get(a, name->job, name->restarts, record->credential->uid, &j, &fail) <
                                        0) {
                log_warning(0,
                                "A step of job %u in the spool folder cannot be read and is "
                                "forgotten%s%s",
                                name->job, *fail.text ? ": " : "", fail.text);
                cg_free(group);
                spool_remove_step(name);
        } else {
                struct step *s = step_new(j, name, group, xstrdup(record->socket));

                s->launched = j->adopted = true;
                j->uid = record->credential->uid;
                step_streams_begin(s, record->credential, true);
                s->kept = record->ended != NULL;
                if (s->kept)
                        set_ended(s, record->ended);
                else
                        look_for_daemon(s);
        }
        if (record)
                slumber__stepd_spec__free_unpacked(record, NULL);
}

void steps_adopt(struct agent *a) {
        char **names = folder_list("steps", false);
        for (size_t i = 0; names[i]; i++) {
                struct step_name name;

                if (step_name_parse(names[i], &name) >= 0 && a->options.forget)
                        spool_remove_step(&name);
                else if (step_name_parse(names[i], &name) >= 0)
                        step_adopt(a, &name);
                free(names[i]);
        }
        free(names);
}
