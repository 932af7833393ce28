/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sruns and the first nodes of their jobs on other hosts: which run of a job a Visit means, and
 * what becomes of one that is over. */
#include "agent/stepmgr/address_files.h"
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/streams/srun_streams.h"

#include <stdarg.h>

#include "tests/unit/test.h"

#define JOB   7
#define USER  1000
#define TOKEN 0x1234567890abcdefu /* of a run: with its number added */

struct peer {
        uint64_t sent;
        uint64_t gone; /* of these that say that a visitor has gone */
};

static struct {
        struct agent agent;
        struct job jobs[2]; /* two runs of JOB, the newest first */
        struct stepmgr makers[2];
        Slumber__StepMaker messages[2];
        Slumber__CredentialBody credential;
        struct client srun;
        struct peer peer;
        struct client *asker;   /* that asked for it */
        bool knows_nothing;     /* nothing is made for the jobs that are here */
        uint32_t asked;         /* the run whose step was asked for last */
        uint8_t file[1024];     /* of JOB's home in the spool */
        size_t size;            /* of that; 0: there is none */
        struct peer *attach_by; /* of a sattach of another host; NULL: it is here */
        int refused;            /* what the other slumberd was told last; -1: nothing */
        int said;               /* likewise the srun here */
        uint64_t said_id;       /* the request that this answered; 0: none */
} world;

/* ---- what is around them ---- */

bool stepmgr_handle_request_of_run(struct job *j, struct client *c, const Envelope *env) {
        (void)env;
        world.asker = c;
        world.asked = j ? j->restarts : UINT32_MAX;
        return j && !world.knows_nothing;
}

int stepmgr_address_file_write(uint32_t job, const uint8_t *data, size_t size) {
        if (job != JOB)
                return 0;
        world.size = size;
        memcpy(world.file, data, MIN(size, sizeof world.file));
        return 0;
}

void stepmgr_address_file_remove(uint32_t job) {
        if (job == JOB)
                world.size = 0;
}

void stepmgr_address_files_read(
                bool (*found)(uint32_t job, const uint8_t *data, size_t size, void *user),
                void *user) {
        (void)found, (void)user;
}

bool stepmgr_handle_attach(struct job *j, struct client *c, uint64_t id, uint32_t step) {
        (void)id, (void)step;
        world.asked = j ? j->restarts : UINT32_MAX;
        world.attach_by = c->conn ? NULL : c->proxy->peer;
        return j;
}

bool stepmgr_handle_action(struct client *c, const Envelope *env) {
        (void)c, (void)env;
        return false;
}

void stepmgr_client_gone(struct client *c, bool for_good) {
        (void)c, (void)for_good;
}

void stepmgr_step_free(struct stepmgr_step *s) {
        (void)s;
}

void stepmgr_hold_queue(struct stepmgr *k) {
        k->queue_held = true;
}

void stepmgr_arm_timer(struct stepmgr *k, usec_t at) {
        (void)k, (void)at;
}

void stepmgr_step_await_srun(struct stepmgr_step *s) {
        s->orphan_due = 1;
}

void client_answer(struct client *c, Envelope *env) {
        (void)c;
        world.said = env->body_case == SLUMBER__ENVELOPE__BODY_ERROR ? (int)env->error->code : 0;
        world.said_id = env->reply_to;
}

struct client *client_find(struct agent *a, uint64_t id) {
        (void)a, (void)id;
        return &world.srun;
}

void client_refuse(struct client *c, uint64_t id, int code) {
        (void)c;
        world.said = code;
        world.said_id = id;
}

struct peer *peers_get(struct peers *all, const char *address) {
        (void)all, (void)address;
        return &world.peer;
}

bool peer_is_up(const struct peer *p) {
        (void)p;
        return true;
}

bool peer_send(struct peer *p, Envelope *env) {
        p->sent++;
        p->gone += env->visit->gone;
        world.refused = env->visit->error ? (int)env->visit->error->code : -1;
        return true;
}

bool upstream_up(const struct agent *a) {
        return a->ready;
}

void peer_log_bad_message(struct peer *p, const char *format, ...) {
        (void)p, (void)format;
}

