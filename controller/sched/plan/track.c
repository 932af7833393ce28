/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A track is made when it is asked for: of what runs (holds), which is kept until that changes, and
 * of the plans of the node. */
#include "controller/sched/plan/track.h"

#include "controller/model/spec.h"
#include "controller/sched/plan/plan.h"

void track_done(struct track *k) {
        free(k->at);
        free(k->free);
        free(k->holds);
        free(k->held);
}

size_t track_bytes(const struct track *k) {
        return sizeof *k + k->allocated * (sizeof k->at[0] + k->width * sizeof k->free[0]) +
               k->a_holds * sizeof k->holds[0] + (size_t)k->n_holds * k->width * sizeof k->held[0];
}

void tracks_changed(struct backfill *b, size_t node) {
        bitset_add(b->reheld, node);
        bitset_add(b->retracked, node);
}

void tracks_replanned(struct backfill *b, const struct job_plan *p) {
        for (size_t i = 0; i < p->n_ranges; i++)
                bitset_add_range(b->retracked, p->ranges[i].from, p->ranges[i].n);
}

/* ---- what runs ---- */

static int by_end(const void *a, const void *b) { /* the last first */
        const struct track_hold *x = a, *y = b;

        if (x->until != y->until)
                return x->until > y->until ? -1 : 1;
        return x->job->id < y->job->id ? -1 : x->job->id > y->job->id;
}

/* Units that no job holds for longer: where several share them the last one holds them. */
static int64_t add_units(const struct job *j, const struct job_node *jn, struct bitset *seen) {
        int64_t more = 0;

        if (!j->placed.units || (j->state == JOB_SUSPENDED && j->stopping.suspended_by_user))
                return 0;
        for (size_t i = 0; i < jn->node->units; i++)
                if (!bitset_has(seen, i) && job_holds_unit(j, jn, i)) {
                        bitset_add(seen, i);
                        more++;
                }
        return more;
}

static void add_gres(const struct job *j, const struct job_node *jn, int64_t *held) {
        size_t n;
        const struct gres_share *gres = gres_shares_of(j->placed.gres, j->placed.n_gres,
                        (uint32_t)(jn - j->placed.alloc), &n);

        for (size_t i = 0; i < n; i++)
                held[TRACK_GRES + gres[i].item] += (int64_t)gres[i].count;
}

static void find_holds(const struct cluster *c, const struct node *n, struct track *k, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *seen = bitset_new(n->units);

        k->width = (uint32_t)(TRACK_GRES + n->n_gres);
        k->n_holds = 0;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                if (!jn || jn->done)
                        continue;
                GROW(k->holds, k->a_holds, k->n_holds);
                k->holds[k->n_holds++] = (struct track_hold){ .until = plan_running_until(c,
                                                                              n->jobs[i], now),
                        .job = n->jobs[i] };
        }
        if (k->n_holds == 0)
                return;
        qsort(k->holds, k->n_holds, sizeof k->holds[0], by_end);
        free(k->held);
        k->held = xnew0(int64_t, (size_t)k->n_holds * k->width);
        node_add_spec(n, seen);
        for (size_t i = 0; i < k->n_holds; i++) {
                const struct job *j = k->holds[i].job;
                const struct job_node *jn = job_node_find(j, n);
                int64_t *held = &k->held[i * k->width];
                held[TRACK_UNITS] = add_units(j, jn, seen);
                held[TRACK_MEMORY] = (int64_t)jn->memory;
                add_gres(j, jn, held);
        }
}

/* ---- steps ---- */

void track_all(const struct node *n, int64_t *free) {
        free[TRACK_UNITS] = (int64_t)n->units - n->n_spec;
        free[TRACK_MEMORY] = (int64_t)node_job_memory(n);
        for (size_t i = 0; i < n->n_gres; i++)
                free[TRACK_GRES + i] = (int64_t)n->gres_items[i].count;
}

static int64_t *step(const struct track *k, size_t i) {
        return &k->free[i * k->width];
}

/* A step begins at t: its number. */
static size_t cut(struct track *k, usec_t t) {
        size_t at = FIRST_NOT(k->n, i, k->at[i] < t);

        if (at < k->n && k->at[at] == t)
                return at;
        if (k->n == k->allocated) {
                k->allocated = 2 * k->allocated + 4;
                k->at = xrenew(k->at, k->allocated);
                k->free = xrenew(k->free, (size_t)k->allocated * k->width);
        }
        memmove(&k->at[at + 1], &k->at[at], (k->n - at) * sizeof k->at[0]);
        memmove(step(k, at + 1), step(k, at), (k->n - at) * k->width * sizeof k->free[0]);
        k->at[at] = t;
        memcpy(step(k, at), step(k, at - 1), k->width * sizeof k->free[0]); /* the first is at 0 */
        k->n++;
        return at;
}

static void take(struct track *k, usec_t from, usec_t until, const int64_t *what) {
        size_t first = cut(k, from), end = until == USEC_INFINITY ? k->n : cut(k, until);

        for (size_t i = first; i < end; i++)
                for (size_t w = 0; w < k->width; w++)
                        step(k, i)[w] -= what[w];
}

