/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job that must end for a preemptor: chosen -> (warned, GraceTime) -> cancelled or requeued ->
 * nodes released -> the preemptor starts.
 *
 * preempt/preempt.h chooses the victims. From the choice until the release of all nodes, a victim
 * has preempt_mode and preemptor and, while still running, the deadline grace_end. A victim ending
 * by itself in GraceTime counts as preempted all the same. While nodes of the preemptor boot, a
 * victim also has stop_at, the time of the warning, chosen so that the grace time is over when the
 * nodes are up; before stop_at the victim runs like any job. If the preemptor does not wait any
 * more at the end of the grace time, the victim runs on (victim_spare()), although warned. A
 * requeued victim with a better place in the queue than the preemptor (preempt/qos) is delayed, so
 * that the preemptor gets the nodes first.
 *
 * The nodes of a preemptor's victims are kept for the preemptor, as whole nodes, until the last
 * victim is gone (claim). A node released early is not available to a job behind the preemptor nor,
 * until the preemptor's turn has come, to a job before the preemptor if the preemptor would stop
 * the job for the nodes. The whole state is recorded and survives a restart. */
#include "controller/accounts/bids.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"

#include "controller/jobs/alloc.h"
#include "controller/model/het.h"
#include "controller/model/spec.h"

#include <signal.h>

/* Returns whether v is requeued; else v is cancelled. */
static bool victim_is_requeued(const struct job *v) {
        return v->stopping.preempt_mode == PREEMPT_REQUEUE && job_may_run_again(v);
}

/* Warns v: by the user's own signal (--signal), if send_user_signal is set, else by SIGCONT and
   SIGTERM, except to the batch script's shell. */
static void victim_warn(struct cluster *c, struct job *v, bool grace) {
        if (c->config->preempt.send_user_signal && v->asked.warn_signal && !v->running.warned) {
                v->running.warned = true;
                (void)job_signal(c, v, (int)v->asked.warn_signal, STEP_ANY, v->asked.warn_batch,
                                false);
        } else if (grace) {
                (void)job_signal(c, v, SIGCONT, STEP_ANY, false, false);
                (void)job_signal(c, v, SIGTERM, STEP_ANY, false, false);
        }
}

/* Returns whether a component of v's heterogeneous job is in the queue again. */
static bool is_back(const struct job *v) {
        for (uint32_t i = 0; v->het && i < v->het->n; i++)
                if (v->het->of[i] && job_is_queued(v->het->of[i]))
                        return true;
        return false;
}

/* Returns whether v, requeued, would come before j in the queue of the partition j stops v for, and
   get the nodes again before j: with preempt/qos, or if a different component of j stops v. */
static bool stands_before(const struct job *v, const struct job *j) {
        return !is_back(v) && job_order(v, j) < 0;
}

/* Ends v. j: the preemptor as a job of the partition in need of v's nodes; NULL: gone. */
static void victim_terminate(struct cluster *c, struct job *v, const struct job *j, usec_t now) {
        bool rests = j && stands_before(v, j);

        v->stopping.grace_end = 0;
        if (victim_is_requeued(v)) {
                if (rests)
                        v->waiting.not_before = now + REQUEUE_PAUSE;
                enum slumber_error e = job_requeue(c, v, "PREEMPTION", false, now);
                assert(e == SLUMBER_OK);
        } else {
                job_end(c, v, JOB_PREEMPTED, REASON_NONE, "PREEMPTION", now);
        }
}

static void has_until(struct cluster *c, struct job *v, usec_t told, usec_t end) {
        v->stopping.stop_at = told;
        v->stopping.grace_end = end;
        v->running.end_time = job_ends_by(v);
        cluster_job_changed(c, v);
}

bool job_needs_no_grace(const struct job *v) {
        return v->state == JOB_SUSPENDED || v->configuring;
}

