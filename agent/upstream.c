/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The connection to the controller: connect, register, heartbeats in both directions, and again
 * after each loss.
 *
 *     away -> connecting -> ready (Register sent) -> welcome -> away ...
 *
 * Messages after Register are queued behind Register, so the controller always sees the state
 * first and changes afterwards. Changes while disconnected are part of the next Register. */
#include "agent/upstream.h"
#include "agent/bmc.h"
#include "agent/gres.h"
#include "agent/health.h"
#include "agent/in_band.h"
#include "agent/jobs/containers.h"
#include "agent/jobs/cpus.h"
#include "agent/jobs/hooks.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch.h"
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/plugins.h"
#include "agent/jobs/reclaim.h"
#include "agent/jobs/stepds.h"
#include "agent/jobs/steps.h"
#include "agent/login.h"
#include "agent/machine/gpus_known.h"
#include "agent/machine/veto.h"
#include "agent/node_features.h"
#include "agent/peers/peers.h"
#include "agent/reboot.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/streams/node_messages.h"
#include "agent/streams/step_streams.h"
#include "agent/tree/hop.h"
#include "agent/tree_messages.h"
#include "agent/users/adopt.h"
#include "agent/users/commands.h"
#include "agent/users/relay.h"
#include "lib/abilities.h"
#include "lib/timer.h"

#include <limits.h>
#include <sys/random.h>

#define BACKOFF_FIRST (50 * USEC_PER_MSEC)
#define BACKOFF_LAST  (4 * USEC_PER_SEC)
/* Between attempts at several controllers, of which a backup listens once it is primary. */
#define BACKOFF_SEVERAL (200 * USEC_PER_MSEC)
#define SEVERAL_MAX     (60 * USEC_PER_SEC) /* then the pauses grow */
/* Maximum pause while a second slumberd is connected as the node, or the controller has no room for
   the node; the pause doubles up to here. */
#define REFUSED_LAST (64 * USEC_PER_SEC)
/* Maximum backlog; a frame of each user's command, or a piece of each step's output, may be added.
   Far below the limit for closing the connection. */
#define BACKLOG_MAX    ((size_t)16 << 20)
#define ANSWER_TIMEOUT (10 * USEC_PER_SEC) /* limit for the handshake and for RegisterReply */

static void upstream_lost(struct agent *a);

static void upstream_resume_reading(struct agent *a) {
        clients_go_on(a);
        steps_go_on(a);
}

/* ---- registering ---- */

static Slumber__RunningJob *describe_job(struct job *j) {
        Slumber__RunningJob *m = xnew(Slumber__RunningJob, 1);

        *m = (Slumber__RunningJob)SLUMBER__RUNNING_JOB__INIT;
        m->job_id = j->id;
        m->restarts = j->restarts;
        m->frozen = job_is_frozen(j);
        m->terminating = job_terminating(j);
        m->epilog_owed = j->hooks != NULL;
        m->lost = hooks_of_earlier_boot(j);
        for (struct step *s = j->steps; s; s = s->next) {
                m->steps = xrenew(m->steps, m->n_steps + 1);
                m->steps[m->n_steps++] = s->name.step;
                /* only for the batch step: the loss of further steps is reported by StepEnded, and
                   the script continues */
                m->lost |= s->lost && s->name.step == STEP_BATCH;
        }
        return m;
}

static void add_jobs(struct agent *a, Slumber__Register *m) {
        for (struct job *j = a->jobs; j; j = j->next) {
                job_take_back(j);
                m->jobs = xrenew(m->jobs, m->n_jobs + 1);
                m->jobs[m->n_jobs++] = describe_job(j);
        }
}

static void free_jobs(Slumber__Register *m) {
        for (size_t i = 0; i < m->n_jobs; i++) {
                free(m->jobs[i]->steps);
                free(m->jobs[i]);
        }
        free(m->jobs);
}

