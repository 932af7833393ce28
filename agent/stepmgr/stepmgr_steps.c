/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a step manager, made on requests of sruns and answered as the controller would
 * (docs/stepmgr.md).
 *
 *     request -> waits -> begins                               -> ended                 -> gone
 *                         (journal, StepReply, launch)            (journal, StepNotice)
 *
 * No polling: the queue is tried when a step ends, the job resumes, or the controller has
 * acknowledged rows. Step daemons are released when srun has gone, so that a slumberd that was
 * killed can tell srun the tasks' exits again. */
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"
#include "agent/streams/srun_streams.h"
#include "agent/streams/step_streams.h"

#include "controller/steps/step_request.h"
#include "lib/plugins/plugin_options.h"
#include "lib/step/gpubind.h"
#include "lib/step_id.h"
#include "lib/timer.h"

#include <signal.h>
#include <sys/random.h>

#define WAITING_MAX       4096
#define WAITING_BYTES_MAX ((size_t)256 << 20)
#define PLUGIN_TEXT_MAX   ((size_t)64 << 10)
#define WRITE_AGAIN       USEC_PER_SEC
#define STATUS_FAILED     (1u << 8)
#define SETTLE_TIME       (10 * USEC_PER_SEC)
/* Maximum distance of a shown queue position from now: the clock may have been set back since
   the position was given. */
#define PLACE_AHEAD (24 * 3600 * USEC_PER_SEC)

static void part_record_end(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m,
                bool now);

/* ---- the list ---- */

struct stepmgr_step *stepmgr_step_new(struct stepmgr *k) {
        struct stepmgr_step *s = xnew0(struct stepmgr_step, 1);

        s->stepmgr = k;
        TAILQ_INSERT_TAIL(&k->steps, s, next);
        return s;
}

void stepmgr_step_free(struct stepmgr_step *s) {
        stepmgr_rows_forget_step(s);
        TAILQ_REMOVE(&s->stepmgr->steps, s, next);
        if (s->spec)
                slumber__step_spec__free_unpacked(s->spec, NULL);
        task_list_free(s->list);
        bitset_free(s->exits_sent);
        free(s->parts);
        free(s->stream_home);
        free(s);
}

struct stepmgr_step *stepmgr_step_find(struct stepmgr *k, uint32_t step) {
        struct stepmgr_step *s;

        TAILQ_FOREACH(s, &k->steps, next)
                if (s->started && s->row->step_id == step)
                        break;
        return s;
}

/* srun has gone: releases the step daemon and frees s. */
static void stepmgr_step_release(struct stepmgr_step *s) {
        struct step *step = stepmgr_step_daemon(s);

        if (step)
                step->job->agent->orders->step_acknowledged(step);
        stepmgr_step_free(s);
}

/* The members of a spec needed after the launch */
static Slumber__StepSpec *step_spec_shorten(const Slumber__MadeStep *m) {
        Slumber__StepSpec *spec = xnew(Slumber__StepSpec, 1);

        slumber__step_spec__init(spec);
        spec->num_tasks = m->num_tasks;
        spec->mem_per_node = m->mem_per_node;
        spec->mem_per_cpu = m->mem_per_cpu;
        spec->token = m->token;
        return spec;
}

void stepmgr_step_shorten_spec(struct stepmgr_step *s) {
        slumber__step_spec__free_unpacked(s->spec, NULL);
        s->spec = step_spec_shorten(s->row);
        s->spec_complete = false;
}

/* ---- suspension ---- */

static bool stepmgr_job_is_frozen(const struct stepmgr *k) {
        return k->halted || cg_freezer_state(k->job->freezer) != FREEZER_THAWED ||
               k->job->freeze_asked;
}

void stepmgr_step_await_srun(struct stepmgr_step *s) {
        s->orphan_due = now_monotonic() + s->stepmgr->message->patience;
        stepmgr_arm_timer(s->stepmgr, s->orphan_due);
}

static void sruns_notify_suspension(struct stepmgr *k) {
        bool stands = stepmgr_job_is_frozen(k);
        struct stepmgr_step *s;

        if (stands == k->sruns_suspended)
                return;
        k->sruns_suspended = stands;
        TAILQ_FOREACH(s, &k->steps, next) {
                stepmgr_step_notify_job_state(s, stands);
                if (!stands && s->orphan_due) /* srun may have been suspended, too */
                        stepmgr_step_await_srun(s);
        }
}

/* ---- */

/* The first launch after a restart waits for the controller's configuration, whose settings
   confine steps. */
static void stepmgr_step_launch_due(struct stepmgr_step *s) {
        struct stepmgr *k = s->stepmgr;
        bool ends = s->over || s->ends || s->abandoned || job_terminating(k->job);

        if (s->due && !ends && k->job->agent->configured && !k->state_unknown &&
                        !stepmgr_job_is_frozen(k))
                parts_launch(s);
}

/* ---- the queue ---- */

static uint64_t stream_token_generate(void) {
        uint64_t n = 0;

        while (!n)
                (void)getrandom(&n, sizeof n, 0);
        return n;
}

