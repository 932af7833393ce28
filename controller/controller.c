/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event loop, from the first change of a turn to the replies.
 *
 *   message or timer      -> the cluster changes, replies are put into the outbox,
 *                            controller_changed()
 *   controller_end_turn() -> turn(): consequences; save_changes(): rows to the store; outbox_seal()
 *   durable()             -> outbox_release(): replies and effects are sent
 *
 * controller_end_turn() runs when no input is waiting, or TURN_MAX after the first change: many
 * requests share a batch, none waits long.  After large batches more requests are gathered, see
 * pace.h. */
#include "controller/controller.h"

#include "controller/agents/agent_config.h"
#include "controller/agents/agents.h"
#include "controller/agents/bmc_requests.h"
#include "controller/agents/dynamic.h"
#include "controller/agents/followers.h"
#include "controller/agents/login.h"
#include "controller/agents/rival.h"
#include "controller/clusters/links.h"
#include "controller/effects.h"
#include "controller/launch/first_step.h"
#include "controller/launch/run.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/step_stats.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/controller.h"

#include "controller/backup.h"
#include "controller/check.h"
#include "controller/indexes/listen.h"
#include "controller/loop/call_stats.h"
#include "controller/loop/memory.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/node_log.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/reboot.h"
#include "controller/power_save/power_save.h"
#include "controller/programs/audit.h"
#include "controller/programs/gather.h"
#include "controller/programs/hook_programs.h"
#include "controller/programs/mail.h"
#include "controller/programs/outcomes.h"
#include "controller/programs/power_file.h"
#include "controller/programs/program.h"
#include "controller/programs/running.h"
#include "controller/programs/trigger_programs.h"
#include "controller/reading.h"
#include "controller/records/acct_rows.h"
#include "controller/records/identity.h"
#include "controller/records/instances.h"
#include "controller/records/job_rows.h"
#include "controller/records/past_question.h"
#include "controller/requests/parked.h"
#include "controller/requests/plan_requests.h"
#include "controller/requests/requests.h"
#include "controller/state.h"
#include "controller/store/accounting.h"
#include "controller/store/lease.h"
#include "controller/submit/rules.h"
#include "controller/turn/turn.h"
#include "lib/log.h"
#include "lib/process.h"

#include <pwd.h>
#include <sys/random.h>
#include <systemd/sd-daemon.h>

#define TURN_MAX (2 * USEC_PER_MSEC)
/* A shorter delay of the loop is caused by work, not by a stop. */
#define PAUSE_MIN    (USEC_PER_SEC / 2)
#define ENERGY_WAITS USEC_PER_SEC
/* a store silent for longer is treated as failed */
#define UNWRITTEN_MAX (5 * USEC_PER_SEC)

/* Returns whether the state is older than the knowledge of slumberds (agents/newer.h): slumberctld
   is halted. */
static bool controller_is_halted(const struct controller *ctl) {
        return ctl->identity->newer.node;
}

/* Sets when the loop should run next, also for heartbeats.  next: the cluster's next deadline. */
static void expect_to_run(struct controller *ctl, usec_t next) {
        usec_t now = now_boottime(),
               at = next == USEC_INFINITY ? next : controller_boottime(ctl, next);

        if (ctl->beats_at > now)
                at = MIN(at, ctl->beats_at);
        ctl->runs_by = MAX(at, now);
}

static void controller_arm_timer(struct controller *ctl) {
        usec_t next = controller_is_halted(ctl) ? USEC_INFINITY
                                                : cluster_next_deadline(ctl->cluster);

        expect_to_run(ctl, next);
        if (next == USEC_INFINITY) {
                (void)sd_event_source_set_enabled(ctl->timer, SD_EVENT_OFF);
                return;
        }
        (void)sd_event_source_set_time(ctl->timer, controller_boottime(ctl, next));
        (void)sd_event_source_set_enabled(ctl->timer, SD_EVENT_ONESHOT);
}

static void reconfigure_when_quiet(struct controller *ctl);
static void expect_heartbeats(struct controller *ctl);

/* A stop of slumberctld or the machine has delayed slumberds' messages, too: the messages are read
   before deadlines are judged. */
static void controller_look_for_pause(struct controller *ctl) {
        usec_t now = now_boottime(), stood = now - MIN(now, ctl->runs_by);

        if (stood < PAUSE_MIN)
                return;
        log_warning(0, "The controller stood still for %.1f s; what fell due meanwhile waits for the agents",
                        (double)stood / USEC_PER_SEC);
        ctl->runs_by = USEC_INFINITY;
        expect_heartbeats(ctl);
        listen_begin(ctl->cluster, stood, controller_now(ctl));
        controller_changed(ctl);
}

