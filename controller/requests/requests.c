/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests: the sender's identity and rights, and the handler of each request, in a table. */
#include "controller/requests/requests.h"

#include "controller/accounts/assoc.h"
#include "controller/agents/agents.h"
#include "controller/agents/bmc_requests.h"
#include "controller/launch/attach_requests.h"
#include "controller/launch/run_span.h"
#include "controller/launch/step_requests.h"
#include "controller/launch/step_stats.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/call_stats.h"
#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/watches.h"
#include "controller/programs/audit.h"
#include "controller/records/identity.h"
#include "controller/records/instances.h"
#include "controller/requests/foreign_requests.h"
#include "controller/requests/handlers.h"
#include "controller/requests/parked.h"
#include "controller/requests/request_check.h"
#include "controller/submit/rules.h"

#include "lib/log.h"

struct handler {
        const char *name;
        void (*handle)(struct controller *ctl, const struct caller *caller, const Envelope *env);
        /* _TOO: the AdminLevel makes a difference */
        enum { FOR_ALL, FOR_OPERATORS_TOO, FOR_SUPER } right;
        bool needs_user; /* request_user() must not be NULL */
        bool is_plain;   /* no text may have a control character */
        unsigned shows;  /* enum private_data: kinds of foreign data in answers */
        const char *rpc; /* see request_name() */
        unsigned rpc_number;
        /* Set if submit rules apply. Returns true to continue with the rules; false: answered. */
        bool (*before_rules)(struct controller *ctl, const struct caller *caller,
                        const Envelope *env);
        /* the answer waits for the store: refused while the store cannot be written */
        bool stores;
        /* starts processes on nodes: refused, like .stores, while the state may be an old copy */
        bool starts;
};

#define BODY(name) [SLUMBER__ENVELOPE__BODY_##name]

/* Requests without .shows reveal no data of other users: the answers are about the sender, for
   administrators only, or counts and settings of the whole cluster. */
#define SHOWS_JOBS  .shows = PRIVATE_JOBS
#define SHOWS_ACCTS .shows = PRIVATE_USERS | PRIVATE_ACCOUNTS
#define SHOWS_USAGE .shows = PRIVATE_USERS | PRIVATE_ACCOUNTS | PRIVATE_USAGE

/* Name and number under which sdiag counts the request: from Slurm's message, if Slurm has the
   message. */
#define RPC(name, number) .rpc = "REQUEST_" #name, .rpc_number = (number)

