/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections to the controllers of other clusters: one for each, made for the first request.
 *
 * The loop never blocks: a request is sent, or queued until the connection is ready, and the
 * command is answered when the answer arrives or the time is over.  A cluster that does not answer
 * is not tried again for AWAY; requests in that time fail at once. */
#include "controller/clusters/links.h"

#include "controller/clusters/names.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"

#include "lib/log.h"
#include "lib/timer.h"

#include <arpa/inet.h>
#include <strings.h>

/* time for a connection to a host including the handshake, and for its address */
#define CONNECT (3 * USEC_PER_SEC)
/* Lifetime of looked-up addresses; a lost connection ends it. */
#define ADDRESS_FRESH (60 * USEC_PER_SEC)
#define AWAY          (5 * USEC_PER_SEC)
#define TICK          (USEC_PER_SEC / 4)
/* If a request gets no answer within ASK_AFTER, the controller is sent a ping, which depends on no
   user and no name service; without an answer within IS_THERE the cluster is away. */
#define ASK_AFTER (2 * USEC_PER_SEC)
#define IS_THERE  (3 * USEC_PER_SEC)
/* Queries are answered from memory; changes are on the other controller's disk first. */
#define ANSWER_SHOWN   (5 * USEC_PER_SEC)
#define ANSWER_CHANGED (20 * USEC_PER_SEC)
/* Maximum of pending requests to a cluster: in total, for a user, and as part (1/n) of the room
   left for a user.  root is not limited, and a few users cannot take all the room. */
#define WAITING_MAX          1024
#define WAITING_OF_USER_MAX  64
#define WAITING_OF_USER_PART 8
/* Maximum size of a message while no answer is awaited. */
#define UNASKED_MAX ((size_t)64 << 10)
#define QUEUED_MAX  ((size_t)32 << 20) /* bytes not taken by the cluster yet */

struct waiting {
        TAILQ_ENTRY(waiting) next;
        struct address from;
        uid_t uid;
        uint64_t id; /* id on the link */
        const struct far_request *row;
        uint8_t *frame; /* packed request, until sent */
        size_t size;
        bool sent;
        usec_t since, due; /* CLOCK_MONOTONIC */
};

struct host {
        struct link *link;
        char *name;
        bool numeric;                /* name is an address */
        struct name_lookup *looking; /* look-up under way, since the time since; NULL: none */
        char *addresses[NAME_ADDRESSES_MAX];
        size_t n_addresses, at; /* at: the address used */
        usec_t since; /* CLOCK_MONOTONIC; without looking: when the addresses were found */
};

struct link {
        struct controller *ctl;
        char *name;
        struct host *hosts;
        size_t n_hosts;
        uint16_t port;
        struct cluster_key *key; /* NULL: see no_key */
        char *no_key;
        bool let_in;       /* the cluster may connect with the key */
        struct conn *conn; /* NULL: not connected */
        bool ready;        /* the connection is ready */
        size_t host;       /* index of the host connected to, or next */
        size_t tried;      /* hosts tried without success since the last connection */
        char *away;        /* why no request is sent before until; NULL: the cluster answers */
        usec_t until;
        sd_event_source *tick;
        TAILQ_HEAD(waiting_list, waiting) waiting;
        size_t n_waiting;
        size_t held; /* bytes of packed requests not sent yet */
        uint64_t last_id;
        usec_t asked; /* when the last ping was sent, CLOCK_MONOTONIC; 0: none, or answered */
};

struct links {
        struct link **list;
        size_t n, allocated;
};

/* ---- pending requests ---- */

static void link_limit_frames(struct link *l) {
        if (l->conn)
                conn_set_frame_limit(l->conn,
                                TAILQ_EMPTY(&l->waiting) ? UNASKED_MAX : WIRE_FRAME_MAX);
}

static void link_waiting_free(struct link *l, struct waiting *w) {
        TAILQ_REMOVE(&l->waiting, w, next);
        l->n_waiting--;
        link_limit_frames(l);
        l->held -= w->frame ? w->size : 0;
        free(w->frame);
        address_done(&w->from);
        free(w);
}

static void waiting_refuse(struct link *l, struct waiting *w, const char *why) {
        _cleanup_free_ char *text = xasprintf("Cluster %s does not answer: %s%s", l->name, why,
                        w->sent && !w->row->asks ? "; what was asked may have been done there"
                                                 : "");

        reply_result(l->ctl, &w->from, SLUMBER_CLUSTER_AWAY, text);
        link_waiting_free(l, w);
}

