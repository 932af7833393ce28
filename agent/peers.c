/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages between nodes of a step (docs/launch.md, "The exchange"): a step daemon's go to another
 * slumberd, those that come go to their step daemon.
 *
 * A node that connects is known by the cluster key alone, so each message is compared with the
 * steps that run here: its step, its sender's number and this node's.  A message of a step that is
 * not here, or not yet, goes back without its data; one that cannot be true is dropped.  Answers
 * take the connection on which the other node was heard last, so that two nodes need one. */
#include "agent/peers.h"

#include "agent/common/reliable.h"
#include "lib/addresses.h"
#include "lib/timer.h"

#include <arpa/inet.h>
#include <fcntl.h>

#define PORT_DEFAULT 6818 /* SlurmdPort's */
#define IDLE         (60 * USEC_PER_SEC)
/* Connections that were made from here, and others that came: each costs a descriptor and 40 kB. */
#define PEERS_MAX 512
/* bytes that wait for a peer, or for a step daemon, before messages go back: windows of some steps
 */
#define QUEUE_MAX ((size_t)32 << 20)
/* of a NodeMessage besides its data */
#define FRAME_EXTRA ((size_t)4 << 10)
/* between two attempts to connect to a slumberd that refuses */
#define PAUSE_FIRST (20 * USEC_PER_MSEC)
#define PAUSE_LAST  (2 * USEC_PER_SEC)

struct peer {
        struct agent *agent;
        struct conn *conn; /* NULL: it could not be reached, see again */
        char *address;     /* HOST:PORT; NULL: it has connected to us */
        bool ready;        /* the connection stands, or stood */
        bool complained;   /* of it, in the log */
        usec_t used;       /* CLOCK_MONOTONIC, also the next */
        usec_t pause, again;
        TAILQ_ENTRY(peer) next;
};

struct peers {
        struct conn_server *server;
        TAILQ_HEAD(, peer) list; /* the most recently made first */
        size_t n_in, n_out;
        bool full_said;
        sd_event_source *idle; /* the next look for connections without use */
};

static const struct conn_ops ops;

static struct peer *peer_new(struct agent *a, const char *address) {
        struct peer *p = xnew0(struct peer, 1);

        p->agent = a;
        p->address = xstrdup(address);
        p->used = now_monotonic();
        TAILQ_INSERT_HEAD(&a->peers->list, p, next);
        if (address)
                a->peers->n_out++;
        else
                a->peers->n_in++;
        if (!timer_is_armed(a->peers->idle))
                timer_arm(a->peers->idle, IDLE);
        return p;
}

/* ---- what step daemons are told ---- */

static void tell_undelivered(struct step *s, uint32_t to) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;

        m.job_id = s->name.job;
        m.restarts = s->name.restarts;
        m.step_id = s->name.step;
        m.from = s->node_rank;
        m.to = to;
        m.undelivered = true;
        ENVELOPE(env, NODE_MESSAGE, node_message, &m);
        step_send(s, &env);
}

static void step_lost(struct step *s, const struct peer *p) {
        for (uint32_t i = 0; s->peers && i < s->n_nodes; i++)
                if (s->peers[i] == p) {
                        s->peers[i] = NULL;
                        tell_undelivered(s, i);
                }
}

/* Its connection is gone, with what was under way on it. */
static void all_lost(struct peer *p) {
        for (struct job *j = p->agent->jobs; j; j = j->next)
                for (struct step *s = j->steps; s; s = s->next)
                        step_lost(s, p);
}

static void peer_free(struct peer *p) {
        struct peers *all = p->agent->peers;

        all_lost(p);
        TAILQ_REMOVE(&all->list, p, next);
        if (p->address)
                all->n_out--;
        else
                all->n_in--;
        conn_close(p->conn);
        free(p->address);
        free(p);
}

/* ---- what comes ---- */

static void complain(struct peer *p, const char *format, ...) _printf_(2, 3);
static void complain(struct peer *p, const char *format, ...) {
        va_list ap;

        if (p->complained)
                return;
        p->complained = true;
        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        log_warning(0, "A message of the slumberd at %s is dropped, and more of it without a word: %s",
                        conn_peer_address(p->conn), text);
}

/* Without its data; what only acknowledges need not come back. */
static void send_back(struct peer *p, Envelope *env) {
        Slumber__NodeMessage *m = env->node_message, back = SLUMBER__NODE_MESSAGE__INIT;

        if (m->serial == 0)
                return;
        back.job_id = m->job_id;
        back.restarts = m->restarts;
        back.step_id = m->step_id;
        back.from = m->from;
        back.to = m->to;
        back.serial = m->serial;
        back.undelivered = true;
        ENVELOPE(answer, NODE_MESSAGE, node_message, &back);
        (void)conn_send(p->conn, &answer);
}

