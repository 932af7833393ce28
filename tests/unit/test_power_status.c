/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/power_status.h"
#include "tests/unit/test.h"

#include <json-c/json.h>
#include <signal.h>
#include <sys/stat.h>

static void what_slumber_power_prints_is_read(void **state) {
        static const char text[] =
                        "{\"command\": \"status\", \"nodes\": ["
                        "{\"node\": \"n1\", \"bmc\": \"b1\", \"state\": \"on\", \"ok\": true},"
                        "{\"node\": \"n2\", \"bmc\": \"b2\", \"state\": \"off\", \"ok\": true},"
                        "{\"node\": \"n3\", \"bmc\": \"b3\", \"state\": \"unknown\", \"error\": \"silent\"},"
                        "{\"node\": \"n4\", \"bmc\": null, \"state\": \"unknown\", \"error\": \"not there\"},"
                        "{\"state\": \"on\"}, 7]}";
        static const enum power_reading_kind kinds[] = { POWER_READ_ON, POWER_READ_OFF,
                POWER_READ_FAILED, POWER_READ_NO_BMC };
        _cleanup_free_ struct power_reading *list = NULL;
        struct json_object *root = NULL;
        size_t n = 0;

        assert_int_equal(power_status_parse(text, &root, &list, &n, NULL), 0);
        assert_int_equal(n, ELEMENTSOF(kinds)); /* strangers are left out */
        for (size_t i = 0; i < n; i++)
                assert_int_equal(list[i].kind, kinds[i]);
        assert_string_equal(list[2].node, "n3");
        assert_string_equal(list[2].error, "silent");
        json_object_put(root);
}

static void what_is_something_else_is_refused(void **state) {
        static const char *const bad[] = {
                "",
                "n1: on",
                "[]",
                "{}",
                "{\"nodes\": 3}",
                "{\"nodes\": [",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct power_reading *list = NULL;
                struct json_object *root = NULL;
                struct fail fail = { 0 };
                size_t n = 0;
                assert_int_equal(power_status_parse(bad[i], &root, &list, &n, &fail), -EBADMSG);
                assert_non_null(strstr(fail.text, "slumber-power"));
        }
}

/* ---- children ---- */

struct heard {
        sd_event *event;
        size_t n;
        char error[256];
        unsigned calls;
};

static void on_done(const struct power_reading *list, size_t n, const char *error, void *user) {
        struct heard *h = user;

        h->n = n;
        h->calls++;
        snprintf(h->error, sizeof h->error, "%s", error ? error : "");
        sd_event_exit(h->event, 0);
}

static void run_program(const char *text, struct heard *ret) {
        char folder[] = "/tmp/power-status-XXXXXX";
        struct power_status *s = NULL;
        struct fail fail = { 0 };
        sigset_t chld;

        assert_non_null(mkdtemp(folder));
        _cleanup_free_ char *path = xasprintf("%s/program", folder);
        FILE *f = fopen(path, "w");
        fputs(text, f);
        fclose(f);
        chmod(path, 0755);
        sigemptyset(&chld);
        sigaddset(&chld, SIGCHLD);
        sigprocmask(SIG_BLOCK, &chld, NULL);
        *ret = (struct heard){ 0 };
        assert_true(sd_event_new(&ret->event) >= 0);
        struct power_status_request req = {
                path,
                "/p.yaml",
                "/s.conf",
                "n[1-2]",
                POWER_STATUS_POWER,
                5 * USEC_PER_SEC,
        };
        assert_int_equal(power_status_start(ret->event, &req, on_done, ret, &s, &fail), 0);
        assert_true(sd_event_loop(ret->event) >= 0);
        sd_event_unref(ret->event);
        unlink(path);
        rmdir(folder);
}

static void a_child_is_asked_and_heard(void **state) {
        struct heard h;

        run_program("#!/bin/sh\n[ \"$*\" = 'status --json --config /p.yaml --deadline 5 -- n[1-2]' ] || exit 9\n"
                    "[ \"$SLURM_CONF\" = /s.conf ] || exit 8\n"
                    "echo '{\"nodes\": [{\"node\": \"n1\", \"bmc\": \"b\", \"state\": \"on\"}]}'\nexit 1\n",
                        &h);
        assert_string_equal(h.error, "");
        assert_int_equal(h.n, 1);
        assert_int_equal(h.calls, 1);
}

static void a_child_that_fails_says_so(void **state) {
        struct heard h;

        run_program("#!/bin/sh\nexit 78\n", &h);
        assert_string_equal(h.error, "slumber-power has ended with exit status 78");
        run_program("#!/bin/sh\nkill -SEGV $$\n", &h);
        assert_non_null(strstr(h.error, "signal 11"));
        run_program("#!/bin/sh\nhead -c 9000000 /dev/zero\n", &h);
        assert_non_null(strstr(h.error, "without end"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_slumber_power_prints_is_read),
                cmocka_unit_test(what_is_something_else_is_refused),
                cmocka_unit_test(a_child_is_asked_and_heard),
                cmocka_unit_test(a_child_that_fails_says_so),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
