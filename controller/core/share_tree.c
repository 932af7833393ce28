/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/share_tree.h"

struct child {
        const struct assoc *assoc;
        size_t place; /* in acct.assocs */
};

struct walk {
        struct child *children; /* all but the root, in the order of parents; of one parent users first */
        size_t n;
        void (*each)(const struct share_of *of, void *user);
        void *user;
        uint32_t index;
};

/* Of all that stand below one association. */
struct siblings {
        double shares, usage;
};

static int child_order(const void *a, const void *b) {
        const struct child *x = a, *y = b;

        if (x->assoc->parent->id != y->assoc->parent->id)
                return x->assoc->parent->id < y->assoc->parent->id ? -1 : 1;
        if (!x->assoc->user != !y->assoc->user)
                return x->assoc->user ? -1 : 1;
        return x->place < y->place ? -1 : 1;
}

static void visit(struct walk *w, const struct assoc *a, uint32_t depth, const struct siblings *beside) {
        const struct share_of of = {
                .assoc = a,
                .index = w->index++,
                .depth = depth,
                .all_shares = beside->shares,
                .norm_shares = a->shares != SHARES_PARENT && beside->shares > 0 ? a->shares / beside->shares : 0,
                .effective = !a->parent ? 1 : beside->usage > 0 ? a->usage_raw / beside->usage : 0,
        };

        w->each(&of, w->user);
}

static void visit_tree(struct walk *w, const struct assoc *top, uint32_t depth, const struct siblings *beside) {
        size_t first = FIRST_NOT(w->n, i, w->children[i].assoc->parent->id < top->id);
        struct siblings below = { 0 };

        for (size_t i = first; i < w->n && w->children[i].assoc->parent == top; i++) {
                const struct assoc *a = w->children[i].assoc;
                below.usage += a->usage_raw;
                below.shares += a->shares == SHARES_PARENT ? 0 : a->shares;
        }
        visit(w, top, depth, beside);
        for (size_t i = first; i < w->n && w->children[i].assoc->parent == top; i++) {
                const struct assoc *a = w->children[i].assoc;
                if (a->user)
                        visit(w, a, depth + 1, &below);
                else
                        visit_tree(w, a, depth + 1, &below);
        }
}

void share_tree(const struct acct *a, void (*each)(const struct share_of *of, void *user), void *user) {
        _cleanup_free_ struct child *children = xnew(struct child, a->n_assocs);
        const struct siblings nobody = { 0 };
        struct walk w = { .children = children, .each = each, .user = user };

        assert(each);
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->parent)
                        children[w.n++] = (struct child){ a->assocs[i], i };
        qsort(children, w.n, sizeof *children, child_order);
        visit_tree(&w, a->root, 0, &nobody);
}
