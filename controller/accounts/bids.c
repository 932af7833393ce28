/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/accounts/bids.h"

#include "controller/accounts/job_defaults.h"
#include "controller/accounts/priority.h"
#include "controller/model/het.h"
#include "lib/sorted.h"

/* 0: held. */
static uint32_t priority_of(const struct bid *b) {
        return b->priority ? b->priority : b->job->priority;
}

int bid_order(const struct bid *a, const struct bid *b) {
        const struct job *x = a->job, *y = b->job;

        if (a->partition->priority_tier != b->partition->priority_tier)
                return a->partition->priority_tier > b->partition->priority_tier ? -1 : 1;
        if (x->waiting.apart != y->waiting.apart)
                return x->waiting.apart ? 1 : -1;
        if (x->waiting.outranks != y->waiting.outranks)
                return x->waiting.outranks > y->waiting.outranks ? -1 : 1;
        if (priority_of(a) != priority_of(b))
                return priority_of(a) > priority_of(b) ? -1 : 1;
        if (x->submit_time != y->submit_time)
                return x->submit_time < y->submit_time ? -1 : 1;
        if (x->id != y->id)
                return x->id < y->id ? -1 : 1;
        return a->rank < b->rank ? -1 : a->rank > b->rank;
}

struct bid bid_of(const struct job *j) {
        if (j->waiting.turn)
                return *j->waiting.turn;
        j = job_leader(j);
        return (struct bid){ .job = job_itself(j),
                .partition = j->partition,
                .priority = j->waiting.current ? j->waiting.current->priority : 0,
                .rank = j->waiting.current ? j->waiting.current->rank : 0 };
}

int job_order(const struct job *a, const struct job *b) {
        const struct bid x = bid_of(a), y = bid_of(b);

        return bid_order(&x, &y);
}

char *partition_next(const char **rest) {
        *rest += strspn(*rest, ",");
        size_t n = strcspn(*rest, ",");
        if (n == 0)
                return NULL;
        char *name = xstrndup(*rest, n);
        *rest += n;
        return name;
}

static int bids_by_order(const void *a, const void *b) {
        return bid_order(a, b);
}

static bool bids_have(const struct job *j, const struct partition *p) {
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].partition == p)
                        return true;
        return false;
}

static void make_several(const struct cluster *c, struct job *j) {
        const char *rest = j->asked.partition;
        size_t allocated = 0;

        j->waiting.bids = NULL;
        for (char *name; (name = partition_next(&rest)); free(name)) {
                struct partition *p = cluster_partition(c, name);
                if (!p || bids_have(j, p)) /* no longer configured, or named twice */
                        continue;
                GROW(j->waiting.bids, allocated, j->waiting.n_bids);
                j->waiting.bids[j->waiting.n_bids] = (struct bid){ .job = j,
                        .partition = p,
                        .rank = (uint32_t)j->waiting.n_bids };
                j->waiting.n_bids++;
        }
        if (j->waiting.n_bids) {
                j->partition = j->waiting.bids[0].partition;
                (void)job_defaults_settle(c, j);
                (void)bids_prioritize(c, j);
                list_sort(j->waiting.bids, j->waiting.n_bids, sizeof j->waiting.bids[0],
                                bids_by_order);
        }
}

void bids_make(const struct cluster *c, struct job *j) {
        assert(j->waiting.n_bids == 0);
        if (j->asked.partition && strchr(j->asked.partition, ','))
                make_several(c, j);
        if (j->waiting.n_bids == 0) {
                j->waiting.one = (struct bid){ .job = j, .partition = j->partition };
                j->waiting.bids = &j->waiting.one;
                j->waiting.n_bids = 1;
        }
        j->waiting.current = j->waiting.n_bids == 1 ? j->waiting.bids : NULL;
}

void bids_drop(struct job *j) {
        if (j->waiting.bids != &j->waiting.one)
                free(j->waiting.bids);
        j->waiting.bids = NULL;
        j->waiting.n_bids = 0;
        j->waiting.current = NULL;
}

