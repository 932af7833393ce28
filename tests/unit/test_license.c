/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/cluster.h"
#include "controller/reservations/license.h"
#include "controller/sched/plan/leases.h"
#include "tests/unit/test.h"

#include <time.h>

static char *read_as(const char *text, bool may_any) {
        struct countlist *list = NULL;
        struct fail fail = { 0 };

        if (countlist_parse(text, may_any, &list, &fail) < 0) {
                assert_null(list);
                assert_true(*fail.text);
                return xstrdup("wrong");
        }
        char *again = countlist_text(list);
        countlist_free(list);
        return again;
}

static void lists_of_names_and_counts_are_read(void **state) {
        static const struct {
                const char *text, *any, *all;
        } cases[] = {
                { "a:2,b", "a:2,b:1", "a:2,b:1" },
                { "a=2;b=3", "a:2,b:3", "a:2,b:3" },
                { "a,a:2,b:0", "a:3", "a:3" },
                { "c,a,b:0,ab,a,b", "c:1,a:2,ab:1,b:1", "c:1,a:2,ab:1,b:1" },
                { "a:2|b", "a:2|b:1", "wrong" },
                { "a|b,c", "wrong", "wrong" },
                { "a|a", "wrong", "wrong" },
                { "a|b:0", "a:1", "wrong" },
                { "", "", "" },
                { "a:0", "", "" },
                { ":2", "wrong", "wrong" },
                { "a:", "wrong", "wrong" },
                { "a:-1", "wrong", "wrong" },
                { "a:x", "wrong", "wrong" },
                { "a,", "wrong", "wrong" },
                { ",a", "wrong", "wrong" },
                { "a(n1):2", "wrong", "wrong" },
                { "a@db:2", "wrong", "wrong" },
                { "a b", "wrong", "wrong" },
                { "a:9999999999", "wrong", "wrong" },
                { "a:2147483647,a", "wrong", "wrong" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *any = read_as(cases[i].text, true),
                                    *all = read_as(cases[i].text, false);
                assert_string_equal(any, cases[i].any);
                assert_string_equal(all, cases[i].all);
        }
}

static usec_t cpu_time(void) {
        struct timespec t;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return (usec_t)t.tv_sec * USEC_PER_SEC + (usec_t)t.tv_nsec / 1000;
}

/* What it takes to read a list of n names, twenty times. */
static usec_t time_of_names(int n) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        for (int i = 0; i < n; i++)
                fprintf(out, "%s%x", i ? "," : "", i + 4096);
        fclose(out);
        usec_t began = cpu_time();
        for (int i = 0; i < 20; i++) {
                struct countlist *list = NULL;
                assert_int_equal(countlist_parse(text, true, &list, NULL), 0);
                assert_int_equal(list->n, n);
                assert_string_equal(list->list[0].name, "1000");
                countlist_free(list);
        }
        free(text);
        return cpu_time() - began;
}

/* A request may have thousands; while they are read no other is heard. */
static void ten_times_the_names_take_about_ten_times_as_long(void **state) {
        usec_t few = time_of_names(900), many = time_of_names(9000);

        assert_in_range(many, 0, 40 * few);
}

/* ---- over time ---- */

static struct license configured[] = {
        { .name = (char *)(uintptr_t) "a", .total = 4, .used = 0, .reserved = 0 },
        { .name = (char *)(uintptr_t) "b", .total = 2, .used = 0, .reserved = 0 },
};

struct setup {
        struct cluster c;
        struct job running[3];
        struct job *active[3];
        struct leases *l;
        const struct job_plan *without;
};

static usec_t end_of(const struct job *j, usec_t now) {
        (void)now;
        return j->running.end_time;
}

static void begin(struct setup *s) {
        *s = (struct setup){
                .c.licenses = { configured, ELEMENTSOF(configured) },
                .c.active = s->active,
        };
        s->l = leases_new(&s->c);
}

static void add_running(struct setup *s, const char *held, usec_t until) {
        struct job *j = s->active[s->c.n_active] = &s->running[s->c.n_active];

        s->c.n_active++;
        j->running.end_time = until;
        assert_int_equal(countlist_parse(held, false, &j->placed.licenses_held, NULL), 0);
}

static void end(struct setup *s) {
        for (size_t i = 0; i < s->c.n_active; i++)
                countlist_free(s->running[i].placed.licenses_held);
        leases_free(s->l);
}

