/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which of several jobs on the same units runs: time slices, and the resumption of
 * suspended jobs when units become free.
 *
 * The gang of a partition is the list of the started jobs of the partition, ordered by gang_at.
 * Each job is in one of four states:
 *
 *   active    RUNNING: the job's turn
 *   filler    RUNNING, gang_filler: not the job's turn, but no running job needs the units
 *   waiting   SUSPENDED by the gang
 *   next      SUSPENDED, gang_next: chosen; resumes when all jobs on the units are frozen on all
 *             nodes
 *
 * Functions:
 *
 *   gang_started()  a job has been placed: if a job of the same partition runs on the units, the
 *                   new job waits from the start, with a TIME of 0:00
 *   gang_settle()   units may be free: waiting jobs that fit become next, in the order of tiers and
 *                   lists; next jobs that are gang_is_ready() resume
 *   gang_slice()    a time slice is over: active jobs go to the end of the list, fillers wait at
 *                   their place; then the jobs that fit run, in the order of the list
 *
 * Running jobs of a higher tier (Slurm's shadow) block all lower tiers; a slice affects a single
 * partition only.  The components of a heterogeneous job wait and resume together and take part in
 * no slice.  Jobs that must be frozen are frozen first; no job resumes before all of the jobs are
 * frozen (gang_is_ready()).  If a job cannot be frozen, the job runs on, the job that was next for
 * the units is waiting again, and gang_settle() looks for further jobs.
 *
 * Only waiting jobs (cluster.stopped) and the jobs on their units are examined; without waiting
 * jobs no deadline is armed. */
#include "controller/preempt/gang.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/het.h"
#include "controller/preempt/preempt.h"

enum mark { OUT, IN, CHOSEN }; /* gang_mark, during gang_slice() */

static bool gang_uses_time_slices(const struct cluster *c) {
        return c->config->preempt_mode & PREEMPT_GANG;
}

/* ---- which jobs share units ---- */

/* A component takes no turns: all components would have to be suspended at once. */
static bool takes_no_turns(const struct job *j) {
        return j->stopping.no_suspend || job_is_het(j);
}

/* Returns whether w, with all components, can be suspended for v because of lower tiers. */
static bool gang_is_suspendable_for(const struct cluster *c, const struct job *v, struct job *w) {
        if (!gang_uses_time_slices(c) ||
                        w->partition->priority_tier >= v->partition->priority_tier ||
                        preempt_mode_of(c, w) != PREEMPT_SUSPEND)
                return false;
        for (uint32_t i = 0; i < job_n_together(w); i++) {
                const struct job *m = job_together(w, i);
                if (m && (m->partition->priority_tier >= v->partition->priority_tier ||
                                         m->stopping.no_suspend || m->stopping.grace_end))
                        return false;
        }
        return true;
}

/* v is to be suspended for j, but runs on or resumes until all nodes of j are up. */
static bool makes_way_later(const struct cluster *c, const struct job *v, const struct job *j) {
        bool goes_on = job_is_gang_stopped(v) && v->stopping.late_boot;

        return (job_is_to_stop(v) || goes_on) && j->state == JOB_RUNNING && j->configuring &&
               preempt_allowed(c, j, v);
}

/* Returns whether v and w both hold the units for now, because the preemptor's nodes are not up
   yet. */
static bool both_have_them(const struct cluster *c, const struct job *v, const struct job *w) {
        return makes_way_later(c, v, w) || makes_way_later(c, w, v);
}

enum meeting { MEETS_NOT, MEETS_LOWER, MEETS };

/* Returns whether w blocks v: MEETS always, MEETS_LOWER until w, of a lower tier, is suspended. */
static enum meeting gang_jobs_meet(const struct cluster *c, const struct job *v,
                const struct job *w) {
        if (w->completing)
                return MEETS;
        if (both_have_them(c, v, w))
                return MEETS_NOT;
        if (w->state == JOB_SUSPENDED && !w->stopping.gang_next)
                return MEETS_NOT;
        return gang_is_suspendable_for(c, v, (struct job *)(uintptr_t)w) ? MEETS_LOWER : MEETS;
}

static bool gang_blocks_always(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n, void *but) {
        (void)n;
        return w != but && gang_jobs_meet(c, v, w) == MEETS;
}

static bool gang_runs_against(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n, void *user) {
        (void)n, (void)user;
        return gang_jobs_meet(c, v, w) != MEETS_NOT;
}

/* Returns whether v fits beside the running jobs except `but` (may be NULL). */
static bool gang_job_fits_without(const struct cluster *c, const struct job *v, struct job *but) {
        if (memory_is_lent(v))
                return false;
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (alloc_crowded(c, v, v->placed.alloc[i].node, gang_blocks_always, but))
                        return false;
        return true;
}

static bool gang_job_fits(const struct cluster *c, const struct job *v) {
        return gang_job_fits_without(c, v, NULL);
}

/* Returns whether v fits with all components, each beside the components before. */
static bool fits_whole(const struct cluster *c, struct job *v) {
        bool fit = true, next[HET_MAX] = { false };

        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (!m)
                        continue;
                fit = fit && !m->stopping.suspended_by_user && gang_job_fits(c, m);
                next[i] = m->stopping.gang_next;
                m->stopping.gang_next = true;
        }
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m)
                        m->stopping.gang_next = next[i];
        }
        return fit;
}

