/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass at a heterogeneous job: all components start in the leader's turn, or no component does.
   Each way (het.c) is tried in turn; the last way decides about the reason. */
#include "controller/sched/pass.h"

#include "controller/accounts/bids.h"
#include "controller/jobs/het_wait.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/backfill.h"

/* Determines the nodes, licenses and hierarchical resources available to each component. Returns
   why a component (*ret_of) must not be tried; REASON_NONE: all may be tried. */
static enum job_reason look_at_way(struct pass *p, struct het_way *w, bool force, size_t *ret_of) {
        enum job_reason why = REASON_NONE;

        for (size_t i = 0; i < w->n && why == REASON_NONE; i++) {
                struct together *o = &w->of[i];
                *ret_of = i;
                why = pass_hindrance(p, o->j);
                if (why == REASON_NONE && (o->j->needs.licenses || o->j->needs.hres) &&
                                !licenses_free(p->c, o->j, p->now, false, p->kept,
                                                &w->license[i]) &&
                                !pass_reclaims_layers(p, o->j, &w->license[i]))
                        why = REASON_LICENSES;
                if (why != REASON_NONE)
                        break;
                o->usable = pass_usable_for(p, o->j, force, &o->when);
                if (!o->usable)
                        o->usable = bitset_copy(p->usable);
                o->when.room = o->room = licenses_room(p->c, o->j, p->now, false, p->kept, NULL);
        }
        return why;
}

/* Checks licenses and switches after the placement. -EDQUOT: a limit forbids every license of a
   list with "|"; -EBUSY: component *ret_of, or some component, waits for fewer switches. */
static int way_check_placed(struct pass *p, struct het_way *w, size_t *ret_of) {
        for (size_t i = 0; i < w->n; i++) {
                struct together *o = &w->of[i];
                *ret_of = i;
                o->where.license = w->license[i];
                int r = place_heed_license_limits(p->c, o->j, p->now, pass_license_is_left, p,
                                &o->where);
                if (r < 0)
                        return r;
        }
        for (size_t i = 0; i < w->n; i++)
                if (sched_waits_for_switches(p->c, w->of[i].j, &w->of[i].where, p->now))
                        return -EBUSY;
        return 0;
}

static void block_reservations(struct pass *p, const struct job *j) {
        size_t n = p->c->resvs.n ? het_ways(p->c, j, HET_NOW, p->now) : 0;

        for (size_t which = 0; which < n; which++) {
                _cleanup_(het_way_done) struct het_way w = het_way(p->c, j, which, HET_NOW, p->now);
                for (size_t i = 0; i < w.n; i++)
                        if (w.of[i].j->placed.resv && pass_holds_others_up(p, w.of[i].j))
                                pass_block(p, w.of[i].j);
        }
}

/* Blocks later jobs for each component of j in way w, the last way, and in the reservations of all
   ways. */
static void block_all(struct pass *p, const struct job *j, const struct het_way *w) {
        for (size_t i = 0; i < w->n; i++)
                if (pass_holds_others_up(p, w->of[i].j))
                        pass_block(p, w->of[i].j);
        block_reservations(p, j);
}

/* Interrupts the job's turn; the next turn of the controller continues with this way. */
static void pass_interrupt(struct pass *p, const struct job *j, size_t ways) {
        p->het = j->id;
        p->ways = ways;
        p->cut = true;
}

/* het_could_never_run(), repeated if the pass may not be interrupted. -EAGAIN: the next turn
   continues. */
static int pass_het_could_never_run(struct pass *p, const struct job *j) {
        int r;

        do
                r = het_could_never_run(p->c, j, p->now);
        while (r == -EAGAIN && p->until == UINT64_MAX);
        return r;
}

/* Sets the reason of component `of`, with error r in way w, and blocks later jobs; false: the
   reason is known only in the next turn. */
