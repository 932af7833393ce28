/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/peers/peers.h"
#include "agent/stepmgr/address_files.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/streams/srun_streams.h"
#include "lib/addresses.h"
#include "lib/log.h"
#include "lib/printable.h"

/* An older attempt says nothing about the present; an attempt may take two minutes. */
#define UNREACHED_FOR (300 * USEC_PER_SEC)
/* beyond the maximum the oldest entry is dropped, and the controller asked again */
#define HOMES_MAX 4096

struct stepmgr_address {
        uint32_t job, restarts;
        uid_t uid;
        uint64_t token;
        char *node, *address, *own_address;
        char *srun_prolog, *srun_epilog; /* paths from the controller; "" = none */
        bool in_spool;                   /* in the spool */
        /* CLOCK_MONOTONIC time since which a command is expected to ask again; 0: none */
        usec_t awaited;
        bool doubtful; /* lost since: ask the controller, if connected */
        /* CLOCK_MONOTONIC times: first of a series of failed attempts while the controller has a
           connection to the node, and last attempt; unreached 0: reachable */
        usec_t unreached, tried;
        TAILQ_ENTRY(stepmgr_address) next;
};

struct stepmgr_addresses {
        TAILQ_HEAD(, stepmgr_address) homes;
        size_t n;
};

/* ---- step managers on other nodes ---- */

static void stepmgr_address_free(struct stepmgr_addresses *v, struct stepmgr_address *h) {
        TAILQ_REMOVE(&v->homes, h, next);
        v->n--;
        free(h->node);
        free(h->address);
        free(h->own_address);
        free(h->srun_prolog);
        free(h->srun_epilog);
        free(h);
}

static struct stepmgr_address *stepmgr_address_find(const struct agent *a, uint32_t job) {
        struct stepmgr_address *h;

        if (!a->stepmgr_addresses)
                return NULL;
        TAILQ_FOREACH(h, &a->stepmgr_addresses->homes, next)
                if (h->job == job)
                        break;
        return h;
}

static void stepmgr_address_remove(struct agent *a, uint32_t job) {
        struct stepmgr_address *h = stepmgr_address_find(a, job);

        if (h)
                stepmgr_address_free(a->stepmgr_addresses, h);
}

/* If the file cannot be written, a restarted slumberd has to ask the controller. */
static void stepmgr_address_write_file(struct stepmgr_address *h) {
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;

        m.job_id = h->job;
        m.restarts = h->restarts;
        m.uid = h->uid;
        m.token = h->token;
        m.node = h->node;
        m.address = h->address;
        m.own_address = h->own_address;
        m.srun_prolog = h->srun_prolog;
        m.srun_epilog = h->srun_epilog;
        size_t size = slumber__home_at__get_packed_size(&m);
        _cleanup_free_ uint8_t *data = xmalloc(size);
        slumber__home_at__pack(&m, data);
        int r = stepmgr_address_file_write(h->job, data, size);
        if (r < 0)
                log_warning(r,
                                "Cannot write in the spool folder that node %s makes the steps of "
                                "job %u",
                                h->node, h->job);
        h->in_spool |= r >= 0;
}

static void stepmgr_address_remove_file(struct stepmgr_address *h) {
        if (h->in_spool)
                stepmgr_address_file_remove(h->job);
        h->in_spool = false;
}

static struct stepmgr_address *stepmgr_address_set(struct agent *a, const Slumber__HomeAt *m) {
        struct stepmgr_addresses *v = a->stepmgr_addresses;