static void world_begin(void) {
        memset(&world, 0, sizeof world);
        slumber__credential_body__init(&world.credential);
        world.credential.uid = USER;
        world.refused = world.said = -1;
        for (size_t i = 0; i < ELEMENTSOF(world.jobs); i++) {
                slumber__step_maker__init(&world.messages[i]);
                world.messages[i].credential = &world.credential;
                world.jobs[i] = (struct job){ .agent = &world.agent,
                        .id = JOB,
                        .restarts = (uint32_t)(1 - i),
                        .stepmgr = &world.makers[i] };
                world.messages[i].visit_token = TOKEN + world.jobs[i].restarts;
                world.makers[i] = (struct stepmgr){ .job = &world.jobs[i],
                        .message = &world.messages[i] };
                TAILQ_INIT(&world.makers[i].steps);
        }
        job_table_add(&world.agent, &world.jobs[1]);
        job_table_add(&world.agent, &world.jobs[0]); /* the newest */
        world.agent.node = (char *)(uintptr_t) "n1";
        world.agent.ready = true;
        TAILQ_INIT(&world.agent.clients);
        assert_true(sd_event_new(&world.agent.event) >= 0);
        world.srun = (struct client){ .agent = &world.agent,
                .uid = USER,
                .conn = (struct conn *)&world.srun };
        TAILQ_INSERT_TAIL(&world.agent.clients, &world.srun, next);
}

static void world_end(void) {
        stepmgr_proxy_free(&world.srun);
        remote_sruns_done(&world.agent);
        stepmgr_proxies_done(&world.agent);
        sd_event_unref(world.agent.event);
}

/* ---- at the home ---- */

static void visitor_asks(uint32_t restarts, uint64_t visitor) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__StepRequest request = SLUMBER__STEP_REQUEST__INIT;

        request.job_id = m.job_id = JOB;
        m.restarts = restarts;
        m.token = TOKEN + restarts;
        m.visitor = visitor;
        m.id = 1;
        m.to_home = true;
        m.request = &request;
        world.asked = UINT32_MAX;
        remote_srun_handle_message(&world.agent, &world.peer, &m);
}

static void visit_means_its_run(void **state) {
        world_begin();
        visitor_asks(0, 1);
        assert_int_equal(world.asked, 0);
        visitor_asks(1, 2);
        assert_int_equal(world.asked, 1);
        world_end();
}

static void one_user_does_not_fill_a_home(void **state) {
        const uint64_t most = 4096; /* VISITORS_OF_USER_MAX of remote_sruns.c */

        world_begin();
        for (uint64_t i = 0; i < most; i++) {
                visitor_asks(1, i);
                assert_int_equal(world.asked, 1);
        }
        visitor_asks(0, most); /* another job of it, too */
        assert_int_equal(world.asked, UINT32_MAX);
        assert_int_equal(world.refused, SLUMBER_FAILED); /* which says why */
        visitor_asks(1, 0);                              /* one that is there */
        assert_int_equal(world.asked, 1);
        world.credential.uid++;
        visitor_asks(0, most);
        assert_int_equal(world.asked, 0);
        world_end();
}

/* It is to come back to its place, so nothing begins meanwhile. */
static void one_that_waits_and_is_cut_off_is_awaited(void **state) {
        struct stepmgr_step waits = { .stepmgr = &world.makers[0] };

        world_begin();
        visitor_asks(1, 1);
        TAILQ_INSERT_TAIL(&world.makers[0].steps, &waits, next);
        remote_sruns_peer_lost(&world.agent, NULL); /* others' */
        assert_false(world.makers[0].queue_held);
        waits.client = world.asker;
        remote_sruns_peer_lost(&world.agent, &world.peer);
        assert_true(world.makers[0].queue_held);
        assert_false(world.makers[1].queue_held);
        world_end();
}

static void visitors_go_with_the_steps_of_their_job(void **state) {
        world_begin();
        visitor_asks(0, 1);
        visitor_asks(1, 2);
        remote_sruns_free_of_job(&world.agent, &world.jobs[1]);
        assert_true(remote_sruns_use_peer(&world.agent, &world.peer));
        remote_sruns_free_of_job(&world.agent, &world.jobs[0]);
        assert_false(remote_sruns_use_peer(&world.agent, &world.peer));
        world_end();
}

static void visitor_attaches(uint64_t token) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__AttachRequest attach = SLUMBER__ATTACH_REQUEST__INIT;

        attach.job_id = m.job_id = JOB;
        m.restarts = 1;
        m.token = token;
        m.visitor = 9;
        m.id = 1;
        m.to_home = true;
        m.attach = &attach;
        world.asked = UINT32_MAX;
        remote_srun_handle_message(&world.agent, &world.peer, &m);
}

static void sattach_is_answered_and_forgotten(void **state) {
        world_begin();
        visitor_attaches(TOKEN); /* of another run */
        assert_int_equal(world.asked, UINT32_MAX);
        visitor_attaches(TOKEN + 1);
        assert_int_equal(world.asked, 1);
        assert_ptr_equal(world.attach_by, &world.peer);
        assert_false(remote_sruns_use_peer(&world.agent, &world.peer));
        world_end();
}

/* ---- on srun's host ---- */