void job_preempt(struct cluster *c, struct job *v, const struct job *j, enum preempt_mode mode,
                usec_t grace, usec_t up_by, usec_t now) {
        assert(v->state == JOB_RUNNING || v->state == JOB_SUSPENDED);
        assert(mode == PREEMPT_CANCEL || mode == PREEMPT_REQUEUE);
        v->stopping.preempt_mode = mode;
        v->stopping.preemptor = job_leader(j)->id;
        v->stopping.preempt_time = now;
        /* other components of v's heterogeneous job may need grace time */
        if (job_needs_no_grace(v))
                grace = up_by = 0;
        bool later = up_by > now + grace;
        cluster_log(c, v->id, NULL, "JobId=%u is preempted for JobId=%u: it is to be %s%s%s", v->id,
                        v->stopping.preemptor, victim_is_requeued(v) ? "requeued" : "cancelled",
                        grace ? " after GraceTime" : "",
                        later ? ", when the nodes that boot for that are up" : "");
        if (later) {
                has_until(c, v, up_by - grace, up_by);
                return;
        }
        victim_warn(c, v, grace > 0);
        if (grace)
                has_until(c, v, 0, now + grace);
        else
                victim_terminate(c, v, j, now);
}

/* Returns v's preemptor as a job of the partition v was stopped for or, if unknown, of the last
   partition in the preemptor's list; NULL: gone. room is scratch space. */
static const struct job *preemptor_of(const struct cluster *c, const struct job *v,
                struct job *room) {
        const struct job *j = cluster_job(c, v->stopping.preemptor), *there = j;

        for (size_t i = 0; j && i < j->waiting.n_bids; i++) {
                there = job_in_bid(&j->waiting.bids[i], room);
                if (j->waiting.bids[i].partition == j->claim.in)
                        break;
        }
        return there;
}

static void end_victim(struct cluster *c, struct job *v, usec_t now) {
        struct job room;

        victim_terminate(c, v, preemptor_of(c, v, &room), now);
}

void job_preempt_hasten(struct cluster *c, struct job *v, usec_t up_by, usec_t now) {
        usec_t grace = v->stopping.grace_end - v->stopping.stop_at;

        assert(v->stopping.preempt_mode && v->stopping.stop_at);
        if (up_by > now + grace) {
                if (up_by < v->stopping.grace_end)
                        has_until(c, v, up_by - grace, up_by);
                return;
        }
        cluster_log(c, v->id, NULL, "JobId=%u is told to end for JobId=%u", v->id,
                        v->stopping.preemptor);
        v->stopping.preempt_time = now;
        v->stopping.stop_at = 0;
        victim_warn(c, v, grace > 0);
        if (grace)
                has_until(c, v, 0, now + grace);
        else
                end_victim(c, v, now);
}

/* If v has no GraceTime, v ends when the nodes are up, however late: ending v for nodes that never
   come up would be useless. */
void job_preempt_due(struct cluster *c, struct job *v, usec_t now) {
        const struct job *j = cluster_job(c, v->stopping.preemptor);
        bool grace = v->stopping.grace_end > v->stopping.stop_at;
        usec_t up_by = j && j->claim.nodes && !grace ? nodes_up_by(c, j->claim.nodes, now) : 0;

        if (up_by > now)
                has_until(c, v, up_by + USEC_PER_SEC, up_by + USEC_PER_SEC);
        else
                job_preempt_hasten(c, v, now, now);
}

/* Returns whether v's preemptor still waits: it may be cancelled, held or started elsewhere. */
static bool preemptor_waits(const struct cluster *c, const struct job *v) {
        const struct job *j = cluster_job(c, v->stopping.preemptor);

        return j && job_is_queued(j) && !job_is_held(j);
}

void job_grace_over(struct cluster *c, struct job *v, usec_t now) {
        cluster_log(c, v->id, NULL, "GraceTime of JobId=%u is over", v->id);
        if (preemptor_waits(c, v))
                end_victim(c, v, now);
        else
                victim_spare(c, v);
}

void job_exited(struct cluster *c, struct job *j, uint32_t status, bool out_of_memory, usec_t now) {
        j->running.exit_code = status;
        if (j->stopping.grace_end && !j->stopping.stop_at) {
                cluster_log(c, j->id, NULL, "JobId=%u has ended within its GraceTime", j->id);
                end_victim(c, j, now);
        } else if (out_of_memory) {
                job_end(c, j, JOB_OUT_OF_MEMORY, REASON_OUT_OF_MEMORY, NULL, now);
        } else if (j->asked.batch && job_requeue_for_exit(c, j, status, now)) {
                return;
        } else if (status == 0) {
                job_end(c, j, JOB_COMPLETED, REASON_NONE, NULL, now);
        } else {
                job_end(c, j, JOB_FAILED,
                                status & 0x7f ? REASON_RAISED_SIGNAL : REASON_NON_ZERO_EXIT, NULL,
                                now);
        }
}

