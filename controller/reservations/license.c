/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/reservations/license.h"

#include "controller/model/cluster.h"
#include "controller/reservations/reservation.h"

static int by_name(const void *a, const void *b) {
        const struct license *x = a, *y = b;

        return strcmp(x->name, y->name);
}

/* ---- what reservations keep ---- */

static size_t place_in(const struct countlist *list, const char *name) {
        for (size_t i = 0; list && i < list->n; i++)
                if (streq(list->list[i].name, name))
                        return i;
        return SIZE_MAX;
}

uint32_t resv_licenses(const struct resv *r, const char *name) {
        size_t at = r ? place_in(r->licenses, name) : SIZE_MAX;

        return at == SIZE_MAX ? 0 : r->licenses->list[at].n;
}

static uint32_t used_of(const struct resv *r, const char *name) {
        size_t at = place_in(r->licenses, name);

        return at == SIZE_MAX ? 0 : r->licenses_used[at];
}

/* ---- counts ---- */

static void count(struct cluster *c, const struct job *j, bool takes) {
        const struct countlist *all = job_licenses(j);

        for (size_t i = 0; all && i < all->n; i++) {
                const struct count *held = &all->list[i];
                struct license *of = license_find(&c->licenses, held->name);
                size_t at = j->placed.resv ? place_in(j->placed.resv->licenses, held->name)
                                           : SIZE_MAX;
                if (of)
                        of->used = takes ? of->used + held->n : of->used - held->n;
                if (at != SIZE_MAX)
                        j->placed.resv->licenses_used[at] += takes ? held->n : -held->n;
        }
}

static void note_reserved(struct cluster *c) {
        for (size_t i = 0; i < c->licenses.n; i++) {
                struct license *l = &c->licenses.list[i];
                l->reserved = 0;
                for (size_t k = 0; k < c->resvs.n && c->resvs.licenses; k++) {
                        const struct resv *r = c->resvs.list[k];
                        uint32_t keeps = r->active ? resv_licenses(r, l->name) : 0,
                                 used = used_of(r, l->name);
                        l->reserved += keeps > used ? keeps - used : 0;
                }
        }
}

void licenses_recount(struct cluster *c) {
        for (size_t i = 0; i < c->licenses.n; i++)
                c->licenses.list[i].used = 0;
        for (size_t i = 0; i < c->resvs.n; i++) {
                struct resv *r = c->resvs.list[i];
                if (r->licenses)
                        memset(r->licenses_used, 0, r->licenses->n * sizeof r->licenses_used[0]);
        }
        for (size_t i = 0; i < c->n_active; i++)
                count(c, c->active[i], true);
        note_reserved(c);
        note(c, FACT_LICENSES_CHANGED);
}

void licenses_load(struct cluster *c, const struct config *config) {
        _cleanup_(countlist_freep) struct countlist *list = NULL;
        struct licenses *l = &c->licenses;

        licenses_done(l);
        if (isempty(config->licenses) ||
                        countlist_parse(config->licenses, false, &list, NULL) < 0 || !list)
                return; /* the configuration's reader has looked at it */
        l->list = xnew0(struct license, list->n);
        for (; l->n < list->n; l->n++)
                l->list[l->n] = (struct license){ .name = TAKE(list->list[l->n].name),
                        .total = list->list[l->n].n };
        qsort(l->list, l->n, sizeof l->list[0], by_name);
        licenses_recount(c);
}

static uint32_t most_of(const struct license *l, const struct resv *of) {
        uint32_t keeps = resv_licenses(of, l->name);

        return keeps ? MIN(keeps, l->total) : l->total;
}

int licenses_check(const struct cluster *c, const struct countlist *asked, const struct resv *of,
                struct fail *fail) {
        bool some = false;

        for (size_t i = 0; asked && i < asked->n; i++) {
                const struct license *l = license_find(&c->licenses, asked->list[i].name);
                if (!l)
                        return fail_set(fail, -EINVAL, "there is no license %.100s",
                                        asked->list[i].name);
                bool enough = asked->list[i].n <= most_of(l, of);
                if (!enough && (!asked->any || (!some && i + 1 == asked->n)))
                        return fail_set(fail, -EINVAL, "%u of license %s requested, %u exist%s%s",
                                        asked->list[i].n, l->name, most_of(l, of),
                                        resv_licenses(of, l->name) ? " in reservation " : "",
                                        resv_licenses(of, l->name) ? of->name : "");
                some |= enough;
        }
        return 0;
}

/* ---- what is left ---- */

static uint32_t held_of(const struct job *j, const char *name) {
        const struct countlist *held = job_licenses(j);

        for (size_t i = 0; held && i < held->n; i++)
                if (streq(held->list[i].name, name))
                        return held->list[i].n;
        return 0;
}

/* What the jobs of gone (NULL: none) hold of it; of: those in that reservation alone, NULL: all. */
static uint32_t held_by(const struct cluster *c, const struct bitset *gone, const char *name,
                const struct resv *of) {
        uint32_t n = 0;

        for (size_t i = gone ? bitset_next(gone, 0) : SIZE_MAX; i != SIZE_MAX;
                        i = bitset_next(gone, i + 1))
                if (!of || c->active[i]->placed.resv == of)
                        n += held_of(c->active[i], name);
        return n;
}

