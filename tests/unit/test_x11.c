/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/x11.h"

static const uint8_t cookie[X11_COOKIE_SIZE] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16 };

static void a_setup_shows_its_cookie(void **state) {
        static const uint8_t heads[][X11_HEAD] = { { 'l', 0, 11 }, { 'B', 0, 0, 11 } };

        for (size_t i = 0; i < ELEMENTSOF(heads); i++) {
                uint8_t setup[X11_SETUP_MAX], bare[X11_HEAD], other[X11_COOKIE_SIZE];
                size_t size = x11_setup_with(heads[i], cookie, setup);

                assert_int_equal(size, X11_HEAD + 20 + X11_COOKIE_SIZE);
                for (size_t n = 0; n < size; n++)
                        assert_int_equal(x11_setup_size(setup, n), 0);
                assert_int_equal(x11_setup_size(setup, size), size);
                assert_int_equal(x11_setup_size(setup, size + 9), size);
                assert_true(x11_setup_shows(setup, cookie));
                memcpy(other, cookie, sizeof other);
                other[15]++;
                assert_false(x11_setup_shows(setup, other));
                x11_setup_bare(setup, bare);
                assert_memory_equal(bare, heads[i], X11_HEAD);
                assert_false(x11_setup_shows(bare, cookie));
        }
}

static void what_is_no_setup_is_refused(void **state) {
        uint8_t setup[X11_SETUP_MAX] = { 'G', 'E', 'T' }, answer[X11_SETUP_MAX];

        assert_int_equal(x11_setup_size(setup, 1), -EBADMSG);
        memset(setup, 0xff, sizeof setup);
        setup[0] = 'l';
        assert_int_equal(x11_setup_size(setup, sizeof setup), -EBADMSG); /* too long */
        setup[2] = 11;
        setup[3] = setup[4] = setup[5] = 0;
        assert_int_equal(x11_setup_refusal(setup, "no key", answer), 16);
        assert_memory_equal(answer, "\0\6\13\0\0\0\2\0no key\0\0", 16);
}

static void an_old_end_ends_no_newer_attach(void **state) {
        struct x11_end e = { 0 };

        x11_end_there(&e, 1);
        assert_false(e.gone);
        x11_end_there(&e, 2); /* overtakes the end of the first */
        assert_false(x11_end_gone(&e, 1));
        assert_false(e.gone);
        assert_true(x11_end_gone(&e, 2));
        assert_true(e.gone);
        x11_end_there(&e, 2); /* what it had said before */
        assert_true(e.gone);
        x11_end_there(&e, 3);
        assert_false(e.gone);
        assert_true(x11_end_gone(&e, 0)); /* of builds without numbers */
        assert_true(e.gone);
        x11_end_there(&e, 0);
        assert_false(e.gone);
}

static void displays_are_read(void **state) {
        static const struct {
                const char *text, *host;
                unsigned number;
        } rows[] = {
                { ":0", NULL, 0 },
                { ":10.0", NULL, 10 },
                { "unix:3", NULL, 3 },
                { "localhost:10.0", "localhost", 10 },
                { "[::1]:7", "::1", 7 },
                { "10.0.0.1:59535.12", "10.0.0.1", 59535 },
        };
        static const char *const wrong[] = { "", "foo", ":", ":x", "host:", ":1.x", ":1x",
                "host::0", ":59536", ":123456", "host:-1" };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *host = NULL;
                unsigned number;
                assert_int_equal(x11_display_parse(rows[i].text, &host, &number), 0);
                assert_int_equal(number, rows[i].number);
                if (rows[i].host)
                        assert_string_equal(host, rows[i].host);
                else
                        assert_null(host);
        }
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                char *host = NULL;
                unsigned number;
                assert_int_equal(x11_display_parse(wrong[i], &host, &number), -EINVAL);
        }
}

static void cookies_are_read_and_written(void **state) {
        uint8_t got[X11_COOKIE_SIZE];
        size_t size;
        _cleanup_free_ uint8_t *file = x11_authority(20, cookie, &size);

        assert_int_equal(size, 2 + 2 + 2 + 2 + 2 + strlen(X11_COOKIE) + 2 + X11_COOKIE_SIZE);
        assert_memory_equal(file, "\377\377\0\0\0\00220\0\022MIT-", 14);
        assert_true(x11_cookie_parse(
                        "a/unix:1  XDM-AUTHORIZATION-1  00\n"
                        "a/unix:1  MIT-MAGIC-COOKIE-1  0102030405060708090a0B0c0d0e0f10\n",
                        got));
        assert_memory_equal(got, cookie, sizeof got);
        assert_false(x11_cookie_parse("", got));
        assert_false(x11_cookie_parse("a/unix:1  MIT-MAGIC-COOKIE-1  0102\n", got));
        assert_false(x11_cookie_parse("a/unix:1  MIT-MAGIC-COOKIE-1", got));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_setup_shows_its_cookie),
                cmocka_unit_test(what_is_no_setup_is_refused),
                cmocka_unit_test(an_old_end_ends_no_newer_attach),
                cmocka_unit_test(displays_are_read),
                cmocka_unit_test(cookies_are_read_and_written),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
