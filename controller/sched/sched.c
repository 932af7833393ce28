/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over the queue, by highest tier and priority first. The first job of a partition that
 * must wait blocks later jobs of the partition (reason Priority) and keeps the partition's nodes
 * from partitions of lower tiers; backfill then starts small jobs without delaying the first job. A
 * job waiting in a reservation blocks later jobs of its partition in the same reservation. A job
 * waiting for particular nodes or features blocks no job.
 *
 * A pass over a long queue without changes must be cheap. Therefore
 * - the pass ends when no job is left of a partition still open (left), unless reasons may
 *   have changed (FOLLOW_REASONS);
 * - jobs of a partition that is down get their reason once;
 * - a request equal to the last refused request is not tried again: within a pass, only
 *   preemption frees resources.
 *
 * A pass must not hold up requests to the controller either. An expensive pass is interrupted in
 * the middle of the queue and continued in the next turn; no further decision is made before the
 * end. If a change may let an already considered job start, a new pass begins instead, with twice
 * the work that the old pass spent on jobs that did not start: a pass reaches the end however many
 * changes arrive.
 *
 * A pass may request another pass. A victim without processes may be gone already; a job that has
 * started may leave no room in the limits for jobs with kept nodes, or may have had nodes kept in
 * another of its partitions. The sequence ends: each of these passes takes a job off its nodes (a
 * victim requeued ahead of its preemptor is delayed, job_preempt.c), or takes a plan or a
 * partition's nodes from a job that does not get either back by the pass, or needs neither. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/usage.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/backfill.h"

static bool pass_start_job(struct pass *p, const struct job *j, struct placement *where) {
        for (size_t i = 0; where->n_victims && i < p->c->n_partitions; i++)
                p->of[i].refused.n = p->of[i].forbidden.n = 0;
        /* No new pass: later jobs see the remaining nodes, which were too few for earlier jobs.
           Nodes kept for j in another of its partitions are the exception
           (sched_has_stale_claims()). */
        follows_ignore(p->c, FOLLOW_PASS);
        bool lifts = backfill_may_lift(p->c, j, where->nodes, p->now);
        bool starts = sched_start(p->c, j, where, STARTER_PASS, p->now);
        follows_heed(p->c);
        if (starts && lifts)
                backfill_lift(p->c, p->now);
        return starts;
}

/* Places j on nodes not kept for further jobs; failing that, or without power for the place, a job
   whose planned start has come may also use nodes kept for jobs behind it. */
static int place_now(const struct pass *p, const struct job *j, const struct bitset *usable,
                struct period when, struct placement *ret) {
        int r = place(p->c, j, usable ? usable : p->usable, when, PLACE_FREE, ret);
        const struct job_plan *plan = job_itself(j)->waiting.plan;

        if (r >= 0 || !usable || !plan || plan->start > p->now)
                return r;
        _cleanup_(bitset_freep) struct bitset *more = pass_usable_for(p, j, true, &when);
        if (!more || bitset_equal(more, usable))
                return r;
        struct placement where = { 0 };
        int with_more = place(p->c, j, more, when, PLACE_FREE, &where);
        if (with_more < 0 && r == -EDQUOT)
                return r;
        *ret = where;
        return with_more;
}

/* Returns whether j's request equals the partition's last refused request. */
static bool was_refused(struct pass *p, const struct job *j) {
        const struct request *refused = &p->of[j->partition->index].refused;

        if (refused->n == 0)
                return false;
        request_of(&p->asked, p->c, j, true);
        return request_same(refused, &p->asked);
}

/* Returns whether j's request, including all inputs of limits, equals the partition's last request
   forbidden by a limit. */
static bool pass_was_forbidden(struct pass *p, const struct job *j) {
        const struct request *forbidden = &p->of[j->partition->index].forbidden;

        if (forbidden->n == 0)
                return false;
        request_with_limits(&p->asked, p->c, j);
        return request_same(forbidden, &p->asked);
}

