/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connections that are closed in a callback, much that waits on one, and turns for all others. */
#include "tests/unit/conn_world.h"

static void a_connection_may_close_itself_in_its_callback(void **state) {
        struct world *w = *state;

        both_tls(w);
        w->close_inside = true;
        for (uint64_t id = 1; id <= 10; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->closed,
                        1); /* the client's end: the peer closed itself at the first message */
        assert_int_equal(w->messages, 1);
        assert_null(w->peer);
        assert_null(w->client);
}

static void a_server_may_be_freed_in_its_callback(void **state) {
        struct world *w = *state;

        w->free_server_inside = true;
        both_tls(w);
        w->free_server_inside = false;
        assert_null(w->server);
        exchange(w);
}

static void a_server_frees_its_unfinished_handshakes(void **state) {
        struct world *w = *state;
        _cleanup_close_ int fd = -1;

        listen_tls(w);
        fd = stranger(w);
        connect_tls(w, w->key);
        run_until(w, &w->ready, 1); /* by now the stranger was accepted too */
        w->server = conn_server_free(w->server);
        char byte;
        assert_int_equal(read(fd, &byte, 1), 0);
        assert_int_equal(w->refused, 0);
}

/* All that is sent outside of callbacks goes at once. */
static void answers_are_gathered_until_the_end_of_the_turn(void **state) {
        struct world *w = *state;

        both_tls(w);
        w->echo = true;
        assert_int_equal(send_id(w->client, 1), 0);
        run_until(w, &w->messages, 2);
        assert_int_equal(w->queued, 0);
        conn_set_gathers(w->peer, true);
        for (uint64_t id = 2; id <= 20; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 40);
        assert_true(w->queued > 0);
        assert_int_equal(conn_queued(w->peer), 0);
        assert_int_equal(send_id(w->peer, 21), 0);
        assert_int_equal(conn_queued(w->peer), 0);
        run_until(w, &w->messages, 41);
        assert_int_equal(w->last_id, 21);

        conn_set_gathers(w->client, true); /* closed with something that is gathered */
        w->both_echo = w->close_inside = false;
        assert_int_equal(send_id(w->client, 22), 0);
        conn_close(TAKE(w->client));
        run_until(w, &w->closed, 1);
        assert_int_equal(w->last_id, 22);
        w->peer = NULL;
}

static void a_full_queue_closes_the_connection(void **state) {
        struct world *w = *state;
        int fd = by_hand(w), r = 0; /* without a reader */

        conn_set_queue_limit(w->client, 4 << 20);
        while (r == 0) {
                assert_true(conn_queued(w->client) <= 4 << 20);
                r = send_bytes(w->client, 1 << 20);
        }
        assert_int_equal(r, -ENOBUFS);
        assert_int_equal(w->closed, 0); /* from the loop only */
        assert_int_equal(send_id(w->client, 1), -ENOBUFS);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->close_r, -ENOBUFS);
        assert_non_null(strstr(w->why, "does not take its messages"));
        close(fd);
}

static void peer_that_does_not_read_is_paused(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        assert_int_equal(wire_pack(&env, &frame, &size), 0);
        conn_set_slow_limit(w->client, 1 << 20);
        assert_int_equal(send_bytes(w->client, 2 << 20), 0);
        assert_int_equal(write(fd, frame, size), (ssize_t)size);
        for (int i = 0; i < 20; i++)
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
        assert_int_equal(w->messages, 0);
        while (w->messages == 0) { /* it reads: it is heard */
                char buf[65536];
                (void)!recv(fd, buf, sizeof buf, MSG_DONTWAIT);
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
        }
        assert_true(conn_queued(w->client) <= 1 << 20);
        close(fd);
}

static void sender_hears_when_much_is_taken(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        conn_set_mark(w->client, 2 << 20);
        assert_int_equal(send_bytes(w->client, 1 << 20), 0);
        assert_false(conn_above_mark(w->client));
        assert_int_equal(send_bytes(w->client, 2 << 20), 0);
        assert_true(conn_above_mark(w->client));
        assert_int_equal(w->taken, 0);
        while (conn_queued(w->client) > 0) {
                char buf[65536];
                (void)!recv(fd, buf, sizeof buf, MSG_DONTWAIT);
                assert_true(sd_event_run(w->event, USEC_PER_MSEC) >= 0);
                assert_int_equal(w->taken, conn_queued(w->client) <= 1 << 20);
        }
        assert_int_equal(w->taken, 1);
        assert_false(conn_above_mark(w->client));
        close(fd);
}