/* Measures the time of the plan, because the pure rooms have no clock. */
static void time_plan(bool begins, void *user) {
        struct controller *ctl = user;
        struct plan_times *t = &ctl->cycles.plan;
        uint64_t cycles = ctl->cluster->counts.plan.cycles;

        if (begins) {
                t->began = now_monotonic();
                t->seen = cycles;
                return;
        }
        t->now += now_monotonic() - t->began;
        if (t->seen == cycles)
                return;
        t->last = t->now;
        t->most = MAX(t->most, t->last);
        t->sum += t->last;
        t->now = 0;
}

static void renumber_runs(const struct job *j, const struct bitset *keep, void *user) {
        runs_renumber(user, j, keep);
}

static void timed_turn(struct controller *ctl) {
        struct cycles *s = &ctl->cycles;
        uint64_t passes = ctl->cluster->counts.passes;
        usec_t begin = now_monotonic();

        ctl->cluster->plan_runs = time_plan;
        ctl->cluster->plan_user = ctl;
        ctl->cluster->job_shrunk = renumber_runs;
        ctl->cluster->job_shrunk_user = ctl;
        turn(ctl->cluster, controller_now(ctl));
        if (!s->since)
                s->since = controller_now(ctl);
        if (ctl->cluster->counts.passes == passes)
                return;
        s->last = now_monotonic() - begin;
        s->most = MAX(s->most, s->last);
        s->sum += s->last;
        s->n++;
}

/* Data that the disk does not accept is not acknowledged: no slumberd or program can answer in
   time, so deadlines are held. */
static void look_for_fault(struct controller *ctl) {
        usec_t since = ctl->unwritten_since, waits = since ? now_boottime() - since : 0;

        if (waits && (ctl->store_failed || waits > UNWRITTEN_MAX))
                listen_hold(ctl->cluster, controller_now(ctl) - waits);
}

static void note_written(struct controller *ctl, uint64_t durable) {
        if (durable >= ctl->last_batch)
                ctl->unwritten_since = 0;
        else if (!ctl->unwritten_since)
                ctl->unwritten_since = now_boottime();
}

/* Stores the energy of nodes whose jobs have just begun or ended.  After a crash before the store
   the values are derived from the jobs (records_settle()); a job that begins on many nodes does not
   wait. */
static int on_energy(sd_event_source *s, uint64_t usec, void *user) {
        struct controller *ctl = user;

        note_nodes(ctl->cluster, FACT_NODE_RECORD, follows_nodes(ctl->cluster, FOLLOW_STORE_LATER));
        follows_nodes_done(ctl->cluster, FOLLOW_STORE_LATER);
        controller_changed(ctl);
        return 0;
}

static void store_energy_later(struct controller *ctl) {
        int on = SD_EVENT_OFF;

        if (bitset_empty(follows_nodes(ctl->cluster, FOLLOW_STORE_LATER)) ||
                        (sd_event_source_get_enabled(ctl->energy, &on) >= 0 && on != SD_EVENT_OFF))
                return;
        (void)sd_event_source_set_time(ctl->energy, now_boottime() + ENERGY_WAITS);
        (void)sd_event_source_set_enabled(ctl->energy, SD_EVENT_ONESHOT);
}

static void controller_end_turn(struct controller *ctl) {
        ctl->changed_since = 0;
        (void)sd_event_source_set_enabled(ctl->defer, SD_EVENT_OFF);
        (void)sd_event_source_set_enabled(ctl->post, SD_EVENT_OFF);
        (void)sd_event_source_set_enabled(ctl->gathering_ends, SD_EVENT_OFF);
        controller_look_for_pause(ctl);
        wall_clock_check(ctl);
        look_for_fault(ctl);
        if (!controller_is_halted(ctl)) {
                timed_turn(ctl);
                first_steps_begin(ctl);
                runs_settle(ctl);
                runs_retry_ports(ctl);
        }
        usec_t began = now_monotonic();
        save_changes(ctl);
        usec_t saved = now_monotonic();
        pace_next(&ctl->pace, saved, saved - began);
        uint64_t batch = ctl->last_batch = store_commit(ctl->store);
        identity_seal(ctl->identity, ctl->cluster, batch);
        if (controller_is_halted(ctl))
                effects_done(&ctl->cluster->effects);
        note_written(ctl, store_durable(ctl->store));
        outbox_seal(ctl, batch);
        job_rows_seal(ctl, batch);
        outbox_release(ctl, store_durable(ctl->store));
        if (ctl->store_failed)
                outbox_tell_why(ctl, ctl->store_failed);
        reconfigure_when_quiet(ctl);
        store_energy_later(ctl);
        controller_arm_timer(ctl);
}

