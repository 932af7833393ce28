/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a client hears, and in which order, while what it asked for is not on disk yet. */
#include "tests/unit/test.h"

#include "controller/effects.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/watches.h"
#include "controller/sched/sched.h"

#include <sys/socket.h>

#define T0 (1700000000 * USEC_PER_SEC)

struct world {
        struct controller ctl;
        struct peer peer;
        struct address client;
        struct wire *w; /* the peer's end */
};

static void on_message(struct conn *c, Envelope *env, void *user) {
        fail_msg("the peer says nothing");
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
        fail_msg("closed: %s", why);
}

static int never(sd_event_source *source, uint64_t usec, void *user) {
        return 0;
}

static int begin(void **state) {
        static const struct conn_ops ops = { .message = on_message, .closed = on_closed };
        static const struct controller_ops carried_out = { .carry_out = effect_carry_out };
        static const char text[] =
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nNodeName=n1\nPartitionName=p Nodes=n1 Default=YES\n";
        struct world *w = xnew0(struct world, 1);
        struct config *config = NULL;
        int fd[2];

        assert_int_equal(config_parse("test.conf", text, strlen(text), &config, NULL), 0);
        assert_int_equal(cluster_new(config, T0, &w->ctl.cluster, NULL), 0);
        w->ctl.ops = &carried_out;
        assert_int_equal(sd_event_new(&w->ctl.event), 0);
        assert_int_equal(sd_event_add_time(w->ctl.event, &w->ctl.gathering_ends, CLOCK_MONOTONIC, 0,
                                         1, never, NULL),
                        0);
        (void)sd_event_source_set_enabled(w->ctl.gathering_ends, SD_EVENT_OFF);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
        w->peer = (struct peer){ .ctl = &w->ctl, .refs = 1, .local = true };
        assert_int_equal(conn_adopt(w->ctl.event, fd[0], &ops, NULL, &w->peer.conn), 0);
        w->client = (struct address){ .peer = &w->peer };
        w->w = wire_new(fd[1]);
        *state = w;
        return 0;
}

static int end(void **state) {
        struct world *w = *state;

        outbox_free(&w->ctl);
        assert_int_equal(w->peer.n_waiting, 0);
        watches_free(&w->ctl);
        assert_int_equal(w->peer.refs, 1);
        conn_close(w->peer.conn);
        wire_free(w->w);
        cluster_free(w->ctl.cluster);
        sd_event_source_disable_unref(w->ctl.gathering_ends);
        sd_event_unref(w->ctl.event);
        free(w);
        return 0;
}

static Envelope *hear(struct world *w) {
        Envelope *env = NULL;

        while (sd_event_run(w->ctl.event, 0) > 0)
                ;
        assert_int_equal(wire_receive(w->w, USEC_PER_SEC, &env), 0);
        return env;
}

static void assert_answer(struct world *w, uint64_t client, uint64_t id) {
        _cleanup_envelope_ Envelope *env = hear(w);

        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_OK);
        assert_int_equal(env->reply_to, id);
        assert_int_equal(env->caller ? env->caller->client : 0, client);
}

static void assert_silence(struct world *w) {
        Envelope *env = NULL;

        while (sd_event_run(w->ctl.event, 0) > 0)
                ;
        assert_int_equal(wire_receive(w->w, 1, &env), -ETIMEDOUT);
}

static void answer(struct world *w, bool durable, uint64_t client, uint64_t id) {
        struct address to = { &w->peer, client, id };
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        if (durable)
                reply_durable(&w->ctl, &to, &env);
        else
                reply_now(&to, &env);
}

static void what_is_said_later_is_heard_later(void **state) {
        struct world *w = *state;

        answer(w, false, 0, 1);
        assert_answer(w, 0, 1);
        answer(w, true, 0, 2);
        answer(w, false, 0, 3);
        outbox_seal(&w->ctl, 7);
        answer(w, false, 0, 4);
        outbox_release(&w->ctl, 6);
        assert_silence(w);
        answer(w, true, 0, 5);
        answer(w, false, 0, 6);
        outbox_seal(&w->ctl, 8);
        outbox_release(&w->ctl, 7);
        for (uint64_t id = 2; id <= 4; id++)
                assert_answer(w, 0, id);
        assert_silence(w);
        outbox_release(&w->ctl, 8);
        assert_answer(w, 0, 5);
        assert_answer(w, 0, 6);
        answer(w, false, 0, 7);
        assert_answer(w, 0, 7);
}

