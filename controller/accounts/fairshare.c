/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fair tree.  At each level siblings are sorted by (their part of the shares) / (their part of the
 * usage); users below the first sibling are ranked before all users below the second.  Equal
 * accounts are ranked as a single account, equal users get an equal rank, and if an account equals
 * a user, the first users of the account get the user's rank. fairshare=parent: the children of the
 * account are siblings of the account's own siblings, users first.
 *
 * Without fair tree each association has a number (share_tree.c), and no sorting is needed. */
#include "controller/accounts/share_tree.h"
#include "controller/accounts/usage.h"

#include <math.h>

struct siblings {
        const struct share_of **list;
        size_t n, allocated;
};

struct ranking {
        struct acct *acct;
        struct share_of *list; /* the tree, parents first */
        size_t n;
        size_t users, ranked, last; /* number of users; of ranked users; the last rank */
};

static void fairshare_set(const struct assoc *to, double fairshare) {
        ((struct assoc *)(uintptr_t)to)->fairshare = fairshare; /* the walk gives const pointers */
}

/* Adds the associations sharing below the association at index at. */
static void add_children(const struct ranking *r, size_t at, struct siblings *ret) {
        for (size_t i = at + 1; i < r->n && r->list[i].depth > r->list[at].depth; i++) {
                const struct share_of *s = &r->list[i];
                if (s->depth != r->list[at].depth + 1)
                        continue;
                if (s->assoc->shares == SHARES_PARENT && !s->assoc->user) {
                        add_children(r, i, ret);
                        continue;
                }
                GROW(ret->list, ret->allocated, ret->n);
                ret->list[ret->n++] = s;
        }
}

static int by_level(const void *a, const void *b) {
        const struct share_of *const *x = a, *const *y = b;

        return (*x)->level > (*y)->level ? -1 : (*x)->level < (*y)->level;
}

/* Ignores rounding: 1/3 of the shares for 2/3 of the usage equals 1/7 for 2/7. */
static bool are_equal(double more, double less) {
        return less >= more * (1 - 1e-12);
}

static void rank_siblings(struct ranking *r, struct siblings *s, bool join);

/* Ranks the equal siblings from first to end.  join: they equal the users ranked last. */
static void rank_equals(struct ranking *r, const struct siblings *s, size_t first, size_t end,
                bool join) {
        struct siblings below = { 0 };
        size_t rank = join ? r->last : r->users - r->ranked;

        for (size_t i = first; i < end; i++) {
                const struct assoc *a = s->list[i]->assoc;
                if (!a->user) {
                        add_children(r, s->list[i]->index, &below);
                        continue;
                }
                fairshare_set(a, (double)rank / (double)r->users);
                r->last = rank;
                r->ranked++;
                join = true;
        }
        if (below.n)
                rank_siblings(r, &below, join);
        free(below.list);
}

static void rank_siblings(struct ranking *r, struct siblings *s, bool join) {
        list_sort(s->list, s->n, sizeof s->list[0], by_level);
        for (size_t i = 0, end; i < s->n; i = end) {
                for (end = i + 1; end < s->n && are_equal(s->list[i]->level, s->list[end]->level);)
                        end++;
                rank_equals(r, s, i, end, join && i == 0);
        }
}

static void keep_share(const struct share_of *of, void *user) {
        struct ranking *r = user;

        r->list[r->n++] = *of;
        r->users += of->assoc->user != NULL;
        fairshare_set(of->assoc, 0); /* accounts keep 0 */
}

static void rank_all(struct acct *a) {
        _cleanup_free_ struct share_of *list = xnew(struct share_of, a->n_assocs);
        struct ranking r = { .list = list };
        struct siblings top = { 0 };

        share_tree(a, SHARE_FAIR_TREE, keep_share, &r);
        add_children(&r, 0, &top);
        if (top.n)
                rank_siblings(&r, &top, false);
        free(top.list);
}

/* ---- without fair tree ---- */

static void take_factor(const struct share_of *of, void *user) {
        const uint32_t *dampening = user;

        fairshare_set(of->assoc,
                        of->norm_shares > 0 ? exp2(-of->effective / of->norm_shares / *dampening)
                                            : 0);
}

void fairshare_review(struct acct *a, const struct config_priority *p) {
        enum share_rule rule = share_rule(p);
        uint32_t dampening = p->dampening;

        if (rule == SHARE_FAIR_TREE)
                rank_all(a);
        else
                share_tree(a, rule, take_factor, &dampening);
}
