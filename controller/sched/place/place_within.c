/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds nodes within all limits together.
 *
 * Kinds of nodes (place_loads.c) join one after the other, in order of preference, until some
 * choice of joined nodes is enough. A choice has the amounts still required and the amounts counted
 * by limits. Two kinds of choices are dropped:
 *
 *   dominated   another choice requires no more and counts no more
 *   hopeless    the missing amounts cannot be had within the limits, even with all later nodes
 *               and the best ratio of each limit to each requirement (may_end())
 *
 * Therefore a placement within the limits is found if and only if one exists.
 *
 * Usually there are few kinds and few useful choices. The search gives up with too many (WORK_MAX,
 * or the limits of place_loads.c: more than a few hundred nodes of three kinds, many tasks with
 * many GPUs each). Then `unsure` is set, and a refused job is tried again after LIMIT_RETRY. */
#include "controller/sched/place/place_private.h"

#include "controller/model/feature.h"

#include <math.h>

#define WORK_MAX 1000000u /* maximum number of compared choices: a few milliseconds */
#define NOTHING  SIZE_MAX

struct choice {
        size_t before; /* the choice without the last node; NOTHING: empty */
        size_t part;   /* part of the last node */
        uint64_t *of;  /* loads: amount still required, or counted by a limit */
};

struct within {
        struct search *s;
        struct loads l;
        /* Indexed by kind and load: maximum amount of this kind and all later kinds. */
        uint64_t *rest;
        /* Indexed by kind and two loads: minimum of the second load per unit of the first. */
        double *ratio;
        struct choice *all; /* all choices made */
        size_t n, allocated;
        size_t *kept, n_kept, a_kept; /* indexes of the choices still useful */
        uint64_t work;
};

static bool is_need(const struct load *l) {
        return l->what < LOAD_PLACES;
}

bool place_may_be_within(const struct search *s) {
        bool tree = s->tree && (s->tree->tops > 1 || s->j->asked.switches);

        return !s->j->asked.contiguous && !tree && !features_counts(s->features) &&
               (s->whole || !s->j->asked.spread_job);
}

/* ---- what later kinds can give ---- */

static double *ratio_of(struct within *w, size_t kind, size_t need, size_t limit) {
        return &w->ratio[(kind * w->l.n + need) * w->l.n + limit];
}

/* Computes rest and ratio of kind from the values of kind + 1. */
static void within_look_ahead(struct within *w, size_t kind) {
        const struct load_kind *k = &w->l.kinds[kind];
        const size_t n = w->l.n;

        memcpy(&w->rest[kind * n], &w->rest[(kind + 1) * n], n * sizeof w->rest[0]);
        memcpy(ratio_of(w, kind, 0, 0), ratio_of(w, kind + 1, 0, 0), n * n * sizeof w->ratio[0]);
        for (size_t i = 0; i < n; i++) {
                uint64_t most = 0;
                for (size_t p = k->first; p < k->first + k->parts; p++) {
                        const uint64_t *of = w->l.parts[p].of;
                        most = MAX(most, of[i]);
                        for (size_t m = 0; m < n && of[i]; m++)
                                *ratio_of(w, kind, i, m) = MIN(*ratio_of(w, kind, i, m),
                                                (double)of[m] / (double)of[i]);
                }
                w->rest[kind * n + i] += most * k->offers;
        }
}

static void look_ahead_of_all(struct within *w) {
        const size_t n = w->l.n, kinds = w->l.n_kinds;

        w->rest = xnew0(uint64_t, (kinds + 1) * n);
        w->ratio = xnew(double, (kinds + 1) * n * n);
        for (size_t i = 0; i < n * n; i++)
                w->ratio[kinds * n * n + i] = HUGE_VAL;
        for (size_t i = kinds; i-- > 0;)
                within_look_ahead(w, i);
}

/* Returns whether nodes of this and later kinds may complete the choice within the limits. */
static bool may_end(struct within *w, size_t kind, const uint64_t *of) {
        const size_t n = w->l.n;

        for (size_t i = 0; i < n; i++) {
                if (!is_need(&w->l.of[i]) || of[i] == 0)
                        continue;
                if (of[i] > w->rest[kind * n + i])
                        return false;
                for (size_t m = 0; m < n; m++) {
                        /* tolerance for rounding */
                        double more = (double)of[i] * *ratio_of(w, kind, i, m) * (1 - 1e-9);
                        if (!is_need(&w->l.of[m]) && (double)of[m] + more > (double)w->l.of[m].room)
                                return false;
                }
        }
        return true;
}

