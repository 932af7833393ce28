/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections: local commands by Unix socket, agents by TLS; and who waits to hear of which job. */
#include "controller/controller.h"

#include "controller/lives/job_events.h"
#include "lib/log.h"
#include "lib/wire.h"

/* ---- peers ---- */

static struct peer *peer_ref(struct peer *p) {
        p->refs++;
        return p;
}

static void peer_unref(struct peer *p) {
        if (--p->refs == 0)
                free(p);
}

struct address address_copy(const struct address *a) {
        return (struct address){ a->peer ? peer_ref(a->peer) : NULL, a->client, a->id };
}

void address_done(struct address *a) {
        if (a->peer)
                peer_unref(a->peer);
        *a = (struct address){ 0 };
}

bool address_same(const struct address *a, const struct address *b) {
        return a->peer == b->peer && a->client == b->client;
}

static void look_at_queues(struct controller *ctl, const struct peer *from);
static void on_message(struct conn *conn, Envelope *env, void *user) {
        struct peer *p = user;

        controller_look_for_pause(p->ctl);
        look_at_queues(p->ctl, p);
        request_handle(p, env);
}

static void forget_peer(struct controller *ctl, struct peer *p) {
        assert(p->at < ctl->n_peers && ctl->peers[p->at] == p);
        ctl->peers[p->at] = ctl->peers[--ctl->n_peers];
        ctl->peers[p->at]->at = p->at;
        ctl->n_local -= p->local;
        client_gone(ctl, p, 0, true);
        agent_closed(ctl, p);
        peer_unref(p);
}

void peer_drop(struct controller *ctl, struct peer *p) {
        if (p->conn)
                conn_close(TAKE(p->conn));
        forget_peer(ctl, p);
}

static void on_closed(struct conn *conn, int r, const char *why, void *user) {
        struct peer *p = user;

        p->conn = NULL;
        if (r < 0 && !p->local)
                log_fields(p->node && p->node->power != NODE_ON ? LOG_INFO : LOG_WARNING, 0, 0,
                                p->node ? p->node->name : NULL, "Agent %s: %s",
                                p->node ? p->node->name : "(not registered)", why);
        else if (r == -EBADMSG || r == -ENOBUFS || r == -EPROTONOSUPPORT || r == -EMSGSIZE)
                log_warning(0, "Connection of uid %u closed: %s", (unsigned)p->uid, why);
        forget_peer(p->ctl, p);
}

static const struct conn_ops peer_ops = {
        .message = on_message,
        .closed = on_closed,
};

/* As many as a node relays: a runaway script must leave descriptors for the others. */
#define CONNECTIONS_OF_USER_MAX 4096

/* Who asks and does not read its answers is not asked further; one answer (a page, a script) may be under way, and what is
   told unasked of steps and jobs. */
#define SLOW_LIMIT        ((size_t)16 << 20)
#define QUEUE_OF_USER_MAX ((size_t)WIRE_FRAME_MAX + (32u << 20))
#define STREAMS_MAX       ((size_t)256 << 20) /* STEP_WINDOW of a thousand tasks */
/* All of a user's together; looked at once in so many requests. */
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

/* A thousand connections that each leave one answer lying must not take the memory either. */
static void look_at_queues(struct controller *ctl, const struct peer *from) {
        struct peer *worst = NULL;

        if (!from->local || from->uid == 0 || ++ctl->requests_seen % QUEUES_LOOK)
                return;
        while (queued_of_user(ctl, from->uid, &worst) > QUEUES_OF_USER_MAX && worst && worst != from) {
                log_warning(0, "Uid %u leaves too many answers unread; a connection of its is closed", (unsigned)from->uid);
                peer_drop(ctl, worst);
                worst = NULL;
        }
}

static bool too_many(const struct controller *ctl, uid_t uid) {
        size_t n = 0;

        if (uid == 0 || ctl->n_local <= CONNECTIONS_OF_USER_MAX) /* there may be a hundred thousand agents */
                return false;
        for (size_t i = 0; i < ctl->n_peers; i++)
                n += ctl->peers[i]->local && ctl->peers[i]->uid == uid;
        return n > CONNECTIONS_OF_USER_MAX;
}

static void accept_peer(struct controller *ctl, struct conn *conn, bool local) {
        struct peer *p = xnew0(struct peer, 1);

        p->ctl = ctl;
        p->conn = conn;
        p->refs = 1;
        p->local = local;
        p->heard = now_monotonic();
        if (local && conn_peer_credentials(conn, &p->uid, &p->gid, &p->pid) < 0) {
                p->uid = (uid_t)-1; /* nobody: every check refuses */
                p->gid = (gid_t)-1;
        }
        GROW(ctl->peers, ctl->a_peers, ctl->n_peers);
        p->at = ctl->n_peers;
        ctl->peers[ctl->n_peers++] = p;
        ctl->n_local += local;
        conn_set_ops(conn, &peer_ops, p);
        if (local) {
                conn_set_slow_limit(conn, SLOW_LIMIT);
                conn_set_queue_limit(conn, QUEUE_OF_USER_MAX);
        }
        if (local && too_many(ctl, p->uid))
                peer_drop(ctl, p);
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

static void refused(struct conn_server *s, const char *peer, const char *why, void *user) {
        log_warning(0, "Connection from %s refused: %s", peer, why);
}

int peers_listen(struct controller *ctl, struct fail *fail) {
        static const struct conn_server_ops local = { accept_local, refused }, agents = { accept_agent, refused };
        const struct config *config = ctl->cluster->config;
        int r = conn_listen_tls(ctl->event, isempty(config->controller_address) ? NULL : config->controller_address,
                        config->slurmctld_port, ctl->cluster_key, &agents, ctl, &ctl->tls_server, fail);

        if (r >= 0)
                r = wire_make_folder(config->site.socket, geteuid(), getegid(), fail);
        if (r < 0)
                return r;
        return conn_listen_unix(ctl->event, config->site.socket, 0666, &local, ctl, &ctl->unix_server, fail);
}

void peers_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                address_done(&ctl->watches[i].to);
        free(TAKE(ctl->watches));
        ctl->n_watches = 0;
        for (size_t i = 0; i < ctl->n_peers; i++) {
                struct peer *p = ctl->peers[i];
                if (p->conn)
                        conn_close(TAKE(p->conn));
                peer_unref(p);
        }
        free(TAKE(ctl->peers));
        ctl->n_peers = 0;
}

