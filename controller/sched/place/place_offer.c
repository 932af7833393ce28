/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers: the units, memory and generic resources of a node for the job, and the number of tasks.
   Changes nothing. */
#include "controller/sched/place/place_private.h"

#include "controller/indexes/node_sharing.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_reboot.h"
#include "controller/model/abilities.h"
#include "controller/model/feature.h"
#include "controller/model/sockets.h"
#include "controller/reservations/reservation.h"
#include "lib/sorted.h"

/* Cost of computing an offer, relative to a look into the memo. */
#define LOOK_COST 8

struct bitset *place_scratch(struct search *s, const struct node *n) {
        if (!s->blocked || s->blocked->bits != n->units) {
                bitset_free(s->blocked);
                s->blocked = bitset_new(n->units);
        }
        return s->blocked;
}

/* Sets *ret to the rest of n left by the plan; returns false if the plan leaves all of n. */
static bool rest_of(const struct search *s, const struct node *n, struct node_rest *ret) {
        return s->when.rests.of && s->when.rests.of(&s->when.rests, n, ret);
}

/* Returns the units allowed by MaxCPUsPerNode, less the units of the partition's other jobs on
   n. */
static uint32_t units_allowed(const struct search *s, const struct node *n, const struct yield *y) {
        uint32_t cpus = s->j->partition->max_cpus_per_node;

        if (cpus == UINT32_MAX)
                return job_units_on(s->j, n);
        for (size_t i = 0; i < n->n_jobs && s->mode != PLACE_EVER; i++) {
                const struct job *other = n->jobs[i];
                bool counts = other->partition == s->j->partition && !yield_gone(y, other);
                const struct job_node *jn = counts ? job_node_find(other, n) : NULL;
                cpus -= MIN(cpus, jn ? jn->cpus : 0);
        }
        return MIN(cpus / n->cpus_per_unit, job_units_on(s->j, n));
}

static const struct resv_kept *kept_cores(struct search *s) {
        if (!s->kept) {
                s->kept = resv_kept_new(s->c, s->j, s->when.from, s->when.until, !s->reserved);
                s->c->slices.looked += s->reserved ? s->c->resvs.n : 0;
        }
        return s->kept;
}

struct bitset *place_block(struct search *s, const struct node *n, const struct yield *y) {
        bool jobs = n->n_jobs && s->mode != PLACE_EVER;

        if (!jobs && !s->c->resvs.cores && job_units_on(s->j, n) == n->units)
                return NULL;
        struct bitset *set = place_scratch(s, n);
        if (jobs)
                alloc_blocked(s->c, n, s->j, y, s->shares, set);
        else
                bitset_clear(set);
        if (s->c->resvs.cores)
                resv_kept_block(kept_cores(s), n, set);
        job_add_spec(s->j, n, set);
        if (s->c->resvs.cores && s->when.rests.of)
                s->when.rests.block(&s->when.rests, n, set);
        return set;
}

/* Returns whether the number of free units decides, whichever units they are. */
static bool counts_do(const struct search *s, const struct yield *y) {
        return s->mode != PLACE_EVER && !s->shares && !s->by_socket && !s->c->resvs.cores &&
               !y->gone && !y->lent && !y->most;
}

/* Returns the units of n for the job if the jobs of y yield; valid until the next call. */
static struct room room_on(struct search *s, const struct node *n, const struct yield *y) {
        bool counts = counts_do(s, y);
        struct bitset *blocked = counts ? NULL : place_block(s, n, y);
        struct room room = { n->units, n->units, UINT32_MAX, blocked };
        uint32_t allowed = units_allowed(s, n, y);
        struct node_rest rest;

        if (rest_of(s, n, &rest))
                allowed = (uint32_t)MIN((uint64_t)allowed, rest.units);

        if (counts) /* a job with --core-spec has the node alone */
                room.free = room.units = job_units_on(s->j, n) -
                                         MIN(n->units_used, job_units_on(s->j, n));
        else if (s->by_socket)
                room = place_room(s, n, blocked);
        else if (blocked)
                room.free = room.units = n->units - (uint32_t)bitset_count(blocked);
        if (allowed < room.free) {
                room.free = allowed;
                room.units = MIN(room.units, allowed);
                if (s->select & CR_SOCKET)
                        room.units -= room.units % (n->units / node_sockets(n));
        }
        return room;
}

