/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose the folder of jobs' private folders is (job_container/tmpfs). */
#include "agent/jobs/containers.h"
#include "tests/unit/test.h"

#include "agent/places/container.h"
#include "agent/state/agent.h"
#include "lib/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

static char base[64];

static int begin(void **state) {
        (void)state;
        snprintf(base, sizeof base, "/tmp/slumber-containers.XXXXXX");
        return mkdtemp(base) ? 0 : -1;
}

static int end(void **state) {
        (void)state;
        return folder_remove(AT_FDCWD, base);
}

static void make(const char *name, char *ret, size_t size) {
        snprintf(ret, size, "%s/%s", base, name);
        assert_int_equal(mkdir(ret, 0700), 0);
}

static void a_lock_outlives_its_slumberd(void **state) {
        struct fail fail = { 0 };
        char path[128];
        int lock = -1;

        (void)state;
        assert_int_equal(container_lock(base, "node10", &lock, &fail), 0);
        close(lock);
        make("7-0", path, sizeof path);
        int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_int_equal(flock(folder, LOCK_EX), 0); /* its namespace is being made */
        assert_int_equal(container_lock(base, "n1", &lock, &fail), -EBUSY);
        assert_non_null(strstr(fail.text, "has folders of jobs of node node10"));
        assert_int_equal(container_lock(base, "node10", &lock, &fail), 0);
        close(lock);
        close(folder);
        assert_int_equal(container_lock(base, "n1", &lock, &fail), 0); /* left by a reboot */
        close(lock);
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_int_equal(flock(folder, LOCK_EX), 0);
        assert_int_equal(container_lock(base, "node10", &lock, &fail), -EBUSY);
        assert_non_null(strstr(fail.text, "has folders of jobs of node n1;"));
        assert_int_equal(container_lock(base, "n1", &lock, &fail), 0);
        close(lock);
        close(folder);
}

static void a_base_of_another_one_is_left_alone(void **state) {
        Slumber__JobContainer config = SLUMBER__JOB_CONTAINER__INIT;
        struct agent a = { .node = (char *)"n2" };
        char path[128];

        (void)state;
        config.folder = base;
        assert_int_equal(chmod(base, 0777), 0); /* not fit for anybody */
        containers_configure(&a, &config);
        make("7-0", path, sizeof path);
        containers_end(&a, 7, 0); /* "7-0" of the job's other node */
        assert_int_equal(access(path, F_OK), 0);
        containers_done(&a);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(a_lock_outlives_its_slumberd, begin, end),
                cmocka_unit_test_setup_teardown(a_base_of_another_one_is_left_alone, begin, end),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
