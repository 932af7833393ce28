/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/mailtype.h"
#include "tests/unit/test.h"

static void addresses_are_names_with_or_without_a_domain(void **state) {
        static const char *const good[] = { "", "me", "me@example.org", "a.b+tag=x-1_2@m-x.example",
                "_me", "0@1", "a,b@c,d" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(good); i++)
                assert_null(mail_user_fault(good[i]));
}

/* What programs of the name mail take for an option, a file, a folder or a command, and what RFC
   5321 has besides. */
static void all_else_is_refused(void **state) {
        static const char *const bad[] = { "-oX", "/tmp/file", "|id >file", "+folder", "=box", ".a",
                "a b", "a;b", "a@", "@b", "a@b@c", "a@-b", "a@/b", ",", "a,", ",a", "a,,b", "a,-b",
                "a,|b", "a, b", "\"a b\"@c", "a\\b", "a%b", "~a", "a\nb", "a@[127.0.0.1]", "a!b",
                "<a@b>", "\xc3\xa4@b", "$(id)", "`id`", "a/../b" };
        char *longest = xasprintf("%01024d", 0), *longer = xasprintf("%01025d", 0);

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                if (!mail_user_fault(bad[i]))
                        fail_msg("%s is taken", bad[i]);
        assert_null(mail_user_fault(longest));
        assert_non_null(mail_user_fault(longer));
        free(longest);
        free(longer);
}

static void a_domain_is_for_users_without_an_address(void **state) {
        char *with = mail_user_default("me", "example.org"),
             *without = mail_user_default("me", NULL);

        (void)state;
        assert_string_equal(with, "me@example.org");
        assert_string_equal(without, "me");
        assert_true(mail_is_domain("example.org"));
        assert_false(mail_is_domain("a,b"));
        assert_false(mail_is_domain("-x"));
        free(with);
        free(without);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(addresses_are_names_with_or_without_a_domain),
                cmocka_unit_test(all_else_is_refused),
                cmocka_unit_test(a_domain_is_for_users_without_an_address),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
