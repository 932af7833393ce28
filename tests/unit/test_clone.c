/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on a copy: what comes back, what does not, and that the original stays as it was. */
#include "tests/unit/test.h"

#include "controller/requests/clone.h"

#include <fcntl.h>
#include <signal.h>

static struct {
        int value;   /* the copy changes it */
        int open_fd; /* the copy must not have it */
        bool ended;
        int r;
        char text[64];
} t;

static void answer(uint8_t **ret, size_t *ret_size, const char *text) {
        *ret = (uint8_t *)xstrdup(text);
        *ret_size = strlen(text);
}

static void change(void *user, uint8_t **ret, size_t *ret_size) {
        t.value++;
        _cleanup_free_ char *text = xasprintf("%d %s", t.value,
                        fcntl(t.open_fd, F_GETFD) < 0 ? "closed" : "open");
        answer(ret, ret_size, text);
}

static void give_nothing(void *user, uint8_t **ret, size_t *ret_size) {
}

static void die(void *user, uint8_t **ret, size_t *ret_size) {
        (void)raise(SIGKILL);
}

static void stay(void *user, uint8_t **ret, size_t *ret_size) {
        for (;;)
                (void)pause();
}

static void square(void *user, void *result) {
        t.value = 100;
        *(int *)result = *(int *)user * *(int *)user;
}

static void fork_again(void *user, uint8_t **ret, size_t *ret_size) {
        int n = 7, squared = 0;
        int r = clone_compute(square, &n, &squared, sizeof squared);

        _cleanup_free_ char *text = xasprintf("%d %d %d", r, squared, t.value);
        answer(ret, ret_size, text);
}

static void on_ended(int r, const uint8_t *data, size_t size, void *user) {
        t.ended = true;
        t.r = r;
        snprintf(t.text, sizeof t.text, "%.*s", (int)size, data ? (const char *)data : "");
}

static void run(void (*work)(void *, uint8_t **, size_t *), usec_t timeout, int r,
                const char *text) {
        const struct clone_request req = { work, on_ended, NULL, timeout };
        sd_event *event = NULL;
        struct clone *c = NULL;
        struct fail fail = { 0 };

        t.ended = false;
        t.value = 1;
        assert_true(sd_event_new(&event) >= 0);
        assert_int_equal(clone_start(event, &req, &c, &fail), 0);
        while (!t.ended)
                assert_true(sd_event_run(event, 10 * USEC_PER_SEC) > 0);
        assert_int_equal(t.r, r);
        assert_string_equal(t.text, text);
        assert_int_equal(t.value, 1);
        sd_event_unref(event);
}

static void the_copy_works_and_the_original_stays(void **state) {
        t.open_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        run(change, 10 * USEC_PER_SEC, 0, "2 closed");
        close(t.open_fd);
        run(fork_again, 10 * USEC_PER_SEC, 0, "0 49 1");
}

static void what_dies_or_says_nothing_is_an_error(void **state) {
        run(die, 10 * USEC_PER_SEC, -EIO, "");
        run(give_nothing, 10 * USEC_PER_SEC, -EIO, "");
}

static void time_ends_it(void **state) {
        run(stay, 50 * USEC_PER_MSEC, -ETIMEDOUT, "");
}

static void one_that_is_stopped_says_nothing(void **state) {
        const struct clone_request req = { stay, on_ended, NULL, 10 * USEC_PER_SEC };
        sd_event *event = NULL;
        struct clone *c = NULL;

        t.ended = false;
        assert_true(sd_event_new(&event) >= 0);
        assert_int_equal(clone_start(event, &req, &c, NULL), 0);
        assert_null(clone_stop(c));
        assert_int_equal(sd_event_run(event, 0), 0);
        assert_false(t.ended);
        assert_null(clone_stop(NULL));
        sd_event_unref(event);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_copy_works_and_the_original_stays),
                cmocka_unit_test(what_dies_or_says_nothing_is_an_error),
                cmocka_unit_test(time_ends_it),
                cmocka_unit_test(one_that_is_stopped_says_nothing),
        };
        sigset_t child;

        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child, NULL);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
