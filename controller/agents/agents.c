/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages from slumberd: a table row per message has the allowed sender and the handler.  Events
 * go to the pure rooms, acknowledgements wait for the store. */
#include "controller/agents/agents.h"

#include "controller/agents/agent_config.h"
#include "controller/agents/bmc_requests.h"
#include "controller/agents/dynamic.h"
#include "controller/agents/login.h"
#include "controller/agents/newer.h"
#include "controller/agents/origin.h"
#include "controller/agents/rival.h"
#include "controller/launch/job_reports.h"
#include "controller/launch/step_manager.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_stats.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/controller.h"

#include "controller/indexes/listen.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/loop/call_stats.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/node_log.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/reboot.h"
#include "controller/nodes/veto.h"
#include "controller/orders/future.h"
#include "controller/orders/partitions.h"
#include "controller/programs/audit.h"
#include "controller/programs/programs.h"
#include "controller/records/identity.h"
#include "controller/records/record.h"
#include "controller/store/lease.h"
#include "lib/abilities.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <sys/random.h>

/* Maximum jobs listed by a node: more would not fit into the spool. */
#define FOUND_JOBS_MAX 100000

/* ---- registration ---- */

/* slumberd's clock may be off: times are converted as ages. */
static usec_t in_our_time(const struct controller *ctl, usec_t t, usec_t agents_now) {
        usec_t now = controller_now(ctl);

        if (!agents_now || t > agents_now)
                return MIN(t, now);
        return now - MIN(now, agents_now - t);
}

/* Returns the key of the connection, unchanged later: messages sent with the key stay valid. */
static ProtobufCBinaryData tree_key_of(struct peer *p) {
        static const uint8_t none[TREE_KEY_SIZE];

        while (memcmp(p->tree_key, none, sizeof none) == 0)
                (void)getrandom(p->tree_key, sizeof p->tree_key, 0);
        return (ProtobufCBinaryData){ sizeof p->tree_key, p->tree_key };
}

void agent_answer(struct controller *ctl, const struct address *to, const struct node *n,
                enum slumber_error e, const char *text) {
        Slumber__RegisterReply m = SLUMBER__REGISTER_REPLY__INIT;
        Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
        Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;
        Slumber__StateSeen seen;

        if (e != SLUMBER_OK) {
                error.code = (uint32_t)e;
                error.text = (char *)(uintptr_t)text;
                m.error = &error;
        } else {
                agent_config_fill(ctl, n, &c, &hw);
                m.config = &c;
                m.now = controller_now(ctl);
                m.lease = ctl->lease ? lease_number() : 0;
                m.seen = identity_tell(ctl->identity, ctl->cluster, 0, &seen);
                m.tree = tree_next(ctl);
                m.tree_key = tree_key_of(to->peer);
                m.node = n ? n->name : (char *)"";
                m.credential_key.data = (uint8_t *)(uintptr_t)credential_key_public(
                                ctl->signing_key);
                m.credential_key.len = CREDENTIAL_KEY_SIZE;
        }
        ENVELOPE(env, REGISTER_REPLY, register_reply, &m);
        reply_now(to, &env);
        agent_config_done(&c);
}

/* The features and GPUs of a node decide which jobs the node can run: the registration is accepted
   only after slumberd has run the helpers and has asked the GPU library. */
static void ask_first(struct controller *ctl, const struct address *to, const struct node *n) {
        Slumber__RegisterReply m = SLUMBER__REGISTER_REPLY__INIT;
        Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
        Slumber__Error old = SLUMBER__ERROR__INIT;

        agent_helpers_fill(ctl->cluster, n, &c);
        c.gres_detect = (char *)(uintptr_t)agent_gres_detect(ctl->cluster, n);
        m.config = &c;
        m.run_helpers = true;
        old.code = SLUMBER_NOT_SUPPORTED;
        old.text = (char *)(uintptr_t) "this slumberd is too old to be told of helpers.conf";
        /* an old slumberd ignores run_helpers and must not see the reply as an acceptance */
        m.error = &old;
        ENVELOPE(env, REGISTER_REPLY, register_reply, &m);
        reply_now(to, &env);
        agent_helpers_done(&c);
}

