/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages between nodes of a step (docs/launch.md, "The exchange"): messages of a step daemon go
 * to another slumberd, received messages go to the step daemon.
 *
 * The cluster key alone identifies a connecting node, so each message is compared with the steps
 * running here: step and token, number of the sender and of this node. A message for a step absent
 * here, or not launched yet, is returned without its data; a message with a wrong token or a wrong
 * node is dropped. Answers use the connection on which the other node was heard last, so that two
 * nodes need a single connection. */
#include "agent/streams/node_messages.h"
#include "agent/common/tree.h"
#include "agent/peers/peers.h"
#include "agent/state/agent.h"

#include "lib/addresses.h"

/* bytes queued for a step daemon before messages are returned: windows of some steps */
#define QUEUE_MAX ((size_t)32 << 20)
/* pause between questions to the controller where the nodes of a step listen */
#define ASK_PAUSE (5 * USEC_PER_SEC)

/* ---- where nodes listen now ---- */

/* Asks the controller: a restarted slumberd may listen at another port than at the step's launch,
   also the slumberd to be informed. */
static void ask_addresses(struct step *s) {
        Slumber__StepAddresses m = SLUMBER__STEP_ADDRESSES__INIT;
        usec_t now = now_monotonic();

        if (!upstream_up(s->job->agent) ||
                        (s->listening_asked && now < s->listening_asked + ASK_PAUSE))
                return;
        s->listening_asked = now;
        m.job_id = s->name.job;
        m.restarts = s->name.restarts;
        m.step_id = s->name.step;
        ENVELOPE(env, STEP_ADDRESSES, step_addresses, &m);
        upstream_send(s->job->agent, &env);
}

/* Returns the connection to a node; NULL: there is none. before: address of the node's slumberd
   when the step began. */
static struct peer *node_reach(struct step *s, uint32_t node, const char *before) {
        const char *now = s->listening ? addresses_get(s->listening, node) : "";
        struct peer *p = peers_get(s->job->agent->peers, isempty(now) ? before : now);

        if (!p)
                ask_addresses(s);
        return p;
}

/* Another slumberd has returned the message: either the launch is still on its way to the node, or
   the node listens elsewhere now. The controller is asked if this happens repeatedly. */
static void node_absent(struct step *s, uint32_t node, const struct peer *p) {
        if (!s->listening_asked)
                s->listening_asked = now_monotonic();
        if (s->listening && s->peers && s->peers[node] == p)
                s->peers[node] = NULL;
        ask_addresses(s);
}

/* ---- messages to step daemons ---- */

static void tell_undelivered(struct step *s, uint32_t to) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        m.job_id = s->known.job;
        m.restarts = s->known.restarts;
        m.step_id = s->known.step;
        m.from = s->node_rank;
        m.to = to;
        m.undelivered = true;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
        step_send(s, &env);
}

void node_message_lost(struct step *s, const struct peer *p, bool quiet) {
        for (uint32_t i = 0; s->peers && i < s->n_nodes; i++)
                if (s->peers[i] == p) {
                        s->peers[i] = NULL;
                        if (!quiet)
                                ask_addresses(s);
                        tell_undelivered(s, i);
                }
}

void node_message_slow(struct step *s, const struct peer *p) {
        for (uint32_t i = 0; s->peers && i < s->n_nodes; i++)
                if (s->peers[i] == p)
                        ask_addresses(s);
}

void node_addresses_take(struct agent *a, const Slumber__StepAddresses *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct step *s = j ? job_find_step(j, m->step_id) : NULL;

        if (!s || s->n_nodes < 2)
                return;
        addresses_free(s->listening);
        s->listening = addresses_parse((const char *const *)m->addresses, m->n_addresses);
        for (uint32_t i = 0; s->peers && i < s->n_nodes; i++)
                if (s->peers[i] && !peer_is_up(s->peers[i])) { /* perhaps the former address */
                        s->peers[i] = NULL;
                        tell_undelivered(s, i);
                }
}

/* ---- received messages ---- */

/* Returns the message without its data. A mere acknowledgement (serial 0) is not returned. */
static void node_message_return(struct peer *p, Envelope *env) {
        Slumber__NodeMessage *m = env->node_message, back = SLUMBER__NODE_MESSAGE__INIT;

        if (m->serial == 0)
                return;
        back.job_id = m->job_id;
        back.restarts = m->restarts;
        back.step_id = m->step_id;
        back.from = m->from;
        back.to = m->to;
        back.serial = m->serial;
        back.token = m->token;
        back.undelivered = true;
        ENVELOPE(answer, NODE_MESSAGE, node_message, &back);
        (void)peer_send(p, &answer);
}

