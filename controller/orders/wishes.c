/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request of a pending job changes, and is restored if a further job of the update refuses. */
#include "controller/orders/wishes.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/model/feature.h"
#include "controller/model/spec.h"

struct job_before {
        struct job_spec asked; /* owned */
        struct partition *partition;
        struct job_needs needs; /* owned as far as job_wishes_done() frees them */
        uint32_t priority;
};

static void wishes_swap(struct job *j, struct job_before *b) {
        const struct job_before old = { j->asked, j->partition, j->needs, j->priority };

        j->asked = b->asked;
        j->partition = b->partition;
        j->needs = b->needs;
        j->priority = b->priority;
        *b = old;
}

void job_wishes_done(struct job_spec *asked, struct job_needs *needs) {
        job_spec_done(asked);
        features_free(needs->features);
        features_free(needs->prefer);
        bitset_free(needs->req_nodes);
        bitset_free(needs->exc_nodes);
        free(needs->unknown_nodes);
        gres_wants_free(needs->gres_wants);
}

struct job_before *job_before_free(struct job_before *b) {
        if (b)
                job_wishes_done(&b->asked, &b->needs);
        free(b);
        return NULL;
}

struct job_before *job_wishes_apply(struct cluster *c, struct job *j, const struct job *trial,
                bool by_default, usec_t now) {
        struct job_before *before = xnew(struct job_before, 1);

        *before = (struct job_before){ trial->asked, trial->partition, trial->needs, j->priority };
        if (!by_default)
                before->needs.time_limit = j->needs.time_limit;
        cluster_queue_remove(c, j);
        wishes_swap(j, before);
        acct_bind(c, j);
        if (!job_is_held(j) && !j->asked.priority)
                priority_reniced(c, j, j->asked.nice, now);
        cluster_queue_insert(c, j);
        return before;
}

void job_respec_undo(struct cluster *c, struct job *j, struct job_before *before) {
        if (!before)
                return;
        before->needs.ordered = j->needs.ordered; /* the caller restores the member */
        cluster_queue_remove(c, j);
        wishes_swap(j, before);
        acct_bind(c, j);
        cluster_queue_insert(c, j);
        cluster_job_changed(c, j); /* the leader may have released nodes */
        job_before_free(before);
}