static enum slumber_error stepmgr_step_fit(const struct stepmgr_step *s, struct fit **ret,
                struct fail *fail) {
        struct stepmgr *k = s->stepmgr;
        _cleanup_free_ struct stepmgr_taker *others = NULL;
        size_t n = 0, allocated = 0;
        const struct stepmgr_step *o;

        TAILQ_FOREACH(o, &k->steps, next) {
                if (s->spec->overlap || !o->started || o->over)
                        continue;
                GROW(others, allocated, n);
                others[n++] = (struct stepmgr_taker){ o->spec, o->row };
        }
        return stepmgr_job_fit_step(k->model, s->spec, s->list, others, n, ret, fail);
}

/* The step gets its number, for good, with the journal's entry. */
static enum slumber_error stepmgr_step_begin(struct stepmgr_step *s, const struct fit *f,
                struct fail *fail) {
        struct stepmgr *k = s->stepmgr;
        const Slumber__StepSettings *settings = k->message->settings;
        Slumber__StepsRow row = SLUMBER__STEPS_ROW__INIT;
        Slumber__MadeStep m = SLUMBER__MADE_STEP__INIT;
        const Slumber__StepsRow *kept = NULL;

        m.step_id = s->spec->bcast ? STEP_BCAST_FIRST + k->next_bcast : k->next_step;
        m.name = s->spec->name;
        m.host = s->spec->host;
        m.pid = s->spec->pid;
        m.submit_line = s->spec->submit_line;
        m.container = s->spec->container;
        m.cpu_freq = s->spec->cpu_freq;
        _cleanup_free_ char *bind = gpu_bind_tres(s->spec->gpu_bind);
        m.tres_bind = (char *)(uintptr_t)strempty(bind);
        m.token = s->spec->token;
        m.stream_token = stream_token_generate();
        m.kill_on_bad_exit = s->spec->kill_on_bad_exit;
        m.time_limit = s->spec->time_limit;
        m.start_time = upstream_now(k->job->agent);
        m.cyclic = s->spec->cyclic;
        m.plane = s->spec->plane;
        m.to_files = step_request_to_files(s->spec);
        m.held = step_request_holds(settings, s->spec);
        stepmgr_job_begin_step(k->model, s->spec, f, &m);
        row.made = &m;
        int r = stepmgr_row_add(k, s, &row, &kept, fail);
        stepmgr_job_free_message(&m);
        if (r < 0) {
                stepmgr_job_end_step(k->model, m.step_id);
                return SLUMBER_FAILED;
        }
        *(s->spec->bcast ? &k->next_bcast : &k->next_step) += 1;
        s->started = true;
        s->row = kept->made;
        parts_allocate(s);
        s->held = m.held;
        s->exits_sent = bitset_new(m.num_tasks);
        s->spec->num_tasks = m.num_tasks;
        s->list = task_list_free(s->list);
        stepmgr_step_send_reply(s);
        if (!s->held)
                parts_launch(s);
        return SLUMBER_OK;
}

/* Conditions common to all requests */
static bool stepmgr_may_begin_steps(const struct stepmgr *k) {
        return k->job->agent->configured && !k->state_unknown && !stepmgr_rows_are_full(k) &&
               !stepmgr_job_is_frozen(k);
}

/* Every caller may find the hold over: the queue is tried then. */
static bool stepmgr_queue_is_on_hold(struct stepmgr *k, usec_t now) {
        if (!k->queue_held || !k->queue_held_until || now < k->queue_held_until)
                return k->queue_held;
        k->queue_held = false;
        stepmgr_retry_queue_soon(k);
        return false;
}

/* Begins s or leaves s waiting: true. Refuses and frees s: false. */
static bool stepmgr_step_try(struct stepmgr_step *s) {
        struct stepmgr *k = s->stepmgr;
        struct fail fail = { 0 };
        _cleanup_(stepmgr_fit_freep) struct fit *f = NULL;
        enum slumber_error e;

        if (job_terminating(k->job))
                e = SLUMBER_JOB_ENDED;
        else if (!stepmgr_may_begin_steps(k) ||
                        (!s->spec->overlap && stepmgr_queue_is_on_hold(k, now_monotonic())))
                e = SLUMBER_NODES_BUSY;
        else
                e = stepmgr_step_fit(s, &f, &fail);
        if (e == SLUMBER_OK)
                e = stepmgr_step_begin(s, f, &fail);
        if (e == SLUMBER_OK || (e == SLUMBER_NODES_BUSY && !s->immediate))
                return true;
        stepmgr_refuse(s->client, s->request, e, fail.text);
        stepmgr_step_free(s);
        return false;
}

/* srun would take a request without an answer for lost. */
static void srun_notify_waiting(struct stepmgr_step *s) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.place = s->place;
        if (!s->started && !s->wait_notified) {
                stepmgr_step_send_notice(s, &m, SLUMBER__STEP_NOTICE__KIND__WAITS,
                                s->stepmgr->job->agent->node);
                log_debug("Job %u: a request for a step of %u tasks waits", s->stepmgr->job->id,
                                s->spec->num_tasks);
        }
        s->wait_notified = true;
}

