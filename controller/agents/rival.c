/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A registration for a node that is already connected: two machines with equal names, two slumberds
 * on a machine, or a node that has rebooted before the old connection was closed.
 *
 * The connected slumberd is asked for an answer, and the registration waits:
 *
 *   an answer                                newcomer refused; the newcomer's pauses grow
 *                                            (agent/upstream.c)
 *   the connection ends                      newcomer accepted
 *   silence, and the newcomer's boot is      newcomer accepted
 *   newer
 *   silence, and nothing of the question     newcomer accepted
 *   has arrived
 *   any other silence                        newcomer refused, until SlurmdTimeout drops the silent
 *                                            slumberd
 *
 * A slumberd that reconnects is no rival: the registration has the instance of the earlier
 * registration. */
#include "controller/agents/rival.h"

#include "controller/agents/agents.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"

#include "lib/log.h"

/* Thawing a thousand processes may starve slumberd for a while. */
#define RIVAL_PATIENCE (5 * USEC_PER_SEC)

struct rival {
        struct peer *peer; /* the waiting newcomer */
        char *node;        /* the node's name; slumberd -F sends the machine's name */
        uint64_t question; /* id of the question to the connected slumberd */
        usec_t booted;     /* our CLOCK_BOOTTIME */
        Envelope *env;     /* the registration */
        sd_event_source *patience;
};

static void rival_free(struct rival *r) {
        sd_event_source_disable_unref(r->patience);
        slumber__envelope__free_unpacked(r->env, NULL);
        free(r->node);
        free(r);
}

static const char *rival_node_name(const struct rival *r) {
        return r->node;
}

/* Returns NULL if a reconfiguration has removed the node or the node is not connected. */
static const struct peer *rival_connected_peer(const struct controller *ctl,
                const struct rival *r) {
        const struct node *n = cluster_node(ctl->cluster, rival_node_name(r));

        return n ? ctl->agents[n->index] : NULL;
}

/* Removes the rival from the list; the caller owns the result. */
static struct rival *rival_take(struct controller *ctl, size_t i) {
        struct rival *r = ctl->rivals[i];

        ctl->rivals[i] = ctl->rivals[--ctl->n_rivals];
        return r;
}

static void rival_refuse(struct controller *ctl, struct rival *r, const char *why) {
        const struct peer *old = rival_connected_peer(ctl, r);
        _cleanup_free_ char *text = xasprintf("it is connected from %s%s",
                        old && old->conn ? conn_peer_address(old->conn) : "elsewhere", why);

        log_fields(LOG_WARNING, 0, 0, rival_node_name(r),
                        "Registration of node %s from %s refused: %s", rival_node_name(r),
                        conn_peer_address(r->peer->conn), text);
        agent_answer(ctl, &(struct address){ r->peer, 0, r->env->id }, NULL, SLUMBER_NODE_CONNECTED,
                        text);
        rival_free(r);
}

static void rival_admit(struct controller *ctl, struct rival *r, const char *why) {
        log_fields(LOG_WARNING, 0, 0, rival_node_name(r),
                        "Registration of node %s from %s replaces an older connection: %s",
                        rival_node_name(r), conn_peer_address(r->peer->conn), why);
        r->peer->admitted = true;
        agent_handle(ctl, r->peer, r->env);
        rival_free(r);
}

static int on_patience(sd_event_source *s, uint64_t usec, void *user) {
        struct peer *p = user;
        struct controller *ctl = p->ctl;
        size_t i = 0;

        while (ctl->rivals[i]->peer != p)
                i++;
        struct rival *r = rival_take(ctl, i);
        const struct peer *old = rival_connected_peer(ctl, r);
        if (!old || !old->conn)
                rival_admit(ctl, r, "that has ended");
        else if (r->booted > old->registered)
                rival_admit(ctl, r, "it has booted since, and the older agent does not answer");
        else if (conn_unacknowledged(old->conn))
                rival_admit(ctl, r, "nothing reaches the older agent");
        else
                rival_refuse(ctl, r, ", where its slumberd does not answer");
        return 0;
}

bool rival_waits(struct controller *ctl, struct peer *p, struct node *n, const Envelope *env,
                usec_t boot_time) {
        struct peer *old = ctl->agents[n->index];
        uint64_t instance = env->register_node->instance;

        if (!old || old == p || !old->conn || p->admitted ||
                        (instance && instance == old->instance))
                return false;
        rival_gone(ctl, p); /* registered twice: the later registration counts */
        struct rival *r = xnew0(struct rival, 1);
        *r = (struct rival){
                .peer = p,
                .node = xstrdup(n->name),
                .booted = controller_boottime(ctl, boot_time),
                .env = wire_copy(&env->base),
                .question = agent_ask(old),
        };
        if (sd_event_add_time_relative(ctl->event, &r->patience, CLOCK_MONOTONIC, RIVAL_PATIENCE, 1,
                            on_patience, p) < 0) {
                rival_refuse(ctl, r, ", and there is no timer to wait for its answer");
                return true;
        }
        GROW(ctl->rivals, ctl->a_rivals, ctl->n_rivals);
        ctl->rivals[ctl->n_rivals++] = r;
        return true;
}

void rivals_answered(struct controller *ctl, const struct node *n, uint64_t question) {
        for (size_t i = ctl->n_rivals; i-- > 0;)
                if (ctl->rivals[i]->question == question &&
                                streq(rival_node_name(ctl->rivals[i]), n->name))
                        rival_refuse(ctl, rival_take(ctl, i), "");
}

/* Accepts a single registration; further waiting registrations compete with the accepted
   slumberd. */
void rivals_place_free(struct controller *ctl, const struct node *n) {
        for (size_t i = 0; i < ctl->n_rivals; i++)
                if (streq(rival_node_name(ctl->rivals[i]), n->name)) {
                        rival_admit(ctl, rival_take(ctl, i), "that has ended");
                        return;
                }
}

void rival_gone(struct controller *ctl, const struct peer *p) {
        for (size_t i = ctl->n_rivals; i-- > 0;)
                if (ctl->rivals[i]->peer == p)
                        rival_free(rival_take(ctl, i));
}

void rivals_free(struct controller *ctl) {
        while (ctl->n_rivals)
                rival_free(rival_take(ctl, 0));
        free(TAKE(ctl->rivals));
}