static void link_refuse_all(struct link *l, const char *why) {
        while (!TAILQ_EMPTY(&l->waiting))
                waiting_refuse(l, TAILQ_FIRST(&l->waiting), why);
}

static size_t waiting_of(const struct link *l, uid_t uid) {
        const struct waiting *w;
        size_t n = 0;

        TAILQ_FOREACH(w, &l->waiting, next)
                n += w->uid == uid;
        return n;
}

static size_t most_of_user(const struct link *l) {
        return MIN((WAITING_MAX - l->n_waiting) / WAITING_OF_USER_PART + 1,
                        (size_t)WAITING_OF_USER_MAX);
}

/* ---- the connection ---- */

static void drop_connection(struct link *l) {
        if (l->conn)
                conn_close(TAKE(l->conn));
        l->ready = false;
        l->asked = 0;
}

static void link_mark_away(struct link *l, const char *why) {
        drop_connection(l);
        if (!l->away)
                log_warning(0, "Cluster %s does not answer: %s", l->name, why);
        free(l->away);
        l->away = xstrdup(why);
        l->until = now_monotonic() + AWAY;
        l->tried = 0;
        link_refuse_all(l, l->away);
}

static void send_frame(struct link *l, struct waiting *w) {
        /* on failure closed() follows */
        (void)conn_send_packed(l->conn, w->frame, w->size);
        w->sent = true;
        l->held -= w->size;
        free(TAKE(w->frame));
}

static void link_on_ready(struct conn *conn, void *user) {
        struct link *l = user;
        struct waiting *w;

        (void)conn;
        l->ready = true;
        l->tried = 0;
        link_limit_frames(l);
        if (l->away)
                log_info("Cluster %s answers again", l->name);
        free(TAKE(l->away));
        TAILQ_FOREACH(w, &l->waiting, next)
                if (w->frame)
                        send_frame(l, w);
}

/* Drops messages that answer no pending request. */
static void link_on_message(struct conn *conn, Envelope *env, void *user) {
        _cleanup_free_ uint8_t *frame = NULL;
        struct link *l = user;
        struct waiting *w;
        size_t size;

        (void)conn;
        TAILQ_FOREACH(w, &l->waiting, next)
                if (w->id == env->reply_to)
                        break;
        if (!w || !env->reply_to)
                return;
        if (!far_answers(w->row, env)) {
                waiting_refuse(l, w, "its answer is of another kind");
                return;
        }
        Envelope answer = *env; /* borrows from env */
        answer.id = 0;
        answer.caller = NULL;
        int r = wire_pack_relayed(&answer, &frame, &size);
        if (r < 0) {
                waiting_refuse(l, w, wire_strerror(r));
                return;
        }
        reply_now(&w->from, &answer);
        link_waiting_free(l, w);
}

static struct host *link_host(const struct link *l) {
        return &l->hosts[l->host % l->n_hosts];
}

static void forget_addresses(struct host *h) {
        while (!h->numeric && h->n_addresses)
                free(h->addresses[--h->n_addresses]);
        h->at = 0;
}

static void connect_next(struct link *l);
static void link_next_host(struct link *l, const char *why) {
        forget_addresses(link_host(l));
        l->host++;
        if (++l->tried >= l->n_hosts)
                link_mark_away(l, why);
        else
                connect_next(l);
}

static void link_on_closed(struct conn *conn, int r, const char *why, void *user) {
        struct link *l = user;
        struct host *h = link_host(l);

        (void)conn, (void)r;
        l->conn = NULL;
        if (l->ready) { /* the next request connects again */
                l->ready = false;
                forget_addresses(h);
                link_refuse_all(l, why);
        } else if (++h->at < h->n_addresses) {
                connect_next(l);
        } else {
                link_next_host(l, why);
        }
}

/* Addresses of a host no longer needed are kept for a while. */
static void on_found(char *const *addresses, size_t n, const char *why, void *user) {
        struct host *h = user;
        struct link *l = h->link;

        h->looking = NULL;
        h->since = now_monotonic();
        forget_addresses(h);
        for (size_t i = 0; i < n; i++)
                h->addresses[h->n_addresses++] = xstrdup(addresses[i]);
        if (l->conn || !l->n_waiting || h != link_host(l))
                return;
        if (n)
                connect_next(l);
        else
                link_next_host(l, why);
}