static const struct handler handlers[] = {
        BODY(SUBMIT) = { "submit", handle_submit, FOR_OPERATORS_TOO, true,
                        .shows = PRIVATE_JOBS | PRIVATE_RESERVATIONS, RPC(SUBMIT_BATCH_JOB, 4003),
                        .stores = true, .before_rules = submit_before_rules },
        BODY(SUBMIT_HET) = { "submit of a heterogeneous job", handle_submit_het, FOR_OPERATORS_TOO,
                        true, .shows = PRIVATE_JOBS | PRIVATE_RESERVATIONS,
                        RPC(SUBMIT_BATCH_HET_JOB, 4028), .stores = true,
                        .before_rules = submit_before_rules },
        BODY(USER_QUERY) = { "user query", handle_user_query, FOR_ALL },
        BODY(JOB_QUERY) = { "job query", handle_job_query, FOR_OPERATORS_TOO, SHOWS_JOBS,
                        RPC(JOB_INFO, 2003) },
        BODY(NODE_QUERY) = { "node query", handle_node_query, FOR_ALL,
                        .shows = PRIVATE_NODES | PRIVATE_JOBS | PRIVATE_RESERVATIONS,
                        RPC(NODE_INFO, 2007) },
        BODY(PARTITION_QUERY) = { "partition query", handle_partition_query, FOR_OPERATORS_TOO,
                        .shows = PRIVATE_PARTITIONS, RPC(PARTITION_INFO, 2009) },
        BODY(INSTANCE_QUERY) = { "instance query", handle_instance_query, FOR_ALL,
                        .shows = PRIVATE_EVENTS },
        BODY(ENDED_QUERY) = { "accounts of jobs", handle_ended_query, FOR_ALL, SHOWS_JOBS },
        BODY(LICENSE_QUERY) = { "license query", handle_license_query, FOR_ALL,
                        RPC(LICENSE_INFO, 1021) },
        BODY(ACCT_CHANGE) = { "accounts", handle_acct_change, FOR_ALL, true, SHOWS_ACCTS },
        BODY(ACCT_DUMP) = { "dump of accounts", handle_acct_dump, FOR_ALL, true },
        BODY(ACCT_IMPORT) = { "file of accounts", handle_acct_import, FOR_ALL, true },
        BODY(ACCT_QUERY) = { "accounts query", handle_acct_query, FOR_ALL, SHOWS_ACCTS },
        BODY(PRIORITY_QUERY) = { "priority query", handle_priority_query, FOR_OPERATORS_TOO,
                        SHOWS_JOBS, RPC(PRIORITY_FACTORS, 2026) },
        BODY(SHARE_QUERY) = { "share query", handle_share_query, FOR_ALL, SHOWS_USAGE,
                        RPC(SHARE_INFO, 2022) },
        BODY(ASSOC_MGR_QUERY) = { "association manager query", handle_assoc_mgr_query, FOR_ALL,
                        SHOWS_USAGE, RPC(ASSOC_MGR_INFO, 2043) },
        BODY(RESERVATION_QUERY) = { "reservation query", handle_reservation_query, FOR_ALL,
                        .shows = PRIVATE_RESERVATIONS, RPC(RESERVATION_INFO, 2024) },
        BODY(RESERVATION_UPDATE) = { "reservation update", handle_reservation_update,
                        FOR_OPERATORS_TOO, true, true, RPC(UPDATE_RESERVATION, 3009),
                        .stores = true },
        BODY(CONFIG_QUERY) = { "config query", handle_config_query, FOR_ALL,
                        RPC(BUILD_INFO, 2001) },
        BODY(CONFIG_FILE_QUERY) = { "configuration file", handle_config_file, FOR_OPERATORS_TOO,
                        .shows = PRIVATE_NODES | PRIVATE_PARTITIONS },
        BODY(JOB_ACTION) = { "job action", handle_job_action, FOR_OPERATORS_TOO, SHOWS_JOBS,
                        RPC(KILL_JOB, 5032), .stores = true },
        BODY(STATS_QUERY) = { "statistics", handle_stats_query, FOR_OPERATORS_TOO,
                        .shows = PRIVATE_USERS, RPC(STATS_INFO, 2035) },
        BODY(STEP_STAT_QUERY) = { "figures of steps", handle_step_stat, FOR_OPERATORS_TOO, true,
                        SHOWS_JOBS, RPC(JOB_STEP_STAT, 5035) },
        BODY(SCRIPT_QUERY) = { "script query", handle_script_query, FOR_OPERATORS_TOO, SHOWS_JOBS,
                        RPC(BATCH_SCRIPT, 2051) },
        BODY(JOB_UPDATE) = { "job update", handle_job_update, FOR_OPERATORS_TOO, true,
                        .shows = PRIVATE_JOBS | PRIVATE_RESERVATIONS, RPC(UPDATE_JOB, 3001),
                        .stores = true },
        BODY(PING) = { "ping", handle_ping, FOR_ALL, RPC(PING, 1008) },
        BODY(WAIT_JOB) = { "wait job", handle_wait_job, FOR_ALL, SHOWS_JOBS, RPC(JOB_READY, 4019) },
        BODY(STEP_REQUEST) = { "step", handle_step_request, FOR_ALL, SHOWS_JOBS,
                        RPC(JOB_STEP_CREATE, 5001), .starts = true },
        BODY(ATTACH_REQUEST) = { "attach to a step", handle_attach_request, FOR_ALL, SHOWS_JOBS },
        BODY(STEP_IO) = { "step io", handle_step_io, FOR_ALL },
        BODY(X11_ATTACH) = { "X11", handle_x11_attach, FOR_ALL, SHOWS_JOBS },
        BODY(NODE_UPDATE) = { "node update", handle_node_update, FOR_SUPER, true, true,
                        RPC(UPDATE_NODE, 3002), .stores = true },
        BODY(PARTITION_UPDATE) = { "partition update", handle_partition_update, FOR_SUPER, false,
                        true, RPC(UPDATE_PARTITION, 3005), .stores = true },
        BODY(CONFIG_UPDATE) = { "config update", handle_config_update, FOR_SUPER, false, true,
                        .stores = true },
        BODY(TRIGGER_SET) = { "trigger", handle_trigger_set, FOR_ALL, true, true,
                        .shows = PRIVATE_JOBS | PRIVATE_NODES, RPC(TRIGGER_SET, 2017),
                        .stores = true },
        BODY(TRIGGER_CLEAR) = { "clear of triggers", handle_trigger_clear, FOR_ALL, .stores = true,
                        RPC(TRIGGER_CLEAR, 2019) },
        BODY(TRIGGER_QUERY) = { "trigger query", handle_trigger_query, FOR_OPERATORS_TOO,
                        RPC(TRIGGER_GET, 2018) },
        BODY(CLUSTER_REQUEST) = { "for another cluster", handle_cluster_request, FOR_ALL, true },
        BODY(CLUSTER_QUERY) = { "clusters", handle_cluster_query, FOR_ALL },
        BODY(POWER) = { "power", handle_power, FOR_SUPER, true, true, .stores = true },
        BODY(BMC_REQUEST) = { "power operation", handle_bmc_request, FOR_SUPER },
        BODY(PLAN) = { "power plan", handle_plan, FOR_SUPER },
        BODY(REBOOT) = { "reboot", handle_reboot, FOR_SUPER, true, true, .stores = true },
        BODY(AUDIT) = { "audit", handle_audit, FOR_SUPER },
        BODY(DEBUG) = { "debug", handle_debug, FOR_SUPER, false, true, RPC(SET_DEBUG_LEVEL, 1010) },
        BODY(STATE_COPY) = { "copy of the state", handle_state_copy, FOR_SUPER, false, true,
                        .stores = true },
        BODY(RECONFIGURE) = { "reconfigure", handle_reconfigure, FOR_SUPER,
                        RPC(RECONFIGURE, 1003) },
        BODY(SHUTDOWN) = { "shutdown", handle_shutdown, FOR_SUPER },
        BODY(TAKEOVER) = { "takeover", handle_takeover, FOR_SUPER },
};

