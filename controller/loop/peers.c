/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections: local commands by Unix socket, slumberd by TLS. */
#include "controller/loop/peers.h"

#include "controller/loop/controller.h"
#include "controller/loop/tree.h"
#include "controller/loop/wall_clock.h"

#include "lib/log.h"
#include "lib/plugins/plugstack.h"
#include "lib/wire.h"

#include <arpa/inet.h>

#include <poll.h>

#define SOCKET_WAIT  (5 * USEC_PER_SEC) /* limit for a port or socket of a process just ending */
#define SOCKET_PAUSE 20                 /* ms between attempts */

/* ---- peers ---- */

static void peer_check_queues(struct controller *ctl, const struct peer *from);
static void peer_on_message(struct conn *conn, Envelope *env, void *user) {
        struct peer *p = user;

        p->ctl->ops->before_message(p->ctl);
        peer_check_queues(p->ctl, p);
        p->ctl->ops->message(p, env);
}

static void forget_peer(struct controller *ctl, struct peer *p) {
        assert(p->at < ctl->n_peers && ctl->peers[p->at] == p);
        ctl->peers[p->at] = ctl->peers[--ctl->n_peers];
        ctl->peers[p->at]->at = p->at;
        ctl->n_local -= p->local;
        tree_peer_gone(p);
        ctl->ops->client_gone(ctl, p, 0, true);
        ctl->ops->closed(ctl, p);
        peer_unref(p);
}

void peer_drop(struct controller *ctl, struct peer *p) {
        if (p->conn)
                conn_close(TAKE(p->conn));
        forget_peer(ctl, p);
}

static void peer_on_closed(struct conn *conn, int r, const char *why, void *user) {
        struct peer *p = user;

        p->conn = NULL;
        if (r < 0 && conn_cluster(conn))
                log_warning_folded("The controller of cluster %s: %s", conn_cluster(conn), why);
        else if (r < 0 && !p->local)
                log_fields(p->node && p->node->power != NODE_ON ? LOG_INFO : LOG_WARNING, 0, 0,
                                p->node ? p->node->name : NULL, "Agent %s: %s",
                                p->node ? p->node->name : "(not registered)", why);
        else if (r == -EBADMSG || r == -ENOBUFS || r == -EPROTONOSUPPORT || r == -EMSGSIZE)
                log_warning_folded("Connection of uid %u closed: %s", (unsigned)p->uid, why);
        forget_peer(p->ctl, p);
}

static const struct conn_ops peer_ops = {
        .message = peer_on_message,
        .closed = peer_on_closed,
};

/* A user's connections, as many as a node relays: a runaway script must leave descriptors for other
   users. */
#define CONNECTIONS_OF_USER_MAX 4096

/* Bytes a peer may leave unread before slumberctld stops reading from it, or closes the
   connection. A large answer (a page, a script) may be under way, plus unsolicited messages on
   steps and jobs. */
#define SLOW_LIMIT        ((size_t)16 << 20)
#define QUEUE_OF_USER_MAX ((size_t)WIRE_FRAME_MAX + (32u << 20))
#define STREAMS_MAX       ((size_t)256 << 20) /* STEP_WINDOW of a thousand tasks */
/* Limit for all connections of a user, checked once in QUEUES_LOOK requests. */
#define QUEUES_OF_USER_MAX ((size_t)512 << 20)
#define QUEUES_LOOK        64

static size_t queued_of_user(const struct controller *ctl, uid_t uid, struct peer **ret_worst) {
        size_t sum = 0, most = 0;

        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *p = ctl->peers[i];
                size_t queued = p->local && p->uid == uid && p->conn ? conn_queued(p->conn) : 0;
                sum += queued;
                if (queued > most) {
                        most = queued;
                        *ret_worst = p;
                }
        }
        return sum;
}

/* Closes a user's worst connections: a thousand connections with one unread answer each must not
   exhaust the memory either. */
static void peer_check_queues(struct controller *ctl, const struct peer *from) {
        struct peer *worst = NULL;

        if (!from->local || from->uid == 0 || ++ctl->requests_seen % QUEUES_LOOK)
                return;
        while (queued_of_user(ctl, from->uid, &worst) > QUEUES_OF_USER_MAX && worst &&
                        worst != from) {
                log_warning_folded("Closing a connection of uid %u: too many unread replies",
                                (unsigned)from->uid);
                peer_drop(ctl, worst);
                worst = NULL;
        }
}

static bool peer_exceeds_limit(const struct controller *ctl, uid_t uid) {
        size_t n = 0;

        /* n_local first: all peers include perhaps a hundred thousand slumberd */
        if (uid == 0 || ctl->n_local <= CONNECTIONS_OF_USER_MAX)
                return false;
        for (size_t i = 0; i < ctl->n_peers; i++)
                n += ctl->peers[i]->local && ctl->peers[i]->uid == uid;
        return n > CONNECTIONS_OF_USER_MAX;
}

/* The slumberctld of a cluster needs one connection, and a second after being killed. */
#define CONNECTIONS_OF_CLUSTER_MAX 3

static void accept_cluster(struct controller *ctl, const struct peer *p) {
        struct peer *oldest = NULL;
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *q = ctl->peers[i];
                const char *of = q->conn ? conn_cluster(q->conn) : NULL;
                if (!of || !streq(of, conn_cluster(p->conn)))
                        continue;
                n++;
                if (q != p && (!oldest || q->heard < oldest->heard))
                        oldest = q;
        }
        if (n > CONNECTIONS_OF_CLUSTER_MAX)
                peer_drop(ctl, oldest);
}

