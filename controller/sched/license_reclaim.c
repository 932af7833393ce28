/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PreemptParameters=reclaim_licenses: a job lacking licenses takes licenses from jobs that it may
 * preempt.
 *
 * Victims have mode CANCEL or REQUEUE, as a suspended job keeps its licenses. A job asking for one
 * of several licenses ("|") has no victims. Victims are taken in the order of preempt_order() until
 * enough licenses would be free; then unnecessary victims are spared. A single victim that is
 * enough is preferred (not with strict_order). Licenses kept for jobs ahead in the queue do not
 * count as free. No job is ended while the jobs already ending are enough, or if the job's nodes
 * would not suffice even without all eligible victims. The job then waits, and starts when the
 * licenses are free, perhaps with victims for its nodes. */
#include "controller/jobs/job_events.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/sched/sched_private.h"

static bool may_be_ended(const struct cluster *c, const struct job *j, struct job *v, usec_t now) {
        enum preempt_mode mode = preempt_mode_now(c, j, v, now);

        return mode == PREEMPT_CANCEL || mode == PREEMPT_REQUEUE;
}

/* Adds all ending jobs to ret; true: some of them end for j. */
static bool on_their_way(const struct cluster *c, const struct job *j, struct bitset *ret) {
        bool own = false;

        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->completing || c->active[i]->stopping.grace_end) {
                        bitset_add(ret, i);
                        own |= c->active[i]->stopping.preempt_mode &&
                               c->active[i]->stopping.preemptor == j->id;
                }
        return own;
}

/* Returns whether usable has enough nodes for j without the jobs in going and all eligible
   victims. */
static bool could_have_nodes(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const struct bitset *going) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_copy(going);
        struct placement where = { 0 };

        for (size_t i = 0; i < c->n_active; i++)
                if (preempt_mode_now(c, j, c->active[i], when.from) != PREEMPT_OFF)
                        bitset_add(gone, i);
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room(c, j, when.from, false,
                        NULL, gone);
        when.room = room;
        int r = place_after(c, j, usable, when, gone, &where);
        placement_done(&where);
        return r >= 0;
}

static int by_right(const void *a, const void *b, void *user) {
        return preempt_order(user, *(struct job *const *)a, *(struct job *const *)b);
}

/* Returns the index of the first job whose licenses are enough alone; SIZE_MAX: no such job. */
static size_t holder_enough_alone(struct cluster *c, const struct job *j, struct job **list,
                size_t n, const uint32_t *kept, struct bitset *gone, usec_t now) {
        for (size_t i = 0; i < n && !c->config->preempt.strict_order; i++) {
                bitset_add(gone, list[i]->listed.queue_at);
                bool enough = licenses_free_without(c, j, now, kept, gone);
                bitset_del(gone, list[i]->listed.queue_at);
                if (enough)
                        return i;
        }
        return SIZE_MAX;
}

/* Moves the victims to the front of list and returns their number: one job that is enough alone, or
   the first jobs together enough; 0: even all are not enough. */
static size_t holders_choose(struct cluster *c, const struct job *j, struct job **list, size_t n,
                const uint32_t *kept, struct bitset *gone, usec_t now) {
        size_t needed = 0, left = 0, one = holder_enough_alone(c, j, list, n, kept, gone, now);

        if (one != SIZE_MAX) {
                list[0] = list[one];
                return 1;
        }
        while (needed < n && !licenses_free_without(c, j, now, kept, gone))
                bitset_add(gone, list[needed++]->listed.queue_at);
        if (!licenses_free_without(c, j, now, kept, gone))
                return 0;
        for (size_t i = needed; i-- > 0;) { /* unnecessary victims are spared */
                bitset_del(gone, list[i]->listed.queue_at);
                if (!licenses_free_without(c, j, now, kept, gone))
                        bitset_add(gone, list[i]->listed.queue_at);
        }
        for (size_t i = 0; i < needed; i++)
                if (bitset_has(gone, list[i]->listed.queue_at))
                        list[left++] = list[i];
        return left;
}

size_t sched_reclaim_victims(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept, struct job ***ret, usec_t *ret_again) {
        const usec_t now = when.from;
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active);
        size_t n, victims = 0;

        *ret = NULL;
        *ret_again = USEC_INFINITY;
        if (on_their_way(c, j, gone) || licenses_free_without(c, j, now, kept, gone))
                return 0;
        n = licenses_holders(c, j, now, ret);
        for (size_t i = 0; i < n; i++) {
                struct job *v = (*ret)[i];
                usec_t from = preempt_eligible_time(c, v);
                if (from > now && !v->completing)
                        *ret_again = MIN(*ret_again, from);
                if (may_be_ended(c, j, v, now) && !v->stopping.grace_end)
                        (*ret)[victims++] = v;
        }
        if (victims == 0 || !could_have_nodes(c, j, usable, when, gone))
                return 0;
        qsort_r(*ret, victims, sizeof **ret, by_right, c);
        return holders_choose(c, j, *ret, victims, kept, gone, now);
}

void sched_reclaim(struct cluster *c, const struct job *j, const struct bitset *usable,
                struct period when, const uint32_t *kept) {
        const usec_t now = when.from;
        _cleanup_free_ struct job **list = NULL;
        usec_t again;

        if (j->needs.now_or_never)
                return;
        size_t n = sched_reclaim_victims(c, j, usable, when, kept, &list, &again);
        if (again != USEC_INFINITY)
                sched_come_back(c, again, now);
        for (size_t i = 0; i < n; i++) {
                cluster_log(c, list[i]->id, NULL, "JobId=%u holds licenses that JobId=%u needs",
                                list[i]->id, j->id);
                sched_end_victim(c, list[i], j, 0, now);
        }
        if (n)
                note(c, FACT_PREEMPTION_BEGUN);
}