/* ---- suspended jobs ---- */

/* USEC_INFINITY: unknown */
static usec_t job_expected_end(const struct job *w, usec_t now) {
        usec_t ran = job_run_time(w, now), end = USEC_INFINITY;

        if (w->needs.time_limit != NO_LIMIT)
                end = now + (w->needs.time_limit > ran ? w->needs.time_limit - ran : 0);
        return w->stopping.grace_end ? MIN(end, w->stopping.grace_end) : end;
}

/* Returns whether w's time slice comes before v's in the gang's list: w waits, or fills in, before
   v. */
static bool slice_is_before(const struct job *v, const struct job *w) {
        bool waits = w->state == JOB_RUNNING ? w->stopping.gang_filler
                                             : job_is_gang_stopped(w) && !w->stopping.gang_next;

        return w != v && waits && !w->completing && w->partition == v->partition &&
               (w->stopping.gang_at != v->stopping.gang_at
                                               ? w->stopping.gang_at < v->stopping.gang_at
                                               : w->id < v->id);
}

/* Returns the largest number of jobs before v sharing a single unit of v on the node. */
static size_t most_before(const struct job *v, const struct job_node *on) {
        const struct node *n = on->node;
        _cleanup_free_ size_t *before = xnew0(size_t, n->units + 1);
        size_t most = 0;

        for (size_t k = 0; k < n->n_jobs; k++) {
                const struct job *w = n->jobs[k];
                const struct job_node *jn = slice_is_before(v, w) ? job_node_find(w, n) : NULL;
                if (!jn || jn->done)
                        continue;
                job_for_each_unit(u, w, jn)
                        before[u]++;
        }
        job_for_each_unit(u, v, on)
                most = MAX(most, before[u]);
        return most;
}

/* Returns the number of time slices before v's on the node once the present slice is over. */
static size_t slices_before(const struct cluster *c, const struct job *v,
                const struct job_node *on) {
        const struct node *n = on->node;
        uint32_t cpus = on->cpus;

        if (!alloc_counts_cpus(c))
                return most_before(v, on);
        for (size_t k = 0; k < n->n_jobs; k++)
                cpus += slice_is_before(v, n->jobs[k]) ? job_node_find(n->jobs[k], n)->cpus : 0;
        return cpus ? (cpus - 1) / MAX(1u, node_job_cpus(n)) : 0;
}

/* A job that keeps a suspended job from resuming on a node. */
struct in_way {
        const struct job *job;
        usec_t end; /* expected end of the job or of its time slice */
        uint32_t cpus;
};

static int in_way_compare(const void *a, const void *b) {
        const struct in_way *x = a, *y = b;

        if (x->end != y->end)
                return x->end < y->end ? -1 : 1;
        return x->cpus > y->cpus ? -1 : x->cpus < y->cpus;
}

/* When w is expected to leave its units to v. turn: the begin of v's next time slice; 0: v's
   partition has no time slices now. */
static usec_t gives_way_at(const struct job *v, const struct job *w, usec_t turn, usec_t now) {
        bool slices = w->partition == v->partition && !w->stopping.no_suspend && !job_is_het(w);

        if (w->completing)
                return now;
        return slices && turn ? turn : job_expected_end(w, now);
}

/* Returns whether w keeps v from resuming on n: w uses v's units (or CPUs, if only the number of
   CPUs counts), or is next to use the units once all jobs in the way are frozen. */
static bool is_in_way(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n) {
        bool keeps = w->state != JOB_SUSPENDED || w->stopping.gang_next || w->completing;

        return w != v && keeps && (alloc_counts_cpus(c) || alloc_in_the_way(c, v, w, n));
}

/* Returns whether w, in a higher PriorityTier, may use memory given by v on the node. */
static bool may_have_memory(const struct job *v, const struct job_node *on, const struct job *w) {
        return w != v && !w->completing && (on->given || on->asked) &&
               job_node_find(w, on->node)->memory &&
               w->partition->priority_tier > v->partition->priority_tier;
}

/* Returns a job not yet frozen on all nodes, so that v, next to resume, has to wait; NULL if
   none. */
