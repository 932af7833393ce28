/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/share_tree.h - walk over the tree of associations in display order, with the
 * shares of each association
 *
 * Associations that share are the children of an association, including the children of those with
 * fairshare=parent. */
#pragma once

#include "controller/accounts/assoc.h"
#include "lib/config/config.h"

struct share_of {
        const struct assoc *assoc;
        uint32_t index, depth; /* number in the walk, and level in the tree; the root has 0 */
        double all_shares;     /* sum of shares of all sharing associations; root: 0 */
        /* Part of all_shares; without fair tree, part of the shares of the whole tree.
           fairshare=parent: the parent's value. */
        double norm_shares;
        /* Part of the parent's usage; without fair tree see share_tree.c.  Root: 1. */
        double effective;
        /* Fair tree: norm_shares / effective, which ranks the sharing associations; else 0. */
        double level;
};

enum share_rule {
        SHARE_FAIR_TREE,
        SHARE_CLASSIC,         /* PriorityFlags=NO_FAIR_TREE */
        SHARE_DEPTH_OBLIVIOUS, /* PriorityFlags=DEPTH_OBLIVIOUS */
        SHARE_RULE_MAX,
};
enum share_rule share_rule(const struct config_priority *p);

/* Calls each() for every association: parents first, and below an account users before accounts. */
void share_tree(const struct acct *a, enum share_rule rule,
                void (*each)(const struct share_of *of, void *user), void *user);
