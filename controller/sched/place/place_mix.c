/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --gpus with --gres-flags=enforce-binding: a node giving more GPUs has cores near the GPUs for
 * more tasks. If neither all GPUs of nodes nor equal parts are enough (find_evenly() of place.c),
 * other parts are searched by dynamic programming:
 *
 *   menu   for a node: the number of tasks for each possible part of --gpus (a dish)
 *   state  numbers of GPUs of each kind given by the taken nodes together
 *   best   for a number of taken nodes (row) and a state: the maximum number of tasks
 *
 * mix_join() adds offer after offer, in order, until the state of all requested GPUs has enough
 * tasks.
 *
 * The work is offers * rows * states * dishes. If the work is too much, only as many offers as
 * allowed nodes are considered, and all are taken (one row): the first offers, or the offers with
 * the most tasks for one GPU. */
#include "controller/sched/place/place_private.h"

#include "controller/model/feature.h"

#define WORK_MAX   4000000u /* a few milliseconds */
#define STATES_MAX 65536u   /* given is 16 bits wide */
#define NOT_SO     UINT32_MAX

struct dish { /* a part of --gpus that the joining offer can give */
        struct gres_parts gpus;
        uint32_t state; /* state with this part alone */
        uint32_t tasks;
};

struct mix {
        struct search *s;
        uint32_t states, step[GRES_KINDS_MAX]; /* difference of states for one more GPU of a kind */
        uint32_t rows;                         /* maximum number of taken nodes, plus 1 */
        bool every;                            /* take all offers considered; one row */
        uint32_t most;                         /* maximum number of dishes of a node */
        struct dish *menu;
        uint32_t n_menu;
        uint32_t *best, *next; /* best number of tasks, by row and state */
        /* state of the given dish, by offer, row and state; 0: the offer is not taken */
        uint16_t *given;
};

/* Returns the number of states for t, or more than STATES_MAX if too many. */
static uint64_t count_states(const struct gres_total *t) {
        uint64_t states = 1;

        for (uint32_t k = 0; k < t->n && states <= STATES_MAX; k++)
                states *= MIN(t->of[k], (uint64_t)STATES_MAX) + 1;
        return states;
}

bool place_may_mix(const struct search *s) {
        const struct gres_wants *w = s->j->needs.gres_wants;

        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_task)
                        return false;
        return s->total.n && count_states(&s->total) <= STATES_MAX &&
               s->j->asked.gres_binding == GRES_BINDING_ENFORCED && s->c->config->gres_cores &&
               !s->whole && s->max_nodes > 1 && !s->tree && !s->j->asked.contiguous &&
               !features_counts(s->features);
}

static size_t mix_cell(const struct mix *m, size_t row, uint32_t state) {
        return row * m->states + state;
}

static size_t mix_cells(const struct mix *m) {
        return (size_t)m->rows * m->states;
}

static struct gres_parts mix_parts(const struct mix *m, uint32_t state) {
        struct gres_parts p = { 0 };

        for (uint32_t k = m->s->total.n; k-- > 0; state %= m->step[k])
                p.of[k] = state / m->step[k];
        return p;
}

/* Returns the GPUs of o, at most the number requested. */
static struct gres_parts can_give(const struct search *s, const struct offer *o) {
        struct gres_parts p = o->gres;

        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                p.of[k] = (uint32_t)MIN((uint64_t)p.of[k], s->total.of[k]);
        return p;
}

static uint64_t count_parts(const struct gres_parts *p) {
        uint64_t parts = 1;

        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                parts *= p->of[k] + 1;
        return parts - 1;
}

static void write_menu(struct mix *m, const struct offer *o) {
        const struct gres_parts has = can_give(m->s, o);
        struct dish d = { 0 };

        m->n_menu = 0;
        while (gres_parts_next(&d.gpus, &has)) {
                d.tasks = place_tasks_with(m->s, o, &d.gpus);
                d.state = 0;
                for (uint32_t k = 0; k < m->s->total.n; k++)
                        d.state += d.gpus.of[k] * m->step[k];
                if (d.tasks)
                        m->menu[m->n_menu++] = d;
        }
}

static bool is_within(const struct mix *m, const struct gres_parts *p,
                const struct gres_parts *of) {
        for (uint32_t k = 0; k < m->s->total.n; k++)
                if (p->of[k] > of->of[k])
                        return false;
        return true;
}

/* Chooses the dish of the joining offer for a row and state; best[] is without this offer. */
static void give_best(struct mix *m, const struct offer *o, size_t row, uint32_t state,
                uint16_t *given) {
        const size_t before = m->every ? 0 : row - 1;
        const struct gres_parts all = mix_parts(m, state);
        uint32_t *to = &m->next[mix_cell(m, row, state)];

        *to = m->every || o->required ? NOT_SO : m->best[mix_cell(m, row, state)];
        *given = 0;
        for (uint32_t i = 0; i < m->n_menu && (row || m->every); i++) {
                const struct dish *d = &m->menu[i];
                if (!is_within(m, &d->gpus, &all))
                        continue;
                uint32_t tasks = m->best[mix_cell(m, before, state - d->state)];
                if (tasks == NOT_SO || (*to != NOT_SO && tasks + d->tasks <= *to))
                        continue;
                *to = tasks + d->tasks;
                *given = (uint16_t)d->state;
        }
}