/* Handles slumberd --conf Topology= for a node of slurm.conf. */
static void agent_move_node(struct cluster *c, struct node *n, const Slumber__Register *m) {
        struct config_node said = { 0 };
        struct fail fail = { 0 };

        if (m->dynamic || (!isempty(m->conf_line) && config_parse_node_line(m->conf_line, &said,
                                                                     NULL, NULL) < 0))
                return;
        if (partitions_place_told(c, n, isempty(said.topology) ? NULL : said.topology, &fail) < 0)
                log_warning_folded("%s (slumberd --conf)", fail.text);
        config_node_done(&said);
}

/* Keeps the slumberd's address for a controller that becomes primary later (agents/followers.h). */
static void agent_note_place(struct controller *ctl, const struct peer *p, struct node *n) {
        const char *host = peer_slumberd_host(n, p);
        _cleanup_free_ char *at = ctl->lease && p->listens && !isempty(host)
                                                  ? xasprintf("%s:%u", host, p->listens)
                                                  : NULL;

        if (streq(strempty(at), strempty(n->slumberd_at)))
                return;
        free_and_strdup(&n->slumberd_at, at);
        note_node(ctl->cluster, FACT_NODE_RECORD, n);
}

static void agent_take_place(struct controller *ctl, struct peer *p, struct node *n,
                const Slumber__Register *m) {
        struct peer *old = ctl->agents[n->index];

        if (old && old != p) {
                log_fields(LOG_WARNING, 0, 0, n->name,
                                "Agent %s has connected again: the older connection is dropped",
                                n->name);
                old->node = NULL;
                peer_drop(ctl, old);
        }
        p->node = n;
        p->instance = m->instance;
        p->listens = m->listens <= UINT16_MAX ? (uint16_t)m->listens : 0;
        p->can = m->can;
        agent_note_place(ctl, p, n);
        p->makes_none_until = 0;
        p->registered = now_boottime();
        ctl->agents[n->index] = p;
        conn_set_queue_limit(p->conn, 512u << 20);
        if (old && old != p)
                bmc_agent_gone(ctl, n->name); /* operations of the older slumberd are lost */
}

static bool running_job_has_step(const Slumber__RunningJob *m, uint32_t step) {
        for (size_t i = 0; i < m->n_steps; i++)
                if (m->steps[i] == step)
                        return true;
        return false;
}

static struct found_job *found_jobs(const Slumber__Register *m) {
        struct found_job *list = xnew0(struct found_job, m->n_jobs);

        for (size_t i = 0; i < m->n_jobs; i++)
                list[i] = (struct found_job){ m->jobs[i]->job_id, m->jobs[i]->restarts,
                        m->jobs[i]->frozen, m->jobs[i]->terminating, m->jobs[i]->lost,
                        running_job_has_step(m->jobs[i], STEP_BATCH),
                        running_job_has_step(m->jobs[i], STEP_EXTERN), m->jobs[i]->epilog_owed };
        return list;
}

/* Texts belong to m and p, jobs to the caller. */
static struct registration registration_from(const struct controller *ctl, const struct peer *p,
                const Slumber__Register *m, struct found_job *jobs) {
        struct registration reg = {
                .version = m->version,
                .bmc_address = m->bmc_address,
                .bmc_mac = m->bmc_mac,
                .system_uuid = m->system_uuid,
                .system_serials = m->system_serials,
                .system_macs = m->system_macs,
                .reclaims = m->reclaims,
                .no_reclaim = m->no_reclaim,
                .swap_free = m->swap_free,
                .lacks = CAN_ALL & ~m->can,
                .veto = m->veto ? m->veto->value : NULL,
                .arch = m->hardware->arch,
                .os = m->hardware->os,
                .address = conn_peer_address(p->conn),
                .instance_id = m->instance_id,
                .instance_type = m->instance_type,
                .extra = m->extra,
                .active_features = m->active_features,
                .free_memory = m->hardware->free_memory,
                .load_100 = m->hardware->load,
                .boot_time = in_our_time(ctl, m->boot_time, m->now),
                .start_time = in_our_time(ctl, m->start_time, m->now),
                .jobs = jobs,
                .n_jobs = m->n_jobs,
        };

        hardware_from_message(&reg.hardware, m->hardware);
        return reg;
}

