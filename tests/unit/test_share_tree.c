/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/share_tree.h"
#include "controller/accounts/usage.h"
#include "tests/unit/share_figures.h"
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include <math.h>

#define START (UINT64_C(1790000000) * USEC_PER_SEC)
#define CONF                                                                                                          \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\nNodeName=n[1-4] CPUs=4 RealMemory=1000\n" \
        "PartitionName=p Nodes=ALL Default=YES\nPriorityType=priority/multifactor\n"

static const char *const flags[] = {
        [SHARE_FAIR_TREE] = "FAIR_TREE",
        [SHARE_CLASSIC] = "no_fair_tree",
        [SHARE_DEPTH_OBLIVIOUS] = "DEPTH_OBLIVIOUS",
};

static struct cluster *make(const char *with_flags, const char *more) {
        _cleanup_free_ char *text = xasprintf("%sPriorityFlags=%s\n%s", CONF, with_flags, more);

        return cluster_of(text, START);
}

static struct assoc *find(struct cluster *c, const struct figure_row *r) {
        struct assoc *a = assoc_find(&c->acct, r->account, r->user, NULL);

        assert_non_null(a);
        return a;
}

static void grow(struct cluster *c, const struct figure_row *r) {
        struct acct *a = &c->acct;
        struct assoc *s = assoc_find(a, r->account, r->user, NULL);

        if (!s) {
                struct assoc *above = assoc_find(a, r->user ? r->account : r->above, NULL, NULL);
                if (!r->user)
                        account_add(a, r->account);
                else if (!acct_user_find(a, r->user))
                        acct_user_add(a, r->user);
                s = assoc_add(a, a->next_id, above, r->account, r->user, NULL);
        }
        s->shares = r->shares;
        for (; s; s = s->parent)
                s->usage_raw += r->usage;
}

struct look {
        const struct figure_row *row;
        struct share_of of;
};

static void see(const struct share_of *of, void *user) {
        struct look *l = user;

        if (streq(of->assoc->account, l->row->account) &&
                        streq(strempty(of->assoc->user), strempty(l->row->user)))
                l->of = *of;
}

static void assert_near(const struct figure_row *r, const char *rule, const char *what, double is,
                double wanted) {
        if (fabs(is - wanted) > 1.1e-6)
                fail_msg("%s %s/%s: %s is %.6f, not %.6f", rule, r->account, strempty(r->user),
                                what, is, wanted);
}

static void assert_figures(const struct figure_row *rows, size_t n) {
        for (enum share_rule rule = 0; rule < SHARE_RULE_MAX; rule++) {
                _cleanup_(cluster_freep) struct cluster *c = make(flags[rule], "");

                assert_int_equal(share_rule(&c->config->priority), rule);
                for (size_t i = 0; i < n; i++)
                        grow(c, &rows[i]);
                fairshare_review(&c->acct, &c->config->priority);
                for (size_t i = 0; i < n; i++) {
                        const struct figures *f = &rows[i].of[rule];
                        struct look l = { .row = &rows[i] };
                        share_tree(&c->acct, rule, see, &l);
                        assert_near(&rows[i], flags[rule], "NormShares", l.of.norm_shares,
                                        f->norm_shares);
                        assert_near(&rows[i], flags[rule], "EffectvUsage", l.of.effective,
                                        f->effective);
                        assert_near(&rows[i], flags[rule], "FairShare",
                                        find(c, &rows[i])->fairshare,
                                        f->fairshare == NOT_A_USER ? 0 : f->fairshare);
                }
        }
}

static void parents_and_zero_shares_are_as_in_slurm(void **state) {
        (void)state;
        assert_figures(tree_mixed, ELEMENTSOF(tree_mixed));
}

static void parents_below_parents_and_one_heavy_user_are_as_in_slurm(void **state) {
        (void)state;
        assert_figures(tree_deep, ELEMENTSOF(tree_deep));
}

static void equal_accounts_are_as_in_slurm(void **state) {
        (void)state;
        assert_figures(tree_equal, ELEMENTSOF(tree_equal));
}

static void usage_of_removed_users_counts(void **state) {
        (void)state;
        assert_figures(tree_departed, ELEMENTSOF(tree_departed));
}

/* No user has used anything: all have what there is, but for those without shares. */
static void without_usage_all_are_first(void **state) {
        (void)state;
        for (enum share_rule rule = 0; rule < SHARE_RULE_MAX; rule++) {
                _cleanup_(cluster_freep) struct cluster *c = make(flags[rule], "");

                for (size_t i = 0; i < ELEMENTSOF(tree_mixed); i++) {
                        struct figure_row r = tree_mixed[i];
                        r.usage = 0;
                        grow(c, &r);
                }
                fairshare_review(&c->acct, &c->config->priority);
                for (size_t i = 0; i < ELEMENTSOF(tree_mixed); i++) {
                        const struct figure_row *r = &tree_mixed[i];
                        bool nothing = r->shares == 0 || streq(r->account, "zero");
                        if (r->user && (find(c, r)->fairshare == 1) == nothing)
                                fail_msg("%s %s/%s: %f", flags[rule], r->account, r->user,
                                                find(c, r)->fairshare);
                }
        }
}

/* 2 ^ -(used / shares / 4); ranks stay. */
static void fair_shares_are_dampened_without_fair_tree(void **state) {
        static const struct figure_row r = {
                .account = "root",
                .user = "root",
                .shares = 1,
                .usage = 7,
        };

        (void)state;
        for (enum share_rule rule = 0; rule < SHARE_RULE_MAX; rule++) {
                _cleanup_(cluster_freep) struct cluster *c = make(flags[rule],
                                "FairShareDampeningFactor=4\n");

                grow(c, &r);
                fairshare_review(&c->acct, &c->config->priority);
                assert_near(&r, flags[rule], "FairShare", find(c, &r)->fairshare,
                                rule == SHARE_FAIR_TREE ? 1 : 0.840896);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(parents_and_zero_shares_are_as_in_slurm),
                cmocka_unit_test(parents_below_parents_and_one_heavy_user_are_as_in_slurm),
                cmocka_unit_test(equal_accounts_are_as_in_slurm),
                cmocka_unit_test(usage_of_removed_users_counts),
                cmocka_unit_test(without_usage_all_are_first),
                cmocka_unit_test(fair_shares_are_dampened_without_fair_tree),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