        if (!v) {
                v = a->stepmgr_addresses = xnew0(struct stepmgr_addresses, 1);
                TAILQ_INIT(&v->homes);
        }
        const struct stepmgr_address *old = stepmgr_address_find(a, m->job_id);
        usec_t unreached = old ? old->unreached : 0, tried = old ? old->tried : 0;
        usec_t awaited = old ? old->awaited : 0;
        bool kept = old && old->in_spool;
        stepmgr_address_remove(a, m->job_id);
        if (v->n >= HOMES_MAX) {
                stepmgr_address_remove_file(TAILQ_FIRST(&v->homes));
                stepmgr_address_free(v, TAILQ_FIRST(&v->homes));
        }
        struct stepmgr_address *h = xnew(struct stepmgr_address, 1);
        *h = (struct stepmgr_address){ .job = m->job_id,
                .restarts = m->restarts,
                .uid = m->uid,
                .token = m->token,
                .unreached = unreached,
                .tried = tried,
                .in_spool = kept,
                .awaited = awaited,
                .node = xstrdup(m->node),
                .address = xstrdup(m->address),
                .own_address = xstrdup(m->own_address),
                .srun_prolog = xstrdup(m->srun_prolog),
                .srun_epilog = xstrdup(m->srun_epilog) };
        TAILQ_INSERT_TAIL(&v->homes, h, next);
        v->n++;
        if (kept)
                stepmgr_address_write_file(h);
        return h;
}

static bool host_and_port_are_valid(const char *text) {
        _cleanup_free_ char *host = NULL;
        uint16_t port;

        return !has_control(text) && address_split(text, &host, &port) >= 0;
}

bool stepmgr_address_unpack(struct agent *a, uint32_t job, const uint8_t *data, size_t size) {
        Slumber__HomeAt *m = slumber__home_at__unpack(NULL, size, data);
        bool whole = m && m->job_id == job && job && m->token && *m->node &&
                     !has_control(m->node) && host_and_port_are_valid(m->address) &&
                     host_and_port_are_valid(m->own_address) && !has_control(m->srun_prolog) &&
                     !has_control(m->srun_epilog) && !m->request && !m->attach &&
                     (!a->stepmgr_addresses || a->stepmgr_addresses->n < HOMES_MAX);

        if (whole) {
                struct stepmgr_address *h = stepmgr_address_set(a, m);
                h->in_spool = h->doubtful = true;
                h->awaited = now_monotonic();
        }
        if (m)
                slumber__home_at__free_unpacked(m, NULL);
        return whole;
}

static bool stepmgr_address_restore(uint32_t job, const uint8_t *data, size_t size, void *user) {
        return stepmgr_address_unpack(user, job, data, size);
}

void stepmgr_addresses_read(struct agent *a) {
        stepmgr_address_files_read(stepmgr_address_restore, a);
}

void stepmgr_proxies_done(struct agent *a) {
        while (a->stepmgr_addresses && !TAILQ_EMPTY(&a->stepmgr_addresses->homes))
                stepmgr_address_free(a->stepmgr_addresses,
                                TAILQ_FIRST(&a->stepmgr_addresses->homes));
        free(TAKE(a->stepmgr_addresses));
}

/* ---- to a step manager ---- */

static void stepmgr_proxy_refuse(struct client *c, uint64_t id, int code, const char *why) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, code, why);
        ENVELOPE(env, ERROR, error, &error);
        env.reply_to = id;
        client_answer(c, &env);
}

static bool stepmgr_proxy_send(struct peer *p, const struct client *c,
                const struct stepmgr_proxy *of, Slumber__Visit *m) {
        m->job_id = of->job;
        m->restarts = of->restarts;
        m->token = of->token;
        m->visitor = c->id;
        m->to_home = true;
        ENVELOPE(env, VISIT, visit, m);
        return p && peer_send(p, &env);
}

void stepmgr_proxy_free(struct client *c) {
        if (c->proxy) {
                free(c->proxy->stream_home);
                free(c->proxy->stepmgr_node);
        }
        free(TAKE(c->proxy));
}

static bool stepmgr_address_is_used(const struct agent *a, const struct stepmgr_address *h) {
        const struct client *c;

        TAILQ_FOREACH(c, &a->clients, next)
                if (c->proxy && c->proxy->job == h->job && !c->proxy->attach)
                        return true;
        return false;
}

/* A client has gone: files of step manager addresses that no client needs leave the spool. A
   client that has not asked again within SlurmdTimeout has lost its step. */
