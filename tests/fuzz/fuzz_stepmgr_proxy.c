/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slumberd that makes the steps of a job, and has commands whose steps others make, between
 * slumberds that say whatever the input makes of Visit.  No step is made, or told of, without
 * the token.  The input is operations, a byte each with what they take; a packed
 * message has its length before it. */
#include "agent/stepmgr/address_files.h"
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/streams/srun_streams.h"

#include <stdarg.h>

#define TOKEN   0x1234567890abcdefu
#define JOB     7
#define USER    1000
#define PROLOG  "/prolog"
#define PEERS   3
#define CLIENTS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct peer {
        bool takes;
};

static struct {
        const uint8_t *data;
        size_t size;
} in;

static struct {
        struct agent agent;
        struct job job;
        struct stepmgr maker;
        Slumber__StepMaker message;
        Slumber__CredentialBody credential;
        struct client clients[CLIENTS];
        struct peer peers[PEERS];
        bool shown, made, heard;
        size_t sent;
} world;

/* ---- what is around it ---- */

bool stepmgr_handle_request_of_run(struct job *j, struct client *c, const Envelope *env) {
        assert(c->conn || (c->uid == USER && world.shown));
        assert(j ? j->restarts == 1 : c->conn != NULL);
        assert(c->conn || env->step_request->job_id == JOB);
        world.made = true;
        return env->step_request->job_id == JOB;
}

int stepmgr_address_file_write(uint32_t job, const uint8_t *data, size_t size) {
        (void)job, (void)data, (void)size;
        return 0;
}

void stepmgr_address_file_remove(uint32_t job) {
        (void)job;
}

void stepmgr_address_files_read(
                bool (*found)(uint32_t job, const uint8_t *data, size_t size, void *user),
                void *user) {
        (void)found, (void)user;
}

bool stepmgr_handle_attach(struct job *j, struct client *c, uint64_t id, uint32_t step) {
        (void)id, (void)step;
        assert(c->conn || (c->uid == USER && world.shown && !c->proxy->stream_home));
        assert(j ? j->restarts == 1 : c->conn != NULL);
        world.made = true;
        return j;
}

bool stepmgr_handle_action(struct client *c, const Envelope *env) {
        assert(world.shown && !c->conn);
        return env->job_action->n_ids == 1;
}

void stepmgr_client_gone(struct client *c, bool for_good) {
        assert(!c->conn && for_good);
}

void stepmgr_step_free(struct stepmgr_step *s) {
        TAILQ_REMOVE(&world.maker.steps, s, next);
}

void stepmgr_hold_queue(struct stepmgr *k) {
        k->queue_held = true;
}

void stepmgr_arm_timer(struct stepmgr *k, usec_t at) {
        (void)at;
        assert(k == &world.maker);
}

void stepmgr_step_await_srun(struct stepmgr_step *s) {
        s->orphan_due = 1;
}

void client_answer(struct client *c, Envelope *env) {
        assert(c->conn);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY) {
                assert(streq(env->step_reply->srun_prolog, PROLOG));
                assert(streq(env->step_reply->srun_epilog, ""));
                assert(env->step_reply->job_id == c->proxy->job);
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE) {
                assert(env->step_notice->job_id == c->proxy->job);
        }
        world.heard = true;
}

struct client *client_find(struct agent *a, uint64_t id) {
        (void)a;
        return id < CLIENTS ? &world.clients[id] : NULL;
}

void client_refuse(struct client *c, uint64_t id, int code) {
        (void)id, (void)code;
        assert(c->conn);
}

struct peer *peers_get(struct peers *all, const char *address) {
        (void)all;
        return isempty(address) ? NULL : &world.peers[(uint8_t)address[0] % PEERS];
}

bool peer_is_up(const struct peer *p) {
        return p->takes;
}

bool peer_send(struct peer *p, Envelope *env) {
        assert(env->body_case == SLUMBER__ENVELOPE__BODY_VISIT);
        world.sent++;
        return p->takes;
}

bool upstream_up(const struct agent *a) {
        return a->ready;
}

void peer_log_bad_message(struct peer *p, const char *format, ...) {
        (void)p, (void)format;
}

/* ---- operations ---- */

static uint32_t take(uint32_t below) {
        uint32_t v = in.size ? *in.data : 0;

        in.data += in.size != 0;
        in.size -= in.size != 0;
        return v % below;
}

/* Three of four are of the job, and half show the token. */
static Slumber__Visit *take_visit(void) {
        uint32_t how = take(256), size = take(256);
        size_t n = MIN((size_t)size, in.size);
        Slumber__Visit *m = slumber__visit__unpack(NULL, n, in.data);

        in.data += n;
        in.size -= n;
        if (!m || how % 4 == 0)
                return m;
        m->job_id = JOB;
        m->restarts = 1;
        m->visitor = how / 8 % 5;
        if (how / 4 % 2)
                m->token = TOKEN;
        return m;
}

