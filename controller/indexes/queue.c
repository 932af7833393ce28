/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/queue.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/qos.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/node_sharing.h"
#include "controller/model/het.h"
#include "controller/reservations/license.h"

/* ---- pending jobs ---- */

static size_t queue_at(const struct cluster *c, const struct bid *b) {
        return FIRST_NOT(c->n_queue, i, bid_order(c->queue[i], b) < 0);
}

/* Counts b in its partition's n_waiting; part of cluster_queue_insert(). */
static void cluster_queue_count(struct bid *b) {
        b->counted = b->job->waiting.apart ? NULL : b->partition;
        b->untold = b->counted != NULL;
        if (!b->counted)
                return;
        b->counted->n_waiting++;
        b->counted->n_untold++;
}

/* Sets j->waiting.outranks, which orders the queue; called before j is inserted. */
static void cluster_queue_rank(const struct cluster *c, struct job *j) {
        j->waiting.outranks = c->config->preempt_type == PREEMPT_QOS
                                              ? qos_outranks(&c->acct, j->accounting.qos)
                                              : 0;
}

void cluster_queue_suppose(struct cluster *c, struct job *j, usec_t now) {
        j->submit_time = now;
        j->priority = priority_expected(c, j, now);
        cluster_queue_rank(c, j);
}

/* Forgets whether the job can ever run; for a component, whether all components can. */
static void forget_never(struct job *j) {
        struct job *first = j->het && j->het->of[0] ? j->het->of[0] : j;

        if (j->het)
                j->het->never_as_of = 0;
        for (size_t i = 0; i < first->waiting.n_bids; i++)
                first->waiting.bids[i].never_as_of = 0;
}

/* Makes the plan of j, or of its leader, outdated. */
static void replan_from(struct cluster *c, const struct job *j) {
        const struct job *first = j->het ? j->het->of[0] : j;

        if (first && first->waiting.n_bids)
                c->planned.sound = MIN(c->planned.sound, queue_at(c, &first->waiting.bids[0]));
}

static void insert_bid(struct cluster *c, struct bid *b) {
        size_t at = queue_at(c, b);

        cluster_queue_count(b);
        GROW(c->queue, c->a_queue, c->n_queue);
        memmove(&c->queue[at + 1], &c->queue[at], (c->n_queue - at) * sizeof c->queue[0]);
        c->queue[at] = b;
        c->n_queue++;
        c->planned.sound = MIN(c->planned.sound, at);
        c->planned.end += at < c->planned.end;
        c->planned.cursor += at < c->planned.cursor;
        c->told_up_to = MIN(c->told_up_to, at);
}

void cluster_queue_insert(struct cluster *c, struct job *j) {
        j->waiting.apart = job_is_held(j) || j->waiting.depends || job_is_het_follower(j);
        cluster_queue_rank(c, j);
        bids_make(c, j);
        node_sharing_note(c, j);
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                insert_bid(c, &j->waiting.bids[i]);
        if (job_is_het_follower(j))
                replan_from(c, j);
        forget_never(j);
        c->n_pending++;
        note(c, FACT_QUEUE_CHANGED);
}

int cluster_het_join(struct cluster *c, struct het *h, struct job *j, uint32_t offset) {
        bool queued = j->waiting.n_bids > 0;

        if (queued)
                cluster_queue_remove(c, j);
        int r = het_join(h, j, offset);
        if (queued)
                cluster_queue_insert(c, j);
        cluster_job_changed(c, j);
        return r;
}

void cluster_queue_touch(struct cluster *c, struct job *j) {
        if (j->state != JOB_PENDING || j->completing)
                return;
        plan_void(c, j);
        forget_never(j);
        replan_from(c, j);
}

static void remove_bid(struct cluster *c, struct bid *b) {
        size_t at = queue_at(c, b);

        assert(at < c->n_queue && c->queue[at] == b);
        memmove(&c->queue[at], &c->queue[at + 1], (c->n_queue - at - 1) * sizeof c->queue[0]);
        c->n_queue--;
        c->planned.sound -= at < c->planned.sound;
        c->planned.end -= at < c->planned.end;
        c->planned.cursor -= at < c->planned.cursor;
        c->told_up_to -= at < c->told_up_to;
        if (b->counted) {
                b->counted->n_waiting--;
                b->counted->n_untold -= b->untold;
        }
}

/* Ends the claim of a job, or the claim of the leader for all components. */
static void unclaim_with(struct cluster *c, struct job *j) {
        struct job *claims = j->het && j->het->of[0] ? j->het->of[0] : j;

        if (!claims->claim.nodes)
                return;
        job_unclaim(c, claims);
        if (claims != j)
                cluster_job_changed(c, claims);
}

void cluster_queue_remove(struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                remove_bid(c, &j->waiting.bids[i]);
        c->n_pending -= j->waiting.n_bids > 0;
        plan_void(c, j);
        if (j->placed.resv)
                note(c, FACT_RESERVATION_USE);
        unclaim_with(c, j);
        bids_drop(j);
        note(c, FACT_QUEUE_CHANGED); /* may have blocked another job */
}

static int bid_by_order(const void *a, const void *b) {
        struct bid *const *x = a, *const *y = b;

        return bid_order(*x, *y);
}

