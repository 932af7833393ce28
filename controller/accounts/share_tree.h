/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/accounts/share_tree.h - the tree of associations in the order in which it is shown,
 * and what each has of its shares
 *
 * Those that share something are the children of one association, and of those below it that have
 * fairshare=parent. */
#pragma once

#include "controller/accounts/assoc.h"
#include "lib/config/config.h"

struct share_of {
        const struct assoc *assoc;
        uint32_t index, depth; /* in the walk and in the tree; the root's are 0 */
        double all_shares;     /* of all that share with it; the root's are 0 */
        /* its part of these; without fair tree of all shares. fairshare=parent: the parent's */
        double norm_shares;
        /* its part of what that one has used; without fair tree see share_tree.c. The root has used
           all */
        double effective;
        /* fair tree: norm_shares / effective, by which it stands among them; else 0 */
        double level;
};

enum share_rule {
        SHARE_FAIR_TREE,
        SHARE_CLASSIC,         /* PriorityFlags=NO_FAIR_TREE */
        SHARE_DEPTH_OBLIVIOUS, /* PriorityFlags=DEPTH_OBLIVIOUS */
        SHARE_RULE_MAX,
};
enum share_rule share_rule(const struct config_priority *p);

/* Parents first, users before the accounts below the same one. */
void share_tree(const struct acct *a, enum share_rule rule,
                void (*each)(const struct share_of *of, void *user), void *user);
