/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/assoc.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/usage.h"
#include "controller/indexes/rank.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include <time.h>

#define HOUR  (3600 * USEC_PER_SEC)
#define START (UINT64_C(1790000000) * USEC_PER_SEC) /* 2026-09-21T14:13:20Z */
#define CONF                                                                                                          \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n[1-4] CPUs=4 RealMemory=1000\n" \
        "PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE\nPriorityType=priority/multifactor\n"                 \
        "PriorityWeightFairShare=1000\nPriorityDecayHalfLife=1-0\n"

static struct cluster *make(const char *more) {
        _cleanup_free_ char *text = xasprintf("%s%s", CONF, more);

        return cluster_of(text, START);
}

static struct assoc *grow(struct cluster *c, struct assoc *parent, const char *account,
                const char *user, uint32_t shares, double usage) {
        struct acct *a = &c->acct;

        if (!user)
                account_add(a, account);
        else if (!acct_user_find(a, user))
                acct_user_add(a, user);
        struct assoc *s = assoc_add(a, a->next_id, parent, account, user, NULL);
        s->shares = shares;
        for (struct assoc *p = s; usage > 0 && p; p = p->parent)
                p->usage_raw += usage;
        return s;
}

static void assert_share(const struct assoc *s, size_t rank, size_t users) {
        if (s->fairshare < (double)rank / (double)users - 1e-9 ||
                        s->fairshare > (double)rank / (double)users + 1e-9)
                fail_msg("%s/%s: %f is not %zu/%zu", s->account, s->user, s->fairshare, rank,
                                users);
}

/* physics has used more than its half, bio less: so all of bio come first, whatever they have used
   themselves. */
static void an_account_that_used_little_comes_before_the_users_of_one_that_used_much(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        struct assoc *physics = grow(c, a->root, "physics", NULL, 1, 0),
                     *bio = grow(c, a->root, "bio", NULL, 1, 0);
        struct assoc *ann = grow(c, physics, "physics", "ann", 1, 10),
                     *ben = grow(c, physics, "physics", "ben", 1, 60);
        struct assoc *cat = grow(c, bio, "bio", "cat", 1, 20),
                     *dan = grow(c, bio, "bio", "dan", 3, 10);
        fairshare_review(a, &c->config->priority);
        assert_share(assoc_find(a, "root", "root", NULL), 5, 5); /* has used nothing */
        assert_share(dan, 4, 5);
        assert_share(cat, 3, 5);
        assert_share(ann, 2, 5);
        assert_share(ben, 1, 5);
}

static void equals_share_a_rank_and_equal_accounts_are_merged(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        struct assoc *x = grow(c, a->root, "x", NULL, 1, 0), *y = grow(c, a->root, "y", NULL, 1, 0);
        struct assoc *x1 = grow(c, x, "x", "x1", 1, 10), *x2 = grow(c, x, "x", "x2", 1, 30);
        struct assoc *y1 = grow(c, y, "y", "y1", 1, 20), *y2 = grow(c, y, "y", "y2", 1, 20);
        fairshare_review(a, &c->config->priority);
        assert_share(x1, 4, 5); /* root has 5 */
        assert_share(y1, 3, 5);
        assert_share(y2, 3, 5);
        assert_share(x2, 1, 5);
}

/* fairshare=parent: as if its users stood one level higher. */
static void a_parents_share(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct acct *a = &c->acct;

        struct assoc *x = grow(c, a->root, "x", NULL, 1, 0),
                     *y = grow(c, x, "y", NULL, SHARES_PARENT, 0);
        struct assoc *x1 = grow(c, x, "x", "x1", 1, 30), *y1 = grow(c, y, "y", "y1", 1, 10);
        fairshare_review(a, &c->config->priority);
        assert_true(x1->fairshare > 0 && y1->fairshare > 0 && y1->fairshare != x1->fairshare);
        struct assoc *u = grow(c, x, "x", "u", SHARES_PARENT, 0),
                     *w = grow(c, x, "x", "w", SHARES_PARENT, 0);
        fairshare_review(a, &c->config->priority);
        assert_true(u->fairshare == w->fairshare && u->fairshare > 0);
}

static struct job *submit(struct cluster *c, const char *user, uint32_t nodes, usec_t now) {
        const struct submitter submitter = {
                .uid = 1000,
                .gid = 1000,
                .user = user,
                .group = user,
        };
        struct job_spec spec = { .min_nodes = nodes, .account = (char *)"x", .share = SHARE_NO };
        struct fail fail = { 0 };
        struct job *j;

        assert_int_equal(job_admit(c, &spec, &submitter, now, &j, &fail), SLUMBER_OK);
        return j;
}

