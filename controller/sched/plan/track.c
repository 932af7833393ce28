/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A track is made when asked for, from two sources: the holds of running jobs, kept until these
 * change, and the plans of the node. */
#include "controller/sched/plan/track.h"

#include "controller/indexes/node_sharing.h"
#include "controller/model/spec.h"
#include "controller/sched/plan/plan.h"

void track_done(struct track *k) {
        free(k->at);
        free(k->free);
        free(k->holds);
        free(k->held);
        free(k->all);
}

void track_scratch_done(struct track_scratch *s) {
        track_done(&s->held);
        track_done(&s->made);
        free(s->live.of);
        free(s->live.taken);
        free(s->live.what);
}

size_t track_bytes(const struct track *k) {
        return sizeof *k + k->allocated * (sizeof k->at[0] + k->width * sizeof k->free[0]) +
               (k->all ? k->width * sizeof k->all[0] : 0) + k->a_holds * sizeof k->holds[0] +
               (size_t)k->n_holds * k->width * sizeof k->held[0];
}

void tracks_changed(struct backfill *b, size_t node) {
        bitset_add(b->reheld, node);
        bitset_add(b->retracked, node);
}

/* ---- what runs ---- */

static int hold_compare(const void *a, const void *b) { /* the latest end first */
        const struct track_hold *x = a, *y = b;

        if (x->until != y->until)
                return x->until > y->until ? -1 : 1;
        return x->job->id < y->job->id ? -1 : x->job->id > y->job->id;
}

static size_t part_of(const struct backfill *b, const struct track *k, size_t node, size_t unit) {
        for (size_t i = 1; i < k->n_parts; i++)
                if (bitset_has(parts_units(b->node_parts, node, i), unit))
                        return i;
        return 0;
}

/* Adds the units of j not held by a job with a later end: of several jobs on a unit the last job
   counts. */
static void add_units(const struct backfill *b, const struct track *k, const struct job *j,
                const struct job_node *jn, struct bitset *seen, int64_t *held) {
        if (j->state == JOB_SUSPENDED && j->stopping.suspended_by_user)
                return;
        job_for_each_unit(i, j, jn)
                if (!bitset_has(seen, i)) {
                        bitset_add(seen, i);
                        held[track_at(k, part_of(b, k, jn->node->index, i))]++;
                }
}

static void add_gres(const struct job *j, const struct job_node *jn, int64_t *held) {
        size_t n;
        const struct gres_share *gres = gres_shares_of(j->placed.gres, j->placed.n_gres,
                        (uint32_t)(jn - j->placed.alloc), &n);

        for (size_t i = 0; i < n; i++)
                held[TRACK_GRES + gres[i].item] += (int64_t)gres[i].count;
}

static void find_width(const struct backfill *b, const struct node *n, struct track *k) {
        const size_t parts = parts_of(b->node_parts, n->index),
                     width = TRACK_GRES + n->n_gres + parts - 1;

        if (k->width != width)
                k->allocated = 0;
        k->width = (uint32_t)width;
        k->n_parts = (uint32_t)parts;
        k->second_part = parts > 1 ? parts_at(b->node_parts, n->index, 1) : 0;
}

static void find_holds(const struct cluster *c, const struct backfill *b, const struct node *n,
                struct track *k, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *seen = bitset_new(n->units);

        find_width(b, n, k);
        k->n_holds = 0;
        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = job_node_find(n->jobs[i], n);
                if (!jn || jn->done)
                        continue;
                GROW(k->holds, k->a_holds, k->n_holds);
                k->holds[k->n_holds++] = (struct track_hold){ .until = plan_running_until(c,
                                                                              n->jobs[i], now),
                        .job = n->jobs[i],
                        .whole = keeps_to_its_own(c, n->jobs[i]) };
        }
        if (k->n_holds == 0)
                return;
        list_sort(k->holds, k->n_holds, sizeof k->holds[0], hold_compare);
        free(k->held);
        k->held = xnew0(int64_t, (size_t)k->n_holds * k->width);
        node_add_spec(n, seen);
        for (size_t i = 0; i < k->n_holds; i++) {
                const struct job *j = k->holds[i].job;
                const struct job_node *jn = job_node_find(j, n);
                int64_t *held = &k->held[i * k->width];
                add_units(b, k, j, jn, seen, held);
                held[TRACK_MEMORY] = (int64_t)jn->memory;
                add_gres(j, jn, held);
        }
}

