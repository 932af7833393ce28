/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gang's one duty without time slices: a job that was stopped goes on when nothing that runs, or is about to, holds
 * one of its units (preemption guide: "its shadow disappears").  The higher tiers go first, then those stopped first. */
#include "controller/core/alloc.h"
#include "controller/core/job_events.h"
#include "controller/sched/sched.h"

static bool in_the_way(const struct job *v, const struct job *w, const struct node *n) {
        if (v == w || job_is_gang_stopped(w) || (w->state == JOB_SUSPENDED && w->suspended_by_user))
                return false;
        return alloc_overlap(v, w, n);
}

static bool may_go_on(const struct job *v) {
        for (size_t i = 0; i < v->n_alloc; i++) {
                const struct node *n = v->alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++)
                        if (in_the_way(v, n->jobs[k], n))
                                return false;
        }
        return true;
}

static int by_right(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->partition->priority_tier != (*y)->partition->priority_tier)
                return (*x)->partition->priority_tier > (*y)->partition->priority_tier ? -1 : 1;
        if ((*x)->suspend_time != (*y)->suspend_time)
                return (*x)->suspend_time < (*y)->suspend_time ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

void gang_settle(struct cluster *c, usec_t now) {
        _cleanup_free_ struct job **stopped = NULL;
        size_t n = 0, allocated = 0;

        c->want_gang = false;
        for (size_t i = 0; i < c->n_active; i++)
                if (job_is_gang_stopped(c->active[i]) && !c->active[i]->completing) {
                        GROW(stopped, allocated, n);
                        stopped[n++] = c->active[i];
                }
        if (n == 0)
                return;
        qsort(stopped, n, sizeof stopped[0], by_right);
        for (size_t i = 0; i < n; i++)
                if (may_go_on(stopped[i])) {
                        cluster_log(c, stopped[i]->id, NULL, "JobId=%u goes on", stopped[i]->id);
                        job_continue(c, stopped[i], now);
                }
        c->want_gang = false;
}