/* Fills in the node's identity and start times. */
static void fill_identity(const struct agent *a, Slumber__Register *m) {
        m->node = a->options.future ? a->machine : a->node;
        m->version = (char *)SLURM_VERSION;
        m->protocol = WIRE_VERSION;
        m->now = now_realtime();
        m->boot_time = m->now - (usec_t)((int64_t)now_boottime() - a->booted);
        m->start_time = m->now - (usec_t)((int64_t)now_boottime() - a->started);
        m->instance = a->instance;
        m->instance_id = message_text(a->options.instance_id);
        m->instance_type = message_text(a->options.instance_type);
        m->extra = message_text(a->options.extra);
        m->conf_line = message_text(a->options.conf_line);
        m->dynamic = a->options.dynamic;
        m->future = a->options.future != NULL;
        m->future_feature = message_text(a->options.future);
}

static void send_register(struct agent *a) {
        Slumber__Register m = SLUMBER__REGISTER__INIT;
        Slumber__Hardware hardware = SLUMBER__HARDWARE__INIT;
        Slumber__Text veto = SLUMBER__TEXT__INIT, gpus = SLUMBER__TEXT__INIT;
        struct fail why = { 0 };
        char host[HOST_NAME_MAX + 1] = "";

        hardware_message(a->hardware, &hardware);
        fill_identity(a, &m);
        m.hardware = &hardware;
        features_fill_message(a, &m);
        gpus.value = (char *)(uintptr_t)gpus_way(a->gpus);
        m.gpus_asked = &gpus;
        if (m.dynamic && gethostname(host, sizeof host - 1) == 0)
                m.hostname = host;
        m.cgroup = (char *)cg_system_kind(a->cgroups);
        m.reclaims = cg_system_reclaims(a->cgroups, &why) >= 0;
        if (!m.reclaims)
                m.no_reclaim = why.text;
        m.swap_free = hardware_free_swap();
        m.bmc_address = message_text(a->in_band.address);
        hardware_identity(a->hardware, &m);
        m.bmc_mac = message_text(a->in_band.mac);
        m.port = a->config ? a->config->slurmd_port : 0;
        m.listens = peers_port(a->peers);
        m.can = CAN_ALL;
        if (veto_text(a->veto)) {
                veto.value = (char *)(uintptr_t)veto_text(a->veto);
                m.veto = &veto;
        }
        if (a->seen.seen.state)
                m.seen = &a->seen.seen;
        launches_now(a); /* steps requested by the controller count as running */
        add_jobs(a, &m);
        remote_steps_drop_grants(a);
        ENVELOPE(env, REGISTER_NODE, register_node, &m);
        env.id = 1;
        (void)conn_send(a->controller, &env);
        free_jobs(&m);
        features_done_message(&m);
        a->registering = true;
}

static usec_t or_default(uint64_t value, usec_t otherwise) {
        return value ? value : otherwise;
}

static bool is_busy(void *user) {
        const struct agent *a = user;

        return a->jobs != NULL;
}

static void tell_veto(const char *text, void *user) {
        Slumber__Veto m = SLUMBER__VETO__INIT;

        m.text = (char *)(uintptr_t)text;
        ENVELOPE(env, VETO, veto, &m);
        upstream_send(user, &env);
}

static void apply_memory(struct agent *a, const Slumber__AgentConfig *c) {
        const Slumber__MemoryRules *m = c->memory_rules;
        uint64_t configured = c->configured ? c->configured->real_memory : 0;

        memory_rules_init(&a->memory);
        a->memory.ram = c->constrain_memory;
        a->memory.swap = c->constrain_swap;
        a->memory.allowed_swap = m ? m->allowed_swap : c->allowed_swap;
        /* 1 MB means RealMemory is not set */
        a->memory.total = configured > 1 ? configured : hardware_memory(a->hardware);
        if (!m) /* the controller is an earlier build */
                return;
        a->memory.allowed_ram = m->allowed_ram;
        a->memory.max_ram = m->max_ram;
        a->memory.max_swap = m->max_swap;
        a->memory.min = m->min_ram;
        a->memory.set_swappiness = m->swappiness;
        a->memory.swappiness = m->swappiness ? (uint32_t)m->swappiness->value : 0;
        if (m->swappiness && c->constrain_swap && !cg_system_has_swappiness(a->cgroups))
                log_warning(0, "MemorySwappiness: this machine has no memory controller of cgroup v1 for slumberd");
}