static void reached_by(struct step *s, uint32_t node, struct peer *p) {
        if (!s->peers)
                s->peers = xnew0(struct peer *, s->n_nodes);
        s->peers[node] = p;
}

static void node_message_check(struct peer *p, struct step *s, Envelope *env) {
        const Slumber__NodeMessage *m = env->node_message;
        uint32_t own = m->undelivered ? m->from : m->to, other = m->undelivered ? m->to : m->from;

        if (s->streams.token && m->token != s->streams.token) {
                peer_log_bad_message(p, "it does not show the token of step %u of job %u",
                                m->step_id, m->job_id);
                return;
        }
        if (own != s->node_rank || other == own || other >= s->n_nodes) {
                peer_log_bad_message(p, "node %u is not in step %u of job %u with node %u", other,
                                m->step_id, m->job_id, own);
                if (!m->undelivered && own != s->node_rank)
                        node_message_return(p, env); /* formerly another node's address */
                return;
        }
        if (m->undelivered)
                node_absent(s, other, p);
        if (!m->undelivered && !(s->conn && conn_queued(s->conn) < QUEUE_MAX)) {
                node_message_return(p, env);
                return;
        }
        if (!m->undelivered)
                reached_by(s, other, p);
        step_send(s, env);
}

void node_message_take(struct agent *a, struct peer *p, Envelope *env) {
        const Slumber__NodeMessage *m = env->node_message;
        struct step *s = step_find_known(a, m->job_id, m->restarts, m->step_id);

        if (s && s->n_nodes)
                node_message_check(p, s, env);
        else if (!m->undelivered)
                node_message_return(p, env); /* the launch is on its way, or the step has ended */
}

/* ---- messages to other nodes ---- */

void node_message_send(struct step *s, Envelope *env) {
        Slumber__NodeMessage *m = env->node_message;
        static char none[1];

        if (m->from != s->node_rank || m->to == m->from || m->to >= s->n_nodes) {
                log_fields(LOG_WARNING, 0, s->name.job, s->job->agent->node,
                                "The daemon of step %u sent a message from node %u to %u",
                                s->name.step, m->from, m->to);
                return;
        }
        struct peer *p = s->peers ? s->peers[m->to] : NULL;
        char *address = m->address;
        if (!p)
                p = node_reach(s, m->to, address);
        m->address = none;
        m->token = s->streams.token;
        m->job_id = s->known.job;
        m->restarts = s->known.restarts;
        if (p && peer_send(p, env))
                reached_by(s, m->to, p);
        else if (m->serial)
                tell_undelivered(s, m->to);
        m->address = address;
}

/* ---- a port in use by another process after a restart ---- */

/* Tells a node where this slumberd listens: the node answers by this connection. */
static void node_announce(struct step *s, uint32_t to) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        if (s->peers && s->peers[to])
                return;
        struct peer *p = node_reach(s, to, addresses_get(s->elsewhere, to));
        m.job_id = s->known.job;
        m.restarts = s->known.restarts;
        m.step_id = s->known.step;
        m.from = s->node_rank;
        m.to = to;
        m.token = s->streams.token;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
        if (p && peer_send(p, &env))
                reached_by(s, to, p);
}

static void say_here_to_all(struct step *s) {
        struct tree_range children = tree_children(s->node_rank, s->n_nodes, s->width);

        if (s->node_rank > 0)
                node_announce(s, tree_parent(s->node_rank, s->width));
        for (uint64_t child = children.first; child < children.end; child++)
                node_announce(s, (uint32_t)child);
}

static bool is_here(const struct agent *a, const char *address) {
        _cleanup_free_ char *host = NULL;
        uint16_t port;

        return address_split(address, &host, &port) < 0 || port == peers_port(a->peers);
}

void node_adopted(struct step *s, const Slumber__StepdHello *hello) {
        struct addresses *all = addresses_parse((const char *const *)hello->addresses,
                        hello->n_addresses);

        if (s->n_nodes < 2 || is_here(s->job->agent, addresses_get(all, s->node_rank))) {
                addresses_free(all);
                return;
        }
        s->elsewhere = all;
        s->width = hello->tree_width ? hello->tree_width : 16;
        say_here_to_all(s);
}

void nodes_beat(struct agent *a) {
        for (struct job *j = a->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        if (s->elsewhere)
                                say_here_to_all(s);
}
