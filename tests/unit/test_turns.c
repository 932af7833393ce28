/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/submit/turns.h"

struct request {
        struct turn turn;
        unsigned number;
};

static struct request *add(struct turns *t, uid_t uid, size_t size) {
        static unsigned number;
        struct request *r = xnew0(struct request, 1);

        r->turn = (struct turn){ .uid = uid, .size = size };
        r->number = ++number;
        if (turns_add(t, &r->turn))
                return r;
        free(r);
        return NULL;
}

static uid_t take(struct turns *t) {
        struct request *r = (struct request *)turns_take(t);
        uid_t uid = r ? r->turn.uid : 0;

        free(r);
        return uid;
}

static void users_take_turns(void **state) {
        struct turns *t = turns_new(1000, 1000);
        size_t others;

        for (int i = 0; i < 100; i++)
                assert_non_null(add(t, 1, 1));
        assert_int_equal(take(t), 1);
        struct request *two = add(t, 2, 1), *second = add(t, 2, 1), *three = add(t, 3, 1);
        assert_int_equal(turns_before(t, &two->turn, &others), 0);
        assert_int_equal(others, 2);
        assert_int_equal(turns_before(t, &second->turn, &others), 1);
        assert_int_equal(turns_before(t, &three->turn, &others), 0);
        static const uid_t expected[] = { 1, 2, 3, 1, 2, 1, 1 };
        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                assert_int_equal(take(t), expected[i]);
        assert_non_null(add(t, 2, 1)); /* it comes again, and waits for one of the other */
        assert_int_equal(take(t), 1);
        assert_int_equal(take(t), 2);
        for (int i = 0; i < 94; i++)
                assert_int_equal(take(t), 1);
        assert_null(turns_take(t));
        turns_free(t);
}

static void one_user_leaves_room_for_others(void **state) {
        struct turns *t = turns_new(100, 10000);
        int n = 0;

        while (add(t, 1, 1))
                n++;
        assert_int_equal(n, 50);
        for (n = 0; add(t, 2, 1);)
                n++;
        assert_int_equal(n, 25);
        assert_non_null(add(t, 3, 1));
        assert_null(add(t, 1, 1));
        while (take(t))
                ;
        turns_free(t);
}

static void bytes_count_too(void **state) {
        struct turns *t = turns_new(100, 1000);

        assert_null(add(t, 1, 1001));
        assert_non_null(add(t, 1, 900)); /* the only one of its user */
        assert_null(add(t, 1, 1));
        assert_non_null(add(t, 2, 50));
        assert_null(add(t, 2, 10));
        assert_non_null(add(t, 3, 50));
        while (take(t))
                ;
        assert_non_null(add(t, 1, 400));
        assert_non_null(add(t, 1, 100));
        assert_null(add(t, 1, 1));
        while (take(t))
                ;
        turns_free(t);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(users_take_turns),
                cmocka_unit_test(one_user_leaves_room_for_others),
                cmocka_unit_test(bytes_count_too),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
