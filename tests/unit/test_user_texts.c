/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/job.h"
#include "controller/model/user_texts.h"
#include "tests/unit/test.h"

static void each_user_is_counted_by_itself(void **state) {
        struct user_texts *t = user_texts_new();
        struct job jobs[3] = { { .uid = 7 }, { .uid = 5 }, { .uid = 7 } };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(jobs); i++) {
                jobs[i].asked.tres_bind = xstrdup("12345");
                user_texts_add(t, &jobs[i]);
        }
        assert_true(user_texts_have_room(t, 7, USER_TEXTS_MAX - 10));
        assert_false(user_texts_have_room(t, 7, USER_TEXTS_MAX - 9));
        assert_false(user_texts_have_room(t, 5, USER_TEXTS_MAX - 4));
        assert_true(user_texts_have_room(t, 0, USER_TEXTS_MAX + 1));
        free_and_strdup(&jobs[0].asked.tres_bind, "1234567"); /* what was counted leaves */
        user_texts_remove(t, &jobs[0]);
        assert_true(user_texts_have_room(t, 7, USER_TEXTS_MAX - 5));
        assert_false(user_texts_have_room(t, 7, USER_TEXTS_MAX - 4));
        user_texts_add(t, &jobs[0]);
        assert_false(user_texts_have_room(t, 7, USER_TEXTS_MAX - 11));
        for (size_t i = 0; i < ELEMENTSOF(jobs); i++) {
                user_texts_remove(t, &jobs[i]);
                free(jobs[i].asked.tres_bind);
        }
        assert_true(user_texts_have_room(t, 7, USER_TEXTS_MAX));
        user_texts_free(t);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(each_user_is_counted_by_itself),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