static void refuse_earlier_boot(struct controller *ctl, const struct address *to, struct node *n) {
        char since[TIMETEXT_MAX];
        _cleanup_free_ char *text = xasprintf(
                        "node %s is %s since %s, and this is an earlier boot%s", n->name,
                        n->flags & NODE_REBOOT_ISSUED ? "REBOOT_ISSUED"
                                                      : node_power_text((int)n->power),
                        time_text(n->power_request, NULL, since),
                        n->power == NODE_POWERING_UP
                                        ? "; where no machine boots, start slumberd with -b"
                                        : "");

        log_fields(LOG_INFO, 0, 0, n->name, "Registration not accepted yet: %s", text);
        agent_answer(ctl, to, n, SLUMBER_NODES_BOOTING, text);
}

/* Returns the node of slumberd -F that the machine is or may become; NULL: refused. */
static struct node *future_of(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        struct node_hardware hardware;
        struct fail fail = { 0 };
        struct node *n = NULL;

        hardware_from_message(&hardware, m->hardware);
        if (config_node_name_check(m->node, &fail) >= 0)
                n = future_find(ctl->cluster, m->node, m->future_feature, &hardware, &fail);
        if (n)
                return n;
        _cleanup_free_ char *text = xasprintf("%.100s cannot become a node: %s", m->node,
                        fail.text);
        log_warning_folded("Registration from %s refused: %s", conn_peer_address(p->conn), text);
        agent_answer(ctl, &(struct address){ p, 0, env->id }, NULL, SLUMBER_NODE_REFUSED, text);
        return NULL;
}

/* Returns the node of a registration; NULL: refused, or waiting for the node to join. */
static struct node *registered_node(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        bool is_good = m->hardware && m->protocol <= WIRE_VERSION && m->n_jobs <= FOUND_JOBS_MAX &&
                       !(m->future && m->dynamic);
        struct node *n = NULL;

        if (is_good && m->future) {
                n = future_of(ctl, p, env);
                if (!n)
                        return NULL;
        } else if (is_good && dynamic_register(ctl, p, env)) {
                return NULL;
        } else {
                n = cluster_node(ctl->cluster, m->node);
        }
        if (n && is_good && (!p->node || p->node == n)) /* a connection belongs to a single node */
                return n;
        struct fail fail = { 0 };
        snprintf(fail.text, sizeof fail.text,
                        n || !is_good ? "the registration of %.100s is malformed"
                                      : "node \"%.100s\" is not configured",
                        m->node);
        log_warning_folded("Registration from %s refused: %s", conn_peer_address(p->conn),
                        fail.text);
        agent_answer(ctl, &(struct address){ p, 0, env->id }, NULL, SLUMBER_BAD_NODE_NAME,
                        fail.text);
        return NULL;
}

