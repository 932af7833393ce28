/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each license has two functions of time: running jobs, whose use only falls, as a list of ends
 * with the use left after each end; and plans, as a list of levels. Both are a few thousand
 * entries in arrays, walked once for each question.
 *
 * Licenses kept by reservations follow all licenses, in the order of the reservations: only jobs
 * of the reservation may use them, only while the reservation is active; all further jobs have
 * fewer licenses then. Both restrictions are levels, as if planned. */
#include "controller/sched/plan/leases.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"

struct ending {
        usec_t at;
        uint64_t n;    /* released then */
        uint64_t left; /* held until then by this and later endings */
};

struct level { /* the use from then to the next level; before the first level: 0 */
        usec_t at;
        uint64_t used;
};

struct lease {
        uint64_t total;
        struct ending *endings; /* by time */
        size_t n_endings, a_endings;
        struct level *levels; /* by time; the last is 0 */
        size_t n_levels, a_levels;
};

struct leases {
        size_t n;
        uint64_t steps;
        struct lease list[];
};

#define INFINITE (UINT64_MAX / 2) /* total of a layer without limit */
/* Maximum number of turns examined of a recurring reservation. */
#define TURNS_MAX 400

static void add_level(struct lease *l, usec_t from, usec_t until, uint64_t n);

static size_t n_kept(const struct cluster *c) {
        size_t n = 0;

        for (size_t i = 0; i < c->resvs.n; i++)
                n += c->resvs.list[i]->licenses ? c->resvs.list[i]->licenses->n : 0;
        return n;
}

size_t leases_place(const struct cluster *c, const struct resv *of, const char *name) {
        const struct license *l = license_find(&c->licenses, name);
        size_t at = c->licenses.n;

        for (size_t i = 0; i < c->resvs.n; i++) {
                const struct countlist *kept = c->resvs.list[i]->licenses;
                for (size_t k = 0; kept && k < kept->n; k++, at++)
                        if (c->resvs.list[i] == of && streq(kept->list[k].name, name))
                                return at;
        }
        return l ? (size_t)(l - c->licenses.list) : SIZE_MAX;
}

/* Adds the licenses kept by r: unavailable to jobs outside r during each turn, and to the jobs
   of r before, between and after the turns. */
static void leases_add_kept(struct leases *all, const struct cluster *c, const struct resv *r,
                const struct count *kept) {
        const struct license *of = license_find(&c->licenses, kept->name);
        struct lease *own = &all->list[leases_place(c, r, kept->name)];
        struct resv_turn turn = { 0 };
        usec_t last = 0;

        own->total = of ? MIN(of->total, kept->n) : 0;
        for (int i = 0; of && i < TURNS_MAX && resv_next_turn(r, &turn); i++) {
                add_level(&all->list[of - c->licenses.list], turn.start, turn.end,
                                MIN(of->total, kept->n));
                add_level(own, last, turn.start, own->total);
                last = turn.end;
        }
        add_level(own, last, USEC_INFINITY, own->total);
}

struct leases *leases_new(const struct cluster *c) {
        size_t n = c->licenses.n + n_kept(c);
        struct leases *l = xcalloc(1, sizeof *l + n * sizeof l->list[0]);

        l->n = n;
        for (size_t i = 0; i < c->licenses.n; i++)
                l->list[i].total = c->licenses.list[i].infinite ? INFINITE
                                                                : c->licenses.list[i].total;
        for (size_t i = 0; i < c->resvs.n; i++)
                for (size_t k = 0; c->resvs.list[i]->licenses && k < c->resvs.list[i]->licenses->n;
                                k++)
                        leases_add_kept(l, c, c->resvs.list[i],
                                        &c->resvs.list[i]->licenses->list[k]);
        return l;
}

struct leases *leases_free(struct leases *l) {
        for (size_t i = 0; l && i < l->n; i++) {
                free(l->list[i].endings);
                free(l->list[i].levels);
        }
        free(l);
        return NULL;
}

uint64_t leases_steps(struct leases *l) {
        uint64_t steps = l->steps;

        l->steps = 0;
        return steps;
}