static void queue_write_state(struct stepmgr *k) {
        const struct stepmgr_step *s;

        TAILQ_FOREACH(s, &k->steps, next)
                if (!s->started)
                        break;
        stepmgr_rows_note_queue(k, s || k->queue_held);
}

void stepmgr_try_queue(struct stepmgr *k) {
        struct stepmgr_step *s, *after;

        sruns_notify_suspension(k);
        for (s = TAILQ_FIRST(&k->steps); s; s = after) {
                after = TAILQ_NEXT(s, next);
                if (s->started)
                        stepmgr_step_launch_due(s);
                else if (stepmgr_step_try(s))
                        srun_notify_waiting(s);
        }
        queue_write_state(k);
}

void stepmgr_retry_queue_soon(struct stepmgr *k) {
        (void)sd_event_source_set_enabled(k->retry, SD_EVENT_ONESHOT);
}

static bool queue_retry_is_armed(const struct stepmgr *k) {
        return sd_event_source_get_enabled(k->retry, NULL) > 0;
}

/* ---- requests ---- */

static enum slumber_error queue_check_size(const struct stepmgr *k, size_t size) {
        const struct stepmgr_step *s;
        size_t n = 0;

        TAILQ_FOREACH(s, &k->steps, next) {
                n += s->spec_complete;
                size += s->spec_complete ? s->size : 0;
        }
        return n >= WAITING_MAX || size > WAITING_BYTES_MAX ? SLUMBER_TOO_MANY_JOBS : SLUMBER_OK;
}

static enum slumber_error stepmgr_check_request(const struct stepmgr *k,
                const Slumber__StepSpec *spec, struct task_list *list, struct fail *fail) {
        const Slumber__StepMaker *m = k->message;
        const struct step_job words = { m->partition, m->qos, m->account, m->reservation };

        if (spec->debug_level && !m->may_debug) {
                fail_set(fail, -EPERM, "--slurmd-debug is for root and SlurmUser alone");
                return SLUMBER_ACCESS_DENIED;
        }
        int r = task_list_add(list, spec->task_nodes, fail);
        if (r < 0)
                return r == -ERANGE ? SLUMBER_BAD_TASK_COUNT : SLUMBER_BAD_NODE_NAME;
        if (plugin_options_size(spec->plugin_options, spec->n_plugin_options) > PLUGIN_TEXT_MAX) {
                fail_set(fail, -E2BIG, "the plug-ins' options are longer than 64 KiB");
                return SLUMBER_TOO_BIG;
        }
        if (spec->resv_ports) /* MpiParams=ports= was not set when the job began */
                return SLUMBER_TOO_MANY_PORTS;
        return step_request_check(m->settings, &words, spec, fail);
}

static void stepmgr_step_set_client(struct stepmgr_step *s, struct client *c, uint64_t request) {
        s->client = c;
        s->request = request;
        free_and_strdup(&s->stream_home, c->proxy ? c->proxy->stream_home : NULL);
}

/* Puts s into the queue: at the position an earlier slumberd had told srun, or last. */
static void queue_place_step(struct stepmgr_step *s, const Slumber__StepRequest *m) {
        struct stepmgr *k = s->stepmgr;
        usec_t now = now_realtime();
        bool shown = m->again && m->place && m->place <= now + PLACE_AHEAD;
        struct stepmgr_step *o;

        s->place = shown ? m->place : MAX(k->last_place + 1, now);
        k->last_place = MAX(k->last_place, s->place);
        TAILQ_FOREACH(o, &k->steps, next)
                if (o != s && !o->started && o->place > s->place)
                        break;
        if (!o)
                return;
        TAILQ_REMOVE(&k->steps, s, next);
        TAILQ_INSERT_BEFORE(o, s, next);
}

static void queue_add_request(struct stepmgr *k, struct client *c, const Envelope *env,
                struct task_list *list) {
        const Slumber__StepRequest *m = env->step_request;
        struct stepmgr_step *s = stepmgr_step_new(k);

        queue_place_step(s, m);

        stepmgr_step_set_client(s, c, env->id);
        s->list = list;
        s->immediate = m->immediate;
        s->spec = step_request_fill(k->message->settings, m->spec, list);
        s->spec_complete = true;
        s->size = slumber__step_spec__get_packed_size(s->spec) + (list ? task_list_size(list) : 0);
        (void)stepmgr_queue_is_on_hold(k, now_monotonic());
        if (queue_retry_is_armed(k)) /* waiting requests come first */
                return;
        if (stepmgr_step_try(s))
                srun_notify_waiting(s);
        queue_write_state(k);
}

/* ---- srun comes back ---- */

/* Repeats what srun may have missed of part i. */
static void part_repeat_notices(struct stepmgr_step *s, size_t i) {
        struct step *step = part_is_here(s, i) ? stepmgr_step_daemon(s) : NULL;

        if (s->parts[i].end)
                stepmgr_step_notify_exits(s, i, s->parts[i].end);
        else if (step || s->parts[i].state == PART_RUNS || s->parts[i].state == PART_SENT)
                stepmgr_step_notify_of_node(s, SLUMBER__STEP_NOTICE__KIND__NODE_BACK,
                                part_node(s, i), 0, "");
        if (step && step->ended && !s->parts[i].end)
                part_record_end(s, i, step->ended, false);
}

