/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that another node sends, its job's home: those that wait for the controller's grant, and
 * the run of the job that they are of. */
#include "tests/unit/test.h"

#include "agent/stepmgr/remote_steps.c"

#include <stdarg.h>

#define NOW (1000 * USEC_PER_SEC)

struct peer {
        int unused;
};

static struct {
        struct agent agent;
        struct peer home;
        size_t asked; /* the controller, for a grant */
        uint32_t asked_job, asked_restarts;
        size_t busy, absent, refused, launched, complaints;
        int code; /* of the last refusal */
} world;

/* ---- in place of other files of slumberd ---- */

struct peer *peers_get(struct peers *all, const char *address) {
        (void)all, (void)address;
        return &world.home;
}

bool peer_send(struct peer *p, Envelope *env) {
        const Slumber__MakerMessage *m = env->maker_message;

        assert_ptr_equal(p, &world.home);
        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_MAKER_MESSAGE);
        assert_true(m->to_home);
        world.busy += m->busy;
        world.absent += m->absent;
        world.refused += m->result != NULL;
        if (m->result)
                world.code = m->result->error->code;
        return true;
}

void peer_log_bad_message(struct peer *p, const char *format, ...) {
        (void)p, (void)format;
        world.complaints++;
}

void upstream_send(struct agent *a, Envelope *env) {
        (void)a;
        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_GRANT_ASK);
        world.asked++;
        world.asked_job = env->grant_ask->job_id;
        world.asked_restarts = env->grant_ask->restarts;
}

usec_t upstream_now(const struct agent *a) {
        (void)a;
        return NOW;
}

void step_streams_deliver(struct step *s, Envelope *env) {
        (void)s, (void)env;
}

static void take_launch_of(struct agent *a, Slumber__LaunchStep *m) {
        (void)a;
        world.launched++;
        slumber__launch_step__free_unpacked(m, NULL);
}

static int begin(void **state) {
        static const struct job_orders orders = { .launch = take_launch_of };
        static char node[] = "n2";

        (void)state;
        memset(&world, 0, sizeof world);
        world.agent.node = node;
        world.agent.orders = &orders;
        return sd_event_new(&world.agent.event);
}

static int end(void **state) {
        (void)state;
        remote_steps_done(&world.agent);
        sd_event_unref(world.agent.event);
        return 0;
}

/* ---- */

/* Of a run, as the controller derives one. */
static struct credential_key *key_of(uint32_t restarts) {
        uint8_t seed[CREDENTIAL_SEED_SIZE] = { (uint8_t)(restarts + 1) };
        struct credential_key *key = NULL;

        assert_int_equal(credential_key_of_seed(seed, sizeof seed, &key), 0);
        return key;
}

static void fill_body(Slumber__CredentialBody *body, uint32_t job, uint32_t restarts) {
        static char user[] = "ann", node[] = "n2", cores[] = "0-3", home[] = "10.0.0.1:6818";

        slumber__credential_body__init(body);
        body->job_id = job;
        body->restarts = restarts;
        body->uid = body->gid = 1000;
        body->user = user;
        body->node = node;
        body->cpus = 4;
        body->cores = body->job_cores = cores;
        body->mem = body->job_mem = 1000;
        body->maker = home;
        body->stream_token = 5;
        body->expires = NOW + USEC_PER_SEC;
}

/* What the home of a run says; signed by the key of the run signer, NULL: not at all. */
static void say(uint32_t job, uint32_t restarts, uint32_t step, const uint32_t *signer) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__CredentialBody body;

        m.job_id = job;
        m.restarts = restarts;
        m.step_id = step;
        m.token = 5;
        m.node = world.agent.node;
        m.launch = xnew(Slumber__LaunchStep, 1);
        slumber__launch_step__init(m.launch);
        m.launch->spec = xnew(Slumber__StepSpec, 1);
        slumber__step_spec__init(m.launch->spec);
        fill_body(&body, job, restarts);
        body.step_id = step;
        if (signer) {
                struct credential_key *key = key_of(*signer);
                assert_int_equal(credential_sign(key, &body, &m.launch->credential), 0);
                credential_key_free(key);
        }
        remote_step_handle_message(&world.agent, &world.home, &m);
        if (m.launch)
                slumber__launch_step__free_unpacked(m.launch, NULL);
}

