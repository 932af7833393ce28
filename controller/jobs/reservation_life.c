/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reservations begin, end, recur and are deleted; effects on their nodes and jobs. */
#include "controller/jobs/reservation_life.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

static void resv_mark_node(struct cluster *c, struct node *n, const struct resv *of, usec_t now) {
        if (n->resv == of)
                return;
        n->resv = of;
        if (!of && n->n_jobs == 0 && n->last_busy)
                /* the node was reserved; its idle time begins now */
                n->last_busy = MAX(n->last_busy, now);
        cluster_node_changed(c, n, now);
}

/* Sets node.resv for whole nodes: to the first of several active reservations, MAINT preferred. */
static void mark_nodes(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct resv *of = NULL;
                for (size_t k = 0; k < c->resvs.n; k++) {
                        const struct resv *r = c->resvs.list[k];
                        if (r->active && !r->n_cores && bitset_has(r->nodes, i) &&
                                        (!of || (r->flags & RESV_MAINT &&
                                                                !(of->flags & RESV_MAINT))))
                                of = r;
                }
                resv_mark_node(c, c->nodes[i], of, now);
        }
}

/* Removes r from the pending j's list of reservations; if the list is empty then, j is held, as in
   Slurm at the end of a reservation. */
static void release_waiting(struct cluster *c, struct job *j, const struct resv *r, bool hold,
                usec_t now) {
        _cleanup_free_ char *rest = resv_list_without(j->asked.reservation, r->name);

        free_and_strdup(&j->asked.reservation, *rest ? rest : NULL);
        j->placed.resv = resv_of_job(c, j);
        if (!j->placed.resv && hold) {
                (void)job_hold(c, j, false, now);
                job_set_reason(c, j, REASON_RESV_DELETED, NULL);
        }
        cluster_job_changed(c, j);
}

/* Removes all references of jobs to r. only_waiting: running jobs keep r for a while. */
static void resv_release_jobs(struct cluster *c, struct resv *r, bool hold, bool only_waiting,
                usec_t now) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (!j || (j->placed.resv != r && !resv_is_named(j, r->name)))
                        continue;
                if (j->state == JOB_PENDING && !j->completing)
                        release_waiting(c, j, r, hold, now);
                else if (j->placed.resv == r && !only_waiting) {
                        j->placed.resv = NULL;
                        cluster_job_changed(c, j);
                }
        }
}

/* Ends the jobs of r's past turn. */
static void end_jobs(struct cluster *c, const struct resv *r, usec_t now) {
        for (size_t i = c->n_active; i-- > 0;) {
                struct job *j = i < c->n_active ? c->active[i] : NULL;
                if (!j || j->placed.resv != r || j->completing || job_is_finished(j) ||
                                (r->over && j->running.start_time >= r->over))
                        continue;
                cluster_log(c, j->id, NULL, "JobId=%u: its reservation %s is over", j->id, r->name);
                job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, "TIME LIMIT", now);
        }
}

static void resv_drop(struct cluster *c, size_t at, bool hold, usec_t now) {
        struct resv *r = c->resvs.list[at];

        memmove(&c->resvs.list[at], &c->resvs.list[at + 1],
                        (c->resvs.n - at - 1) * sizeof c->resvs.list[0]);
        c->resvs.n--;
        for (size_t i = 0; i < c->n_nodes; i++)
                if (c->nodes[i]->resv == r)
                        resv_mark_node(c, c->nodes[i], NULL, now);
        resv_release_jobs(c, r, hold, false, now);
        resv_free(r);
        note(c, FACT_RESERVATION_RECORD);
        licenses_recount(c);
}

static bool has_running(const struct cluster *c, const struct resv *r) {
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->placed.resv == r && !c->active[i]->completing &&
                                c->active[i]->running.start_time < r->over)
                        return true;
        return false;
}

static usec_t longest_overrun(const struct cluster *c) {
        uint32_t minutes = c->config->resv_over_run;

        return minutes == UINT32_MAX ? NO_LIMIT : minutes * 60 * USEC_PER_SEC;
}

/* ResvOverRun: jobs running at the end of r's turn may go on for a while. */
static void resv_overrun(struct cluster *c, struct resv *r, usec_t now) {
        usec_t most = longest_overrun(c);

        if (has_running(c, r) && (most == NO_LIMIT || now < r->over + most))
                return;
        end_jobs(c, r, now);
        r->over = 0;
        note(c, FACT_RESERVATION_RECORD);
}

static void resv_end_turn(struct cluster *c, struct resv *r, bool last, usec_t now) {
        r->active = false;
        r->idle_since = 0;
        note(c, FACT_RESERVATION_RECORD);
        if (r->flags & RESV_FLEX)
                return;
        if (c->config->resv_over_run == 0) {
                end_jobs(c, r, now);
                return;
        }
        r->over = r->end;
        resv_overrun(c, r, now);
        if (last && r->over)
                resv_release_jobs(c, r, !(r->flags & RESV_NO_HOLD), true, now);
}

