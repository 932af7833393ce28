/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nodes count for where limits are in the way: of each thing that is limited, and of what the
 * job needs, a number.
 *
 * It is what place_settle() gives it on one of them, for so many tasks and so much of --gpus; so it
 * is exact, also where whole cores or sockets are charged, or cores for the GPUs that they lie
 * near.  Nodes that are alike are asked once.  Of parts of a node that count for the same the one
 * with the most tasks is kept.  Licenses count wherever the job runs: what is left is without them.
 */
#include "controller/sched/place/place_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/model/tres.h"

#define KINDS_MAX 256        /* hardware, times what is left of nodes in part use */
#define ASKED_MAX 4096       /* parts that are looked at: a few milliseconds */
#define LOOK_COST 8          /* of one of them, as place_offer.c counts */
#define ASK_KIND  UINT64_MAX /* the first word of a question that nothing else asks */
#define COST_ONE  (1u << 20) /* costs are added up in fractions as small as that */

struct weigh {
        struct search *s;
        struct loads *l;
        struct limits_room room;
        struct tres_set base; /* it has that anywhere: licenses */
        size_t n_tres, asked;
        bool apart; /* PriorityFlags=MAX_TRES: the dearest of what nodes have counts */
};

/* ---- what is needed, and what is left ---- */

static bool is_license(const struct weigh *w, size_t t) {
        return t >= TRES_NAMED && w->s->c->acct.tres.list[t - TRES_NAMED].license;
}

/* What is added to the cost whatever is the dearest. */
static bool is_summed(const struct weigh *w, size_t t) {
        return !w->apart || is_license(w, t) ||
               (t >= TRES_NAMED && w->s->c->config->priority.flags & PRIORITY_MAX_TRES_GRES);
}

/* Where the dearest counts: were it the resource t. */
static uint64_t cost_of(const struct weigh *w, const struct tres_set *set, size_t t) {
        struct tres_set some = { 0 };

        for (size_t i = 0; i < w->n_tres; i++)
                some.of[i] = is_summed(w, i) || i == t ? set->of[i] : 0;
        return (uint64_t)MIN(tres_cost(w->s->c, w->s->j->partition, &some) * COST_ONE + 0.5, 9e18);
}

/* False: there is less than it has anywhere. */
static bool add_load(struct weigh *w, enum load_of what, size_t of, uint64_t room, uint64_t base) {
        struct loads *l = w->l;

        assert(l->n < LOADS_MAX);
        if (base > room)
                return what < LOAD_PLACES; /* no more is needed */
        l->of[l->n++] = (struct load){ .what = what, .of = of, .room = room - base };
        return true;
}

static void add_needs(struct weigh *w) {
        const struct search *s = w->s;

        (void)add_load(w, LOAD_NODES, 0, s->min_nodes, 0);
        (void)add_load(w, LOAD_TASKS, 0, s->num_tasks, 0);
        for (uint32_t k = 0; k < s->total.n; k++)
                (void)add_load(w, LOAD_GPUS, k, s->total.of[k], 0);
        for (size_t t = 0; t < w->n_tres; t++)
                if (w->room.least.of[t] && t != TRES_BILLING)
                        (void)add_load(w, LOAD_LEAST, t, w->room.least.of[t], w->base.of[t]);
}

static bool add_costs(struct weigh *w) {
        uint64_t most = w->room.most.of[TRES_BILLING];
        bool fits = true;

        if (most == TRES_NONE)
                return true;
        most = (MIN(most, UINT64_C(1) << 40) + 1) * COST_ONE - 1; /* whole numbers count */
        if (!w->apart)
                return add_load(w, LOAD_COST, 0, most, cost_of(w, &w->base, 0));
        for (size_t t = 0; t < w->n_tres && fits; t++)
                if (!is_summed(w, t))
                        fits = add_load(w, LOAD_COST, t, most, cost_of(w, &w->base, t));
        return fits;
}

static bool add_rooms(struct weigh *w) {
        const struct search *s = w->s;
        uint64_t nodes = MIN((uint64_t)s->max_nodes, w->room.most.of[TRES_NODE]);
        bool fits = true;

        if (nodes < s->n_offers)
                (void)add_load(w, LOAD_PLACES, 0, nodes, 0);
        if (s->power != SIZE_MAX)
                (void)add_load(w, LOAD_WOKEN, 0, s->power, 0);
        for (size_t t = 0; t < w->n_tres && fits; t++)
                if (w->room.most.of[t] != TRES_NONE && t != TRES_NODE && t != TRES_BILLING)
                        fits = add_load(w, LOAD_MOST, t, w->room.most.of[t], w->base.of[t]);
        return fits && add_costs(w);
}

static bool add_loads(struct weigh *w) {
        const struct search *s = w->s;
        const struct placement nowhere = { 0 };

        if (s->limits && !limits_room(s->c, s->j, s->without, s->when.from, &w->room))
                return false;
        place_held(s, &nowhere, &w->base, NULL);
        add_needs(w);
        return add_rooms(w);
}

