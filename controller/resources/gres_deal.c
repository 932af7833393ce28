/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deals the units of a job out to its nodes, in this order:
 *
 *     1. the least that each node must give; a node without such a minimum gives a single unit
 *     2. a unit of each kind
 *     3. up to `first` of each node, where the caller has set `first`
 *     4. the rest, in the order of the nodes
 *
 * Where no unit is left of the only kind that a node can give, an earlier node gives a unit of a
 * different kind instead, and its former unit goes to this node. A node limited by CPUs or memory
 * gets a unit in the same manner. */
#include "controller/resources/gres_deal.h"

struct deal {
        const struct gres_parts *has, *least;
        struct gres_parts *dealt;
        size_t n;
        uint32_t kinds;
        uint64_t left[GRES_KINDS_MAX];
};

struct gres_total gres_total_of(const struct gres_wants *w) {
        struct gres_total t = { 0 };

        for (size_t i = 0; w && i < w->n; i++)
                if (w->list[i].per_job && t.n < GRES_KINDS_MAX)
                        t.of[t.n++] = w->list[i].per_job;
        return t;
}

struct gres_parts gres_parts_upto(const struct gres_parts *p, uint32_t most) {
        struct gres_parts to = *p;

        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                to.of[k] = MIN(to.of[k], most);
        return to;
}

uint32_t gres_parts_largest(const struct gres_parts *p) {
        uint32_t largest = 0;

        for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                largest = MAX(largest, p->of[k]);
        return largest;
}

bool gres_parts_next(struct gres_parts *p, const struct gres_parts *upto) {
        do {
                uint32_t k = 0;
                while (k < GRES_KINDS_MAX && p->of[k] >= upto->of[k])
                        p->of[k++] = 0;
                if (k == GRES_KINDS_MAX)
                        return false;
                p->of[k]++;
        } while (gres_parts_sum(p) > upto->most);
        return true;
}

static uint32_t deal_spare_units(const struct deal *d, size_t i, uint32_t k) {
        uint64_t given = gres_parts_sum(&d->dealt[i]),
                 more = d->has[i].most - MIN(given, (uint64_t)d->has[i].most);

        return (uint32_t)MIN(more,
                        (uint64_t)(d->has[i].of[k] - MIN(d->dealt[i].of[k], d->has[i].of[k])));
}

/* Returns the units of kind k that node i could do without. */
static uint32_t deal_loose_units(const struct deal *d, size_t i, uint32_t k) {
        return d->dealt[i].of[k] - (d->least ? d->least[i].of[k] : 0);
}

static void deal_give(struct deal *d, size_t i, uint32_t k, uint64_t count) {
        d->dealt[i].of[k] += (uint32_t)count;
        d->left[k] -= count;
}

/* Makes a unit of `kind` available; if none is left, a node exchanges a unit for a further kind.
   asked: kinds, as bits, already searched: the answer is equal for all nodes, so each kind is
   searched once. */
static bool deal_find_unit(struct deal *d, uint32_t kind, uint32_t *asked) {
        *asked |= 1u << kind;
        if (d->left[kind])
                return true;
        for (size_t i = 0; i < d->n; i++)
                for (uint32_t k = 0; k < d->kinds && deal_loose_units(d, i, kind); k++) {
                        if (*asked >> k & 1 || d->has[i].of[k] <= d->dealt[i].of[k] ||
                                        !deal_find_unit(d, k, asked))
                                continue;
                        deal_give(d, i, k, 1);
                        d->dealt[i].of[kind]--;
                        d->left[kind]++;
                        return true;
                }
        return false;
}

static bool give_first(struct deal *d, size_t i) {
        uint32_t asked = 0;

        for (int others = 0; others <= 1; others++)
                for (uint32_t k = 0; k < d->kinds; k++)
                        if (deal_spare_units(d, i, k) &&
                                        (d->left[k] || (others && deal_find_unit(d, k, &asked)))) {
                                deal_give(d, i, k, 1);
                                return true;
                        }
        return false;
}