static void accept_peer(struct controller *ctl, struct conn *conn, bool local) {
        struct peer *p = xnew0(struct peer, 1);

        p->ctl = ctl;
        p->conn = conn;
        p->refs = 1;
        p->local = local;
        p->heard = now_monotonic();
        TAILQ_INIT(&p->tree_rows);
        STAILQ_INIT(&p->tree_held);
        if (local && conn_peer_credentials(conn, &p->uid, &p->gid, &p->pid) < 0) {
                p->uid = (uid_t)-1; /* no user: every check refuses */
                p->gid = (gid_t)-1;
        }
        GROW(ctl->peers, ctl->a_peers, ctl->n_peers);
        p->at = ctl->n_peers;
        ctl->peers[ctl->n_peers++] = p;
        ctl->n_local += local;
        conn_set_ops(conn, &peer_ops, p);
        if (local || conn_cluster(conn)) {
                conn_set_slow_limit(conn, SLOW_LIMIT);
                conn_set_queue_limit(conn, QUEUE_OF_USER_MAX);
        }
        if (conn_cluster(conn))
                conn_set_frame_limit(conn, GUEST_REQUEST_MAX);
        if (local && peer_exceeds_limit(ctl, p->uid))
                peer_drop(ctl, p);
        else if (conn_cluster(conn))
                accept_cluster(ctl, p);
}

void peer_streams(struct peer *p) {
        if (!p->local || !p->conn)
                return;
        conn_set_slow_limit(p->conn, 0);
        conn_set_queue_limit(p->conn, STREAMS_MAX);
}

static void accept_local(struct conn_server *s, struct conn *conn, void *user) {
        accept_peer(user, conn, true);
}

static void accept_agent(struct conn_server *s, struct conn *conn, void *user) {
        accept_peer(user, conn, false);
}

static void peer_on_refused(struct conn_server *s, const char *peer, const char *why, void *user) {
        log_warning_folded("Connection from %s refused: %s", peer, why);
}

static int listen_for_agents(struct controller *ctl, struct fail *fail) {
        static const struct conn_server_ops ops = { accept_agent, peer_on_refused };
        const struct config *config = ctl->cluster->config;

        return conn_listen_tls(ctl->event,
                        isempty(config->controller_address) ? NULL : config->controller_address,
                        config->slurmctld_port, ctl->cluster_key, &ops, ctl, &ctl->tls_server,
                        fail);
}

static int listen_for_commands(struct controller *ctl, struct fail *fail) {
        static const struct conn_server_ops ops = { accept_local, peer_on_refused };

        return conn_listen_unix(ctl->event, ctl->cluster->config->site.socket, 0666, &ops, ctl,
                        &ctl->unix_server, fail);
}

/* Calls attempt() again while the address is in use: a killed slumberctld keeps sockets until the
   kernel has freed the memory. */
static int listen_when_free(struct controller *ctl,
                int (*attempt)(struct controller *ctl, struct fail *fail), struct fail *fail) {
        usec_t until = now_monotonic() + SOCKET_WAIT;
        int r;

        while ((r = attempt(ctl, fail)) == -EADDRINUSE && now_monotonic() < until)
                (void)poll(NULL, 0, SOCKET_PAUSE);
        return r;
}

int peers_listen(struct controller *ctl, struct fail *fail) {
        int r = listen_when_free(ctl, listen_for_agents, fail);

        if (r >= 0)
                r = wire_make_folder(ctl->cluster->config->site.socket, geteuid(), getegid(), fail);
        if (r >= 0)
                r = listen_when_free(ctl, listen_for_commands, fail);
        return r < 0 ? r : peers_publish_plugins(ctl, fail);
}

int peers_publish_plugins(struct controller *ctl, struct fail *fail) {
        const struct config *config = ctl->cluster->config;

        return plugstack_publish(config->site.socket, config->plugstack_path,
                        strempty(config->plugin_dir), config->filter, fail);
}

void peers_free(struct controller *ctl) {
        trees_free(ctl);
        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *p = ctl->peers[i];
                if (p->conn)
                        conn_close(TAKE(p->conn));
                peer_unref(p);
        }
        free(TAKE(ctl->peers));
        ctl->n_peers = 0;
}

/* ---- slumberd ---- */

const char *peer_slumberd_host(const struct node *n, const struct peer *p) {
        /* 127.0.0.1 means a different machine on other nodes */
        const char *from = p ? conn_peer_address(p->conn) : "";
        struct in6_addr number;

        if (inet_pton(AF_INET, strempty(n->address), &number) == 1 ||
                        inet_pton(AF_INET6, strempty(n->address), &number) == 1)
                return n->address;
        bool own = isempty(from) || strncmp(from, "127.", 4) == 0 || streq(from, "::1");
        return own && !isempty(n->address) ? n->address : from;
}

bool agent_send(struct controller *ctl, const struct node *n, Envelope *env) {
        struct peer *p = ctl->agents[n->index];

        return p && p->conn && (tree_before(p, env) || conn_send(p->conn, env) >= 0);
}

bool agent_send_with_tail(struct controller *ctl, const struct node *n, Envelope *env,
                struct wire_tail *tail) {
        struct peer *p = ctl->agents[n->index];
        _cleanup_free_ uint8_t *begin = NULL;
        size_t size;

        if (!p || !p->conn)
                return false;
        (void)tree_before(p, env); /* messages with a tail are never held */
        return wire_pack_before(env, tail, &begin, &size) >= 0 &&
               conn_send_with_tail(p->conn, begin, size, tail) >= 0;
}

uint64_t agent_ask(struct peer *p) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;

        beat.answer = true;
        beat.now = controller_now(p->ctl);
        ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
        env.id = ++p->ctl->last_question;
        (void)conn_send(p->conn, &env);
        return env.id;
}