/* ---- steps ---- */

/* Sets k->all to the amounts of the empty node. */
static void find_all(const struct backfill *b, const struct node *n, struct track *k) {
        int64_t *free = k->all = xrenew(k->all, k->width);

        free[TRACK_UNITS] = (int64_t)n->units - n->n_spec;
        for (size_t i = 0; i < k->n_parts && k->n_parts > 1; i++)
                free[track_at(k, i)] = (int64_t)bitset_count(
                                parts_units(b->node_parts, n->index, i));
        free[TRACK_MEMORY] = (int64_t)node_job_memory(n);
        for (size_t i = 0; i < n->n_gres; i++)
                free[TRACK_GRES + i] = (int64_t)n->gres_items[i].count;
}

static size_t part_number(const struct track *k, size_t node, size_t i) {
        return i ? k->second_part + i - 1 : node;
}

static int64_t *track_step(const struct track *k, size_t i) {
        return &k->free[i * k->width];
}

/* Adds a step at t, or returns the last step if at t; the caller fills the step. */
static int64_t *next_step(struct track *k, usec_t t) {
        if (k->n && k->at[k->n - 1] == t)
                return track_step(k, k->n - 1);
        k->at[k->n] = t;
        return track_step(k, k->n++);
}

static void track_resize(struct track *k, size_t steps) {
        k->allocated = (uint32_t)steps;
        k->at = xrenew(k->at, steps);
        k->free = xrenew(k->free, steps * k->width);
}

/* Makes the scratch track k empty, with room for so many steps. */
static void track_empty(struct track *k, uint32_t width, size_t steps) {
        const bool suits = k->width == width && k->allocated >= steps;

        k->width = width;
        k->n = 0;
        if (!suits)
                track_resize(k, 2 * steps);
}

/* Copies the steps, and leaves room for some later plans. */
static void copy_steps(struct track *k, const struct track *from) {
        k->n = from->n;
        if (k->allocated < k->n || k->allocated > 2 * k->n + 8)
                track_resize(k, k->n + k->n / 4 + 2);
        memcpy(k->at, from->at, k->n * sizeof k->at[0]);
        memcpy(k->free, from->free, (size_t)k->n * k->width * sizeof k->free[0]);
}

/* Raises negative numbers to 0: the memory lent by suspended jobs is counted twice. */
static void leave_none(struct track *k) {
        for (size_t i = 0; i < (size_t)k->n * k->width; i++)
                k->free[i] = MAX(k->free[i], 0);
}

/* Adds the amounts of a hold to left, or subtracts the amounts (sign: 1 or -1). */
static void add_hold(const struct track *k, size_t i, int sign, int64_t *left) {
        const int64_t *kept = k->holds[i].whole ? k->all : &k->held[i * k->width];

        for (size_t w = 0; w < k->width; w++)
                left[w] += sign * kept[w];
}

/* Sets ret to the track without plans: the holds, sorted by end (the latest first), end one
   after the other. */
