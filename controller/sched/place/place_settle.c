/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settles the chosen nodes: distributes the tasks, filling node after node; then picks units, free
 * units first. Jobs on other units become victims. */
#include "controller/sched/place/place_private.h"

#include "controller/jobs/alloc.h"
#include "controller/model/sockets.h"

static int settle_by_index(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        return x->node->index < y->node->index ? -1 : x->node->index > y->node->index;
}

/* Sorts by preference: preferred nodes get more tasks. */
static int by_weight(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->node->weight != y->node->weight)
                return x->node->weight < y->node->weight ? -1 : 1;
        return settle_by_index(a, b);
}

static uint64_t tasks_dealt(const struct search *s, size_t n, uint32_t each) {
        uint64_t tasks = 0;

        for (size_t i = 0; i < n; i++)
                tasks += MIN(s->offers[i].tasks, each);
        return tasks;
}

/* --spread-job: tasks per node differ by at most one, if the nodes have room. */
static void spread_evenly(struct search *s, size_t n, uint32_t tasks) {
        uint32_t low = 0, high = tasks; /* low is too few per node, high is enough */

        while (high - low > 1) {
                uint32_t middle = low + (high - low) / 2;
                if (tasks_dealt(s, n, middle) < tasks)
                        low = middle;
                else
                        high = middle;
        }
        uint64_t more = tasks - tasks_dealt(s, n, low);
        for (size_t i = 0; i < n; i++) {
                s->offers[i].given = MIN(s->offers[i].tasks, low);
                if (more && s->offers[i].tasks > low) {
                        s->offers[i].given++;
                        more--;
                }
        }
}

/* If units are near some cores only, limits each node to the tasks with cores near the units.
   Returns false if not all tasks can be placed, or the limits change nothing. */
static bool spread_near(struct search *s, size_t n) {
        uint32_t left = MAX(s->num_tasks, (uint32_t)n);
        uint64_t room = 0;
        bool fewer = false;

        if (n == 1 || !s->j->needs.gres_wants || s->lightest || s->group > 1)
                return false;
        for (size_t i = 0; i < n; i++)
                room += s->offers[i].tasks;
        for (size_t i = 0; i < n && room >= left; i++) {
                struct offer *o = &s->offers[i];
                uint32_t most = MIN(o->tasks, left - (uint32_t)(n - 1 - i));

                o->given = place_tasks_beside(s, o, most);
                fewer |= o->given < most;
                left -= o->given;
                room -= o->tasks;
        }
        return left == 0 && fewer;
}

/* Returns the tasks fitting on the units of the first task: a core with all threads, a socket,
   --mincpus. */
static uint32_t with_first(const struct search *s, const struct offer *o) {
        if (s->whole || s->lightest || s->group > 1 || s->j->asked.overcommit)
                return 1;
        uint32_t units = place_units_for(s, o->node, NULL, 1, 0);
        uint32_t tasks = MIN(o->tasks, job_tasks_in(s->j, o->node, units * o->node->cpus_per_unit,
                                                       s->cpus_per_task));
        while (tasks > 1 && place_units_for(s, o->node, NULL, tasks, 0) > units)
                tasks--;
        return MAX(tasks, 1u);
}

/* As in Slurm: fills a node before the next node, but each node gets a task (or group), and the
   tasks fitting on the same units. */
static void spread_in_order(struct search *s, size_t n) {
        uint32_t groups = DIV_ROUND_UP(s->num_tasks, s->group), left = MAX(groups, (uint32_t)n);
        uint64_t kept = 0;

        for (size_t i = 0; i < n; i++)
                kept += with_first(s, &s->offers[i]);
        for (size_t i = 0; i < n; i++) {
                uint32_t others = (uint32_t)(n - 1 - i), first = with_first(s, &s->offers[i]);

                kept -= first;
                uint32_t most = s->lightest == LIGHTEST_NAMED ? MAX(s->group, s->offers[i].light)
                                                              : s->offers[i].tasks;
                uint32_t wanted = MAX(left > kept ? left - (uint32_t)kept : 0,
                                MIN(first, left - others));
                uint32_t given = MIN(most / s->group, wanted);
                s->offers[i].given = given * s->group;
                left -= given;
        }
        /* Then the more expensive tasks. */
        for (size_t i = 0; left && i < n && s->lightest == LIGHTEST_NAMED; i++) {
                uint32_t given = MIN((s->offers[i].tasks - s->offers[i].given) / s->group, left);
                s->offers[i].given += given * s->group;
                left -= given;
        }
}