static bool gang_still_moves(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n, void *user) {
        const struct job **still = user;

        (void)n;
        if (w == *still || both_have_them(c, v, w))
                return false;
        if (w->completing || w->state != JOB_SUSPENDED || !job_is_stopped_everywhere(w))
                return true;
        *still = w; /* cached: large jobs share many nodes */
        return false;
}

/* Returns whether all jobs on v's units are frozen on all nodes: a job that a single node cannot
   freeze runs on. */
static bool gang_is_ready(const struct cluster *c, const struct job *v) {
        const struct job *still = NULL;

        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (alloc_crowded(c, v, v->placed.alloc[i].node, gang_still_moves, &still))
                        return false;
        return true;
}

static bool whole_ready(const struct cluster *c, struct job *v) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                const struct job *m = job_together(v, i);
                if (m && !gang_is_ready(c, m))
                        return false;
        }
        return true;
}

/* Returns whether v and w cannot both run on n; with counted CPUs: v does not fit beside the jobs
   of n. */
static bool gang_jobs_exclude(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n) {
        if (w == v)
                return false;
        return alloc_counts_cpus(c) ? alloc_crowded(c, v, n, gang_runs_against, NULL)
                                    : alloc_in_the_way(c, v, w, n);
}

/* Returns whether v waits while a job of v's partition has a turn. */
static bool waits_for_turn(const struct cluster *c, const struct job *v) {
        for (size_t i = 0; i < v->placed.n_alloc; i++) {
                const struct node *n = v->placed.alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++) {
                        const struct job *w = n->jobs[k];
                        if (w->partition == v->partition && w != v && !w->completing &&
                                        (w->state == JOB_RUNNING || w->stopping.gang_next) &&
                                        gang_jobs_exclude(c, v, w, n))
                                return true;
                }
        }
        return false;
}

static bool is_waiting(const struct job *j) {
        return job_is_gang_stopped(j) && !j->completing;
}

/* ---- jobs that resume ---- */

/* Suspends j, which now lends units to a preemptor that could not suspend j while configuring. */
static void gang_suspend(struct cluster *c, struct job *j, usec_t now) {
        job_stop_whole(c, j, now);
        note(c, FACT_JOB_PREEMPTABLE);
}

/* v, with all components, is no longer next but waiting. */
static void not_next(struct cluster *c, struct job *v) {
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (!m || !m->stopping.gang_next)
                        continue;
                m->stopping.gang_next = false;
                cluster_job_changed(c, m);
        }
}

/* Suspends jobs of lower tiers on v's units; with counted CPUs only as many as needed, the newest
   first. */