static void give_one_of_each(struct deal *d) {
        for (uint32_t k = 0; k < d->kinds; k++)
                for (size_t i = 0; i < d->n && d->left[k]; i++)
                        if (!d->dealt[i].of[k] && deal_spare_units(d, i, k))
                                deal_give(d, i, k, 1);
}

static void deal_fill(struct deal *d, const struct gres_parts *upto) {
        for (uint32_t k = 0; k < d->kinds; k++)
                for (size_t i = 0; i < d->n && d->left[k]; i++) {
                        uint32_t more = upto[i].of[k] - MIN(d->dealt[i].of[k], upto[i].of[k]);
                        deal_give(d, i, k,
                                        MIN(MIN(d->left[k], (uint64_t)more),
                                                        (uint64_t)deal_spare_units(d, i, k)));
                }
}

/* Finds a node for one more unit of `kind`; if no node has room, a full node gives the unit in
   exchange for a unit of a further kind, which is moved to a further node. */
static bool deal_find_node(struct deal *d, uint32_t kind, uint32_t *asked) {
        *asked |= 1u << kind;
        for (size_t i = 0; i < d->n; i++)
                if (deal_spare_units(d, i, kind)) {
                        deal_give(d, i, kind, 1);
                        return true;
                }
        for (size_t i = 0; i < d->n; i++)
                for (uint32_t k = 0; k < d->kinds && d->has[i].of[kind] > d->dealt[i].of[kind];
                                k++) {
                        if (*asked >> k & 1 || !deal_loose_units(d, i, k))
                                continue;
                        d->left[k]++;
                        d->dealt[i].of[k]--;
                        deal_give(d, i, kind, 1);
                        if (deal_find_node(d, k, asked))
                                return true;
                        d->left[kind]++;
                        d->dealt[i].of[kind]--;
                        deal_give(d, i, k, 1);
                }
        return false;
}

bool gres_deal(const struct gres_total *t, const struct gres_parts *has,
                const struct gres_parts *least, const struct gres_parts *first, size_t n,
                struct gres_parts *ret) {
        struct deal d = { .has = has, .least = least, .dealt = ret, .n = n, .kinds = t->n };

        for (uint32_t k = 0; k < t->n; k++)
                d.left[k] = t->of[k];
        for (size_t i = 0; i < n; i++)
                ret[i] = least ? least[i] : (struct gres_parts){ 0 };
        for (size_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < t->n; k++) {
                        if (ret[i].of[k] > d.left[k])
                                return false;
                        d.left[k] -= ret[i].of[k];
                }
        for (size_t i = 0; i < n; i++)
                if (!gres_parts_sum(&ret[i]) && !give_first(&d, i))
                        return false;
        give_one_of_each(&d);
        if (first)
                deal_fill(&d, first);
        deal_fill(&d, has);
        for (uint32_t k = 0; k < t->n; k++)
                while (d.left[k]) {
                        uint32_t asked = 0;
                        if (!deal_find_node(&d, k, &asked))
                                return false;
                }
        return true;
}

/* Sums the request, or the units of a node, for each set of kinds. */
static void add_choices(const struct gres_total *t, const struct gres_parts *has,
                uint64_t sum[1 << GRES_KINDS_MAX]) {
        sum[0] = 0;
        for (uint32_t set = 1; set < 1u << t->n; set++) {
                uint32_t k = (uint32_t)__builtin_ctz(set);
                sum[set] = sum[set & (set - 1)] + (has ? has->of[k] : t->of[k]);
        }
}

void gres_reach_add(struct gres_reach *r, const struct gres_total *t,
                const struct gres_parts *has) {
        uint64_t sum[1 << GRES_KINDS_MAX];

        add_choices(t, has, sum);
        for (uint32_t set = 1; set < 1u << t->n; set++)
                r->of[set] += MIN(sum[set], (uint64_t)has->most);
}

uint64_t gres_lacking(const struct gres_total *t, const struct gres_reach *r) {
        uint64_t sum[1 << GRES_KINDS_MAX], lacking = 0;

        add_choices(t, NULL, sum);
        for (uint32_t set = 1; set < 1u << t->n; set++)
                lacking = MAX(lacking, sum[set] - MIN(sum[set], r->of[set]));
        return lacking;
}