static void make_held(const struct track *k, usec_t closed, struct track *ret) {
        _cleanup_free_ int64_t *left = xnew(int64_t, k->width);

        track_empty(ret, k->width, (size_t)k->n_holds + 2);
        memcpy(left, k->all, k->width * sizeof left[0]);
        for (size_t i = 0; i < k->n_holds; i++)
                add_hold(k, i, -1, left);
        for (size_t i = k->n_holds; i > 0 && k->holds[i - 1].until <= closed; i--)
                add_hold(k, i - 1, 1, left);
        memset(next_step(ret, 0), 0, k->width * sizeof left[0]);
        if (closed == USEC_INFINITY)
                return;
        memcpy(next_step(ret, closed), left, k->width * sizeof left[0]);
        for (size_t i = k->n_holds; i > 0; i--) {
                const usec_t until = k->holds[i - 1].until;
                if (until <= closed || until == USEC_INFINITY)
                        continue;
                add_hold(k, i - 1, 1, left);
                memcpy(next_step(ret, until), left, k->width * sizeof left[0]);
        }
        leave_none(ret);
}

/* Sets what[] to the whole node if p has all parts of the node; if not, to the units of the
   parts of p, its memory and no gres. */
static void find_whole(const struct track *k, const struct job_plan *p, size_t node,
                int64_t *what) {
        bool all = true;

        memcpy(what, k->all, k->width * sizeof what[0]);
        for (size_t i = 0; i < k->n_parts; i++)
                if (!plan_has_part(p, part_number(k, node, i))) {
                        what[track_at(k, i)] = 0;
                        all = false;
                }
        if (all)
                return;
        what[TRACK_MEMORY] = MIN(what[TRACK_MEMORY], (int64_t)p->memory);
        memset(&what[TRACK_GRES], 0, (k->width - k->n_parts + 1 - TRACK_GRES) * sizeof what[0]);
}

void track_find_take(const struct track *k, const struct job_plan *p, size_t node, int64_t *what) {
        if (!plan_goes_by_numbers(p)) {
                find_whole(k, p, node, what);
                return;
        }
        const struct take t = plan_take_of(p, node);
        memset(what, 0, k->width * sizeof what[0]);
        what[TRACK_UNITS] = t.units;
        for (size_t i = 0; i < t.n_parts; i++)
                what[track_at(k, i)] = t.parts[i].n;
        what[TRACK_MEMORY] = (int64_t)t.memory;
        for (uint32_t i = 0; i < t.n_gres; i++)
                what[TRACK_GRES + t.gres[i].from] += t.gres[i].n;
}

static void live_add(struct track_live *l, const struct track *k, size_t node,
                const struct job_plan *p) {
        size_t at = l->n;

        for (; at > 0 && l->of[at - 1]->until < p->until; at--)
                l->of[at] = l->of[at - 1];
        l->of[at] = p;
        l->n++;
        track_find_take(k, p, node, l->what);
        for (size_t w = 0; w < k->width; w++)
                l->taken[w] += l->what[w];
}

static void live_remove_until(struct track_live *l, const struct track *k, size_t node, usec_t t) {
        while (l->n && l->of[l->n - 1]->until <= t) {
                track_find_take(k, l->of[--l->n], node, l->what);
                for (size_t w = 0; w < k->width; w++)
                        l->taken[w] -= l->what[w];
        }
}

/* Sets s->made to s->held without the amounts of the node's plans. Goes from each start or end
   of a hold or plan to the next; plans are sorted by start. */
static void lay_plans(const struct backfill *b, size_t node, const struct track *k,
                struct track_scratch *s) {
        const struct node_plans *np = &b->of[node];
        const struct track *held = &s->held;
        struct track_live *l = &s->live;
        size_t next = 0, i = 0;

        for (usec_t t = 0; t != USEC_INFINITY;) {
                while (i + 1 < held->n && held->at[i + 1] <= t)
                        i++;
                live_remove_until(l, k, node, t);
                for (; next < np->n && np->list[next]->start <= t; next++)
                        if (np->list[next] != b->opened && np->list[next]->until > t)
                                live_add(l, k, node, np->list[next]);
                int64_t *free = next_step(&s->made, t);
                for (size_t w = 0; w < k->width; w++)
                        free[w] = track_step(held, i)[w] - l->taken[w];
                t = i + 1 < held->n ? held->at[i + 1] : USEC_INFINITY;
                t = l->n ? MIN(t, l->of[l->n - 1]->until) : t;
                t = next < np->n ? MIN(t, np->list[next]->start) : t;
        }
}