static void on_register(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        struct address to = { p, 0, env->id };

        if (m->login) {
                login_register(ctl, p, env);
                return;
        }
        if (p->login) {
                agent_answer(ctl, &to, NULL, SLUMBER_BAD_NODE_NAME,
                                "this connection is of slumberd --login");
                return;
        }
        if (newer_refuses(ctl, p, env))
                return;
        struct node *n = registered_node(ctl, p, env);
        struct fail fail = { 0 };

        if (!n)
                return;
        if (!agent_helpers_run(ctl->cluster, n, m) || !agent_gpus_asked(ctl->cluster, n, m)) {
                ask_first(ctl, &to, n);
                return;
        }
        _cleanup_free_ struct found_job *jobs = found_jobs(m);
        struct registration reg = registration_from(ctl, p, m, jobs);
        if (rival_waits(ctl, p, n, env, reg.boot_time))
                return;
        if (m->future)
                future_take(ctl->cluster, n, m->node, controller_now(ctl));
        enum node_power power = n->power;
        int r = node_register(ctl->cluster, n, &reg, controller_now(ctl), &fail);
        controller_changed(ctl);
        if (r == -EAGAIN) {
                refuse_earlier_boot(ctl, &to, n);
                return;
        }
        agent_take_place(ctl, p, n, m);
        agent_move_node(ctl->cluster, n, m);
        if (r < 0)
                log_fields(LOG_WARNING, 0, 0, n->name, "Node %s registered: %s (%s)", n->name,
                                fail.text, m->cgroup);
        else if (n->power == power) /* a changed state has been logged */
                node_log(ctl->cluster, n, controller_now(ctl), " registered (%s)", m->cgroup);
        agent_say_unheeded(ctl, n);
        agent_answer(ctl, &to, n, SLUMBER_OK, "");
        runs_node_back(ctl, n, m);
        home_node_back(ctl, n);
        x11_node_back(ctl, n);
}

void agent_closed(struct controller *ctl, struct peer *p) {
        struct node *n = p->node;

        rival_gone(ctl, p);
        dynamic_gone(ctl, p);
        if (!n || ctl->agents[n->index] != p)
                return;
        ctl->agents[n->index] = NULL;
        p->node = NULL;
        if (ctl->stopping)
                return;
        bmc_agent_gone(ctl, n->name);
        node_lost(ctl->cluster, n, p->silent, controller_now(ctl));
        controller_changed(ctl);
        rivals_place_free(ctl, n);
}

/* ---- further messages ---- */

static void agent_on_answer(struct controller *ctl, struct peer *p, uint64_t question) {
        rivals_answered(ctl, p->node, question);
        if (question != p->question) /* unless slumberd has been asked again */
                return;
        listen_heard(ctl->cluster, p->node);
        controller_changed(ctl);
}

/* slumberctld sends heartbeats only in answer to slumberd's, well before SlurmdTimeout has passed,
   and so never to all slumberds at once. */
static void agent_on_heartbeat(struct controller *ctl, struct peer *p, const Envelope *env) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;
        Slumber__StateSeen seen;

        if (!p->node) {
                login_heard(ctl, p);
                return;
        }
        if (env->reply_to)
                agent_on_answer(ctl, p, env->reply_to);
        if (node_heard(ctl->cluster, p->node, controller_now(ctl), env->heartbeat->load,
                            env->heartbeat->free_memory))
                controller_changed(ctl);
        if (env->heartbeat->swap) {
                const Slumber__Swap *swap = env->heartbeat->swap;
                memory_swap(ctl->cluster, p->node, swap->reclaims, swap->why_not, swap->free,
                                controller_now(ctl));
                if (follows(ctl->cluster, FOLLOW_PASS))
                        controller_changed(ctl);
        }
        p->node->watts = env->heartbeat->watts ? (uint32_t)MIN(env->heartbeat->watts->value,
                                                                 (uint64_t)UINT32_MAX)
                                               : 0;
        if (p->node->watts)
                energy_reading(ctl->cluster, p->node, (uint64_t)p->node->watts * 1000,
                                controller_now(ctl));
        if (p->heard - p->told < ctl->cluster->config->slurmd_timeout / 3)
                return;
        p->told = p->heard;
        beat.now = controller_now(ctl);
        beat.seen = identity_tell(ctl->identity, ctl->cluster, 0, &seen);
        ENVELOPE(answer, HEARTBEAT, heartbeat, &beat);
        (void)conn_send(p->conn, &answer);
}

static void on_client_gone(struct controller *ctl, struct peer *p, const Envelope *env) {
        ctl->ops->client_gone(ctl, p, env->client_gone->client, false);
}