static bool tell_together(struct pass *p, const struct job *j, const struct het_way *w, int r,
                size_t of) {
        const struct job *v = w->of[of].j;
        const struct placement *where = &w->of[of].where;
        int never = r == -EDQUOT || r == -EINPROGRESS ? 0 : pass_het_could_never_run(p, j);

        if (never < 0)
                return false;
        if (r == -EDQUOT && where->awaits_power) {
                pass_set_unpowered(p, v);
        } else if (r == -EDQUOT) {
                p->again = where->limit_again ? MIN(p->again, where->limit_again) : p->again;
                for (size_t i = 0; i < w->n; i++)
                        (void)pass_awaits_brake(p, w->of[i].j);
                pass_tell(p, v, where->limit, NULL);
                if (p->lacks_room)
                        block_reservations(p, j);
                return true;
        } else if (never) {
                pass_set_waiting(p, v, NEVER);
                return true;
        } else {
                pass_set_waiting(p, v, r == -EINPROGRESS ? -EBUSY : r);
        }
        if (pass_holds_others_up(p, v))
                block_all(p, j, w);
        return true;
}

static void start_way(struct pass *p, struct het_way *w) {
        bool lifts = false;

        for (size_t i = 0; i < p->c->n_partitions; i++)
                p->of[i].refused.n = p->of[i].forbidden.n = 0;
        for (size_t i = 0; i < w->n; i++)
                lifts |= backfill_may_lift(p->c, w->of[i].j, w->of[i].where.nodes, p->now);
        follows_ignore(p->c, FOLLOW_PASS);
        sched_start_together(p->c, w->of, w->n, STARTER_PASS, p->now);
        follows_heed(p->c);
        if (lifts)
                backfill_lift(p->c, p->now);
}

static bool way_may_stop_others(const struct pass *p, const struct het_way *w) {
        for (size_t i = 0; i < w->n; i++)
                if (preempt_is_possible(p->c, w->of[i].j))
                        return true;
        return false;
}

/* Preempts for the components after the error r of place_together(); returns r if preemption does
   not help. */
static int force_way_or(struct pass *p, struct het_way *w, int r) {
        for (size_t i = 0; i < w->n; i++) {
                struct bitset *left = pass_usable_for(p, w->of[i].j, true, &w->of[i].when);
                bitset_assign(w->of[i].usable, left ? left : p->usable);
                bitset_free(left);
                w->of[i].when.room = w->of[i].room;
        }
        int forced = sched_force_together(p->c, w->of, w->n, p->known);
        return forced == 0 || forced == -EINPROGRESS ? forced : r;
}

/* Returns whether only hierarchical resources are lacking (r: the error of place_together()): all
   components would have places if the resources were free. All components are tried again, as a
   component without place may lack only the nodes used by earlier components. Overwrites the rooms
   of w. */
static bool way_lacks_layers(struct pass *p, struct het_way *w, int r) {
        bool asks = false;
        size_t of;

        for (size_t i = 0; i < w->n; i++)
                asks |= w->of[i].room != NULL;
        if (!asks || (r != -EBUSY && r != -ENOENT))
                return false;
        for (size_t i = 0; i < w->n; i++) {
                struct together *o = &w->of[i];
                hres_room_free(o->room);
                o->when.room = o->room = licenses_room_ever(p->c, o->j);
        }
        return place_together(p->c, w->of, w->n, PLACE_FREE, NULL, &of) >= 0;
}

static void forget_way(struct het_way *w) {
        for (size_t i = 0; i < w->n; i++) {
                w->of[i].usable = bitset_free(w->of[i].usable);
                w->of[i].room = hres_room_free(w->of[i].room);
                w->of[i].when.room = NULL;
                placement_done(&w->of[i].where);
                w->of[i].where = (struct placement){ 0 };
        }
}

/* Places the components on nodes not kept for further jobs. If due (the planned start has come) and
   no such place exists, or license limits or --switches forbid the place, nodes kept for jobs
   behind may be used. *ret_why, *ret_of: the result of look_at_way(). */
static int place_way(struct pass *p, struct het_way *w, bool due, enum job_reason *ret_why,
                size_t *ret_of) {
        int r = 0;

        for (int force = 0; force <= due; force++) {
                forget_way(w);
                *ret_why = look_at_way(p, w, force, ret_of);
                if (*ret_why != REASON_NONE)
                        return 0;
                r = place_together(p->c, w->of, w->n, PLACE_FREE, NULL, ret_of);
                if (r >= 0 && (force == due || way_check_placed(p, w, ret_of) >= 0))
                        return r;
        }
        return r;
}