/* ---- choices ---- */

static bool has_all(const struct within *w, const uint64_t *of) {
        for (size_t i = 0; i < w->l.n; i++)
                if (is_need(&w->l.of[i]) && of[i])
                        return false;
        return true;
}

/* Returns whether the load must be met exactly: --gpus are dealt exactly, and each node gives
   some, so a choice with fewer missing GPUs may leave none for the last nodes. */
static bool is_dealt(const struct within *w, const struct load *l) {
        return l->what == LOAD_GPUS && !w->l.whole;
}

/* Adds a node with part to a choice; returns false if a limit is exceeded. */
static bool put_together(const struct within *w, const uint64_t *before,
                const struct load_part *part, uint64_t *of) {
        for (size_t i = 0; i < w->l.n; i++) {
                const struct load *l = &w->l.of[i];
                if (is_dealt(w, l) && part->of[i] > before[i])
                        return false;
                of[i] = is_need(l) ? before[i] - MIN(before[i], part->of[i])
                                   : before[i] + part->of[i];
                if (!is_need(l) && of[i] > l->room)
                        return false;
        }
        return true;
}

/* Returns whether a requires no more and counts no more than b. */
static bool is_as_good(struct within *w, const uint64_t *a, const uint64_t *b) {
        w->work++;
        for (size_t i = 0; i < w->l.n; i++)
                if (a[i] > b[i] || (a[i] < b[i] && is_dealt(w, &w->l.of[i])))
                        return false;
        return true;
}

static void choice_keep(struct within *w, struct choice c) {
        GROW(w->all, w->allocated, w->n);
        w->all[w->n] = c;
        GROW(w->kept, w->a_kept, w->n_kept);
        w->kept[w->n_kept++] = w->n++;
}

/* Keeps c unless a choice kept at index `from` or later is as good. Drops choices at index `same`
   or later (with as many nodes of this kind) which are no better than c. */
static void keep_if_good(struct within *w, struct choice c, size_t from, size_t same) {
        for (size_t i = from; i < w->n_kept; i++)
                if (is_as_good(w, w->all[w->kept[i]].of, c.of)) {
                        free(c.of);
                        return;
                }
        for (size_t i = same; i < w->n_kept;)
                if (is_as_good(w, c.of, w->all[w->kept[i]].of))
                        w->kept[i] = w->kept[--w->n_kept];
                else
                        i++;
        choice_keep(w, c);
}

/* Adds a node of the kind to the choices at indexes begin to end - 1. Returns a choice with
   everything required, or NOTHING. */
static size_t join_one(struct within *w, size_t kind, size_t begin, size_t end, bool may_stop) {
        const struct load_kind *k = &w->l.kinds[kind];
        uint64_t *of = xnew(uint64_t, w->l.n);
        size_t found = NOTHING;

        for (size_t i = begin; i < end && found == NOTHING && w->work < WORK_MAX; i++)
                /* the part with the most tasks first */
                for (size_t p = k->first + k->parts;
                                p-- > k->first && found == NOTHING && w->work < WORK_MAX;) {
                        w->work++;
                        if (!put_together(w, w->all[w->kept[i]].of, &w->l.parts[p], of) ||
                                        !may_end(w, kind, of))
                                continue;
                        found = may_stop && has_all(w, of) ? w->n : NOTHING;
                        struct choice c = { .before = w->kept[i], .part = p, .of = of };
                        of = xnew(uint64_t, w->l.n);
                        if (found == NOTHING)
                                keep_if_good(w, c, k->required ? end : 0, end);
                        else
                                choice_keep(w, c);
                }
        free(of);
        return found;
}

/* Returns whether no later kind with offers is required. Equal kinds have their offers in the first
   of the kinds. */
static bool is_last_required(const struct loads *l, size_t kind) {
        size_t next = kind + 1;

        while (next < l->n_kinds && !l->kinds[next].offers)
                next++;
        return next == l->n_kinds || !l->kinds[next].required;
}