/* Sets the reason of j, for which a limit forbids every place. j blocks no job. On nodes that
   cannot be resumed now j might be within the limit: the brake's next probe is requested. */
static void set_forbidden(struct pass *p, const struct job *j, const struct placement *where) {
        struct queue *q = &p->of[j->partition->index];

        request_with_limits(&q->forbidden, p->c, j);
        q->limit = where->limit;
        (void)pass_awaits_brake(p, j);
        p->again = where->limit_again ? MIN(p->again, where->limit_again) : p->again;
        pass_tell(p, j, where->limit, NULL);
}

/* Searches a place by preemption. Nodes kept for jobs behind j are used rather than preempting a
   running job. */
static int pass_force(struct pass *p, const struct job *j, struct placement *ret) {
        struct period when;
        _cleanup_(bitset_freep) struct bitset *usable = pass_usable_for(p, j, true, &when);

        return sched_force(p->c, j, usable ? usable : p->usable, when, p->known, ret);
}

/* Preempts for j after the error r of place(); returns r if preemption does not help either. */
static int force_or(struct pass *p, const struct job *j, int r, struct placement *where) {
        struct placement by_force = { 0 };
        int forced = pass_force(p, j, &by_force);

        if (forced == -EBUSY)
                return r;
        *where = by_force;
        return forced;
}

/* Preempts holders of licenses for j (reclaim_licenses). If j lacks only layers of hierarchical
   resources, the victims are chosen together with the nodes, as the layers must cover j's nodes. */
static void pass_reclaim_licenses(struct pass *p, const struct job *j) {
        struct placement where = { 0 };
        struct period when;

        if (pass_reclaims_layers(p, j, &(size_t){ 0 })) {
                (void)pass_force(p, j, &where);
                placement_done(&where);
                return;
        }
        _cleanup_(bitset_freep) struct bitset *left = pass_usable_for(p, j, true, &when);
        sched_reclaim(p->c, j, left ? left : p->usable, when, p->kept);
}

/* Returns whether j does not fit on the nodes even if all are idle and in service. Possible
   although j was admitted: the nodes have changed since, or a limit kept admission from
   checking. */
static bool job_could_never_run(const struct pass *p, const struct job *j) {
        struct bid *b = j->waiting.current;

        if (b->never_as_of != p->c->nodes_as_of) {
                _cleanup_(bitset_freep) struct bitset *all = bitset_new(p->c->n_nodes);
                struct placement where = { 0 };

                bitset_fill(all);
                _cleanup_(hres_room_freep) struct hres_room *room = licenses_room_ever(p->c, j);
                b->never = place(p->c, j, all, (struct period){ .room = room }, PLACE_EVER,
                                           &where) < 0;
                b->never_as_of = p->c->nodes_as_of;
                placement_done(&where);
        }
        return b->never;
}

/* Starts j on the place found, or sets its reason by the error r; true: started. */
static bool start_or_tell(struct pass *p, const struct job *j, int r, struct placement *where) {
        struct queue *q = &p->of[j->partition->index];

        /* not recorded as refused: an equal request may have different victims */
        if (r == -EINPROGRESS) {
                pass_set_waiting(p, j, -EBUSY);
        } else if (r == -EDQUOT && where->awaits_power) {
                pass_set_unpowered(p, j);
        } else if (r == -EDQUOT) {
                set_forbidden(p, j, where);
        } else if (r < 0) {
                request_of(&q->refused, p->c, j, true);
                q->refusal = job_could_never_run(p, j) ? NEVER : r;
                pass_set_waiting(p, j, q->refusal);
        } else if (sched_waits_for_switches(p->c, j, where, p->now) ||
                        !pass_start_job(p, j, where)) {
                pass_set_waiting(p, j, -EBUSY);
        } else {
                return true;
        }
        return false;
}