static void make_scratch(struct track_scratch *s, uint32_t width, size_t plans) {
        track_empty(&s->made, width, s->held.n + 2 * plans);
        s->live.n = 0;
        s->live.of = xrenew(s->live.of, plans);
        s->live.what = xrenew(s->live.what, width);
        s->live.taken = xrenew(s->live.taken, width);
        memset(s->live.taken, 0, width * sizeof s->live.taken[0]);
}

static void track_make(struct backfill *b, const struct node *n, struct track *k, usec_t closed) {
        const struct node_plans *np = &b->of[n->index];
        struct track_scratch *s = &b->track_scratch;

        k->closed = closed == USEC_INFINITY;
        k->n_late = 0;
        find_all(b, n, k);
        make_held(k, closed, &s->held);
        if (!k->closed && np->n) {
                make_scratch(s, k->width, np->n);
                lay_plans(b, n->index, k, s);
        }
        copy_steps(k, !k->closed && np->n ? &s->made : &s->held);
        spend(b, 64 + 8 * (uint64_t)k->n);
}

/* ---- plans come and go ---- */

/* Makes a step begin at t, and returns the step's index. */
static size_t step_cut(struct track *k, usec_t t) {
        size_t at = FIRST_NOT(k->n, i, k->at[i] < t);

        if (at < k->n && k->at[at] == t)
                return at;
        if (k->n == k->allocated) {
                k->allocated += k->allocated / 4 + 4;
                k->at = xrenew(k->at, k->allocated);
                k->free = xrenew(k->free, (size_t)k->allocated * k->width);
        }
        memmove(&k->at[at + 1], &k->at[at], (k->n - at) * sizeof k->at[0]);
        memmove(track_step(k, at + 1), track_step(k, at),
                        (k->n - at) * k->width * sizeof k->free[0]);
        k->at[at] = t;
        memcpy(track_step(k, at), track_step(k, at - 1),
                        k->width * sizeof k->free[0]); /* the first is at 0 */
        k->n++;
        return at;
}

/* Removes a step equal to the step before. */
static void step_join(struct track *k, size_t at) {
        if (at == 0 || at >= k->n ||
                        memcmp(track_step(k, at), track_step(k, at - 1),
                                        k->width * sizeof k->free[0]) != 0)
                return;
        k->n--;
        memmove(&k->at[at], &k->at[at + 1], (k->n - at) * sizeof k->at[0]);
        memmove(track_step(k, at), track_step(k, at + 1),
                        (k->n - at) * k->width * sizeof k->free[0]);
}

static void track_put(struct track *k, const struct job_plan *p, const int64_t *what, bool give) {
        const size_t first = step_cut(k, p->start),
                     end = p->until == USEC_INFINITY ? k->n : step_cut(k, p->until);

        for (size_t i = first; i < end; i++)
                for (size_t w = 0; w < k->width; w++)
                        track_step(k, i)[w] += give ? what[w] : -what[w];
        step_join(k, end);
        step_join(k, first);
}

static void put_plan(struct backfill *b, size_t node, const struct job_plan *p, bool give) {
        struct track *k = &b->tracks[node];

        if (b->a_take < k->width) {
                b->a_take = k->width;
                b->take_of_node = xrenew(b->take_of_node, b->a_take);
        }
        track_find_take(k, p, node, b->take_of_node);
        track_put(k, p, b->take_of_node, give);
        spend(b, 32);
}

static void put_late(struct backfill *b, size_t node) {
        struct track *k = &b->tracks[node];

        for (size_t i = 0; i < k->n_late; i++)
                put_plan(b, node, k->late[i], false);
        k->n_late = 0;
}