static void stepmgr_step_reattach(struct stepmgr_step *s, struct client *c, const Envelope *env) {
        const Slumber__StepRequest *m = env->step_request;
        struct stepmgr *k = s->stepmgr;

        stepmgr_step_set_client(s, c, env->id);
        s->orphan_due = 0;
        if (!s->started) {
                s->wait_notified = false;
                srun_notify_waiting(s);
                return;
        }
        parts_find_running_here(s);
        if (!s->spec_complete && !s->over &&
                        (parts_have(s, PART_UNSENT) || parts_have(s, PART_SENT))) {
                uint32_t tasks = s->row->num_tasks;
                slumber__step_spec__free_unpacked(s->spec, NULL);
                s->spec = step_request_fill(k->message->settings, m->spec, NULL);
                s->spec->num_tasks = tasks;
                s->size = slumber__step_spec__get_packed_size(s->spec);
                s->spec_complete = true;
        }
        bool begins = !s->over && !s->ends && parts_have_unsent(s) && (!s->held || m->go);
        s->due |= begins;
        /* A step is held as at its begin when slumberd was restarted, unless a part has run. */
        s->held &= !begins && !s->over && !m->go && !parts_have(s, PART_RUNS) &&
                   !parts_have(s, PART_OVER);
        stepmgr_step_send_reply(s);
        stepmgr_step_notify_job_state(s, stepmgr_job_is_frozen(k));
        for (size_t i = 0; i < s->row->n_nodes; i++)
                part_repeat_notices(s, i);
        if (s->over)
                stepmgr_step_notify(s, SLUMBER__STEP_NOTICE__KIND__ENDED, s->exit_code, "");
        stepmgr_step_launch_due(s);
}

static struct stepmgr_step *stepmgr_step_find_token(struct stepmgr *k, uint64_t token) {
        struct stepmgr_step *s;

        TAILQ_FOREACH(s, &k->steps, next)
                if (token && !s->abandoned &&
                                (s->started ? s->row->token : s->spec->token) == token)
                        break;
        return s;
}

bool stepmgr_handle_request_of_run(struct job *j, struct client *c, const Envelope *env) {
        const Slumber__StepRequest *m = env->step_request;
        struct stepmgr *k = j ? j->stepmgr : NULL;
        enum slumber_error e = SLUMBER_OK;
        struct fail fail = { 0 };

        if (j && j->steps_unread && m->spec && !m->spec->interactive) {
                stepmgr_refuse(c, env->id, SLUMBER_FAILED, MADE_UNREAD);
                return true;
        }
        if (!k || (m->spec && m->spec->interactive))
                return false; /* the controller makes or refuses the step */
        _cleanup_(task_list_freep) struct task_list *list = task_list_new(
                        k->message->settings->max_tasks_per_node);
        struct stepmgr_step *same = m->again && m->spec ? stepmgr_step_find_token(k, m->spec->token)
                                                        : NULL;
        if (c->uid != k->message->credential->uid)
                e = SLUMBER_ACCESS_DENIED;
        else if (!m->spec || m->spec->n_arguments == 0)
                e = SLUMBER_PROTOCOL;
        else if (m->n_parts) {
                fail_set(&fail, -EOPNOTSUPP,
                                "the steps of job %u are made by its node (--stepmgr), which makes "
                                "none of several components",
                                m->job_id);
                e = SLUMBER_NOT_SUPPORTED;
        } else if (!same && m->again && m->step)
                e = SLUMBER_BAD_STEP_ID;
        else if (!same)
                e = queue_check_size(k, slumber__step_spec__get_packed_size(m->spec));
        if (e == SLUMBER_OK && (!same || !same->spec_complete))
                e = stepmgr_check_request(k, m->spec, list, &fail);
        if (e != SLUMBER_OK)
                stepmgr_refuse(c, env->id, e, fail.text);
        else if (same)
                stepmgr_step_reattach(same, c, env);
        else
                queue_add_request(k, c, env, task_list_tasks(list) ? TAKE(list) : NULL);
        return true;
}

/* Chooses the run of the job which has the step asked for again, else the newest run. */
bool stepmgr_handle_request(struct client *c, const Envelope *env) {
        const Slumber__StepRequest *m = env->step_request;
        struct job *j = job_find(c->agent, m->job_id);

        for (struct job *o = j; o && m->again && m->spec; o = o->next)
                if (o->id == m->job_id && o->stepmgr &&
                                stepmgr_step_find_token(o->stepmgr, m->spec->token))
                        j = o;
        return stepmgr_handle_request_of_run(j, c, env);
}

/* ---- the end ---- */

/* The exit code as in the job's record: codes beat signals, and larger values smaller ones. */
static uint32_t step_end_exit_code(const Slumber__StepEnded *m) {
        uint32_t worst = m->lost ? SIGKILL : 0;

        for (size_t i = 0; i < m->n_tasks; i++) {
                if (m->tasks[i]->aborted)
                        return m->tasks[i]->status;
                worst = MAX(worst, m->tasks[i]->status);
        }
        return worst;
}

