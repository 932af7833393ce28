/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/hostlist.h"

static const struct {
        const char *text, *expanded, *compressed;
} lists[] = {
        { "", "", "" },
        { "a", "a", "a" },
        { "n[1-3,7]", "n1 n2 n3 n7", "n[1-3,7]" },
        { "n[008-010]", "n008 n009 n010", "n[008-010]" },
        { "n[08-10]", "n08 n09 n10", "n[08-10]" },
        { "n[9-10]", "n9 n10", "n[9-10]" },
        { "n[1]", "n1", "n1" },
        { "n1,n02,n3", "n1 n02 n3", "n[1,02,3]" },
        { "n8,n09,n10", "n8 n09 n10", "n[8,09-10]" },
        { "n099,n100,n0101", "n099 n100 n0101", "n[099-100,0101]" },
        { "r[1-2]n[01-02]", "r1n01 r1n02 r2n01 r2n02", "r1n[01-02],r2n[01-02]" },
        { "a[1-2]b[1-2]c[1-2]", "a1b1c1 a1b1c2 a2b1c1 a2b1c2 a1b2c1 a1b2c2 a2b2c1 a2b2c2",
                        "a1b1c[1-2],a2b1c[1-2],a1b2c[1-2],a2b2c[1-2]" },
        { "[1-2][3-4][5-6]-x", "135-x 136-x 235-x 236-x 145-x 146-x 245-x 246-x",
                        "135-x,136-x,235-x,236-x,145-x,146-x,245-x,246-x" },
        { "a[1-2]b[3-4]c[5-6]d[7,9]e[8]",
                        "a1b3c5d7e8 a2b3c5d7e8 a1b4c5d7e8 a2b4c5d7e8 a1b3c6d7e8 a2b3c6d7e8 a1b4c6d7e8 a2b4c6d7e8 "
                        "a1b3c5d9e8 a2b3c5d9e8 a1b4c5d9e8 a2b4c5d9e8 a1b3c6d9e8 a2b3c6d9e8 a1b4c6d9e8 a2b4c6d9e8",
                        "a1b3c5d7e8,a2b3c5d7e8,a1b4c5d7e8,a2b4c5d7e8,a1b3c6d7e8,a2b3c6d7e8,a1b4c6d7e8,a2b4c6d7e8,"
                        "a1b3c5d9e8,a2b3c5d9e8,a1b4c5d9e8,a2b4c5d9e8,a1b3c6d9e8,a2b3c6d9e8,a1b4c6d9e8,a2b4c6d9e8" },
        { "a[1-2]-ib", "a1-ib a2-ib", "a1-ib,a2-ib" },
        { "[1-3]", "1 2 3", "[1-3]" },
        { "a[1,3]b[5-6]c", "a1b5c a1b6c a3b5c a3b6c", "a1b5c,a1b6c,a3b5c,a3b6c" },
        { "x,n3,n1,n2,y", "x n3 n1 n2 y", "x,n[3,1-2],y" },
        { "n1,n1,n[1-2],n2", "n1 n2", "n[1-2]" },
        { " a ,\tb,,c\n", "a b c", "a,b,c" },
        { "n1.example.org", "n1.example.org", "n1.example.org" },
        { "n1234567890123456789", "n1234567890123456789", "n1234567890123456789" },
        { "n0,n00", "n0 n00", "n[0,00]" },
};

static void lists_expand_and_compress(void **state) {
        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(lists); i++) {
                _cleanup_(hostlist_freep) struct hostlist *hl = NULL, *again = NULL;
                char words[512] = "";

                assert_int_equal(hostlist_parse(lists[i].text, &hl, NULL), 0);
                for (size_t k = 0; k < hostlist_count(hl); k++) {
                        strcat(words, k ? " " : "");
                        strcat(words, hostlist_get(hl, k));
                }
                assert_string_equal(words, lists[i].expanded);
                _cleanup_free_ char *text = hostlist_text(hl);
                assert_string_equal(text, lists[i].compressed);
                assert_int_equal(hostlist_parse(text, &again, NULL), 0);
                assert_int_equal(hostlist_count(again), hostlist_count(hl));
                for (size_t k = 0; k < hostlist_count(hl); k++)
                        assert_string_equal(hostlist_get(hl, k), hostlist_get(again, k));
        }
}

