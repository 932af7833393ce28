/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol top: moves jobs of a user before the user's further jobs.
 *
 * The pending jobs of a user in a partition, with equal account and QOS, have a number of places in
 * the queue.  The named jobs get the best of these places, in the order of the list; the priority
 * that they gain is taken from the remaining jobs in equal shares, so that no job of another user
 * is overtaken by more jobs than before.  The change is made in nice, and therefore permanent.
 *
 * A heterogeneous job has the place of the first component, which moves the components along. */
#include "controller/updates/priority_top.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/model/het.h"

struct place {
        struct job *job;
        int64_t was, to; /* priorities */
        bool named;
};

static bool can_top(const struct job *j) {
        return job_is_queued(j) && !job_is_held(j) && !j->asked.priority && j->waiting.n_bids == 1;
}

enum slumber_error priority_top_access(const struct cluster *c, const struct job *j,
                const struct job *first, uid_t uid, bool is_operator, struct fail *fail) {
        if (!is_operator && !(uid == j->uid && c->config->user_top))
                return SLUMBER_ACCESS_DENIED;
        if (first && first->uid != j->uid) {
                fail_set(fail, -EINVAL, "Jobs of one user were expected");
                return SLUMBER_FAILED;
        }
        return SLUMBER_OK;
}

enum slumber_error priority_top_check(const struct job *j, struct fail *fail) {
        if (can_top(j))
                return SLUMBER_OK;
        if (j->state != JOB_PENDING || j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        if (job_is_held(j))
                return SLUMBER_JOB_HELD;
        fail_set(fail, -EOPNOTSUPP,
                        j->asked.priority
                                        ? "Its priority was set by hand: scontrol release takes that back"
                                        : "It waits for several partitions: top is for jobs of one");
        return SLUMBER_FAILED;
}

bool priority_is_like(const struct job *j, const struct job *lead) {
        return j->uid == lead->uid && j->partition == lead->partition &&
               streq(strempty(j->asked.account), strempty(lead->asked.account)) &&
               streq(strempty(j->asked.qos), strempty(lead->asked.qos));
}

static bool job_is_in_list(struct job *const *list, size_t n, const struct job *j) {
        for (size_t i = 0; i < n; i++)
                if (list[i] == j)
                        return true;
        return false;
}

static int best_first(const void *a, const void *b) {
        const struct place *x = a, *y = b;

        return x->was != y->was ? (x->was < y->was ? 1 : -1)
                                : (x->job->id > y->job->id) - (x->job->id < y->job->id);
}

static struct place *places_gather(const struct cluster *c, struct job *const *list, size_t n_list,
                usec_t now, size_t *ret_n) {
        struct place *places = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < c->n_queue; i++) {
                struct job *j = c->queue[i]->job;
                if (!can_top(j) || job_is_het_follower(j) || !priority_is_like(j, list[0]))
                        continue;
                GROW(places, allocated, n);
                places[n++] = (struct place){ j, priority_now(c, j, now), 0,
                        job_is_in_list(list, n_list, j) };
        }
        list_sort(places, n, sizeof places[0], best_first);
        *ret_n = n;
        return places;
}

static struct place *places_find(struct place *places, size_t n, const struct job *j) {
        for (size_t i = 0; i < n; i++)
                if (places[i].job == j)
                        return &places[i];
        return NULL;
}

/* Divides the gain of the named jobs among the remaining jobs; all remaining jobs come behind the
   last named job. */
static void places_pay(struct place *places, size_t n, size_t payers, int64_t gain, int64_t last) {
        for (size_t i = 0; i < n; i++) {
                if (places[i].named)
                        continue;
                int64_t share = gain / (int64_t)payers--;
                gain -= share;
                places[i].to = MIN(places[i].was - share, last - 1);
        }
}

static int32_t nice_less(int32_t nice, int64_t gain) {
        return (int32_t)MAX(MIN(nice - gain, (int64_t)INT32_MAX - 2), (int64_t)-INT32_MAX + 2);
}

/* Further components change by the amount of the first; the caller sorts the queue. */
static void place_set_components(struct cluster *c, const struct place *p, usec_t now) {
        const struct het *h = p->job->het;

        for (uint32_t i = 0; h && i < h->n; i++) {
                struct job *j = h->of[i];
                if (!j || j == p->job || !job_is_queued(j) || j->asked.priority)
                        continue;
                int32_t before = j->asked.nice;
                j->asked.nice = nice_less(before, p->to - p->was);
                if (!job_is_held(j))
                        priority_reniced(c, j, before, now);
                (void)bids_prioritize(c, j);
                cluster_job_changed(c, j);
        }
}

void priority_top(struct cluster *c, struct job *const *list, size_t n_list, usec_t now) {
        size_t n;
        _cleanup_free_ struct place *places = places_gather(c, list, n_list, now, &n);
        int64_t gain = 0, last = MAX(n ? places[0].was : 0, (int64_t)n_list + 1) + 1;
        size_t named = 0;

        for (size_t i = 0; i < n_list; i++) {
                struct place *p = places_find(places, n, list[i]);
                if (!p || p->to)
                        continue;
                last = p->to = MIN(MAX(places[named].was, (int64_t)(n_list - named) + 1), last - 1);
                gain += p->to - p->was;
                named++;
        }
        places_pay(places, n, n - named, MAX(gain, (int64_t)0), last);
        for (size_t i = 0; i < n; i++) {
                int32_t before = places[i].job->asked.nice;
                if (places[i].to == places[i].was)
                        continue;
                places[i].job->asked.nice = nice_less(before, places[i].to - places[i].was);
                priority_reniced(c, places[i].job, before, now);
                cluster_job_changed(c, places[i].job);
                place_set_components(c, &places[i], now);
        }
        cluster_queue_resort(c);
        note(c, FACT_PRIORITY_CHANGED);
}
