/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections with slumberds of remote nodes: messages are dispatched to the parts of slumberd, and
 * each part is told when a connection is made, slow or lost. */
#include "agent/nodes.h"
#include "agent/peers/peers.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/streams/attach.h"
#include "agent/streams/bulk.h"
#include "agent/streams/node_messages.h"
#include "agent/streams/srun_streams.h"
#include "agent/streams/step_streams.h"
#include "agent/tree/hop.h"
#include "agent/tree_messages.h"
#include "agent/upstream.h"

#define PORT_DEFAULT 6818 /* default of SlurmdPort */

static void on_lost(struct peer *p, bool quiet, void *user) {
        struct agent *a = user;

        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next) {
                        node_message_lost(s, p, quiet);
                        step_streams_lost(s, p, quiet);
                }
        srun_streams_lost(a, p, quiet);
        hops_lost(a->hops, p, quiet);
        attach_lost(a, p);
        remote_steps_peer_lost(a, p);
        stepmgr_peer_lost(a, p, quiet);
        remote_sruns_peer_lost(a, p);
        stepmgr_proxies_peer_lost(a, p);
}

static void on_slow(struct peer *p, void *user) {
        struct agent *a = user;

        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next) {
                        node_message_slow(s, p);
                        step_streams_slow(s, p);
                }
        srun_streams_slow(a, p);
}

static void nodes_on_step_io(struct agent *a, struct peer *p, Envelope *env) {
        bulk_moved(a, env->step_io->data.len);
        if (env->step_io->to_node)
                step_streams_take(a, p, env);
        else
                (void)srun_streams_take(a, p, env);
}

static void on_tree_message(struct agent *a, struct peer *p, Envelope *env) {
        bulk_order(a);
        tree_take(a, p, env);
}

static void on_new_primary(struct agent *a, struct peer *p, const Slumber__NewPrimary *m) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        (void)peer_send(p, &env);
        upstream_follow(a, m);
}

static void nodes_on_message(struct peer *p, Envelope *env, void *user) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_NODE_MESSAGE)
                node_message_take(user, p, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO)
                nodes_on_step_io(user, p, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_MAKER_MESSAGE &&
                        env->maker_message->to_home)
                stepmgr_handle_message(user, p, env->maker_message);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_MAKER_MESSAGE)
                remote_step_handle_message(user, p, env->maker_message);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VISIT && env->visit->to_home)
                remote_srun_handle_message(user, p, env->visit);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VISIT)
                stepmgr_proxy_handle_message(user, p, env->visit);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_TREE_MESSAGE)
                on_tree_message(user, p, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_TREE_ANSWER)
                tree_answered(user, p, env->tree_answer);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_NEW_PRIMARY)
                on_new_primary(user, p, env->new_primary);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW && env->view->to_viewer)
                attach_take(user, env);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW)
                srun_streams_view(user, p, env);
        else
                peer_log_bad_message(p, "message %d is not for other nodes", (int)env->body_case);
}

static void on_up(struct peer *p, void *user) {
        struct agent *a = user;

        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        step_streams_up(s, p);
        srun_streams_up(a, p);
}

static bool is_awaited(const struct peer *p, void *user) {
        const struct agent *a = user;

        return hops_wait_for(a->hops, p) || stepmgr_proxies_use_peer(a, p) ||
               remote_sruns_use_peer(a, p);
}

/* ---- listening ---- */

static const struct config_node *own_line(const struct agent *a) {
        for (size_t i = 0; a->config && i < a->config->n_nodes; i++)
                if (streq(a->config->nodes[i].name, a->node))
                        return &a->config->nodes[i];
        return NULL;
}

int nodes_listen(struct agent *a, struct fail *fail) {
        static const struct peers_ops ops = { .message = nodes_on_message,
                .up = on_up,
                .slow = on_slow,
                .lost = on_lost,
                .awaited = is_awaited };
        const struct config_node *line = own_line(a);
        uint16_t configured = line        ? line->port
                              : a->config ? a->config->slurmd_port
                                          : PORT_DEFAULT,
                 before = a->jobs || a->options.login ? spool_read_port() : 0;
        const char *address = line ? line->address : NULL;
        struct fail why = { 0 };
        int r = peers_new(a->event, a->key, &ops, a, &a->peers, fail);

        if (r < 0)
                return r;
        tree_begin(a);
        r = before ? peers_listen(a->peers, address, before, &why) : -ENOENT;
        if (r < 0 && configured != before)
                r = peers_listen(a->peers, address, configured, &why);
        if (r < 0)
                r = peers_listen(a->peers, address, 0, fail);
        if (r < 0)
                return r;
        if (peers_port(a->peers) != configured)
                log_info("Other nodes' slumberds reach this one at port %u%s%s",
                                peers_port(a->peers), *why.text ? ": " : "", why.text);
        spool_write_port(peers_port(a->peers));
        stepmgr_addresses_read(a);
        return 0;
}

void nodes_done(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        free(TAKE(s->peers));
        tree_done(a);
        remote_steps_done(a);
        remote_sruns_done(a);
        stepmgr_proxies_done(a);
        a->peers = peers_free(a->peers);
}
