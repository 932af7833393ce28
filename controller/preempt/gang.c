/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the jobs that hold the same units runs: time slices, and jobs that go on when there is room.
 *
 * A partition's gang is the list of its jobs that have started, by gang_at.  Of each job one of these is true:
 *
 *   active      RUNNING: its turn
 *   filler      RUNNING, gang_filler: nothing that runs needs its units, though others are before it in the list
 *   waiting     SUSPENDED by the gang
 *   next        SUSPENDED, gang_next: it has been chosen, and goes on when all jobs on its units are frozen everywhere
 *
 * gang_started()  a job has its nodes: if another of its partition runs there it waits from the start, 0:00
 * gang_settle()   there may be room: a job that waits and fits is next, in the order of tiers and lists; one that is next and may, goes on
 * gang_slice()    a time slice is over: active ones go to the end of the list, fillers wait where they are; then those run that
 *                 fit, in the list's order
 *
 * What runs in a partition of a higher tier (its shadow) is in the way of all below; a slice never looks beyond its own
 * partition.  Jobs that must stand still are asked to first; none goes on before all of them have (ready()).  If one cannot be
 * stopped it runs on, the job that was next for it is not any more, and gang_settle() looks for others.
 *
 * Only those that wait (cluster.stopped) and those that they meet are looked at; where none waits there is no deadline either. */
#include "controller/lives/alloc.h"
#include "controller/indexes/changed.h"
#include "controller/lives/job_events.h"
#include "controller/lives/job_memory.h"
#include "controller/preempt/preempt.h"
#include "controller/preempt/gang.h"

enum mark { OUT, IN, CHOSEN }; /* gang_mark: of the slice that is being made */

static bool slices(const struct cluster *c) {
        return c->config->preempt_mode & PREEMPT_GANG;
}

/* ---- which jobs meet ---- */

enum meeting { MEETS_NOT, MEETS_LOWER, MEETS };

/* w takes room of v's: for good, or as long as it is not stopped, as its tier is lower. */
static enum meeting meet(const struct cluster *c, const struct job *v, const struct job *w) {
        if (w->completing)
                return MEETS;
        if (w->state == JOB_SUSPENDED && !w->gang_next)
                return MEETS_NOT;
        bool lower = slices(c) && w->partition->priority_tier < v->partition->priority_tier && !w->no_suspend && !w->grace_end &&
                     preempt_mode_of(c, w) == PREEMPT_SUSPEND;
        return lower ? MEETS_LOWER : MEETS;
}

static bool stays(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n, void *but) {
        (void)n;
        return w != but && meet(c, v, w) == MEETS;
}

static bool runs(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n, void *user) {
        (void)n, (void)user;
        return meet(c, v, w) != MEETS_NOT;
}

/* Without but, which may be NULL. */
static bool fits_without(const struct cluster *c, const struct job *v, struct job *but) {
        if (memory_is_lent(v))
                return false;
        for (size_t i = 0; i < v->n_alloc; i++)
                if (alloc_crowded(c, v, v->alloc[i].node, stays, but))
                        return false;
        return true;
}

static bool fits(const struct cluster *c, const struct job *v) {
        return fits_without(c, v, NULL);
}

static bool moves(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n, void *user) {
        const struct job **still = user;

        (void)c, (void)v, (void)n;
        if (w == *still)
                return false;
        if (w->completing || w->state != JOB_SUSPENDED || !job_is_stopped_everywhere(w))
                return true;
        *still = w; /* large jobs meet on many nodes */
        return false;
}

/* All jobs that have units of v's stand still, and everywhere: if one of its nodes cannot stop it, a job runs on. */
static bool ready(const struct cluster *c, const struct job *v) {
        const struct job *still = NULL;

        for (size_t i = 0; i < v->n_alloc; i++)
                if (alloc_crowded(c, v, v->alloc[i].node, moves, &still))
                        return false;
        return true;
}

/* On n they cannot both run; where CPUs are counted, not with the others there. */
static bool excludes(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n) {
        if (w == v)
                return false;
        return alloc_counts_cpus(c) ? alloc_crowded(c, v, n, runs, NULL) : alloc_in_the_way(c, v, w, n);
}

/* A job of its own partition has its turn while v waits. */
static bool waits_for_turn(const struct cluster *c, const struct job *v) {
        for (size_t i = 0; i < v->n_alloc; i++) {
                const struct node *n = v->alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++) {
                        const struct job *w = n->jobs[k];
                        if (w->partition == v->partition && w != v && !w->completing && (w->state == JOB_RUNNING || w->gang_next) &&
                                        excludes(c, v, w, n))
                                return true;
                }
        }
        return false;
}

static bool is_waiting(const struct job *j) {
        return job_is_gang_stopped(j) && !j->completing;
}

/* ---- jobs that go on ---- */