/* Records the end of part i, and the end of the step with its last part. */
static void part_count_end(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m) {
        bool aborted = false;

        for (size_t k = 0; k < m->n_tasks; k++)
                aborted |= m->tasks[k]->aborted;
        if (!s->aborted)
                s->exit_code = aborted ? step_end_exit_code(m)
                                       : MAX(s->exit_code, step_end_exit_code(m));
        s->aborted |= aborted;
        s->parts[i].end = m;
        s->parts[i].state = PART_OVER;
        s->over = true;
        for (size_t k = 0; k < s->row->n_nodes; k++)
                s->over &= s->parts[k].state == PART_OVER;
        if (!s->over)
                return;
        stepmgr_job_end_step(s->stepmgr->model, s->row->step_id);
        stepmgr_retry_queue_soon(s->stepmgr);
}

static bool parts_all_launched(const struct stepmgr_step *s) {
        return !parts_have(s, PART_UNSENT) && !parts_have(s, PART_SENT);
}

/* srun's --msg-timeout ends when each node has launched the step or failed. */
static void srun_notify_launched(struct stepmgr_step *s) {
        if (s->launched || s->over || !parts_all_launched(s))
                return;
        s->launched = true;
        stepmgr_step_notify(s, SLUMBER__STEP_NOTICE__KIND__STARTED, 0, "");
}

/* Records the end of part i; now: also before srun has reconnected to hear of the end. */
static void part_record_end(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m,
                bool now) {
        struct stepmgr *k = s->stepmgr;
        Slumber__StepsRow row = SLUMBER__STEPS_ROW__INIT;
        const Slumber__StepsRow *kept;
        struct fail fail = { 0 };

        if (s->parts[i].end) {
                part_send_acknowledgement(s, i);
                return;
        }
        if (!s->client && !s->abandoned && !now && !job_terminating(k->job))
                return; /* srun has to reconnect first */
        row.ended = (Slumber__StepEnded *)(uintptr_t)m;
        row.cancelled_by = s->cancelled_by;
        if (stepmgr_row_add(k, s, &row, &kept, &fail) < 0) {
                log_fields(LOG_ERR, 0, k->job->id, k->job->agent->node,
                                "The end of step %u is told later: %s", s->row->step_id, fail.text);
                stepmgr_arm_timer(k, now_monotonic() + WRITE_AGAIN);
                return;
        }
        part_count_end(s, i, kept->ended);
        part_send_acknowledgement(s, i);
        stepmgr_step_notify_exits(s, i, kept->ended);
        srun_notify_launched(s);
        if (s->over)
                stepmgr_step_notify(s, SLUMBER__STEP_NOTICE__KIND__ENDED, s->exit_code, "");
        if (job_terminating(k->job)) /* the job's end may have waited for the step */
                k->job->agent->orders->step_ended(k->job);
}

/* Frees a step that has ended and whose srun is gone. */
static void stepmgr_step_release_abandoned(struct stepmgr_step *s) {
        if (s->over && s->abandoned && !s->busy)
                stepmgr_step_release(s);
}

/* Ends part i, which is not on its node, with status. A retry, after a full disk, keeps the
   first status. */
static void part_end_unlaunched(struct stepmgr_step *s, size_t i, uint32_t status) {
        Slumber__StepEnded m = SLUMBER__STEP_ENDED__INIT;
        Slumber__TaskExit exit = SLUMBER__TASK_EXIT__INIT, *tasks = &exit;
        struct part *part = &s->parts[i];

        exit.rank = UINT32_MAX; /* not a rank of srun's */
        if (!part->unlaunched)
                part->status = status;
        part->unlaunched = true;
        exit.status = part->status;
        m.job_id = s->stepmgr->job->id;
        m.restarts = s->stepmgr->job->restarts;
        m.step_id = s->row->step_id;
        m.node = (char *)(uintptr_t)part_node(s, i);
        m.tasks = &tasks;
        m.n_tasks = 1;
        m.last = true;
        m.end_time = upstream_now(s->stepmgr->job->agent);
        part_record_end(s, i, &m, true);
}

/* Ends the parts not yet launched. */
static void parts_end_unsent(struct stepmgr_step *s, uint32_t status) {
        parts_find_running_here(s);
        s->held = s->due = false;
        for (size_t i = 0; i < s->row->n_nodes; i++)
                if (s->parts[i].state == PART_UNSENT)
                        part_end_unlaunched(s, i, status);
}

/* Tells the step daemon to drop its tasks' output: nobody reads the output any more. */
static void step_daemon_drop_output(const struct stepmgr_step *s, struct step *step) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->stepmgr->job->id;
        io.step_id = s->row->step_id;
        io.rank = RANK_ALL;
        io.stream = 1;
        io.eof = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        step_streams_deliver(step, &env);
}