/* Adds all nodes of a required kind, or any number of nodes of another kind. */
static size_t within_join(struct within *w, size_t kind) {
        const struct load_kind *k = &w->l.kinds[kind];
        bool last = is_last_required(&w->l, kind);
        size_t begin = 0, found = NOTHING, kept = 0;

        for (size_t i = 0; i < k->offers && found == NOTHING && begin < w->n_kept &&
                           w->work < WORK_MAX;
                        i++) {
                size_t end = w->n_kept;
                found = join_one(w, kind, begin, end, !k->required || (last && i + 1 == k->offers));
                if (k->required) {
                        memmove(w->kept, &w->kept[end], (w->n_kept - end) * sizeof w->kept[0]);
                        w->n_kept -= end;
                } else {
                        begin = end;
                }
        }
        for (size_t i = 0; i < w->n_kept && found == NOTHING; i++)
                if (may_end(w, kind + 1, w->all[w->kept[i]].of))
                        w->kept[kept++] = w->kept[i];
        w->n_kept = kept;
        return found;
}

static size_t within_search(struct within *w) {
        struct choice none = { .before = NOTHING, .of = xnew(uint64_t, w->l.n) };
        size_t found = NOTHING;

        look_ahead_of_all(w);
        for (size_t i = 0; i < w->l.n; i++)
                none.of[i] = is_need(&w->l.of[i]) ? w->l.of[i].room : 0;
        choice_keep(w, none);
        if (!may_end(w, 0, none.of))
                return NOTHING;
        for (size_t i = 0; i < w->l.n_kinds && found == NOTHING && w->n_kept && w->work < WORK_MAX;
                        i++)
                found = within_join(w, i);
        w->s->unsure |= found == NOTHING && w->work >= WORK_MAX;
        return found;
}

/* ---- the result ---- */

static bool within_is_taken(const struct offer *o) {
        return o->taken;
}

static size_t kind_with(const struct loads *l, size_t part) {
        size_t k = 0;

        while (part < l->kinds[k].first || part >= l->kinds[k].first + l->kinds[k].parts)
                k++;
        return k;
}

/* Marks the most preferred offers of each kind as taken; returns the number of nodes. */
static size_t within_take(struct within *w, size_t found) {
        struct search *s = w->s;
        _cleanup_free_ size_t *next = xcalloc(w->l.n_kinds, sizeof *next);
        size_t n = 0;

        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].taken = false;
        for (; w->all[found].before != NOTHING; found = w->all[found].before, n++) {
                const struct load_part *p = &w->l.parts[w->all[found].part];
                size_t kind = kind_with(&w->l, w->all[found].part), *at = &next[kind];
                while (s->offers[*at].rank != kind)
                        ++*at;
                struct offer *o = &s->offers[(*at)++];
                o->taken = true;
                o->given = p->tasks;
                o->dealt = p->gpus;
        }
        place_partition(s, 0, within_is_taken);
        return n;
}

/* Removes surplus tasks: a part may have more tasks at the same loads than needed. */
static void leave_out(struct search *s, size_t n) {
        uint64_t wanted = MAX((uint64_t)s->num_tasks, (uint64_t)n), given = 0;

        for (size_t i = 0; i < n; i++)
                given += s->offers[i].given;
        for (size_t i = n; i-- > 0 && given > wanted && !s->j->asked.ntasks_per_node;) {
                uint32_t less = (uint32_t)MIN(given - wanted, (uint64_t)s->offers[i].given - 1);
                s->offers[i].given -= less;
                given -= less;
        }
}

static void within_done(struct within *w) {
        for (size_t i = 0; i < w->n; i++)
                free(w->all[i].of);
        free(w->all);
        free(w->kept);
        free(w->rest);
        free(w->ratio);
        place_loads_done(&w->l);
}

size_t place_choose_within(struct search *s) {
        struct within w = { .s = s };
        size_t n = 0;
        int r = place_loads(s, &w.l);
        size_t found = r < 0 ? NOTHING : within_search(&w);

        s->unsure |= r == -E2BIG;
        s->c->slices.looked += w.work / 16;
        if (found != NOTHING) {
                n = within_take(&w, found);
                s->dealt = !w.l.whole;
                if (s->dealt)
                        leave_out(s, n);
        }
        within_done(&w);
        return n;
}