static void stepmgr_address_drop_files(struct agent *a, uint32_t job) {
        usec_t now = now_monotonic();
        struct stepmgr_address *h;

        if (a->stepmgr_addresses)
                TAILQ_FOREACH(h, &a->stepmgr_addresses->homes, next) {
                        bool late = h->awaited && now - h->awaited > a->slurmd_timeout;
                        if (h->in_spool && (late || (h->job == job && !h->awaited)) &&
                                        !stepmgr_address_is_used(a, h))
                                stepmgr_address_remove_file(h);
                }
}

/* If this message is lost, the step manager treats the client as disconnected. */
static void stepmgr_proxy_send_gone(const struct client *c) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;

        m.gone = true;
        (void)stepmgr_proxy_send(c->proxy->peer, c, c->proxy, &m);
}

void stepmgr_proxy_client_gone(struct client *c) {
        if (!c->proxy)
                return;
        uint32_t job = c->proxy->job;
        stepmgr_proxy_send_gone(c);
        stepmgr_proxy_free(c);
        stepmgr_address_drop_files(c->agent, job);
}

/* false: the step manager cannot be reached now. */
static bool stepmgr_proxy_send_request(struct client *c, struct stepmgr_address *h, uint64_t id,
                Slumber__StepRequest *request) {
        struct agent *a = c->agent;
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        const struct stepmgr_proxy of = { .job = h->job,
                .restarts = h->restarts,
                .token = h->token };

        if (c->proxy && (c->proxy->job != h->job || c->proxy->token != h->token))
                stepmgr_proxy_client_gone(c);
        m.id = id;
        m.stream_home = h->own_address;
        m.request = request;
        struct peer *p = peers_get(a->peers, h->address);
        if (!h->in_spool)
                stepmgr_address_write_file(h);
        if (!stepmgr_proxy_send(p, c, &of, &m)) {
                h->doubtful = true;
                return false;
        }
        h->awaited = 0;
        stepmgr_proxy_free(c); /* the visit of an earlier request */
        c->proxy = xnew(struct stepmgr_proxy, 1);
        *c->proxy = of;
        c->proxy->peer = p;
        return true;
}

bool stepmgr_proxy_request(struct client *c, const Envelope *env) {
        Slumber__StepRequest *m = env->step_request;
        struct stepmgr_address *h = stepmgr_address_find(c->agent, m->job_id);

        if (h && h->doubtful && upstream_up(c->agent))
                return false;
        if (!h || h->uid != c->uid || (m->spec && m->spec->interactive))
                return false;
        /* refused when the controller has named the step manager */
        if (c->proxy && c->proxy->attach)
                return false;
        return stepmgr_proxy_send_request(c, h, env->id, m);
}

bool stepmgr_proxy_action(struct client *c, const Envelope *env) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__JobAction *action = env->job_action;
        bool known = action->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL ||
                     action->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL;

        if (!c->proxy || !known || action->n_ids != 1 || action->ids[0] != c->proxy->job ||
                        !action->step)
                return false;
        m.id = env->id;
        m.action = action;
        return stepmgr_proxy_send(c->proxy->peer, c, c->proxy, &m);
}

/* ---- unreachable step managers ---- */

/* Called when the controller has a connection to the step manager's node, so the node is up. true:
 * unreachable for SlurmdTimeout; the present request is refused, but its attempt to connect may
 * help later sruns. */
static bool stepmgr_is_unreachable(struct agent *a, struct stepmgr_address *h) {
        const struct peer *p = peers_get(a->peers, h->address);
        usec_t now = now_monotonic();

        if (p && peer_is_up(p)) {
                h->unreached = 0;
                return false;
        }
        if (!h->unreached || now - h->tried > UNREACHED_FOR)
                h->unreached = now;
        h->tried = now;
        return now - h->unreached > a->slurmd_timeout;
}