static int on_gathered(sd_event_source *s, uint64_t usec, void *user) {
        controller_end_turn(user);
        return 0;
}

static int on_defer(sd_event_source *s, void *user) {
        struct controller *ctl = user;
        usec_t wait = pace_wait(&ctl->pace, now_monotonic());

        if (wait == 0)
                controller_end_turn(ctl);
        else {
                (void)sd_event_source_set_time_relative(ctl->gathering_ends, wait);
                (void)sd_event_source_set_enabled(ctl->gathering_ends, SD_EVENT_ONESHOT);
        }
        return 0;
}

/* Runs after every other source after a change: a steady stream of requests must not postpone the
   end of the turn. */
static int on_post(sd_event_source *s, void *user) {
        struct controller *ctl = user;
        usec_t now = now_monotonic();

        if (ctl->changed_since && now - ctl->changed_since > TURN_MAX &&
                        pace_wait(&ctl->pace, now) == 0)
                controller_end_turn(ctl);
        return 0;
}

static int controller_on_timer(sd_event_source *s, uint64_t usec, void *user) {
        controller_changed(user);
        return 0;
}

static void on_durable(uint64_t batch, void *user) {
        struct controller *ctl = user;

        primary_confirm(ctl);
        if (ctl->store_failed)
                log_info("The state is written again");
        ctl->store_failed = 0;
        ctl->unwritten_since = 0; /* later data is younger */
        note_written(ctl, batch);
        identity_durable(ctl->identity, batch);
        if (ctl->cluster->listen.held) {
                listen_release(ctl->cluster, controller_now(ctl));
                controller_changed(ctl);
        }
        outbox_release(ctl, batch);
        job_rows_durable(ctl, batch);
        reconfigure_when_quiet(ctl);
}

static void on_store_failed(int r, const char *why, void *user) {
        struct controller *ctl = user;

        ctl->store_failed = r;
        if (r == -ESTALE)
                primary_lost(why, ctl);
        log_error(r, "The state cannot be written, nothing is acknowledged until it can: %s", why);
        outbox_tell_why(ctl, r);
}

/* Returns the time between heartbeats of a slumberd: three fit into SlurmdTimeout (0 = no
   limit). */
static usec_t heartbeat_interval(const struct config *config) {
        usec_t limit = config->slurmd_timeout, wanted = config->site.heartbeat;

        return limit ? MIN(wanted, limit / 3) : wanted;
}

/* Looks for local commands known to the last controller: no connection reports the end of a command
   that has not reconnected yet. */
static void look_for_commands(struct controller *ctl) {
        bool holders = watch_look_for_holders(ctl), runs = runs_look_for_commands(ctl);

        ctl->commands_away = holders || runs;
}

/* Drops silent slumberds: SlurmdTimeout is the limit.  A slumberd that would exceed the limit at
   the next check is dropped now. */
static int controller_on_heartbeat(sd_event_source *s, uint64_t usec, void *user) {
        struct controller *ctl = user;
        usec_t limit = ctl->cluster->config->slurmd_timeout,
               next = heartbeat_interval(ctl->cluster->config);

        controller_look_for_pause(ctl);
        usec_t now = now_monotonic();
        for (size_t i = 0; limit && i < ctl->cluster->n_nodes; i++) {
                struct peer *p = ctl->agents[i];
                if (!p || !p->conn || now - p->heard + next <= limit)
                        continue;
                log_fields(LOG_WARNING, 0, 0, p->node->name, "Agent %s has been silent for %llu s",
                                p->node->name,
                                (unsigned long long)((now - p->heard) / USEC_PER_SEC));
                p->silent = now - p->heard;
                peer_drop(ctl, p);
        }
        wall_clock_check(ctl);
        parked_expire(ctl);
        watch_ask_holders(ctl);
        if (ctl->commands_away)
                look_for_commands(ctl);
        if (!ctl->changed_since) /* idle */
                memory_review();
        ctl->beats_at = MAX(usec + next, now_boottime());
        (void)sd_event_source_set_time(s, ctl->beats_at);
        expect_to_run(ctl, cluster_next_deadline(ctl->cluster));
        (void)sd_event_source_set_enabled(s, SD_EVENT_ONESHOT);
        return 0;
}

/* SlurmdTimeout has changed: the silence allowed by the old value is not counted. */
static void expect_heartbeats(struct controller *ctl) {
        usec_t now = now_monotonic();

        for (size_t i = 0; i < ctl->cluster->n_nodes; i++)
                if (ctl->agents[i])
                        ctl->agents[i]->heard = now;
        ctl->beats_at = now_boottime() + heartbeat_interval(ctl->cluster->config);
        (void)sd_event_source_set_time(ctl->heartbeat, ctl->beats_at);
}