static void stop_lower(struct cluster *c, struct job *v, usec_t now) {
        for (size_t i = 0; i < v->placed.n_alloc; i++) {
                const struct node *n = v->placed.alloc[i].node;
                for (size_t k = n->n_jobs; k-- > 0;) {
                        struct job *w = n->jobs[k];
                        if (w == v || gang_jobs_meet(c, v, w) != MEETS_LOWER ||
                                        !gang_jobs_exclude(c, v, w, n))
                                continue;
                        not_next(c, w);
                        if (w->state == JOB_RUNNING)
                                gang_suspend(c, w, now);
                }
        }
}

static void gang_choose(struct cluster *c, struct job *v, bool filler, usec_t now) {
        v->stopping.gang_next = true;
        v->stopping.gang_filler = filler;
        stop_lower(c, v, now);
        cluster_job_changed(c, v);
}

static void gang_resume(struct cluster *c, struct job *v, usec_t now) {
        cluster_log(c, v->id, NULL, "JobId=%u goes on", v->id);
        job_continue(c, v, now);
        /* jobs waiting for the freeze of v need not wait any longer */
        note_nodes(c, FACT_LAUNCH_POSSIBLE, v->placed.nodes);
}

/* The components of a heterogeneous job are handled together with the first component in the
   list. */
static void gang_review_job(struct cluster *c, struct job *v, usec_t now) {
        bool room = !v->stopping.gang_next && fits_whole(c, v);

        for (uint32_t i = 0; room && i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && m->state == JOB_SUSPENDED)
                        gang_choose(c, m, true, now);
        }
        if (!v->stopping.gang_next || !whole_ready(c, v))
                return;
        for (uint32_t i = 0; i < job_n_together(v); i++) {
                struct job *m = job_together(v, i);
                if (m && m->state == JOB_SUSPENDED)
                        gang_resume(c, m, now);
        }
}

/* A job could not be frozen, or a job of a higher tier has started: next jobs that no longer fit
   are waiting again, and so block no job. */
static void give_way(struct cluster *c, struct job *const *list, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (list[i]->stopping.gang_next && !gang_job_fits(c, list[i]))
                        not_next(c, list[i]);
}

static int gang_compare_list(const struct job *a, const struct job *b) {
        if (a->stopping.gang_at != b->stopping.gang_at)
                return a->stopping.gang_at < b->stopping.gang_at ? -1 : 1;
        return a->id < b->id ? -1 : a->id > b->id;
}

static int gang_compare_tier(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->partition->priority_tier != (*y)->partition->priority_tier)
                return (*x)->partition->priority_tier > (*y)->partition->priority_tier ? -1 : 1;
        return gang_compare_list(*x, *y);
}

/* Arms a deadline for each partition where a job waits for a turn. */
static void arm_slices(struct cluster *c, struct job *const *list, size_t n, usec_t now) {
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->slice_wanted = false;
        for (size_t i = 0; gang_uses_time_slices(c) && i < n; i++)
                if (is_waiting(list[i]) && !list[i]->stopping.gang_next &&
                                !list[i]->partition->slice_wanted && !job_is_het(list[i]))
                        list[i]->partition->slice_wanted = waits_for_turn(c, list[i]);
        for (size_t i = 0; i < c->n_partitions; i++) {
                struct partition *p = c->partitions[i];
                if (!p->slice_wanted) {
                        p->slice_at = 0;
                } else if (!p->slice_at) {
                        p->slice_at = now + c->config->scheduler_time_slice;
                        cluster_arm(c, p->slice_at, DEADLINE_SLICE, p->index);
                }
        }
}

static bool gang_is_chosen(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n, void *user) {
        (void)n, (void)user;
        return w->stopping.gang_mark == CHOSEN && !both_have_them(c, v, w);
}

/* Suspends running jobs that do not fit together, for example after a restart with a new
   configuration. */