static void on_commands_dead(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__CommandsDead *m = env->commands_dead;

        (void)p;
        for (size_t i = 0; i < m->n_commands; i++) {
                const Slumber__DeadCommand *d = m->commands[i];
                watch_command_dead(ctl, d->token, d->uid);
                runs_command_dead(ctl, d->token, d->uid);
        }
}

static void on_node_action_failed(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__NodeActionFailed *m = env->node_action_failed;

        log_fields(LOG_WARNING, 0, 0, p->node->name, "PowerAction on node %s: %.500s",
                        p->node->name, m->text);
        if (m->reboot)
                reboot_failed(ctl->cluster, p->node, m->text, controller_now(ctl));
        else
                program_node_failed(ctl, p->node, m->text);
        controller_changed(ctl);
}

static void on_reboot_failed(struct controller *ctl, struct peer *p, const Envelope *env) {
        log_fields(LOG_WARNING, 0, 0, p->node->name, "RebootProgram on node %s: %s", p->node->name,
                        env->reboot_failed->text);
        reboot_failed(ctl->cluster, p->node, env->reboot_failed->text, controller_now(ctl));
        controller_changed(ctl);
}

static void on_veto(struct controller *ctl, struct peer *p, const Envelope *env) {
        node_set_veto(ctl->cluster, p->node, env->veto->text, controller_now(ctl));
        controller_changed(ctl);
}

static void on_gres_report(struct controller *ctl, struct peer *p, const Envelope *env) {
        agent_gres_report(ctl, p->node, env->gres_report);
}

static void on_bmc_report(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__BmcReport *m = env->bmc_report;

        node_set_bmc_address(ctl->cluster, p->node, m->address, m->mac, controller_now(ctl));
        controller_changed(ctl);
}

static void agent_on_step_io(struct controller *ctl, struct peer *p, const Envelope *env) {
        run_step_io(ctl, p->node, env);
}

static void on_node_use(struct controller *ctl, struct peer *p, const Envelope *env) {
        Slumber__NodeUse use = SLUMBER__NODE_USE__INIT;

        (void)env;
        use.states = node_health_states(p->node);
        ENVELOPE(answer, NODE_USE, node_use, &use);
        (void)agent_send(ctl, p->node, &answer);
}

struct agent_message {
        const char *name;
        void (*handle)(struct controller *ctl, struct peer *p, const Envelope *env);
        /* allowed before the registration; p->node may be NULL */
        bool unregistered;
        bool login;      /* allowed for slumberd --login, which has no node, too */
        const char *rpc; /* see request_name() */
        unsigned rpc_number;
};

#define BODY(name) [SLUMBER__ENVELOPE__BODY_##name]

/* Slurm's name and number in sdiag. */
#define RPC(text, number) .rpc = (text), .rpc_number = (number)

static const struct agent_message messages[] = {
        BODY(REGISTER_NODE) = { "registration", on_register, .unregistered = true,
                        RPC("MESSAGE_NODE_REGISTRATION_STATUS", 1002) },
        BODY(HEARTBEAT) = { "heartbeat", agent_on_heartbeat, .login = true },
        BODY(LAUNCH_RESULT) = { "launch result", launch_reported },
        BODY(TREE_ANSWER) = { "answer of a tree", launches_reported },
        BODY(STEP_ENDED) = { "end of a step", step_end_reported,
                        RPC("REQUEST_STEP_COMPLETE", 5016) },
        BODY(STEPS_REPORT) = { "report of steps", home_reported },
        BODY(GRANT_ASK) = { "question for a grant", home_grant_asked },
        BODY(FREEZE_RESULT) = { "freeze result", freeze_reported },
        BODY(RECLAIM_RESULT) = { "reclaim result", reclaim_reported },
        BODY(STEP_STAT) = { "figures of a step", step_stat_answered },
        BODY(JOB_GONE) = { "end of a job", job_gone_reported,
                        RPC("MESSAGE_EPILOG_COMPLETE", 6012) },
        BODY(CLIENT_GONE) = { "end of a command", on_client_gone, .login = true },
        BODY(COMMANDS_DEAD) = { "ends of commands", on_commands_dead, .login = true },
        BODY(REBOOT_FAILED) = { "reboot failure", on_reboot_failed },
        BODY(NODE_ACTION_FAILED) = { "failure of an action", on_node_action_failed },
        BODY(VETO) = { "veto", on_veto },
        BODY(NODE_USE) = { "question for its use", on_node_use },
        BODY(ORIGIN) = { "origin of a session", origin_asked },
        BODY(STEP_ADDRESSES) = { "where a step's nodes listen", step_nodes_addresses_asked },
        BODY(GRES_REPORT) = { "report of devices", on_gres_report },
        BODY(BMC_RESULTS) = { "BMC results", bmc_results },
        BODY(BMC_REPORT) = { "report of a BMC", on_bmc_report },
        BODY(STEP_IO) = { "output of a step", agent_on_step_io },
        BODY(ERROR) = { "error", bmc_error },
};
_Static_assert(ELEMENTSOF(messages) <= CALL_TYPES_MAX, "each message is counted");