uint64_t place_max_memory(const struct cluster *c, const struct job *j) {
        const struct partition *p = j->partition;
        uint64_t max = p->max_mem_per_node || p->max_mem_per_cpu ? p->max_mem_per_node
                                                                 : c->config->max_mem_per_node;

        return max ? max : UINT64_MAX;
}

uint32_t place_least_cpus(const struct cluster *c, const struct job *j, const struct node *n) {
        uint64_t most = partition_max_mem_per_cpu(c, j->partition), least = 1;

        if (most && partition_select(c, j->partition) & CR_MEMORY && !j->needs.mem_per_node &&
                        !j->needs.mem_per_cpu && !j->needs.mem_per_gpu)
                least = DIV_ROUND_UP(node_job_memory(n), most);
        return (uint32_t)MIN(MAX(least, (uint64_t)j->needs.min_cpus_node), UINT32_MAX);
}

uint64_t place_free_memory(const struct search *s, const struct node *n, const struct yield *y) {
        uint64_t used = s->mode == PLACE_EVER ? 0 : alloc_memory(n, y);
        uint64_t all = node_job_memory(n), left = all > used ? all - used : 0;
        struct node_rest rest;

        return rest_of(s, n, &rest) ? MIN(left, rest.memory) : left;
}

/* Returns how many of cpus CPUs the memory of n allows; 0: too little memory. */
static uint32_t cpus_with_memory(const struct search *s, const struct node *n, uint32_t cpus,
                const struct yield *y) {
        const struct job *j = s->j;
        uint64_t most = place_max_memory(s->c, j), memory = MIN(place_free_memory(s, n, y), most);

        if (!(s->select & CR_MEMORY))
                return MAX(j->needs.mem_per_node, j->needs.mem_per_cpu) >
                                                       MIN(node_job_memory(n), most)
                                       ? 0
                                       : cpus;
        if (j->needs.mem_per_node)
                return memory < j->needs.mem_per_node ? 0 : cpus;
        if (j->needs.mem_per_gpu && !j->needs.mem_per_cpu) /* tasks_with_gres() checks memory */
                return cpus;
        if (!j->needs.mem_per_cpu) /* all memory of the node */
                return memory < node_job_memory(n) ? 0 : cpus;
        uint64_t step = s->select & CR_CPU      ? 1 /* a unit is charged whole */
                        : s->select & CR_SOCKET ? n->units / node_sockets(n) * n->cpus_per_unit
                                                : n->cpus_per_unit;
        uint64_t used = job_memory_cpus(j, n, n->cpus_per_unit),
                 most_cpus = memory / j->needs.mem_per_cpu;
        if (used < n->cpus_per_unit) /* CPUs used of each unit */
                most_cpus = most_cpus / used * n->cpus_per_unit;
        return (uint32_t)MIN((uint64_t)cpus, most_cpus / step * step);
}

uint32_t place_most_cpus(const struct search *s, const struct node *n, const struct yield *y) {
        return MIN(units_allowed(s, n, y) * n->cpus_per_unit,
                        cpus_with_memory(s, n, n->configured.cpus, y));
}

/* Returns the maximum units of --gpus, of all kinds, with enough CPUs and memory. */
static uint32_t most_gres(const struct search *s, const struct node *n, uint32_t cpus,
                const struct yield *y) {
        uint64_t most = UINT32_MAX;

        if (s->j->needs.cpus_per_gpu)
                most = MIN(most, (uint64_t)cpus / s->j->needs.cpus_per_gpu);
        if (s->most_of_cpu)
                most = MIN(most, cpus * s->most_of_cpu / s->j->needs.mem_per_gpu);
        if (s->j->needs.mem_per_gpu && s->select & CR_MEMORY)
                most = MIN(most, MIN(place_free_memory(s, n, y), place_max_memory(s->c, s->j)) /
                                                 s->j->needs.mem_per_gpu);
        return (uint32_t)most;
}

/* Returns the number of tasks, at most `tasks`, with enough generic resources; *ret: available
   units of --gpus. */