bool bids_prioritize(const struct cluster *c, struct job *j) {
        bool changed = false;

        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++) {
                uint32_t before = j->waiting.bids[i].priority;
                j->waiting.bids[i].priority =
                                j->waiting.bids[i].partition == j->partition
                                                ? 0
                                                : priority_elsewhere(c, j,
                                                                  j->waiting.bids[i].partition);
                changed |= j->waiting.bids[i].priority != before;
        }
        return changed;
}

const struct job *job_in_bid(struct bid *b, struct job *room) {
        const struct job *j = b->job;

        if (j->waiting.current == b)
                return j;
        *room = *j;
        room->partition = b->partition;
        room->waiting.current = b;
        job_defaults_take(room);
        return room;
}

const struct job *job_in_partition(const struct job *j, struct partition *p, struct job *room) {
        if (j->partition == p)
                return j;
        *room = *j;
        room->partition = p;
        job_defaults_take(room);
        return room;
}

const struct job *job_in_resv(const struct job *j, struct resv *r, struct job *room) {
        if (j->placed.resv == r)
                return j;
        *room = *j;
        room->placed.resv = r;
        return room;
}

const struct job *job_limited(const struct job *j, usec_t limit, struct job *room) {
        *room = *j;
        room->needs.time_limit = limit;
        /* kept for the next run */
        room->needs.limit_asked = j->needs.limit_asked ? j->needs.limit_asked : j->needs.time_limit;
        return room;
}

void job_becomes(struct job *j, const struct job *as) {
        j->partition = as->partition;
        j->placed.resv = as->placed.resv;
        j->needs.time_limit = as->needs.time_limit;
        j->needs.limit_asked = as->needs.limit_asked;
#define X(field) j->needs.field = as->needs.field;
        UNSAID_SIZES(X)
#undef X
}

/* True for reasons about a partition rather than the job. */
static bool is_of_partition(enum job_reason why) {
        static const enum job_reason of_partition[] = { REASON_PARTITION_DOWN,
                REASON_PARTITION_INACTIVE, REASON_PARTITION_NODE_LIMIT, REASON_PARTITION_TIME_LIMIT,
                REASON_PARTITION_CONFIG, REASON_MAX_MEMORY, REASON_ACCOUNT, REASON_QOS_NOT_ALLOWED,
                REASON_NODE_NOT_AVAILABLE, REASON_NODE_DOWN, REASON_POWER_NOT_AVAIL,
                REASON_BAD_CONSTRAINTS };

        for (size_t i = 0; i < ELEMENTSOF(of_partition); i++)
                if (why == of_partition[i])
                        return true;
        return false;
}

static bool has_reason(const struct job *j, enum job_reason why) {
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].reason == why)
                        return true;
        return false;
}

/* Returns the reason nearest to a start.  A partition not considered in the pass, because earlier
   jobs wait there, counts as REASON_PRIORITY. */
enum job_reason bids_reason(const struct job *j, enum job_reason why) {
        static const enum job_reason nearest[] = { REASON_RESOURCES, REASON_PRIORITY };

        if (j->waiting.n_bids < 2 || !j->waiting.current)
                return why;
        j->waiting.current->reason = why;
        for (size_t k = 0; k < ELEMENTSOF(nearest); k++)
                if (has_reason(j, nearest[k]))
                        return nearest[k];
        if (is_of_partition(why) && has_reason(j, REASON_NONE))
                return REASON_PRIORITY;
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].reason != REASON_NONE)
                        return j->waiting.bids[i].reason;
        return why;
}

bool job_bids_for(const struct job *j, const char *partition) {
        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++)
                if (streq(j->waiting.bids[i].partition->name, partition))
                        return true;
        return streq(j->partition->name, partition);
}

bool job_bids_for_one_of(const struct job *j, char *const *partitions, size_t n) {
        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++)
                if (sorted_has_name(partitions, n, j->waiting.bids[i].partition->name, EXACT_CASE))
                        return true;
        return sorted_has_name(partitions, n, j->partition->name, EXACT_CASE);
}
