/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A registration for a node that is connected already: two machines of one name, two slumberds on
 * one machine, or a node that has rebooted before its old connection was closed.
 *
 * The connected agent is asked to speak, and the registration waits for that:
 *
 *   it answers                                  -> the newcomer is refused; its own pauses grow
 * (agent/upstream.c) its connection ends                         -> the newcomer is taken silence,
 * and the newcomer's boot is newer   -> the newcomer is taken silence, nothing of the question has
 * arrived -> the newcomer is taken silence otherwise                           -> the newcomer is
 * refused, until SlurmdTimeout drops the silent one
 *
 * A slumberd that connects again is not its own rival: it says the instance that it has said
 * before. */
#include "controller/agents/rival.h"

#include "controller/agents/agents.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"

#include "lib/log.h"

/* An agent may be starved by a thousand processes that were just thawed. */
#define RIVAL_PATIENCE (5 * USEC_PER_SEC)

struct rival {
        struct peer *peer; /* that waits with its registration */
        char *node;        /* its name: what slumberd -F sends is that of a machine */
        uint64_t question; /* the connected agent was asked */
        usec_t booted;     /* CLOCK_BOOTTIME of ours */
        Envelope *env;     /* the registration */
        sd_event_source *patience;
};

static void rival_free(struct rival *r) {
        sd_event_source_disable_unref(r->patience);
        slumber__envelope__free_unpacked(r->env, NULL);
        free(r->node);
        free(r);
}

static const char *name_of(const struct rival *r) {
        return r->node;
}

/* A reconfiguration may have taken the node away. */
static const struct peer *connected(const struct controller *ctl, const struct rival *r) {
        const struct node *n = cluster_node(ctl->cluster, name_of(r));

        return n ? ctl->agents[n->index] : NULL;
}

/* Out of the list: it is the caller's. */
static struct rival *take(struct controller *ctl, size_t i) {
        struct rival *r = ctl->rivals[i];

        ctl->rivals[i] = ctl->rivals[--ctl->n_rivals];
        return r;
}

static void refuse(struct controller *ctl, struct rival *r, const char *why) {
        const struct peer *old = connected(ctl, r);
        _cleanup_free_ char *text = xasprintf("it is connected from %s%s",
                        old && old->conn ? conn_peer_address(old->conn) : "elsewhere", why);

        log_fields(LOG_WARNING, 0, 0, name_of(r), "Registration of node %s from %s refused: %s",
                        name_of(r), conn_peer_address(r->peer->conn), text);
        agent_answer(ctl, &(struct address){ r->peer, 0, r->env->id }, NULL, SLUMBER_NODE_CONNECTED,
                        text);
        rival_free(r);
}

static void admit(struct controller *ctl, struct rival *r, const char *why) {
        log_fields(LOG_WARNING, 0, 0, name_of(r),
                        "Registration of node %s from %s replaces an older connection: %s",
                        name_of(r), conn_peer_address(r->peer->conn), why);
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
        struct rival *r = take(ctl, i);
        const struct peer *old = connected(ctl, r);
        if (!old || !old->conn)
                admit(ctl, r, "that has ended");
        else if (r->booted > old->registered)
                admit(ctl, r, "it has booted since, and the older agent does not answer");
        else if (conn_unacknowledged(old->conn))
                admit(ctl, r, "nothing reaches the older agent");
        else
                refuse(ctl, r, ", where its slumberd does not answer");
        return 0;
}

bool rival_waits(struct controller *ctl, struct peer *p, struct node *n, const Envelope *env,
                usec_t boot_time) {
        struct peer *old = ctl->agents[n->index];
        uint64_t instance = env->register_node->instance;

        if (!old || old == p || !old->conn || p->admitted ||
                        (instance && instance == old->instance))
                return false;
        rival_gone(ctl, p); /* it has registered twice: the later one counts */
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
                refuse(ctl, r, ", and there is no timer to wait for its answer");
                return true;
        }
        GROW(ctl->rivals, ctl->a_rivals, ctl->n_rivals);
        ctl->rivals[ctl->n_rivals++] = r;
        return true;
}

void rivals_answered(struct controller *ctl, const struct node *n, uint64_t question) {
        for (size_t i = ctl->n_rivals; i-- > 0;)
                if (ctl->rivals[i]->question == question && streq(name_of(ctl->rivals[i]), n->name))
                        refuse(ctl, take(ctl, i), "");
}

/* One registration is taken: those that wait beside it are judged against that. */
void rivals_place_free(struct controller *ctl, const struct node *n) {
        for (size_t i = 0; i < ctl->n_rivals; i++)
                if (streq(name_of(ctl->rivals[i]), n->name)) {
                        admit(ctl, take(ctl, i), "that has ended");
                        return;
                }
}

void rival_gone(struct controller *ctl, const struct peer *p) {
        for (size_t i = ctl->n_rivals; i-- > 0;)
                if (ctl->rivals[i]->peer == p)
                        rival_free(take(ctl, i));
}

void rivals_free(struct controller *ctl) {
        while (ctl->n_rivals)
                rival_free(take(ctl, 0));
        free(TAKE(ctl->rivals));
}
