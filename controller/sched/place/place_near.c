/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches units of generic resources with near cores of a node, by Cores= in gres.conf.
 *
 * Such a node has sides (model/gres.h). sides_choose() tests each subset of sides: are there enough
 * units on the sides, each side giving one, and enough free cores near the units, each side having
 * one? The smallest sufficient subset is taken.
 *
 * With --gres-flags=enforce-binding, an offer is limited to such subsets. Without enforce-binding,
 * place_settle() prefers such a subset, and no job is refused. A job with whole nodes has all units
 * and all cores.
 *
 * With enforce-binding, the job gets a core of each side. A job asking for units per node gets
 * additional cores for this, as in Slurm; with units per task or per job, the tasks must have as
 * many cores (`known`: the number of tasks on the node is known). If tasks are dealt to sockets
 * (--ntasks-per-socket), the sockets decide which cores are used. */
#include "controller/sched/place/place_private.h"

#include "controller/model/sockets.h"

struct look { /* scratch data for one node */
        struct search *s;
        const struct node *n;
        const struct bitset *blocked;     /* units not available; NULL: none */
        uint64_t (*left)[GRES_SIDES_MAX]; /* units left, by want and side */
        uint32_t *used;                   /* used sides, by want */
        uint32_t cpus;                    /* maximum number of CPUs charged */
        bool adds;                        /* see adds_cores() */
        struct bitset *near, *set, *chosen;
};

bool place_heeds_sides(const struct search *s, const struct node *n) {
        return n->n_sides && s->j->needs.gres_wants && !s->whole &&
               s->j->asked.gres_binding != GRES_BINDING_DISABLED;
}

bool place_keeps_to_sides(const struct search *s, const struct node *n) {
        return place_heeds_sides(s, n) && s->j->asked.gres_binding == GRES_BINDING_ENFORCED;
}

static bool adds_cores(const struct search *s, const struct node *n) {
        const struct gres_wants *w = s->j->needs.gres_wants;

        if (!place_keeps_to_sides(s, n) || place_keeps_tasks_apart(s))
                return false;
        for (size_t i = 0; i < w->n; i++)
                if (w->list[i].per_task || w->list[i].per_job)
                        return false;
        return true;
}

/* Returns the CPUs for a core on each side; UINT32_MAX: a side has no core. chosen: scratch. */
static uint32_t least_for(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked, struct bitset *chosen) {
        uint32_t left = UINT32_MAX;

        bitset_clear(chosen);
        if (!place_take_of_each(s, n, sides, blocked, chosen, 0, &left))
                return UINT32_MAX;
        uint32_t units = (uint32_t)bitset_count(chosen);
        return units ? (units - 1) * n->cpus_per_unit + 1 : 0;
}

uint32_t place_least_of_sides(const struct search *s, const struct node *n, uint32_t sides,
                const struct bitset *blocked) {
        if (!adds_cores(s, n))
                return 0;
        _cleanup_(bitset_freep) struct bitset *chosen = bitset_new(n->units);
        uint32_t least = least_for(s, n, sides, blocked, chosen);
        return least == UINT32_MAX ? 0 : least;
}

static struct look look_begin(struct search *s, const struct node *n, const struct yield *y) {
        const struct gres_wants *w = s->j->needs.gres_wants;
        struct look l = { .s = s,
                .n = n,
                .adds = adds_cores(s, n),
                .left = xcalloc(w->n, sizeof *l.left),
                .used = xnew0(uint32_t, w->n),
                .near = bitset_new(n->units),
                .set = bitset_new(n->units),
                .chosen = bitset_new(n->units) };

        l.cpus = l.adds ? place_most_cpus(s, n, y) : 0;
        l.blocked = place_block(s, n, y);
        for (size_t i = 0; i < w->n; i++)
                gres_left_by_side(n, &w->list[i], y->gone, s->mode == PLACE_EVER, l.left[i]);
        return l;
}

static void look_done(struct look *l) {
        free(l->left);
        free(l->used);
        bitset_free(l->near);
        bitset_free(l->set);
        bitset_free(l->chosen);
}

/* Returns the first side, as a bit, of a GPU with `need` shards, as all shards must be of a single
   GPU; 0: none. */
static uint32_t side_of_shards(const struct look *l, size_t want, uint32_t sides, uint64_t need) {
        for (uint32_t k = 1; k < l->n->n_sides; k++)
                if (sides >> k & 1 && l->left[want][k] >= need)
                        return 1u << k;
        return l->left[want][0] >= need;
}

/* Returns whether the sides (bits) have enough units, with at least one unit of each side having
   units; units near all cores (side 0) fill the gap. Sets l->used. */
