/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/loop/users.h"

#include <grp.h>
#include <pwd.h>

struct fixture {
        sd_event *event;
        struct users *users;
        unsigned news;
};

static void on_found(void *user) {
        struct fixture *f = user;

        f->news++;
}

static int set_up(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);

        *state = f;
        return sd_event_new(&f->event) < 0 || users_new(f->event, on_found, f, &f->users) < 0;
}

static int tear_down(void **state) {
        struct fixture *f = *state;

        users_free(f->users);
        sd_event_unref(f->event);
        free(f);
        return 0;
}

static const struct user *look_up(struct fixture *f, uid_t uid, gid_t gid, bool groups) {
        const struct user *user = users_get(f->users, uid, gid, groups);

        assert_null(user); /* the first one never waits */
        while (!(user = users_get(f->users, uid, gid, groups)))
                assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        return user;
}

static void a_user_is_found_once_and_kept(void **state) {
        struct fixture *f = *state;
        const struct group *gr = getgrgid(0);
        const struct user *user = look_up(f, 0, 0, false);

        assert_string_equal(user->name, "root");
        assert_string_equal(user->group, gr->gr_name);
        assert_int_equal(user->n_groups, 0);
        assert_int_equal(f->news, 1);
        assert_ptr_equal(users_get(f->users, 0, 0, false), user);
        assert_int_equal(f->news, 1);
        assert_string_equal(users_name(f->users, 0), "root");
        assert_null(users_name(f->users, 1));
}

static void groups_get_their_names(void **state) {
        struct fixture *f = *state;

        (void)look_up(f, 0, 0, false);
        const struct user *user = look_up(f, 0, 0, true);
        assert_true(user->n_groups >= 1);
        assert_string_equal(user->groups[0], getgrgid(0)->gr_name);
        assert_non_null(users_get(f->users, 0, 0, false)); /* more than was asked for is fine */
}

static void unknown_user_is_nobody(void **state) {
        struct fixture *f = *state;
        const struct user *user = look_up(f, 4294967000u, 4294967000u, true);

        assert_string_equal(user->name, "nobody");
        assert_string_equal(user->group, "nobody");
        assert_int_equal(user->n_groups, 0);
}

static void what_is_outdated_is_looked_up_again(void **state) {
        struct fixture *f = *state;

        (void)look_up(f, 0, 0, false);
        users_outdate(f->users);
        assert_string_equal(users_name(f->users, 0), "root"); /* a name stays good enough to show */
        (void)look_up(f, 0, 0, false);
        assert_int_equal(f->news, 2);
}

static void learned_names_are_only_for_show(void **state) {
        struct fixture *f = *state;

        users_learn(f->users, 0, "toor");
        assert_string_equal(users_name(f->users, 0), "toor");
        assert_string_equal(look_up(f, 0, 0, false)->name, "root");
}

static int find(struct fixture *f, const char *wanted, uid_t *uid, const char **name) {
        int r = users_find(f->users, wanted, uid, name);

        assert_int_equal(r, -EAGAIN); /* the first one never waits */
        while ((r = users_find(f->users, wanted, uid, name)) == -EAGAIN)
                assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        return r;
}

static void a_user_is_found_by_name_or_number(void **state) {
        struct fixture *f = *state;
        const struct passwd *daemon = getpwnam("daemon");
        _cleanup_free_ char *number = xasprintf("%u", (unsigned)daemon->pw_uid);
        const char *name;
        uid_t uid;

        assert_int_equal(find(f, "daemon", &uid, &name), 0);
        assert_int_equal(uid, daemon->pw_uid);
        assert_int_equal(find(f, number, &uid, &name), 0);
        assert_int_equal(uid, daemon->pw_uid);
        assert_string_equal(name, "daemon");
        assert_int_equal(find(f, "nobody-of-that-name", &uid, &name), -ENOENT);
        assert_int_equal(find(f, "4294967000", &uid, &name), -ENOENT);
        assert_int_equal(find(f, "", &uid, &name), -ENOENT);
        assert_int_equal(f->news, 5);
        assert_int_equal(users_find(f->users, "daemon", &uid, &name), 0);
        users_outdate(f->users);
        assert_int_equal(find(f, "daemon", &uid, &name), 0);
}

static void a_name_longer_than_any_is_not_looked_up(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *longest = xmalloc(257), *longer = xmalloc((4 << 20) + 1);
        const char *name;
        uid_t uid;

        memset(longest, 'x', 256);
        longest[256] = 0;
        memset(longer, 'x', 4 << 20);
        longer[4 << 20] = 0;
        assert_int_equal(users_find(f->users, longer, &uid, &name), -ENOENT);
        longer[257] = 0;
        assert_int_equal(users_find(f->users, longer, &uid, &name), -ENOENT);
        assert_int_equal(f->news, 0);
        assert_int_equal(find(f, longest, &uid, &name), -ENOENT);
        assert_int_equal(f->news, 1);
}

static void many_names_make_room_for_each_other(void **state) {
        struct fixture *f = *state;
        const char *name;
        uid_t uid;

        for (unsigned i = 0; i < 300; i++) {
                _cleanup_free_ char *wanted = xasprintf("no-%u", i);
                assert_int_equal(find(f, wanted, &uid, &name), -ENOENT);
        }
        assert_int_equal(find(f, "root", &uid, &name), 0);
}