static void apply_texts(struct agent *a, const Slumber__AgentConfig *c) {
        const struct {
                char **to;
                const char *value;
        } texts[] = {
                { &a->task_bind, c->task_bind },
                { &a->task_autobind, c->task_autobind },
                { &a->cluster_name, c->cluster_name },
                { &a->task_prolog, c->task_prolog },
                { &a->task_epilog, c->task_epilog },
                { &a->plugin_dir, c->plugin_dir },
                { &a->plugstack, c->plugstack },
                { &a->cli_filter, c->cli_filter },
                { &a->unkillable_program, c->unkillable_program },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                free_and_strdup(texts[i].to, texts[i].value);
}

/* Warns about limits of jobs unsupported by the machine. */
static void warn_of_limits(const struct agent *a, const Slumber__AgentConfig *c) {
        if (c->constrain_memory && !cg_system_limits_memory(a->cgroups))
                log_warning(0, "ConstrainRAMSpace: this machine has no memory controller for slumberd");
        if (c->constrain_swap && !cg_system_limits_swap(a->cgroups))
                log_warning(0, "ConstrainSwapSpace: this machine has no swap accounting for slumberd: jobs are refused");
        if (c->constrain_devices && !cg_system_limits_devices(a->cgroups))
                log_warning(0, "ConstrainDevices: this machine has no device controller for slumberd: steps are refused where they would reach "
                               "devices that are not theirs");
}

static void apply_config(struct agent *a, const Slumber__AgentConfig *c) {
        a->configured = true;
        a->kill_wait = c->kill_wait; /* 0: the minimum */
        /* 0: no limit */
        a->slurmd_timeout = c->slurmd_timeout ? c->slurmd_timeout : USEC_INFINITY;
        a->heartbeat = or_default(c->heartbeat, MIN(a->slurmd_timeout / 3, HEARTBEAT_LAST));
        a->unkillable_timeout = or_default(c->unkillable_timeout, a->unkillable_timeout);
        a->freeze_timeout = or_default(c->freeze_timeout, a->freeze_timeout);
        a->suspend_grace = c->suspend_grace;
        jobs_forget_grace(a);
        apply_memory(a, c);
        a->memory_watch = c->memory_watch;
        a->memory_watched = c->memory_watched;
        a->constrain_cores = c->constrain_cores;
        a->constrain_devices = c->constrain_devices;
        a->signal_children = c->signal_children;
        a->task_affinity = c->task_affinity;
        a->task_verbose = c->task_verbose;
        a->units = c->units;
        apply_texts(a, c);
        slumber__oci_config__free_unpacked(a->oci, NULL);
        a->oci = c->oci ? wire_copy(&c->oci->base) : NULL;
        relay_publish_plugins(a);
        plugins_begin(a);
        texts_set(&a->prolog, &a->n_prolog, c->prolog, c->n_prolog);
        texts_set(&a->epilog, &a->n_epilog, c->epilog, c->n_epilog);
        a->prolog_timeout = c->prolog_timeout;
        a->epilog_timeout = c->epilog_timeout;
        a->serial_hooks = c->serial_hooks;
        a->hooks_in_job = c->hooks_in_job;
        containers_configure(a, c->container);
        health_configure(a, &(struct health_wish){ c->health_program, c->health_interval,
                                            c->health_states, c->health_timeout });
        gres_apply(a, c);
        features_apply(a, c);
        warn_of_limits(a, c);
        veto_configure(&a->veto, a->event,
                        &(struct veto_wish){ c->veto_logind, c->veto_program, c->veto_interval,
                                        &a->node, is_busy, tell_veto, a });
        spec_cores_apply(a, c->spec_cores, c->off_spec);
        spec_memory_apply(a, c->memory_rules ? c->memory_rules->daemons : 0);
        if (c->constrain_cores && !cg_system_limits_cpus(a->cgroups))
                log_warning(0, "ConstrainCores: this machine has no cpuset controller for slumberd");
        if ((c->task_affinity || c->constrain_cores) && !cpus_are_known(a))
                log_warning(0,
                                "%s: slurm.conf gives this node %u cores, more than the machine has: "
                                "steps are not kept to theirs",
                                c->task_affinity ? "TaskPlugin=task/affinity" : "ConstrainCores",
                                c->units);
}

/* ---- time ---- */

void upstream_beat(struct agent *a, uint64_t reply_to) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;
        Slumber__Number watts = SLUMBER__NUMBER__INIT;
        Slumber__Swap swap = SLUMBER__SWAP__INIT;
        struct fail why = { 0 };

        if (a->options.login) {
                login_beat(a);
                return;
        }
        beat.load = hardware_load();
        beat.free_memory = hardware_free_memory();
        watts.value = a->in_band.watts;
        if (a->in_band.has_watts)
                beat.watts = &watts;
        swap.reclaims = cg_system_reclaims(a->cgroups, &why) >= 0;
        swap.why_not = why.text;
        swap.free = hardware_free_swap();
        beat.swap = &swap;
        in_band_beat(a);
        stepds_beat(a);
        nodes_beat(a);
        if (a->cpus_changed)
                steps_put_cpus_back(a);
        ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
        env.reply_to = reply_to;
        upstream_send(a, &env);
}

