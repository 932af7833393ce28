/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/user_file.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int opens(const char *path) {
        _cleanup_close_ int fd = user_file_open(path, O_RDONLY, 0);

        return MIN(fd, 0);
}

static void files_of_processes_are_refused(void **state) {
        static const char *const paths[] = { "/proc/self/maps", "/proc/self/environ",
                "/proc/thread-self/stat", "/proc/self/fd/0", "/proc/self/cwd",
                "/proc/self/root/etc", "/proc/1/status", "/dev/fd/../maps", "/proc/self/exe" };
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

static void streams_of_the_daemon_are_null(void **state) {
        static const char *const paths[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr",
                "/dev/fd/0", "/dev/fd/1", "/dev/fd/2" };
        struct stat null, st;

        (void)state;
        assert_int_equal(stat("/dev/null", &null), 0);
        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                _cleanup_close_ int fd = user_file_open(paths[i], O_WRONLY | O_CREAT | O_TRUNC,
                                0600);
                assert_true(fd >= 0);
                assert_int_equal(fstat(fd, &st), 0);
                assert_int_equal(st.st_rdev, null.st_rdev);
        }
}

/* What a process gets of /dev/null where a filter answers openat2() with error. */
static int opens_filtered(unsigned error) {
        struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = { ELEMENTSOF(filter), filter };
        int status;
        pid_t pid = fork();

        if (pid == 0) {
                if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
                                prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
                        _exit(0);
                _exit(-opens("/dev/null"));
        }
        assert_true(pid > 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        return -WEXITSTATUS(status);
}

static void a_kernel_without_the_call_is_named(void **state) {
        (void)state;
        assert_int_equal(opens_filtered(ENOSYS), -ENOSYS);
        assert_int_equal(opens_filtered(EPERM), -ENOSYS);
        assert_int_equal(opens_filtered(EACCES), -EACCES);
        assert_non_null(strstr(user_file_error(-ENOSYS), "Linux 5.6"));
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
                cmocka_unit_test(streams_of_the_daemon_are_null),
                cmocka_unit_test(a_kernel_without_the_call_is_named),
                cmocka_unit_test(folders_are_entered_likewise),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