/* Returns 1: the addresses are known; 0: a look-up is under way; or a negative errno. */
static int find_addresses(struct host *h) {
        usec_t now = now_monotonic();

        if (h->looking)
                return 0;
        if (h->numeric || h->at || (h->n_addresses && now - h->since < ADDRESS_FRESH))
                return 1;
        forget_addresses(h);
        h->since = now;
        return name_look_up(h->link->ctl->event, h->name, on_found, h, &h->looking);
}

static void connect_next(struct link *l) {
        static const struct conn_ops ops = { .message = link_on_message,
                .closed = link_on_closed,
                .ready = link_on_ready };
        struct fail fail = { 0 };

        l->host %= l->n_hosts;
        struct host *h = link_host(l);
        int r = find_addresses(h);
        if (r == 0)
                return;
        if (r > 0)
                r = conn_connect_tls(l->ctl->event, h->addresses[h->at], l->port, l->key, &ops, l,
                                &l->conn, &fail);
        if (r >= 0)
                r = conn_set_deadline(l->conn, CONNECT);
        if (r < 0) {
                forget_addresses(h);
                l->host++;
                link_mark_away(l, *fail.text ? fail.text : strerror(-r));
                return;
        }
        conn_set_queue_limit(l->conn, (size_t)WIRE_FRAME_MAX + QUEUED_MAX);
}

static const char silent[] = "it has said nothing in time";

/* Refuses a late request; the cluster may be slow for this request only. */
static void waiting_refuse_late(struct link *l, struct waiting *w) {
        if (!l->conn || !l->ready)
                waiting_refuse(l, w, "there is no connection in time");
        else if (conn_last_received(l->conn) < w->since)
                waiting_refuse(l, w, silent);
        else
                waiting_refuse(l, w, "the answer has not come in time");
}

static void ask_whether_it_is_there(struct link *l) {
        Slumber__PingRequest m = SLUMBER__PING_REQUEST__INIT;
        ENVELOPE(env, PING, ping, &m);

        env.id = ++l->last_id;
        if (conn_send(l->conn, &env) >= 0)
                l->asked = now_monotonic();
}

/* Treats a cluster that sends no message at all as away. */
static void check_silence(struct link *l, usec_t now) {
        const struct waiting *w;

        if (!l->conn || !l->ready)
                return;
        usec_t heard = conn_last_received(l->conn);
        if (l->asked && heard >= l->asked)
                l->asked = 0;
        if (l->asked && now - l->asked >= IS_THERE) {
                link_mark_away(l, silent);
                return;
        }
        TAILQ_FOREACH(w, &l->waiting, next)
                if (!l->asked && w->sent && heard < w->since && now - w->since >= ASK_AFTER)
                        ask_whether_it_is_there(l);
}

/* Tries the next host, whose address may be known. */
static void check_names(struct link *l, usec_t now) {
        struct host *h = link_host(l);

        if (l->conn || !l->n_waiting || !h->looking || now - h->since < CONNECT)
                return;
        _cleanup_free_ char *why = xasprintf(
                        "the name service has not told the address of its host %s in time",
                        h->name);
        link_next_host(l, why);
}

static int link_on_tick(sd_event_source *s, uint64_t usec, void *user) {
        struct link *l = user;
        usec_t now = now_monotonic();
        struct waiting *w = TAILQ_FIRST(&l->waiting);

        (void)s, (void)usec;
        while (w) {
                struct waiting *next = TAILQ_NEXT(w, next);
                if (w->due <= now) {
                        waiting_refuse_late(l, w);
                        next = TAILQ_FIRST(&l->waiting); /* further requests may be gone too */
                }
                w = next;
        }
        check_silence(l, now);
        check_names(l, now);
        if (l->n_waiting || l->asked)
                timer_arm(l->tick, TICK);
        return 0;
}

/* ---- requests ---- */

static struct link *link_find(const struct controller *ctl, const char *name) {
        for (size_t i = 0; ctl->links && i < ctl->links->n; i++)
                if (strcasecmp(ctl->links->list[i]->name, name) == 0)
                        return ctl->links->list[i];
        return NULL;
}