/* Of what the reservation keeps, so much is not in use, those of gone not counted. */
static uint32_t left_inside(const struct cluster *c, const struct resv *r, uint32_t keeps,
                const char *name, const struct bitset *gone) {
        uint32_t used = keeps ? used_of(r, name) - held_by(c, gone, name, r) : 0;

        return keeps > used ? keeps - used : 0;
}

/* license_left(), were the jobs at these places of c->active gone; NULL: none of them. */
static uint32_t left_without(const struct cluster *c, const struct job *j, const char *name,
                usec_t now, bool moment, const uint32_t *kept, const struct bitset *gone) {
        const struct license *l = license_find(&c->licenses, name);
        usec_t limit = moment ? 1 : j->needs.time_limit,
               until = limit > USEC_INFINITY - now ? USEC_INFINITY : now + limit;

        if (l && resv_licenses(j->placed.resv, name))
                return left_inside(c, j->placed.resv, most_of(l, j->placed.resv), name, gone);
        uint64_t taken = l ? (uint64_t)l->used - held_by(c, gone, name, NULL) +
                                                         (kept ? kept[l - c->licenses.list] : 0)
                           : 0;
        for (size_t i = 0; l && i < c->resvs.n && c->resvs.licenses; i++) {
                const struct resv *r = c->resvs.list[i];
                uint32_t left = left_inside(c, r, resv_licenses(r, name), name, gone);
                if (left && resv_lasts_in(r, now, until))
                        taken += left;
        }
        return l && l->total > taken ? l->total - (uint32_t)taken : 0;
}

uint32_t license_left(const struct cluster *c, const struct job *j, const char *name, usec_t now,
                bool moment, const uint32_t *kept) {
        return left_without(c, j, name, now, moment, kept, NULL);
}

static bool free_without(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, const struct bitset *gone, size_t *ret) {
        const struct countlist *asked = j->needs.licenses;

        *ret = 0;
        for (size_t i = 0; asked && i < asked->n; i++) {
                bool enough = left_without(c, j, asked->list[i].name, now, moment, kept, gone) >=
                              asked->list[i].n;
                if (asked->any && enough) {
                        *ret = i;
                        return true;
                }
                if (!asked->any && !enough)
                        return false;
        }
        return !asked || !asked->any;
}

bool licenses_free(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, size_t *ret) {
        return free_without(c, j, now, moment, kept, NULL, ret);
}

bool licenses_free_without(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, const struct bitset *gone) {
        size_t unused;

        return free_without(c, j, now, false, kept, gone, &unused);
}

void licenses_choose(struct job *j, size_t choice) {
        countlist_free(j->placed.licenses_held);
        j->placed.licenses_held = j->needs.licenses && j->needs.licenses->any
                                                  ? countlist_one(j->needs.licenses, choice)
                                                  : countlist_copy(j->needs.licenses);
}

void licenses_take(struct cluster *c, const struct job *j) {
        if (!job_licenses(j))
                return;
        count(c, j, true);
        note_reserved(c);
        note(c, FACT_LICENSES_CHANGED);
}

void licenses_return(struct cluster *c, const struct job *j) {
        if (!job_licenses(j))
                return;
        count(c, j, false);
        note_reserved(c);
        note(c, FACT_LICENSES_RETURNED);
}

/* ---- holders in the way ---- */

/* Are v's of that name taken of what j's are. */
static bool is_one_pool(const struct job *j, const struct job *v, const char *name) {
        const struct resv *mine = resv_licenses(j->placed.resv, name) ? j->placed.resv : NULL,
                          *its = resv_licenses(v->placed.resv, name) ? v->placed.resv : NULL;

        return mine == its;
}

static bool holds_any(const struct cluster *c, const struct job *j, const struct job *v,
                usec_t now) {
        for (size_t i = 0; i < j->needs.licenses->n; i++) {
                const struct count *asked = &j->needs.licenses->list[i];
                if (held_of(v, asked->name) && is_one_pool(j, v, asked->name) &&
                                license_left(c, j, asked->name, now, false, NULL) < asked->n)
                        return true;
        }
        return false;
}

static int by_age(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->running.start_time != (*y)->running.start_time)
                return (*x)->running.start_time < (*y)->running.start_time ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

size_t licenses_holders(const struct cluster *c, const struct job *j, usec_t now,
                struct job ***ret) {
        size_t n = 0, allocated = 0;

        *ret = NULL;
        if (!j->needs.licenses || j->needs.licenses->any ||
                        licenses_check(c, j->needs.licenses, j->placed.resv, NULL) < 0)
                return 0;
        for (size_t i = 0; i < c->n_active; i++)
                if (holds_any(c, j, c->active[i], now)) {
                        GROW(*ret, allocated, n);
                        (*ret)[n++] = c->active[i];
                }
        if (n)
                qsort(*ret, n, sizeof **ret, by_age);
        return n;
}