static bool units_do(struct look *l, uint32_t sides, uint32_t tasks,
                const struct gres_parts *dealt) {
        const struct gres_wants *w = l->s->j->needs.gres_wants;

        for (size_t i = 0; i < w->n; i++) {
                uint64_t need = place_gres_for(&w->list[i], tasks, dealt), has = 0, of = 0;
                if (gres_wants_shards(&w->list[i])) {
                        l->used[i] = side_of_shards(l, i, sides, need);
                        if (!l->used[i])
                                return false;
                        continue;
                }
                l->used[i] = 0;
                for (uint32_t k = 1; k < l->n->n_sides && need; k++)
                        if (sides >> k & 1 && l->left[i][k]) {
                                has += l->left[i][k];
                                of++;
                                l->used[i] |= 1u << k;
                        }
                if (of > need || has + l->left[i][0] < need)
                        return false;
                l->used[i] |= has < need;
        }
        return true;
}

/* Sets l->near to the cores near the units of each name. */
static void find_near(struct look *l) {
        const struct gres_wants *w = l->s->j->needs.gres_wants;

        bitset_fill(l->near);
        for (size_t i = 0; i < w->n; i++) {
                uint32_t sides = 0;
                for (size_t k = 0; k < w->n; k++)
                        sides |= streq(w->list[k].name, w->list[i].name) ? l->used[k] : 0;
                if (sides == 0 || sides & 1)
                        continue;
                bitset_clear(l->set);
                for (uint32_t k = 1; k < l->n->n_sides; k++)
                        if (sides >> k & 1)
                                bitset_or(l->set, l->n->sides[k]);
                bitset_and(l->near, l->set);
        }
}

/* Returns whether a core is free near each used side, and enough cores for the tasks; each: the
   tasks need a core of each side. */
static bool cores_do(struct look *l, uint32_t tasks, const struct gres_parts *dealt, bool each) {
        const struct search *s = l->s;
        const struct node *n = l->n;
        uint32_t sides = 0;

        bitset_fill(l->set);
        bitset_minus(l->set, l->near);
        if (l->blocked)
                bitset_or(l->set, l->blocked);
        for (size_t i = 0; i < s->j->needs.gres_wants->n; i++)
                sides |= l->used[i] & ~1u;
        for (uint32_t k = 1; k < n->n_sides; k++)
                if (sides >> k & 1 && bitset_contains(l->set, n->sides[k]))
                        return false;
        uint32_t least = MAX(place_cpus_of_gpus(s, gres_parts_sum(dealt)),
                        l->adds ? least_for(s, n, sides, l->set, l->chosen) : 0);
        uint32_t units = place_units_for(s, n, l->set, tasks, least);
        if (least == UINT32_MAX || (l->adds && place_charge(s, n, tasks, units, least) > l->cpus))
                return false;
        if (s->by_socket) {
                struct room room = place_room(s, n, l->set);
                return units <= room.units && tasks <= room.tasks;
        }
        return units <= n->units - bitset_count(l->set) &&
               (!each || l->adds || (uint32_t)__builtin_popcount(sides) <= units);
}

/* Returns the smallest sufficient set of sides, including side 0; 0: none. */
static uint32_t sides_choose(struct look *l, uint32_t tasks, const struct gres_parts *dealt,
                bool each) {
        uint32_t best = 0;

        for (uint32_t i = 0; i < 1u << (l->n->n_sides - 1); i++) {
                uint32_t sides = i << 1 | 1;
                if (best && __builtin_popcount(sides) >= __builtin_popcount(best))
                        continue;
                if (!units_do(l, sides, tasks, dealt))
                        continue;
                find_near(l);
                if (cores_do(l, tasks, dealt, each))
                        best = sides;
        }
        return best;
}

/* Looks up the cache with everything the answer depends on: question, hardware and free
   resources. */
enum near_question { ASK_SIDES, ASK_TASKS, ASK_WITH, ASK_BESIDE };

static bool look_is_known(const struct look *l, enum near_question what, uint32_t tasks,
                const struct gres_parts *gres, bool each, struct place_answer *ret) {
        const struct node *n = l->n;
        const struct node_hardware *h = &n->configured;
        struct search *s = l->s;
        const uint64_t words[] = { (uint64_t)what << 32 | each, tasks, s->evenly | s->mixed << 1,
                s->min_nodes, s->max_nodes, n->n_sides, n->units, n->cpus_per_unit, h->cpus,
                h->boards, h->sockets, h->cores, h->threads, h->memory, l->cpus,
                s->mixed ? gres->most : 0 };

        place_ask(s);
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                place_ask_word(s, words[i]);
        for (uint32_t k = 0; k < s->total.n; k++)
                place_ask_word(s, gres->of[k]);
        for (uint32_t k = 0; k < n->n_sides; k++)
                place_ask_set(s, n->sides[k], n->units);
        place_ask_set(s, l->blocked, n->units);
        for (size_t i = 0; i < s->j->needs.gres_wants->n; i++)
                for (uint32_t k = 0; k < n->n_sides; k++)
                        place_ask_word(s, l->left[i][k]);
        return place_answered(s, ret);
}

