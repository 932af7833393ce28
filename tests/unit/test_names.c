/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses of hosts, by threads that nobody waits for. */
#include "controller/clusters/names.h"
#include "tests/unit/test.h"

struct answer {
        unsigned calls;
        size_t n;
        char first[64], why[256];
};

static void on_found(char *const *addresses, size_t n, const char *why, void *user) {
        struct answer *a = user;

        a->calls++;
        a->n = n;
        snprintf(a->first, sizeof a->first, "%s", n ? addresses[0] : "");
        snprintf(a->why, sizeof a->why, "%s", why);
}

static void ask(sd_event *event, const char *host, struct answer *ret) {
        struct name_lookup *l = NULL;

        *ret = (struct answer){ 0 };
        assert_int_equal(name_look_up(event, host, on_found, ret, &l), 0);
        assert_non_null(l);
        while (!ret->calls)
                assert_true(sd_event_run(event, UINT64_MAX) >= 0);
}

static void what_is_found_is_told_once(void **state) {
        sd_event *event = NULL;
        struct answer a;

        (void)state;
        assert_true(sd_event_new(&event) >= 0);
        ask(event, "127.0.0.1", &a);
        assert_int_equal(a.n, 1);
        assert_string_equal(a.first, "127.0.0.1");
        assert_string_equal(a.why, "");
        assert_int_equal(sd_event_run(event, 0), 0);
        assert_int_equal(a.calls, 1);
        sd_event_unref(event);
}

static void what_is_not_found_is_told_with_the_reason(void **state) {
        char host[300] = "";
        sd_event *event = NULL;
        struct answer a;

        (void)state;
        memset(host, 'x', sizeof host - 1); /* no label is as long: no name service is asked */
        assert_true(sd_event_new(&event) >= 0);
        ask(event, host, &a);
        assert_int_equal(a.n, 0);
        assert_non_null(strstr(a.why, "cannot find the address of xxx"));
        sd_event_unref(event);
}

/* The thread or the drop may come first. */
static void what_is_dropped_is_not_told(void **state) {
        struct name_lookup *list[50];
        struct answer a = { 0 };
        sd_event *event = NULL;

        (void)state;
        assert_null(name_lookup_drop(NULL));
        assert_true(sd_event_new(&event) >= 0);
        for (size_t i = 0; i < ELEMENTSOF(list); i++) {
                assert_int_equal(name_look_up(event, "::1", on_found, &a, &list[i]), 0);
                if (i % 2)
                        assert_null(name_lookup_drop(list[i]));
        }
        for (size_t i = 0; i < ELEMENTSOF(list); i += 2)
                assert_null(name_lookup_drop(list[i]));
        assert_int_equal(sd_event_run(event, 0), 0);
        assert_int_equal(a.calls, 0);
        sd_event_unref(event);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_found_is_told_once),
                cmocka_unit_test(what_is_not_found_is_told_with_the_reason),
                cmocka_unit_test(what_is_dropped_is_not_told),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
