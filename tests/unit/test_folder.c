/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/folder.h: what a user has put into a folder is removed, nothing else. */
#include "tests/unit/test.h"

#include "lib/folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#define DEPTH 3000 /* more than a path, or descriptors, could have */

static char *base;

static int begin(void **state) {
        char name[] = "/tmp/slumber-folder-XXXXXX";

        (void)state;
        base = xstrdup(mkdtemp(name));
        return chdir(base);
}

static int end(void **state) {
        (void)state;
        int r = folder_remove(AT_FDCWD, base);

        free(base);
        return r;
}

static void put(const char *path) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        assert_true(fd >= 0);
}

static void all_is_removed_and_no_link_followed(void **state) {
        (void)state;
        assert_int_equal(mkdir("kept", 0755), 0);
        put("kept/file");
        assert_int_equal(mkdir("x", 0755), 0);
        assert_int_equal(mkdir("x/0", 0500), 0); /* a name that what comes up might have */
        assert_int_equal(mkdir("x/sub", 0755), 0);
        assert_int_equal(mkdir("x/sub/sub", 0755), 0);
        put("x/.hidden");
        put("x/sub/sub/file");
        assert_int_equal(symlink("../kept", "x/link"), 0);
        assert_int_equal(symlink("../../kept", "x/sub/link"), 0);
        assert_int_equal(mkfifo("x/sub/fifo", 0600), 0);
        assert_int_equal(folder_remove(AT_FDCWD, "x"), 0);
        assert_int_equal(access("x", F_OK), -1);
        assert_int_equal(access("kept/file", F_OK), 0);
        assert_int_equal(folder_remove(AT_FDCWD, "x"), 0); /* it is not there */
}

static void a_link_in_its_place_stays(void **state) {
        (void)state;
        assert_int_equal(mkdir("other", 0755), 0);
        put("other/file");
        assert_int_equal(symlink("other", "y"), 0);
        assert_int_equal(folder_remove(AT_FDCWD, "y"), -ENOTDIR);
        assert_int_equal(access("other/file", F_OK), 0);
}

static void depth_does_not_matter(void **state) {
        int at = AT_FDCWD;

        (void)state;
        for (int i = 0; i < DEPTH; i++) {
                assert_int_equal(mkdirat(at, "deep", 0755), 0);
                int next = openat(at, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
                assert_true(next >= 0);
                if (at != AT_FDCWD)
                        close(at);
                at = next;
        }
        close(at);
        assert_int_equal(folder_remove(AT_FDCWD, "deep"), 0);
        assert_int_equal(access("deep", F_OK), -1);
}

static void names_are_listed(void **state) {
        (void)state;
        assert_int_equal(mkdir("z", 0755), 0);
        assert_int_equal(mkdir("z/a", 0755), 0);
        assert_int_equal(mkdir("z/.b", 0755), 0);
        put("z/c");
        char **names = folder_list("z", true);
        assert_string_equal(names[0], "a");
        assert_null(names[1]);
        free(names[0]);
        free(names);
        names = folder_list("nowhere", false);
        assert_null(names[0]);
        free(names);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(all_is_removed_and_no_link_followed),
                cmocka_unit_test(a_link_in_its_place_stays),
                cmocka_unit_test(depth_does_not_matter),
                cmocka_unit_test(names_are_listed),
        };
        return cmocka_run_group_tests(tests, begin, end);
}