static bool try_in_room(struct pass *p, const struct job *j) {
        struct cluster *c = p->c;
        struct queue *q = &p->of[j->partition->index];
        struct placement where = { 0 };
        struct period when;
        size_t license = 0;

        job_itself(j)->waiting.last_sched_eval = p->now;
        if (was_refused(p, j)) {
                pass_set_waiting(p, j, q->refusal);
                return false;
        }
        if ((j->needs.licenses || j->needs.hres) &&
                        !licenses_free(c, j, p->now, false, p->kept, &license)) {
                pass_tell(p, j, REASON_LICENSES, NULL);
                if (c->config->preempt.reclaim_licenses && preempt_is_possible(c, j))
                        pass_reclaim_licenses(p, j);
                return false;
        }
        if (pass_was_forbidden(p, j)) {
                pass_tell(p, j, q->limit, NULL);
                return false;
        }
        _cleanup_(bitset_freep) struct bitset *usable = pass_usable_for(p, j, false, &when);
        int r = place_now(p, j, usable, when, &where);

        if ((r == -EBUSY || r == -EDQUOT) && preempt_is_possible(c, j))
                r = force_or(p, j, r, &where);
        if (pass_lacks_layers(p, j, usable, when, r)) {
                pass_tell(p, j, REASON_LICENSES, NULL);
                return false;
        }
        if (r == -ENOENT && usable &&
                        (!j->needs.req_nodes || bitset_contains(p->usable, j->needs.req_nodes)))
                /* the missing nodes are only kept for further jobs */
                r = -EBUSY;
        if (r == -EBUSY)
                r = pass_reserved_or(p, j, usable, r);
        where.license = license;
        if (r >= 0)
                r = place_heed_license_limits(c, j, p->now, pass_license_is_left, p, &where);
        bool started = start_or_tell(p, j, r, &where);
        placement_done(&where);
        return started;
}

static bool try_start(struct pass *p, const struct job *j) {
        p->room = licenses_room(p->c, j, p->now, false, p->kept, NULL);
        bool started = try_in_room(p, j);
        p->room = hres_room_free(p->room);
        return started;
}

/* Tries j in each of its reservations, and outside of all reservations, unless a job waits there
   ahead of j. */
static bool try_choices(struct pass *p, const struct job *j) {
        struct resv *of[RESV_CHOICES_MAX];
        size_t n = p->c->resvs.n ? resv_choices(p->c, j, false, p->now, of) : (of[0] = NULL, 1);
        bool started = false;
        struct job room;

        for (size_t i = 0; !started && i < n; i++) {
                const struct job *there = job_in_resv(j, of[i], &room);
                if (pass_is_behind(p, there))
                        pass_tell_turn(p, there);
                else
                        started = try_start(p, there);
        }
        return started;
}

/* Ends the consideration of all later jobs in this pass. */
static void close_all(struct pass *p) {
        for (size_t i = 0; i < p->n_partitions; i++)
                pass_close_queue(p, &p->of[i]);
}

/* Considers j in one of its partitions; true: j has started. */
static bool pass_consider_job(struct pass *p, const struct job *j) {
        struct queue *q = &p->of[j->partition->index];
        struct job *itself = job_itself(j);
        enum job_reason why;

        p->awaits_power = false;
        if (q->left && !p->het) {
                q->left--;
                p->left--;
        }
        if (backfill_awaits(p->c, j)) {
                close_all(p);
                return false;
        }
        if (job_is_het(j))
                return pass_consider_het(p, j);
        why = pass_hindrance(p, j);
        if (why != REASON_NONE) {
                pass_tell(p, j, why, NULL);
                pass_keep_licenses(p, j);
                if (bid_plan(j->waiting.current) && pass_ends_plan(p, j, why))
                        plan_void(p->c, itself);
                return false;
        }
        bool started = !sched_awaits_victims(j) && try_choices(p, j);
        if (!started)
                pass_keep_licenses(p, j);
        if (started && itself->waiting.n_bids) { /* the rest of the array is still queued */
                q->left++;
                p->left++;
        }
        return started;
}

