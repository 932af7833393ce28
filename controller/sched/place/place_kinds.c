/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several kinds of --gpus (--gpus=a100:2,v100:1). pick_in_order() takes, in order of preference,
 * nodes with some of the missing units, then nodes for the missing tasks or number of nodes. Each
 * node must have a unit to give: a node is left out if another node would give none. If
 * pick_in_order() needs more nodes than allowed, pick_largest() takes the nodes with the most
 * missing units, or the most tasks, one by one. */
#include "controller/sched/place/place_private.h"

struct pick {
        struct search *s;
        struct gres_reach reach; /* of the taken offers */
        uint64_t lacking, tasks; /* missing units of all kinds; tasks on taken nodes */
        size_t n, most;          /* taken nodes, and the maximum */
};

bool place_kinds_do(const struct search *s, size_t from, size_t n) {
        _cleanup_free_ struct gres_parts *has = xnew(struct gres_parts, n + 1),
                                         *dealt = xnew(struct gres_parts, n + 1);

        for (size_t i = 0; i < n; i++)
                has[i] = s->offers[from + i].gres;
        return gres_deal(&s->total, has, NULL, NULL, n, dealt);
}

static bool pick_is_taken(const struct offer *o) {
        return o->taken;
}

/* Moves the taken offers first, the others stay in order; returns whether the taken offers can give
   all kinds. */
static bool they_do(struct pick *p) {
        place_partition(p->s, 0, pick_is_taken);
        return place_kinds_do(p->s, 0, p->n);
}

/* Returns the number of missing units which o has. */
static uint64_t pick_gain(const struct pick *p, const struct offer *o) {
        struct gres_reach with = p->reach;

        gres_reach_add(&with, &p->s->total, &o->gres);
        return p->lacking - gres_lacking(&p->s->total, &with);
}

static bool lacks_others(const struct pick *p) {
        return p->n < p->s->min_nodes || p->tasks < p->s->num_tasks;
}

static void pick_take(struct pick *p, struct offer *o) {
        gres_reach_add(&p->reach, &p->s->total, &o->gres);
        p->lacking = gres_lacking(&p->s->total, &p->reach);
        p->tasks += o->tasks;
        p->n++;
        o->taken = true;
}

/* Only after no unit was missing: p->reach is not restored, and pick_gain() not used any more. */
static void pick_take_back(struct pick *p, struct offer *o) {
        p->tasks -= o->tasks;
        p->n--;
        o->taken = false;
}

static struct pick pick_begin(struct search *s) {
        struct pick p = {
                .s = s,
                .most = (size_t)MIN((uint64_t)s->max_nodes, gres_total_sum(&s->total)),
                .lacking = gres_total_sum(&s->total),
        };

        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].taken = false;
        for (size_t i = 0; i < s->n_offers; i++)
                if (s->offers[i].required)
                        pick_take(&p, &s->offers[i]);
        return p;
}

/* Takes nodes for the missing tasks or number of nodes, as long as each node has a unit to give. */
static bool pick_make_up(struct pick *p) {
        for (size_t i = p->n; i < p->s->n_offers && lacks_others(p) && p->n < p->most; i++) {
                uint32_t index = p->s->offers[i].node->index;
                pick_take(p, &p->s->offers[i]);
                /* the node is now the last of the taken offers, and the next offer follows */
                if (they_do(p))
                        continue;
                for (size_t k = 0; k < p->n; k++)
                        if (p->s->offers[k].node->index == index)
                                pick_take_back(p, &p->s->offers[k]);
        }
        return !lacks_others(p) && p->n <= p->most && they_do(p);
}

static bool pick_in_order(struct search *s) {
        struct pick p = pick_begin(s);

        for (size_t i = 0; i < s->n_offers && p.lacking; i++)
                if (!s->offers[i].taken && pick_gain(&p, &s->offers[i]))
                        pick_take(&p, &s->offers[i]);
        return p.n <= p.most && they_do(&p) && pick_make_up(&p);
}

static struct offer *pick_best(const struct pick *p, bool by_tasks) {
        struct offer *found = NULL;
        uint64_t most = 0, second = 0;

        for (size_t i = 0; i < p->s->n_offers; i++) {
                struct offer *o = &p->s->offers[i];
                uint64_t some = o->taken ? 0 : pick_gain(p, o);
                uint64_t first = by_tasks ? o->tasks : some, then = by_tasks ? some : o->tasks;
                if (!some || first < most || (first == most && then <= second))
                        continue;
                found = o;
                most = first;
                second = then;
        }
        return found;
}

static int by_tasks_first(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->taken != y->taken)
                return x->taken ? -1 : 1;
        if (x->tasks != y->tasks)
                return x->tasks > y->tasks ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

static bool pick_largest(struct search *s, bool by_tasks) {
        struct pick p = pick_begin(s);

        for (struct offer *o; p.lacking && p.n < p.most && (o = pick_best(&p, by_tasks));)
                pick_take(&p, o);
        if (p.n > p.most || !they_do(&p))
                return false;
        list_sort(&s->offers[p.n], s->n_offers - p.n, sizeof s->offers[0], by_tasks_first);
        return pick_make_up(&p);
}

static size_t count_taken(const struct search *s) {
        size_t n = 0;

        while (n < s->n_offers && s->offers[n].taken)
                n++;
        return n;
}

size_t place_choose_kinds(struct search *s) {
        bool few = s->j->asked.use_min_nodes;

        if (s->n_offers < s->min_nodes || s->tasks < s->num_tasks ||
                        !gres_sums_do(&s->gres, &s->total))
                return 0;
        if ((!few && pick_in_order(s)) || pick_largest(s, false) || pick_largest(s, true))
                return count_taken(s);
        return 0;
}
