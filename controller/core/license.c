/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/license.h"

#include "controller/core/cluster.h"

static int by_name(const void *a, const void *b) {
        const struct license *x = a, *y = b;

        return strcmp(x->name, y->name);
}

struct license *license_find(const struct licenses *l, const char *name) {
        size_t at = FIRST_NOT(l->n, i, strcmp(l->list[i].name, name) < 0);

        return at < l->n && streq(l->list[at].name, name) ? &l->list[at] : NULL;
}

void licenses_done(struct licenses *l) {
        for (size_t i = 0; i < l->n; i++)
                free(l->list[i].name);
        free(l->list);
        *l = (struct licenses){ 0 };
}

static void count(struct licenses *l, const struct job *j, bool takes) {
        for (size_t i = 0; j->licenses_held && i < j->licenses_held->n; i++) {
                const struct count *held = &j->licenses_held->list[i];
                struct license *of = license_find(l, held->name);
                if (of)
                        of->used = takes ? of->used + held->n : of->used - held->n;
        }
}

void licenses_load(struct cluster *c, const struct config *config) {
        _cleanup_(countlist_freep) struct countlist *list = NULL;
        struct licenses *l = &c->licenses;

        licenses_done(l);
        if (isempty(config->licenses) || countlist_parse(config->licenses, false, &list, NULL) < 0 || !list)
                return; /* the configuration's reader has looked at it */
        l->list = xnew0(struct license, list->n);
        for (; l->n < list->n; l->n++)
                l->list[l->n] = (struct license){ .name = TAKE(list->list[l->n].name), .total = list->list[l->n].n };
        qsort(l->list, l->n, sizeof l->list[0], by_name);
        for (size_t i = 0; i < c->n_active; i++)
                count(l, c->active[i], true);
}

int licenses_check(const struct cluster *c, const struct countlist *asked, struct fail *fail) {
        bool some = false;

        for (size_t i = 0; asked && i < asked->n; i++) {
                const struct license *of = license_find(&c->licenses, asked->list[i].name);
                if (!of)
                        return fail_set(fail, -EINVAL, "there is no license %.100s", asked->list[i].name);
                bool enough = asked->list[i].n <= of->total;
                if (!enough && (!asked->any || (!some && i + 1 == asked->n)))
                        return fail_set(fail, -EINVAL, "%u of license %s are asked for, there are %u", asked->list[i].n, of->name, of->total);
                some |= enough;
        }
        return 0;
}

uint32_t license_left(const struct licenses *l, const char *name, const uint32_t *kept) {
        const struct license *of = license_find(l, name);
        uint64_t gone = of ? (uint64_t)of->used + of->reserved + (kept ? kept[of - l->list] : 0) : 0;

        return of && of->total > gone ? of->total - (uint32_t)gone : 0;
}

bool licenses_free(const struct licenses *l, const struct countlist *asked, const uint32_t *kept, size_t *ret) {
        *ret = 0;
        for (size_t i = 0; asked && i < asked->n; i++) {
                bool enough = license_left(l, asked->list[i].name, kept) >= asked->list[i].n;
                if (asked->any && enough) {
                        *ret = i;
                        return true;
                }
                if (!asked->any && !enough)
                        return false;
        }
        return !asked || !asked->any;
}

bool licenses_free_without(const struct cluster *c, const struct countlist *asked, const struct bitset *gone) {
        struct licenses l = { .n = c->licenses.n };
        size_t unused;

        if (!asked || l.n == 0)
                return !asked;
        l.list = xnew(struct license, l.n);
        memcpy(l.list, c->licenses.list, l.n * sizeof l.list[0]); /* names are lent */
        bitset_for_each(i, gone) count(&l, c->active[i], false);
        bool enough = licenses_free(&l, asked, NULL, &unused);
        free(l.list);
        return enough;
}

void licenses_choose(struct job *j, size_t choice) {
        countlist_free(j->licenses_held);
        j->licenses_held = j->licenses && j->licenses->any ? countlist_one(j->licenses, choice) : countlist_copy(j->licenses);
}

void licenses_take(struct cluster *c, const struct job *j) {
        if (!j->licenses_held)
                return;
        count(&c->licenses, j, true);
        c->replan.licenses = true;
}

void licenses_return(struct cluster *c, const struct job *j) {
        if (!j->licenses_held)
                return;
        count(&c->licenses, j, false);
        c->replan.licenses = true;
        c->want_sched = true;
}

/* ---- who stands in the way ---- */

static uint32_t held_of(const struct job *j, const char *name) {
        for (size_t i = 0; j->licenses_held && i < j->licenses_held->n; i++)
                if (streq(j->licenses_held->list[i].name, name))
                        return j->licenses_held->list[i].n;
        return 0;
}

static bool holds_any(const struct cluster *c, const struct job *v, const struct countlist *asked) {
        for (size_t i = 0; i < asked->n; i++)
                if (license_left(&c->licenses, asked->list[i].name, NULL) < asked->list[i].n && held_of(v, asked->list[i].name))
                        return true;
        return false;
}

static int by_age(const void *a, const void *b) {
        const struct job *const *x = a, *const *y = b;

        if ((*x)->start_time != (*y)->start_time)
                return (*x)->start_time < (*y)->start_time ? -1 : 1;
        return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

size_t licenses_holders(const struct cluster *c, const struct job *j, struct job ***ret) {
        size_t n = 0, allocated = 0;

        *ret = NULL;
        if (!j->licenses || j->licenses->any || licenses_check(c, j->licenses, NULL) < 0)
                return 0;
        for (size_t i = 0; i < c->n_active; i++)
                if (holds_any(c, c->active[i], j->licenses)) {
                        GROW(*ret, allocated, n);
                        (*ret)[n++] = c->active[i];
                }
        if (n)
                qsort(*ret, n, sizeof **ret, by_age);
        return n;
}