/* ---- what runs ---- */

static int lease_ending_compare(const void *a, const void *b) {
        const struct ending *x = a, *y = b;

        return x->at < y->at ? -1 : x->at > y->at;
}

static size_t first_ending_after(const struct lease *l, usec_t t) {
        return FIRST_NOT(l->n_endings, i, l->endings[i].at <= t);
}

static uint64_t running_at(const struct lease *l, usec_t t) {
        size_t i = first_ending_after(l, t);

        return i < l->n_endings ? l->endings[i].left : 0;
}

static void add_ending(struct lease *l, usec_t at, uint32_t n) {
        GROW(l->endings, l->a_endings, l->n_endings);
        l->endings[l->n_endings++] = (struct ending){ .at = at, .n = n };
}

static void add_all_endings(struct leases *l, const struct cluster *c,
                usec_t (*end)(const struct job *j, usec_t now), usec_t now) {
        for (size_t i = 0; i < c->n_active; i++) {
                const struct countlist *held = job_licenses(c->active[i]);
                for (size_t k = 0; held && k < held->n; k++) {
                        size_t at = leases_place(c, c->active[i]->placed.resv, held->list[k].name);
                        if (at != SIZE_MAX)
                                add_ending(&l->list[at], end(c->active[i], now), held->list[k].n);
                }
        }
}

static void sum_up(struct lease *l) {
        uint64_t left = 0;

        list_sort(l->endings, l->n_endings, sizeof l->endings[0], lease_ending_compare);
        for (size_t i = l->n_endings; i-- > 0;)
                l->endings[i].left = left += l->endings[i].n;
}

/* Returns until when running jobs hold less than before; 0: never. */
static usec_t less_until(const struct lease *before, const struct lease *after, usec_t now) {
        usec_t until = 0, from = now;

        /* the former use is constant between two ends */
        for (size_t i = 0; i < before->n_endings; i++) {
                usec_t to = before->endings[i].at;
                if (to > from && running_at(after, from) < running_at(before, from))
                        until = to;
                for (size_t k = first_ending_after(after, from);
                                k < after->n_endings && after->endings[k].at < to; k++)
                        if (running_at(after, after->endings[k].at) <
                                        running_at(before, after->endings[k].at))
                                until = to;
                from = MAX(from, to);
        }
        return until;
}

bool leases_running(struct leases *l, const struct cluster *c,
                usec_t (*end)(const struct job *j, usec_t now), usec_t now, usec_t *ret_until) {
        _cleanup_free_ struct lease *before = xnew(struct lease, l->n + 1);

        *ret_until = 0;
        for (size_t i = 0; i < l->n; i++) {
                before[i] = l->list[i];
                l->list[i].endings = NULL;
                l->list[i].n_endings = l->list[i].a_endings = 0;
        }
        add_all_endings(l, c, end, now);
        for (size_t i = 0; i < l->n; i++) {
                sum_up(&l->list[i]);
                *ret_until = MAX(*ret_until, less_until(&before[i], &l->list[i], now));
                l->steps += before[i].n_endings + l->list[i].n_endings + c->n_active / 64;
                free(before[i].endings);
        }
        return *ret_until;
}

/* ---- what is planned ---- */

static size_t first_level_after(const struct lease *l, usec_t t) {
        return FIRST_NOT(l->n_levels, i, l->levels[i].at <= t);
}

/* Returns the index of the level that begins at t; adds the level if missing. */
static size_t level_split(struct lease *l, usec_t t) {
        size_t at = first_level_after(l, t);

        if (at > 0 && l->levels[at - 1].at == t)
                return at - 1;
        GROW(l->levels, l->a_levels, l->n_levels);
        memmove(&l->levels[at + 1], &l->levels[at], (l->n_levels - at) * sizeof l->levels[0]);
        l->levels[at] = (struct level){ t, at > 0 ? l->levels[at - 1].used : 0 };
        l->n_levels++;
        return at;
}