/* What users_find() says of so many made-up names, or users_find_login(): how often r. */
static size_t ask_many(struct fixture *f, bool login, size_t n, int r) {
        const char *name;
        uid_t uid;
        gid_t gid;
        size_t said = 0;

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *wanted = xasprintf("no-%zu", i);
                said += r == (login ? users_find_login(f->users, wanted, &uid, &gid)
                                    : users_find(f->users, wanted, &uid, &name));
        }
        return said;
}

static void names_that_are_looked_up_keep_their_place(void **state) {
        struct fixture *f = *state;
        const char *name;
        uid_t uid;

        assert_int_equal(ask_many(f, false, 1000, -EAGAIN), 256);
        assert_int_equal(users_find(f->users, "root", &uid, &name), -EBUSY); /* at once */
        /* as requests that wait ask again after each answer: no name is looked up twice */
        while (ask_many(f, false, 256, -ENOENT) < 256)
                assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        assert_true(f->news <= 256);
        assert_int_equal(find(f, "root", &uid, &name), 0);
}

static void a_look_up_is_awaited_until_it_has_ended(void **state) {
        struct fixture *f = *state;
        const char *name;
        uid_t uid;

        assert_int_equal(users_find(f->users, "root", &uid, &name), -EAGAIN);
        uint64_t first = users_awaited(f->users);
        assert_true(first > 0 && users_await(f->users, first));
        assert_null(users_get(f->users, 0, 0, false));
        assert_true(users_awaited(f->users) != first);
        assert_int_equal(users_find(f->users, "root", &uid, &name), -EAGAIN);
        assert_int_equal(users_awaited(f->users), first); /* it is the same one */
        assert_int_equal(find(f, "root", &uid, &name), 0);
        assert_false(users_await(f->users, first));
        assert_false(users_await(f->users, 0));
}

static void logins_of_other_clusters_keep_nobody_out(void **state) {
        struct fixture *f = *state;
        const char *name;
        uid_t uid;
        gid_t gid;
        int r;

        assert_int_equal(ask_many(f, true, 1000, -EAGAIN), 64);
        assert_int_equal(ask_many(f, true, 1000, -EBUSY), 1000 - 64);
        assert_int_equal(find(f, "root", &uid, &name), 0);
        while ((r = users_find_login(f->users, "root", &uid, &gid)) == -EAGAIN || r == -EBUSY)
                assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        assert_int_equal(r, 0);
        assert_int_equal(gid, 0);
}

static int check(struct fixture *f, const char *list) {
        int r = users_check(f->users, list);

        assert_int_equal(r, -EAGAIN);
        while ((r = users_check(f->users, list)) == -EAGAIN)
                assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        return r;
}

static void a_list_may_have_any_number_of_users(void **state) {
        struct fixture *f = *state;
        char *list = xmalloc(1000 * 8), *at = list;

        for (int i = 0; i < 1000; i++) /* root, each time in other words */
                at += sprintf(at, "%s%0*d,", i % 2 ? "-" : "", 1 + i % 4, 0);
        assert_int_equal(check(f, list), 0);
        assert_int_equal(f->news, 1);
        strcpy(at - 1, ",no-such-user");
        assert_int_equal(check(f, list), -ENOENT);
        assert_int_equal(check(f, "root,,no-such-user,daemon"), -ENOENT);
        assert_int_equal(check(f, ",root,-daemon"), 0);
        assert_int_equal(users_check(f->users, ""), 0);
        assert_int_equal(users_check(f->users, ","), 0);
        memset(list, 'x', 257);
        strcpy(list + 257, ",root");
        assert_int_equal(check(f, list), -ENOENT);
        free(list);
}

static void many_users_make_room_for_each_other(void **state) {
        struct fixture *f = *state;

        for (unsigned i = 0; i < 5000; i++)
                users_learn(f->users, 1000000 + i, "x");
        assert_string_equal(look_up(f, 0, 0, false)->name, "root");
}

static void ending_does_not_wait_for_answers(void **state) {
        struct fixture *f = *state;

        for (unsigned i = 0; i < 100; i++)
                assert_null(users_get(f->users, 1000000 + i, 0, true));
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(a_user_is_found_once_and_kept, set_up, tear_down),
                cmocka_unit_test_setup_teardown(groups_get_their_names, set_up, tear_down),
                cmocka_unit_test_setup_teardown(unknown_user_is_nobody, set_up, tear_down),
                cmocka_unit_test_setup_teardown(what_is_outdated_is_looked_up_again, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(learned_names_are_only_for_show, set_up, tear_down),
                cmocka_unit_test_setup_teardown(a_user_is_found_by_name_or_number, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(a_name_longer_than_any_is_not_looked_up, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(many_names_make_room_for_each_other, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(names_that_are_looked_up_keep_their_place, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(a_look_up_is_awaited_until_it_has_ended, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(logins_of_other_clusters_keep_nobody_out, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(a_list_may_have_any_number_of_users, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(many_users_make_room_for_each_other, set_up,
                                tear_down),
                cmocka_unit_test_setup_teardown(ending_does_not_wait_for_answers, set_up,
                                tear_down),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
