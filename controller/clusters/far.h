/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/clusters/far.h - requests that a cluster may send to another cluster: pure */
#pragma once

#include "lib/config/config.h"
#include "lib/wire.h"

struct far_request {
        unsigned body, answer; /* SLUMBER__ENVELOPE__BODY_...; Error and Ok are valid answers too */
        enum cluster_right right;
        bool asks; /* the request changes nothing */
};

/* Returns the row of a request, used by both controllers; NULL: not allowed between clusters.
   *ret_why: the reason in words, set in either case. */
const struct far_request *far_find(const Envelope *env, const char **ret_why);
/* Unpacks a user's ClusterRequest: returns the row, and in *ret the request, which the caller
 * frees.  NULL: refused for *ret_why. */
const struct far_request *far_read(const Slumber__ClusterRequest *m, Envelope **ret,
                const char **ret_why);
/* True if the answer may follow the request.  Prevents a cluster from sending messages that an
   agent would accept as the controller's. */
bool far_answers(const struct far_request *row, const Envelope *answer);
/* Fills ret, with room for CLUSTER_RIGHTS_MAX, with the words of the rights.  Returns the
   number. */
#define CLUSTER_RIGHTS_MAX 5
size_t far_words(unsigned rights, const char **ret);