/* Plans stay in order up to the first job that moved. */
static void sort_queue(struct cluster *c) {
        _cleanup_free_ struct bid **old = xnew(struct bid *, c->n_queue + 1);
        size_t same = 0;

        if (c->n_queue == 0)
                return;
        memcpy(old, c->queue, c->n_queue * sizeof old[0]);
        list_sort(c->queue, c->n_queue, sizeof c->queue[0], bid_by_order);
        while (same < c->n_queue && old[same] == c->queue[same])
                same++;
        if (same == c->n_queue)
                return;
        c->planned.sound = MIN(c->planned.sound, same);
        c->planned.end = c->n_queue;
}

void cluster_queue_resort(struct cluster *c) {
        for (size_t i = 0; i < c->n_queue; i++)
                cluster_queue_rank(c, c->queue[i]->job);
        sort_queue(c);
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->n_waiting = c->partitions[i]->n_untold = 0;
        c->told_up_to = 0;
        for (size_t i = 0; i < c->n_queue; i++)
                cluster_queue_count(c->queue[i]);
        note(c, FACT_QUEUE_CHANGED);
}

/* ---- active jobs ---- */

void cluster_active_insert(struct cluster *c, struct job *j) {
        GROW(c->active, c->a_active, c->n_active);
        j->listed.queue_at = c->n_active;
        c->active[c->n_active++] = j;
        licenses_take(c, j);
        node_sharing_note(c, j);
        c->next_gang = MAX(c->next_gang, j->stopping.gang_at + 1);
        if (j->completing) { /* restored as completing */
                c->n_completing++;
                c->completing_from = MAX(c->completing_from, job_completing_from(j));
        }
        if (job_is_gang_stopped(j))
                cluster_stopped_insert(c, j);
        if (j->array)
                j->array->n_active++;
}

void cluster_stopped_insert(struct cluster *c, struct job *j) {
        note(c, FACT_JOB_STOPPED);
        if (j->stopping.gang_listed)
                return;
        j->stopping.gang_listed = true;
        GROW(c->stopped, c->a_stopped, c->n_stopped);
        c->stopped[c->n_stopped++] = j;
}

static void stopped_remove(struct cluster *c, struct job *j) {
        for (size_t i = 0; j->stopping.gang_listed && i < c->n_stopped; i++)
                if (c->stopped[i] == j) {
                        c->stopped[i] = c->stopped[--c->n_stopped];
                        j->stopping.gang_listed = false;
                }
}

void cluster_active_remove(struct cluster *c, struct job *j) {
        size_t at = j->listed.queue_at;

        assert(at < c->n_active && c->active[at] == j);
        c->active_left++;
        c->n_completing -= j->completing;
        c->active[at] = c->active[--c->n_active];
        c->active[at]->listed.queue_at = at;
        licenses_return(c, j);
        if (j->placed.resv)
                note(c, FACT_RESERVATION_USE);
        stopped_remove(c, j);
        if (!j->array)
                return;
        j->array->n_active--;
        if (j->array->limit)
                note(c, FACT_ARRAY_SLOT_FREED);
}

/* ---- removal ---- */

void cluster_job_remove(struct cluster *c, struct job *j) {
        cluster_job_unlist(c, j);
        struct effect *fx = effects_add(&c->effects, FX_FORGET);
        fx->job = j->id;
        fx->serial = j->array ? array_leave(c, j) : j->id;
        acct_forget(c, j);
        /* the usage of this job could not be computed after a restart */
        c->dirty_usage |= j->accounting.usage_charged && j->running.end_time > c->usage_at;
        job_free(j);
}

void cluster_job_forget(struct cluster *c, struct job *j) {
        struct job *of[HET_MAX] = { j };
        uint32_t n = j->het ? j->het->n : 1;

        if (j->het)
                memcpy(of, j->het->of, n * sizeof of[0]);
        for (uint32_t i = 0; i < n; i++)
                if (of[i])
                        cluster_job_remove(c, of[i]);
}

void victim_spare(struct cluster *c, struct job *v) {
        cluster_log(c, v->id, NULL,
                        "JobId=%u goes on: JobId=%u does not wait for its nodes any more", v->id,
                        v->stopping.preemptor);
        v->stopping.preempt_mode = v->stopping.preemptor = 0;
        v->stopping.preempt_time = v->stopping.grace_end = v->stopping.stop_at = 0;
        v->running.end_time = job_ends_by(v);
        note(c, FACT_JOB_PREEMPTABLE);
        cluster_job_changed(c, v);
}

/* Spares victims not told to end yet, as nodes of j are still booting. */
static void spare_untold(struct cluster *c, const struct job *j) {
        bitset_for_each(i, j->claim.nodes)
                for (size_t k = 0; k < c->nodes[i]->n_jobs; k++)
                        for (uint32_t m = 0; m < job_n_together(c->nodes[i]->jobs[k]); m++) {
                                struct job *v = job_together(c->nodes[i]->jobs[k], m);
                                if (v && v->stopping.preempt_mode && v->stopping.stop_at &&
                                                v->stopping.preemptor == j->id)
                                        victim_spare(c, v);
                        }
}

void job_unclaim(struct cluster *c, struct job *j) {
        if (!j->claim.nodes)
                return;
        if (j->claim.boots)
                spare_untold(c, j);
        j->claim.boots = j->claim.waits = false;
        j->claim.turn = CLAIM_VICTIMS;
        for (size_t i = 0; i < c->n_claims; i++)
                if (c->claims[i] == j) {
                        c->claims[i] = c->claims[--c->n_claims];
                        break;
                }
        note_nodes(c, FACT_CLAIM_ENDED, j->claim.nodes);
        j->claim.nodes = bitset_free(j->claim.nodes);
        j->claim.in = NULL;
        j->claim.tasks = 0;
}
