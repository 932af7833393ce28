/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/process.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_child(void) {
        pid_t pid = fork();

        if (pid == 0)
                for (;;)
                        pause();
        assert_true(pid > 0);
        return pid;
}

static void the_end_of_a_process_is_seen(void **state) {
        uint64_t space = process_space();
        pid_t pid = start_child();
        struct process_id id = process_named(pid, space);
        siginfo_t ended;

        assert_true(space != 0);
        assert_int_equal(id.pid, pid);
        assert_false(process_is_gone(&id, space));
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
        assert_true(process_is_gone(&id, space)); /* it is not reaped yet */
        assert_int_equal(process_named(pid, space).pid, 0);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        assert_true(process_is_gone(&id, space));
        assert_int_equal(process_named(pid, space).pid, 0);
}

static void another_process_of_its_number_is_not_it(void **state) {
        uint64_t space = process_space();
        struct process_id id = process_named(getpid(), space), earlier = id;

        earlier.start--;
        assert_false(process_is_gone(&id, space));
        assert_true(process_is_gone(&earlier, space));
        assert_true(process_same(&id, &id));
        assert_false(process_same(&id, &earlier));
}

static void a_boot_ends_all(void **state) {
        uint64_t space = process_space();
        struct process_id id = process_named(getpid(), space);

        assert_true(process_is_gone(&id, space ^ UINT64_C(1) << 40));
}

static void of_what_cannot_be_seen_nothing_is_told(void **state) {
        uint64_t space = process_space();
        struct process_id id = process_named(getpid(), space), none = { 0 };

        id.start--; /* as of another process */
        assert_false(process_is_gone(&id, space ^ 1));
        assert_false(process_is_gone(&id, space ^ (UINT64_C(1) << 40 | 1))); /* another machine */
        assert_false(process_is_gone(&id, 0));
        assert_false(process_is_gone(&none, space));
        assert_int_equal(process_named(getpid(), 0).pid, 0);
        assert_int_equal(process_named(0, space).pid, 0);
}

static void a_name_may_hold_anything(void **state) {
        char name[16] = "";
        uint64_t start = process_start(getpid(), false);

        assert_int_equal(prctl(PR_GET_NAME, name), 0);
        assert_int_equal(prctl(PR_SET_NAME, "a)\n) Z 1 1 1"), 0);
        assert_int_equal(process_start(getpid(), false), start);
        assert_int_equal(prctl(PR_SET_NAME, name), 0);
        assert_true(start != 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_end_of_a_process_is_seen),
                cmocka_unit_test(another_process_of_its_number_is_not_it),
                cmocka_unit_test(a_boot_ends_all),
                cmocka_unit_test(of_what_cannot_be_seen_nothing_is_told),
                cmocka_unit_test(a_name_may_hold_anything),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