static void tasks_spread(struct search *s, size_t n) {
        if (s->j->asked.ntasks_per_node)
                for (size_t i = 0; i < n; i++)
                        s->offers[i].given = s->offers[i].tasks;
        else if (s->j->asked.spread_job)
                spread_evenly(s, n, MAX(s->num_tasks, (uint32_t)n));
        else if (!spread_near(s, n))
                spread_in_order(s, n);
}

/* --ntasks-per-gpu: there may be fewer tasks than the groups have room for; removes the surplus
   tasks, beginning with the last node. */
static void cut_groups(struct search *s, size_t n) {
        uint64_t wanted = MAX((uint64_t)s->num_tasks, (uint64_t)n), given = 0;

        for (size_t i = 0; i < n; i++)
                given += s->offers[i].given;
        for (size_t i = n; i-- > 0 && given > wanted && s->group > 1;) {
                uint32_t cut = (uint32_t)MIN(given - wanted,
                                (uint64_t)MIN(s->group, s->offers[i].given) - 1);
                s->offers[i].given -= cut;
                given -= cut;
        }
}

/* --gpus: each node gives the minimum, and the first nodes give more. Returns false if the minimums
   exceed --gpus. */
static bool gpus_deal(struct search *s, size_t n) {
        if (!s->total.n)
                return true;
        _cleanup_free_ struct gres_parts *has = xnew(struct gres_parts, n),
                                         *least = xnew(struct gres_parts, n),
                                         *light = xnew(struct gres_parts, n),
                                         *dealt = xnew(struct gres_parts, n);
        for (size_t i = 0; i < n; i++) {
                least[i] = place_fewest_near(s, &s->offers[i]);
                has[i] = s->offers[i].gres;
                light[i] = s->offers[i].light_gres;
        }
        bool enough = gres_deal(&s->total, has, least, s->lightest == LIGHTEST_NAMED ? light : NULL,
                        n, dealt);
        for (size_t i = 0; i < n; i++)
                s->offers[i].dealt = dealt[i];
        return enough;
}

/* Gives units for a want on these sides, under a limit types without a limit first; returns the
   number missing. */
static uint64_t give_some(struct search *s, struct placement *p, const struct node *n,
                const struct gres_want *w, uint64_t count, uint32_t sides, uint32_t place,
                const struct bitset *gone) {
        bool ever = s->mode == PLACE_EVER;

        for (size_t i = 0; i < n->n_gres && s->lightest >= LIGHTEST_NAMED && !w->type; i++) {
                struct gres_want one = *w;
                one.type = n->gres_items[i].type;
                if (strcasecmp(n->gres_items[i].name, w->name) != 0 || !one.type ||
                                place_is_named(s, w->name, one.type))
                        continue;
                count = gres_give(n, &one, count, sides, place, gone, ever, &p->gres, &p->n_gres);
        }
        return gres_give(n, w, count, sides, place, gone, ever, &p->gres, &p->n_gres);
}

/* Gives units of these sides, first units without a victim; returns the number missing. */
static uint64_t give_of(struct search *s, struct placement *p, const struct node *n,
                const struct gres_want *w, uint64_t count, uint32_t sides, uint32_t place) {
        count = give_some(s, p, n, w, count, sides, place, s->base.gone);
        return count && s->stops ? give_some(s, p, n, w, count, sides, place, s->of.gone) : count;
}

/* Gives a unit of each side, then more units of these sides, then units near all cores (side 0).
   Under a limit, units without a limit come before near units. */
