/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fair tree.  At each level the siblings are put in the order of (their part of the shares) / (their part of the usage); then the
 * users below the first are ranked before all of the second.  Accounts that are equal are ranked as one, users that are equal
 * have one rank. */
#include "controller/core/usage.h"

#include <math.h>

struct sibling {
        struct assoc *assoc;
        double level; /* shares / usage; INFINITY: it has used nothing */
};
struct siblings {
        struct sibling *list;
        size_t n, allocated;
};

struct ranking {
        struct assoc **by_parent; /* all but the root */
        size_t n;
        size_t users, rank; /* how many there are; the next one's */
};

static int by_parent(const void *a, const void *b) {
        const struct assoc *const *x = a, *const *y = b;

        if ((*x)->parent->id != (*y)->parent->id)
                return (*x)->parent->id < (*y)->parent->id ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static size_t first_child(const struct ranking *r, const struct assoc *parent) {
        return FIRST_NOT(r->n, i, r->by_parent[i]->parent->id < parent->id);
}

static double level(double shares, double all_shares, double usage, double all_usage) {
        if (shares <= 0)
                return 0;
        if (usage <= 0 || all_usage <= 0)
                return INFINITY;
        return shares / all_shares / (usage / all_usage);
}

/* fairshare=parent: an account's children stand beside its siblings; a user stands as its account does. */
static void add_children(const struct ranking *r, const struct assoc *parent, double parents_level, struct siblings *ret) {
        double shares = 0, usage = 0;
        size_t first = first_child(r, parent), end = first;

        for (; end < r->n && r->by_parent[end]->parent == parent; end++) {
                const struct assoc *s = r->by_parent[end];
                usage += s->usage_raw;
                shares += s->shares == SHARES_PARENT ? 0 : s->shares;
        }
        for (size_t i = first; i < end; i++) {
                struct assoc *s = r->by_parent[i];
                if (s->shares == SHARES_PARENT && !s->user) {
                        add_children(r, s, parents_level, ret);
                        continue;
                }
                GROW(ret->list, ret->allocated, ret->n);
                ret->list[ret->n++] = (struct sibling){ s,
                        s->shares == SHARES_PARENT ? parents_level : level(s->shares, shares, s->usage_raw, usage) };
        }
}

static int by_level(const void *a, const void *b) {
        const struct sibling *x = a, *y = b;

        return x->level > y->level ? -1 : x->level < y->level;
}

static void rank_siblings(struct ranking *r, struct siblings *s);

/* Those from first to end are equal: users before the accounts' users. */
static void rank_equals(struct ranking *r, const struct siblings *s, size_t first, size_t end) {
        struct siblings below = { 0 };
        size_t users = 0;

        for (size_t i = first; i < end; i++) {
                struct assoc *a = s->list[i].assoc;
                if (a->user) {
                        a->fairshare = (double)r->rank / (double)r->users;
                        users++;
                } else {
                        add_children(r, a, s->list[i].level, &below);
                }
        }
        r->rank -= users;
        if (below.n)
                rank_siblings(r, &below);
        free(below.list);
}

static void rank_siblings(struct ranking *r, struct siblings *s) {
        qsort(s->list, s->n, sizeof s->list[0], by_level);
        for (size_t i = 0, end; i < s->n; i = end) {
                for (end = i + 1; end < s->n && !(s->list[end].level < s->list[i].level);)
                        end++;
                rank_equals(r, s, i, end);
        }
}

void fairshare_rank(struct acct *a) {
        _cleanup_free_ struct assoc **list = xnew(struct assoc *, a->n_assocs + 1);
        struct ranking r = { .by_parent = list };
        struct siblings top = { 0 };

        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->parent) {
                        r.by_parent[r.n++] = a->assocs[i];
                        r.users += a->assocs[i]->user != NULL;
                }
        r.rank = r.users;
        if (r.n)
                qsort(r.by_parent, r.n, sizeof r.by_parent[0], by_parent);
        add_children(&r, a->root, INFINITY, &top);
        if (top.n)
                rank_siblings(&r, &top);
        free(top.list);
}