static usec_t next_beat(const struct agent *a) {
        return MIN(a->heartbeat, a->slurmd_timeout / 3);
}

static int on_beat(sd_event_source *source, uint64_t t, void *user) {
        struct agent *a = user;
        usec_t silent = now_monotonic() - conn_last_received(a->controller);

        (void)source, (void)t;
        if (!a->welcome || silent > a->slurmd_timeout) {
                log_warning(0, "The controller does not answer; connecting again");
                conn_close(TAKE(a->controller));
                upstream_lost(a);
                return 0;
        }
        upstream_beat(a, 0);
        timer_arm(a->beat, next_beat(a));
        return 0;
}

static int upstream_on_retry(sd_event_source *source, uint64_t t, void *user) {
        (void)source, (void)t;
        upstream_connect(user);
        return 0;
}

/* Takes the next SlurmctldHost line for the next attempt, if there are several. */
static void upstream_next_controller(struct agent *a) {
        const struct config *config = a->config;

        if (!upstream_has_several(a))
                return;
        a->controller_at = (a->controller_at + 1) % config->n_controllers;
        free_and_strdup(&a->controller_host, config->controllers[a->controller_at].address);
        if (a->welcome)
                a->lost_since = now_monotonic();
        if (a->backoff < BACKOFF_LAST && now_monotonic() - a->lost_since < SEVERAL_MAX)
                a->backoff = MIN(a->backoff, BACKOFF_SEVERAL);
}

/* Called when the connection is lost: connects again after a pause, which grows and is random to
   spread the nodes. */
static void upstream_lost(struct agent *a) {
        upstream_next_controller(a);
        usec_t jitter = (usec_t)random() % (a->backoff / 2 + 1);

        a->controller = NULL;
        hops_controller_gone(a->hops);
        relay_controller_away(a);
        commands_controller_away(a);
        bmc_stop_all(a);
        a->ready = a->welcome = a->registering = false;
        upstream_resume_reading(a);
        if (!upstream_may_return(a))
                clients_send_held(a); /* refuses */
        timer_disarm(a->beat);
        timer_arm(a->retry, a->backoff / 2 + jitter);
        a->backoff = MIN(a->backoff * 2, BACKOFF_LAST);
}

/* ---- messages ---- */

/* Takes over the controller's clock; now: 0 if not sent. */
static void take_clock(struct agent *a, usec_t now) {
        if (!now)
                return;
        a->controller_ahead = (int64_t)(now - now_boottime());
        a->clock_known = true;
}

void upstream_prepared(struct agent *a) {
        /* the answer to a pending registration has all requests */
        if (!a->ready || a->welcome || a->registering || upstream_prepares(a))
                return;
        timer_arm(a->beat, ANSWER_TIMEOUT);
        send_register(a);
}

/* Returns the pause after a refusal; longer for a node name in use, as each attempt makes the
   controller check the first node, and for nodes beyond MaxNodeCount. */