/* Considers bid b. true: the job, or a task, has started; *ret: how many removed bids were ahead of
   b in the queue. */
static bool pass_consider_bid(struct pass *p, struct bid *b, size_t *ret) {
        struct job *j = b->job, room;
        struct queue *q = &p->of[b->partition->index];

        *ret = 0;
        if (b->untold) {
                b->untold = false;
                b->counted->n_untold--;
        }
        for (size_t i = 0; j->waiting.n_bids > 1 && i < j->waiting.n_bids; i++)
                *ret += bid_order(&j->waiting.bids[i], b) < 0;
        for (uint32_t k = 1; j->het && k < j->het->n; k++)
                for (size_t i = 0; j->het->of[k] && i < j->het->of[k]->waiting.n_bids; i++)
                        *ret += bid_order(&j->het->of[k]->waiting.bids[i], b) < 0;
        /* a held job got its reason when held */
        bool started = b->counted && pass_consider_job(p, job_in_bid(b, &room));
        if (started && !j->waiting.n_bids && pass_let_go(p, j, b))
                note(p->c, FACT_PLAN_MOVED);
        if (q->passed == j)
                pass_close_queue(p, q);
        return started;
}

/* Cost of considering a job, and of starting a job, in addition to the nodes examined. */
enum { JOB_LOOKS = 10, START_LOOKS = 100 };

/* Considers the jobs in queue order; false: at most `most` nodes were examined, and the next turn
   continues. */
static bool walk_queue(struct pass *p, uint64_t most) {
        struct cluster *c = p->c;
        uint64_t from = c->slices.looked;

        p->until = usec_after(from, most);
        while (p->at < c->n_queue && (p->left || p->cut || c->resvs.n || p->reasons)) {
                const struct job *j = c->queue[p->at]->job;
                uint64_t before = c->slices.looked;
                size_t ahead;

                if (c->slices.looked >= p->until)
                        return false;
                if (p->only_untold && !c->queue[p->at]->untold) {
                        c->slices.looked++;
                        p->at++;
                        continue;
                }
                p->cut = false;
                p->het = p->het == j->id ? p->het : 0;
                bool started = pass_consider_bid(p, c->queue[p->at], &ahead);
                c->counts.looked++;
                c->slices.looked += started ? START_LOOKS : JOB_LOOKS;
                p->without_start += started ? 0 : c->slices.looked - before;
                if (p->cut)
                        return false;
                if (!started)
                        p->at++;
                else if (!j->waiting.n_bids) /* the remaining tasks of an array are still queued */
                        p->at -= ahead;
        }
        return true;
}

/* ---- slices ---- */

static void pass_free(struct pass *p) {
        if (!p)
                return;
        for (size_t i = 0; i < p->n_partitions; i++) {
                request_done(&p->of[i].refused);
                request_done(&p->of[i].forbidden);
                free(p->of[i].out);
        }
        request_done(&p->asked);
        for (size_t i = 0; i < p->n_told; i++)
                request_done(&p->told[i].of);
        free(p->told);
        free(p->of);
        free(p->held);
        free(p->kept);
        bitset_free(p->usable);
        bitset_free(p->all);
        preempt_known_free(p->known);
        free(p);
}

static struct pass *pass_new(struct cluster *c) {
        struct pass *p = xnew0(struct pass, 1);