static void visit(bool to_home, struct peer *p) {
        Slumber__Visit *m = take_visit();

        if (!m)
                return;
        world.shown = m->token == TOKEN && m->job_id == JOB && m->restarts == 1;
        world.made = world.heard = false;
        if (to_home)
                remote_srun_handle_message(&world.agent, p, m);
        else
                stepmgr_proxy_handle_message(&world.agent, p, m);
        assert(!world.heard || m->token == TOKEN);
        assert(!world.made || world.shown);
        slumber__visit__free_unpacked(m, NULL);
        world.shown = false;
}

static void home_at(struct client *c) {
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;
        Slumber__StepRequest request = SLUMBER__STEP_REQUEST__INIT;
        Slumber__AttachRequest attach = SLUMBER__ATTACH_REQUEST__INIT;
        char address[] = "a:1";
        size_t sent = world.sent;

        m.job_id = JOB + take(2);
        m.restarts = 1;
        m.uid = USER + take(2);
        m.node = (char *)(uintptr_t)(take(4) ? "n2" : "n1");
        address[0] = (char)('a' + take(PEERS));
        m.address = address;
        m.own_address = address;
        m.token = TOKEN;
        m.srun_prolog = (char *)(uintptr_t)PROLOG;
        request.job_id = attach.job_id = JOB + take(2);
        uint32_t what = take(4);
        m.request = what > 1 ? &request : NULL;
        m.attach = what == 1 ? &attach : NULL;
        ENVELOPE(env, HOME_AT, home_at, &m);
        env.reply_to = take(256);
        stepmgr_proxy_begin(c, &env);
        assert(m.uid == c->uid || world.sent == sent);
}

static void request(struct client *c) {
        Slumber__StepRequest m = SLUMBER__STEP_REQUEST__INIT;
        size_t sent = world.sent;

        m.job_id = JOB + take(2);
        ENVELOPE(env, STEP_REQUEST, step_request, &m);
        (void)stepmgr_proxy_request(c, &env);
        assert(c->uid == USER || c->uid == USER + 1 || world.sent == sent);
}

static void action(struct client *c) {
        Slumber__JobAction m = SLUMBER__JOB_ACTION__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;
        uint32_t id = JOB + take(2);

        m.ids = &id;
        m.n_ids = take(4) ? 1 : 0;
        m.step = take(4) ? &step : NULL;
        m.kind = (Slumber__JobActionKind)take(8);
        ENVELOPE(env, JOB_ACTION, job_action, &m);
        (void)stepmgr_proxy_action(c, &env);
}

/* A file of the spool. */
static void restore(void) {
        uint32_t size = take(256);
        size_t n = MIN((size_t)size, in.size);

        (void)stepmgr_address_unpack(&world.agent, JOB, in.data, n);
        in.data += n;
        in.size -= n;
}

static void operate(void) {
        uint32_t operation = take(12);
        struct peer *p = &world.peers[take(PEERS)];
        struct client *c = &world.clients[take(CLIENTS)];

        switch (operation) {
        case 0:
        case 1:
                visit(true, p);
                break;
        case 2:
                visit(false, p);
                break;
        case 3:
        case 4:
                home_at(c);
                break;
        case 5:
                request(c);
                break;
        case 6:
                action(c);
                break;
        case 7:
                remote_sruns_peer_lost(&world.agent, p);
                stepmgr_proxies_peer_lost(&world.agent, p);
                assert(!stepmgr_proxies_use_peer(&world.agent, p) &&
                                !remote_sruns_use_peer(&world.agent, p));
                break;
        case 8:
                p->takes = take(2);
                break;
        case 9:
                stepmgr_proxy_client_gone(c);
                break;
        case 10:
                world.agent.ready = take(2);
                break;
        case 11:
                restore();
                break;
        default:
                break;
        }
}

static void begin(void) {
        memset(&world, 0, sizeof world);
        slumber__step_maker__init(&world.message);
        slumber__credential_body__init(&world.credential);
        world.credential.uid = USER;
        world.message.credential = &world.credential;
        world.message.visit_token = TOKEN;
        world.maker = (struct stepmgr){ .job = &world.job, .message = &world.message };
        TAILQ_INIT(&world.maker.steps);
        world.job = (struct job){ .agent = &world.agent,
                .id = JOB,
                .restarts = 1,
                .stepmgr = &world.maker };
        job_table_add(&world.agent, &world.job);
        world.agent.node = (char *)(uintptr_t) "n1";
        assert(sd_event_new(&world.agent.event) >= 0);
        TAILQ_INIT(&world.agent.clients);
        for (size_t i = 0; i < CLIENTS; i++) {
                world.clients[i] = (struct client){ .agent = &world.agent,
                        .id = i,
                        .uid = USER + (uid_t)(i / 2),
                        .conn = (struct conn *)&world.clients[i] };
                TAILQ_INSERT_TAIL(&world.agent.clients, &world.clients[i], next);
        }
        for (size_t i = 0; i < PEERS; i++)
                world.peers[i].takes = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        in.data = data;
        in.size = size;
        begin();
        while (in.size > 0)
                operate();
        for (size_t i = 0; i < CLIENTS; i++)
                stepmgr_proxy_free(&world.clients[i]);
        remote_sruns_done(&world.agent);
        stepmgr_proxies_done(&world.agent);
        sd_event_unref(world.agent.event);
        return 0;
}