/* A command has gone: the jobs that the command holds end.  all: the connection p has ended; a
   command relayed by slumberd may come back. */
static void client_gone(struct controller *ctl, struct peer *p, uint64_t client, bool all) {
        struct address from = { p, client, 0 };
        bool for_good = !all || p->local;

        parked_client_gone(ctl, p, client, all);
        rules_client_gone(ctl, p, client, all);
        plan_client_gone(ctl, p, client, all);
        bmc_client_gone(ctl, p, client, all);
        x11_client_gone(ctl, p, client, all);
        links_client_gone(ctl, p, client, all);
        watches_client_gone(ctl, p, client, all);
        if (!all) {
                runs_client_gone(ctl, &from, true);
                return;
        }
        for (size_t i = ctl->n_runs; i-- > 0;)
                if (i < ctl->n_runs && ctl->runs[i]->to.peer == p)
                        runs_client_gone(ctl, &ctl->runs[i]->to, for_good);
}

static void tell_clock(struct controller *ctl) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;

        beat.now = controller_now(ctl);
        for (size_t i = 0; i < ctl->cluster->n_nodes; i++) {
                ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
                (void)agent_send(ctl, ctl->cluster->nodes[i], &env);
        }
}

static void clock_set(struct controller *ctl, int64_t by) {
        outcomes_clock_set(ctl, by);
        audit_clock_set(ctl, by);
        save_clock(ctl);
        tell_clock(ctl);
}

static const struct controller_ops controller_ops = {
        .before_message = controller_look_for_pause,
        .message = request_handle,
        .closed = agent_closed,
        .client_gone = client_gone,
        .carry_out = effect_carry_out,
        .clock_set = clock_set,
};

static int add_sources(struct controller *ctl) {
        int r = sd_event_add_time(ctl->event, &ctl->timer, CLOCK_BOOTTIME, 0, 1,
                        controller_on_timer, ctl);

        if (r >= 0)
                r = sd_event_add_time(ctl->event, &ctl->energy, CLOCK_BOOTTIME, 0, 1, on_energy,
                                ctl);
        if (r >= 0)
                r = sd_event_source_set_enabled(ctl->energy, SD_EVENT_OFF);
        if (r >= 0)
                r = sd_event_add_defer(ctl->event, &ctl->defer, on_defer, ctl);
        if (r >= 0)
                r = sd_event_source_set_priority(ctl->defer, SD_EVENT_PRIORITY_IDLE);
        if (r >= 0)
                r = sd_event_add_post(ctl->event, &ctl->post, on_post, ctl);
        if (r >= 0)
                r = sd_event_add_time(ctl->event, &ctl->gathering_ends, CLOCK_MONOTONIC, 0, 1,
                                on_gathered, ctl);
        if (r >= 0)
                r = sd_event_source_set_enabled(ctl->gathering_ends, SD_EVENT_OFF);
        if (r >= 0)
                r = sd_event_add_time_relative(ctl->event, &ctl->heartbeat, CLOCK_BOOTTIME,
                                heartbeat_interval(ctl->cluster->config), USEC_PER_SEC / 10,
                                controller_on_heartbeat, ctl);
        return r;
}

/* A wrong power.yaml prevents waking only: the start continues, and the brake stops waking
   (nodes/brake.h). */
static void check_power(struct config *config) {
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };

        (void)power_file_check(config, &fail);
        for (size_t i = 0; i < faults.n; i++)
                log_error(0, "%s", faults.lines[i]);
        faults_done(&faults);
}

static void log_warnings(const struct controller *ctl) {
        const struct config *config = ctl->cluster->config;

        for (size_t i = 0; i < config->n_warnings; i++)
                log_told(LOG_WARNING, config->warnings[i]);
        if (config->n_controllers > 1 && !config->site.store)
                log_warning(0, "SlurmctldHost: backup controllers need a store in PostgreSQL (store of slumber.yaml): %s works alone",
                                config->controller_host);
        _cleanup_free_ char *slurms = state_of_slurm(config);
        if (slurms)
                log_told(LOG_WARNING, slurms);
        struct fail why = { 0 };
        /* many hosts have no mail */
        if (!streq(config->mail_prog, "/bin/mail") && program_check(config->mail_prog, &why) < 0)
                log_warning(0, "MailProg: %s: no mail will be sent", why.text);
        if (ctl->cluster->power_save)
                log_info("Power saving is on");
        else
                log_info("Power saving is off: %s", ctl->cluster->power_save_off_because);
}

/* credential.key in the state folder is created at the first start: last, when all else has
   succeeded. */