static void plan_comes(struct backfill *b, size_t node, const struct job_plan *p) {
        struct track *k = &b->tracks[node];

        if (k->n_late == TRACK_LATE)
                bitset_add(b->retracked, node);
        else
                k->late[k->n_late++] = p;
}

static void plan_goes(struct backfill *b, size_t node, const struct job_plan *p) {
        struct track *k = &b->tracks[node];

        for (size_t i = 0; i < k->n_late; i++)
                if (k->late[i] == p) {
                        k->late[i] = k->late[--k->n_late];
                        return;
                }
        put_plan(b, node, p, true);
}

static void tracks_put(struct backfill *b, const struct job_plan *p,
                void (*put_one)(struct backfill *b, size_t node, const struct job_plan *p)) {
        for (size_t r = 0; r < p->n_ranges; r++)
                for (size_t i = p->ranges[r].from; i < (size_t)p->ranges[r].from + p->ranges[r].n;
                                i++)
                        if (!bitset_has(b->retracked, i) && !b->tracks[i].closed)
                                put_one(b, i, p);
}

void tracks_take(struct backfill *b, const struct job_plan *p) {
        tracks_put(b, p, plan_comes);
}

void tracks_give(struct backfill *b, const struct job_plan *p) {
        tracks_put(b, p, plan_goes);
}

const struct track *track_of(const struct cluster *c, struct backfill *b, size_t node, usec_t now) {
        struct track *k = &b->tracks[node];

        if (bitset_has(b->reheld, node)) {
                find_holds(c, b, c->nodes[node], k, now);
                bitset_del(b->reheld, node);
                spend(b, 16);
        }
        if (bitset_has(b->retracked, node)) {
                track_make(b, c->nodes[node], k, plan_closed_until(c, c->nodes[node], now));
                bitset_del(b->retracked, node);
        }
        put_late(b, node);
        return k;
}

/* ---- questions ---- */

static bool gres_suffice(const struct node *n, const int64_t *free, const struct need *need) {
        for (size_t i = 0; i < need->gres->n; i++) {
                const struct gres_want *w = &need->gres->list[i];
                uint64_t wanted = w->per_node ? w->per_node : gres_of_tasks(w, need->tasks);
                if (gres_sum(n, free + TRACK_GRES, w) < MAX(wanted, (uint64_t)(w->per_job > 0)))
                        return false;
        }
        return true;
}

/* Returns the free units in all wanted parts. */
static int64_t units_in(const struct track *k, const struct node *n, const int64_t *free,
                const struct need *need) {
        int64_t units = 0;

        if (k->n_parts == 1)
                return free[TRACK_UNITS];
        for (size_t i = 0; i < k->n_parts; i++)
                if (!need->wanted || bitset_has(need->wanted, part_number(k, n->index, i)))
                        units += MAX(free[track_at(k, i)], 0);
        return units;
}

/* Returns the MB needed of the node. */
static int64_t need_memory(const struct node *n, const struct need *need) {
        return need->memory == INT64_MAX ? (int64_t)node_job_memory(n) : need->memory;
}

static bool track_suffices(const struct track *k, const struct node *n, const int64_t *free,
                const struct need *need) {
        return units_in(k, n, free, need) >= need->units &&
               free[TRACK_MEMORY] >= need_memory(n, need) &&
               (!need->gres || gres_suffice(n, free, need));
}

static size_t step_at(const struct track *k, usec_t t) {
        return FIRST_NOT(k->n, i, k->at[i] <= t) - 1;
}

static usec_t track_run_end(usec_t from, usec_t duration, usec_t end) {
        usec_t until = usec_after(from, duration);

        return end ? MIN(until, end) : until;
}

/* A sequence of steps of a node with several parts, and the least free units of each part in
   these steps. Steps are added at the end and removed at the beginning. Each step before middle
   has a row in least: the least from the step up to middle; later is the least from middle on.
   Each step is examined twice, however many windows contain the step. */
