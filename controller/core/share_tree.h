/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/share_tree.h - the tree of associations in the order in which it is shown */
#pragma once

#include "controller/core/assoc.h"

struct share_of {
        const struct assoc *assoc;
        uint32_t index, depth;         /* in the walk and in the tree; the root's are 0 */
        double all_shares;             /* of it and of those beside it; the root's are 0 */
        double norm_shares, effective; /* its part of these, and of what they have used; the root has used all */
};

/* Parents first, users before the accounts below the same one. */
void share_tree(const struct acct *a, void (*each)(const struct share_of *of, void *user), void *user);
