/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several kinds altogether (--gpus=a100:2,v100:1): nodes are taken, in order of preference, that have some of what is missing yet, then
 * such as bring no more than tasks, or make up the number of nodes.  Each must have something to give in the end: so a node is left
 * out beside which another would give nothing.  Where that comes to more nodes than there may be, those that have the most of what is
 * missing, or the most tasks, are taken one after the other. */
#include "controller/sched/place/place_private.h"

struct pick {
        struct search *s;
        struct gres_reach reach; /* of those that are taken */
        uint64_t lacking, tasks; /* so many units of all kinds; tasks that have a place */
        size_t n, most; /* nodes taken, and so many may be */
};

bool place_kinds_do(const struct search *s, size_t from, size_t n) {
        _cleanup_free_ struct gres_parts *has = xnew(struct gres_parts, n + 1), *dealt = xnew(struct gres_parts, n + 1);

        for (size_t i = 0; i < n; i++)
                has[i] = s->offers[from + i].gres;
        return gres_deal(&s->total, has, NULL, NULL, n, dealt);
}

static bool is_taken(const struct offer *o) {
        return o->taken;
}

/* Those that are taken come first; the others stay in their order. */
static bool they_do(struct pick *p) {
        place_partition(p->s, 0, is_taken);
        return place_kinds_do(p->s, 0, p->n);
}

/* Of what is missing. */
static uint64_t brings(const struct pick *p, const struct offer *o) {
        struct gres_reach with = p->reach;

        gres_reach_add(&with, &p->s->total, &o->gres);
        return p->lacking - gres_lacking(&p->s->total, &with);
}

static bool lacks_others(const struct pick *p) {
        return p->n < p->s->min_nodes || p->tasks < p->s->num_tasks;
}

static void take(struct pick *p, struct offer *o) {
        gres_reach_add(&p->reach, &p->s->total, &o->gres);
        p->lacking = gres_lacking(&p->s->total, &p->reach);
        p->tasks += o->tasks;
        p->n++;
        o->taken = true;
}

static void take_back(struct pick *p, struct offer *o) { /* when nothing was missing: it is not asked what others bring any more */
        p->tasks -= o->tasks;
        p->n--;
        o->taken = false;
}

static struct pick begin(struct search *s) {
        struct pick p = { .s = s, .most = (size_t)MIN((uint64_t)s->max_nodes, gres_total_sum(&s->total)), .lacking = gres_total_sum(&s->total) };

        for (size_t i = 0; i < s->n_offers; i++)
                s->offers[i].taken = false;
        for (size_t i = 0; i < s->n_offers; i++)
                if (s->offers[i].required)
                        take(&p, &s->offers[i]);
        return p;
}

/* What makes up for tasks or nodes, as long as each of them has something to give. */
static bool make_up(struct pick *p) {
        for (size_t i = p->n; i < p->s->n_offers && lacks_others(p) && p->n < p->most; i++) {
                uint32_t index = p->s->offers[i].node->index;
                take(p, &p->s->offers[i]);
                if (they_do(p)) /* it stands at its end now, and the next one after it */
                        continue;
                for (size_t k = 0; k < p->n; k++)
                        if (p->s->offers[k].node->index == index)
                                take_back(p, &p->s->offers[k]);
        }
        return !lacks_others(p) && p->n <= p->most && they_do(p);
}

static bool in_order(struct search *s) {
        struct pick p = begin(s);

        for (size_t i = 0; i < s->n_offers && p.lacking; i++)
                if (!s->offers[i].taken && brings(&p, &s->offers[i]))
                        take(&p, &s->offers[i]);
        return p.n <= p.most && they_do(&p) && make_up(&p);
}

static struct offer *best(const struct pick *p, bool by_tasks) {
        struct offer *found = NULL;
        uint64_t most = 0, second = 0;

        for (size_t i = 0; i < p->s->n_offers; i++) {
                struct offer *o = &p->s->offers[i];
                uint64_t some = o->taken ? 0 : brings(p, o);
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

static bool largest(struct search *s, bool by_tasks) {
        struct pick p = begin(s);

        for (struct offer *o; p.lacking && p.n < p.most && (o = best(&p, by_tasks));)
                take(&p, o);
        if (p.n > p.most || !they_do(&p))
                return false;
        qsort(&s->offers[p.n], s->n_offers - p.n, sizeof s->offers[0], by_tasks_first);
        return make_up(&p);
}

static size_t count_taken(const struct search *s) {
        size_t n = 0;

        while (n < s->n_offers && s->offers[n].taken)
                n++;
        return n;
}

size_t place_choose_kinds(struct search *s) {
        bool few = s->j->spec.use_min_nodes;

        if (s->n_offers < s->min_nodes || s->tasks < s->num_tasks || !gres_sums_do(&s->gres, &s->total))
                return 0;
        if ((!few && in_order(s)) || largest(s, false) || largest(s, true))
                return count_taken(s);
        return 0;
}