static uint32_t sides_for(struct search *s, const struct offer *o, const struct yield *y,
                bool each) {
        struct look l = look_begin(s, o->node, y);
        struct place_answer a;

        if (!look_is_known(&l, ASK_SIDES, o->given, &o->dealt, each, &a)) {
                a = (struct place_answer){ .number = sides_choose(&l, o->given, &o->dealt, each) };
                place_answer(s, &a);
        }
        look_done(&l);
        return a.number;
}

uint32_t place_sides(struct search *s, const struct offer *o) {
        /* otherwise near cores are not worth a victim */
        bool stops = s->stops && place_keeps_to_sides(s, o->node);
        uint32_t sides = 0;

        for (int each = place_keeps_to_sides(s, o->node) && !adds_cores(s, o->node);
                        each >= 0 && !sides; each--) {
                sides = sides_for(s, o, &s->base, each);
                if (!sides && stops)
                        sides = sides_for(s, o, &s->of, each);
        }
        return sides;
}

/* Returns whether one unit of some kind is enough for the tasks. */
static bool one_kind_does(struct search *s, const struct offer *o) {
        for (uint32_t k = 0; k < s->total.n; k++) {
                struct offer one = *o;
                one.dealt = (struct gres_parts){ 0 };
                one.dealt.of[k] = 1;
                if (o->gres.of[k] && place_sides(s, &one))
                        return true;
        }
        return false;
}

struct gres_parts place_fewest_near(struct search *s, const struct offer *o) {
        uint32_t few = 1, most = gres_parts_largest(&o->gres);
        struct offer one = *o;

        if (s->total.n > 1 && (!place_keeps_to_sides(s, o->node) || one_kind_does(s, o)))
                return (struct gres_parts){ 0 };
        one.dealt = gres_parts_upto(&o->gres, few);
        while (place_keeps_to_sides(s, o->node) && few < most && !place_sides(s, &one))
                one.dealt = gres_parts_upto(&o->gres, ++few);
        return one.dealt;
}

/* Returns a node's part of --gpus if all nodes were equal. Nodes with tasks needing GPUs of several
   sides give one GPU of each side: with larger parts, other nodes would get no GPU. */
static uint32_t fair_part(const struct search *s) {
        uint64_t part = 1;

        for (uint32_t k = 0; k < s->total.n; k++)
                part = MAX(part, s->total.of[k] / s->min_nodes);
        return (uint32_t)part;
}

/* Returns whether the tasks have cores near 1 to `most` units. */
static bool up_to_do(struct look *l, uint32_t tasks, const struct gres_parts *gres, uint32_t most,
                bool each) {
        for (uint32_t few = 1; few <= most; few++) {
                const struct gres_parts some = gres_parts_upto(gres, few);
                if (sides_choose(l, tasks, &some, each))
                        return true;
        }
        return false;
}

/* Returns the maximum number of tasks with exactly gpus of --gpus; 0 if less than `least`. */
static uint32_t most_with(struct look *l, uint32_t tasks, uint32_t least, bool known,
                const struct gres_parts *gpus) {
        uint32_t low = tasks >= least && sides_choose(l, least, gpus, known) ? least : 0;

        l->s->c->slices.looked += l->n->n_sides;
        for (uint32_t high = tasks; low && low < high;) {
                uint32_t middle = high - (high - low) / 2;
                if (sides_choose(l, middle, gpus, known))
                        low = middle;
                else
                        high = middle - 1;
        }
        return low;
}

/* Returns the maximum number of tasks with the best part of *gres; *gres becomes the maximum usable
   units of each kind. */
static uint32_t most_with_any(struct look *l, uint32_t tasks, uint32_t least, bool known,
                struct gres_parts *gres) {
        struct gres_parts part = { 0 }, can = { .most = gres->most };
        uint32_t best = 0;

        while (gres_parts_next(&part, gres)) {
                uint32_t some = most_with(l, tasks, least, known, &part);
                best = MAX(best, some);
                for (uint32_t k = 0; some && k < GRES_KINDS_MAX; k++)
                        can.of[k] = MAX(can.of[k], part.of[k]);
        }
        *gres = can;
        return best;
}