static int open_signing_key(struct controller *ctl, struct fail *fail) {
        if (ctl->signing_key) /* the store had it */
                return 0;
        _cleanup_free_ char *path = xasprintf("%s/credential.key",
                        ctl->cluster->config->state_save_location);

        return credential_key_load(path, &ctl->signing_key, fail);
}

static int open_cluster_key(struct controller *ctl, struct fail *fail) {
        _cleanup_free_ char *path = cluster_key_path(ctl->cluster->config->site.key_file);

        return ctl->cluster_key ? 0 : cluster_key_read(path, &ctl->cluster_key, fail);
}

static int accept_older(int r, const struct controller_start *how, const struct fail *fail) {
        if (r != -ESTALE || !how->accept_state)
                return r;
        log_warning(0, "--accept-state: %s", fail->text);
        return 0;
}

/* State to be forgotten may be of any age. */
static int controller_check_state(struct controller *ctl, const struct controller_start *how,
                struct fail *fail) {
        int r = how->forget ? 0 : accept_older(store_check(ctl->store, fail), how, fail);

        return r < 0 || !ctl->accounting
                               ? r
                               : accept_older(accounting_check(ctl->accounting, fail), how, fail);
}

/* Sets the next job id behind every id in any of the files. */
static int raise_next_id(struct controller *ctl, struct fail *fail) {
        uint64_t kept = 0, last = store_last_job(ctl->store);
        int r = ctl->accounting ? accounting_last_job(ctl->accounting, &kept, fail) : 0;

        last = MAX(last, kept);
        if (r < 0 || last < ctl->cluster->next_job_id || last >= UINT32_MAX)
                return r;
        log_warning(0, "--accept-state: JobId=%u to %llu were given already; the next is behind these",
                        ctl->cluster->next_job_id, (unsigned long long)last);
        ctl->cluster->next_job_id = (uint32_t)last + 1;
        return 0;
}

static int begin_generation(struct controller *ctl, const struct controller_start *how,
                struct fail *fail) {
        uint64_t numbers[IDENTITY_RANDOM];
        uint32_t next = ctl->cluster->next_job_id;

        /* Two starts must not have equal numbers. */
        if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers)
                return fail_set(fail, -EIO, "cannot get random numbers for the state: %s",
                                strerror(errno));
        ctl->identity->accepts = how->accept_state;
        identity_begin(ctl->identity, ctl->cluster, numbers);
        if (ctl->cluster->next_job_id != next)
                log_warning(0, "--accept-state: agents know of jobs up to JobId=%u; the next one has JobId=%u",
                                ctl->cluster->next_job_id - 1, ctl->cluster->next_job_id);
        return 0;
}

/* Steps that leave traces come after steps that only check. */
static int open_all(struct controller *ctl, const struct controller_start *how, struct fail *fail) {
        static const struct store_ops ops = { on_durable, on_store_failed };
        const char *folder = ctl->cluster->config->state_save_location;
        int r = open_cluster_key(ctl, fail);

        if (r >= 0)
                r = store_open(folder, ctl->cluster->config->site.store, ctl->event, &ops, ctl,
                                &ctl->store, fail);
        if (r >= 0)
                r = primary_begin(ctl, fail);
        if (r >= 0)
                r = instances_open(ctl, fail);
        if (r >= 0)
                r = controller_check_state(ctl, how, fail);
        if (r >= 0)
                r = acct_load(ctl, fail);
        if (r >= 0)
                r = job_rows_open(ctl, fail);
        if (r >= 0 && !how->forget)
                r = load_state(ctl, how->any_name, fail);
        if (r >= 0 && !how->forget && how->accept_state)
                r = raise_next_id(ctl, fail);
        if (r >= 0)
                r = begin_generation(ctl, how, fail);
        if (r >= 0)
                r = peers_listen(ctl, fail);
        if (r >= 0)
                r = open_signing_key(ctl, fail);
        if (r >= 0 && how->forget)
                r = store_clear(ctl->store, fail);
        if (r >= 0)
                r = hook_programs_open(ctl, fail);
        if (r < 0)
                return r;
        links_configure(ctl);
        ctl->calls = call_stats_new();
        r = users_new(ctl->event, requests_unpark, ctl, &ctl->users);
        if (r >= 0)
                r = add_sources(ctl);
        if (r >= 0)
                r = audit_new(ctl);
        return r < 0 ? fail_set(fail, r, "cannot make event sources: %s", strerror(-r)) : 0;
}

static void learn_name(struct controller *ctl, uid_t uid) {
        const struct passwd *pw = getpwuid(uid);

        if (pw)
                users_learn(ctl->users, uid, pw->pw_name);
}