/* Returns true if r is over for good. */
static bool move_on(struct cluster *c, struct resv *r, usec_t now) {
        bool overran = r->over != 0;
        struct resv_turn turn;

        if (r->flags & RESV_FLOAT)
                return false;
        if (overran)
                resv_overrun(c, r, now);
        if (r->end > now)
                return false;
        bool more = resv_turn_at(r, now, &turn);
        if (more || !overran)
                resv_end_turn(c, r, !more, now);
        if (more) {
                r->start = turn.start;
                r->end = turn.end;
                r->late = turn.late;
        } else if (!r->over)
                cluster_log(c, 0, NULL, "Reservation %s is over", r->name);
        return !more && !r->over;
}

/* PURGE_COMP: whether r has been unused for that long. */
static bool is_purged(struct cluster *c, struct resv *r, usec_t now) {
        if (!(r->flags & RESV_PURGE) || !r->active)
                return false;
        if (resv_is_used(c, r)) {
                r->idle_since = 0;
                return false;
        }
        if (!r->idle_since) {
                r->idle_since = now;
                note(c, FACT_RESERVATION_RECORD);
        }
        if (now < r->idle_since + r->purge)
                return false;
        cluster_log(c, 0, NULL, "Reservation %s is unused and is deleted (PURGE_COMP)", r->name);
        return true;
}

static usec_t next_due(const struct cluster *c, const struct resv *r, usec_t now) {
        usec_t at = r->flags & RESV_FLOAT || r->end <= now ? USEC_INFINITY
                    : r->active                            ? r->end
                                                           : r->start;

        if (r->over && longest_overrun(c) != NO_LIMIT)
                at = MIN(at, r->over + longest_overrun(c));
        return r->active && r->flags & RESV_PURGE && r->idle_since
                               ? MIN(at, r->idle_since + r->purge)
                               : at;
}

static void resv_arm(struct cluster *c, usec_t now) {
        usec_t at = USEC_INFINITY;

        for (size_t i = 0; i < c->resvs.n; i++)
                at = MIN(at, MAX(next_due(c, c->resvs.list[i], now), now + 1));
        if (at == USEC_INFINITY || (c->resvs.armed > now && c->resvs.armed <= at))
                return;
        c->resvs.armed = at;
        cluster_arm(c, at, DEADLINE_RESV, 0);
}

void resv_review(struct cluster *c, usec_t now) {
        bool changed = c->resvs.moved;

        (void)follows_take(c, FOLLOW_RESERVATIONS);
        c->resvs.moved = false;
        c->resvs.replaces = c->resvs.personal = c->resvs.licenses = c->resvs.cores =
                        c->resvs.magnetic = false;
        for (size_t i = 0; i < c->resvs.n;) {
                struct resv *r = c->resvs.list[i];
                usec_t start = r->start;
                if (move_on(c, r, now) || is_purged(c, r, now)) {
                        resv_drop(c, i, !(r->flags & RESV_NO_HOLD), now);
                        changed = true;
                        continue;
                }
                bool active = now >= r->start && now < r->end && !(r->flags & RESV_FLOAT);
                if (active && !r->active)
                        cluster_log(c, 0, NULL, "Reservation %s begins", r->name);
                changed |= active != r->active || start != r->start;
                r->active = active;
                if (resv_replace(c, r, now)) {
                        changed = true;
                        note(c, FACT_RESERVATION_RECORD);
                }
                c->resvs.replaces |= r->node_count > 0 ||
                                     r->flags & (RESV_PART_NODES | RESV_ALL_NODES);
                c->resvs.personal |= r->max_start_delay > 0;
                c->resvs.licenses |= r->licenses != NULL;
                c->resvs.cores |= r->n_cores > 0;
                c->resvs.magnetic |= r->flags & RESV_MAGNETIC;
                (void)is_purged(c, r, now); /* idle_since may begin now */
                i++;
        }
        resv_arm(c, now);
        if (!changed)
                return;
        licenses_recount(c);
        mark_nodes(c, now);
        note(c, FACT_RESERVATION_CHANGED);
}

void resv_changed(struct cluster *c, usec_t now) {
        note(c, FACT_RESERVATION_RECORD);
        resv_review(c, now);
        licenses_recount(c);
        mark_nodes(c, now);
        note(c, FACT_RESERVATION_CHANGED);
}

enum slumber_error resv_delete(struct cluster *c, struct resv *r, usec_t now) {
        size_t at = 0;

        if (resv_has_jobs(c, r))
                return SLUMBER_RESERVATION_BUSY;
        while (c->resvs.list[at] != r)
                at++;
        resv_drop(c, at, !(r->flags & RESV_NO_HOLD), now);
        resv_changed(c, now);
        return SLUMBER_OK;
}