/* What a preemptor could not stop before, as it waited for its nodes, lends that its units now. */
static void stop(struct cluster *c, struct job *j, usec_t now) {
        job_stop(c, j, false, now);
        note(c, FACT_JOB_PREEMPTABLE);
}

/* Where CPUs are counted only as many as are needed, the newest first. */
static void stop_lower(struct cluster *c, struct job *v, usec_t now) {
        for (size_t i = 0; i < v->n_alloc; i++) {
                const struct node *n = v->alloc[i].node;
                for (size_t k = n->n_jobs; k-- > 0;) {
                        struct job *w = n->jobs[k];
                        if (w == v || meet(c, v, w) != MEETS_LOWER || !excludes(c, v, w, n))
                                continue;
                        w->gang_next = false;
                        if (w->state == JOB_RUNNING)
                                stop(c, w, now);
                }
        }
}

static void choose(struct cluster *c, struct job *v, bool filler, usec_t now) {
        v->gang_next = true;
        v->gang_filler = filler;
        stop_lower(c, v, now);
        cluster_job_changed(c, v);
}

static void look_at(struct cluster *c, struct job *v, usec_t now) {
        bool room = fits(c, v);

        if (!v->gang_next && room)
                choose(c, v, true, now);
        if (!v->gang_next || !ready(c, v))
                return;
        cluster_log(c, v->id, NULL, "JobId=%u goes on", v->id);
        job_continue(c, v, now);
        note_nodes(c, FACT_LAUNCH_POSSIBLE, v->nodes); /* a job that waited until it stood still need not any more */
}

/* One could not be stopped, or a higher tier came in between: the job that was next is in no other's way any more, also of those before it
   in the list. */
static void give_way(struct cluster *c, struct job *const *list, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (list[i]->gang_next && !fits(c, list[i])) {
                        list[i]->gang_next = false;
                        cluster_job_changed(c, list[i]);
                }
}

static int by_list(const struct job *a, const struct job *b) {
        if (a->gang_at != b->gang_at)
                return a->gang_at < b->gang_at ? -1 : 1;
        return a->id < b->id ? -1 : a->id > b->id;
}

static int by_right(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->partition->priority_tier != (*y)->partition->priority_tier)
                return (*x)->partition->priority_tier > (*y)->partition->priority_tier ? -1 : 1;
        return by_list(*x, *y);
}

/* One deadline for each partition where a job waits for its turn. */
static void arm_slices(struct cluster *c, struct job *const *list, size_t n, usec_t now) {
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->slice_wanted = false;
        for (size_t i = 0; slices(c) && i < n; i++)
                if (is_waiting(list[i]) && !list[i]->gang_next && !list[i]->partition->slice_wanted)
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

static bool is_chosen(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n, void *user) {
        (void)c, (void)v, (void)n, (void)user;
        return w->gang_mark == CHOSEN;
}

/* After a restart with another configuration jobs may run that do not fit together. */
static void sort_out(struct cluster *c, usec_t now) {
        _cleanup_free_ struct job **running = xnew(struct job *, c->n_active + 1);
        size_t n = 0;

        for (size_t i = 0; slices(c) && i < c->n_active; i++)
                if (c->active[i]->state == JOB_RUNNING && !c->active[i]->completing)
                        running[n++] = c->active[i];
        if (n == 0)
                return;
        qsort(running, n, sizeof running[0], by_right);
        for (size_t i = 0; i < n; i++) {
                struct job *v = running[i];
                bool alone = true;
                for (size_t k = 0; alone && k < v->n_alloc; k++)
                        alone = !alloc_crowded(c, v, v->alloc[k].node, is_chosen, NULL);
                if (alone || v->no_suspend || v->grace_end)
                        v->gang_mark = CHOSEN;
                else
                        job_stop(c, v, false, now);
        }
        for (size_t i = 0; i < n; i++)
                running[i]->gang_mark = OUT;
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
                        c->stopped[i]->gang_listed = false;
        c->n_stopped = n;
        list = xnew(struct job *, n + 1);
        if (n) {
                memcpy(list, c->stopped, n * sizeof list[0]);
                qsort(list, n, sizeof list[0], by_right);
        }
        (void)follows_take(c, FOLLOW_GANG);
        give_way(c, list, n);
        for (size_t i = 0; i < n; i++)
                look_at(c, list[i], now);
        arm_slices(c, list, n, now);
}

/* A job of its partition waits there that could go on were it not for j: it has just got room, and was there before. */
static bool is_before_its_turn(const struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->n_alloc; i++) {
                const struct node *n = j->alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++) {
                        const struct job *w = n->jobs[k];
                        if (w != j && is_waiting(w) && w->partition == j->partition && excludes(c, w, j, n) &&
                                        !preempt_allowed(c, j, w) && fits_without(c, w, j))
                                return true;
                }
        }
        return false;
}