static void give_near(struct search *s, struct placement *p, const struct offer *o, uint32_t sides,
                uint32_t place) {
        const struct gres_wants *w = s->j->needs.gres_wants;
        uint32_t first = s->lightest >= LIGHTEST_NAMED ? sides : sides & ~1u;

        for (size_t i = 0; i < w->n; i++) {
                uint64_t count = place_gres_for(&w->list[i], o->given, &o->dealt);
                /* a single side has enough shards, see place_sides() */
                bool shards = gres_wants_shards(&w->list[i]);
                for (uint32_t k = 1; k < o->node->n_sides && count; k++) {
                        uint64_t some = shards ? count : 1;
                        if (sides >> k & 1)
                                count -= some -
                                         give_of(s, p, o->node, &w->list[i], some, 1u << k, place);
                }
                count = give_of(s, p, o->node, &w->list[i], count, first, place);
                (void)give_of(s, p, o->node, &w->list[i], count, 1, place);
        }
}

bool place_takes_all_gres(const struct search *s) {
        return s->whole && !cluster_whole_nodes(s->c) && s->mode != PLACE_EVER;
}

/* Limits on types have priority over preferred cores. */
static bool tries_sides(const struct search *s, const struct node *n) {
        return place_keeps_to_sides(s, n) ||
               (place_heeds_sides(s, n) && s->lightest < LIGHTEST_NAMED);
}

bool place_give_gres(struct search *s, struct placement *p, const struct offer *o, uint32_t place) {
        const struct gres_wants *w = s->j->needs.gres_wants;
        bool ever = s->mode == PLACE_EVER;

        if (place_takes_all_gres(s)) {
                gres_give_all(o->node, place, s->of.gone, false, &p->gres, &p->n_gres);
                return true;
        }
        uint32_t sides = tries_sides(s, o->node) ? place_sides(s, o) : 0;
        if (sides) {
                give_near(s, p, o, sides, place);
                return true;
        }
        for (size_t i = 0; w && i < w->n; i++) {
                uint64_t count = place_gres_for(&w->list[i], o->given, &o->dealt);
                /* units without a victim */
                uint64_t free = MIN(count, gres_left(o->node, &w->list[i], s->base.gone, ever));
                if (free < count && gres_wants_shards(&w->list[i]))
                        free = 0; /* a single GPU gives all shards */
                (void)give_some(s, p, o->node, &w->list[i], free, GRES_ANY_SIDE, place,
                                s->base.gone);
                if (count > free)
                        (void)give_some(s, p, o->node, &w->list[i], count - free, GRES_ANY_SIDE,
                                        place, s->of.gone);
        }
        return !place_keeps_to_sides(s, o->node);
}

static void placement_add_victim(struct placement *p, struct job *v) {
        for (size_t i = 0; i < p->n_victims; i++)
                if (p->victims[i] == v)
                        return;
        p->victims = xrenew(p->victims, p->n_victims + 1);
        p->victims[p->n_victims++] = v;
}

/* Returns whether j is to have units of the node held by v. */
static bool takes_of(const struct job *j, const struct placement *p, const struct job_node *jn,
                const struct job *v, const struct job_node *vn) {
        return job_has_spec(j) ? job_next_unit(v, vn, 0) != SIZE_MAX
                               : job_meets(v, vn, p->units, jn->units_at);
}

/* Adds jobs to the victims which hold units, generic resources or memory needed by the job. */
static void collect_victims(struct search *s, struct placement *p, const struct job_node *jn) {
        const struct node *n = jn->node;
        size_t n_gres;
        const struct gres_share *gres = gres_shares_of(p->gres, p->n_gres,
                        (uint32_t)(jn - p->alloc), &n_gres);
        bool short_of_memory = jn->memory > place_free_memory(s, n, &s->base);

        for (size_t k = 0; k < n->n_jobs; k++) {
                struct job *v = n->jobs[k];
                const struct job_node *vn = job_node_find(v, n);
                if (!vn || !yield_units(&s->of, v) || yield_units(&s->base, v))
                        continue;
                bool needed = short_of_memory && vn->memory &&
                              (yield_gone(&s->of, v) || yield_memory(&s->of, v, n));
                needed |= yield_gone(&s->of, v) && gres_overlap(v, n, gres, n_gres);
                if (needed || takes_of(s->j, p, jn, v, vn))
                        placement_add_victim(p, v);
        }
}