/* Identifies the sender by the kernel or, for a relayed request, by a slumberd with the cluster
   key; never by the message. (uid_t)-1 is no user: as the uid of a process it would change
   nothing. */
static int request_identify(struct peer *p, const Envelope *env, struct caller *ret) {
        *ret = (struct caller){ .from = { p, 0, env->id }, .host = p->ctl->host };
        if (conn_cluster(p->conn))
                return guest_identify(p, env, ret);
        if (p->local) {
                ret->uid = p->uid;
                ret->gid = p->gid;
                ret->pid = p->pid;
        } else if ((p->node || p->login) && env->caller) {
                ret->from.client = env->caller->client;
                ret->uid = env->caller->uid;
                ret->gid = env->caller->gid;
                ret->pid = (pid_t)env->caller->pid;
                ret->host = env->caller->host;
        } else {
                return -EACCES;
        }
        if (ret->uid == (uid_t)-1 || ret->gid == (gid_t)-1)
                return -EACCES;
        ret->super = ret->operator= ret->uid == 0 || ret->uid == p->ctl->cluster->config->slurm_uid;
        return 0;
}

/* Sets the caller's AdminLevel and what PrivateData hides. Returns false if the user's name is
   being looked up. */
static bool note_level(struct controller *ctl, const struct handler *h, struct caller *caller) {
        unsigned hidden = h->shows & ctl->cluster->config->private_data;

        if (caller->operator||(!hidden &&
                               (h->right == FOR_ALL || !acct_has_levels(&ctl->cluster->acct))))
                return true;
        caller->user = request_user(ctl, caller);
        enum admin_level level = caller->user ? acct_level(&ctl->cluster->acct, caller->user->name)
                                              : ADMIN_NONE;
        if (caller->user && caller->guest && !guest_is_operator(caller, caller->user->name))
                level = ADMIN_NONE;
        else
                caller->acct = &ctl->cluster->acct;
        caller->operator= level >= ADMIN_OPERATOR;
        caller->super = level == ADMIN_ADMINISTRATOR;
        caller->hidden = caller->operator? 0 : hidden;
        return caller->user;
}

_Static_assert(ELEMENTSOF(handlers) <= CALL_TYPES_MAX, "each request is counted");

