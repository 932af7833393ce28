/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --gpus with --gres-flags=enforce-binding: a node that gives more GPUs has cores near them for more tasks.  Where nodes do neither with
 * all that they have nor with equal parts (find_evenly() of place.c), parts are sought that do: for each node it is known how many tasks
 * so many GPUs are for (its menu), and of all ways to take some nodes, with so many GPUs altogether, the one is kept that is for the most
 * tasks.  Offer after offer joins, in their order, until that is enough.
 *
 * That is as much work as there are offers, nodes to take, GPUs and GPUs of one node, multiplied.  Where it is too much, as many offers
 * are looked at as there may be nodes, and each is taken: the first ones, or those that have the most tasks for one GPU. */
#include "controller/sched/place_private.h"

#include "controller/core/feature.h"

#define WORK_MAX 4000000u /* a few milliseconds */
#define NOT_SO   UINT32_MAX

struct mix {
        struct search *s;
        uint32_t total;      /* GPUs */
        uint32_t rows;       /* by how many nodes are taken */
        bool every;          /* each is; there is one row */
        uint32_t most;       /* GPUs of one node */
        uint32_t *menu;      /* of the offer that joins: tasks for 0, 1 ... GPUs */
        uint32_t *best, *next; /* tasks, by row and GPUs */
        uint16_t *given;     /* GPUs of that offer, by offer, row and GPUs; 0: it is not taken */
};

bool place_may_mix(const struct search *s) {
        const struct gres_wants *w = s->j->gres_wants;

        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_task)
                        return false;
        return s->total.n == 1 && s->total.of[0] <= UINT16_MAX && s->j->spec.gres_binding == GRES_BINDING_ENFORCED &&
               s->c->config->gres_cores && !s->whole && s->max_nodes > 1 && !s->lightest && !s->tree && !s->j->spec.contiguous &&
               !features_counts(s->features);
}

static size_t cell(const struct mix *m, size_t row, uint32_t gpus) {
        return row * (m->total + 1) + gpus;
}

static size_t cells(const struct mix *m) {
        return (size_t)m->rows * (m->total + 1);
}

static bool join(struct mix *m, size_t at) {
        const struct offer *o = &m->s->offers[at];
        uint32_t most = MIN(o->gres.of[0], m->total);
        uint16_t *given = &m->given[at * cells(m)];

        for (uint32_t x = 1; x <= most; x++)
                m->menu[x] = place_tasks_with(m->s, o, x);
        for (size_t row = 0; row < m->rows; row++)
                for (uint32_t g = 0; g <= m->total; g++) {
                        uint32_t *to = &m->next[cell(m, row, g)];
                        size_t before = m->every ? 0 : row - 1;
                        *to = m->every || o->required ? NOT_SO : m->best[cell(m, row, g)];
                        given[cell(m, row, g)] = 0;
                        for (uint32_t x = 1; x <= MIN(most, g) && (row || m->every); x++) {
                                uint32_t tasks = m->best[cell(m, before, g - x)];
                                if (tasks == NOT_SO || !m->menu[x] || (*to != NOT_SO && tasks + m->menu[x] <= *to))
                                        continue;
                                *to = tasks + m->menu[x];
                                given[cell(m, row, g)] = (uint16_t)x;
                        }
                }
        uint32_t *old = m->best;
        m->best = m->next;
        m->next = old;
        return at + 1 == m->s->n_offers || !m->s->offers[at + 1].required;
}

/* With the first n offers: the row that does; 0: none. */
static size_t row_that_does(const struct mix *m, size_t n) {
        size_t least = m->every ? n : m->s->min_nodes, most = m->every ? n : MIN((size_t)m->rows - 1, n);

        for (size_t row = least; row <= most && n >= m->s->min_nodes; row++) {
                uint32_t tasks = m->best[cell(m, m->every ? 0 : row, m->total)];
                if (tasks != NOT_SO && tasks >= m->s->num_tasks)
                        return row;
        }
        return 0;
}

static bool is_taken(const struct offer *o) {
        return o->taken;
}

/* Tasks are dealt as elsewhere: a node is filled before the next one, but each has its one. */
static void settle(struct mix *m, size_t n, size_t row) {
        struct search *s = m->s;
        uint32_t left = MAX(s->num_tasks, (uint32_t)row), gpus = m->total, others = (uint32_t)row;

        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].taken = false;
        for (size_t i = n, at = m->every ? 0 : row; i-- > 0;) {
                struct offer *o = &s->offers[i];
                uint16_t x = m->given[i * cells(m) + cell(m, at, gpus)];
                o->taken = x > 0;
                o->dealt = (struct gres_parts){ .of = { x } };
                at -= x && !m->every;
                gpus -= x;
        }
        for (size_t i = 0; i < n; i++) {
                struct offer *o = &s->offers[i];
                if (!o->taken)
                        continue;
                others--;
                uint32_t most = place_tasks_with(s, o, o->dealt.of[0]);
                o->given = MIN(most, left - others);
                left -= o->given;
        }
        place_partition(s, 0, is_taken);
}

static bool fits(const struct mix *m, size_t offers) {
        return (uint64_t)offers * cells(m) <= WORK_MAX / MAX(1u, m->most);
}

static size_t seek(struct mix *m, size_t offers) {
        size_t found = 0, n = 0;

        m->menu = xnew0(uint32_t, m->most + 1);
        m->best = xnew(uint32_t, cells(m));
        m->next = xnew(uint32_t, cells(m));
        m->given = xnew(uint16_t, offers * cells(m));
        for (size_t i = 0; i < cells(m); i++)
                m->best[i] = i ? NOT_SO : 0;
        while (n < offers && !found) {
                bool may_end = join(m, n++);
                found = may_end ? row_that_does(m, n) : 0;
        }
        m->s->c->slices.looked += n * cells(m) * m->most / 16;
        if (found)
                settle(m, n, found);
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

static void most_for_one_first(struct search *s) {
        for (size_t i = 0; i < s->n_offers; i++) {
                s->offers[i].rank = place_tasks_with(s, &s->offers[i], 1);
                s->offers[i].at = i;
        }
        qsort(s->offers, s->n_offers, sizeof s->offers[0], by_tasks_of_one);
}

size_t place_choose_mixed(struct search *s) {
        struct mix m = { .s = s, .total = (uint32_t)s->total.of[0] };
        size_t nodes = MIN((size_t)MIN(s->max_nodes, m.total), s->n_offers);

        for (size_t i = 0; i < s->n_offers; i++)
                m.most = MAX(m.most, MIN(s->offers[i].gres.of[0], m.total));
        if (s->n_offers < s->min_nodes || s->tasks < s->num_tasks || !gres_sums_do(&s->gres, &s->total))
                return 0;
        m.rows = (uint32_t)nodes + 1;
        if (fits(&m, s->n_offers))
                return seek(&m, s->n_offers);
        m.every = true;
        m.rows = 1;
        if (!fits(&m, nodes))
                return 0;
        size_t n = seek(&m, nodes);
        if (n == 0) {
                most_for_one_first(s);
                n = seek(&m, nodes);
        }
        return n;
}