struct window {
        size_t first, middle, end;
        int64_t *least; /* a row for each step of the track: a number for each part */
        int64_t *later;
};

static void window_done(struct window *w) {
        free(w->least);
        free(w->later);
}

static void window_clear(struct window *w, size_t next) {
        w->first = w->middle = w->end = next;
}

static void set_least(const struct track *k, size_t i, const int64_t *others, int64_t *ret) {
        for (size_t p = 0; p < k->n_parts; p++) {
                const int64_t free = track_step(k, i)[track_at(k, p)];
                ret[p] = others ? MIN(others[p], free) : free;
        }
}

/* Adds the step behind the last one. */
static void window_add(const struct track *k, struct window *w) {
        if (!w->later)
                w->later = xnew(int64_t, k->n_parts);
        set_least(k, w->end, w->end > w->middle ? w->later : NULL, w->later);
        w->end++;
}

/* Removes the first step; more steps must follow. */
static void window_remove(const struct track *k, struct window *w) {
        if (!w->least)
                w->least = xnew(int64_t, (size_t)k->n * k->n_parts);
        if (w->first == w->middle) {
                for (size_t i = w->end; i-- > w->first;)
                        set_least(k, i, i + 1 < w->end ? &w->least[(i + 1) * k->n_parts] : NULL,
                                        &w->least[i * k->n_parts]);
                w->middle = w->end;
        }
        w->first++;
}

/* Returns whether the wanted parts have enough units: as a job keeps its units, a part counts
   with the least number free in all steps. */
static bool parts_suffice(const struct track *k, const struct node *n, const struct need *need,
                const struct window *w) {
        int64_t units = 0;

        for (size_t p = 0; p < k->n_parts; p++) {
                int64_t least = INT64_MAX;
                if (need->wanted && !bitset_has(need->wanted, part_number(k, n->index, p)))
                        continue;
                if (w->first < w->middle)
                        least = w->least[w->first * k->n_parts + p];
                if (w->middle < w->end)
                        least = MIN(least, w->later[p]);
                units += MAX(least, 0);
        }
        return units >= need->units;
}

/* For a node with several parts: w has the steps from *from until next. While a run from *from
   on ends by next and the parts do not suffice, *from becomes the next step's start; true: the
   parts suffice from *from on. */
static bool find_in_window(const struct track *k, const struct node *n, const struct need *need,
                struct window *w, usec_t next, usec_t duration, usec_t end, usec_t *from) {
        while (next >= track_run_end(*from, duration, end)) {
                if (parts_suffice(k, n, need, w))
                        return true;
                window_remove(k, w);
                *from = w->first < k->n ? k->at[w->first] : USEC_INFINITY;
                if (w->first == w->end)
                        return false;
        }
        return false;
}

/* As track_from(), for a node with several parts. */
static usec_t find_in_parts(const struct track *k, const struct node *n, const struct need *need,
                usec_t from, usec_t latest, usec_t duration, usec_t end) {
        _cleanup_(window_done) struct window w = { 0 };

        window_clear(&w, step_at(k, from));
        for (size_t i = w.first; i < k->n && from <= latest; i++) {
                usec_t next = i + 1 < k->n ? k->at[i + 1] : USEC_INFINITY;
                if (!track_suffices(k, n, track_step(k, i), need)) {
                        from = next;
                        window_clear(&w, i + 1);
                        continue;
                }
                window_add(k, &w);
                if (find_in_window(k, n, need, &w, next, duration, end, &from))
                        return from;
        }
        return from;
}

usec_t track_from(const struct track *k, const struct node *n, const struct need *need, usec_t from,
                usec_t latest, usec_t duration, usec_t end) {
        const int64_t units = need->units, memory = need_memory(n, need);

        if (k->n_parts > 1)
                return find_in_parts(k, n, need, from, latest, duration, end);
        for (size_t i = step_at(k, from); i < k->n && from <= latest; i++) {
                const int64_t *free = track_step(k, i);
                const usec_t next = i + 1 < k->n ? k->at[i + 1] : USEC_INFINITY;
                if (free[TRACK_UNITS] < units || free[TRACK_MEMORY] < memory ||
                                (need->gres && !gres_suffice(n, free, need)))
                        from = next;
                else if (next >= track_run_end(from, duration, end))
                        return from;
        }
        return from;
}