static bool takes(const struct conn *c) {
        return c && conn_queued(c) < QUEUE_MAX;
}

static void reached_by(struct step *s, uint32_t node, struct peer *p) {
        if (!s->peers)
                s->peers = xnew0(struct peer *, s->n_nodes);
        s->peers[node] = p;
}

static void take_message(struct peer *p, struct step *s, Envelope *env) {
        const Slumber__NodeMessage *m = env->node_message;
        uint32_t own = m->undelivered ? m->from : m->to, other = m->undelivered ? m->to : m->from;

        if (own != s->node_rank || other == own || other >= s->n_nodes) {
                complain(p, "node %u is not in step %u of job %u with node %u", other, m->step_id,
                                m->job_id, own);
                return;
        }
        if (!m->undelivered && !takes(s->conn)) {
                send_back(p, env);
                return;
        }
        if (!m->undelivered)
                reached_by(s, other, p);
        step_send(s, env);
}

static void on_message(struct conn *c, Envelope *env, void *user) {
        struct peer *p = user;
        const Slumber__NodeMessage *m = env->node_message;

        (void)c;
        if (env->body_case != SLUMBER__ENVELOPE__BODY_NODE_MESSAGE) {
                complain(p, "message %d is not for other nodes", (int)env->body_case);
                return;
        }
        p->used = now_monotonic();
        struct job *j = job_find_exactly(p->agent, m->job_id, m->restarts);
        struct step *s = j ? job_find_step(j, m->step_id) : NULL;
        if (s && s->n_nodes)
                take_message(p, s, env);
        else if (!m->undelivered)
                send_back(p, env); /* its launch is on its way, or it is over */
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
        struct peer *p = user;

        (void)c, (void)r;
        p->conn = NULL;
        if (p->ready) {
                peer_free(p);
                return;
        }
        if (p->pause == 0)
                log_warning(0, "The slumberd of another node cannot be reached: %s", why);
        p->pause = MIN(MAX(p->pause * 2, PAUSE_FIRST), PAUSE_LAST);
        p->again = now_monotonic() + p->pause;
        all_lost(p);
}

static void on_ready(struct conn *c, void *user) {
        struct peer *p = user;

        (void)c;
        p->ready = true;
}

static const struct conn_ops ops = {
        .message = on_message,
        .closed = on_closed,
        .ready = on_ready,
};

static void use_conn(struct peer *p, struct conn *conn) {
        p->conn = conn;
        conn_set_ops(conn, &ops, p);
        conn_set_frame_limit(conn, RELIABLE_PIECE + FRAME_EXTRA);
}

static void on_accepted(struct conn_server *server, struct conn *conn, void *user) {
        struct agent *a = user;

        (void)server;
        if (a->peers->n_in >= PEERS_MAX) {
                if (!a->peers->full_said)
                        log_warning(0, "%d other slumberds are connected: no more are accepted",
                                        PEERS_MAX);
                a->peers->full_said = true;
                conn_close(conn);
                return;
        }
        struct peer *p = peer_new(a, NULL);
        p->ready = true;
        use_conn(p, conn);
}

static void on_refused(struct conn_server *server, const char *peer, const char *why, void *user) {
        (void)server, (void)user;
        log_warning(0, "A connection from %s to the port for other slumberds was refused: %s", peer,
                        why);
}

/* ---- what goes ---- */

/* One more is to be made: the one without use for longest goes. */
static void make_room(struct peers *all) {
        struct peer *p, *oldest = NULL;

        TAILQ_FOREACH(p, &all->list, next)
                if (p->address && (!oldest || p->used < oldest->used))
                        oldest = p;
        if (all->n_out >= PEERS_MAX && oldest)
                peer_free(oldest);
}

static void connect_to(struct peer *p) {
        _cleanup_free_ char *host = NULL;
        struct fail fail = { 0 };
        struct conn *conn = NULL;
        uint16_t port;
        int r = address_split(p->address, &host, &port);

        if (r < 0)
                (void)fail_set(&fail, r, "%s is not an address", p->address);
        else
                r = conn_connect_tls(p->agent->event, host, port, p->agent->key, &ops, p, &conn,
                                &fail);
        if (r < 0)
                on_closed(NULL, r, fail.text, p);
        else
                use_conn(p, conn);
}