static uint32_t tasks_with_gres(const struct search *s, const struct node *n, uint32_t cpus,
                uint32_t tasks, const struct yield *y, struct gres_parts *ret) {
        const struct gres_wants *w = s->j->needs.gres_wants;
        bool ever = s->mode == PLACE_EVER;
        struct node_rest rest;
        bool some = rest_of(s, n, &rest);

        ret->most = s->total.n ? most_gres(s, n, cpus, y) : 0;
        for (size_t i = 0; tasks && i < w->n; i++) {
                uint64_t left = gres_left(n, &w->list[i], y->gone, ever);
                if (some && !gres_wants_shards(&w->list[i]))
                        left = MIN(left, gres_sum(n, rest.gres, &w->list[i]));
                if (left < w->list[i].per_node)
                        return 0;
                if (w->list[i].per_node)
                        left = w->list[i].per_node;
                if (w->list[i].per_task)
                        tasks = (uint32_t)MIN((uint64_t)tasks, gres_tasks_of(&w->list[i], left));
                if (w->list[i].per_job)
                        ret->of[w->list[i].of_job] = (uint32_t)MIN(MIN(left, w->list[i].per_job),
                                        (uint64_t)ret->most);
        }
        if (s->total.n && !gres_parts_sum(ret))
                return 0;
        return tasks - tasks % s->group;
}

bool place_shape_fits(const struct job_spec *spec, const struct node_hardware *h) {
        return spec->sockets_per_node <= MAX(1u, h->boards) * h->sockets &&
               spec->cores_per_socket <= h->cores && spec->threads_per_core <= h->threads;
}

/* Returns whether n has the sockets, cores, threads and disk space requested. */
static bool is_built_so(const struct search *s, const struct node *n) {
        return s->j->asked.tmp_disk <= n->configured.tmp_disk &&
               place_shape_fits(&s->j->asked, &n->configured);
}

static bool room_fits(const struct search *s, const struct node *n, struct room room,
                uint32_t tasks, uint32_t cpus) {
        uint32_t units = place_units_for(s, n, room.blocked, tasks, 0);

        return units <= room.units && place_charge(s, n, tasks, units, 0) <= cpus;
}

/* Returns the maximum number of tasks, at most `tasks`, charged for at most cpus CPUs. The charge
   exceeds the use with whole sockets or unused threads. */
static uint32_t tasks_within(const struct search *s, const struct node *n, struct room room,
                uint32_t tasks, uint32_t cpus) {
        if (s->whole || (!s->by_socket && !(s->select & CR_MEMORY && s->j->needs.mem_per_cpu)))
                return tasks;
        if (s->j->asked.overcommit)
                return room_fits(s, n, room, tasks, cpus) ? tasks : 0;
        while (tasks && !room_fits(s, n, room, tasks, cpus))
                tasks--;
        return tasks;
}

/* Returns the number of tasks fitting into room; 0: the node cannot serve the job. */
static uint32_t room_tasks(const struct search *s, const struct node *n, struct room room,
                const struct yield *y, struct gres_parts *gres) {
        const struct job_spec *spec = &s->j->asked;
        uint32_t all = job_units_on(s->j, n),
                 full = MIN(all * n->cpus_per_unit, n->configured.cpus);
        uint32_t cpus = MIN((s->whole ? all : room.units) * n->cpus_per_unit, full);

        if (room.units == 0 || (s->whole && room.free < all) || !is_built_so(s, n))
                return 0;
        cpus = cpus_with_memory(s, n, cpus, y);
        if (cpus == 0 || cpus < place_least_cpus(s->c, s->j, n) || (s->whole && cpus < full))
                return 0;
        cpus = MIN(cpus, room.units * n->cpus_per_unit);
        uint32_t tasks = job_tasks_in(s->j, n, cpus, s->cpus_per_task);
        if (tasks && spec->overcommit)
                tasks = UINT32_MAX;
        tasks = tasks_within(s, n, room, MIN(tasks, room.tasks), cpus);
        if (s->j->needs.gres_wants)
                tasks = tasks_with_gres(s, n, cpus, tasks, y, gres);
        if (spec->ntasks_per_node)
                return tasks >= spec->ntasks_per_node ? spec->ntasks_per_node : 0;
        return tasks;
}

/* Returns whether n can be rebooted: no job stays on the node, not even suspended. */
static bool is_empty_then(const struct search *s, const struct node *n, const struct yield *y) {
        for (size_t i = 0; s->mode != PLACE_EVER && i < n->n_jobs; i++)
                if (!yield_gone(y, n->jobs[i]))
                        return false;
        return true;
}

/* room_tasks() with the resources left by y, for enforce-binding near the generic resources.
   *ret_free: number of free units; may be NULL. */