static const struct job *awaits_freeze(const struct cluster *c, const struct job *v) {
        const struct job *frozen = v; /* the last job found frozen: large jobs share many nodes */

        for (size_t i = 0; v->stopping.gang_next && i < v->placed.n_alloc; i++) {
                const struct node *n = v->placed.alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++) {
                        const struct job *w = n->jobs[k];
                        if (w == v || w == frozen ||
                                        (!alloc_counts_cpus(c) && !alloc_in_the_way(c, v, w, n)))
                                continue;
                        if (!job_is_stopped_everywhere(w))
                                return w;
                        frozen = w;
                }
        }
        return NULL;
}

/* Sets *ret_job and *last to the job whose end gives v room on that node, and to the time of the
   end, if later than *last. */
static void stopped_on(const struct cluster *c, const struct job *v, const struct job_node *on,
                usec_t now, uint32_t *ret_job, usec_t *last) {
        const struct node *n = on->node;
        _cleanup_free_ struct in_way *list = xnew(struct in_way, n->n_jobs + 1);
        usec_t turn = v->partition->slice_at;
        uint64_t cpus = on->cpus;
        size_t n_list = 0, last_of = SIZE_MAX;

        if (turn)
                turn += slices_before(c, v, on) * c->config->scheduler_time_slice;
        for (size_t k = 0; k < n->n_jobs; k++) {
                const struct job *w = n->jobs[k];
                bool memory = may_have_memory(v, on, w);
                if (!memory && !is_in_way(c, v, w, n))
                        continue;
                /* v gets the memory back only after the end of every job with possible use of the
                   memory. */
                list[n_list++] = (struct in_way){ .job = w,
                        .end = gives_way_at(v, w, turn, now),
                        .cpus = memory ? UINT32_MAX : job_node_find(w, n)->cpus };
                cpus += list[n_list - 1].cpus;
        }
        list_sort(list, n_list, sizeof list[0], in_way_compare);
        for (size_t i = 0; i < n_list; cpus -= list[i++].cpus) {
                if (alloc_counts_cpus(c) && cpus <= node_job_cpus(n))
                        break;
                if (last_of == SIZE_MAX || list[last_of].end < list[i].end)
                        last_of = i;
        }
        if (last_of == SIZE_MAX || (*ret_job && list[last_of].end <= *last))
                return;
        *ret_job = list[last_of].job->id;
        *last = list[last_of].end;
}

void job_stopped_for(const struct cluster *c, const struct job *v, usec_t now, uint32_t *ret_job,
                usec_t *ret_until) {
        const struct job *freezes;
        usec_t last = 0;

        *ret_job = 0;
        *ret_until = 0;
        for (uint32_t k = 0; k < job_n_together(v); k++) {
                const struct job *m = job_together((struct job *)(uintptr_t)v, k);
                for (size_t i = 0; m && job_is_gang_stopped(m) && i < m->placed.n_alloc; i++)
                        if (!m->placed.alloc[i].done)
                                stopped_on(c, m, &m->placed.alloc[i], now, ret_job, &last);
        }
        if (!*ret_job && (freezes = awaits_freeze(c, v))) {
                *ret_job = freezes->id;
                last = now;
        }
        *ret_until = last == USEC_INFINITY ? 0 : last;
}

/* ---- claims: nodes kept for the preemptor ---- */

/* Returns whether the preemptor has victims on nodes, but (may be NULL) not counted. */
static bool has_victims(const struct cluster *c, uint32_t preemptor, const struct job *but) {
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i] != but && !c->active[i]->running.off_nodes &&
                                c->active[i]->stopping.preempt_mode &&
                                c->active[i]->stopping.preemptor == preemptor)
                        return true;
        return false;
}

void job_claim(struct cluster *c, struct job *j, const struct bitset *nodes) {
        j->claim.waits = false;
        j->claim.turn = CLAIM_VICTIMS;
        if (j->claim.nodes) {
                bitset_or(j->claim.nodes, nodes);
                return;
        }
        j->claim.nodes = bitset_copy(nodes);
        GROW(c->claims, c->a_claims, c->n_claims);
        c->claims[c->n_claims++] = j;
}