/* Returns NULL if slumberd may not send the message. */
static const struct agent_message *find_message(unsigned body) {
        return body < ELEMENTSOF(messages) && messages[body].handle ? &messages[body] : NULL;
}

const char *agent_message_name(unsigned body, const char **ret_rpc, unsigned *ret_number) {
        const struct agent_message *m = find_message(body);

        if (!m)
                return NULL;
        *ret_rpc = m->rpc;
        *ret_number = m->rpc_number;
        return m->name;
}

bool agent_may_send(unsigned body, bool registered) {
        const struct agent_message *m = find_message(body);

        return m && (registered || m->unregistered);
}

/* An error is not answered by an error. */
static void refuse_message(struct controller *ctl, struct peer *p, const Envelope *env,
                const char *name, const char *why) {
        _cleanup_free_ char *text = xasprintf("message \"%s\" refused: %s", name, why);

        log_fields(LOG_WARNING, 0, 0, p->node ? p->node->name : NULL, "Agent %s (%s): %s",
                        p->node ? p->node->name : "not registered", conn_peer_address(p->conn),
                        text);
        if (env->body_case != SLUMBER__ENVELOPE__BODY_ERROR)
                reply_result(ctl, &(struct address){ p, 0, env->id }, SLUMBER_ACCESS_DENIED, text);
}

void agent_handle(struct controller *ctl, struct peer *p, const Envelope *env) {
        const struct agent_message *m = find_message((unsigned)env->body_case);
        usec_t began = now_monotonic();

        p->heard = began;
        p->bmc_silent = false;
        if (!m) {
                const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(
                                &slumber__envelope__descriptor, (unsigned)env->body_case);
                refuse_message(ctl, p, env, f ? f->name : "unknown", "agents have no right to it");
        } else if (!agent_may_send((unsigned)env->body_case, p->node) && !(p->login && m->login)) {
                /* logged once: a step may have much output before slumberd is registered */
                if (!p->refused)
                        refuse_message(ctl, p, env, m->name, "the agent has not registered");
                p->refused = true;
        } else {
                m->handle(ctl, p, env);
                /* counted for root, slumberd's user */
                call_stats_add(ctl->calls, (unsigned)env->body_case, 0, now_monotonic() - began);
        }
}

/* Renews the index of slumberds by node, because node indexes may have changed. */
static void rebind_agents(struct controller *ctl) {
        struct peer **old = ctl->agents;

        ctl->agents = xnew0(struct peer *, ctl->cluster->n_nodes);
        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *p = ctl->peers[i];
                if (p->node && p->conn)
                        ctl->agents[p->node->index] = p;
        }
        free(old);
}

void controller_nodes_changed(struct controller *ctl) {
        rebind_agents(ctl);
        audit_reconfigured(ctl);
        controller_changed(ctl);
}