uint32_t place_charge(const struct search *s, const struct node *n, uint32_t tasks, uint32_t units,
                uint32_t least) {
        uint32_t cpus = units * n->cpus_per_unit;

        if (s->select & CR_CPU && !s->whole && !s->by_socket &&
                        job_threads_used(s->j, n) == n->cpus_per_unit) {
                uint64_t used = place_cpus_used(s, tasks);
                used = MAX(used, (uint64_t)MAX(least, place_least_cpus(s->c, s->j, n)));
                cpus = (uint32_t)MIN((uint64_t)cpus, used);
        }
        return MIN(cpus, n->configured.cpus);
}

struct beside {              /* the job's generic resources on a node */
        struct bitset *near; /* units near the resources; NULL: all */
        uint32_t sides;
        bool only;      /* enforce-binding: no other units */
        uint32_t taken; /* units taken for sides */
};

/* Takes up to *left unblocked units; returns true when complete, with the number of units in
   *wanted. */
static bool take_some(struct search *s, const struct offer *o, const struct beside *b,
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t least,
                uint32_t *wanted, uint32_t *left) {
        struct node *n = o->node;

        if (s->by_socket && !s->whole) { /* taken at once: the number depends on the choice */
                struct room room = place_room(s, n, blocked);
                *wanted = place_units_for(s, n, blocked, o->given, least);
                if (*wanted > room.units || o->given > room.tasks)
                        return false;
                *left = *wanted - MIN(*wanted, b->taken);
        }
        *left = place_take_units(s, n, blocked, units, at, *left, o->given);
        return *left == 0;
}

/* Returns the units not available to the job when the jobs of y yield, plus units with more than
   `most` jobs, plus units outside near (NULL: all are near). */
static struct bitset *out_of_reach(struct search *s, const struct node *n, const struct yield *y,
                uint32_t *depth, uint32_t most, const struct bitset *near) {
        struct bitset *blocked = place_block(s, n, y);

        if (!blocked)
                bitset_clear(blocked = place_scratch(s, n));
        if (depth)
                alloc_depths(n, s->j, y, depth);
        for (size_t i = 0; i < n->units; i++)
                if ((depth && depth[i] > most) || (near && !bitset_has(near, i)))
                        bitset_add(blocked, i);
        return blocked;
}

/* Takes a core near each side. Only with enforce-binding cores of victims and shared cores are
   taken, too. */
static void take_of_sides(struct search *s, const struct node *n, struct beside *b,
                struct bitset *units, size_t at, uint32_t *depth, uint32_t deepest,
                uint32_t *left) {
        uint32_t before = *left;

        if (!b->near || (s->by_socket && !b->only) || place_keeps_tasks_apart(s))
                return;
        for (int stops = 0; stops <= (b->only && s->stops); stops++)
                for (uint32_t held = 0; held <= (b->only ? deepest : 0); held++)
                        (void)place_take_of_each(s, n, b->sides,
                                        out_of_reach(s, n, stops ? &s->of : &s->base, depth, held,
                                                        b->near),
                                        units, at, left);
        b->taken = before - *left;
}

/* Takes free units first, then units with the fewest jobs, then units of victims; within each step
   units near the generic resources first. Returns the number of units. */
static uint32_t units_take(struct search *s, const struct offer *o, struct beside *b,
                struct bitset *units, size_t at, uint32_t least) {
        struct node *n = o->node;
        uint32_t wanted = place_units_for(s, n, NULL, o->given, least), left = wanted,
                 deepest = s->shares ? (uint32_t)n->n_jobs : 0;
        _cleanup_free_ uint32_t *depth = s->shares ? xnew(uint32_t, n->units + 1) : NULL;
        bool done = s->mode == PLACE_EVER;

        if (!done)
                take_of_sides(s, n, b, units, at, depth, deepest, &left);
        for (int stops = 0; stops <= s->stops && !done; stops++)
                for (uint32_t held = 0; held <= deepest && !done; held++)
                        for (int far = !b->near; far <= !b->only && !done; far++) {
                                struct bitset *blocked = out_of_reach(s, n,
                                                stops ? &s->of : &s->base, depth, held,
                                                far ? NULL : b->near);
                                done = take_some(s, o, b, blocked, units, at, least, &wanted,
                                                &left);
                        }
        assert(done);
        return wanted;
}

