/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths that others can change are not run. */
#include "tests/unit/test.h"

#include "lib/trusted.h"

#include <sys/stat.h>

static char *folder;

static char *in(const char *name) {
        return xasprintf("%s/%s", folder, name);
}

static void put(const char *name, mode_t mode) {
        _cleanup_free_ char *path = in(name);
        FILE *f = fopen(path, "w");

        assert_non_null(f);
        fclose(f);
        assert_int_equal(chmod(path, mode), 0);
}

static void assert_why(const char *name, int r, const char *why) {
        _cleanup_free_ char *path = in(name);
        struct fail fail = { 0 };

        assert_int_equal(trusted_program(path, &fail), r);
        if (!strstr(fail.text, why))
                fail_msg("%s: \"%s\" has no \"%s\"", name, fail.text, why);
}

static int make_folder(void **state) {
        char name[] = "/tmp/slumber-trusted-XXXXXX";

        (void)state;
        folder = xstrdup(mkdtemp(name));
        return 0;
}

static int remove_folder(void **state) {
        _cleanup_free_ char *command = xasprintf("rm -rf %s", folder);

        (void)state;
        free(folder);
        return system(command);
}

static void a_program_is_ours(void **state) {
        (void)state;
        put("good", 0755);
        assert_why("good", 0, "");
        put("group", 0775);
        assert_why("group", -EPERM, "/group may be written by its group or others");
        put("plain", 0644);
        assert_why("plain", -EACCES, "/plain is not executable");
        assert_why("none", -ENOENT, "/none: No such file");
        assert_why("", -EACCES, " is not a regular file");
        assert_int_equal(trusted_program("good", NULL), -EINVAL);
}

static void so_are_its_folders(void **state) {
        _cleanup_free_ char *open = in("open"), *sticky = in("sticky");

        (void)state;
        assert_int_equal(mkdir(open, 0755) | mkdir(sticky, 0755), 0);
        put("open/hook", 0755);
        put("sticky/hook", 0755);
        assert_int_equal(chmod(open, 0777) | chmod(sticky, 01777), 0);
        assert_why("open/hook", -EPERM, "/open may be written");
        assert_why("sticky/hook", 0, "");
        if (geteuid() == 0) {
                assert_int_equal(chmod(open, 0755) | chown(open, 65534, 0), 0);
                assert_why("open/hook", -EPERM, "/open belongs to user 65534");
        }
}

static void and_the_links_on_the_way(void **state) {
        _cleanup_free_ char *link = in("link"), *far = in("far"), *loop = in("loop"),
                            *theirs = in("theirs"), *through = in("theirs/through"),
                            *chain = in("chain");

        (void)state;
        put("good", 0755);
        assert_int_equal(symlink("good", link) | symlink("..", far) | symlink("loop", loop), 0);
        assert_why("link", 0, "");
        assert_why("loop", -ELOOP, "/loop: ");
        /* our link to a link that others can change */
        assert_int_equal(mkdir(theirs, 0755) | symlink("../good", through) |
                                         symlink("theirs/through", chain),
                        0);
        assert_why("chain", 0, "");
        assert_int_equal(chmod(theirs, 0777), 0);
        assert_why("chain", -EPERM, "/theirs may be written");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_program_is_ours),
                cmocka_unit_test(so_are_its_folders),
                cmocka_unit_test(and_the_links_on_the_way),
        };

        return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