/* ---- watches ---- */

/* sbatch --wait, srun and scontrol wait_job need one; each is looked at whenever a job changes. */
#define WATCHES_PER_COMMAND 100

bool watches_full(const struct controller *ctl, const struct address *to) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_watches; i++)
                n += address_same(&ctl->watches[i].to, to);
        return n >= WATCHES_PER_COMMAND;
}

void watch_add(struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to) {
        GROW(ctl->watches, ctl->a_watches, ctl->n_watches);
        ctl->watches[ctl->n_watches++] = (struct watch){ kind, job, address_copy(to) };
}

static void watch_del(struct controller *ctl, size_t i) {
        address_done(&ctl->watches[i].to);
        ctl->watches[i] = ctl->watches[--ctl->n_watches];
}

bool watch_exists(const struct controller *ctl, enum watch_kind kind, uint32_t job) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind)
                        return true;
        return false;
}

bool watch_of(const struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to) {
        for (size_t i = 0; i < ctl->n_watches; i++)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind &&
                                address_same(&ctl->watches[i].to, to))
                        return true;
        return false;
}

void watch_tell(struct controller *ctl, enum watch_kind kind, uint32_t job, Envelope *env, bool drop) {
        for (size_t i = ctl->n_watches; i-- > 0;) {
                struct watch *w = &ctl->watches[i];
                struct address to = w->to;
                if (w->job != job || w->kind != kind)
                        continue;
                if (kind != WATCH_READY) /* a notice is nobody's answer */
                        to.id = 0;
                reply_now(&to, env);
                if (drop)
                        watch_del(ctl, i);
        }
}

void watch_ask_holders(struct controller *ctl) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);

        if (!ctl->cluster->config->inactive_limit)
                return;
        m.kind = SLUMBER__JOB_NOTICE__KIND__PING;
        for (size_t i = 0; i < ctl->n_watches; i++) {
                const struct watch *w = &ctl->watches[i];
                struct job *j = w->kind == WATCH_HOLDER ? cluster_job(ctl->cluster, w->job) : NULL;
                struct address to = w->to;

                if (!j || !job_holder_ask(ctl->cluster, j, controller_now(ctl)))
                        continue;
                to.id = 0;
                m.job_id = j->id;
                reply_now(&to, &env);
        }
        controller_changed(ctl);
}

/* A holder that came back by another connection. */
void watch_replace(struct controller *ctl, enum watch_kind kind, uint32_t job, const struct address *to) {
        for (size_t i = ctl->n_watches; i-- > 0;)
                if (ctl->watches[i].job == job && ctl->watches[i].kind == kind)
                        watch_del(ctl, i);
        watch_add(ctl, kind, job, to);
}

static void holder_gone(struct controller *ctl, struct job *j, bool for_good) {
        if (job_is_finished(j) || j->spec.batch)
                return;
        log_fields(LOG_INFO, 0, j->id, NULL, "JobId=%u: who held it is %s", j->id, for_good ? "gone" : "cut off");
        if (for_good)
                (void)job_cancel(ctl->cluster, j, j->uid, controller_now(ctl));
        else
                job_holder_lost(ctl->cluster, j, controller_now(ctl));
        controller_changed(ctl);
}

/* A command that held jobs has gone: they end with it.  If only the agent that relays it is away, it may come back. */
void client_gone(struct controller *ctl, struct peer *p, uint64_t client, bool all) {
        struct address who = { p, client, 0 };
        bool for_good = !all || p->local;

        parked_client_gone(ctl, p, client, all);
        plan_client_gone(ctl, p, client, all);
        bmc_client_gone(ctl, p, client, all);
        for (size_t i = ctl->n_watches; i-- > 0;) {
                struct watch *w = &ctl->watches[i];
                if (w->to.peer != p || (!all && w->to.client != client))
                        continue;
                struct job *j = w->kind == WATCH_HOLDER ? cluster_job(ctl->cluster, w->job) : NULL;
                watch_del(ctl, i);
                if (j && !job_outlives_holder(j))
                        holder_gone(ctl, j, for_good);
        }
        if (!all) {
                runs_client_gone(ctl, &who, true);
                return;
        }
        for (size_t i = ctl->n_runs; i-- > 0;)
                if (i < ctl->n_runs && ctl->runs[i]->to.peer == p)
                        runs_client_gone(ctl, &ctl->runs[i]->to, for_good);
}