static usec_t refused_pause(struct agent *a, uint32_t code) {
        if (code != SLUMBER_NODE_CONNECTED && code != SLUMBER_NODE_REFUSED)
                return BACKOFF_LAST;
        usec_t pause = BACKOFF_LAST << MIN(a->refused, 16u);
        a->refused++;
        return MIN(pause, REFUSED_LAST);
}

/* Returns whether the node is not registered: the connection is closed, or slumberd ends. */
static bool registration_is_refused(struct agent *a, const Slumber__RegisterReply *m) {
        if (m->error && m->error->code == SLUMBER_NODE_DELETED) {
                log_warning(0, "Node %s was deleted: slumberd ends", a->node);
                (void)sd_event_exit(a->event, 0);
                return true;
        }
        if (m->error && m->error->code) {
                log_error(0, "The controller does not accept node %s: %s", a->node, m->error->text);
                a->backoff = refused_pause(a, m->error->code);
        } else if (m->lease && m->lease < a->lease)
                log_warning(0, "The controller %s is no longer primary", a->controller_host);
        else
                return false;
        conn_close(TAKE(a->controller));
        upstream_lost(a);
        return true;
}

static void on_register_reply(struct agent *a, const Slumber__RegisterReply *m) {
        a->registering = false;
        if (!a->options.login && m->config &&
                        (m->run_helpers || !gpus_asked(a->gpus, m->config->gres_detect))) {
                timer_disarm(a->beat);    /* no answer is due until all is known */
                relay_controller_away(a); /* requests behind the registration are not answered */
                gpus_ask(a->gpus, m->config->gres_detect);
                features_run(a, m->config);
                return;
        }
        if (registration_is_refused(a, m))
                return;
        a->lease = m->lease;
        a->alone = !m->lease;
        free(a->credential_key);
        a->credential_key_size = m->credential_key.len;
        a->credential_key = xmalloc(m->credential_key.len);
        if (m->credential_key.len)
                memcpy(a->credential_key, m->credential_key.data, m->credential_key.len);
        take_clock(a, m->now);
        state_seen_take(&a->seen, m->seen, true);
        /* an earlier build sends no tree key: rows come directly from the controller */
        a->tree_since = m->tree_key.len == TREE_KEY_SIZE ? m->tree : 0;
        if (a->tree_since)
                memcpy(a->tree_key, m->tree_key.data, TREE_KEY_SIZE);
        if (m->config && a->options.login)
                login_apply_config(a, m->config);
        else if (m->config)
                apply_config(a, m->config);
        if (a->options.future && !isempty(m->node))
                free_and_strdup(&a->node, m->node);
        a->welcome = true;
        a->backoff = BACKOFF_FIRST;
        a->refused = 0;
        log_info("%s %s is registered with %s", a->options.login ? "Login host" : "Node", a->node,
                        a->controller_host);
        timer_arm(a->beat, next_beat(a));
        stepmgr_send_reports_again(a);
        steps_resend_ended(a);
        commands_welcome(a);
        clients_send_held(a);
}

/* Applies new settings. With a new AutoDetect the node registers again: else steps could be
   launched with GPUs still unknown. */
static void on_config(struct agent *a, const Slumber__AgentConfig *c) {
        if (a->options.login) {
                login_apply_config(a, c);
                return;
        }
        if (!gpus_asked(a->gpus, c->gres_detect)) {
                log_info("AutoDetect=%s is new: registering again", c->gres_detect);
                upstream_reconnect(a);
                return;
        }
        apply_config(a, c);
        timer_arm(a->beat, 0); /* the next heartbeat may be late by a new SlurmdTimeout */
}

static void on_step_ended_ack(struct agent *a, const Slumber__StepEndedAck *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct step *s = j ? job_find_step(j, m->step_id) : NULL;

        if (s)
                step_acknowledged(s);
}

static void upstream_on_step_io(struct agent *a, Envelope *env) {
        struct job *j = job_find(a, env->step_io->job_id);
        struct step *s = j ? job_find_step(j, env->step_io->step_id) : NULL;

        if (s)
                step_streams_deliver(s, env);
}

