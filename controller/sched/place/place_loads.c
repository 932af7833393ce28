/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighs nodes if limits forbid the preferred nodes: each node gets a number (load) per limited
 * resource and per requirement of the job.
 *
 * A load is exact: place_settle() computes the units for a number of tasks and units of --gpus on
 * the node, including whole cores or sockets, and cores near GPUs. Equal nodes are weighed once.
 * Among parts of a node with equal loads the part with the most tasks is kept. Licenses count on
 * any node: they are subtracted in advance. */
#include "controller/sched/place/place_private.h"

#include "controller/accounts/limit_check.h"
#include "controller/model/tres.h"

#define KINDS_MAX 256  /* kinds of hardware, times states of partly used nodes */
#define ASKED_MAX 4096 /* maximum number of parts weighed: a few milliseconds */
#define LOOK_COST 8    /* cost of weighing a part, relative to a look (place_offer.c) */
/* first word of the keys in place_alike.c, not used by other questions */
#define ASK_KIND UINT64_MAX
#define COST_ONE (1u << 20) /* costs are added up in fractions of 1/COST_ONE */

struct weigh {
        struct search *s;
        struct loads *l;
        struct limits_room room;
        struct tres_set base; /* TRES independent of the nodes: licenses */
        size_t n_tres, asked;
        bool apart; /* PriorityFlags=MAX_TRES: only the most expensive TRES of nodes is billed */
};

/* ---- requirements and limits ---- */

static bool is_license(const struct weigh *w, size_t t) {
        return t >= TRES_NAMED && w->s->c->acct.tres.list[t - TRES_NAMED].license;
}

/* Returns whether resource t is added to the cost besides the most expensive TRES. */
static bool is_summed(const struct weigh *w, size_t t) {
        return !w->apart || is_license(w, t) ||
               (t >= TRES_NAMED && w->s->c->config->priority.flags & PRIORITY_MAX_TRES_GRES);
}

/* Returns the cost of set; with MAX_TRES, if t were the most expensive TRES. */
static uint64_t cost_of(const struct weigh *w, const struct tres_set *set, size_t t) {
        struct tres_set some = { 0 };

        for (size_t i = 0; i < w->n_tres; i++)
                some.of[i] = is_summed(w, i) || i == t ? set->of[i] : 0;
        return (uint64_t)MIN(tres_cost(w->s->c, w->s->j->partition, &some) * COST_ONE + 0.5, 9e18);
}

/* Adds a load, less the amount independent of nodes; returns false if that amount exceeds a
   limit. */
static bool add_load(struct weigh *w, enum load_of what, size_t of, uint64_t room, uint64_t base) {
        struct loads *l = w->l;

        assert(l->n < LOADS_MAX);
        if (base > room)
                return what < LOAD_PLACES; /* a requirement is met already */
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
        most = (MIN(most, UINT64_C(1) << 40) + 1) * COST_ONE - 1; /* billing counts whole numbers */
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

/* ---- loads of a part ---- */

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

/* Sets the loads of a part. -EBUSY: the node cannot give the part; -EDQUOT: a limit forbids the
   part. */
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

/* Appends a part to the last kind, or replaces the kind's last part if only the tasks differ. */
static void loads_add_part(struct loads *l, struct load_kind *k, struct load_part part) {
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
                        loads_add_part(w->l, k, part);
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

/* Returns bits for the TRES counting the item, and (from bit 32) for the requests served by the
   item. */
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

/* Returns the kind of an offer by a key with everything the loads depend on; `next`: a new kind. */
static size_t offer_kind(struct search *s, const struct offer *o, size_t next) {
        const struct node *n = o->node;
        const struct node_hardware *h = &n->configured;
        /* Jobs holding the units are not part of the key. */
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

/* Adds a kind with o as the first offer. */
static void loads_add_kind(struct weigh *w, const struct offer *o) {
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
                size_t kind = offer_kind(s, &s->offers[i], ret->n_kinds);
                if (kind == ret->n_kinds)
                        loads_add_kind(&w, &s->offers[i]);
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