static void what_runs_is_charged_and_old_usage_decays(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct assoc *x = grow(c, c->acct.root, "x", NULL, 1, 0),
                     *ann = grow(c, x, "x", "ann", 1, 0), *ben = grow(c, x, "x", "ben", 1, 0);

        acct_bind_all(c);
        struct job *j = submit(c, "ann", 2, START);
        j->state = JOB_RUNNING; /* 2 nodes of 4 CPUs, since START */
        j->running.start_time = j->running.resumed_at = START;
        j->placed.num_cpus = 8;
        usage_charge(c, j, START + HOUR);
        usage_charge(c, j, START + HOUR); /* not twice */
        assert_true(ann->usage_raw == 8 * 3600 && x->usage_raw == 8 * 3600 &&
                        c->acct.root->usage_raw == 8 * 3600);
        assert_true(j->accounting.qos->usage_raw == 8 * 3600);
        usage_charge(c, j, START + 2 * HOUR);
        /* it turns out that it had ended: the rest is given back */
        usage_charge(c, j, START + HOUR);
        assert_true(ann->usage_raw == 8 * 3600 && j->accounting.qos->usage_raw == 8 * 3600 &&
                        j->accounting.qos->usage.wall == 3600);
        c->usage_at = START + HOUR;
        usage_review(c, START + 25 * HOUR); /* half of it a day later */
        assert_true(ann->usage_raw > 4 * 3600 - 1 && ann->usage_raw < 4 * 3600 + 1);
        assert_true(ben->fairshare > ann->fairshare);
        assert_int_equal(c->usage_at, START + 25 * HOUR);
        assert_true(c->dirty_usage);
        j->state = JOB_PENDING;
}

/* The state has the usage as of usage_at; the rest is known from the jobs. */
static void a_restart_neither_loses_nor_charges_twice(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make("");
        struct assoc *x = grow(c, c->acct.root, "x", NULL, 1, 0),
                     *ann = grow(c, x, "x", "ann", 1, 1000);

        acct_bind_all(c);
        struct job *runs = submit(c, "ann", 1, START), *over = submit(c, "ann", 1, START);
        runs->state = JOB_RUNNING;
        runs->running.start_time = runs->running.resumed_at = over->running.start_time =
                        over->running.resumed_at = START;
        runs->placed.num_cpus = over->placed.num_cpus = 4;
        over->state = JOB_COMPLETED;
        over->running.end_time = START + 600 * USEC_PER_SEC;
        c->usage_at = START + 500 * USEC_PER_SEC;
        usage_restore(c, START + 700 * USEC_PER_SEC);
        assert_true(ann->usage_raw == 1000 + 4 * 200 + 4 * 100);
        runs->state = over->state = JOB_PENDING;
}

static void set_zone(const char *zone) {
        setenv("TZ", zone, 1);
        tzset();
}

static bool is_reset(const char *period, usec_t from, usec_t later) {
        _cleanup_free_ char *more = xasprintf(
                        "PriorityUsageResetPeriod=%s\nPriorityDecayHalfLife=0\n", period);
        _cleanup_(cluster_freep) struct cluster *c = make(more);
        struct assoc *x = grow(c, c->acct.root, "x", NULL, 1, 1000);

        c->usage_at = from;
        usage_review(c, from + later);
        return x->usage_raw == 0;
}

static void usage_begins_anew_in_a_new_period(void **state) {
        const struct {
                const char *period;
                usec_t later;
                bool reset;
        } cases[] = {
                { "NONE", 10000 * HOUR, false },
                { "DAILY", 9 * HOUR, false },
                { "DAILY", 10 * HOUR, true },
                /* that 21st is a Monday */
                { "WEEKLY", 24 * 5 * HOUR, false },
                { "WEEKLY", 24 * 6 * HOUR, true },
                /* October 1st */
                { "MONTHLY", 24 * 9 * HOUR, false },
                { "MONTHLY", 24 * 10 * HOUR, true },
                { "QUARTERLY", 24 * 9 * HOUR, false },
                { "QUARTERLY", 24 * 10 * HOUR, true },
                { "YEARLY", 24 * 101 * HOUR, false },
                { "YEARLY", 24 * 102 * HOUR, true },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                if (is_reset(cases[i].period, START, cases[i].later) != cases[i].reset)
                        fail_msg("%s after %u h", cases[i].period,
                                        (unsigned)(cases[i].later / HOUR));
        }
}

/* New York is four hours behind UTC then, five from November on; START is 10:13 there. */
static void a_period_begins_at_midnight_by_the_local_clock(void **state) {
        static const char *const periods[] = {
                "DAILY",
                "WEEKLY",
                "MONTHLY",
                "QUARTERLY",
                "YEARLY",
        };
        static const usec_t days[] = { 1, 6, 10, 10, 102 };

        set_zone("EST5EDT,M3.2.0,M11.1.0");
        for (size_t i = 0; i < ELEMENTSOF(periods); i++) {
                usec_t midnight = START - START % (24 * HOUR) + days[i] * 24 * HOUR +
                                  (days[i] > 100 ? 5 : 4) * HOUR;
                if (is_reset(periods[i], START, midnight - START - 1) ||
                                !is_reset(periods[i], START, midnight - START))
                        fail_msg("%s", periods[i]);
                if (is_reset(periods[i], midnight, HOUR) || !is_reset(periods[i], midnight - 1, 1))
                        fail_msg("%s from its midnight on", periods[i]);
        }
        set_zone("UTC");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(
                                an_account_that_used_little_comes_before_the_users_of_one_that_used_much),
                cmocka_unit_test(equals_share_a_rank_and_equal_accounts_are_merged),
                cmocka_unit_test(a_parents_share),
                cmocka_unit_test(what_runs_is_charged_and_old_usage_decays),
                cmocka_unit_test(a_restart_neither_loses_nor_charges_twice),
                cmocka_unit_test(usage_begins_anew_in_a_new_period),
                cmocka_unit_test(a_period_begins_at_midnight_by_the_local_clock),
        };

        set_zone("UTC");
        return cmocka_run_group_tests(tests, NULL, NULL);
}