/* id: the request's, or 0; code SLUMBER_CONTROLLER_AWAY makes the command ask again. */
static void stepmgr_proxy_say_unreachable(struct client *c, uint64_t id,
                const struct stepmgr_address *h, int code) {
        _cleanup_free_ char *why = xasprintf("node %s, which makes the steps of job %u "
                                             "(--stepmgr), cannot be reached at %s from here",
                        h->node, h->job, h->address);

        if (code != SLUMBER_CONTROLLER_AWAY)
                log_warning(0, "A step is refused: %s", why);
        stepmgr_proxy_refuse(c, id, code, why);
}

/* ---- sattach ---- */

static void stepmgr_proxy_refuse_attach(struct client *c, uint64_t id, uint32_t job,
                const char *node) {
        _cleanup_free_ char *why = xasprintf("node %s, which makes the steps of job %u "
                                             "(--stepmgr), does not answer for it at present",
                        node, job);

        stepmgr_proxy_refuse(c, id, SLUMBER_FAILED, why);
}

/* Forwards only the AttachRequest to the step manager. */
static void stepmgr_proxy_send_attach(struct client *c, const Envelope *env) {
        const Slumber__HomeAt *m = env->home_at;
        Slumber__Visit visit = SLUMBER__VISIT__INIT;
        struct stepmgr_proxy of = { .job = m->job_id, .restarts = m->restarts, .token = m->token };

        visit.id = env->reply_to;
        visit.attach = m->attach;
        of.peer = peers_get(c->agent->peers, m->address);
        if (!stepmgr_proxy_send(of.peer, c, &of, &visit)) {
                stepmgr_proxy_refuse_attach(c, env->reply_to, m->job_id, m->node);
                return;
        }
        of.attach = env->reply_to;
        of.stepmgr_node = xstrdup(m->node);
        c->proxy = xnew(struct stepmgr_proxy, 1);
        *c->proxy = of;
}

static void stepmgr_proxy_lose_attach(struct client *c) {
        struct stepmgr_proxy *v = TAKE(c->proxy);

        stepmgr_proxy_refuse_attach(c, v->attach, v->job, v->stepmgr_node);
        free(v->stepmgr_node);
        free(v);
}

static void stepmgr_proxy_answer_attach(struct client *c, const Slumber__Visit *m) {
        Envelope env = SLUMBER__ENVELOPE__INIT;

        if (m->id != c->proxy->attach)
                return;
        env.reply_to = m->id;
        if (m->attached) {
                env.body_case = SLUMBER__ENVELOPE__BODY_ATTACH_REPLY;
                env.attach_reply = m->attached;
        } else if (m->error) {
                env.body_case = SLUMBER__ENVELOPE__BODY_ERROR;
                env.error = m->error;
        } else {
                return;
        }
        stepmgr_proxy_free(c);
        client_answer(c, &env);
}

/* ---- answers of the controller ---- */

/* Sends the request to the step manager named by the controller. A running step is never refused
   for an unreachable step manager. */
static void stepmgr_proxy_ask_other_node(struct client *c, const Envelope *env) {
        struct stepmgr_address *h = stepmgr_address_set(c->agent, env->home_at);
        bool unreachable = stepmgr_is_unreachable(c->agent, h);

        if (unreachable && !env->home_at->request->step)
                stepmgr_proxy_say_unreachable(c, env->reply_to, h, SLUMBER_FAILED);
        else if (!stepmgr_proxy_send_request(c, h, env->reply_to, env->home_at->request))
                stepmgr_proxy_say_unreachable(c, env->reply_to, h, SLUMBER_CONTROLLER_AWAY);
        else
                c->proxy->confirmed = true;
}

/* Returns true if the script or a step of the step manager is on this node: then the step
   manager has been here, too, and is lost. */
static bool stepmgr_is_lost_here(const struct job *j) {
        const struct step *s;

        for (s = j ? j->steps : NULL; s; s = s->next)
                if (s->name.step == STEP_BATCH || step_is_home(s->name.step))
                        break;
        return s;
}

/* The controller names this node. A job counts as running before its script's launch arrives here
 * and its prolog ends: srun asks again until then, but sattach has no step to attach to. A lost
 * step manager was reported at the registration (MakerMade). */