static void malformed_lists_are_refused_with_a_reason(void **state) {
        static const struct {
                const char *text, *reason;
        } bad[] = {
                { "n[1", "not closed" },
                { "n[1-", "missing" },
                { "n[]", "missing" },
                { "n[1-2", "not closed" },
                { "n]", "not allowed" },
                { "n[a-b]", "missing" },
                { "n[1-2-3]", "only numbers" },
                { "n[3-1]", "ends before" },
                { "n[1,]", "missing" },
                { "n[[1]]", "missing" },
                { "a/b", "not allowed" },
                { "a;b", "not allowed" },
                { "n\x01", "not allowed" },
                { "n[1234567890123456789]", "digits" },
                { "a[0-999999999]", "more than 131072" },
                { "a[0-131072]", "more than 131072" },
                { "a[0-999][0-999]", "more than 131072" },
                { "a[0-99999],b[0-99999]", "more than 131072" },
                { "a[0-999999999999999999][0-999999999999999999]", "more than 131072" },
                { "a[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]", "more than 16 brackets" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct hostlist *hl = NULL;
                struct fail fail = { 0 };

                assert_true(hostlist_parse(bad[i].text, &hl, &fail) < 0);
                assert_null(hl);
                if (!strstr(fail.text, bad[i].reason))
                        fail_msg("%s: %s", bad[i].text, fail.text);
        }
}

static void a_name_too_long_is_refused(void **state) {
        char text[HOSTLIST_NAME_MAX + 2];
        struct hostlist *hl = NULL;

        (void)state;
        memset(text, 'a', sizeof text);
        text[HOSTLIST_NAME_MAX + 1] = 0;
        assert_int_equal(hostlist_parse(text, &hl, NULL), -ENAMETOOLONG);
        memcpy(text + HOSTLIST_NAME_MAX - 4, "[10]", 5);
        assert_int_equal(hostlist_parse(text, &hl, NULL), 0);
        hl = hostlist_free(hl);
        text[HOSTLIST_NAME_MAX] = 0;
        memset(text, 'a', HOSTLIST_NAME_MAX);
        assert_int_equal(hostlist_parse(text, &hl, NULL), 0);
        assert_int_equal(strlen(hostlist_get(hl, 0)), HOSTLIST_NAME_MAX);
        hostlist_free(hl);
}

static void sorting_goes_by_prefix_number_width(void **state) {
        static const char *const names[] = { "n10", "n2", "m", "n", "n02", "m7", "n1", "login" };
        _cleanup_(hostlist_freep) struct hostlist *hl = hostlist_new();

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                hostlist_push(hl, names[i]);
        hostlist_sort(hl);
        _cleanup_free_ char *text = hostlist_text(hl);
        assert_string_equal(text, "login,m,m7,n,n[1-2,02,10]");
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                assert_true(hostlist_has(hl, names[i]));
        assert_false(hostlist_has(hl, "n3"));
        assert_false(hostlist_has(hl, ""));
        hostlist_push(hl, "n10");
        assert_int_equal(hostlist_count(hl), ELEMENTSOF(names));
}

static void arrays_of_names_are_compressed(void **state) {
        static const char *const names[] = { "n1", "n2", "n4" };
        _cleanup_free_ char *text = hostlist_compress(names, 3), *none = hostlist_compress(NULL, 0);

        (void)state;
        assert_string_equal(text, "n[1-2,4]");
        assert_string_equal(none, "");
}

static void the_largest_list_survives_the_round_trip(void **state) {
        _cleanup_(hostlist_freep) struct hostlist *hl = NULL;

        (void)state;
        assert_int_equal(hostlist_parse("node[000001-131072]", &hl, NULL), 0);
        assert_int_equal(hostlist_count(hl), HOSTLIST_MAX);
        assert_string_equal(hostlist_get(hl, HOSTLIST_MAX - 1), "node131072");
        assert_true(hostlist_has(hl, "node065536"));
        hostlist_sort(hl);
        _cleanup_free_ char *text = hostlist_text(hl);
        assert_string_equal(text, "node[000001-131072]");
}

static void repeated_names_stay_where_they_are_asked_for(void **state) {
        _cleanup_(hostlist_freep) struct hostlist *once = NULL, *all = NULL;

        (void)state;
        assert_int_equal(hostlist_parse("n[3,1-2],n1,n1", &once, NULL), 0);
        assert_int_equal(hostlist_count(once), 3);
        assert_int_equal(hostlist_parse_repeats("n[3,1-2],n1,n1", &all, NULL), 0);
        assert_int_equal(hostlist_count(all), 5);
        assert_string_equal(hostlist_get(all, 4), "n1");
        assert_int_equal(hostlist_index(all, "n1"), 1);
        _cleanup_free_ char *text = hostlist_text(all);
        assert_string_equal(text, "n[3,1-2,1,1]");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(lists_expand_and_compress),
                cmocka_unit_test(malformed_lists_are_refused_with_a_reason),
                cmocka_unit_test(a_name_too_long_is_refused),
                cmocka_unit_test(sorting_goes_by_prefix_number_width),
                cmocka_unit_test(arrays_of_names_are_compressed),
                cmocka_unit_test(repeated_names_stay_where_they_are_asked_for),
                cmocka_unit_test(the_largest_list_survives_the_round_trip),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
