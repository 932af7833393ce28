/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "cgroup/freezer.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void every_pair_but_a_deadline_at_rest_has_a_row(void **state) {
        (void)state;
        for (enum freezer_state from = 0; from < FREEZER_STATE_MAX; from++)
                for (enum freezer_event event = 0; event < FREEZER_EVENT_MAX; event++) {
                        bool rest = from == FREEZER_THAWED || from == FREEZER_FROZEN;
                        struct freezer_move m = { 0 };

                        assert_int_equal(freezer_step(from, event, &m),
                                        rest && event == FREEZER_EXPIRED ? -EPROTO : 0);
                        assert_true(m.to < FREEZER_STATE_MAX);
                }
}

/* The rule that matters: no state on the way has no deadline, and no freeze ends half done. */
static void what_is_on_its_way_has_a_deadline_and_ends_at_rest(void **state) {
        (void)state;
        for (enum freezer_state from = 0; from < FREEZER_STATE_MAX; from++)
                for (enum freezer_event event = 0; event < FREEZER_EVENT_MAX; event++) {
                        struct freezer_move m;

                        if (freezer_step(from, event, &m) < 0 || m.to == from)
                                continue;
                        if (m.to == FREEZER_FROZEN || m.to == FREEZER_THAWED)
                                assert_true(m.effects & FREEZER_FX_DONE);
                        else
                                assert_true(m.effects & FREEZER_FX_ARM);
                }
}

static void a_freeze_that_expires_is_taken_back_and_fails(void **state) {
        struct freezer_move m;

        (void)state;
        assert_int_equal(freezer_step(FREEZER_FREEZING, FREEZER_EXPIRED, &m), 0);
        assert_int_equal(m.to, FREEZER_STOPPING);
        assert_int_equal(m.effects, FREEZER_FX_STOP | FREEZER_FX_ARM);
        assert_int_equal(freezer_step(FREEZER_STOPPING, FREEZER_EXPIRED, &m), 0);
        assert_int_equal(m.to, FREEZER_BACKING_OUT);
        assert_int_equal(m.effects, FREEZER_FX_FAIL | FREEZER_FX_THAW | FREEZER_FX_ARM);
        assert_int_equal(freezer_step(m.to, FREEZER_SEEN_THAWED, &m), 0);
        assert_int_equal(m.to, FREEZER_THAWED);
        assert_int_equal(m.effects, FREEZER_FX_DONE);
}

static void what_stands_still_counts_as_frozen(void **state) {
        static const enum freezer_state on_their_way[] = { FREEZER_FREEZING, FREEZER_STOPPING };
        struct cg_threads hangs = { .n = 3, .stuck = 1, .used = 900 }, ran = hangs, runs = hangs,
                          other = hangs, none = { .n = 3, .used = 900 };
        struct freezer_move m;

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(on_their_way); i++) {
                assert_int_equal(freezer_step(on_their_way[i], FREEZER_SEEN_STILL, &m), 0);
                assert_int_equal(m.to, FREEZER_FROZEN);
                assert_int_equal(m.effects, FREEZER_FX_DONE);
        }
        ran.used++;
        runs.runs = 1;
        other.n++;
        assert_true(cg_stood_still(&hangs, &hangs));
        assert_false(cg_stood_still(&hangs, &ran));
        assert_false(cg_stood_still(&hangs, &runs));
        assert_false(cg_stood_still(&hangs, &other));
        assert_false(cg_stood_still(&none, &none)); /* the kernel will say so itself */
}

static void a_thaw_while_freezing_wins(void **state) {
        struct freezer_move m;

        (void)state;
        assert_int_equal(freezer_step(FREEZER_FREEZING, FREEZER_ASK_THAW, &m), 0);
        assert_int_equal(m.to, FREEZER_THAWING);
        assert_true(m.effects & FREEZER_FX_THAW);
}

/* ---- a folder that looks like a v2 cgroup and does what the test says ---- */

struct fake {
        char dir[64];
        struct cg *group;
        sd_event *event;
        struct cg_freezer *freezer;
        struct cg_freezer_result result;
        char why[512];
        unsigned answers;
};

static void put(struct fake *x, const char *name, const char *text) {
        _cleanup_free_ char *path = xasprintf("%s/%s", x->dir, name);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
}

static char wished(struct fake *x) {
        _cleanup_free_ char *path = xasprintf("%s/cgroup.freeze", x->dir);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        char c = 0;

        assert_int_equal(read(fd, &c, 1), 1);
        return c;
}

static void done(struct cg_freezer *f, const struct cg_freezer_result *result, void *user) {
        struct fake *x = user;

        (void)f;
        x->result = *result;
        snprintf(x->why, sizeof x->why, "%s", result->why);
        x->answers++;
}

static void fake_start(struct fake *x) {
        static const struct cg_freezer_ops ops = { .done = done };

        *x = (struct fake){ .dir = "/tmp/agent-test-freezer-XXXXXX" };
        assert_non_null(mkdtemp(x->dir));
        put(x, "cgroup.procs", "");
        put(x, "cgroup.freeze", "0");
        put(x, "cgroup.events", "populated 1\nfrozen 0\n");
        _cleanup_free_ char *handle = xasprintf("v2=%s", x->dir);
        assert_int_equal(cg_open(handle, &x->group, NULL), 0);
        assert_int_equal(sd_event_new(&x->event), 0);
        assert_int_equal(cg_freezer_new(x->event, x->group, &ops, x, &x->freezer), 0);
}

