/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components are placed one after the other, each without the nodes of earlier components, and the
 * component with the fewest possible nodes first. A component without nodes is tried first in the
 * next round, for some rounds. */
#include "controller/steps/step_parts.h"

#include "controller/model/layout.h"

#define ROUNDS_MAX 8

struct turn {
        size_t part, possible;
};

/* Fits a component alone, so that errors refer to the component. */
static enum slumber_error fit_alone(struct step_ask *ask, const struct job *j, size_t *ret_possible,
                struct fail *fail) {
        struct fit f = { 0 };

        ask->apart = NULL;
        enum slumber_error e = fit_in(ask, j, &f, fail);
        *ret_possible = f.n_possible;
        fit_done(&f);
        return e;
}

static int by_possible(const void *a, const void *b) {
        const struct turn *x = a, *y = b;

        if (x->possible != y->possible)
                return x->possible < y->possible ? -1 : 1;
        return x->part < y->part ? -1 : x->part > y->part;
}

/* Fits all components in the given order; *ret_at: the turn that failed. */
static enum slumber_error fit_order(struct step_ask *asks, const struct turn *turns, size_t n,
                const struct job *j, struct fit *fits, size_t *ret_at) {
        _cleanup_(bitset_freep) struct bitset *apart = bitset_new(j->placed.n_alloc);

        for (size_t i = 0; i < n; i++) {
                size_t part = turns[i].part;
                struct fail why = { 0 };
                fit_done(&fits[part]);
                fits[part] = (struct fit){ 0 };
                asks[part].apart = apart;
                enum slumber_error e = fit_in(&asks[part], j, &fits[part], &why);
                asks[part].apart = NULL;
                *ret_at = i;
                if (e != SLUMBER_OK)
                        return e;
                for (size_t k = 0; k < fits[part].n; k++)
                        bitset_add(apart, fits[part].at[k]);
        }
        return SLUMBER_OK;
}

static void to_front(struct turn *turns, size_t at) {
        struct turn first = turns[at];

        memmove(turns + 1, turns, at * sizeof *turns);
        turns[0] = first;
}

static enum slumber_error fit_parts_in_rounds(struct step_ask *asks, const struct turn *order,
                size_t n, const struct job *j, struct fit *fits) {
        _cleanup_free_ struct turn *turns = xnew(struct turn, n);
        enum slumber_error e = SLUMBER_OK, best = SLUMBER_NODES_NOT_AVAILABLE;
        size_t at = 0;

        memcpy(turns, order, n * sizeof *turns);
        for (size_t round = 0; round <= MIN(n, (size_t)ROUNDS_MAX); round++) {
                e = fit_order(asks, turns, n, j, fits, &at);
                if (e == SLUMBER_OK)
                        return e;
                if (e == SLUMBER_NODES_BUSY)
                        best = e;
                to_front(turns, at);
        }
        return best;
}

enum slumber_error fit_parts(struct step_ask *asks, size_t n, const struct job *j, struct fit *fits,
                size_t *ret_part, struct fail *fail) {
        _cleanup_free_ struct step_ask *ever = xnew(struct step_ask, n);
        _cleanup_free_ struct turn *turns = xnew(struct turn, n);
        enum slumber_error e;

        for (size_t i = 0; i < n; i++) {
                *ret_part = turns[i].part = i;
                e = fit_alone(&asks[i], j, &turns[i].possible, fail);
                if (e != SLUMBER_OK && e != SLUMBER_NODES_BUSY)
                        return e;
                ever[i] = asks[i];
                ever[i].n_others = 0;
        }
        *ret_part = n;
        list_sort(turns, n, sizeof *turns, by_possible);
        if (fit_parts_in_rounds(asks, turns, n, j, fits) == SLUMBER_OK)
                return SLUMBER_OK;
        /* would all components fit without running steps? */
        e = fit_parts_in_rounds(ever, turns, n, j, fits);
        if (e == SLUMBER_OK || e == SLUMBER_NODES_BUSY)
                return SLUMBER_NODES_BUSY;
        fail_set(fail, -EINVAL,
                        "the %zu nodes of the job do not do for all components, each on nodes of "
                        "its own",
                        j->placed.n_alloc);
        return SLUMBER_NODES_NOT_AVAILABLE;
}

/* Fills place with the node index of each task of a component. */
static void fit_put_places(const struct step_ask *ask, const struct fit *part, const size_t *index,
                uint32_t *place) {
        const Slumber__StepSpec *s = ask->spec;
        size_t k = 0;

        if (part->place) {
                for (uint32_t t = 0; t < part->tasks; t++)
                        place[t] = (uint32_t)index[part->at[part->place[t]]];
                return;
        }
        _cleanup_free_ uint32_t *ranks = layout_ranks(part->count, part->n,
                        s->cyclic ? 1 : s->plane);
        for (size_t i = 0; i < part->n; i++)
                for (uint32_t t = 0; t < part->count[i]; t++)
                        place[ranks[k++]] = (uint32_t)index[part->at[i]];
}

void fit_join(const struct step_ask *asks, const struct fit *parts, size_t n, struct fit *f) {
        size_t last = 0;

        for (size_t i = 0; i < n; i++) {
                f->tasks += parts[i].tasks;
                f->n += parts[i].n;
                for (size_t k = 0; k < parts[i].n; k++)
                        last = MAX(last, parts[i].at[k]);
        }
        _cleanup_free_ size_t *index = xnew0(size_t, last + 1);
        _cleanup_free_ uint32_t *count = xnew0(uint32_t, last + 1);
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(last + 1);
        f->at = xnew(size_t, f->n);
        f->count = xnew(uint32_t, f->n);
        f->place = xnew(uint32_t, f->tasks);
        f->n = 0;
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < parts[i].n; k++) {
                        bitset_add(all, parts[i].at[k]);
                        count[parts[i].at[k]] = parts[i].count[k];
                }
        bitset_for_each(at, all) {
                index[at] = f->n;
                f->at[f->n] = at;
                f->count[f->n++] = count[at];
        }
        for (size_t i = 0, first = 0; i < n; first += parts[i++].tasks)
                fit_put_places(&asks[i], &parts[i], index, f->place + first);
}
