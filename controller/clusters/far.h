/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/far.h - what one cluster may be asked by another one: pure */
#pragma once

#include "lib/config/config.h"
#include "lib/wire.h"

struct far_request {
        unsigned body, answer; /* SLUMBER__ENVELOPE__BODY_...; Error and Ok may answer each */
        enum cluster_right right;
        bool asks; /* nothing is changed by it */
};

/* The row of a request, which both controllers look for; NULL: no cluster may be asked that by
   another one.  *ret_why (never NULL then): what it is, in words. */
const struct far_request *far_find(const Envelope *env, const char **ret_why);
/* What a user's ClusterRequest has in it: the row, and the request, which the caller frees.  NULL:
 *ret_why says why it is refused. */
const struct far_request *far_read(const Slumber__ClusterRequest *m, Envelope **ret,
                const char **ret_why);
/* May that answer the request?  What an agent would take as the controller's own word may not. */
bool far_answers(const struct far_request *row, const Envelope *answer);
/* The words of those rights; ret has room for CLUSTER_RIGHTS_MAX.  Returns how many. */
#define CLUSTER_RIGHTS_MAX 5
size_t far_words(unsigned rights, const char **ret);