/* The earliest start, or 999; which of several in *choice. */
static usec_t fit(struct setup *s, const char *asked, usec_t from, usec_t duration, usec_t latest,
                uint32_t *choice) {
        const struct lease_time time = { from, duration, latest, s->without };
        _cleanup_(countlist_freep) struct countlist *list = NULL;
        usec_t start;

        assert_int_equal(countlist_parse(asked, true, &list, NULL), 0);
        return leases_fit(s->l, &s->c, list, NULL, &time, &start, choice) < 0 ? 999 : start;
}

static struct job_plan *plan(usec_t from, usec_t until, uint32_t which, uint32_t n) {
        struct job_plan *p = xcalloc(1, sizeof *p + sizeof p->ranges[0]);

        p->start = from;
        p->until = until;
        p->n_licenses = 1;
        p->ranges[0] = (struct node_range){ which, n };
        return p;
}

static void what_runs_and_what_is_planned_is_heeded(void **state) {
        struct setup s;
        uint32_t choice;
        usec_t until;

        begin(&s);
        add_running(&s, "a:3", 100);
        add_running(&s, "a:1,b:2", 50);
        /* nothing is free that was not */
        assert_false(leases_running(s.l, &s.c, end_of, 10, &until));
        assert_int_equal(fit(&s, "a", 10, 20, USEC_INFINITY, &choice), 50);
        assert_int_equal(fit(&s, "a:2", 10, 20, USEC_INFINITY, &choice), 100);
        assert_int_equal(fit(&s, "b,a:2", 10, 20, USEC_INFINITY, &choice), 100);
        assert_int_equal(fit(&s, "a:5", 10, 20, USEC_INFINITY, &choice), 999);
        assert_int_equal(fit(&s, "c", 10, 20, USEC_INFINITY, &choice), 999);
        assert_int_equal(fit(&s, "a:2", 10, 20, 99, &choice), 999);
        assert_int_equal(fit(&s, "a:2|b:2", 10, 20, USEC_INFINITY, &choice), 50);
        assert_int_equal(choice, 1);

        _cleanup_free_ struct job_plan *p = plan(100, 200, 0, 4), *q = plan(60, 80, 0, 1);
        leases_take(s.l, p);
        assert_int_equal(fit(&s, "a", 10, 50, USEC_INFINITY, &choice), 50); /* just before it */
        assert_int_equal(fit(&s, "a", 10, 51, USEC_INFINITY, &choice), 200);
        leases_take(s.l, q);
        assert_int_equal(fit(&s, "a", 10, 11, USEC_INFINITY, &choice), 80);
        assert_int_equal(fit(&s, "a", 10, 10, USEC_INFINITY, &choice), 50);
        assert_false(leases_overdrawn(s.l, p));
        leases_give(s.l, p);
        leases_give(s.l, q);
        assert_int_equal(fit(&s, "a", 10, 1000, USEC_INFINITY, &choice), 50);
        assert_true(leases_steps(s.l) > 0);
        assert_int_equal(leases_steps(s.l), 0);
        end(&s);
}

/* To ask what would be without a plan changes none, also where it ends as another one begins. */
static void a_plan_is_not_in_its_own_way(void **state) {
        _cleanup_free_ struct job_plan *p = plan(100, 200, 0, 3), *q = plan(200, 300, 0, 3);
        struct setup s;
        uint32_t choice;

        begin(&s);
        leases_take(s.l, p);
        leases_take(s.l, q);
        for (int i = 0; i < 2; i++) {
                s.without = NULL;
                assert_int_equal(fit(&s, "a:2", 10, 91, USEC_INFINITY, &choice), 300);
                s.without = p;
                assert_int_equal(fit(&s, "a:2", 10, 190, USEC_INFINITY, &choice), 10);
                assert_int_equal(fit(&s, "a:2", 10, 191, USEC_INFINITY, &choice), 300);
                assert_int_equal(fit(&s, "a:2", 150, 50, USEC_INFINITY, &choice), 150);
                s.without = q;
                assert_int_equal(fit(&s, "a:2", 110, 1000, USEC_INFINITY, &choice), 200);
                assert_int_equal(fit(&s, "a:5", 110, 10, USEC_INFINITY, &choice), 999);
        }
        end(&s);
}