static struct beside beside_find(const struct search *s, const struct placement *p,
                const struct job_node *jn) {
        struct beside b = { 0 };
        size_t n_gres;

        if (!place_heeds_sides(s, jn->node))
                return b;
        const struct gres_share *gres = gres_shares_of(p->gres, p->n_gres,
                        (uint32_t)(jn - p->alloc), &n_gres);
        b.near = gres_near(jn->node, gres, n_gres, &b.sides);
        b.only = b.near && place_keeps_to_sides(s, jn->node);
        return b;
}

static void settle_node(struct search *s, struct placement *p, const struct offer *o,
                struct job_node *jn) {
        struct node *n = o->node;
        struct beside b = beside_find(s, p, jn);
        uint32_t of_sides = b.only ? place_least_of_sides(s, n, b.sides,
                                                     out_of_reach(s, n,
                                                                     s->stops ? &s->of : &s->base,
                                                                     NULL, 0, b.near))
                                   : 0;
        uint64_t gpus = gres_parts_sum(&o->dealt);
        uint32_t least = MAX(place_cpus_of_gpus(s, gpus), of_sides);

        jn->cpus = place_charge(s, n, o->given, units_take(s, o, &b, p->units, jn->units_at, least),
                        least);
        bitset_free(b.near);
        if (s->select & CR_MEMORY)
                jn->memory = s->j->needs.mem_per_node ? s->j->needs.mem_per_node
                             : s->j->needs.mem_per_cpu
                                             ? s->j->needs.mem_per_cpu *
                                                               job_memory_cpus(s->j, n, jn->cpus)
                             : s->j->needs.mem_per_gpu && gpus ? s->j->needs.mem_per_gpu * gpus
                                                               : node_job_memory(n);
        if (s->stops)
                collect_victims(s, p, jn);
        p->num_cpus += jn->cpus;
}

static bool deal_all(struct search *s, size_t n) {
        list_sort(s->offers, n, sizeof s->offers[0], by_weight);
        for (size_t i = 0; i < n; i++)
                s->offers[i].given = 1;
        /* a first deal for tasks_spread(), which considers the tasks near the GPUs */
        (void)gpus_deal(s, n);
        tasks_spread(s, n);
        /* each GPU keeps its tasks if CPUs or memory are requested per GPU */
        if (!s->j->asked.ntasks_per_node && !s->j->needs.cpus_per_gpu && !s->j->needs.mem_per_gpu)
                cut_groups(s, n);
        return gpus_deal(s, n);
}

/* Settles offers whose tasks and units of --gpus are set. */
static int settle_dealt(struct search *s, const struct offer *offers, size_t n,
                struct placement *p) {
        size_t units = 0;

        p->nodes = bitset_new(s->c->n_nodes);
        p->alloc = xnew0(struct job_node, n);
        p->n_alloc = n;
        for (size_t i = 0; i < n; i++) {
                bitset_add(p->nodes, offers[i].node->index);
                p->alloc[i].node = offers[i].node;
                p->alloc[i].units_at = units;
                units += offers[i].node->units;
        }
        p->units = bitset_new(units);
        for (size_t i = 0; i < n; i++)
                if (!place_give_gres(s, p, &offers[i], (uint32_t)i)) {
                        placement_done(p);
                        *p = (struct placement){ 0 };
                        return -EBUSY;
                }
        for (size_t i = 0; i < n; i++)
                settle_node(s, p, &offers[i], &p->alloc[i]);
        return 0;
}

int place_settle(struct search *s, size_t n, struct placement *p) {
        *p = (struct placement){ 0 };
        if (!s->dealt && !deal_all(s, n))
                return -EDOM;
        list_sort(s->offers, n, sizeof s->offers[0], settle_by_index);
        return settle_dealt(s, s->offers, n, p);
}

int place_settle_one(struct search *s, const struct offer *o, struct placement *p) {
        *p = (struct placement){ 0 };
        return settle_dealt(s, o, 1, p);
}
