/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/addresses.h"

#define MANY 1000

/* In n rows, and the same again when they are read. */
static void check(const char *const *hosts, const uint16_t *ports, size_t n,
                const char *const *rows, size_t n_rows) {
        size_t n_made;
        char **made = addresses_rows(hosts, ports, n, &n_made);
        _cleanup_(addresses_freep) struct addresses *a = addresses_parse((const char *const *)made,
                        n_made);

        assert_int_equal(n_made, n_rows);
        for (size_t i = 0; i < n_rows; i++)
                assert_string_equal(made[i], rows[i]);
        for (size_t i = 0; i < n && n_rows; i++) {
                _cleanup_free_ char *text = hosts[i] && ports[i]
                                                            ? xasprintf("%s:%u", hosts[i], ports[i])
                                                            : xstrdup("");
                assert_string_equal(addresses_get(a, i), text);
        }
        assert_string_equal(addresses_get(a, n), "");
        texts_free(made, n_made);
}

static void neighbours_share_a_row(void **state) {
        (void)state;
        check((const char *const[]){ "10.0.0.8", "10.0.0.9", "10.0.0.10" },
                        (const uint16_t[]){ 6818, 6818, 6818 }, 3,
                        (const char *const[]){ "10.0.0.[8-10]:6818" }, 1);
        check((const char *const[]){ "fe80::1", "fe80::2" }, (const uint16_t[]){ 7, 7 }, 2,
                        (const char *const[]){ "fe80::[1-2]:7" }, 1);
}

static void nodes_of_one_host_have_rows_of_their_own(void **state) {
        (void)state;
        check((const char *const[]){ "127.0.0.1", "127.0.0.1" }, (const uint16_t[]){ 1, 2 }, 2,
                        (const char *const[]){ "127.0.0.1:1", "127.0.0.1:2" }, 2);
        check((const char *const[]){ "a", "a" }, (const uint16_t[]){ 1, 1 }, 2,
                        (const char *const[]){ "a:1", "a:1" }, 2);
}

static void an_unknown_address_keeps_its_place(void **state) {
        (void)state;
        check((const char *const[]){ "n1", NULL, "n3", "n2" }, (const uint16_t[]){ 5, 5, 5, 5 }, 4,
                        (const char *const[]){ "n1:5", "", "n[3,2]:5" }, 3);
        check((const char *const[]){ "n1", "n2" }, (const uint16_t[]){ 0, 5 }, 2,
                        (const char *const[]){ "", "n2:5" }, 2);
        check((const char *const[]){ NULL, "n2" }, (const uint16_t[]){ 5, 0 }, 2, NULL, 0);
}

static void a_thousand_nodes_take_a_line(void **state) {
        const char *hosts[MANY];
        uint16_t ports[MANY];
        size_t n;

        (void)state;
        for (size_t i = 0; i < MANY; i++) {
                hosts[i] = xasprintf("10.0.%zu.%zu", i / 250, i % 250);
                ports[i] = 6818;
        }
        char **rows = addresses_rows(hosts, ports, MANY, &n);
        assert_int_equal(n, 1);
        assert_true(strlen(rows[0]) < 100);
        _cleanup_(addresses_freep) struct addresses *a = addresses_parse((const char *const *)rows,
                        n);
        for (size_t i = 0; i < MANY; i++) {
                _cleanup_free_ char *text = xasprintf("%s:6818", hosts[i]);
                assert_string_equal(addresses_get(a, i), text);
                free((char *)(uintptr_t)hosts[i]);
        }
        texts_free(rows, n);
}

static void what_cannot_be_read_is_unknown(void **state) {
        static const char *const rows[] = { "n1", "n1:", ":5", "n1:0", "n1:65536", "n[1-:5",
                "n[1-2]:5" };
        _cleanup_(addresses_freep) struct addresses *a = addresses_parse(rows, ELEMENTSOF(rows));

        (void)state;
        for (size_t i = 0; i < 6; i++)
                assert_string_equal(addresses_get(a, i), "");
        assert_string_equal(addresses_get(a, 6), "n1:5");
        assert_string_equal(addresses_get(a, 7), "n2:5");
}

static void an_address_is_split_at_its_last_colon(void **state) {
        _cleanup_free_ char *host = NULL;
        uint16_t port;

        (void)state;
        assert_int_equal(address_split("fe80::1:6818", &host, &port), 0);
        assert_string_equal(host, "fe80::1");
        assert_int_equal(port, 6818);
        assert_int_equal(address_split("fe80", &host, &port), -EINVAL);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(neighbours_share_a_row),
                cmocka_unit_test(nodes_of_one_host_have_rows_of_their_own),
                cmocka_unit_test(an_unknown_address_keeps_its_place),
                cmocka_unit_test(a_thousand_nodes_take_a_line),
                cmocka_unit_test(what_cannot_be_read_is_unknown),
                cmocka_unit_test(an_address_is_split_at_its_last_colon),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