        p->c = c;
        p->n_partitions = c->n_partitions;
        p->n_licenses = c->licenses.n;
        p->clock_set = c->clock_set;
        p->of = xnew0(struct queue, c->n_partitions + 1);
        p->kept = xnew0(uint32_t, c->licenses.n + 1);
        p->again = USEC_INFINITY;
        p->reasons = follows_take(c, FOLLOW_REASONS);
        p->only_untold = !p->reasons && !c->resvs.n;
        for (size_t i = 0; i < c->n_partitions; i++) {
                struct partition *part = c->partitions[i];
                bool starts = part->state & PARTITION_SCHED,
                     told = part->told && !starts && !p->reasons;

                p->of[i].left = told ? part->n_untold : part->n_waiting;
                p->only_untold &= told || !part->n_waiting;
                part->told = !starts; /* true at the end of this pass */
                p->left += p->of[i].left;
        }
        p->at = p->only_untold ? c->told_up_to : 0;
        claims_renew(c);
        (void)follows_take(c, FOLLOW_PASS);
        return p;
}

/* Returns whether the interrupted pass may continue: no change since may let a job start. */
static bool may_go_on(const struct pass *p) {
        const struct cluster *c = p->c;

        return !follows(c, FOLLOW_PASS | FOLLOW_REASONS) && p->n_partitions == c->n_partitions &&
               p->n_licenses == c->licenses.n && p->clock_set == c->clock_set;
}

/* Drops the interrupted pass; later jobs have not got their reason yet. */
static void pass_drop(struct pass *p) {
        struct cluster *c = p->c;
        bool cut = p->reasons;

        for (size_t i = 0; i < c->n_partitions; i++) {
                c->partitions[i]->told = false;
                cut |= i < p->n_partitions && p->of[i].passed;
        }
        if (cut)
                note(c, FACT_PASS_CUT);
        pass_free(p);
}

/* Prepares the pass for this turn from the present state of the nodes. */
static void pass_refresh_nodes(struct pass *p, usec_t now) {
        struct cluster *c = p->c;

        p->now = now;
        bitset_free(p->usable);
        bitset_free(p->all);
        preempt_known_free(p->known);
        p->usable = sched_usable(c);
        p->all = bitset_copy(p->usable);
        p->known = preempt_known_new(c);
        if (c->config->preempt.reclaim_licenses)
                preempt_known_count_layers(p->known, pass_room_without, p);
        for (size_t i = 0; i < c->n_partitions; i++)
                if (p->of[i].blocked)
                        bitset_minus(p->usable, c->partitions[i]->nodes);
        if (acct_counts_minutes(&c->acct))
                usage_refresh(c, now);
}

/* Returns the interrupted pass, or a new pass; *ret: the work allowed in this turn. */
static struct pass *take_up(struct cluster *c, bool whole, uint64_t *ret) {
        struct pass *p = TAKE(c->slices.pass);

        *ret = whole ? UINT64_MAX : LOOKS_MAX;
        if (p && !whole && may_go_on(p))
                return p;
        if (p && !whole)
                *ret = MAX(*ret, 2 * p->without_start);
        if (p)
                pass_drop(p);
        return pass_new(c);
}

/* Returns whether every job in a partition that starts no jobs has got its reason. */
static bool all_are_told(const struct cluster *c) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_partitions; i++)
                n += c->partitions[i]->told ? c->partitions[i]->n_untold : 0;
        return n == 0;
}

void sched_pass(struct cluster *c, usec_t now, bool whole) {
        uint64_t most;
        struct pass *p = take_up(c, whole, &most);

        c->counts.passes++;
        pass_refresh_nodes(p, now);
        bool through = walk_queue(p, most);
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->kept_for = p->of[i].holder ? p->of[i].holder->id : 0;
        if (sched_has_stale_claims(c, now) || (through && pass_holds_for_nobody(p)))
                note(c, FACT_PLAN_MOVED);
        if (!through) {
                c->slices.pass = p;
                c->slices.pass_free = pass_free;
                return;
        }
        c->told_up_to = all_are_told(c) ? c->n_queue : 0;
        claims_end(c);
        sched_come_back(c, p->again, now);
        pass_free(p);
        if (sched_drops_plans(c, now))
                note(c, FACT_PLAN_MOVED);
}