/* ---- what a part counts for ---- */

static uint64_t load_of(const struct weigh *w, const struct load *l, const struct offer *o,
                const struct tres_set *set) {
        switch (l->what) {
        case LOAD_NODES:
        case LOAD_PLACES:
                return 1;
        case LOAD_TASKS:
                return o->given;
        case LOAD_GPUS:
                return o->dealt.of[l->of];
        case LOAD_WOKEN:
                return place_must_be_woken(w->s, o->node);
        case LOAD_LEAST:
        case LOAD_MOST:
                return set->of[l->of];
        case LOAD_COST:
                return cost_of(w, set, l->of);
        }
        abort();
}

/* -EBUSY: the node does not have it so; -EDQUOT: it is too much. */
static int weigh_part(struct weigh *w, const struct offer *o, const struct load_part *part) {
        struct offer one = *o;
        struct tres_set set, node;
        struct placement p;

        one.given = part->tasks;
        one.dealt = part->gpus;
        w->asked++;
        w->s->c->slices.looked += LOOK_COST;
        if (place_settle_one(w->s, &one, &p) < 0)
                return -EBUSY;
        place_held(w->s, &p, &set, &node);
        placement_done(&p);
        for (size_t t = 0; t < w->n_tres; t++) {
                if (node.of[t] > w->room.most_on_node.of[t])
                        return -EDQUOT;
                set.of[t] -= is_license(w, t) ? w->base.of[t] : 0;
        }
        for (size_t i = 0; i < w->l->n; i++) {
                part->of[i] = load_of(w, &w->l->of[i], &one, &set);
                if (w->l->of[i].what >= LOAD_PLACES && part->of[i] > w->l->of[i].room)
                        return -EDQUOT;
        }
        return 0;
}

static bool differ_in_tasks(const struct loads *l, const struct load_part *a,
                const struct load_part *b) {
        for (size_t i = 0; i < l->n; i++)
                if (a->of[i] != b->of[i] && l->of[i].what != LOAD_TASKS)
                        return false;
        return true;
}

/* The next one of a kind, or instead of its last one. */
static void add_part(struct loads *l, struct load_kind *k, struct load_part part) {
        struct load_part *last = k->parts ? &l->parts[l->n_parts - 1] : NULL;

        if (last && memcmp(&last->gpus, &part.gpus, sizeof part.gpus) == 0 &&
                        differ_in_tasks(l, last, &part)) {
                free(last->of);
                *last = part;
                return;
        }
        GROW(l->parts, l->a_parts, l->n_parts);
        l->parts[l->n_parts++] = part;
        k->parts++;
}

static void add_parts_with(struct weigh *w, struct load_kind *k, const struct offer *o,
                const struct gres_parts *gpus) {
        const struct search *s = w->s;
        bool all = w->l->whole || s->j->asked.overcommit || s->j->asked.ntasks_per_node;
        uint32_t most = s->j->asked.ntasks_per_node
                                        ? o->tasks
                                        : MIN(o->tasks, DIV_ROUND_UP(s->num_tasks, s->group) *
                                                                          s->group);
        int r = 0;

        for (uint32_t tasks = all ? most : s->group;
                        tasks <= most && r != -EDQUOT && w->asked <= ASKED_MAX; tasks += s->group) {
                struct load_part part = {
                        .tasks = tasks,
                        .gpus = *gpus,
                        .of = xnew(uint64_t, w->l->n),
                };
                r = weigh_part(w, o, &part);
                if (r < 0)
                        free(part.of);
                else
                        add_part(w->l, k, part);
        }
}

static void add_parts(struct weigh *w, struct load_kind *k, const struct offer *o) {
        struct gres_parts has = o->gres, gpus = { 0 };

        for (uint32_t i = 0; i < w->s->total.n; i++)
                has.of[i] = (uint32_t)MIN((uint64_t)has.of[i], w->s->total.of[i]);
        if (w->l->whole || !w->s->total.n)
                add_parts_with(w, k, o, &has);
        else
                while (gres_parts_next(&gpus, &has))
                        add_parts_with(w, k, o, &gpus);
}

/* ---- kinds ---- */

/* What of it counts, and for what it is wanted. */
static uint64_t item_is(const struct search *s, const struct node_gres *item) {
        const struct tres_names *names = &s->c->acct.tres;
        const struct gres_wants *wants = s->j->needs.gres_wants;
        uint64_t is = 0;

        for (size_t t = 0; t < names->n; t++)
                is |= (uint64_t)(!names->list[t].license &&
                                      strcasecmp(names->list[t].name, item->name) == 0 &&
                                      (!names->list[t].type ||
                                                      strcasecmp(names->list[t].type,
                                                                      strempty(item->type)) == 0))
                      << t;
        for (size_t i = 0; wants && i < wants->n && i < 32; i++)
                is |= (uint64_t)(strcasecmp(wants->list[i].name, item->name) == 0 &&
                                      (!wants->list[i].type ||
                                                      strcasecmp(wants->list[i].type,
                                                                      strempty(item->type)) == 0))
                      << (32 + i);
        return is;
}