/* false: the controller is asked. */
static bool srun_asks(void) {
        Slumber__StepRequest m = SLUMBER__STEP_REQUEST__INIT;

        m.job_id = JOB;
        ENVELOPE(env, STEP_REQUEST, step_request, &m);
        env.id = 1;
        return stepmgr_proxy_request(&world.srun, &env);
}

static void controller_names_for_sattach(void) {
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;
        Slumber__AttachRequest attach = SLUMBER__ATTACH_REQUEST__INIT;

        attach.job_id = m.job_id = JOB;
        m.restarts = 1;
        m.uid = USER;
        m.node = (char *)(uintptr_t) "n2";
        m.address = (char *)(uintptr_t) "n2:1";
        m.token = TOKEN + 1;
        m.attach = &attach;
        ENVELOPE(env, HOME_AT, home_at, &m);
        env.reply_to = 5;
        world.said = -1;
        stepmgr_proxy_begin(&world.srun, &env);
}

static void home_attaches(uint32_t job) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__AttachReply reply = SLUMBER__ATTACH_REPLY__INIT;

        m.job_id = JOB;
        reply.job_id = job;
        m.restarts = 1;
        m.token = TOKEN + 1;
        m.id = 5;
        m.attached = &reply;
        stepmgr_proxy_handle_message(&world.agent, &world.peer, &m);
}

static void sattach_hears_its_home_or_that_it_is_lost(void **state) {
        world_begin();
        controller_names_for_sattach();
        home_attaches(JOB + 1);
        assert_int_equal(world.said, -1);
        home_attaches(JOB);
        assert_int_equal(world.said, 0);
        assert_int_equal(world.said_id, 5);
        assert_false(stepmgr_proxies_use_peer(&world.agent, &world.peer));
        controller_names_for_sattach();
        stepmgr_proxies_peer_lost(&world.agent, &world.peer);
        assert_int_equal(world.said, SLUMBER_FAILED);
        assert_int_equal(world.said_id, 5);
        world.srun.uid = USER + 1;
        controller_names_for_sattach();
        assert_int_equal(world.said, SLUMBER_ACCESS_DENIED);
        assert_false(srun_asks()); /* for a srun it knows no home by that */
        world_end();
}

static void controller_names_job_at(const char *node, uint32_t job, uint32_t restarts) {
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;
        Slumber__StepRequest request = SLUMBER__STEP_REQUEST__INIT;

        request.job_id = m.job_id = job;
        m.restarts = restarts;
        m.uid = USER;
        m.node = (char *)(uintptr_t)node;
        m.address = (char *)(uintptr_t) "n2:1";
        m.own_address = (char *)(uintptr_t) "n1:1";
        m.token = TOKEN + restarts;
        m.request = &request;
        ENVELOPE(env, HOME_AT, home_at, &m);
        env.reply_to = 1;
        stepmgr_proxy_begin(&world.srun, &env);
}

static void controller_names_job(uint32_t job, uint32_t restarts) {
        controller_names_job_at("n2", job, restarts);
}

static void controller_names(uint32_t restarts) {
        controller_names_job(JOB, restarts);
}

static void home_answers(uint32_t restarts, Slumber__Error *error) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__StepNotice waits = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = waits.job_id = JOB;
        m.restarts = restarts;
        m.token = TOKEN + restarts;
        m.id = error ? 1 : 0;
        m.error = error;
        m.notice = error ? NULL : &waits;
        world.said = -1;
        stepmgr_proxy_handle_message(&world.agent, &world.peer, &m);
}

static void one_that_is_over_there_is_asked_of_the_controller_once(void **state) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        world_begin();
        error.code = SLUMBER_JOB_ENDED;
        controller_names(0);
        home_answers(0, &error); /* as the controller says, too */
        assert_int_equal(world.said, SLUMBER_JOB_ENDED);
        stepmgr_proxy_free(&world.srun);
        assert_true(srun_asks());
        uint64_t gone = world.peer.gone;
        home_answers(0, &error); /* the job may run anew */
        assert_int_equal(world.said, SLUMBER_CONTROLLER_AWAY);
        assert_int_equal(world.said_id, 0);
        assert_int_equal(world.peer.gone, gone + 1); /* the home does not count it any more */
        assert_false(srun_asks());
        controller_names(1);
        assert_true(srun_asks());
        home_answers(1, NULL); /* it waits there */
        home_answers(1, &error);
        assert_int_equal(world.said, SLUMBER_JOB_ENDED);
        stepmgr_proxy_free(&world.srun);
        world.agent.ready = false;
        assert_true(srun_asks());
        home_answers(1, &error); /* no other knows it better */
        assert_int_equal(world.said, SLUMBER_JOB_ENDED);
        world_end();
}