/* Returns the maximum number of tasks, up to `tasks`; 0 if less than `least`. *gres becomes the
   usable units. */
static uint32_t most_tasks(struct look *l, uint32_t tasks, uint32_t least, bool known,
                struct gres_parts *gres) {
        const struct search *s = l->s;
        uint32_t largest = gres_parts_largest(gres), low;

        if (s->mixed)
                return most_with_any(l, tasks, least, known, gres);
        while (!(low = sides_choose(l, least, gres, known) ? least : 0) && largest > 1)
                *gres = gres_parts_upto(gres, --largest);
        uint32_t few = s->total.n ? MIN(largest, fair_part(s)) : 0;
        if (low && few && !up_to_do(l, least, gres, few, known))
                low = 0;
        for (uint32_t high = tasks; low && low < high;) { /* low tasks are possible */
                uint32_t middle = high - (high - low) / 2;
                if (few && s->evenly ? up_to_do(l, middle, gres, few, known)
                                     : sides_choose(l, middle, gres, known))
                        low = middle;
                else
                        high = middle - 1;
        }
        return low;
}

uint32_t place_tasks_near(struct search *s, const struct node *n, const struct yield *y,
                uint32_t tasks, struct gres_parts *gres) {
        uint32_t each = s->j->asked.ntasks_per_node, least = each                ? each
                                                             : s->max_nodes == 1 ? s->num_tasks
                                                                                 : s->group;
        /* the number of tasks on the node is known */
        bool known = each || s->max_nodes == 1 || s->num_tasks <= s->min_nodes;
        struct place_answer a;

        if (tasks < least)
                return 0;
        struct look l = look_begin(s, n, y);
        /* equal parts, so that no node has few units for many tasks */
        for (uint32_t k = 0; k < s->total.n && !s->mixed; k++)
                gres->of[k] = (uint32_t)MIN((uint64_t)gres->of[k],
                                DIV_ROUND_UP(s->total.of[k], (uint64_t)s->min_nodes));
        if (!look_is_known(&l, ASK_TASKS, tasks, gres, known, &a)) {
                a.gres = *gres;
                a.number = most_tasks(&l, tasks, least, known, &a.gres);
                place_answer(s, &a);
        }
        memcpy(gres->of, a.gres.of, sizeof gres->of);
        look_done(&l);
        return a.number - a.number % s->group;
}

uint32_t place_tasks_with(struct search *s, const struct offer *o, const struct gres_parts *gpus) {
        uint32_t each = s->j->asked.ntasks_per_node;
        struct place_answer a;

        if (!place_keeps_to_sides(s, o->node))
                return o->tasks;
        struct look l = look_begin(s, o->node, o->needs_victims ? &s->of : &s->base);
        bool known = each || s->num_tasks <= s->min_nodes;
        if (!look_is_known(&l, ASK_WITH, o->tasks, gpus, known, &a)) {
                a = (struct place_answer){ .number = most_with(&l, o->tasks, each ? each : s->group,
                                                           known, gpus) };
                place_answer(s, &a);
        }
        look_done(&l);
        return a.number;
}

static bool has_units_of_tasks(const struct search *s) {
        const struct gres_wants *w = s->j->needs.gres_wants;

        for (size_t i = 0; i < w->n; i++)
                if (w->list[i].per_task)
                        return true;
        return false;
}

static uint32_t tasks_of_fewest_sides(struct look *l, uint32_t tasks,
                const struct gres_parts *dealt) {
        int fewest = __builtin_popcount(sides_choose(l, 1, dealt, false));
        uint32_t low = fewest ? 1 : tasks, high = tasks;

        while (low < high) { /* low tasks need the fewest sides */
                uint32_t middle = high - (high - low) / 2;
                if (__builtin_popcount(sides_choose(l, middle, dealt, false)) == fewest)
                        low = middle;
                else
                        high = middle - 1;
        }
        return low;
}

uint32_t place_tasks_beside(struct search *s, const struct offer *o, uint32_t tasks) {
        struct place_answer a;

        if (tasks <= 1 || !place_heeds_sides(s, o->node) || has_units_of_tasks(s))
                return tasks;
        struct look l = look_begin(s, o->node, o->needs_victims ? &s->of : &s->base);
        if (!look_is_known(&l, ASK_BESIDE, tasks, &o->dealt, false, &a)) {
                a = (struct place_answer){ .number = tasks_of_fewest_sides(&l, tasks, &o->dealt) };
                place_answer(s, &a);
        }
        look_done(&l);
        return a.number;
}