static void what_a_peer_wrote_before_it_left_is_read(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        close(fd);
        assert_int_equal(send_id(w->client, 1), 0); /* EPIPE inside: not yet the end */
        assert_int_equal(send_id(w->client, 1), -ENOTCONN);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
}

static void a_peer_that_is_gone_has_hung_up(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_false(conn_hung_up(w->client));
        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        assert_false(conn_hung_up(w->client));
        close(fd);
        assert_true(conn_hung_up(w->client));
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
        assert_false(w->unread);
}

/* One that is sent when it is gone is not read, either. */
static void what_a_peer_has_not_read_is_known(void **state) {
        struct world *w = *state;
        uint8_t frame[64];

        for (unsigned round = 1; round <= 4; round++) {
                int fd = by_hand(w);
                bool all = round == 1, some = round == 2, late = round == 4;

                if (late)
                        close(fd);
                assert_int_equal(send_id(w->client, 1), 0);
                ssize_t n = late ? 0 : recv(fd, frame, sizeof frame, MSG_PEEK);
                if (all || some)
                        assert_int_equal(read(fd, frame, (size_t)(all ? n : n - 1)),
                                        all ? n : n - 1);
                if (!late)
                        close(fd);
                run_until(w, &w->closed, round);
                assert_int_equal(w->unread, !all);
        }
}

static int on_time(sd_event_source *s, uint64_t usec, void *user) {
        (*(unsigned *)user)++;
        return 0;
}

static void a_paused_connection_delivers_nothing(void **state) {
        struct world *w = *state;
        unsigned times = 0;

        both_tls(w);
        conn_pause(w->peer, true);
        for (uint64_t id = 1; id <= 100; id++)
                assert_int_equal(send_id(w->client, id), 0);
        assert_int_equal(sd_event_add_time_relative(w->event, NULL, CLOCK_MONOTONIC,
                                         20 * USEC_PER_MSEC, 1, on_time, &times),
                        0);
        run_until(w, &times, 1);
        assert_int_equal(w->messages, 0);
        conn_pause(w->peer, false);
        run_until(w, &w->messages, 100);
}

/* The loop must sleep while a paused peer has hung up, or it burns a processor. */
static void a_paused_peer_that_hung_up_costs_nothing(void **state) {
        struct world *w = *state;
        int fd = by_hand(w);

        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        conn_pause(w->client, true);
        close(fd);
        assert_int_equal(sd_event_run(w->event, 20 * USEC_PER_MSEC), 0);
        conn_pause(w->client, false);
        run_until(w, &w->closed, 1);
        assert_int_equal(w->messages, 1);
}

/* 10,000 messages are buffered from one peer; another's only message is not behind all of them. */
static void a_busy_peer_does_not_starve_another(void **state) {
        struct world *w = *state, *other = xnew0(struct world, 1);
        int fd = -1, pair[2];

        both_unix(w);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        fd = pair[1];
        assert_int_equal(conn_adopt(w->event, pair[0], &ops, other, &other->client), 0);
        for (uint64_t id = 1; id <= 10000; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 1);
        assert_int_equal(write(fd, "\0\0\0\4\x08\1\x5a\0", 8), 8);
        run_until(w, &other->messages, 1);
        assert_true(w->messages < 1000);
        run_until(w, &w->messages, 10000);
        conn_close(other->client);
        close(fd);
        free(other);
}

#define SINKS 20