/* Tries one way; last: no further way follows, so the reason is set. true: all components have
   started. */
static bool try_way(struct pass *p, const struct job *j, size_t which, bool last) {
        _cleanup_(het_way_done) struct het_way w = het_way(p->c, j, which, HET_NOW, p->now);
        const struct job_plan *plan = job_itself(j)->waiting.plan;
        size_t of = 0;
        enum job_reason why;
        int r = place_way(p, &w, plan && plan->start <= p->now, &why, &of);

        if (why == REASON_NONE) {
                if (r < 0 && way_may_stop_others(p, &w))
                        r = force_way_or(p, &w, r);
                if (r >= 0)
                        r = way_check_placed(p, &w, &of);
                else if (last && way_lacks_layers(p, &w, r))
                        why = REASON_LICENSES;
                if (r >= 0) {
                        start_way(p, &w);
                        return true;
                }
                p->lacks_room |= r == -EBUSY || r == -EINPROGRESS;
        }
        if (last && why != REASON_NONE)
                pass_tell(p, w.of[of].j, why, NULL);
        else if (last && !tell_together(p, j, &w, r, of))
                pass_interrupt(p, j, which);
        if (last && !p->cut)
                het_tell(p->c, w.of[of].j);
        return false;
}

/* Returns whether a job waits ahead of the leader in the leader's reservation of this way. */
static bool is_behind(const struct pass *p, const struct job *leader, size_t which) {
        struct resv *of[RESV_CHOICES_MAX] = { NULL };
        size_t n = p->c->resvs.n ? resv_choices(p->c, leader, false, p->now, of) : 1;
        struct job room;

        return pass_is_behind(p, n ? job_in_resv(leader, of[which % n], &room) : leader);
}

/* Tries the ways in which no job waits ahead of the leader, as many as a turn allows; true:
   started. */
static bool try_ways(struct pass *p, const struct job *j, size_t first) {
        const size_t ways = het_ways(p->c, j, HET_NOW, p->now);
        size_t n = ways;
        bool started = false;

        p->lacks_room &= first > 0;
        while (n && is_behind(p, j, n - 1))
                n--;
        if (ways && !n) {
                pass_tell_turn(p, j);
                het_tell(p->c, j);
        }
        for (size_t i = MIN(first, n ? n - 1 : 0); i < n && !started && !p->cut; i++) {
                if (is_behind(p, j, i))
                        continue;
                started = try_way(p, j, i, i + 1 == n);
                if (!started && i + 1 < n && p->c->slices.looked >= p->until)
                        pass_interrupt(p, j, i + 1);
        }
        return started;
}

bool pass_consider_het(struct pass *p, const struct job *j) {
        size_t first = p->het == j->id ? p->ways : 0;
        enum job_reason why = het_awaits(p->c, j->het);

        p->het = 0;
        if (why == REASON_NONE && het_begins_later(j->het, p->now))
                why = REASON_BEGIN_TIME;
        if (why != REASON_NONE) {
                if (!job_is_held(job_itself(j)))
                        pass_tell(p, j, why, NULL);
                het_tell(p->c, j);
                plan_void(p->c, job_itself(j));
                return false;
        }
        why = het_limit(p->c, j, p->now, &p->again);
        if (why != REASON_NONE) {
                pass_tell(p, j, why, NULL);
                het_tell(p->c, j);
                plan_void(p->c, job_itself(j));
                return false;
        }
        for (uint32_t i = 0; i < j->het->n; i++)
                j->het->of[i]->waiting.last_sched_eval = p->now;
        if (try_ways(p, j, first))
                return true;
        if (p->cut)
                return false;
        pass_keep_licenses(p, j);
        if (bid_plan(j->waiting.current) && het_is_hindered(p->c, j, p->now, &p->again))
                plan_void(p->c, job_itself(j));
        return false;
}
