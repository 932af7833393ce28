/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request of a pending job changes, and is restored if a further job of the update refuses. */
#include "controller/orders/wishes.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/model/feature.h"
#include "controller/model/spec.h"

/* Exchanges the request and all derived values of a and b. */
static void wishes_swap(struct job *a, struct job *b) {
        struct job old = *a;

#define SWAP(field)                                                                                \
        do {                                                                                       \
                a->field = b->field;                                                               \
                b->field = old.field;                                                              \
        } while (0)
        SWAP(asked);
        SWAP(partition);
        SWAP(needs.features);
        SWAP(needs.prefer);
        SWAP(needs.prefer_alone);
        SWAP(needs.req_nodes);
        SWAP(needs.exc_nodes);
        SWAP(needs.unknown_nodes);
        SWAP(needs.gres_wants);
#define X(field) SWAP(needs.field);
        UNSAID_SIZES(X)
#undef X
#undef SWAP
}

void job_wishes_done(struct job *j) {
        job_spec_done(&j->asked);
        features_free(j->needs.features);
        features_free(j->needs.prefer);
        bitset_free(j->needs.req_nodes);
        bitset_free(j->needs.exc_nodes);
        free(j->needs.unknown_nodes);
        gres_wants_free(j->needs.gres_wants);
}

struct job_before {
        struct job wishes; /* owns the request exchanged by wishes_swap() */
        usec_t time_limit;
        uint32_t priority;
};

struct job_before *job_before_free(struct job_before *b) {
        if (b)
                job_wishes_done(&b->wishes);
        free(b);
        return NULL;
}

struct job_before *job_wishes_apply(struct cluster *c, struct job *j, const struct job *trial,
                bool by_default, usec_t now) {
        struct job_before *before = xnew(struct job_before, 1);

        *before = (struct job_before){ *trial, j->needs.time_limit, j->priority };
        cluster_queue_remove(c, j);
        wishes_swap(j, &before->wishes);
        if (by_default)
                j->needs.time_limit = trial->needs.time_limit;
        acct_bind(c, j);
        if (!job_is_held(j) && !j->asked.priority)
                priority_reniced(c, j, j->asked.nice, now);
        cluster_queue_insert(c, j);
        return before;
}

void job_respec_undo(struct cluster *c, struct job *j, struct job_before *before) {
        if (!before)
                return;
        cluster_queue_remove(c, j);
        wishes_swap(j, &before->wishes);
        j->needs.time_limit = before->time_limit;
        j->priority = before->priority;
        acct_bind(c, j);
        cluster_queue_insert(c, j);
        cluster_job_changed(c, j); /* the leader may have released nodes */
        job_before_free(before);
}