/* The step's srun has gone for good: its step ends. */
static void stepmgr_step_abandon(struct stepmgr_step *s) {
        struct stepmgr *k = s->stepmgr;
        struct step *step = stepmgr_step_daemon(s);

        s->client = NULL;
        s->abandoned = true;
        s->orphan_due = 0;
        if (!s->started) {
                stepmgr_step_free(s);
                queue_write_state(k);
                return;
        }
        if (step && step->ended)
                part_record_end(s, part_find_by_node(s, k->job->agent->node), step->ended, true);
        else if (step)
                step_daemon_drop_output(s, step);
        parts_end_unsent(s, SIGKILL);
        for (size_t i = 0; i < s->row->n_nodes; i++)
                if (s->parts[i].state != PART_OVER && !part_is_here(s, i))
                        part_send_unread(s, i);
        if (!s->over)
                parts_signal(s, SIGKILL, false);
        stepmgr_step_release_abandoned(s);
}

void stepmgr_client_gone(struct client *c, bool for_good) {
        struct stepmgr_step *s, *after;

        for (struct job *j = c->agent->jobs; j; j = j->next)
                for (s = j->stepmgr ? TAILQ_FIRST(&j->stepmgr->steps) : NULL; s; s = after) {
                        after = TAILQ_NEXT(s, next);
                        if (s->client == c && for_good)
                                stepmgr_step_abandon(s);
                        else if (s->client == c)
                                s->client = NULL;
                }
}

bool stepmgr_has_client(const struct client *c) {
        const struct stepmgr_step *s;

        for (struct job *j = c->agent->jobs; j; j = j->next)
                if (j->stepmgr)
                        TAILQ_FOREACH(s, &j->stepmgr->steps, next)
                                if (s->client == c)
                                        return true;
        return false;
}

/* ---- what step daemons say ---- */

void part_set_launch_failed(struct stepmgr_step *s, size_t i, const char *why) {
        if (s->parts[i].state == PART_OVER)
                return;
        stepmgr_step_notify_of_node(s, SLUMBER__STEP_NOTICE__KIND__LAUNCH_FAILED, part_node(s, i),
                        0, why);
        part_end_unlaunched(s, i, STATUS_FAILED);
}

void part_end_unsent(struct stepmgr_step *s, size_t i) {
        part_end_unlaunched(s, i, SIGKILL);
}

/* Returns false if the part was known to run. */
static bool part_set_running(struct stepmgr_step *s, size_t i) {
        struct part *part = &s->parts[i];
        bool new = part->state != PART_RUNS;

        part->state = PART_RUNS;
        s->held = false; /* a node runs the part: srun has said "go" already */
        if (!part_is_here(s, i) && !s->ends)
                part->due = USEC_INFINITY;
        else if (!part_is_here(s, i) && new)
                part_ask_soon(s, i); /* the part may have begun after the order to end */
        parts_shorten_spec(s);
        if (new)
                srun_notify_launched(s);
        return new;
}

static void part_handle_launch_result(struct stepmgr_step *s, size_t i,
                const Slumber__LaunchResult *m) {
        struct part *part = &s->parts[i];
        Slumber__StepNotice n = SLUMBER__STEP_NOTICE__INIT;

        if (m->error && m->error->code != SLUMBER_OK && m->error->code != SLUMBER_NO_CHANGE) {
                if (s->ends && m->error->code == SLUMBER_JOB_ENDED)
                        part_end_unlaunched(s, i, SIGKILL); /* cancelled before the begin */
                else
                        part_set_launch_failed(s, i, m->error->text);
                return;
        }
        if (part->state == PART_OVER) { /* the part was given up earlier */
                part_send_kill(s, i);
                return;
        }
        n.processes = m->processes;
        n.n_processes = m->n_processes;
        if (m->n_processes)
                stepmgr_step_send_notice(s, &n, SLUMBER__STEP_NOTICE__KIND__PROCESSES,
                                part_node(s, i));
        bool new = part_set_running(s, i);
        if (new && s->abandoned) /* srun has gone during the launch */
                parts_signal(s, SIGKILL, false);
}

static void part_handle_exits(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m) {
        bool failed = false, aborted = false;

        if (s->parts[i].state != PART_OVER)
                (void)part_set_running(s, i);
        for (size_t k = 0; k < m->n_tasks; k++) {
                failed |= m->tasks[k]->status != 0;
                aborted |= m->tasks[k]->aborted;
        }
        if (m->last)
                part_record_end(s, i, m, false);
        else
                stepmgr_step_notify_exits(s, i, m);
        if (s->over || s->ends == ENDS_KILLED)
                return;
        if (aborted)
                parts_signal(s, SIGKILL, false);
        else if ((failed || (m->last && m->lost)) && s->row->kill_on_bad_exit && !s->ends)
                parts_signal(s, 0, true);
}

void part_handle_result(struct stepmgr_step *s, size_t i, const Slumber__LaunchResult *m) {
        part_handle_launch_result(s, i, m);
        stepmgr_step_release_abandoned(s);
}

/* Reports of the job's memory are sent to the controller at once; a lost report is repeated with
   the row of the step's end. */
static void job_report_over_memory(struct stepmgr_step *s, const Slumber__StepEnded *m) {
        Slumber__StepEnded said = *m;
        ENVELOPE(env, STEP_ENDED, step_ended, &said);

        if (!m->job_over_memory)
                return;
        said.last = false;
        upstream_send(s->stepmgr->job->agent, &env);
}