/* NULL: not now. */
static struct peer *peer_at(struct agent *a, const char *address) {
        struct peer *p;

        if (isempty(address))
                return NULL;
        TAILQ_FOREACH(p, &a->peers->list, next)
                if (p->address && streq(p->address, address))
                        break;
        if (!p) {
                make_room(a->peers);
                p = peer_new(a, address);
        }
        if (!p->conn && now_monotonic() >= p->again)
                connect_to(p);
        return p->conn ? p : NULL;
}

void peers_send(struct step *s, Envelope *env) {
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
                p = peer_at(s->job->agent, address);
        m->address = none;
        if (p && takes(p->conn) && conn_send(p->conn, env) >= 0) {
                p->used = now_monotonic();
                reached_by(s, m->to, p);
        } else if (m->serial) {
                tell_undelivered(s, m->to);
        }
        m->address = address;
}

/* ---- connections without use ---- */

static int on_idle(sd_event_source *source, uint64_t t, void *user) {
        struct agent *a = user;
        usec_t now = now_monotonic();
        struct peer *next;

        (void)t;
        for (struct peer *p = TAILQ_FIRST(&a->peers->list); p; p = next) {
                next = TAILQ_NEXT(p, next);
                /* the side that has made a connection closes it */
                if (p->address && now - p->used >= IDLE && (!p->conn || conn_queued(p->conn) == 0))
                        peer_free(p);
        }
        if (!TAILQ_EMPTY(&a->peers->list))
                timer_arm(source, IDLE / 2);
        return 0;
}

/* ---- listening ---- */

static const struct config_node *own_line(const struct agent *a) {
        for (size_t i = 0; a->config && i < a->config->n_nodes; i++)
                if (streq(a->config->nodes[i].name, a->node))
                        return &a->config->nodes[i];
        return NULL;
}

/* NodeAddr, if it is one of this machine's: a name may stand for 127.0.1.1 here, and behind a
   router the address is the router's. */
static int listen_at(struct agent *a, const char *address, uint16_t port, struct fail *fail) {
        static const struct conn_server_ops server_ops = { .accepted = on_accepted,
                .refused = on_refused };
        uint8_t numeric[sizeof(struct in6_addr)];
        bool is_numeric = !isempty(address) &&
                          (inet_pton(AF_INET, address, numeric) == 1 ||
                                          inet_pton(AF_INET6, address, numeric) == 1);
        int r = conn_listen_tls(a->event, is_numeric ? address : NULL, port, a->key, &server_ops, a,
                        &a->peers->server, fail);

        if (r == -EADDRNOTAVAIL && is_numeric)
                r = conn_listen_tls(a->event, NULL, port, a->key, &server_ops, a, &a->peers->server,
                                fail);
        return r;
}

uint16_t peers_port(const struct agent *a) {
        return a->peers && a->peers->server ? conn_server_port(a->peers->server) : 0;
}

int peers_listen(struct agent *a, struct fail *fail) {
        const struct config_node *line = own_line(a);
        uint16_t configured = line        ? line->port
                              : a->config ? a->config->slurmd_port
                                          : PORT_DEFAULT,
                 before = a->jobs ? spool_read_port() : 0;
        const char *address = line ? line->address : NULL;
        struct fail why = { 0 };

        a->peers = xnew0(struct peers, 1);
        TAILQ_INIT(&a->peers->list);
        int r = timer_new(a->event, USEC_PER_SEC, on_idle, a, &a->peers->idle);
        if (r < 0)
                return fail_set(fail, r, "cannot make a timer: %s", strerror(-r));
        r = before ? listen_at(a, address, before, &why) : -ENOENT;
        if (r < 0 && configured != before)
                r = listen_at(a, address, configured, &why);
        if (r < 0)
                r = listen_at(a, address, 0, fail);
        if (r < 0)
                return r;
        if (peers_port(a) != configured)
                log_info("Other nodes' slumberds reach this one at port %u%s%s", peers_port(a),
                                *why.text ? ": " : "", why.text);
        spool_write_port(peers_port(a));
        return 0;
}

void peers_done(struct agent *a) {
        if (!a->peers)
                return;
        a->peers->server = conn_server_free(a->peers->server);
        while (!TAILQ_EMPTY(&a->peers->list))
                peer_free(TAILQ_FIRST(&a->peers->list));
        sd_event_source_disable_unref(a->peers->idle);
        free(TAKE(a->peers));
}