/* Returns why no request may be sent; NULL: allowed. */
static const char *link_refusal(struct link *l, uid_t uid) {
        if (!l->key)
                return l->no_key;
        if (l->away && now_monotonic() < l->until)
                return l->away;
        if (l->n_waiting >= WAITING_MAX || l->held > QUEUED_MAX ||
                        (l->ready && conn_queued(l->conn) > QUEUED_MAX))
                return "too much waits for it";
        if (uid != 0 && waiting_of(l, uid) >= most_of_user(l))
                return "too many requests of yours wait for it";
        return NULL;
}

static struct waiting *add_waiting(struct link *l, const struct caller *caller,
                const struct far_request *row) {
        struct waiting *w = xnew0(struct waiting, 1);

        w->from = address_copy(&caller->from);
        w->uid = caller->uid;
        w->id = ++l->last_id;
        w->row = row;
        w->since = now_monotonic();
        w->due = w->since + (row->asks ? ANSWER_SHOWN : ANSWER_CHANGED);
        TAILQ_INSERT_TAIL(&l->waiting, w, next);
        l->n_waiting++;
        link_limit_frames(l);
        if (!timer_is_armed(l->tick))
                timer_arm(l->tick, TICK);
        return w;
}

/* Packs the request in the name of the caller. */
static int waiting_pack(const struct caller *caller, const Envelope *env, struct waiting *w) {
        Slumber__Caller as = SLUMBER__CALLER__INIT;
        Envelope request = *env;

        as.uid = caller->uid;
        as.gid = caller->gid;
        as.pid = (uint32_t)caller->pid;
        as.host = (char *)(uintptr_t)caller->host;
        as.user = caller->user->name;
        request.id = w->id;
        request.reply_to = 0;
        request.caller = &as;
        int r = wire_pack_relayed(&request, &w->frame, &w->size);
        return r >= 0 && w->size > GUEST_REQUEST_MAX ? -EMSGSIZE : r;
}

void links_ask(struct controller *ctl, const char *cluster, const struct caller *caller,
                const struct far_request *row, const Envelope *env) {
        struct link *l = link_find(ctl, cluster);
        const char *why = l ? link_refusal(l, caller->uid) : "it is not known";

        if (why) {
                _cleanup_free_ char *text = xasprintf("Cluster %s does not answer: %s", cluster,
                                why);
                reply_result(ctl, &caller->from, SLUMBER_CLUSTER_AWAY, text);
                return;
        }
        struct waiting *w = add_waiting(l, caller, row);
        int r = waiting_pack(caller, env, w);
        l->held += w->frame ? w->size : 0;
        if (r < 0) {
                waiting_refuse(l, w, wire_strerror(r));
                return;
        }
        if (l->ready)
                send_frame(l, w);
        else if (!l->conn)
                connect_next(l);
}

void links_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        for (size_t i = 0; ctl->links && i < ctl->links->n; i++) {
                struct link *l = ctl->links->list[i];
                struct waiting *next;
                for (struct waiting *w = TAILQ_FIRST(&l->waiting); w; w = next) {
                        next = TAILQ_NEXT(w, next);
                        if (w->from.peer == p && (all || w->from.client == client))
                                link_waiting_free(l, w);
                }
        }
}

const char *links_away(const struct controller *ctl, const char *cluster, const char **ret_host) {
        const struct link *l = link_find(ctl, cluster);

        *ret_host = l ? link_host(l)->name : "";
        return !l ? "it is not known" : !l->key ? l->no_key : strempty(l->away);
}

/* ---- the configuration ---- */

static bool is_numeric(const char *host) {
        struct in6_addr number;

        return inet_pton(AF_INET, host, &number) == 1 || inet_pton(AF_INET6, host, &number) == 1;
}

static void host_init(struct host *h, struct link *l, const char *name) {
        *h = (struct host){ .link = l, .name = xstrdup(name), .numeric = is_numeric(name) };
        if (h->numeric)
                h->addresses[h->n_addresses++] = xstrdup(name);
}

static void host_done(struct host *h) {
        h->looking = name_lookup_drop(h->looking);
        h->numeric = false;
        forget_addresses(h);
        free(h->name);
}

static void cluster_link_free(struct link *l, const char *why) {
        drop_connection(l);
        link_refuse_all(l, why);
        sd_event_source_disable_unref(l->tick);
        for (size_t i = 0; i < l->n_hosts; i++)
                host_done(&l->hosts[i]);
        free(l->hosts);
        cluster_key_free(l->key);
        free(l->no_key);
        free(l->away);
        free(l->name);
        free(l);
}