static uint32_t tasks_here(struct search *s, const struct node *n, const struct yield *y,
                struct gres_parts *gres, uint32_t *ret_free) {
        struct room room = room_on(s, n, y);
        uint32_t tasks = room_tasks(s, n, room, y, gres);

        if (s->j->asked.reboot && !is_empty_then(s, n, y))
                tasks = 0;

        if (ret_free)
                *ret_free = room.free;
        return place_keeps_to_sides(s, n) ? place_tasks_near(s, n, y, tasks, gres) : tasks;
}

/* Returns the number of jobs on the units of the first task, or on the whole node. */
static uint32_t depth_on(const struct search *s, const struct node *n) {
        _cleanup_free_ uint32_t *depth = NULL;
        uint32_t want = s->whole ? n->units
                                 : MIN(n->units, DIV_ROUND_UP(s->cpus_per_task, n->cpus_per_unit));

        if (n->n_jobs == 0)
                return 0;
        depth = xnew(uint32_t, n->units + 1);
        alloc_depths(n, s->j, &s->of, depth);
        list_sort(depth, n->units, sizeof depth[0], number_compare);
        return depth[MAX(1u, want) - 1];
}

static bool has_features(const struct search *s, const struct node *n, enum features_when when) {
        return features_match(s->features, n, when) &&
               (!features_alternatives(s->features) ||
                               features_has_alternative(s->features, s->alternative, n, when));
}

/* place_after(): returns whether n will be idle. */
static bool is_idle_then(const struct search *s, const struct node *n) {
        return s->base.gone && !s->stops && is_empty_then(s, n, &s->base);
}

/* Computes the tasks and resources of n with the jobs of base gone, and updates the memo. */
static struct place_node node_look(struct search *s, const struct node *n) {
        struct place_node now = { .known = true };

        s->c->slices.looked += LOOK_COST;
        now.tasks = tasks_here(s, n, &s->base, &now.gres, &now.idle);
        if (s->memo) {
                struct place_node *of = &s->memo->of[n->index];
                now.moment = of->moment;
                now.yielding = of->yielding;
                *of = now;
                if (now.tasks == 0)
                        bitset_add(s->memo->none, n->index);
        }
        return now;
}

/* Returns whether all jobs of `of` on n are in base. */
static bool is_untouched(const struct search *s, const struct node *n) {
        return n->n_jobs == 0 || (s->memo && !bitset_has(s->memo->touched, n->index));
}

bool place_does_alone(const struct search *s, uint32_t tasks, const struct gres_parts *gres) {
        struct gres_sums sums = { 0 };

        gres_sums_add(&sums, gres);
        return tasks >= s->num_tasks && gres_sums_do(&sums, &s->total) &&
               (gres->most >= gres_total_sum(&s->total) || !s->total.n);
}

/* Returns whether the node may be used: a single node must be enough alone. */
static bool may_do(const struct search *s, uint32_t tasks, const struct gres_parts *gres) {
        return s->max_nodes > 1 || place_does_alone(s, tasks, gres);
}

void place_offer(struct search *s, struct node *n, bool required) {
        bool needs_victims = false;

        s->c->slices.looked++;
        if (s->tree && node_leaf(n, s->tree) == TOPOLOGY_NONE)
                return;
        if (s->mode != PLACE_EVER && !abilities_serve(n, s->j))
                return;
        bool now = has_features(s, n, s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW);
        bool reboot = !now && s->may_reboot && (required || s->reboots) &&
                      has_features(s, n, is_idle_then(s, n) ? FEATURES_LATER : FEATURES_REBOOT);
        if (!now && !reboot)
                return;
        if (now && s->reboots && !required) /* an offer exists already */
                return;
        if (s->mode != PLACE_EVER && !may_share_node(s->c, n, s->j, &s->base, &s->of))
                return;
        const struct place_node with_base = s->memo && s->memo->of[n->index].known
                                                            ? s->memo->of[n->index]
                                                            : node_look(s, n);
        bool alone = s->mode == PLACE_EVER || may_share_node(s->c, n, s->j, &s->base, &s->base);
        struct gres_parts gres = with_base.gres;
        uint32_t idle = with_base.idle, tasks = alone ? with_base.tasks : 0;
        if (s->stops && n->n_jobs) {
                bool same = is_untouched(s, n);
                uint32_t more = same ? with_base.tasks : tasks_here(s, n, &s->of, &gres, NULL);
                s->c->slices.looked += same ? 0 : LOOK_COST;
                needs_victims = more > tasks;
                tasks = more;
        }
        if (tasks == 0 || !may_do(s, tasks, &gres))
                return;
        GROW(s->offers, s->a_offers, s->n_offers);
        s->offers[s->n_offers++] = (struct offer){ .node = n,
                .tasks = tasks,
                .needs_victims = needs_victims,
                .required = required,
                .idle = idle,
                .gres = gres,
                .reboot = reboot,
                .depth = s->shares ? depth_on(s, n) : 0 };
        s->tasks += tasks;
        gres_sums_add(&s->gres, &gres);
}