static void one_connection_has_one_visit(void **state) {
        world_begin();
        controller_names_for_sattach();
        controller_names(1);
        assert_int_equal(world.said, SLUMBER_FAILED);
        assert_int_equal(world.said_id, 1);
        home_attaches(JOB); /* the first one is not forgotten */
        assert_int_equal(world.said, 0);
        assert_int_equal(world.said_id, 5);
        controller_names(1);
        controller_names_for_sattach();
        assert_int_equal(world.said, SLUMBER_FAILED);
        assert_int_equal(world.said_id, 5);
        home_answers(1, NULL);
        assert_int_equal(world.said, 0);
        assert_true(srun_asks()); /* it asks again as before */
        stepmgr_proxy_free(&world.srun);
        controller_names_for_sattach();
        assert_false(srun_asks()); /* the home is known: the controller has it refused */
        world_end();
}

static void home_is_kept_while_it_is_needed(void **state) {
        world_begin();
        controller_names(0);
        assert_true(world.size > 0);
        stepmgr_proxies_peer_lost(&world.agent, &world.peer); /* srun is to ask again */
        stepmgr_proxy_client_gone(&world.srun);
        assert_true(world.size > 0);
        assert_false(stepmgr_address_unpack(&world.agent, JOB + 1, world.file, world.size));
        assert_false(stepmgr_address_unpack(&world.agent, JOB, world.file, world.size / 2));
        stepmgr_proxies_done(&world.agent); /* the next slumberd */
        assert_true(stepmgr_address_unpack(&world.agent, JOB, world.file, world.size));
        assert_false(srun_asks()); /* the controller knows it better... */
        world.agent.ready = false; /* ... where it is there */
        assert_true(srun_asks());
        stepmgr_proxy_client_gone(&world.srun);
        assert_int_equal(world.size, 0);
        world_end();
}

static void home_begins(void) {
        Slumber__Visit m = SLUMBER__VISIT__INIT;
        Slumber__StepReply reply = SLUMBER__STEP_REPLY__INIT;

        m.job_id = reply.job_id = JOB;
        m.token = TOKEN;
        m.id = 1;
        m.reply = &reply;
        world.said = -1;
        stepmgr_proxy_handle_message(&world.agent, &world.peer, &m);
}

/* Its step has begun there: it is asked of the controller, and stays that home's visitor. */
static void one_whose_home_is_forgotten_stays_its_visitor(void **state) {
        const uint32_t most = 4096; /* HOMES_MAX of stepmgr_proxy.c */

        world_begin();
        controller_names(0);
        struct stepmgr_proxy *of = world.srun.proxy;
        world.srun.proxy = NULL;
        for (uint32_t i = 0; i < most; i++) {
                controller_names_job(JOB + 1 + i, 0);
                stepmgr_proxy_free(&world.srun);
        }
        world.srun.proxy = of;
        home_begins();
        assert_int_equal(world.said, SLUMBER_CONTROLLER_AWAY);
        assert_false(srun_asks());
        uint64_t gone = world.peer.gone;
        stepmgr_proxy_client_gone(&world.srun);
        assert_int_equal(world.peer.gone, gone + 1);
        world_end();
}

/* This node makes its steps, and has nothing of the job, or its script without what is made. */
static void one_that_is_not_here_yet_is_asked_again(void **state) {
        struct step script = { .name = { .job = JOB, .step = STEP_BATCH } };
        struct job begun = { .id = JOB + 1, .steps = &script };

        world_begin();
        begun.agent = &world.agent;
        controller_names_job_at("n1", JOB + 1, 0);
        assert_int_equal(world.said, SLUMBER_CONTROLLER_AWAY);
        assert_int_equal(world.said_id, 1);
        world.knows_nothing = true;
        job_table_add(&world.agent, &begun);
        controller_names_job_at("n1", JOB + 1, 0);
        assert_int_equal(world.said, SLUMBER_FAILED);
        begun.steps = NULL;
        controller_names_job_at("n1", JOB + 1, 0);
        assert_int_equal(world.said, SLUMBER_CONTROLLER_AWAY);
        world_end();
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(visit_means_its_run),
                cmocka_unit_test(one_user_does_not_fill_a_home),
                cmocka_unit_test(one_that_waits_and_is_cut_off_is_awaited),
                cmocka_unit_test(visitors_go_with_the_steps_of_their_job),
                cmocka_unit_test(sattach_is_answered_and_forgotten),
                cmocka_unit_test(sattach_hears_its_home_or_that_it_is_lost),
                cmocka_unit_test(one_connection_has_one_visit),
                cmocka_unit_test(home_is_kept_while_it_is_needed),
                cmocka_unit_test(one_that_is_over_there_is_asked_of_the_controller_once),
                cmocka_unit_test(one_whose_home_is_forgotten_stays_its_visitor),
                cmocka_unit_test(one_that_is_not_here_yet_is_asked_again),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