usec_t track_from_without(const struct track *k, const struct node *n, const struct job_plan *p,
                const struct need *need, usec_t from, usec_t duration) {
        _cleanup_free_ int64_t *what = xnew(int64_t, k->width), *left = xnew(int64_t, k->width);

        track_find_take(k, p, n->index, what);
        for (size_t i = step_at(k, from); i < k->n; i++) {
                usec_t next = i + 1 < k->n ? k->at[i + 1] : USEC_INFINITY;
                const bool there = k->at[i] >= p->start && k->at[i] < p->until;
                for (size_t w = 0; w < k->width; w++)
                        left[w] = track_step(k, i)[w] + (there ? what[w] : 0);
                if (!track_suffices(k, n, left, need))
                        from = next;
                else if (next >= track_run_end(from, duration, 0))
                        return from;
        }
        return USEC_INFINITY;
}

usec_t track_next(const struct track *k, usec_t t) {
        for (size_t i = step_at(k, t) + 1; i < k->n; i++)
                for (size_t w = 0; w < k->width; w++)
                        if (track_step(k, i)[w] > track_step(k, i - 1)[w])
                                return k->at[i];
        return USEC_INFINITY;
}

void track_least(const struct track *k, usec_t from, usec_t until, int64_t *ret) {
        size_t i = step_at(k, from);

        memcpy(ret, track_step(k, i), k->width * sizeof ret[0]);
        for (i++; i < k->n && k->at[i] < until; i++)
                for (size_t w = 0; w < k->width; w++)
                        ret[w] = MIN(ret[w], track_step(k, i)[w]);
}

/* Returns whether some amount is overdrawn. Gres count by name: jobs that ask for no type may
   use each item of the name. */
static bool is_overdrawn(const struct track *k, const struct node *n, const int64_t *free) {
        bool over = free[TRACK_MEMORY] < 0;

        for (size_t i = 0; i < k->n_parts; i++)
                over = over || free[track_at(k, i)] < 0;
        for (size_t i = 0; i < n->n_gres && !over; i++)
                over = free[TRACK_GRES + i] < 0 &&
                       gres_sum_named(n, free + TRACK_GRES, n->gres_items[i].name) < 0;
        return over;
}

bool track_is_overdrawn_by(const struct track *k, const struct node *n, const struct job_plan *p,
                usec_t t) {
        const int64_t *free = track_step(k, step_at(k, t));
        _cleanup_free_ int64_t *what = xnew(int64_t, k->width);

        track_find_take(k, p, n->index, what);
        bool over = free[TRACK_MEMORY] < 0 && what[TRACK_MEMORY] > 0;
        if (!plan_goes_by_numbers(p))
                return over;
        for (size_t i = 0; i < k->n_parts; i++)
                over = over || (free[track_at(k, i)] < 0 && what[track_at(k, i)] > 0);
        for (size_t i = 0; i < n->n_gres && !over; i++)
                over = what[TRACK_GRES + i] > 0 &&
                       gres_sum_named(n, free + TRACK_GRES, n->gres_items[i].name) < 0;
        return over;
}

usec_t track_step_after(const struct track *k, usec_t t) {
        const size_t next = step_at(k, t) + 1;

        return next < k->n ? k->at[next] : USEC_INFINITY;
}

usec_t track_overdrawn(const struct track *k, const struct node *n, usec_t from) {
        for (size_t i = step_at(k, from); i < k->n; i++)
                if (is_overdrawn(k, n, track_step(k, i)))
                        return MAX(from, k->at[i]);
        return USEC_INFINITY;
}