/* Removes levels equal to the level before. */
static void levels_merge(struct lease *l, size_t from, size_t to) {
        size_t kept = from;

        for (size_t i = from; i < l->n_levels; i++) {
                uint64_t before = kept > 0 ? l->levels[kept - 1].used : 0;
                if (i > to || l->levels[i].used != before)
                        l->levels[kept++] = l->levels[i];
        }
        l->n_levels = kept;
}

static void add_level(struct lease *l, usec_t from, usec_t until, uint64_t n) {
        if (n == 0 || from >= until)
                return;
        size_t first = level_split(l, from), to = level_split(l, until);
        for (size_t k = first; k < to; k++)
                l->levels[k].used += n;
        levels_merge(l, first, to);
}

static void leases_change(struct leases *all, const struct job_plan *p, bool takes) {
        for (size_t i = 0; i < p->n_licenses; i++) {
                struct lease *l = &all->list[p->ranges[p->n_ranges + i].from];
                uint64_t n = p->ranges[p->n_ranges + i].n;
                size_t from = level_split(l, p->start), to = level_split(l, p->until);

                for (size_t k = from; k < to; k++)
                        l->levels[k].used = takes ? l->levels[k].used + n : l->levels[k].used - n;
                levels_merge(l, from, to);
                all->steps += to - from;
        }
}

void leases_take(struct leases *l, const struct job_plan *p) {
        leases_change(l, p, true);
}

void leases_give(struct leases *l, const struct job_plan *p) {
        leases_change(l, p, false);
}

/* ---- questions ---- */

/* Returns how many licenses of l the plan p holds. */
static uint64_t held_by(const struct leases *all, const struct lease *l, const struct job_plan *p) {
        uint64_t n = 0;

        for (size_t i = 0; p && i < p->n_licenses; i++)
                if (&all->list[p->ranges[p->n_ranges + i].from] == l)
                        n += p->ranges[p->n_ranges + i].n;
        return n;
}

/* Returns when p begins or ends next after t; USEC_INFINITY: never. */
static usec_t turn_after(const struct job_plan *p, usec_t t) {
        return t < p->start ? p->start : t < p->until ? p->until : USEC_INFINITY;
}

/* Returns whether n more are unavailable at some time in [from, until), if the licenses of
   without were free; *ret: when the first such stretch ends. */
static bool lease_lacks(struct leases *all, const struct lease *l, uint64_t n, usec_t from,
                usec_t until, const struct job_plan *without, usec_t *ret) {
        size_t level = first_level_after(l, from), ending = first_ending_after(l, from);
        const uint64_t spared = held_by(all, l, without);

        while (from < until) {
                uint64_t planned = level > 0 ? l->levels[level - 1].used : 0;
                uint64_t running = ending < l->n_endings ? l->endings[ending].left : 0;
                usec_t next = MIN(level < l->n_levels ? l->levels[level].at : USEC_INFINITY,
                                ending < l->n_endings ? l->endings[ending].at : USEC_INFINITY);

                if (spared) {
                        planned -= from >= without->start && from < without->until ? spared : 0;
                        next = MIN(next, turn_after(without, from));
                }
                all->steps++;
                if (planned + running + n > l->total) {
                        *ret = next;
                        return true;
                }
                if (next == USEC_INFINITY)
                        return false;
                from = next;
                while (level < l->n_levels && l->levels[level].at <= from)
                        level++;
                while (ending < l->n_endings && l->endings[ending].at <= from)
                        ending++;
        }
        return false;
}

uint64_t leases_left(struct leases *all, size_t place, usec_t from, usec_t until,
                const struct job_plan *without) {
        const struct lease *l = &all->list[place];
        size_t level = first_level_after(l, from), ending = first_ending_after(l, from);
        const uint64_t spared = held_by(all, l, without);
        uint64_t most = 0;

        while (from < until) {
                uint64_t used = (level > 0 ? l->levels[level - 1].used : 0) +
                                (ending < l->n_endings ? l->endings[ending].left : 0);
                usec_t next = MIN(level < l->n_levels ? l->levels[level].at : USEC_INFINITY,
                                ending < l->n_endings ? l->endings[ending].at : USEC_INFINITY);

                if (spared) {
                        used -= from >= without->start && from < without->until ? spared : 0;
                        next = MIN(next, turn_after(without, from));
                }
                all->steps++;
                most = MAX(most, used);
                from = next;
                while (level < l->n_levels && l->levels[level].at <= from)
                        level++;
                while (ending < l->n_endings && l->endings[ending].at <= from)
                        ending++;
        }
        return l->total > most ? l->total - most : 0;
}

