/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/trigger.h"

#include "controller/model/cluster.h"

/* Frees a trigger; accepts NULL and returns NULL. */
static struct trigger *trigger_free(struct trigger *t) {
        if (!t)
                return NULL;
        bitset_free(t->named);
        free(t->nodes);
        free(t->program);
        free(t->user);
        free(t->argument);
        free(t);
        return NULL;
}

struct trigger *trigger_copy(const struct trigger *t) {
        struct trigger *copy = xnew(struct trigger, 1);

        *copy = *t;
        copy->named = NULL;
        copy->nodes = xstrdup(t->nodes);
        copy->program = xstrdup(t->program);
        copy->user = xstrdup(t->user);
        copy->argument = xstrdup(t->argument);
        return copy;
}

void trigger_changed(struct triggers *all, struct trigger *t) {
        t->dirty = all->dirty = true;
}

void triggers_add(struct triggers *all, struct trigger *t) {
        GROW(all->waiting, all->a_waiting, all->n_waiting);
        all->waiting[all->n_waiting++] = t;
        all->last_id = MAX(all->last_id, t->id);
        trigger_changed(all, t);
}

void triggers_add_run(struct triggers *all, struct trigger *t) {
        GROW(all->runs, all->a_runs, all->n_runs);
        all->runs[all->n_runs++] = t;
        all->last_id = MAX(all->last_id, t->id);
        all->last_serial = MAX(all->last_serial, t->serial);
        trigger_changed(all, t);
}

static void trigger_drop(struct triggers *all, struct trigger **list, size_t *n, size_t i) {
        GROW(all->gone, all->a_gone, all->n_gone);
        all->gone[all->n_gone++] = (struct trigger_key){ list[i]->serial, list[i]->id };
        all->dirty = true;
        trigger_free(list[i]);
        memmove(&list[i], &list[i + 1], (--*n - i) * sizeof list[0]);
}

void triggers_drop(struct triggers *all, size_t i) {
        trigger_drop(all, all->waiting, &all->n_waiting, i);
}

void triggers_drop_run(struct triggers *all, size_t i) {
        trigger_drop(all, all->runs, &all->n_runs, i);
}

struct trigger *trigger_run(const struct cluster *c, uint64_t serial) {
        for (size_t i = 0; i < c->triggers.n_runs; i++)
                if (c->triggers.runs[i]->serial == serial)
                        return c->triggers.runs[i];
        return NULL;
}

static void trigger_move_time(usec_t *t, int64_t by) {
        if (*t == 0 || *t == USEC_INFINITY)
                return;
        *t = by < 0 && *t <= (usec_t)-by ? 1 : *t + (usec_t)by;
}

void triggers_clock_set(struct triggers *all, int64_t by) {
        trigger_move_time(&all->events_due, by);
        trigger_move_time(&all->armed, by);
        for (size_t i = 0; by && i < all->n_waiting; i++) {
                trigger_move_time(&all->waiting[i]->idle_until, by);
                trigger_changed(all, all->waiting[i]);
        }
        for (size_t i = 0; by && i < all->n_runs; i++) {
                trigger_move_time(&all->runs[i]->at, by);
                trigger_changed(all, all->runs[i]);
        }
}

void triggers_done(struct triggers *all) {
        for (size_t i = 0; i < all->n_waiting; i++)
                trigger_free(all->waiting[i]);
        for (size_t i = 0; i < all->n_runs; i++)
                trigger_free(all->runs[i]);
        free(all->waiting);
        free(all->runs);
        free(all->gone);
        bitset_free(all->nodes);
        *all = (struct triggers){ 0 };
}