static void take_plan(struct track *k, const struct node *n, const struct job_plan *p,
                int64_t *what) {
        memset(what, 0, k->width * sizeof what[0]);
        if (!plan_goes_by_numbers(p)) {
                track_all(n, what);
        } else {
                const struct take t = plan_take_of(p, n->index);
                what[TRACK_UNITS] = t.units;
                what[TRACK_MEMORY] = (int64_t)t.memory;
                for (uint32_t i = 0; i < t.n_gres; i++)
                        what[TRACK_GRES + t.gres[i].from] += t.gres[i].n;
        }
        take(k, p->start, p->until, what);
}

static void make(struct backfill *b, const struct node *n, struct track *k, usec_t closed) {
        const struct node_plans *np = &b->of[n->index];
        _cleanup_free_ int64_t *what = xnew(int64_t, k->width);

        if (k->allocated == 0) {
                k->allocated = 4;
                k->at = xnew(usec_t, k->allocated);
        }
        k->free = xrenew(k->free, (size_t)k->allocated * k->width);
        k->n = 1;
        k->at[0] = 0;
        track_all(n, k->free);
        if (closed) {
                track_all(n, what);
                take(k, 0, closed, what);
        }
        for (size_t i = 0; i < k->n_holds && closed != USEC_INFINITY; i++)
                take(k, 0, k->holds[i].until, &k->held[i * k->width]);
        /* memory that frozen jobs have lent may be promised twice */
        for (size_t i = 0; i < (size_t)k->n * k->width; i++)
                k->free[i] = MAX(k->free[i], 0);
        for (size_t i = 0; i < np->n && closed != USEC_INFINITY; i++)
                if (np->list[i] != b->opened)
                        take_plan(k, n, np->list[i], what);
        spend(b, 4 + k->n);
}

const struct track *track_of(const struct cluster *c, struct backfill *b, size_t node, usec_t now) {
        struct track *k = &b->tracks[node];

        if (bitset_has(b->reheld, node)) {
                find_holds(c, c->nodes[node], k, now);
                bitset_del(b->reheld, node);
                spend(b, 16);
        }
        if (bitset_has(b->retracked, node)) {
                make(b, c->nodes[node], k, plan_closed_until(c, c->nodes[node], now));
                bitset_del(b->retracked, node);
        }
        return k;
}

/* ---- what it says ---- */

static bool gres_suffice(const struct node *n, const int64_t *free, const struct need *need) {
        for (size_t i = 0; i < need->gres->n; i++) {
                const struct gres_want *w = &need->gres->list[i];
                uint64_t wanted = w->per_node ? w->per_node : gres_of_tasks(w, need->tasks);
                if (gres_sum(n, free + TRACK_GRES, w) < MAX(wanted, (uint64_t)(w->per_job > 0)))
                        return false;
        }
        return true;
}

static bool suffices(const struct node *n, const int64_t *free, const struct need *need) {
        int64_t memory = need->memory == INT64_MAX ? (int64_t)node_job_memory(n) : need->memory;

        return free[TRACK_UNITS] >= need->units && free[TRACK_MEMORY] >= memory &&
               (!need->gres || gres_suffice(n, free, need));
}

static size_t step_at(const struct track *k, usec_t t) {
        return FIRST_NOT(k->n, i, k->at[i] <= t) - 1;
}

static usec_t over(usec_t from, usec_t duration, usec_t end) {
        usec_t until = duration > USEC_INFINITY - from ? USEC_INFINITY : from + duration;

        return end ? MIN(until, end) : until;
}

usec_t track_from(const struct track *k, const struct node *n, const struct need *need, usec_t from,
                usec_t duration, usec_t end) {
        for (size_t i = step_at(k, from); i < k->n; i++) {
                usec_t next = i + 1 < k->n ? k->at[i + 1] : USEC_INFINITY;
                if (!suffices(n, step(k, i), need))
                        from = next;
                else if (next >= over(from, duration, end))
                        return from;
        }
        return USEC_INFINITY;
}

usec_t track_next(const struct track *k, usec_t t) {
        for (size_t i = step_at(k, t) + 1; i < k->n; i++)
                for (size_t w = 0; w < k->width; w++)
                        if (step(k, i)[w] > step(k, i - 1)[w])
                                return k->at[i];
        return USEC_INFINITY;
}

void track_least(const struct track *k, usec_t from, usec_t until, int64_t *ret) {
        size_t i = step_at(k, from);

        memcpy(ret, step(k, i), k->width * sizeof ret[0]);
        for (i++; i < k->n && k->at[i] < until; i++)
                for (size_t w = 0; w < k->width; w++)
                        ret[w] = MIN(ret[w], step(k, i)[w]);
}

/* Jobs that ask for no type may have those of another item. */
static bool is_overdrawn(const struct node *n, const int64_t *free) {
        bool over = free[TRACK_UNITS] < 0 || free[TRACK_MEMORY] < 0;

        for (size_t i = 0; i < n->n_gres && !over; i++)
                over = free[TRACK_GRES + i] < 0 &&
                       gres_sum_named(n, free + TRACK_GRES, n->gres_items[i].name) < 0;
        return over;
}

usec_t track_overdrawn(const struct track *k, const struct node *n, usec_t from) {
        for (size_t i = step_at(k, from); i < k->n; i++)
                if (is_overdrawn(n, step(k, i)))
                        return MAX(from, k->at[i]);
        return USEC_INFINITY;
}