static void stepmgr_proxy_ask_this_node(struct client *c, uint64_t id, const Slumber__HomeAt *m) {
        struct job *j = job_find_exactly(c->agent, m->job_id, m->restarts);
        ENVELOPE(request, STEP_REQUEST, step_request, m->request);
        request.id = id;
        if (m->attach ? stepmgr_handle_attach(j, c, id, m->attach->step_id)
                      : stepmgr_handle_request_of_run(j, c, &request))
                return;
        bool lost = stepmgr_is_lost_here(j);
        _cleanup_free_ char *why = xasprintf("node %s is to make the steps of job %u, and has %s",
                        m->node, m->job_id,
                        lost ? "lost what it knew of them" : "not begun the job yet");
        stepmgr_proxy_refuse(c, id, lost || m->attach ? SLUMBER_FAILED : SLUMBER_CONTROLLER_AWAY,
                        why);
}

/* A connection serves either a step or a sattach, and never both. */
static bool client_has_other_proxy(const struct client *c, bool attach) {
        return c->proxy && (attach || c->proxy->attach);
}

void stepmgr_proxy_begin(struct client *c, const Envelope *env) {
        const Slumber__HomeAt *m = env->home_at;
        struct agent *a = c->agent;

        bool whole = m->attach ? m->attach->job_id == m->job_id
                               : m->request && m->request->job_id == m->job_id,
             may = c->uid == m->uid || (m->attach && c->uid == 0);

        if (!whole || !may)
                client_refuse(c, env->reply_to, SLUMBER_ACCESS_DENIED);
        else if (client_has_other_proxy(c, m->attach))
                stepmgr_proxy_refuse(c, env->reply_to, SLUMBER_FAILED,
                                "one connection to slumberd serves a step, or sattach to one, "
                                "where another node makes the steps (--stepmgr): open another "
                                "one for the second");
        else if (!a->options.login && streq(m->node, a->node))
                stepmgr_proxy_ask_this_node(c, env->reply_to, m);
        else if (m->attach)
                stepmgr_proxy_send_attach(c, env);
        else
                stepmgr_proxy_ask_other_node(c, env);
}

/* ---- from a step manager ---- */

static void stepmgr_address_set_reached(struct agent *a, uint32_t job) {
        struct stepmgr_address *h = stepmgr_address_find(a, job);

        if (h)
                h->unreached = 0;
}

static void stepmgr_address_await_request(struct stepmgr_address *h) {
        h->doubtful = true;
        if (!h->awaited)
                h->awaited = now_monotonic();
}

/* The connection is lost: the command asks again through the controller, or the step manager
   directly if the controller is away. */
static void stepmgr_proxy_lose(struct client *c) {
        if (c->proxy->attach) {
                stepmgr_proxy_lose_attach(c);
                return;
        }
        struct stepmgr_address *h = stepmgr_address_find(c->agent, c->proxy->job);

        if (h)
                stepmgr_address_await_request(h);
        stepmgr_proxy_free(c);
        if (h && h->unreached)
                stepmgr_proxy_say_unreachable(c, 0, h, SLUMBER_CONTROLLER_AWAY);
        else
                client_refuse(c, 0, SLUMBER_CONTROLLER_AWAY);
}

/* srun runs SrunProlog and SrunEpilog on this host as its user: their paths come from the
   controller, never from another node. */
static void stepmgr_proxy_answer_reply(struct client *c, const Slumber__Visit *m) {
        const struct stepmgr_address *h = stepmgr_address_find(c->agent, m->job_id);
        Slumber__StepReply reply = *m->reply;

        if (!h) { /* dropped for a newer entry: the controller has to be asked */
                client_refuse(c, 0, SLUMBER_CONTROLLER_AWAY);
                return;
        }
        reply.srun_prolog = h->srun_prolog;
        reply.srun_epilog = h->srun_epilog;
        ENVELOPE(env, STEP_REPLY, step_reply, &reply);
        env.reply_to = m->id;
        client_answer(c, &env);
}