void part_handle_end(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m) {
        job_report_over_memory(s, m);
        part_handle_exits(s, i, m);
        stepmgr_step_release_abandoned(s);
}

/* The node has lost the part, or the launch never arrived. */
void part_handle_absence(struct stepmgr_step *s, size_t i) {
        struct part *part = &s->parts[i];

        if (part->state == PART_RUNS) {
                Slumber__StepEnded m = SLUMBER__STEP_ENDED__INIT;
                m.job_id = s->stepmgr->job->id;
                m.restarts = s->stepmgr->job->restarts;
                m.step_id = s->row->step_id;
                m.node = (char *)(uintptr_t)part_node(s, i);
                m.lost = m.last = true;
                m.end_time = upstream_now(s->stepmgr->job->agent);
                part_handle_exits(s, i, &m);
        } else if (s->ends || s->abandoned) {
                part_end_unlaunched(s, i, SIGKILL);
        } else {
                part->state = PART_UNSENT;
                s->due |= s->launching || (s->client && s->spec_complete && !s->held);
                stepmgr_step_launch_due(s);
        }
        stepmgr_step_release_abandoned(s);
}

static struct stepmgr_step *stepmgr_step_of_report(struct agent *a, uint32_t job, uint32_t restarts,
                uint32_t step) {
        struct job *j = job_find_exactly(a, job, restarts);

        /* the end of the batch script is reported after the ends of the job's steps */
        if (j && j->stepmgr && step == STEP_BATCH)
                stepmgr_rows_send_all(j->stepmgr);
        return j && j->stepmgr ? stepmgr_step_find(j->stepmgr, step) : NULL;
}

bool stepmgr_handle_report(struct agent *a, const Envelope *env) {
        struct stepmgr_step *s = NULL;

        if (env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_RESULT) {
                const Slumber__LaunchResult *m = env->launch_result;
                s = stepmgr_step_of_report(a, m->job_id, m->restarts, m->step_id);
                size_t i = s ? part_find_by_node(s, a->node) : 0;
                if (s && i < s->row->n_nodes && s->parts[i].state != PART_OVER)
                        part_handle_launch_result(s, i, m);
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_ENDED) {
                const Slumber__StepEnded *m = env->step_ended;
                s = stepmgr_step_of_report(a, m->job_id, m->restarts, m->step_id);
                size_t i = s ? part_find_by_node(s, a->node) : 0;
                if (s && i < s->row->n_nodes && s->parts[i].state != PART_OVER)
                        part_handle_exits(s, i, m);
        }
        if (s)
                stepmgr_step_release_abandoned(s);
        return s != NULL;
}

/* ---- signals ---- */

static bool signal_kills_by_default(uint32_t sig) {
        return sig == SIGKILL || sig == SIGTERM || sig == SIGINT || sig == SIGHUP || sig == SIGQUIT;
}

void stepmgr_note_signal(struct job *j, const Slumber__SignalJob *m) {
        struct stepmgr_step *s = j->stepmgr && m->step ? stepmgr_step_find(j->stepmgr,
                                                                         (uint32_t)m->step->value)
                                                       : NULL;
        bool ends = m->terminate || signal_kills_by_default(m->signal);

        if (!s || !ends || s->over)
                return;
        if (m->signal == SIGKILL)
                s->ends = ENDS_KILLED;
        else if (m->terminate)
                s->ends = MAX(s->ends, ENDS_ASKED);
        parts_end_unsent(s, SIGKILL);
        for (size_t i = 0; s->started && s->ends && !s->busy && i < s->row->n_nodes; i++)
                if (s->parts[i].state != PART_OVER && !part_is_here(s, i))
                        /* The controller signals only nodes connected to the controller */
                        part_ask_soon(s, i);
        stepmgr_step_release_abandoned(s);
}

/* Searches every run of the job. */
static struct stepmgr_step *stepmgr_step_find_client(const struct client *c, uint32_t job,
                uint32_t step) {
        for (struct job *j = c->agent->jobs; j; j = j->next) {
                struct stepmgr_step *s = j->id == job && j->stepmgr
                                                         ? stepmgr_step_find(j->stepmgr, step)
                                                         : NULL;
                if (s && s->client == c)
                        return s;
        }
        return NULL;
}

/* Carries out srun's scancel or signal for its step here. */
bool stepmgr_handle_action(struct client *c, const Envelope *env) {
        const Slumber__JobAction *m = env->job_action;
        bool of_one = m->n_ids == 1 && m->step;
        struct stepmgr_step *s = of_one ? stepmgr_step_find_client(c, m->ids[0],
                                                          (uint32_t)m->step->value)
                                        : NULL;
        Slumber__JobActionReply done = SLUMBER__JOB_ACTION_REPLY__INIT;

        if (!s)
                return false;
        if (m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL && !s->over) {
                s->cancelled_by = c->uid + 1;
                parts_end_unsent(s, SIGKILL);
                parts_signal(s, m->signal == SIGKILL ? SIGKILL : 0, true);
        } else if (m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL && !s->over) {
                if (!m->sent)
                        parts_signal(s, m->signal, false);
        }
        ENVELOPE(answer, JOB_ACTION_REPLY, job_action_reply, &done);
        answer.reply_to = env->id;
        if (env->id)
                client_answer(c, &answer);
        return true;
}

