/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that wait for the name service are answered, also when it never answers. */
#include "tests/unit/test.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/requests/parked.h"

/* ---- what parked.c calls; the controller's own are not linked ---- */

static size_t refused, handled, addresses;
static uint64_t awaited, goes_on;
static char last[200];

struct address address_copy(const struct address *a) {
        addresses++;
        return *a;
}

void address_done(struct address *a) {
        addresses--;
}

void reply_result(struct controller *ctl, const struct address *to, enum slumber_error e,
                const char *text) {
        assert_int_equal(e, SLUMBER_FAILED);
        snprintf(last, sizeof last, "%" PRIu64 ": %s", to->id, text);
        refused++;
}

static void handle_again(struct peer *p, Envelope *env) {
        handled++;
        snprintf(last, sizeof last, "%" PRIu64, env->id);
}

const struct user *users_get(struct users *u, uid_t uid, gid_t gid, bool groups) {
        return NULL;
}

uint64_t users_awaited(const struct users *u) {
        return awaited;
}

bool users_await(const struct users *u, uint64_t number) {
        return number && number == goes_on;
}

/* ---- the tests ---- */

static const struct controller_ops ops = { .message = handle_again };

struct world {
        struct controller ctl;
        struct peer peer;
};

static int begin(void **state) {
        struct world *w = xnew0(struct world, 1);

        w->ctl.ops = &ops;
        w->peer.ctl = &w->ctl;
        w->peer.conn = (struct conn *)(void *)w; /* it is there; it is not looked into */
        refused = handled = 0;
        awaited = goes_on = 0;
        *last = 0;
        *state = w;
        return 0;
}

static int end(void **state) {
        struct world *w = *state;

        parked_free(&w->ctl);
        assert_int_equal(addresses, 0);
        free(w);
        return 0;
}

static void park(struct world *w, uint64_t id, uint64_t client) {
        struct caller caller = { .from = { &w->peer, client, id }, .uid = 1234 };
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        ENVELOPE(env, PING, ping, &ping);

        env.id = id;
        request_park(&w->ctl, &caller, &env);
}

static void one_that_waits_too_long_is_told_why(void **state) {
        struct world *w = *state;

        /* it came then, and is tried again */
        w->ctl.unparking = now_monotonic() - 61 * USEC_PER_SEC;
        park(w, 1, 0);
        w->ctl.unparking = 0;
        park(w, 2, 0);
        parked_expire(&w->ctl);
        assert_int_equal(refused, 1);
        assert_string_equal(last, "1: the controller's name service does not know uid 1234");
        assert_int_equal(w->ctl.n_parked, 1);
        requests_unpark(&w->ctl);
        assert_int_equal(handled, 1);
        assert_string_equal(last, "2");
        assert_int_equal(w->ctl.n_parked, 0);
        assert_int_equal(w->ctl.parked_bytes, 0);
}

static void too_many_are_refused_at_once(void **state) {
        struct world *w = *state;

        for (uint64_t i = 1; i <= 10000; i++)
                park(w, i, 0);
        assert_int_equal(refused, 0);
        park(w, 10001, 0);
        assert_int_equal(refused, 1);
        assert_string_equal(last,
                        "10001: the controller's name service does not answer, and too many requests wait for it");
        assert_int_equal(w->ctl.n_parked, 10000);
        requests_unpark(&w->ctl);
        assert_int_equal(handled, 10000);
        park(w, 1, 0);
        assert_int_equal(refused, 1);
}

static void a_command_that_is_gone_waits_no_more(void **state) {
        struct world *w = *state;

        park(w, 1, 7);
        park(w, 2, 8);
        parked_client_gone(&w->ctl, &w->peer, 7, false);
        assert_int_equal(w->ctl.n_parked, 1);
        requests_unpark(&w->ctl);
        assert_string_equal(last, "2");
        park(w, 3, 7);
        w->peer.conn = NULL;
        requests_unpark(&w->ctl);
        assert_int_equal(handled, 1);
        assert_int_equal(w->ctl.n_parked, 0);
}

static void each_waits_for_its_own_name(void **state) {
        struct world *w = *state;

        goes_on = 7;
        for (uint64_t id = 1; id <= 4; id++) {
                awaited = id == 2 || id == 3 ? 7 : 8;
                park(w, id, 0);
        }
        requests_unpark(&w->ctl);
        assert_int_equal(handled, 2);
        assert_string_equal(last, "4");
        assert_int_equal(w->ctl.n_parked, 2);
        assert_true(w->ctl.parked_bytes > 0);
        goes_on = 0;
        requests_unpark(&w->ctl);
        assert_int_equal(handled, 4);
        assert_string_equal(last, "3");
        assert_int_equal(w->ctl.n_parked, 0);
        assert_int_equal(w->ctl.parked_bytes, 0);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(one_that_waits_too_long_is_told_why, begin, end),
                cmocka_unit_test_setup_teardown(too_many_are_refused_at_once, begin, end),
                cmocka_unit_test_setup_teardown(a_command_that_is_gone_waits_no_more, begin, end),
                cmocka_unit_test_setup_teardown(each_waits_for_its_own_name, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