/* Looks up users who set reasons before this start; no request is waiting yet. */
static void learn_names(struct controller *ctl) {
        uid_t last = ctl->cluster->config->slurm_uid;

        learn_name(ctl, last);
        for (size_t i = 0; i < ctl->cluster->n_nodes; i++) {
                const struct node *n = ctl->cluster->nodes[i];
                if (!n->reason || n->reason_uid == last || users_name(ctl->users, n->reason_uid))
                        continue;
                last = n->reason_uid;
                learn_name(ctl, last);
        }
}

static void accounts_accepted(int r, const char *why, void *user) {
        if (r < 0)
                log_error(r, "--accept-state is needed once more, for the accounts: %s", why);
}

static void accounts_begun(int r, const char *why, void *user) {
        if (r < 0)
                log_error(r, "the accounts are new, and cannot be written: %s", why);
}

/* Sets members known before anything is opened. */
static void controller_set_up(struct controller *ctl, const struct config *config,
                const struct controller_start *how) {
        char host[256] = "";

        ctl->ops = &controller_ops;
        ctl->identity = xnew0(struct identity, 1);
        wall_clock_start(ctl);
        ctl->process_space = process_space();
        ctl->runs_by = USEC_INFINITY;
        ctl->boot_time = controller_now(ctl);
        ctl->conf_path = xstrdup(config->path);
        ctl->cluster_key = how->key;
        (void)gethostname(host, sizeof host - 1);
        ctl->host = controllers_are_several(config) ? xstrdup(config->controller_host)
                                                    : xstrndup(host, strcspn(host, "."));
        ctl->slurm_gid = getegid(); /* set by slurm_user_become() */
        mails_start(ctl);
}

static void controller_resume_work(struct controller *ctl) {
        if (controller_is_halted(ctl)) {
                _cleanup_free_ char *text = identity_text(ctl->identity, ctl->cluster);
                log_error(0, "Nothing is scheduled: %s", text);
                return;
        }
        power_save_restart(ctl->cluster, controller_now(ctl));
        reboot_restart(ctl->cluster, controller_now(ctl));
        listen_begin(ctl->cluster, 0, controller_now(ctl));
        look_for_commands(ctl);
}

int controller_new(struct config *config, const struct controller_start *how,
                struct controller **ret, struct fail *fail) {
        _cleanup_(controller_freep) struct controller *ctl = xnew0(struct controller, 1);
        _cleanup_(config_freep) struct config *mine = config;

        controller_set_up(ctl, config, how);
        /* a default event loop would query the thread in each round */
        int r = sd_event_new(&ctl->event);
        if (r < 0)
                return fail_set(fail, r, "cannot make an event loop: %s", strerror(-r));
        r = programs_drop_missing(config, fail);
        if (r >= 0)
                r = cluster_new(config, controller_now(ctl), &ctl->cluster, fail);
        if (r < 0)
                return r;
        (void)TAKE(mine);
        ctl->agents = xnew0(struct peer *, ctl->cluster->n_nodes);
        r = open_all(ctl, how, fail);
        if (r < 0)
                return r;
        check_power(ctl->cluster->config);
        log_warnings(ctl);
        save_identity(ctl);
        save_clock(ctl);
        if (controllers_are_several(ctl->cluster->config))
                save_host(ctl);
        learn_names(ctl);
        bool new_accounts = ctl->accounting && accounting_is_new(ctl->accounting);
        r = instances_start(ctl, fail); /* may write */
        if (r >= 0 && ctl->accounting)
                r = accounting_start(ctl->accounting, fail);
        if (r >= 0)
                r = store_start(ctl->store, fail); /* last step that may fail */
        if (r < 0)
                return r;
        /* accounts might not be written for long otherwise */
        if (how->accept_state && ctl->accounting)
                accounting_rows_write(ctl->accounting, NULL, 0, accounts_accepted, ctl);
        else if (new_accounts)
                accounting_rows_write(ctl->accounting, NULL, 0, accounts_begun, ctl);
        trigger_programs_sweep(ctl);
        controller_resume_work(ctl);
        if (followers_call(ctl) < 0)
                log_warning(0, "Nodes cannot be told that %s is primary",
                                ctl->cluster->config->controller_host);
        controller_changed(ctl);
        ctl->started = true;
        *ret = TAKE(ctl);
        return 0;
}

static struct bitset *nodes_that_stay(const struct controller *ctl, const struct config *config) {
        struct bitset *stay = bitset_new(ctl->cluster->n_nodes);

        for (size_t i = 0; i < config->n_nodes; i++) {
                const struct node *node = cluster_node(ctl->cluster, config->nodes[i].name);
                if (node)
                        bitset_add(stay, node->index);
        }
        return stay;
}

