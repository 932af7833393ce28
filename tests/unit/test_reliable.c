/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/common/reliable.h"

#define S  USEC_PER_SEC
#define MS USEC_PER_MSEC

struct pair {
        struct reliable *a, *b;
};

static void begin(struct pair *p) {
        p->a = reliable_new(1u << 20);
        p->b = reliable_new(1u << 20);
}

static void end(struct pair *p) {
        reliable_free(p->a);
        reliable_free(p->b);
}

static void put(struct reliable *q, const char *text) {
        _cleanup_(shared_bytes_unrefp) struct shared_bytes *b = shared_bytes_new(strlen(text));

        memcpy(b->data, text, strlen(text));
        reliable_put(q, 7, b);
}

/* What q sends now; its serial must be this. */
static struct reliable_piece sends(struct reliable *q, usec_t now, uint64_t serial) {
        struct reliable_piece p;

        assert_true(reliable_next(q, now, &p));
        assert_int_equal(p.serial, serial);
        return p;
}

static void sends_nothing(struct reliable *q, usec_t now) {
        struct reliable_piece p;

        assert_false(reliable_next(q, now, &p));
}

static void gets(struct reliable *q, struct reliable_piece p, const char *text) {
        struct reliable_message m;

        assert_int_equal(reliable_receive(q, &p, &m), text ? 1 : 0);
        if (!text)
                return;
        assert_int_equal(m.kind, 7);
        assert_int_equal(m.size, strlen(text));
        assert_memory_equal(m.data, text, m.size);
}

static void a_message_is_kept_until_it_is_acknowledged(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        assert_true(reliable_idle(p.a));
        put(p.a, "one");
        assert_false(reliable_idle(p.a));
        gets(p.b, sends(p.a, 0, 1), "one");
        assert_int_equal(reliable_held(p.a), 3 + RELIABLE_EXTRA);
        sends_nothing(p.a, 0);
        struct reliable_piece ack = sends(p.b, 0, 0);
        assert_int_equal(ack.acknowledged, 1);
        gets(p.a, ack, NULL);
        assert_int_equal(reliable_held(p.a), 0);
        assert_true(reliable_idle(p.a) && reliable_idle(p.b));
        assert_int_equal(reliable_due(p.a), USEC_INFINITY);
        end(&p);
}

static void an_acknowledgement_goes_with_an_answer(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "one");
        gets(p.b, sends(p.a, 0, 1), "one");
        put(p.b, "answer");
        struct reliable_piece answer = sends(p.b, 0, 1);
        assert_int_equal(answer.acknowledged, 1);
        sends_nothing(p.b, 0);
        gets(p.a, answer, "answer");
        assert_int_equal(reliable_held(p.a), 0);
        end(&p);
}

static void what_comes_twice_is_taken_once(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "one");
        struct reliable_piece one = sends(p.a, 0, 1);
        gets(p.b, one, "one");
        sends(p.b, 0, 0); /* is lost */
        gets(p.b, one, NULL);
        assert_int_equal(sends(p.b, 0, 0).acknowledged, 1);
        end(&p);
}

static void what_overtakes_is_asked_for_again_once(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "one");
        put(p.a, "two");
        put(p.a, "three");
        sends(p.a, 0, 1); /* is lost in silence */
        gets(p.b, sends(p.a, 0, 2), NULL);
        struct reliable_piece ask = sends(p.b, 0, 0);
        assert_true(ask.repeat);
        gets(p.b, sends(p.a, 0, 3), NULL);
        assert_false(sends(p.b, 0, 0).repeat);
        gets(p.a, ask, NULL);
        gets(p.b, sends(p.a, 0, 1), "one");
        sends_nothing(p.a, 0); /* the first goes alone */
        gets(p.a, sends(p.b, 0, 0), NULL);
        gets(p.b, sends(p.a, 0, 2), "two");
        gets(p.b, sends(p.a, 0, 3), "three");
        end(&p);
}