void gang_started(struct cluster *c, struct job *j, usec_t now) {
        if (!fits(c, j) || (c->n_stopped && is_before_its_turn(c, j))) {
                cluster_log(c, j->id, NULL, "JobId=%u waits for its time slice", j->id);
                job_stop(c, j, false, now);
                return;
        }
        if (alloc_counts_cpus(c))
                stop_lower(c, j, now); /* its victims have the units that it was placed on: others may be too many now */
        if (c->n_stopped) /* one may have to wait for it */
                note(c, FACT_JOB_STARTED);
        for (size_t i = 0; i < j->n_alloc; i++) {
                const struct node *n = j->alloc[i].node;
                for (size_t k = 0; k < n->n_jobs; k++)
                        j->gang_filler |= n->jobs[k] != j && is_waiting(n->jobs[k]) && n->jobs[k]->partition == j->partition &&
                                          (alloc_counts_cpus(c) || alloc_in_the_way(c, j, n->jobs[k], n));
        }
}

/* ---- slices ---- */

struct slice {
        struct job **list;
        size_t n, allocated;
};

static void join(struct slice *s, struct job *j) {
        if (j->gang_mark != OUT)
                return;
        j->gang_mark = IN;
        GROW(s->list, s->allocated, s->n);
        s->list[s->n++] = j;
}

/* The jobs that wait, and those that run there in their stead; the others of the partition fit whatever becomes of these. */
static void collect(const struct cluster *c, const struct partition *p, struct slice *s) {
        for (size_t i = 0; i < c->n_stopped; i++) {
                struct job *v = c->stopped[i];
                if (v->partition != p || !is_waiting(v))
                        continue;
                join(s, v);
                for (size_t k = 0; k < v->n_alloc; k++) {
                        const struct node *n = v->alloc[k].node;
                        for (size_t m = 0; m < n->n_jobs; m++) {
                                struct job *w = n->jobs[m];
                                if (w->partition == p && w->state == JOB_RUNNING && !w->completing &&
                                                (alloc_counts_cpus(c) || alloc_in_the_way(c, v, w, n)))
                                        join(s, w);
                        }
                }
        }
}

/* It stays as it is: it cannot be stopped, is on its way out, or its turn has not even begun. */
static bool is_pinned(const struct job *j) {
        return j->state == JOB_RUNNING ? j->no_suspend || j->grace_end : j->gang_next;
}

static int by_turn(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if (is_pinned(*x) != is_pinned(*y))
                return is_pinned(*x) ? -1 : 1;
        return by_list(*x, *y);
}

static void to_the_end(struct cluster *c, struct slice *s) {
        uint64_t end = c->next_gang;

        qsort(s->list, s->n, sizeof s->list[0], by_turn);
        for (size_t i = 0; i < s->n; i++) {
                struct job *j = s->list[i];
                if (j->state == JOB_RUNNING && !j->gang_filler)
                        j->gang_at = end++;
                j->gang_filler = false;
                cluster_job_changed(c, j);
        }
        c->next_gang = end;
        qsort(s->list, s->n, sizeof s->list[0], by_turn);
}

/* Of two that run already, and are not both of this slice, nothing is to be asked, unless it is how many they are. */
static bool is_before(const struct cluster *c, const struct job *v, const struct job *w, const struct node *n, void *user) {
        (void)n, (void)user;
        return w->gang_mark == CHOSEN || (w->gang_mark == OUT && (v->state == JOB_SUSPENDED || alloc_counts_cpus(c)) && meet(c, v, w) == MEETS);
}

static bool fits_in(const struct cluster *c, const struct job *v) {
        if (memory_is_lent(v))
                return false;
        for (size_t i = 0; i < v->n_alloc; i++)
                if (alloc_crowded(c, v, v->alloc[i].node, is_before, NULL))
                        return false;
        return true;
}

void gang_slice(struct cluster *c, struct partition *p, usec_t now) {
        struct slice s = { 0 };

        p->slice_at = 0;
        note(c, FACT_SLICE_OVER);
        collect(c, p, &s);
        if (s.n)
                to_the_end(c, &s);
        for (size_t i = 0; i < s.n; i++)
                if (is_pinned(s.list[i]) || fits_in(c, s.list[i]))
                        s.list[i]->gang_mark = CHOSEN;
        for (size_t i = 0; i < s.n; i++)
                if (s.list[i]->state == JOB_RUNNING && s.list[i]->gang_mark != CHOSEN) {
                        cluster_log(c, s.list[i]->id, NULL, "The time slice of JobId=%u is over", s.list[i]->id);
                        stop(c, s.list[i], now);
                }
        for (size_t i = 0; i < s.n; i++) {
                if (s.list[i]->state == JOB_SUSPENDED && s.list[i]->gang_mark == CHOSEN && !s.list[i]->gang_next)
                        choose(c, s.list[i], false, now);
                s.list[i]->gang_mark = OUT;
        }
        free(s.list);
}