/* Returns the row; NULL: not a request. */
static const struct handler *find_handler(size_t body) {
        return body < ELEMENTSOF(handlers) && handlers[body].handle ? &handlers[body] : NULL;
}

const char *request_name(unsigned body, const char **ret_rpc, unsigned *ret_number) {
        const struct handler *h = find_handler(body);

        if (!h)
                return NULL;
        *ret_rpc = h->rpc;
        *ret_number = h->rpc_number;
        return h->name;
}

static void request_run_handler(struct controller *ctl, const struct handler *h,
                const struct caller *caller, const Envelope *env) {
        usec_t begin = now_monotonic();

        h->handle(ctl, caller, env);
        call_stats_add(ctl->calls, (unsigned)env->body_case, caller->uid, now_monotonic() - begin);
}

/* Returns whether srun or salloc reports about the held job or step: such reports are facts and are
   kept until written, like reports of slumberd; the answer waits meanwhile. */
static bool is_own_end(const struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        if (env->body_case != SLUMBER__ENVELOPE__BODY_JOB_ACTION)
                return false;
        const Slumber__JobAction *m = env->job_action;
        const struct run *r = m->n_ids == 1 && m->step ? run_find_known(ctl, m->ids[0],
                                                                         (uint32_t)m->step->value)
                                                       : NULL;
        return m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE ||
               (r && address_same(&r->to, &caller->from)) ||
               (m->n_ids == 1 && watch_of(ctl, WATCH_HOLDER, m->ids[0], &caller->from));
}

/* Handles a request after the submit rules, unless the rules refuse the request or wait for the
   script. */
static void handle_ruled(struct controller *ctl, const struct handler *h, struct caller *caller,
                const Envelope *env) {
        _cleanup_(ruled_done) struct ruled ruled = { 0 };

        if (h->before_rules && (!h->before_rules(ctl, caller, env) ||
                                               !rules_judge(ctl, caller, env, &ruled)))
                return;
        if (ruled.error != SLUMBER_OK) {
                ruled_refuse(&caller->from, &ruled);
                return;
        }
        caller->ruled = &ruled;
        request_run_handler(ctl, h, caller, env);
        caller->ruled = NULL;
}

static void refuse_older(struct controller *ctl, const struct caller *caller) {
        _cleanup_free_ char *text = identity_text(ctl->identity, ctl->cluster);

        reply_result(ctl, &caller->from, SLUMBER_FAILED, text);
}

void request_handle(struct peer *p, Envelope *env) {
        struct controller *ctl = p->ctl;
        struct caller caller;

        /* only env->caller tells a relayed request from slumberd's own messages */
        if (!p->local && !env->caller && !conn_cluster(p->conn)) {
                agent_handle(ctl, p, env);
                return;
        }
        int r = request_identify(p, env, &caller);
        if (r == -EAGAIN)
                request_park(ctl, &caller, env);
        if (r < 0 && !caller.guest)
                log_warning_folded("Refusing a request from %s: the user is not known",
                                p->local ? "this host" : conn_peer_address(p->conn));
        if (r < 0)
                return;
        const struct handler *h = find_handler((size_t)env->body_case);
        if (!h)
                reply_result(ctl, &caller.from, SLUMBER_NOT_SUPPORTED,
                                "this controller does not know that request");
        else if (!request_is_short(ctl, &caller, env,
                                 h->right == FOR_SUPER || caller.super || caller.operator))
                return;
        else if (!note_level(ctl, h, &caller))
                request_park(ctl, &caller, env);
        else if (h->right == FOR_SUPER && !caller.super)
                reply_result(ctl, &caller.from, SLUMBER_ACCESS_DENIED, NULL);
        else if (h->stores && ctl->store_failed && !is_own_end(ctl, &caller, env))
                reply_not_stored(ctl, &caller.from, ctl->store_failed);
        else if ((h->stores || h->starts) && ctl->identity->newer.node)
                refuse_older(ctl, &caller);
        else if (h->is_plain && !request_is_plain(ctl, &caller, env))
                return;
        else if ((h->needs_user || action_is_ruled(ctl, env)) &&
                        !(caller.user = request_user(ctl, &caller)))
                request_park(ctl, &caller, env);
        else
                handle_ruled(ctl, h, &caller, env);
}