bool upstream_job_message(struct agent *a, Envelope *env, uint64_t tree) {
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_LAUNCH_STEP:
                state_seen_take(&a->seen, env->launch_step->seen, false);
                launch_step(a, TAKE(env->launch_step), tree);
                return true;
        case SLUMBER__ENVELOPE__BODY_TREE_MESSAGE:
                tree_take(a, NULL, env);
                return true;
        case SLUMBER__ENVELOPE__BODY_TREE_ANSWER:
                tree_asked(a, env->tree_answer);
                return true;
        case SLUMBER__ENVELOPE__BODY_STEP_ENDED_ACK:
                on_step_ended_ack(a, env->step_ended_ack);
                return true;
        case SLUMBER__ENVELOPE__BODY_STEP_IO:
                upstream_on_step_io(a, env);
                return true;
        case SLUMBER__ENVELOPE__BODY_FREEZE_JOB:
                job_freeze(a, env->freeze_job);
                return true;
        case SLUMBER__ENVELOPE__BODY_RECLAIM_JOB:
                job_reclaim(a, env->reclaim_job);
                return true;
        case SLUMBER__ENVELOPE__BODY_TERMINATE_JOB:
                job_terminate(a, env->terminate_job);
                return true;
        case SLUMBER__ENVELOPE__BODY_JOB_GONE_ACK:
                job_gone_acknowledged(a, env->job_gone_ack);
                return true;
        case SLUMBER__ENVELOPE__BODY_GRANT:
                remote_steps_handle_grant(a, env->grant);
                return true;
        case SLUMBER__ENVELOPE__BODY_MAKER_NODES:
                stepmgr_node_back(a, env->maker_nodes);
                return true;
        case SLUMBER__ENVELOPE__BODY_MAKER_BEGIN:
                job_makes_steps(a, env->maker_begin);
                return true;
        case SLUMBER__ENVELOPE__BODY_MAKER_MADE:
                job_made_steps(a, env->maker_made);
                return true;
        case SLUMBER__ENVELOPE__BODY_STEPS_REPORT_ACK:
                stepmgr_handle_ack(a, env->steps_report_ack);
                return true;
        case SLUMBER__ENVELOPE__BODY_NODE_USE:
                health_used(a, env->node_use->states);
                return true;
        case SLUMBER__ENVELOPE__BODY_STEP_STAT_ASK:
                steps_stat(a, env);
                return true;
        case SLUMBER__ENVELOPE__BODY_SIGNAL_JOB:
                job_signal(a, env->signal_job);
                return true;
        default:
                return false;
        }
}

/* Handles messages of the controller about the node and slumberd. */
static void on_node_message(struct agent *a, Envelope *env) {
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_REGISTER_REPLY:
                on_register_reply(a, env->register_reply);
                break;
        case SLUMBER__ENVELOPE__BODY_HEARTBEAT:
                take_clock(a, env->heartbeat->now);
                state_seen_take(&a->seen, env->heartbeat->seen, true);
                if (env->heartbeat->answer)
                        upstream_beat(a, env->id);
                break;
        case SLUMBER__ENVELOPE__BODY_OK:
                break;
        case SLUMBER__ENVELOPE__BODY_ORIGIN:
                adopt_origin(a, env->origin);
                break;
        case SLUMBER__ENVELOPE__BODY_STEP_ADDRESSES:
                node_addresses_take(a, env->step_addresses);
                break;
        case SLUMBER__ENVELOPE__BODY_AGENT_CONFIG:
                on_config(a, env->agent_config);
                break;
        case SLUMBER__ENVELOPE__BODY_NODE_ACTION:
                agent_node_action(a, env->node_action);
                break;
        case SLUMBER__ENVELOPE__BODY_REBOOT_NODE:
                agent_reboot(a, env->reboot_node);
                break;
        case SLUMBER__ENVELOPE__BODY_AGENT_STOP:
                log_info("Stopping, as the controller asks");
                (void)sd_event_exit(a->event, 0);
                break;
        case SLUMBER__ENVELOPE__BODY_BMC_REQUEST:
                bmc_request(a, env);
                break;
        case SLUMBER__ENVELOPE__BODY_BMC_STOP:
                bmc_stop(a, env->id);
                break;
        case SLUMBER__ENVELOPE__BODY_ERROR:
                log_warning(0, "The controller: %s", env->error->text);
                break;
        default:
                log_warning(0, "The controller sent message %d, which is not for nodes",
                                (int)env->body_case);
        }
}