static void sort_out(struct cluster *c, usec_t now) {
        _cleanup_free_ struct job **running = xnew(struct job *, c->n_active + 1);
        size_t n = 0;

        for (size_t i = 0; gang_uses_time_slices(c) && i < c->n_active; i++)
                if (c->active[i]->state == JOB_RUNNING && !c->active[i]->completing)
                        running[n++] = c->active[i];
        if (n == 0)
                return;
        list_sort(running, n, sizeof running[0], gang_compare_tier);
        for (size_t i = 0; i < n; i++) {
                struct job *v = running[i];
                bool alone = true;
                for (size_t k = 0; alone && k < v->placed.n_alloc; k++)
                        alone = !alloc_crowded(c, v, v->placed.alloc[k].node, gang_is_chosen, NULL);
                if (alone || takes_no_turns(v) || v->stopping.grace_end)
                        v->stopping.gang_mark = CHOSEN;
                else
                        job_stop(c, v, false, now);
        }
        for (size_t i = 0; i < n; i++)
                running[i]->stopping.gang_mark = OUT;
}

void gang_settle(struct cluster *c, usec_t now) {
        _cleanup_free_ struct job **list = NULL;
        size_t n = 0;

        if (follows_take(c, FOLLOW_GANG_ANEW))
                sort_out(c, now);
        for (size_t i = 0; i < c->n_stopped; i++)
                if (is_waiting(c->stopped[i]))
                        c->stopped[n++] = c->stopped[i];
                else
                        c->stopped[i]->stopping.gang_listed = false;
        c->n_stopped = n;
        list = xnew(struct job *, n + 1);
        if (n) {
                memcpy(list, c->stopped, n * sizeof list[0]);
                list_sort(list, n, sizeof list[0], gang_compare_tier);
        }
        (void)follows_take(c, FOLLOW_GANG);
        give_way(c, list, n);
        for (size_t i = 0; i < n; i++)
                if (is_waiting(list[i]))
                        gang_review_job(c, list[i], now);
        arm_slices(c, list, n, now);
}

/* Returns whether a waiting job of the partition could resume if j did not run, and so precedes
   j. */
static bool is_before_its_turn(const struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++) {
                        const struct job *w = n->jobs[k];
                        if (w != j && is_waiting(w) && w->partition == j->partition &&
                                        gang_jobs_exclude(c, w, j, n) &&
                                        !preempt_allowed(c, j, w) && gang_job_fits_without(c, w, j))
                                return true;
                }
        }
        return false;
}

void gang_started(struct cluster *c, struct job *j, usec_t now) {
        if (!job_is_het(j) &&
                        (!gang_job_fits(c, j) || (c->n_stopped && is_before_its_turn(c, j)))) {
                cluster_log(c, j->id, NULL, "JobId=%u waits for its time slice", j->id);
                job_stop(c, j, false, now);
                return;
        }
        if (alloc_counts_cpus(c))
                /* the victims of j hold the units of j: too many further jobs may be running now */
                stop_lower(c, j, now);
        if (c->n_stopped) /* a waiting job may have to wait for j */
                note(c, FACT_JOB_STARTED);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct node *n = j->placed.alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++)
                        j->stopping.gang_filler |= n->jobs[k] != j && is_waiting(n->jobs[k]) &&
                                                   n->jobs[k]->partition == j->partition &&
                                                   (alloc_counts_cpus(c) ||
                                                                   alloc_in_the_way(c, j,
                                                                                   n->jobs[k], n));
        }
}

/* ---- slices ---- */

struct slice {
        struct job **list;
        size_t n, allocated;
};

static void slice_add_job(struct slice *s, struct job *j) {
        if (j->stopping.gang_mark != OUT)
                return;
        j->stopping.gang_mark = IN;
        GROW(s->list, s->allocated, s->n);
        s->list[s->n++] = j;
}

/* Collects the waiting jobs and the running jobs on their units; further jobs of the partition are
   not affected. */
