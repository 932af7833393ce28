/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory pushed out of a group: against a kernel of our own, a process that reads memory.reclaim
 * and rewrites memory.current. (What the real one does is for tests/vm/reclaim.sh.) */
#include "tests/unit/test.h"

#include "cgroup/group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define MB (1024ull * 1024)

struct seen { /* shared with it */
        volatile uint64_t writes, largest;
};

struct kernel {
        char folder[64];
        struct cg *group;
        pid_t pid;
        struct seen *seen;
};

static void put(const char *folder, const char *name, const char *text) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name),
                            *next = xasprintf("%s.new", path);
        _cleanup_fclose_ FILE *f = fopen(next, "we");

        assert_non_null(f);
        fputs(text, f);
        assert_int_equal(fflush(f), 0);
        assert_int_equal(rename(next, path), 0);
}

static void put_current(const char *folder, uint64_t bytes) {
        _cleanup_free_ char *text = xasprintf("%llu\n", (unsigned long long)bytes);

        put(folder, "memory.current", text);
}

/* It never goes below floor_bytes: locked pages, and a swap that is full. */
static void serve(const struct kernel *k, uint64_t current, uint64_t floor_bytes) {
        _cleanup_free_ char *path = xasprintf("%s/memory.reclaim", k->folder);
        int fd = open(path, O_RDWR | O_CLOEXEC);
        char text[4096];

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (ssize_t n; (n = read(fd, text, sizeof text - 1)) > 0;) {
                text[n] = 0;
                for (char *p = text; *p; p++) { /* several, if they came at once */
                        uint64_t bytes = strtoull(p, &p, 10);
                        k->seen->writes++;
                        k->seen->largest = MAX(k->seen->largest, bytes);
                        current -= MIN(bytes, current > floor_bytes ? current - floor_bytes : 0);
                }
                put_current(k->folder, current);
        }
        _exit(0);
}

static void kernel_start(struct kernel *k, uint64_t current, uint64_t floor_bytes) {
        struct fail fail = { 0 };

        *k = (struct kernel){ .folder = "/tmp/test-reclaim-XXXXXX" };
        assert_non_null(mkdtemp(k->folder));
        _cleanup_free_ char *path = xasprintf("%s/memory.reclaim", k->folder),
                            *handle = xasprintf("v2=%s", k->folder);
        assert_int_equal(mkfifo(path, 0600), 0);
        put_current(k->folder, current);
        assert_int_equal(cg_open(handle, &k->group, &fail), 0);
        k->seen = mmap(NULL, sizeof *k->seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
        k->pid = fork();
        if (k->pid == 0)
                serve(k, current, floor_bytes);
}

static uint64_t kernel_end(struct kernel *k) {
        _cleanup_free_ char *rm = xasprintf("rm -rf %s", k->folder);
        uint64_t now;

        assert_int_equal(cg_memory_current(k->group, &now), 0);
        kill(k->pid, SIGKILL);
        waitpid(k->pid, NULL, 0);
        munmap(k->seen, sizeof *k->seen);
        cg_free(k->group);
        assert_int_equal(system(rm), 0);
        return now;
}

static void it_is_pushed_out_in_pieces_until_it_is_enough(void **state) {
        struct kernel k;

        (void)state;
        kernel_start(&k, 200 * MB, 0);
        assert_int_equal(cg_memory_push_out(k.group, 50 * MB), 0);
        assert_true(k.seen->writes >= 5); /* 150 MB in pieces of 32 */
        assert_true(k.seen->largest <= 32 * MB);
        assert_true(kernel_end(&k) <= 50 * MB);
}

static void it_ends_when_nothing_more_goes(void **state) {
        struct kernel k;

        (void)state;
        kernel_start(&k, 200 * MB, 120 * MB);
        usec_t began = now_monotonic();
        assert_int_equal(cg_memory_push_out(k.group, 50 * MB), 0);
        assert_true(now_monotonic() - began < 30 * USEC_PER_SEC);
        assert_int_equal(kernel_end(&k), 120 * MB);
}

static void what_is_little_enough_is_left_alone(void **state) {
        struct kernel k;

        (void)state;
        kernel_start(&k, 50 * MB, 0);
        assert_int_equal(cg_memory_push_out(k.group, 50 * MB), 0);
        assert_int_equal(k.seen->writes, 0);
        assert_int_equal(kernel_end(&k), 50 * MB);
}

static void other_kinds_of_groups_cannot(void **state) {
        static const char *const handles[] = { "v1=/tmp", "none=/tmp", "v2=/tmp\nmemory=/tmp" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(handles); i++) {
                struct fail fail = { 0 };
                struct cg *g = NULL;
                uint64_t bytes;
                assert_int_equal(cg_open(handles[i], &g, &fail), 0);
                assert_int_equal(cg_memory_current(g, &bytes), -EOPNOTSUPP);
                assert_int_equal(cg_memory_push_out(g, 0), -EOPNOTSUPP);
                cg_free(g);
        }
}

static void a_group_that_is_gone_is_said_to_be(void **state) {
        struct fail fail = { 0 };
        struct cg *g = NULL;
        uint64_t bytes;

        (void)state;
        assert_int_equal(cg_open("v2=/tmp/there-is-no-such-folder", &g, &fail), 0);
        assert_int_equal(cg_memory_current(g, &bytes), -ENOENT);
        assert_int_equal(cg_memory_push_out(g, 0), -ENOENT);
        cg_free(g);
}

static void a_machine_that_cannot_says_why(void **state) {
        char base[] = "/tmp/test-reclaim-XXXXXX";
        struct fail why = { 0 };

        (void)state;
        assert_non_null(mkdtemp(base));
        _cleanup_free_ char *folder = xasprintf("%s/jobs", base),
                            *rm = xasprintf("rm -rf %s", base);
        assert_int_equal(mkdir(folder, 0700), 0);
        put(base, "meminfo", "MemTotal: 1000 kB\nSwapTotal:       0 kB\n");

        assert_int_equal(group_can_reclaim(folder, base, &why), -EOPNOTSUPP);
        assert_non_null(strstr(why.text, "the kernel has no memory.reclaim"));
        put(folder, "memory.reclaim", "");
        assert_int_equal(group_can_reclaim(folder, base, &why), -EOPNOTSUPP);
        assert_string_equal(why.text, "the node has no swap");
        put(base, "meminfo", "MemTotal: 1000 kB\nSwapTotal:       512 kB\n");
        assert_int_equal(group_can_reclaim(folder, base, &why), 0);
        put(folder, "memory.swap.max", "max\n");
        put(base, "memory.swap.max", "0\n");
        assert_int_equal(group_can_reclaim(folder, base, &why), -EOPNOTSUPP);
        assert_non_null(strstr(why.text, "memory.swap.max is 0"));
        assert_null(strstr(why.text, "/jobs")); /* no path of the job */
        assert_int_equal(system(rm), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(it_is_pushed_out_in_pieces_until_it_is_enough),
                cmocka_unit_test(it_ends_when_nothing_more_goes),
                cmocka_unit_test(what_is_little_enough_is_left_alone),
                cmocka_unit_test(other_kinds_of_groups_cannot),
                cmocka_unit_test(a_group_that_is_gone_is_said_to_be),
                cmocka_unit_test(a_machine_that_cannot_says_why),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