static void upstream_on_message(struct conn *c, Envelope *env, void *user) {
        struct agent *a = user;
        bool orders = tree_keeps_order(env);

        (void)c;
        if (!relay_deliver(a, env) && (a->options.login || !upstream_job_message(a, env, 0)))
                on_node_message(a, env);
        tree_went_on(a, orders);
}

/* ---- the connection ---- */

static void upstream_on_ready(struct conn *c, void *user) {
        struct agent *a = user;

        (void)c;
        a->ready = true;
        clients_go_on(a);
        if (a->options.login)
                login_register(a);
        else
                send_register(a);
}

static void on_taken(struct conn *c, void *user) {
        (void)c;
        upstream_resume_reading(user);
}

static void upstream_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct agent *a = user;

        (void)c, (void)r;
        if (a->welcome || a->backoff == BACKOFF_FIRST)
                log_warning(0, "The connection to the controller %s is gone: %s",
                                a->controller_host, why);
        upstream_lost(a);
}

int upstream_init(struct agent *a) {
        int r = timer_new(a->event, USEC_PER_MSEC, upstream_on_retry, a, &a->retry);

        return r < 0 ? r : timer_new(a->event, USEC_PER_MSEC, on_beat, a, &a->beat);
}

void upstream_connect(struct agent *a) {
        static const struct conn_ops ops = { .message = upstream_on_message,
                .closed = upstream_on_closed,
                .ready = upstream_on_ready,
                .taken = on_taken };
        struct fail fail = { 0 };
        int r;

        assert(!a->controller);
        while (!a->instance)
                (void)getrandom(&a->instance, sizeof a->instance, 0);
        a->backoff = MAX(a->backoff, BACKOFF_FIRST);
        timer_disarm(a->retry);
        r = conn_connect_tls(a->event, a->controller_host, a->controller_port, a->key, &ops, a,
                        &a->controller, &fail);
        if (r < 0) {
                if (a->backoff == BACKOFF_FIRST)
                        log_warning(0, "Cannot connect to the controller: %s", fail.text);
                a->controller = NULL;
                upstream_lost(a);
                return;
        }
        conn_set_mark(a->controller, BACKLOG_MAX);
        conn_set_gathers(a->controller, true); /* ends and launches come in large numbers */
        timer_arm(a->beat, ANSWER_TIMEOUT);
}

void upstream_reconnect(struct agent *a) {
        if (a->controller)
                conn_close(TAKE(a->controller));
        a->backoff = BACKOFF_FIRST;
        upstream_lost(a);
        a->backoff = BACKOFF_FIRST;
}

void upstream_follow(struct agent *a, const Slumber__NewPrimary *m) {
        if (!upstream_has_several(a) || m->position >= a->config->n_controllers ||
                        m->lease <= a->lease)
                return;
        const struct config_controller *c = &a->config->controllers[m->position];
        if (a->controller_at == m->position && a->controller)
                return;
        log_info("The controller %s has become primary", c->host);
        upstream_reconnect(a);
        a->controller_at = m->position;
        free_and_strdup(&a->controller_host, c->address);
        timer_arm(a->retry, 0);
}

void upstream_done(struct agent *a) {
        if (a->controller)
                conn_close(TAKE(a->controller));
        sd_event_source_disable_unref(a->retry);
        sd_event_source_disable_unref(a->beat);
        free(a->credential_key);
        free(a->cluster_name);
        free(a->task_prolog);
        free(a->unkillable_program);
        free(a->plugin_dir);
        free(a->cli_filter);
        free(a->plugstack);
        slumber__oci_config__free_unpacked(a->oci, NULL);
        free(a->task_epilog);
        texts_set(&a->prolog, &a->n_prolog, NULL, 0);
        texts_set(&a->epilog, &a->n_epilog, NULL, 0);
        free(a->task_bind);
        free(a->task_autobind);
        cpu_map_free(a->cpus);
        bitset_free(a->cpus_before);
}