usec_t leases_from(struct leases *all, size_t place, uint64_t n, usec_t from, usec_t duration) {
        usec_t until;

        if (n > all->list[place].total)
                return USEC_INFINITY;
        do
                until = usec_after(from, duration);
        while (from != USEC_INFINITY &&
                        lease_lacks(all, &all->list[place], n, from, until, NULL, &from));
        return from;
}

usec_t leases_next(const struct leases *all, size_t place, usec_t t) {
        const struct lease *l = &all->list[place];
        size_t level = first_level_after(l, t), ending = first_ending_after(l, t);

        return MIN(level < l->n_levels ? l->levels[level].at : USEC_INFINITY,
                        ending < l->n_endings ? l->endings[ending].at : USEC_INFINITY);
}

bool leases_overdrawn(struct leases *l, const struct job_plan *p) {
        usec_t unused;

        for (size_t i = 0; i < p->n_licenses; i++)
                if (lease_lacks(l, &l->list[p->ranges[p->n_ranges + i].from], 0, p->start, p->until,
                                    NULL, &unused))
                        return true;
        return false;
}

/* Returns the earliest time from `from` on for one license; USEC_INFINITY: none. */
static usec_t lease_fit_one(struct leases *l, const struct cluster *c, const struct count *asked,
                const struct resv *of, usec_t from, const struct lease_time *time) {
        size_t at = leases_place(c, of, asked->name);

        while (at != SIZE_MAX && from <= time->latest) {
                usec_t until = usec_after(from, time->duration);
                if (resv_licenses(of, asked->name)) /* the job ends with the reservation */
                        until = MAX(from + 1, resv_until_in(of, from, until));
                if (!lease_lacks(l, &l->list[at], asked->n, from, until, time->without, &from))
                        return from;
        }
        return USEC_INFINITY;
}

/* Returns the earliest time for all licenses at once: if one license becomes free later, the
   rest is tried again from that time on. */
static usec_t lease_fit_all(struct leases *l, const struct cluster *c,
                const struct countlist *asked, const struct resv *of,
                const struct lease_time *time) {
        usec_t from = time->from;
        size_t agree = 0;

        for (size_t i = 0; agree < asked->n && from != USEC_INFINITY; i = (i + 1) % asked->n) {
                usec_t t = lease_fit_one(l, c, &asked->list[i], of, from, time);
                agree = t == from ? agree + 1 : 1;
                from = t;
        }
        return from;
}

static usec_t lease_fit_any(struct leases *l, const struct cluster *c,
                const struct countlist *asked, const struct resv *of, const struct lease_time *time,
                uint32_t *ret_choice) {
        struct lease_time before = *time;
        usec_t best = USEC_INFINITY;

        for (size_t i = 0; i < asked->n && best > time->from; i++) {
                before.latest = MIN(time->latest, best - 1);
                usec_t t = lease_fit_one(l, c, &asked->list[i], of, time->from, &before);
                if (t < best) {
                        best = t;
                        *ret_choice = (uint32_t)i;
                }
        }
        return best;
}

int leases_fit(struct leases *l, const struct cluster *c, const struct countlist *asked,
                const struct resv *of, const struct lease_time *time, usec_t *ret_start,
                uint32_t *ret_choice) {
        *ret_choice = 0;
        *ret_start = asked->any ? lease_fit_any(l, c, asked, of, time, ret_choice)
                                : lease_fit_all(l, c, asked, of, time);
        return *ret_start == USEC_INFINITY || *ret_start > time->latest ? -ENOENT : 0;
}
