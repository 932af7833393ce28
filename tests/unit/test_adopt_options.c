/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "agent/users/origin.h"
#include "pam/adopt_options.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <syslog.h>

static int parse(const char *option, struct adopt_options *ret, struct fail *fail) {
        return adopt_options_parse(option ? 1 : 0, &option, ret, fail);
}

static void without_options_all_is_denied(void **state) {
        struct adopt_options o;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(parse(NULL, &o, &fail), 0);
        assert_int_equal(o.no_jobs, ADOPT_DENY);
        assert_int_equal(o.unknown, ADOPT_NEWEST);
        assert_int_equal(o.adopt_failure, ADOPT_DENY);
        assert_int_equal(o.generic_failure, ADOPT_DENY);
        assert_int_equal(o.log_level, LOG_INFO);
        assert_string_equal(o.service, "sshd");
        assert_null(o.nodename);
        assert_null(o.socket);
}

static void each_option_has_its_own_values(void **state) {
        struct adopt_options o;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(parse("action_no_jobs=ignore", &o, &fail), 0);
        assert_int_equal(o.no_jobs, ADOPT_IGNORE);
        assert_int_equal(parse("action_generic_failure=ALLOW", &o, &fail), 0);
        assert_int_equal(o.generic_failure, ADOPT_ALLOW);
        assert_int_equal(parse("log_level=quiet", &o, &fail), 0);
        assert_int_equal(o.log_level, -1);
        assert_int_equal(parse("service=*", &o, &fail), 0);
        assert_string_equal(o.service, "*");
        assert_int_equal(parse("disable_x11=1", &o, &fail), 0);
        assert_int_equal(o.no_x11, 1);
}

static void what_is_no_option_is_named(void **state) {
        static const char *const bad[][2] = {
                { "action_no_job=deny", "there is no option \"action_no_job=deny\"" },
                { "debug", "there is no option \"debug\"" },
                { "", "there is no option \"\"" },
                { "nodename", "option \"nodename\" has no value" },
                { "socket=", "option \"socket=\" has no value" },
                { "action_adopt_failure=ignore",
                                "option \"action_adopt_failure=ignore\": one of allow, deny was "
                                "expected" },
                { "action_no_jobs", "option \"action_no_jobs\": one of deny, ignore was expected" },
                { "disable_x11=yes", "option \"disable_x11=yes\": one of 0, 1 was expected" },
        };
        struct adopt_options o;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                assert_int_equal(parse(bad[i][0], &o, &fail), -EINVAL);
                assert_string_equal(fail.text, bad[i][1]);
        }
}

/* A connection of this process to itself: listener, client, and the end that was accepted. */
static void connect_to_self(const char *address, int fds[3], uint16_t *from, uint16_t *to) {
        struct sockaddr_in a = { .sin_family = AF_INET };
        socklen_t size = sizeof a;

        assert_int_equal(inet_pton(AF_INET, address, &a.sin_addr), 1);
        fds[0] = socket(AF_INET, SOCK_STREAM, 0);
        fds[1] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(bind(fds[0], (struct sockaddr *)&a, sizeof a), 0);
        assert_int_equal(listen(fds[0], 1), 0);
        assert_int_equal(getsockname(fds[0], (struct sockaddr *)&a, &size), 0);
        *to = ntohs(a.sin_port);
        assert_int_equal(connect(fds[1], (struct sockaddr *)&a, sizeof a), 0);
        fds[2] = accept(fds[0], NULL, NULL);
        assert_int_equal(getsockname(fds[1], (struct sockaddr *)&a, &size), 0);
        *from = ntohs(a.sin_port);
}

static void a_connection_is_traced_to_its_process(void **state) {
        const usec_t enough = 100 * USEC_PER_SEC; /* there may be many processes with many files */
        struct origin_ask ask = { .from = "127.0.0.1",
                .to = "127.0.0.1",
                .uid = getuid(),
                .budget = enough };
        int fds[3];

        (void)state;
        connect_to_self("127.0.0.1", fds, &ask.from_port, &ask.to_port);
        assert_int_equal(origin_process(&ask), getpid());
        ask.budget = 1; /* us: a stuffed machine */
        assert_int_equal(origin_process(&ask), 0);
        ask.budget = enough;
        ask.from = ask.to = "::ffff:127.0.0.1"; /* a server of both kinds sees it so */
        assert_int_equal(origin_process(&ask), getpid());
        ask.uid = getuid() + 1;
        assert_int_equal(origin_process(&ask), 0);
        ask.uid = getuid();
        ask.from = "127.0.0.2";
        assert_int_equal(origin_process(&ask), 0);
        ask.from = "no address";
        assert_int_equal(origin_process(&ask), 0);
        for (size_t i = 0; i < ELEMENTSOF(fds); i++)
                close(fds[i]);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(without_options_all_is_denied),
                cmocka_unit_test(each_option_has_its_own_values),
                cmocka_unit_test(what_is_no_option_is_named),
                cmocka_unit_test(a_connection_is_traced_to_its_process),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