static void fake_done(struct fake *x) {
        static const char *const files[] = { "cgroup.procs", "cgroup.freeze", "cgroup.events" };

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", x->dir, files[i]);
                unlink(path);
        }
        rmdir(x->dir);
        cg_freezer_free(x->freezer);
        cg_free(x->group);
        sd_event_unref(x->event);
}

static void run(struct fake *x, unsigned answers) {
        usec_t end = now_monotonic() + 10 * USEC_PER_SEC;

        while (x->answers < answers && now_monotonic() < end)
                assert_true(sd_event_run(x->event, USEC_PER_SEC) >= 0);
        assert_int_equal(x->answers, answers);
}

static void a_freeze_that_hangs_is_thawed_and_reported(void **state) {
        struct fake x;

        (void)state;
        fake_start(&x);
        cg_freezer_ask(x.freezer, true, 30 * USEC_PER_MSEC);
        assert_int_equal(wished(&x), '1');
        assert_int_equal(x.answers, 0);
        run(&x, 1);
        assert_int_equal(x.result.error, -ETIMEDOUT);
        assert_false(x.result.frozen);
        assert_non_null(strstr(x.why, "did not freeze within 30 ms"));
        assert_int_equal(wished(&x), '0');
        assert_int_equal(cg_freezer_state(x.freezer), FREEZER_THAWED);
        fake_done(&x);
}

static void the_kernels_word_ends_the_wait(void **state) {
        struct fake x;

        (void)state;
        fake_start(&x);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        assert_int_equal(x.answers, 0);
        put(&x, "cgroup.events", "populated 1\nfrozen 1\n");
        run(&x, 1);
        assert_int_equal(x.result.error, 0);
        assert_true(x.result.frozen);
        fake_done(&x);
}

static void only_the_last_wish_is_answered(void **state) {
        struct fake x;

        (void)state;
        fake_start(&x);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        cg_freezer_ask(x.freezer, false, 60 * USEC_PER_SEC);
        assert_int_equal(x.answers, 1); /* "frozen 0" holds already */
        assert_int_equal(wished(&x), '0');
        assert_false(x.result.frozen);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        put(&x, "cgroup.events", "populated 1\nfrozen 1\n");
        run(&x, 2);
        fake_done(&x);
}

static void a_group_that_cannot_be_written_says_so(void **state) {
        struct fake x;

        (void)state;
        fake_start(&x);
        _cleanup_free_ char *path = xasprintf("%s/cgroup.freeze", x.dir);
        unlink(path);
        mkdir(path, 0700);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        assert_int_equal(x.answers, 1);
        assert_int_equal(x.result.error, -EISDIR);
        assert_false(x.result.frozen);
        rmdir(path);
        fake_done(&x);
}

/* kill -9 of a daemon in the middle: what its successor takes for thawed must not freeze by itself
   later. */
static void unawaited_freeze_is_taken_back(void **state) {
        static const struct cg_freezer_ops ops = { .done = done };
        struct fake x;

        (void)state;
        fake_start(&x);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        assert_int_equal(wished(&x), '1');
        cg_freezer_free(x.freezer);
        assert_int_equal(cg_freezer_new(x.event, x.group, &ops, &x, &x.freezer), 0);
        assert_false(cg_freezer_is_frozen(x.freezer));
        assert_int_equal(wished(&x), '0');
        fake_done(&x);
}

/* A user namespace of its own, with a limit of its own.  False: there can be none here. */
static bool use_up_inotify(void) {
        _cleanup_free_ char *map = xasprintf("%u %u 1", geteuid(), geteuid());
        static const char limit[] = "/proc/sys/user/max_inotify_instances";

        if (unshare(CLONE_NEWUSER) < 0)
                return false;
        _cleanup_close_ int fd = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, map, strlen(map)) < 0)
                return false;
        _cleanup_close_ int most = open(limit, O_WRONLY | O_CLOEXEC);
        return most >= 0 && write(most, "0", 1) == 1;
}

static void freeze_without_inotify(void) {
        struct fake x;

        fake_start(&x);
        cg_freezer_ask(x.freezer, true, 60 * USEC_PER_SEC);
        assert_int_equal(x.answers, 0);
        put(&x, "cgroup.events", "populated 1\nfrozen 1\n");
        run(&x, 1);
        assert_true(x.result.frozen);
        cg_freezer_ask(x.freezer, false, 60 * USEC_PER_SEC);
        put(&x, "cgroup.events", "populated 1\nfrozen 0\n");
        run(&x, 2);
        assert_false(x.result.frozen);
        fake_done(&x);
}

static void without_inotify_it_polls(void **state) {
        int status;
        pid_t pid = fork();

        (void)state;
        if (pid == 0) {
                if (!use_up_inotify())
                        _exit(77);
                freeze_without_inotify();
                _exit(0);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
                skip();
        assert_int_equal(status, 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_pair_but_a_deadline_at_rest_has_a_row),
                cmocka_unit_test(what_is_on_its_way_has_a_deadline_and_ends_at_rest),
                cmocka_unit_test(a_freeze_that_expires_is_taken_back_and_fails),
                cmocka_unit_test(what_stands_still_counts_as_frozen),
                cmocka_unit_test(a_thaw_while_freezing_wins),
                cmocka_unit_test(a_freeze_that_hangs_is_thawed_and_reported),
                cmocka_unit_test(the_kernels_word_ends_the_wait),
                cmocka_unit_test(only_the_last_wish_is_answered),
                cmocka_unit_test(a_group_that_cannot_be_written_says_so),
                cmocka_unit_test(unawaited_freeze_is_taken_back),
                cmocka_unit_test(without_inotify_it_polls),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
