/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hook's program does not begin when its runner was killed before it is on record. */
#include "lib/hook_row.h"

#include "tests/unit/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void a_killed_runners_program_does_not_begin(void **state) {
        int record[2], begun[2], forked[2];
        char buf[4096] = { 0 };

        (void)state;
        assert_int_equal(pipe(record) | pipe(begun) | pipe(forked), 0);
        /* full: the program's line waits */
        assert_true(fcntl(record[1], F_SETFL, O_NONBLOCK) >= 0);
        while (write(record[1], buf, sizeof buf) > 0)
                ;
        assert_true(fcntl(record[1], F_SETFL, 0) >= 0);
        pid_t runner = fork();
        if (runner == 0) {
                struct hook_row row = { .fd = record[1], .stop_fd = -1 };
                struct fail fail = { 0 };
                if (hook_fork(&row, &fail) == 0)
                        _exit(write(begun[1], "x", 1) != 1);
                (void)!write(forked[1], "x", 1);
                for (;;)
                        pause();
        }
        assert_true(runner > 0);
        close(begun[1]);
        assert_int_equal(read(forked[0], buf, 1), 1);
        assert_int_equal(kill(runner, SIGKILL), 0);
        assert_int_equal(waitpid(runner, NULL, 0), runner);
        assert_true(fcntl(record[0], F_SETFL, O_NONBLOCK) >= 0);
        while (read(record[0], buf, sizeof buf) > 0)
                ;
        assert_int_equal(read(begun[0], buf, 1), 0);
        close(begun[0]);
        for (int i = 0; i < 2; i++) {
                close(record[i]);
                close(forked[i]);
        }
}

/* The program stops its runner for longer than its timeout, as a freeze of the job would. */
static void time_while_the_runner_stands_still_does_not_count(void **state) {
        static const char script[] = "#!/bin/sh\nkill -STOP $PPID\nsleep 2.5\nkill -CONT $PPID\n"
                                     "sleep 0.3\n";
        char path[] = "/tmp/slumber-hook-XXXXXX";
        char *files[] = { path }, *environment[] = { NULL };
        int fd = mkstemp(path), null = open("/dev/null", O_WRONLY | O_CLOEXEC), status = 0;

        (void)state;
        assert_true(fd >= 0 && null >= 0);
        assert_int_equal(write(fd, script, sizeof script - 1), sizeof script - 1);
        assert_int_equal(fchmod(fd, 0700), 0);
        close(fd);
        pid_t runner = fork();
        if (runner == 0) {
                struct hook_row row = { .files = files,
                        .n_files = 1,
                        .environment = environment,
                        .timeout = 2 * USEC_PER_SEC,
                        .fd = null,
                        .stop_fd = -1 };
                struct fail fail = { 0 };
                _exit(hook_run_row(&row, &fail) < 0);
        }
        assert_int_equal(waitpid(runner, &status, 0), runner);
        assert_int_equal(status, 0);
        close(null);
        unlink(path);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_killed_runners_program_does_not_begin),
                cmocka_unit_test(time_while_the_runner_stands_still_does_not_count),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