static void ask_gres(struct search *s, const struct node *n) {
        const struct gres_wants *wants = s->j->needs.gres_wants;

        for (size_t i = 0; i < n->n_gres; i++) {
                place_ask_word(s, item_is(s, &n->gres_items[i]));
                place_ask_word(s, n->gres_items[i].count);
                place_ask_word(s, n->gres_items[i].used);
                place_ask_word(s, n->gres_items[i].left);
        }
        for (uint32_t k = 0; k < n->n_sides; k++)
                place_ask_set(s, n->sides[k], n->units);
        for (size_t i = 0; wants && i < wants->n && n->n_sides; i++) {
                uint64_t left[GRES_SIDES_MAX] = { 0 };
                gres_left_by_side(n, &wants->list[i], s->of.gone, false, left);
                for (uint32_t k = 0; k < n->n_sides; k++)
                        place_ask_word(s, left[k]);
        }
}

/* All that a part's loads follow from; next: of none that has been asked about. */
static size_t kind_of(struct search *s, const struct offer *o, size_t next) {
        const struct node *n = o->node;
        const struct node_hardware *h = &n->configured;
        /* The key does not say which job has which units. */
        bool by_itself = n->n_jobs && s->stops && s->j->needs.gres_wants;
        const uint64_t words[] = { ASK_KIND, s->weighed, by_itself ? n->index + 1 : 0,
                o->required | place_must_be_woken(s, n) << 1, o->tasks, o->gres.most, n->units,
                n->cpus_per_unit, h->cpus, h->boards, h->sockets, h->cores, h->threads,
                node_job_memory(n), job_units_on(s->j, n), n->n_gres, n->n_sides,
                n->n_sides ? place_most_cpus(s, n, &s->of) : 0 };
        struct place_answer a = { .number = (uint32_t)next };

        place_ask(s);
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                place_ask_word(s, words[i]);
        for (uint32_t k = 0; k < s->total.n; k++)
                place_ask_word(s, o->gres.of[k]);
        if (!s->whole) {
                place_ask_set(s, place_block(s, n, &s->base), n->units);
                place_ask_set(s, place_block(s, n, &s->of), n->units);
        }
        ask_gres(s, n);
        if (!place_answered(s, &a))
                place_answer(s, &a);
        return a.number;
}

static bool are_alike(const struct loads *l, const struct load_kind *a, const struct load_kind *b) {
        if (a->required != b->required || a->parts != b->parts)
                return false;
        for (size_t i = 0; i < a->parts; i++) {
                const struct load_part *x = &l->parts[a->first + i], *y = &l->parts[b->first + i];
                if (memcmp(x->of, y->of, l->n * sizeof x->of[0]) != 0 ||
                                memcmp(&x->gpus, &y->gpus, sizeof x->gpus) != 0)
                        return false;
        }
        return true;
}

/* Of that offer, which is the first. */
static void add_kind(struct weigh *w, const struct offer *o) {
        struct loads *l = w->l;
        struct load_kind k = { .first = l->n_parts, .as = l->n_kinds, .required = o->required };

        add_parts(w, &k, o);
        for (size_t i = 0; i < l->n_kinds && k.as == l->n_kinds; i++)
                if (l->kinds[i].as == i && are_alike(l, &l->kinds[i], &k))
                        k.as = i;
        for (; k.as < l->n_kinds && k.parts; k.parts--)
                free(l->parts[--l->n_parts].of);
        GROW(l->kinds, l->a_kinds, l->n_kinds);
        l->kinds[l->n_kinds++] = k;
}

int place_loads(struct search *s, struct loads *ret) {
        const struct cluster *c = s->c;
        struct weigh w = { .s = s,
                .l = ret,
                .n_tres = TRES_NAMED + c->acct.tres.n,
                .apart = c->config->priority.flags & (PRIORITY_MAX_TRES | PRIORITY_MAX_TRES_GRES) &&
                         s->j->partition->billing.weighted };

        *ret = (struct loads){ .whole = s->whole && s->total.n <= 1 && !s->j->needs.mem_per_gpu &&
                                        (place_takes_all_gres(s) || !s->j->needs.gres_wants) };
        s->weighed++;
        tres_clear(&w.room.most);
        tres_clear(&w.room.most_on_node);
        if (!add_loads(&w))
                return -ENOENT;
        for (size_t i = 0; i < s->n_offers; i++) {
                size_t kind = kind_of(s, &s->offers[i], ret->n_kinds);
                if (kind == ret->n_kinds)
                        add_kind(&w, &s->offers[i]);
                if (ret->n_kinds > KINDS_MAX || w.asked > ASKED_MAX)
                        return -E2BIG;
                s->offers[i].rank = ret->kinds[kind].as;
                ret->kinds[s->offers[i].rank].offers++;
        }
        return 0;
}

void place_loads_done(struct loads *l) {
        for (size_t i = 0; i < l->n_parts; i++)
                free(l->parts[i].of);
        free(l->parts);
        free(l->kinds);
}