void job_claim_until_pass(struct cluster *c, struct job *j, const struct bitset *nodes) {
        bool waits = !j->claim.nodes || j->claim.waits || j->claim.turn != CLAIM_VICTIMS;

        job_claim(c, j, nodes);
        j->claim.waits = waits;
}

const struct job *node_claimed_by(const struct cluster *c, const struct node *n) {
        for (size_t i = 0; i < c->n_claims; i++)
                if (bitset_has(c->claims[i]->claim.nodes, n->index))
                        return c->claims[i];
        return NULL;
}

void claims_renew(struct cluster *c) {
        for (size_t i = c->n_claims; i-- > 0;)
                if (c->claims[i]->claim.waits)
                        job_unclaim(c, c->claims[i]);
                else if (c->claims[i]->claim.turn == CLAIM_FREE)
                        c->claims[i]->claim.turn = CLAIM_TURN;
}

static void claim_drop(struct cluster *c, struct job *j) {
        job_unclaim(c, j);
        cluster_job_changed(c, j);
}

void claims_end(struct cluster *c) {
        for (size_t i = c->n_claims; i-- > 0;)
                if (c->claims[i]->claim.turn == CLAIM_TURN)
                        claim_drop(c, c->claims[i]);
}

static void claim_is_free(struct cluster *c, struct job *j) {
        j->claim.turn = CLAIM_FREE;
        note_nodes(c, FACT_CLAIM_ENDED, j->claim.nodes);
}

void claim_settle(struct cluster *c, struct job *j) {
        if (j->claim.nodes && !j->claim.waits && j->claim.turn == CLAIM_VICTIMS &&
                        !has_victims(c, j->id, NULL))
                claim_is_free(c, j);
}

void claims_settle(struct cluster *c) {
        for (size_t i = 0; i < c->n_active; i++) {
                struct job *j = c->active[i]->stopping.stop_at
                                                ? cluster_job(c, c->active[i]->stopping.preemptor)
                                                : NULL;
                if (j && j->claim.nodes)
                        j->claim.boots = true;
        }
        for (size_t i = c->n_claims; i-- > 0;)
                claim_settle(c, c->claims[i]);
}

/* ---- nodes of claims that boot ---- */

enum claim_nodes { NODES_UP, NODES_BOOT, NODES_FAILED };

/* Judges nodes without jobs; nodes of victims may be drained. */
static enum claim_nodes look_at_nodes(const struct cluster *c, const struct bitset *nodes) {
        enum claim_nodes ret = NODES_UP;

        bitset_for_each(i, nodes) {
                const struct node *n = c->nodes[i];
                if (n->n_jobs == 0 && !node_is_schedulable(n) && n->power != NODE_POWERING_DOWN)
                        return NODES_FAILED;
                if (!node_is_ready(n))
                        ret = NODES_BOOT;
        }
        return ret;
}

void claim_wake(struct cluster *c, const struct job *j) {
        bitset_for_each(i, j->claim.nodes)
                if (node_lacks_power(c->nodes[i]))
                        bitset_add(c->to_resume, i);
}

static void tell_victims_of(struct cluster *c, const struct job *j, usec_t now) {
        for (size_t i = c->n_active; i-- > 0; i = MIN(i, c->n_active)) {
                struct job *v = c->active[i];
                if (v->stopping.preempt_mode && v->stopping.stop_at &&
                                v->stopping.preemptor == j->id)
                        job_preempt_hasten(c, v, now, now);
        }
}

void claims_review(struct cluster *c, usec_t now) {
        for (size_t i = c->n_claims; i-- > 0; i = MIN(i, c->n_claims)) {
                struct job *j = c->claims[i];
                if (!j->claim.boots)
                        continue;
                switch (look_at_nodes(c, j->claim.nodes)) {
                case NODES_UP:
                        j->claim.boots = false;
                        tell_victims_of(c, j, now);
                        break;
                case NODES_FAILED:
                        job_unclaim(c, j);
                        break;
                case NODES_BOOT:
                        claim_wake(c, j);
                        break;
                }
        }
}

void job_victim_gone(struct cluster *c, const struct job *v) {
        struct job *j = v->stopping.preempt_mode ? cluster_job(c, v->stopping.preemptor) : NULL;

        if (j && j->claim.nodes && !has_victims(c, j->id, v))
                claim_is_free(c, j);
}