/* ---- the job's life ---- */

/* The time in which other nodes, ended by the controller too, may report their steps' ends. */
static bool stepmgr_may_await_ends(struct stepmgr *k) {
        const struct agent *a = k->job->agent;

        if (!k->settle_by)
                k->settle_by = now_monotonic() + a->kill_wait + SETTLE_TIME;
        return now_monotonic() < k->settle_by;
}

static void part_end_with_job(struct stepmgr_step *s, size_t i) {
        struct step *step = part_is_here(s, i) ? stepmgr_step_daemon(s) : NULL;

        if (step && step->ended)
                part_record_end(s, i, step->ended, true);
        else if (part_is_here(s, i) || s->parts[i].state == PART_UNSENT ||
                        !stepmgr_may_await_ends(s->stepmgr))
                part_end_unlaunched(s, i, SIGKILL);
}

bool stepmgr_end_steps(struct stepmgr *k) {
        struct stepmgr_step *s, *after;
        bool all = true;

        k->ends = true;
        for (s = TAILQ_FIRST(&k->steps); s; s = after) {
                after = TAILQ_NEXT(s, next);
                if (!s->started) {
                        stepmgr_refuse(s->client, s->request, SLUMBER_JOB_ENDED, "");
                        stepmgr_step_free(s);
                        continue;
                }
                for (size_t i = 0; i < s->row->n_nodes; i++)
                        if (s->parts[i].state != PART_OVER)
                                part_end_with_job(s, i);
                all &= s->over;
                stepmgr_step_release_abandoned(s);
        }
        return all;
}

void stepmgr_release_steps(struct stepmgr *k) {
        struct stepmgr_step *s, *after;

        for (s = TAILQ_FIRST(&k->steps); s; s = after) {
                after = TAILQ_NEXT(s, next);
                stepmgr_step_release(s);
        }
}

/* Does the due work of a started step; returns the time of the next work. */
static usec_t stepmgr_step_do_due_work(struct stepmgr_step *s, usec_t now) {
        struct step *step = stepmgr_step_daemon(s);

        bool may_come = s->stepmgr->state_unknown ||
                        stepmgr_job_is_frozen(s->stepmgr); /* again when the job resumes */

        if (s->orphan_due && s->orphan_due <= now && !may_come) {
                stepmgr_step_abandon(s); /* s may be freed */
                return USEC_INFINITY;
        }
        usec_t due = s->orphan_due && !may_come ? s->orphan_due : USEC_INFINITY,
               later = parts_do_due_work(s, now);
        due = MIN(due, later);
        for (size_t i = 0; i < s->row->n_nodes; i++) {
                if (s->parts[i].state == PART_OVER)
                        continue;
                if (s->parts[i].unlaunched)
                        part_end_unlaunched(s, i, s->parts[i].status);
                else if (step && step->ended && part_is_here(s, i))
                        part_record_end(s, i, step->ended, false);
        }
        stepmgr_step_release_abandoned(s);
        return due;
}

void stepmgr_do_due_work(struct stepmgr *k) {
        usec_t now = now_monotonic(), due = USEC_INFINITY;
        struct stepmgr_step *s, *after;

        for (s = TAILQ_FIRST(&k->steps); s; s = after) {
                after = TAILQ_NEXT(s, next);
                if (!s->started)
                        continue;
                usec_t its = stepmgr_step_do_due_work(s, now); /* s may be freed */
                due = MIN(due, its);
        }
        if (stepmgr_queue_is_on_hold(k, now))
                due = MIN(due, k->queue_held_until ? k->queue_held_until : USEC_INFINITY);
        stepmgr_arm_timer(k, due);
}

/* ---- after a restart ---- */

int stepmgr_step_restore(struct stepmgr_step *s, const Slumber__MadeStep *m) {
        s->spec = step_spec_shorten(m);
        s->row = m;
        s->held = m->held;
        s->exits_sent = bitset_new(m->num_tasks);
        int r = stepmgr_job_restore_step(s->stepmgr->model, m);
        if (r >= 0)
                parts_allocate(s);
        return r;
}

int stepmgr_step_restore_end(struct stepmgr_step *s, const Slumber__StepEnded *m) {
        size_t i = part_find_by_node(s, m->node);

        if (i == s->row->n_nodes || s->parts[i].state == PART_OVER)
                return -EBADMSG;
        part_count_end(s, i, m);
        return 0;
}

void stepmgr_await_sruns(struct stepmgr *k) {
        struct stepmgr_step *s;

        TAILQ_FOREACH(s, &k->steps, next) {
                stepmgr_step_await_srun(s);
                for (size_t i = 0; i < s->row->n_nodes; i++)
                        if (s->parts[i].state != PART_OVER && !part_is_here(s, i))
                                part_ask_soon(s, i);
        }
}