static void let_in(struct controller *ctl, const char *cluster, const struct cluster_key *key) {
        conn_server_let_in(ctl->tls_server, cluster, key);
        for (size_t i = ctl->n_peers; i-- > 0;) {
                struct peer *p = ctl->peers[i];
                const char *of = p->conn ? conn_cluster(p->conn) : NULL;
                if (of && streq(of, cluster)) /* connected with an older key */
                        peer_drop(ctl, p);
        }
}

static struct link *cluster_link_new(struct controller *ctl, const struct site_cluster *c) {
        struct link *l = xnew0(struct link, 1);

        l->ctl = ctl;
        l->name = xstrdup(c->name);
        l->hosts = xnew0(struct host, c->n_hosts);
        for (size_t i = 0; i < c->n_hosts; i++)
                host_init(&l->hosts[l->n_hosts++], l, c->hosts[i]);
        l->port = c->port;
        TAILQ_INIT(&l->waiting);
        return l;
}

/* Another link in the list with the key. */
static const struct link *same_key(const struct links *links, const struct cluster_key *key) {
        for (size_t i = 0; i < links->n; i++)
                if (links->list[i]->key && cluster_key_same(links->list[i]->key, key))
                        return links->list[i];
        return NULL;
}

static void link_read_key(struct link *l, const char *path, const struct links *others) {
        struct fail fail = { 0 };

        if (timer_new(l->ctl->event, 0, link_on_tick, l, &l->tick) < 0)
                fail_set(&fail, -ENOMEM, "the controller has no timer for it");
        else
                (void)cluster_key_read_shared(path, l->ctl->cluster->config->cluster_name, &l->key,
                                &fail);
        const struct link *other = l->key ? same_key(others, l->key) : NULL;
        if (other)
                fail_set(&fail, -EKEYREJECTED, "its key is that of %s, which could act as this one",
                                other->name);
        else if (l->key && cluster_key_same(l->key, l->ctl->cluster_key))
                fail_set(&fail, -EKEYREJECTED,
                                "its key %s is this cluster's own, which each of its nodes has",
                                path);
        if (!*fail.text)
                return;
        l->key = cluster_key_free(l->key);
        l->no_key = xstrdup("its key is not used (the controller's log says why)");
        log_error(0, "Cluster %s is not asked, and not let in: %s", l->name, fail.text);
}

static bool link_is_same(const struct link *a, const struct link *b) {
        if (!streq(a->name, b->name) || !a->key || !b->key || !cluster_key_same(a->key, b->key) ||
                        a->port != b->port || a->n_hosts != b->n_hosts)
                return false;
        for (size_t i = 0; i < a->n_hosts; i++)
                if (!streq(a->hosts[i].name, b->hosts[i].name))
                        return false;
        return true;
}

/* Removes an equal link from the list and returns it; NULL: none. */
static struct link *take_same(struct links *links, const struct link *l) {
        for (size_t i = 0; links && i < links->n; i++)
                if (link_is_same(links->list[i], l)) {
                        struct link *same = links->list[i];
                        links->list[i] = links->list[--links->n];
                        return same;
                }
        return NULL;
}

static void links_free_all(struct controller *ctl, struct links *links, const char *why) {
        for (size_t i = 0; links && i < links->n; i++) {
                if (ctl->tls_server && links->list[i]->let_in)
                        let_in(ctl, links->list[i]->name, NULL);
                cluster_link_free(links->list[i], why);
        }
        if (links)
                free(links->list);
        free(links);
}

void links_configure(struct controller *ctl) {
        const struct site_config *site = &ctl->cluster->config->site;
        struct links *links = xnew0(struct links, 1), *old = ctl->links;
        struct link *kept;

        ctl->links = links;
        for (size_t i = 0; i < site->n_clusters; i++) {
                struct link *l = cluster_link_new(ctl, &site->clusters[i]);
                link_read_key(l, site->clusters[i].key_file, links);
                GROW(links->list, links->allocated, links->n);
                if ((kept = take_same(old, l)))
                        cluster_link_free(l, "");
                links->list[links->n++] = kept ? kept : l;
        }
        links_free_all(ctl, old, "its settings have changed");
        for (size_t i = 0; i < links->n; i++)
                if (links->list[i]->key && !links->list[i]->let_in) {
                        let_in(ctl, links->list[i]->name, links->list[i]->key);
                        links->list[i]->let_in = true;
                }
}

void links_free(struct controller *ctl) {
        links_free_all(ctl, TAKE(ctl->links), "the controller ends");
}