/* tasks_here() for PLACE_EVER with checks of topology and features; *ret: available units of
   --gpus. Features are not required with --prefer, as --prefer replaces --constraint. */
static uint32_t tasks_ever(struct search *s, const struct node *n, struct gres_parts *ret) {
        const struct features *features = s->j->needs.prefer ? NULL : s->j->needs.features;

        s->c->slices.looked += LOOK_COST;
        *ret = (struct gres_parts){ 0 };
        if ((s->tree && node_leaf(n, s->tree) == TOPOLOGY_NONE) ||
                        !features_match(features, n, FEATURES_EVER))
                return 0;
        uint32_t tasks = tasks_here(s, n, &s->base, ret, NULL);
        return may_do(s, tasks, ret) ? tasks : 0;
}

uint32_t place_could_serve(struct cluster *c, const struct job *j, const uint32_t *run,
                struct bitset *set) {
        struct search s = place_search(c, j, PLACE_EVER);
        struct gres_parts gres, most_gres = { 0 };
        uint32_t tasks = 0, most = 1, last = UINT32_MAX;
        /* each node has its own reserved cores */
        bool keeps = j->placed.resv && j->placed.resv->n_cores;

        s.mixed = place_may_mix(&s);
        bitset_for_each(i, set) {
                if (run[i] != last || keeps) {
                        tasks = tasks_ever(&s, c->nodes[i], &gres);
                        most = MAX(most, tasks);
                        for (uint32_t k = 0; tasks && k < s.total.n; k++)
                                most_gres.of[k] = MAX(most_gres.of[k], gres.of[k]);
                }
                last = run[i];
                if (tasks == 0)
                        bitset_del(set, i);
        }
        place_search_done(&s);
        return place_fewest_nodes(j, most, &most_gres);
}

void place_capacity_then(struct cluster *c, const struct job *j, const struct bitset *nodes,
                struct period when, uint32_t *tasks, struct gres_parts *gres) {
        struct search s = place_search(c, j, PLACE_EVER);

        s.when = when;
        s.reserved = true;
        s.mixed = place_may_mix(&s);
        bitset_for_each(i, nodes) {
                gres[i] = (struct gres_parts){ 0 };
                tasks[i] = tasks_here(&s, c->nodes[i], &s.base, &gres[i], NULL);
        }
        place_search_done(&s);
}

uint32_t place_capacity_of_one(struct cluster *c, const struct job *j, const uint32_t *tasks) {
        struct search s = place_search(c, j, PLACE_EVER);
        uint32_t least = UINT32_MAX;

        /* place_is_particular() covers several kinds */
        for (size_t i = 0; s.total.n == 1 && place_may_mix(&s) && i < c->n_nodes; i++) {
                const struct offer o = { .node = c->nodes[i], .tasks = tasks[i] };
                uint32_t some = tasks[i] ? place_tasks_with(&s, &o,
                                                           &(struct gres_parts){ .of = { 1 } })
                                         : UINT32_MAX;
                least = MIN(least, some);
        }
        place_search_done(&s);
        return least;
}

void place_capacity(struct cluster *c, const struct job *j, uint32_t *tasks,
                struct gres_parts *gres) {
        struct search s = place_search(c, j, PLACE_EVER);
        enum features_when features = j->needs.features && reboot_allowed(c, j) ? FEATURES_LATER
                                                                                : FEATURES_NOW;

        s.mixed = place_may_mix(&s);
        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct node *n = c->nodes[i];
                bool serves = bitset_has(j->partition->nodes, i) &&
                              !(s.tree && node_leaf(n, s.tree) == TOPOLOGY_NONE) &&
                              !(j->needs.exc_nodes && bitset_has(j->needs.exc_nodes, i)) &&
                              features_match(j->needs.features, n, features) &&
                              abilities_serve(n, j);
                tasks[i] = serves ? tasks_here(&s, n, &s.base, &gres[i], NULL) : 0;
        }
        place_search_done(&s);
}
