/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fair tree compares an association only with its sharing associations; the result is a rank
 * (fairshare.c).  Without fair tree each association has a number, effective / norm_shares, both
 * relative to the whole tree:
 *
 *   classic           the usage of a user below an account is the user's own usage plus the user's
 *                     share of the usage of the remaining account
 *   depth-oblivious   the number is the account's number times the ratio of the user's usage to the
 *                     user's share, raised to a power: 1 if account and user both used too much or
 *                     both too little, else smaller the farther the account is from its share
 *
 * Directly below the root, effective is the user's own usage.  Checked against Slurm 22.05
 * (tests/unit/test_share_tree.c). */
#include "controller/accounts/share_tree.h"

#include <math.h>

struct child {
        const struct assoc *assoc;
        size_t place; /* index in acct.assocs */
};

/* Sharing associations. */
struct level {
        const struct share_of *of; /* their parent */
        double shares, usage;      /* sums over the sharing associations */
};

struct walk {
        /* Every association but the root, sorted by parent, users of a parent first. */
        struct child *children;
        size_t n;
        enum share_rule rule;
        double all_usage;
        void (*each)(const struct share_of *of, void *user);
        void *user;
        uint32_t index;
};

enum share_rule share_rule(const struct config_priority *p) {
        if (p->flags & PRIORITY_DEPTH_OBLIVIOUS)
                return SHARE_DEPTH_OBLIVIOUS;
        return p->flags & PRIORITY_NO_FAIR_TREE ? SHARE_CLASSIC : SHARE_FAIR_TREE;
}

static int child_order(const void *a, const void *b) {
        const struct child *x = a, *y = b;

        if (x->assoc->parent->id != y->assoc->parent->id)
                return x->assoc->parent->id < y->assoc->parent->id ? -1 : 1;
        if (!x->assoc->user != !y->assoc->user)
                return x->assoc->user ? -1 : 1;
        return x->place < y->place ? -1 : 1;
}

/* ---- shares of an association ---- */

static double share_part(double of, double all) {
        return all > 0 ? of / all : 0;
}

static bool has_own_shares(const struct assoc *a) {
        return a->shares != SHARES_PARENT;
}

static bool is_root(const struct share_of *of) {
        return !of->assoc->parent;
}

static double rank_level(const struct share_of *of) {
        if (!has_own_shares(of->assoc))
                return INFINITY;
        if (of->norm_shares <= 0)
                return 0;
        return of->effective > 0 ? of->norm_shares / of->effective : INFINITY;
}

static double effective_classic(const struct walk *w, const struct share_of *of,
                const struct level *l) {
        double own = share_part(of->assoc->usage_raw, w->all_usage);

        if (is_root(l->of))
                return own;
        if (!has_own_shares(of->assoc))
                return l->of->effective;
        return own + (l->of->effective - own) * share_part(of->assoc->shares, l->shares);
}

static double effective_oblivious(const struct walk *w, const struct share_of *of,
                const struct level *l) {
        const struct assoc *a = of->assoc;
        double own = share_part(a->usage_raw, w->all_usage),
               above = share_part(l->of->effective, l->of->norm_shares), beside, power;

        if (is_root(l->of) || (has_own_shares(a) && of->norm_shares <= 0))
                return own;
        if (!has_own_shares(a))
                return l->of->effective;
        if (own <= 0 || above <= 0)
                return 0;
        beside = share_part(a->usage_raw, l->usage) / share_part(a->shares, l->shares);
        power = log(above) * log(beside) > 0 ? 1 : 1 / (1 + pow(5 * log(above), 2));
        return of->norm_shares * above * pow(beside, power);
}

/* Fills norm_shares, effective and level; beside NULL: the root. */
static void share_fill(const struct walk *w, struct share_of *of, const struct level *beside) {
        const struct assoc *a = of->assoc;
        bool fair_tree = w->rule == SHARE_FAIR_TREE;

        if (!beside) {
                of->norm_shares = !fair_tree;
                of->effective = 1;
                return;
        }
        of->all_shares = beside->shares;
        of->norm_shares = beside->of->norm_shares;
        if (has_own_shares(a))
                of->norm_shares = share_part(a->shares, beside->shares) *
                                  (fair_tree ? 1 : beside->of->norm_shares);
        if (fair_tree) {
                of->effective = share_part(a->usage_raw, beside->of->assoc->usage_raw);
                of->level = rank_level(of);
        } else {
                of->effective = w->rule == SHARE_CLASSIC ? effective_classic(w, of, beside)
                                                         : effective_oblivious(w, of, beside);
        }
}

/* ---- the walk ---- */

static size_t first_child(const struct walk *w, const struct assoc *parent) {
        return FIRST_NOT(w->n, i, w->children[i].assoc->parent->id < parent->id);
}

static void share_level_add(const struct walk *w, const struct assoc *parent, struct level *to) {
        for (size_t i = first_child(w, parent); i < w->n && w->children[i].assoc->parent == parent;
                        i++) {
                const struct assoc *a = w->children[i].assoc;
                if (has_own_shares(a)) {
                        to->shares += a->shares;
                        to->usage += a->usage_raw;
                } else if (!a->user) {
                        share_level_add(w, a, to);
                }
        }
}

static void share_walk(struct walk *w, const struct assoc *a, uint32_t depth,
                const struct level *beside) {
        struct share_of of = { .assoc = a, .index = w->index++, .depth = depth };
        struct level below = { .of = &of };

        share_fill(w, &of, beside);
        w->each(&of, w->user);
        if (a->user)
                return;
        if (!beside || has_own_shares(a)) {
                share_level_add(w, a, &below);
                beside = &below;
        }
        for (size_t i = first_child(w, a); i < w->n && w->children[i].assoc->parent == a; i++)
                share_walk(w, w->children[i].assoc, depth + 1, beside);
}

void share_tree(const struct acct *a, enum share_rule rule,
                void (*each)(const struct share_of *of, void *user), void *user) {
        _cleanup_free_ struct child *children = xnew(struct child, a->n_assocs);
        struct walk w = {
                .children = children,
                .rule = rule,
                .all_usage = a->root->usage_raw,
                .each = each,
                .user = user,
        };

        assert(each);
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->parent)
                        children[w.n++] = (struct child){ a->assocs[i], i };
        list_sort(children, w.n, sizeof *children, child_order);
        share_walk(&w, a->root, 0, NULL);
}