/* A step manager may answer for its own job only. */
static bool stepmgr_answer_is_of_job(const Slumber__Visit *m) {
        return (!m->reply || m->reply->job_id == m->job_id) &&
               (!m->attached || m->attached->job_id == m->job_id) &&
               (!m->notice || m->notice->job_id == m->job_id) &&
               (!m->job_notice || m->job_notice->job_id == m->job_id);
}

/* The run has ended at the step manager, but the job may run again elsewhere: the controller is
   asked once. */
static bool stepmgr_may_be_elsewhere(const struct client *c, const Slumber__Visit *m) {
        return m->error && m->error->code == SLUMBER_JOB_ENDED && m->id && !c->proxy->confirmed &&
               upstream_up(c->agent);
}

static void stepmgr_proxy_answer(struct client *c, Slumber__Visit *m) {
        Envelope env = SLUMBER__ENVELOPE__INIT;

        if (c->proxy->attach) {
                stepmgr_proxy_answer_attach(c, m);
                return;
        }
        if (stepmgr_may_be_elsewhere(c, m)) {
                stepmgr_proxy_send_gone(c); /* the old step manager drops the client */
                stepmgr_proxy_lose(c);
                return;
        }
        c->proxy->confirmed = true;
        env.reply_to = m->id;
        if (m->reply) {
                stepmgr_proxy_answer_reply(c, m);
                return;
        }
        if (m->notice) {
                env.body_case = SLUMBER__ENVELOPE__BODY_STEP_NOTICE;
                env.step_notice = m->notice;
        } else if (m->error) {
                env.body_case = SLUMBER__ENVELOPE__BODY_ERROR;
                env.error = m->error;
        } else if (m->job_notice) {
                env.body_case = SLUMBER__ENVELOPE__BODY_JOB_NOTICE;
                env.job_notice = m->job_notice;
        } else if (m->done) {
                env.body_case = SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY;
                env.job_action_reply = m->done;
        } else {
                return;
        }
        client_answer(c, &env);
}

/* Tells the step manager that the command has gone. */
static void stepmgr_proxy_reply_gone(struct peer *p, const Slumber__Visit *m) {
        Slumber__Visit gone = SLUMBER__VISIT__INIT;
        gone.job_id = m->job_id;
        gone.restarts = m->restarts;
        gone.token = m->token;
        gone.visitor = m->visitor;
        gone.to_home = gone.gone = true;
        ENVELOPE(env, VISIT, visit, &gone);
        (void)peer_send(p, &env);
}

void stepmgr_proxy_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m) {
        struct client *c = client_find(a, m->visitor);
        struct stepmgr_proxy *v = c ? c->proxy : NULL;
        bool its = v && v->peer == p && v->job == m->job_id && v->restarts == m->restarts;

        if (its && v->token != m->token) {
                peer_log_bad_message(p, "it does not show the token of the steps of job %u",
                                m->job_id);
        } else if (!its) {
                if (!m->lost)
                        stepmgr_proxy_reply_gone(p, m);
        } else if (m->lost) {
                stepmgr_address_set_reached(a, m->job_id);
                stepmgr_proxy_lose(c);
        } else if (!stepmgr_answer_is_of_job(m)) {
                peer_log_bad_message(p, "it answers for job %u with what is of another one",
                                m->job_id);
        } else {
                stepmgr_address_set_reached(a, m->job_id);
                stepmgr_proxy_answer(c, m);
        }
}

void stepmgr_proxies_peer_lost(struct agent *a, const struct peer *p) {
        struct client *c;

        TAILQ_FOREACH(c, &a->clients, next)
                if (c->proxy && c->proxy->peer == p)
                        stepmgr_proxy_lose(c);
}

bool stepmgr_proxies_use_peer(const struct agent *a, const struct peer *p) {
        const struct client *c;

        TAILQ_FOREACH(c, &a->clients, next)
                if (c->proxy && c->proxy->peer == p)
                        return true;
        return false;
}