/* Returns the slumberds of nodes to be removed: found while the nodes exist, dropped afterwards. */
static struct peer **find_strangers(const struct controller *ctl, const struct bitset *stay,
                size_t *ret_n) {
        struct peer **list = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *p = ctl->peers[i];
                if (!p->node || bitset_has(stay, p->node->index))
                        continue;
                GROW(list, allocated, n);
                list[n++] = p;
        }
        *ret_n = n;
        return list;
}

static void send_agent_configs(struct controller *ctl) {
        for (size_t i = 0; i < ctl->cluster->n_nodes; i++) {
                Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
                Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;

                if (!ctl->agents[i])
                        continue;
                node_check_abilities(ctl->cluster, ctl->cluster->nodes[i], controller_now(ctl));
                agent_say_unheeded(ctl, ctl->cluster->nodes[i]);
                agent_config_fill(ctl, ctl->cluster->nodes[i], &c, &hw);
                ENVELOPE(env, AGENT_CONFIG, agent_config, &c);
                (void)agent_send(ctl, ctl->cluster->nodes[i], &env);
                agent_config_done(&c);
        }
        login_configs_send(ctl);
}

/* Settings that a running daemon cannot change. */
static int check_restart(const struct config *old, const struct config *config, struct fail *fail) {
        const struct {
                const char *key;
                bool changed;
        } keys[] = {
                { "ClusterName", !streq(config->cluster_name, old->cluster_name) },
                { "SlurmUser", config->slurm_uid != old->slurm_uid },
                { "SlurmctldHost", !streq(strna(config->controller_address),
                                                   strna(old->controller_address)) },
                { "the number of SlurmctldHost lines",
                                config->n_controllers != old->n_controllers },
                { "SlurmctldPort", config->slurmctld_port != old->slurmctld_port },
                { "StateSaveLocation",
                                !streq(config->state_save_location, old->state_save_location) },
                { "AccountingStorageType", config->accounting_off != old->accounting_off },
                { "SelectType", config->select_type != old->select_type },
                { "PreemptType", config->preempt_type != old->preempt_type },
                { "socket of slumber.yaml", !streq(config->site.socket, old->site.socket) },
                { "key_file of slumber.yaml",
                                !streq(strna(config->site.key_file), strna(old->site.key_file)) },
                { "store of slumber.yaml",
                                !streq(strna(config->site.store), strna(old->site.store)) },
        };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].changed)
                        return fail_set(fail, -EINVAL,
                                        "%s: %s can only be changed by a restart of slumberctld; the old "
                                        "configuration stays in force",
                                        config->path, keys[i].key);
        return 0;
}

static void publish_plugins(struct controller *ctl) {
        struct fail fail = { 0 };

        if (peers_publish_plugins(ctl, &fail) < 0)
                log_error(0, "Commands of this host do not find plugstack.conf: %s", fail.text);
}

static int controller_reconfigure(struct controller *ctl, struct fail *fail) {
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_(bitset_freep) struct bitset *stay = NULL;
        _cleanup_free_ struct peer **strangers = NULL;
        const struct config *old = ctl->cluster->config;
        size_t n;
        int r = reading_take(ctl, &config, fail);

        if (r >= 0)
                r = controllers_choose(config, old->controller_host, fail);

        if (r < 0)
                return r;
        r = check_restart(old, config, fail);
        if (r >= 0)
                r = dynamic_keep(old, config, fail);
        if (r < 0)
                return r;
        bool other_beat = heartbeat_interval(config) != heartbeat_interval(old) ||
                          config->slurmd_timeout != old->slurmd_timeout;
        stay = nodes_that_stay(ctl, config);
        strangers = find_strangers(ctl, stay, &n);
        _cleanup_(hostlist_freep) struct hostlist *gone = instances_of(ctl, stay);
        running_count(ctl, -1);
        r = cluster_reconfigure(ctl->cluster, config, controller_now(ctl), fail);
        running_count(ctl, 1);
        if (r < 0)
                return r;
        (void)TAKE(config);
        instances_gone(ctl, gone);
        for (size_t i = 0; i < n; i++)
                strangers[i]->node = NULL;
        for (size_t i = 0; i < n; i++)
                peer_drop(ctl, strangers[i]);
        controller_nodes_changed(ctl);
        ctl->dynamic_changed = true; /* slurm.conf may name a dynamic node now */
        users_outdate(ctl->users);
        rules_reconfigured(ctl);
        links_configure(ctl);
        if (ctl->usual_log_level)
                log_set_level(ctl->usual_log_level);
        ctl->usual_log_level = 0;
        log_warnings(ctl);
        acct_tell_missing(ctl->cluster);
        send_agent_configs(ctl);
        publish_plugins(ctl);
        if (other_beat)
                expect_heartbeats(ctl);
        controller_changed(ctl);
        return 0;
}