static void ask_about(uint32_t job, uint32_t step) {
        Slumber__MakerMessage m = SLUMBER__MAKER_MESSAGE__INIT;

        m.job_id = job;
        m.step_id = step;
        m.token = 5;
        m.node = world.agent.node;
        m.ask = true;
        remote_step_handle_message(&world.agent, &world.home, &m);
}

static void grant_run(uint32_t job, uint32_t restarts, bool yes) {
        static char why[] = "the job does not run here any more";
        struct credential_key *key = key_of(restarts);
        Slumber__Grant m = SLUMBER__GRANT__INIT;
        Slumber__CredentialBody most;

        fill_body(&most, job, restarts);
        m.job_id = job;
        m.restarts = restarts;
        if (yes) {
                m.most = &most;
                m.key.data = (uint8_t *)(uintptr_t)credential_key_public(key);
                m.key.len = CREDENTIAL_KEY_SIZE;
        } else {
                m.why = why;
        }
        remote_steps_handle_grant(&world.agent, &m);
        credential_key_free(key);
}

static void a_job_that_asks_too_much_waits_alone(void **state) {
        static const uint32_t first_run = 0;

        (void)state;
        for (uint32_t i = 0; i < WAITING_OF_JOB; i++)
                say(7, 0, i, &first_run);
        assert_int_equal(world.asked, 1); /* once for all of them */
        assert_int_equal(world.busy, 0);
        say(7, 0, WAITING_OF_JOB, &first_run); /* no room: it is told again later */
        assert_int_equal(world.busy, 1);
        assert_int_equal(world.refused, 0);
        ask_about(7, WAITING_OF_JOB - 1);
        assert_int_equal(world.busy, 2);
        ask_about(7, WAITING_OF_JOB); /* what makes the home tell it again */
        assert_int_equal(world.absent, 1);
        say(8, 0, 0, &first_run); /* another job's has room */
        assert_int_equal(world.asked, 2);
        assert_int_equal(world.asked_job, 8);
        assert_int_equal(world.busy, 2);
        grant_run(8, 0, true);
        assert_int_equal(world.launched, 1);
        grant_run(7, 0, true);
        assert_int_equal(world.launched, 1 + WAITING_OF_JOB);
        say(7, 0, WAITING_OF_JOB, &first_run);
        assert_int_equal(world.launched, 2 + WAITING_OF_JOB);
        assert_int_equal(world.refused, 0);
}

static void all_jobs_together_have_so_much_room(void **state) {
        (void)state;
        for (uint32_t i = 0; i < WAITING_MAX; i++)
                say(1 + i / WAITING_OF_JOB, 0, i, NULL);
        assert_int_equal(world.busy, 0);
        say(WAITING_MAX, 0, 0, NULL);
        assert_int_equal(world.busy, 1);
        assert_int_equal(world.refused, 0);
}

/* Each run of a job has a key of its own: what was granted to, or signed for, an earlier run starts
   nothing when the job was requeued. */
static void an_earlier_run_starts_nothing(void **state) {
        static const uint32_t earlier = 0, later = 1;

        (void)state;
        say(7, 0, 0, &earlier);
        grant_run(7, 0, true);
        assert_int_equal(world.launched, 1);
        remote_steps_drop_job_grants(&world.agent, 7); /* it is ended, to run again */
        say(7, 1, 0, &later);
        grant_run(7, 1, true);
        assert_int_equal(world.launched, 2);
        say(7, 0, 1, &earlier); /* a launch of then, again: the controller is asked, and says no */
        assert_int_equal(world.asked, 3);
        assert_int_equal(world.asked_restarts, 0);
        grant_run(7, 0, false);
        assert_int_equal(world.refused, 1);
        assert_int_equal(world.code, SLUMBER_BAD_CREDENTIAL);
        say(7, 1, 2, &earlier); /* one that says it was of this run, by the key of the earlier one
                                 */
        assert_int_equal(world.refused, 2);
        assert_int_equal(world.code, SLUMBER_BAD_CREDENTIAL);
        assert_int_equal(world.complaints, 1);
        grant_run(7, 0, true); /* a grant of then, which comes late, is not one of now */
        say(7, 1, 3, &earlier);
        assert_int_equal(world.refused, 3);
        say(7, 1, 4, &later);
        assert_int_equal(world.launched, 3);
        assert_int_equal(world.asked, 3);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(a_job_that_asks_too_much_waits_alone, begin, end),
                cmocka_unit_test_setup_teardown(all_jobs_together_have_so_much_room, begin, end),
                cmocka_unit_test_setup_teardown(an_earlier_run_starts_nothing, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