/* The same megabytes for many are packed once, and others are served between their slices. */
static void a_shared_tail_goes_in_slices(void **state) {
        struct world *w = *state, *sinks = xnew0(struct world, 1);
        Slumber__StepIo own = SLUMBER__STEP_IO__INIT, common = SLUMBER__STEP_IO__INIT;
        struct conn *from[SINKS], *to[SINKS];
        ENVELOPE(env, STEP_IO, step_io, &own);

        both_unix(w);
        w->echo = true;
        common.data.len = 4 << 20;
        common.data.data = xnew0(uint8_t, common.data.len);
        struct wire_tail *tail = wire_tail_new(&common.base);
        for (uint32_t i = 0; i < SINKS; i++) {
                _cleanup_free_ uint8_t *begin = NULL;
                size_t size;
                int pair[2];
                assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
                assert_int_equal(conn_adopt(w->event, pair[0], &ops, sinks, &from[i]), 0);
                assert_int_equal(conn_adopt(w->event, pair[1], &ops, sinks, &to[i]), 0);
                own.job_id = i + 1;
                assert_int_equal(wire_pack_before(&env, tail, &begin, &size), 0);
                assert_true(size < 100);
                assert_int_equal(conn_send_with_tail(from[i], begin, size, tail), 0);
        }
        assert_int_equal(wire_tail_refs(tail), SINKS + 1);
        assert_int_equal(send_id(w->client, 1), 0);
        run_until(w, &w->messages, 2);
        assert_true(sinks->messages < SINKS / 2);
        run_until(w, &sinks->messages, SINKS);
        assert_int_equal(sinks->bytes, (size_t)SINKS * (4 << 20));
        assert_int_equal(wire_tail_refs(tail), 1);
        for (size_t i = 0; i < SINKS; i++) {
                conn_close(from[i]);
                conn_close(to[i]);
        }
        wire_tail_unref(tail);
        free(common.data.data);
        free(sinks);
}

/* Twenty peers and one with twenty messages, each of which takes long: the rest of the program gets
   its turn in between. */
static int count_timer(sd_event_source *s, uint64_t t, void *user) {
        unsigned *fired = user;

        (*fired)++;
        return 0;
}

/* Two that answer each answer: the loop has time for all else. */
static void endless_messages_leave_turns_to_timers(void **state) {
        struct world *w = *state;
        sd_event_source *timer = NULL;
        unsigned fired = 0;

        both_unix(w);
        w->both_echo = true;
        w->busy = USEC_PER_MSEC;
        for (uint64_t id = 1; id <= 50; id++)
                assert_int_equal(send_id(w->client, id), 0);
        run_until(w, &w->messages, 100);
        assert_int_equal(sd_event_add_time(w->event, &timer, CLOCK_MONOTONIC, now_monotonic(), 0,
                                         count_timer, &fired),
                        0);
        for (unsigned turns = 0; turns < 50 && fired == 0; turns++)
                assert_true(sd_event_run(w->event, 20 * USEC_PER_SEC) > 0);
        assert_int_equal(fired, 1);
        w->both_echo = false;
        sd_event_source_disable_unref(timer);
}

static void a_turn_ends_when_messages_take_long(void **state) {
        struct world *w = *state, *others = xnew0(struct world, 20);
        int fd[20];

        both_unix(w);
        w->busy = 3 * USEC_PER_MSEC;
        for (size_t i = 0; i < 20; i++) {
                int pair[2];

                assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
                fd[i] = pair[1];
                others[i].busy = w->busy;
                assert_int_equal(conn_adopt(w->event, pair[0], &ops, &others[i], &others[i].client),
                                0);
                assert_int_equal(write(fd[i], "\0\0\0\4\x08\1\x5a\0", 8), 8);
                assert_int_equal(send_id(w->client, i + 1), 0);
        }
        for (unsigned done = 0, before = 0; done < 40; before = done) {
                assert_true(sd_event_run(w->event, 20 * USEC_PER_SEC) > 0);
                done = w->messages;
                for (size_t i = 0; i < 20; i++)
                        done += others[i].messages;
                assert_true(done - before <= 1);
        }
        for (size_t i = 0; i < 20; i++) {
                conn_close(others[i].client);
                close(fd[i]);
        }
        free(others);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                CASE(a_connection_may_close_itself_in_its_callback),
                CASE(a_server_may_be_freed_in_its_callback),
                CASE(a_server_frees_its_unfinished_handshakes),
                CASE(answers_are_gathered_until_the_end_of_the_turn),
                CASE(a_full_queue_closes_the_connection),
                CASE(peer_that_does_not_read_is_paused),
                CASE(sender_hears_when_much_is_taken),
                CASE(what_a_peer_wrote_before_it_left_is_read),
                CASE(a_peer_that_is_gone_has_hung_up),
                CASE(what_a_peer_has_not_read_is_known),
                CASE(a_paused_connection_delivers_nothing),
                CASE(a_paused_peer_that_hung_up_costs_nothing),
                CASE(a_busy_peer_does_not_starve_another),
                CASE(endless_messages_leave_turns_to_timers),
                CASE(a_shared_tail_goes_in_slices),
                CASE(a_turn_ends_when_messages_take_long),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
