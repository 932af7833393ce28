/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/user_file.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <stdlib.h>

static int opens(const char *path) {
        _cleanup_close_ int fd = user_file_open(path, O_RDONLY, 0);

        return MIN(fd, 0);
}

static void files_of_processes_are_refused(void **state) {
        static const char *const paths[] = { "/proc/self/maps", "/proc/self/environ",
                "/proc/thread-self/stat", "/proc/self/fd/0", "/proc/self/cwd",
                "/proc/self/root/etc", "/proc/1/status", "/dev/stdin", "/dev/fd/0",
                "/proc/self/exe" };
        _cleanup_free_ char *own = xasprintf("/proc/%d/maps", (int)getpid());

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(paths); i++)
                if (opens(paths[i]) != -ELOOP)
                        fail_msg("%s: %s", paths[i], strerror(-opens(paths[i])));
        assert_int_equal(opens(own), -ELOOP);
}

static void links_lead_to_them_no_better(void **state) {
        char folder[] = "/tmp/user-file-XXXXXX";

        (void)state;
        assert_non_null(mkdtemp(folder));
        _cleanup_free_ char *maps = xasprintf("%s/maps", folder),
                            *good = xasprintf("%s/good", folder),
                            *made = xasprintf("%s/made", folder);
        assert_int_equal(symlink("/proc/self/maps", maps), 0);
        assert_int_equal(symlink("made", good), 0);
        assert_int_equal(opens(maps), -ELOOP);
        assert_int_equal(opens(good), -ENOENT);
        _cleanup_close_ int fd = user_file_open(good, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        assert_true(fd >= 0);
        assert_int_equal(opens(made), 0);
        unlink(maps);
        unlink(good);
        unlink(made);
        rmdir(folder);
}

static void other_files_are_as_always(void **state) {
        (void)state;
        assert_int_equal(opens("/proc/cpuinfo"), 0);
        assert_int_equal(opens("/dev/null"), 0);
        assert_int_equal(opens("/none/file"), -ENOENT);
}

static void folders_are_entered_likewise(void **state) {
        (void)state;
        assert_int_equal(user_file_chdir("/proc/self/fd"), -ELOOP);
        assert_int_equal(user_file_chdir("/proc/self/cwd"), -ELOOP);
        assert_int_equal(user_file_chdir("/proc/cpuinfo"), -ENOTDIR);
        assert_int_equal(user_file_chdir("/"), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(files_of_processes_are_refused),
                cmocka_unit_test(links_lead_to_them_no_better),
                cmocka_unit_test(other_files_are_as_always),
                cmocka_unit_test(folders_are_entered_likewise),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