static void early_and_late_ends_are_noticed(void **state) {
        _cleanup_free_ struct job_plan *p = plan(100, 200, 0, 2);
        struct setup s;
        usec_t until;

        begin(&s);
        add_running(&s, "a:3", 100);
        assert_false(leases_running(s.l, &s.c, end_of, 10, &until));
        leases_take(s.l, p);
        assert_false(leases_overdrawn(s.l, p));
        s.running[0].running.end_time = 150;
        assert_false(leases_running(s.l, &s.c, end_of, 20, &until)); /* longer */
        assert_true(leases_overdrawn(s.l, p));
        s.running[0].running.end_time = 120;
        assert_true(leases_running(s.l, &s.c, end_of, 20, &until));
        assert_int_equal(until, 150);
        s.c.n_active = 0;
        assert_true(leases_running(s.l, &s.c, end_of, 20, &until));
        assert_int_equal(until, 120);
        s.c.n_active = 1;
        end(&s);
}

/* The function of time against counting, at random. */
static void every_answer_is_the_earliest(void **state) {
        uint32_t used[1024] = { 0 }, x = 1;
        struct job_plan *plans[40];
        struct setup s;

        begin(&s);
#define ROLL(n) ((x = x * 1664525u + 1013904223u) >> 16) % (n)
        for (size_t i = 0; i < ELEMENTSOF(plans); i++) {
                uint32_t n = 1 + ROLL(3), choice;
                usec_t from = ROLL(40), duration = 1 + ROLL(15), start = from;
                char asked[8];

                for (usec_t t = start; t < ELEMENTSOF(used) && t < start + duration; t++)
                        if (used[t] + n > 4)
                                start = t + 1;
                snprintf(asked, sizeof asked, "a:%u", n);
                assert_int_equal(fit(&s, asked, from, duration, USEC_INFINITY, &choice), start);
                plans[i] = plan(start, start + duration, 0, n);
                leases_take(s.l, plans[i]);
                for (usec_t t = start; t < ELEMENTSOF(used) && t < start + duration; t++)
                        used[t] += n;
                if (i % 3 == 2) { /* one goes again */
                        leases_give(s.l, plans[i - 1]);
                        for (usec_t t = plans[i - 1]->start;
                                        t < ELEMENTSOF(used) && t < plans[i - 1]->until; t++)
                                used[t] -= plans[i - 1]->ranges[0].n;
                }
        }
        for (size_t i = 0; i < ELEMENTSOF(plans); i++)
                free(plans[i]);
        end(&s);
}

/* ---- holders in the way ---- */

static void license_holders_are_found(void **state) {
        struct license list[] = {
                { .name = (char *)(uintptr_t) "a", .total = 4, .used = 4, .reserved = 0 },
                { .name = (char *)(uintptr_t) "b", .total = 2, .used = 1, .reserved = 0 },
        };
        struct job **holders;
        struct setup s;
        struct job j = { 0 };

        begin(&s);
        s.c.licenses = (struct licenses){ list, ELEMENTSOF(list) };
        add_running(&s, "a:1", 0);
        add_running(&s, "b:1", 0);
        add_running(&s, "a:3", 0);
        s.running[0].running.start_time = 20;
        s.running[2].running.start_time = 10;
        assert_int_equal(countlist_parse("a:2,b", true, &j.needs.licenses, NULL), 0);
        assert_int_equal(licenses_holders(&s.c, &j, 0, &holders), 2);
        assert_ptr_equal(holders[0], &s.running[2]);
        assert_ptr_equal(holders[1], &s.running[0]);
        free(holders);
        j.needs.licenses = countlist_free(j.needs.licenses);
        assert_int_equal(countlist_parse("a:2|b:2", true, &j.needs.licenses, NULL), 0);
        assert_int_equal(licenses_holders(&s.c, &j, 0, &holders), 0); /* none by force */
        assert_null(holders);
        j.needs.licenses = countlist_free(j.needs.licenses);
        assert_int_equal(countlist_parse("a:5", true, &j.needs.licenses, NULL), 0);
        assert_int_equal(licenses_holders(&s.c, &j, 0, &holders), 0); /* in vain */
        countlist_free(j.needs.licenses);
        end(&s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(lists_of_names_and_counts_are_read),
                cmocka_unit_test(ten_times_the_names_take_about_ten_times_as_long),
                cmocka_unit_test(what_runs_and_what_is_planned_is_heeded),
                cmocka_unit_test(a_plan_is_not_in_its_own_way),
                cmocka_unit_test(early_and_late_ends_are_noticed),
                cmocka_unit_test(every_answer_is_the_earliest),
                cmocka_unit_test(license_holders_are_found),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