static void slice_collect(const struct cluster *c, const struct partition *p, struct slice *s) {
        for (size_t i = 0; i < c->n_stopped; i++) {
                struct job *v = c->stopped[i];
                if (v->partition != p || !is_waiting(v) || job_is_het(v))
                        continue;
                slice_add_job(s, v);
                for (size_t k = 0; k < v->placed.n_alloc; k++) {
                        const struct node *n = v->placed.alloc[k].node;
                        for (size_t m = 0; m < n->n_jobs; m++) {
                                struct job *w = n->jobs[m];
                                if (w->partition == p && w->state == JOB_RUNNING &&
                                                !w->completing &&
                                                (alloc_counts_cpus(c) ||
                                                                alloc_in_the_way(c, v, w, n)))
                                        slice_add_job(s, w);
                        }
                }
        }
}

/* Returns whether the slice leaves j unchanged: j cannot be frozen, is ending, or was chosen but
   has not resumed yet. */
static bool is_pinned(const struct job *j) {
        return j->state == JOB_RUNNING
                               ? takes_no_turns(j) || j->stopping.grace_end || j->stopping.stop_at
                               : j->stopping.gang_next;
}

static int by_turn(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if (is_pinned(*x) != is_pinned(*y))
                return is_pinned(*x) ? -1 : 1;
        return gang_compare_list(*x, *y);
}

static void to_the_end(struct cluster *c, struct slice *s) {
        uint64_t end = c->next_gang;

        list_sort(s->list, s->n, sizeof s->list[0], by_turn);
        for (size_t i = 0; i < s->n; i++) {
                struct job *j = s->list[i];
                if (j->state == JOB_RUNNING && !j->stopping.gang_filler)
                        j->stopping.gang_at = end++;
                j->stopping.gang_filler = false;
                cluster_job_changed(c, j);
        }
        c->next_gang = end;
        list_sort(s->list, s->n, sizeof s->list[0], by_turn);
}

/* Returns whether w takes units on n before v.  Two running jobs that are not both in the slice
   need no check, unless CPUs are counted. */
static bool slice_takes_before(const struct cluster *c, const struct job *v, const struct job *w,
                const struct node *n, void *user) {
        (void)n, (void)user;
        if (both_have_them(c, v, w))
                return false;
        return w->stopping.gang_mark == CHOSEN ||
               (w->stopping.gang_mark == OUT &&
                               (v->state == JOB_SUSPENDED || alloc_counts_cpus(c)) &&
                               gang_jobs_meet(c, v, w) == MEETS);
}

static bool fits_in(const struct cluster *c, const struct job *v) {
        if (memory_is_lent(v))
                return false;
        for (size_t i = 0; i < v->placed.n_alloc; i++)
                if (alloc_crowded(c, v, v->placed.alloc[i].node, slice_takes_before, NULL))
                        return false;
        return true;
}

void gang_slice(struct cluster *c, struct partition *p, usec_t now) {
        struct slice s = { 0 };

        p->slice_at = 0;
        note(c, FACT_SLICE_OVER);
        slice_collect(c, p, &s);
        if (s.n)
                to_the_end(c, &s);
        for (size_t i = 0; i < s.n; i++)
                if (is_pinned(s.list[i]) || fits_in(c, s.list[i]))
                        s.list[i]->stopping.gang_mark = CHOSEN;
        for (size_t i = 0; i < s.n; i++)
                if (s.list[i]->state == JOB_RUNNING && s.list[i]->stopping.gang_mark != CHOSEN) {
                        cluster_log(c, s.list[i]->id, NULL, "The time slice of JobId=%u is over",
                                        s.list[i]->id);
                        gang_suspend(c, s.list[i], now);
                }
        for (size_t i = 0; i < s.n; i++) {
                if (s.list[i]->state == JOB_SUSPENDED && s.list[i]->stopping.gang_mark == CHOSEN &&
                                !s.list[i]->stopping.gang_next)
                        gang_choose(c, s.list[i], false, now);
                s.list[i]->stopping.gang_mark = OUT;
        }
        free(s.list);
}