static void undelivered_ones_go_again_after_growing_pauses(void **state) {
        struct pair p;
        usec_t now = S, before = 0;

        (void)state;
        begin(&p);
        put(p.a, "one");
        put(p.a, "two");
        sends(p.a, now, 1);
        sends(p.a, now, 2);
        for (unsigned i = 0; i < 12; i++) {
                reliable_undelivered(p.a, now);
                reliable_undelivered(p.a, now); /* two came back, one pause */
                usec_t pause = reliable_due(p.a) - now;
                assert_true(pause >= before && pause <= 2 * S && pause >= MS);
                before = pause;
                sends_nothing(p.a, now + pause - 1);
                now += pause;
                sends(p.a, now, 1);
                sends_nothing(p.a, now);
        }
        assert_int_equal(before, 2 * S);
        end(&p);
}

static void a_new_link_sends_again_and_tells_again(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.b, "other");
        gets(p.a, sends(p.b, 0, 1), "other");
        put(p.a, "one");
        sends(p.a, 0, 1);
        reliable_resume(p.a);
        struct reliable_piece again = sends(p.a, 0, 1);
        assert_int_equal(again.acknowledged, 1);
        gets(p.b, again, "one");
        assert_true(reliable_heard(p.b));
        reliable_resume(p.b);
        assert_int_equal(sends(p.b, 0, 0).acknowledged, 1);
        end(&p);
}

static void silence_is_a_loss(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "one");
        sends(p.a, S, 1);
        usec_t due = reliable_due(p.a);
        assert_true(due > S && due <= 61 * S);
        sends_nothing(p.a, due - 1);
        sends(p.a, due, 1);
        assert_true(reliable_due(p.a) - due > due - S); /* it waits longer the next time */
        end(&p);
}

static void a_large_message_goes_in_pieces_within_a_window(void **state) {
        size_t size = 3 * RELIABLE_WINDOW, n = 0, under_way = 0;
        _cleanup_(shared_bytes_unrefp) struct shared_bytes *b = shared_bytes_new(size);
        struct reliable *a = reliable_new(1), *c = reliable_new(size), *d = reliable_new(size - 1);
        struct reliable_message m;
        struct reliable_piece p;
        int r = 0, too_long = 0;

        (void)state;
        for (size_t i = 0; i < size; i++)
                b->data[i] = (uint8_t)(i * 31 >> 3);
        reliable_put(a, 7, b);
        assert_int_equal(b->refs, 1 + size / RELIABLE_PIECE);
        while (r == 0) {
                while (reliable_next(a, 0, &p)) {
                        under_way += p.size;
                        n++;
                        assert_true(under_way <= RELIABLE_WINDOW && p.size <= RELIABLE_PIECE);
                        r = reliable_receive(c, &p, &m);
                        too_long = reliable_receive(d, &p, &m);
                }
                under_way = 0;
                if (r == 0)
                        gets(a, sends(c, 0, 0), NULL);
        }
        assert_int_equal(r, 1);
        assert_int_equal(n, size / RELIABLE_PIECE);
        assert_int_equal(too_long, -EMSGSIZE);
        end(&(struct pair){ a, c });
        reliable_free(d);
}

static void an_empty_message_arrives(void **state) {
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "");
        put(p.a, "x");
        gets(p.b, sends(p.a, 0, 1), "");
        gets(p.b, sends(p.a, 0, 2), "x");
        gets(p.a, sends(p.b, 0, 0), NULL);
        assert_true(reliable_idle(p.a));
        end(&p);
}

static void what_was_not_sent_is_not_acknowledged(void **state) {
        struct reliable_piece lie = { .acknowledged = 2 };
        struct reliable_message m;
        struct pair p;

        (void)state;
        begin(&p);
        put(p.a, "one");
        sends(p.a, 0, 1);
        assert_int_equal(reliable_receive(p.a, &lie, &m), -EBADMSG);
        assert_int_equal(reliable_held(p.a), 3 + RELIABLE_EXTRA);
        end(&p);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_message_is_kept_until_it_is_acknowledged),
                cmocka_unit_test(an_acknowledgement_goes_with_an_answer),
                cmocka_unit_test(what_comes_twice_is_taken_once),
                cmocka_unit_test(what_overtakes_is_asked_for_again_once),
                cmocka_unit_test(undelivered_ones_go_again_after_growing_pauses),
                cmocka_unit_test(a_new_link_sends_again_and_tells_again),
                cmocka_unit_test(silence_is_a_loss),
                cmocka_unit_test(a_large_message_goes_in_pieces_within_a_window),
                cmocka_unit_test(an_empty_message_arrives),
                cmocka_unit_test(what_was_not_sent_is_not_acknowledged),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