static void begin_reading(struct controller *ctl) {
        (void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
                        (unsigned long long)now_monotonic());
        reading_begin(ctl);
}

static void log_refused(const struct fail *fail) {
        for (size_t i = 0; i < fail->all->n || i == 0; i++) {
                _cleanup_free_ char *line = xasprintf("The configuration is not taken over: %s",
                                fail->all->n ? fail->all->lines[i] : fail->text);
                log_told(LOG_ERR, line);
        }
}

static void read_again(struct controller *ctl) {
        struct fail fail = { 0 };
        int r = controller_reconfigure(ctl, &fail);

        if (r < 0)
                log_refused(&fail);
        else
                log_info("The configuration was read again");
        (void)sd_notify(0, "READY=1");
        reading_end(ctl, r, &fail);
        if (ctl->reconfigure_wanted)
                begin_reading(ctl);
}

/* Waiting effects name nodes, which may be removed: all effects must have been carried out. */
static void reconfigure_when_quiet(struct controller *ctl) {
        if (ctl->reconfigure_wanted && !ctl->reading && !ctl->stopping)
                begin_reading(ctl);
        bool read = reading_is_over(ctl);

        if ((!read && !ctl->n_node_changes) || ctl->n_out || ctl->cluster->effects.n ||
                        ctl->stopping)
                return;
        gather_flush(ctl); /* gathered programs name nodes, too */
        if (read)
                read_again(ctl);
        else
                dynamic_apply(ctl);
}

/* The state folder is released last: the next controller that gets the folder then has the sockets
   and the accounts to itself, too. */
static void controller_close_all(struct controller *ctl) {
        _cleanup_(store_closep) struct store *store = NULL;

        ctl->lease = lease_free(ctl->lease);
        if (ctl->started) {
                node_log_tell(ctl->cluster, USEC_INFINITY);
                save_changes(ctl);
                uint64_t batch = store_commit(ctl->store);
                outbox_seal(ctl, batch);
                job_rows_seal(ctl, batch);
                store_finish(ctl->store);
                store = TAKE(ctl->store);
                job_rows_close(ctl);
                ctl->accounting = accounting_close(ctl->accounting);
        } else {
                ctl->accounting = accounting_abandon(ctl->accounting);
        }
        conn_server_free(TAKE(ctl->unix_server));
        conn_server_free(TAKE(ctl->tls_server)); /* links_free() checks for NULL */
        ctl->store = store_abandon(ctl->store);  /* after a failed start */
}

struct controller *controller_free(struct controller *ctl) {
        if (!ctl)
                return NULL;
        controller_close_all(ctl);
        job_rows_free(ctl);
        past_question_free(ctl);
        followers_free(ctl);
        runs_free(ctl);
        first_steps_free(ctl);
        outcomes_free(ctl);
        gather_free(ctl);
        running_done(ctl);
        mails_free(ctl);
        trigger_programs_free(ctl);
        hook_programs_free(ctl);
        outbox_free(ctl);
        parked_free(ctl);
        rules_free(ctl);
        plan_free(ctl);
        bmc_requests_free(ctl);
        step_stats_free(ctl);
        rivals_free(ctl);
        dynamic_free(ctl);
        ctl->users = users_free(ctl->users);
        ctl->calls = call_stats_free(ctl->calls);
        audit_free(ctl);
        links_free(ctl);
        reading_drop(ctl);
        for (size_t i = 0; i < ctl->n_reconfigure; i++)
                address_done(&ctl->reconfigure[i]);
        free(ctl->reconfigure);
        watches_free(ctl);
        peers_free(ctl);
        sd_event_source_disable_unref(ctl->timer);
        sd_event_source_disable_unref(ctl->defer);
        sd_event_source_disable_unref(ctl->post);
        sd_event_source_disable_unref(ctl->gathering_ends);
        sd_event_source_disable_unref(ctl->heartbeat);
        login_done(ctl);
        x11_done(ctl);
        sd_event_source_disable_unref(ctl->energy);
        cluster_free(ctl->cluster);
        wire_tail_unref(ctl->ending.common);
        credential_key_free(ctl->signing_key);
        cluster_key_free(ctl->cluster_key);
        free(ctl->agents);
        free(ctl->conf_path);
        free(ctl->host);
        identity_done(ctl->identity);
        free(ctl->identity);
        sd_event_unref(ctl->event);
        free(ctl);
        return NULL;
}