static void clients_of_one_agent_do_not_wait_for_each_other(void **state) {
        struct world *w = *state;

        w->peer.local = false;
        answer(w, true, 1, 1);
        answer(w, false, 2, 1);
        assert_answer(w, 2, 1);
        answer(w, false, 1, 2);
        assert_silence(w);
        outbox_seal(&w->ctl, 1);
        outbox_release(&w->ctl, 1);
        assert_answer(w, 1, 1);
        assert_answer(w, 1, 2);
}

/* What a node is told when it is stored waits for the turn of something else, or a moment. */
static void an_acknowledgement_ends_no_turn(void **state) {
        struct world *w = *state;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);
        int on;

        reply_when_stored(&w->ctl, &(struct address){ &w->peer, 0, 1 }, &env);
        assert_int_equal(w->ctl.changed_since, 0);
        assert_int_equal(sd_event_source_get_enabled(w->ctl.gathering_ends, &on), 1);
        assert_int_equal(on, SD_EVENT_ONESHOT);
        assert_silence(w);
        outbox_seal(&w->ctl, 1);
        assert_silence(w);
        outbox_release(&w->ctl, 1);
        assert_answer(w, 0, 1);
}

/* The effect of a turn, and in the next one a command comes back to hold the job that it speaks
   of. */
static void a_notice_of_an_earlier_turn_comes_behind_the_answer(void **state) {
        struct world *w = *state;
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .min_nodes = 1,
                .max_nodes = 1 };
        struct submitter submitter = { .uid = 1000, .gid = 1000, .user = "u", .group = "g" };
        struct job *j = NULL;

        assert_int_equal(job_admit(w->ctl.cluster, &spec, &submitter, T0, &j, NULL), SLUMBER_OK);
        effects_add(&w->ctl.cluster->effects, FX_MESSAGE)->job = j->id;
        outbox_seal(&w->ctl, 1);
        w->client.id = 9;
        watch_replace(&w->ctl, WATCH_HOLDER, j->id, &w->client);
        answer(w, true, 0, 9);
        outbox_seal(&w->ctl, 2);
        outbox_release(&w->ctl, 1);
        assert_silence(w);
        outbox_release(&w->ctl, 2);
        assert_answer(w, 0, 9);
        _cleanup_envelope_ Envelope *env = hear(w);
        assert_int_equal(env->body_case, SLUMBER__ENVELOPE__BODY_JOB_NOTICE);
        assert_int_equal(env->reply_to, 0); /* answers no request */
        assert_int_equal(env->job_notice->job_id, j->id);
}

static void an_answer_that_is_too_long_becomes_a_refusal(void **state) {
        struct world *w = *state;
        _cleanup_free_ char *text = xmalloc(WIRE_FRAME_MAX + 1);
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;

        memset(text, 'x', WIRE_FRAME_MAX);
        text[WIRE_FRAME_MAX] = '\0';
        reply.message = text;
        for (uint64_t id = 1; id <= 2; id++) {
                ENVELOPE(env, SUBMIT_REPLY, submit_reply, &reply);
                w->client.id = id;
                if (id == 1)
                        reply_durable(&w->ctl, &w->client, &env);
                else
                        reply_now(&w->client, &env);
                outbox_seal(&w->ctl, id);
                outbox_release(&w->ctl, id);
                _cleanup_envelope_ Envelope *got = hear(w);
                assert_int_equal(got->body_case, SLUMBER__ENVELOPE__BODY_ERROR);
                assert_int_equal(got->reply_to, id);
                assert_int_equal(got->error->code, SLUMBER_TOO_BIG);
        }
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(what_is_said_later_is_heard_later, begin, end),
                cmocka_unit_test_setup_teardown(clients_of_one_agent_do_not_wait_for_each_other,
                                begin, end),
                cmocka_unit_test_setup_teardown(an_acknowledgement_ends_no_turn, begin, end),
                cmocka_unit_test_setup_teardown(a_notice_of_an_earlier_turn_comes_behind_the_answer,
                                begin, end),
                cmocka_unit_test_setup_teardown(an_answer_that_is_too_long_becomes_a_refusal, begin,
                                end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