static bool mix_join(struct mix *m, size_t at) {
        const struct offer *o = &m->s->offers[at];
        uint16_t *given = &m->given[at * mix_cells(m)];

        write_menu(m, o);
        for (size_t row = 0; row < m->rows; row++)
                for (uint32_t state = 0; state < m->states; state++)
                        give_best(m, o, row, state, &given[mix_cell(m, row, state)]);
        uint32_t *old = m->best;
        m->best = m->next;
        m->next = old;
        return at + 1 == m->s->n_offers || !m->s->offers[at + 1].required;
}

/* Returns the row with enough tasks after n offers; 0: none. */
static size_t row_that_does(const struct mix *m, size_t n) {
        size_t least = m->every ? n : m->s->min_nodes,
               most = m->every ? n : MIN((size_t)m->rows - 1, n);

        for (size_t row = least; row <= most && n >= m->s->min_nodes; row++) {
                uint32_t tasks = m->best[mix_cell(m, m->every ? 0 : row, m->states - 1)];
                if (tasks != NOT_SO && tasks >= m->s->num_tasks)
                        return row;
        }
        return 0;
}

static bool mix_is_taken(const struct offer *o) {
        return o->taken;
}

/* Fills a node with tasks before the next node, but leaves one task for each later node. */
static void mix_settle(struct mix *m, size_t n, size_t row) {
        struct search *s = m->s;
        uint32_t left = MAX(s->num_tasks, (uint32_t)row), state = m->states - 1,
                 others = (uint32_t)row;

        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].taken = false;
        for (size_t i = n, at = m->every ? 0 : row; i-- > 0;) {
                struct offer *o = &s->offers[i];
                uint16_t part = m->given[i * mix_cells(m) + mix_cell(m, at, state)];
                o->taken = part > 0;
                o->dealt = mix_parts(m, part);
                at -= part && !m->every;
                state -= part;
        }
        for (size_t i = 0; i < n; i++) {
                struct offer *o = &s->offers[i];
                if (!o->taken)
                        continue;
                others--;
                uint32_t most = place_tasks_with(s, o, &o->dealt);
                o->given = MIN(most, left - others);
                left -= o->given;
        }
        place_partition(s, 0, mix_is_taken);
        s->dealt = true;
}

static bool mix_fits(const struct mix *m, size_t offers) {
        return (uint64_t)offers * mix_cells(m) <= WORK_MAX / MAX(1u, m->most * m->s->total.n);
}

static size_t mix_search(struct mix *m, size_t offers) {
        size_t found = 0, n = 0;

        m->menu = xnew(struct dish, m->most + 1);
        m->best = xnew(uint32_t, mix_cells(m));
        m->next = xnew(uint32_t, mix_cells(m));
        m->given = xnew(uint16_t, offers * mix_cells(m));
        for (size_t i = 0; i < mix_cells(m); i++)
                m->best[i] = i ? NOT_SO : 0;
        while (n < offers && !found) {
                bool may_end = mix_join(m, n++);
                found = may_end ? row_that_does(m, n) : 0;
        }
        m->s->c->slices.looked += n * mix_cells(m) * m->most / 16;
        if (found)
                mix_settle(m, n, found);
        free(m->menu);
        free(m->best);
        free(m->next);
        free(m->given);
        return found;
}

static int by_tasks_of_one(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required != y->required)
                return x->required ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank > y->rank ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

static uint32_t tasks_of_one(struct search *s, const struct offer *o) {
        struct gres_parts one = { 0 }, upto = gres_parts_upto(&o->gres, 1);
        uint32_t tasks = 0;

        upto.most = 1;
        while (gres_parts_next(&one, &upto))
                tasks = MAX(tasks, place_tasks_with(s, o, &one));
        return tasks;
}

static void most_for_one_first(struct search *s) {
        for (size_t i = 0; i < s->n_offers; i++) {
                s->offers[i].rank = tasks_of_one(s, &s->offers[i]);
                s->offers[i].at = i;
        }
        list_sort(s->offers, s->n_offers, sizeof s->offers[0], by_tasks_of_one);
}

static struct mix mix_begin(struct search *s) {
        struct mix m = { .s = s, .states = 1 };
        uint64_t most = 0;

        for (uint32_t k = 0; k < s->total.n; k++) {
                m.step[k] = m.states;
                m.states *= (uint32_t)s->total.of[k] + 1;
        }
        for (size_t i = 0; i < s->n_offers; i++) {
                const struct gres_parts has = can_give(s, &s->offers[i]);
                most = MAX(most, count_parts(&has));
        }
        m.most = (uint32_t)most; /* at most `states` */
        return m;
}

size_t place_choose_mixed(struct search *s) {
        struct mix m = mix_begin(s);
        size_t nodes = (size_t)MIN(MIN((uint64_t)s->max_nodes, gres_total_sum(&s->total)),
                        (uint64_t)s->n_offers);

        if (s->n_offers < s->min_nodes || s->tasks < s->num_tasks ||
                        !gres_sums_do(&s->gres, &s->total))
                return 0;
        m.rows = (uint32_t)nodes + 1;
        if (mix_fits(&m, s->n_offers))
                return mix_search(&m, s->n_offers);
        m.every = true;
        m.rows = 1;
        if (!mix_fits(&m, nodes))
                return 0;
        size_t n = mix_search(&m, nodes);
        if (n == 0) {
                most_for_one_first(s);
                n = mix_search(&m, nodes);
        }
        return n;
}
