/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placing one job.
 *
 * offers() walks the nodes in order of preference and asks each what it can give; choose() takes the first that are
 * enough; spread() deals the tasks out, filling node after node; settle() picks the units on each node, free
 * ones first, and collects whose units had to be taken.  Nothing is changed: the caller starts the job or not. */
#include "controller/sched/place.h"

#include "controller/core/alloc.h"
#include "controller/core/feature.h"

struct offer {
        struct node *node;
        uint32_t tasks; /* that fit */
        uint32_t given; /* tasks dealt to it */
        bool needs_victims;
        bool required; /* --nodelist */
        uint32_t idle; /* units, for LLN */
        bool reboot;   /* for the job's features */
};

struct search {
        struct cluster *c;
        const struct job *j;
        enum place_mode mode;
        bool may_reboot, reboots; /* idle nodes for its features; those are offered now */
        const struct bitset *gone; /* place_after(): jobs that have ended by then */
        bool whole; /* whole nodes: select/linear, EXCLUSIVE, --exclusive */
        uint32_t min_nodes, max_nodes, num_tasks, cpus_per_task;
        uint32_t want_nodes; /* of -N2-4: as many as there are without waiting for them */
        struct offer *offers;
        size_t n_offers, a_offers;
        uint64_t tasks;         /* of all offers */
        struct bitset *blocked; /* scratch, of the size of the last node */
};

bool place_wants_whole(const struct cluster *c, const struct job *j) {
        return cluster_whole_nodes(c) || j->spec.share == SHARE_NO ||
               j->partition->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE;
}

static struct bitset *scratch(struct search *s, const struct node *n) {
        if (!s->blocked || s->blocked->bits != n->units) {
                bitset_free(s->blocked);
                s->blocked = bitset_new(n->units);
        }
        return s->blocked;
}

/* MaxCPUsPerNode: what the partition's other jobs have there counts. */
static uint32_t units_allowed(const struct search *s, const struct node *n) {
        uint32_t cpus = s->j->partition->max_cpus_per_node;

        if (cpus == UINT32_MAX)
                return n->units;
        for (size_t i = 0; i < n->n_jobs && s->mode != PLACE_EVER; i++) {
                const struct job *other = n->jobs[i];
                bool counts = other->partition == s->j->partition && !(s->gone && bitset_has(s->gone, other->queue_at));
                const struct job_node *jn = counts ? job_node_find(other, n) : NULL;
                cpus -= MIN(cpus, jn ? jn->cpus : 0);
        }
        return cpus / n->cpus_per_unit;
}

static uint32_t free_units(struct search *s, const struct node *n, bool preempt) {
        uint32_t allowed = units_allowed(s, n);

        if (n->n_jobs == 0 || s->mode == PLACE_EVER)
                return MIN(n->units, allowed);
        struct bitset *blocked = scratch(s, n);
        alloc_blocked(s->c, n, s->j, preempt, s->gone, blocked);
        return MIN(n->units - (uint32_t)bitset_count(blocked), allowed);
}

uint64_t place_max_memory(const struct cluster *c, const struct job *j) {
        const struct partition *p = j->partition;
        uint64_t max = p->max_mem_per_node || p->max_mem_per_cpu ? p->max_mem_per_node : c->config->max_mem_per_node;

        return max ? max : UINT64_MAX;
}

static uint64_t free_memory(const struct search *s, const struct node *n) {
        uint64_t used = s->mode == PLACE_EVER ? 0 : alloc_memory(n, s->gone);

        return n->configured.memory > used ? n->configured.memory - used : 0;
}

/* How many of n's CPUs (out of cpus) its memory allows.  0: too little. */
static uint32_t cpus_with_memory(const struct search *s, const struct node *n, uint32_t cpus) {
        const struct job *j = s->j;
        uint64_t most = place_max_memory(s->c, j), memory = MIN(free_memory(s, n), most);

        if (!cluster_counts_memory(s->c))
                return MAX(j->mem_per_node, j->mem_per_cpu) > MIN(n->configured.memory, most) ? 0 : cpus;
        if (j->mem_per_node)
                return memory < j->mem_per_node ? 0 : cpus;
        if (!j->mem_per_cpu) /* all of it */
                return memory < n->configured.memory ? 0 : cpus;
        uint64_t step = cluster_counts_cpus(s->c) ? 1 : n->cpus_per_unit; /* a unit is charged whole */
        return (uint32_t)MIN((uint64_t)cpus, memory / j->mem_per_cpu / step * step);
}

/* Tasks that n can hold with so many units; 0 if it cannot serve the job at all. */
static uint32_t tasks_on(const struct search *s, const struct node *n, uint32_t units) {
        const struct job_spec *spec = &s->j->spec;
        uint32_t cpus = MIN(units * n->cpus_per_unit, n->configured.cpus);

        if (units == 0 || (s->whole && units < n->units) || spec->tmp_disk > n->configured.tmp_disk)
                return 0;
        cpus = cpus_with_memory(s, n, cpus);
        if (cpus == 0 || cpus < spec->min_cpus_node || (s->whole && cpus < n->configured.cpus))
                return 0;
        uint32_t tasks = spec->overcommit ? UINT32_MAX : cpus / s->cpus_per_task;
        if (spec->ntasks_per_node)
                return tasks >= spec->ntasks_per_node ? spec->ntasks_per_node : 0;
        return tasks;
}

static void offer(struct search *s, struct node *n, bool required) {
        bool needs_victims = false;

        bool now = features_match(s->j->features, n, s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW);
        bool reboot = !now && s->may_reboot && (required || s->reboots) && features_match(s->j->features, n, FEATURES_REBOOT);
        if (!now && !reboot)
                return;
        if (now && s->reboots && !required) /* has been offered */
                return;
        uint32_t idle = free_units(s, n, false), tasks = tasks_on(s, n, idle);
        if (s->mode == PLACE_PREEMPT) {
                uint32_t more = tasks_on(s, n, free_units(s, n, true));
                needs_victims = more > tasks;
                tasks = more;
        }
        if (tasks == 0)
                return;
        GROW(s->offers, s->a_offers, s->n_offers);
        s->offers[s->n_offers++] = (struct offer){ n, tasks, 0, needs_victims, required, idle, reboot };
        s->tasks += tasks;
}

/* So many nodes, and all tasks, are there: no need to look further.  With victims to spare one looks at all. */
static bool have(const struct search *s, uint32_t nodes) {
        return s->mode != PLACE_PREEMPT && s->n_offers >= nodes && s->tasks >= s->num_tasks && s->n_offers <= s->max_nodes;
}

static bool enough(const struct search *s) {
        return have(s, s->want_nodes);
}

static void offers_of(struct search *s, const struct bitset *set, bool required) {
        bitset_for_each(i, set) {
                if (!required && !s->j->partition->lln && enough(s)) /* the least loaded may come last */
                        return;
                offer(s, s->c->nodes[i], required);
        }
}

/* Among equals (from first on) those come first where nobody must be stopped; otherwise order stays. */
static void victims_last(struct search *s, size_t first) {
        _cleanup_free_ struct offer *later = xnew(struct offer, s->n_offers - first + 1);
        size_t kept = first, n = 0;

        for (size_t i = first; i < s->n_offers; i++)
                if (s->offers[i].needs_victims)
                        later[n++] = s->offers[i];
                else
                        s->offers[kept++] = s->offers[i];
        if (n)
                memcpy(&s->offers[kept], later, n * sizeof later[0]);
}

static int by_load(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->idle != y->idle)
                return x->idle > y->idle ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

static const enum node_power order[] = { NODE_ON, NODE_POWERING_UP, NODE_POWERED_DOWN, NODE_POWERING_DOWN };

/* One that must be rebooted is as far away as one that is off. */
static size_t place_in_order(const struct offer *o) {
        const enum node_power power = o->reboot ? NODE_POWERED_DOWN : o->node->power;
        size_t i = 0;

        while (order[i] != power && i + 1 < ELEMENTSOF(order))
                i++;
        return i;
}

static void offers_in_order(struct search *s, const struct bitset *usable) {
        const struct cluster *c = s->c;
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(c->n_nodes);

        for (size_t g = 0; g < ELEMENTSOF(order) && !(g && have(s, s->min_nodes)); g++) {
                if (!bitset_overlaps(usable, c->power[order[g]]))
                        continue;
                for (size_t w = 0; w < c->n_weights && !enough(s); w++) {
                        bitset_assign(set, usable);
                        bitset_and(set, c->power[order[g]]);
                        bitset_and(set, c->weights[w]);
                        if (s->j->req_nodes)
                                bitset_minus(set, s->j->req_nodes);
                        size_t first = s->n_offers;
                        offers_of(s, set, false);
                        if (s->j->partition->lln && s->n_offers > first)
                                qsort(&s->offers[first], s->n_offers - first, sizeof s->offers[0], by_load);
                        if (s->mode == PLACE_PREEMPT)
                                victims_last(s, first);
                }
        }
}

/* Nodes that would have to be rebooted come last, when the others do not do. */
static void offers(struct search *s, const struct bitset *usable) {
        offers_in_order(s, usable);
        if (!s->may_reboot || have(s, s->min_nodes))
                return;
        s->reboots = true;
        offers_in_order(s, usable);
        s->reboots = false;
}

static int by_tasks(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        if (x->required != y->required)
                return x->required ? -1 : 1;
        if (x->tasks != y->tasks)
                return x->tasks > y->tasks ? -1 : 1;
        return x->node->index < y->node->index ? -1 : 1;
}

/* How many of the offers, in their order, are enough; 0: all together are not. */
static size_t first_enough(const struct search *s) {
        uint64_t tasks = 0;

        for (size_t i = 0; i < s->n_offers && i < s->max_nodes; i++) {
                tasks += s->offers[i].tasks;
                bool more_required = i + 1 < s->n_offers && s->offers[i + 1].required;
                if (i + 1 >= s->min_nodes && tasks >= s->num_tasks && !more_required)
                        return i + 1;
        }
        return 0;
}

/* A range (-N2-4) takes what comes next, unless somebody had to be stopped for it or its boot waited for. */
static size_t as_many_as_wanted(const struct search *s, size_t n) {
        size_t last = 0;

        for (size_t i = 0; i < n; i++)
                last = MAX(last, place_in_order(&s->offers[i]));
        while (n < s->want_nodes && n < s->n_offers && !s->offers[n].needs_victims &&
                        place_in_order(&s->offers[n]) <= last)
                n++;
        return n;
}

static size_t choose(struct search *s) {
        size_t n = first_enough(s);

        if (n == 0 && s->n_offers > s->max_nodes) { /* fewer, larger ones may do */
                qsort(s->offers, s->n_offers, sizeof s->offers[0], by_tasks);
                n = first_enough(s);
        }
        return n ? as_many_as_wanted(s, n) : 0;
}

static int by_index(const void *a, const void *b) {
        const struct offer *x = a, *y = b;

        return x->node->index < y->node->index ? -1 : x->node->index > y->node->index;
}

/* As Slurm: a node is filled before the next one, but each has its one; or all of --ntasks-per-node. */
static void spread(struct search *s, size_t n) {
        uint32_t left = MAX(s->num_tasks, (uint32_t)n);

        qsort(s->offers, n, sizeof s->offers[0], by_index);
        for (size_t i = 0; i < n; i++) {
                uint32_t others = (uint32_t)(n - 1 - i);

                s->offers[i].given = MIN(s->offers[i].tasks, left - others);
                left -= s->offers[i].given;
                if (s->j->spec.ntasks_per_node)
                        s->offers[i].given = s->offers[i].tasks;
        }
}

static void add_victim(struct placement *p, struct job *v) {
        for (size_t i = 0; i < p->n_victims; i++)
                if (p->victims[i] == v)
                        return;
        p->victims = xrenew(p->victims, p->n_victims + 1);
        p->victims[p->n_victims++] = v;
}

/* Takes up to want units out of what is not blocked; returns how many are still wanted. */
static uint32_t take_units(
                const struct bitset *blocked, struct bitset *units, size_t at, uint32_t want) {
        for (size_t i = 0; i < blocked->bits && want; i++)
                if (!bitset_has(blocked, i) && !bitset_has(units, at + i)) {
                        bitset_add(units, at + i);
                        want--;
                }
        return want;
}

static void collect_victims(struct search *s, struct placement *p, const struct job_node *jn) {
        const struct node *n = jn->node;

        for (size_t k = 0; k < n->n_jobs; k++) {
                struct job *v = n->jobs[k];
                const struct job_node *vn = job_node_find(v, n);
                if (v->state != JOB_RUNNING || !v->units || !vn || !alloc_may_stop(s->c, s->j, v))
                        continue;
                for (size_t i = 0; i < n->units; i++)
                        if (bitset_has(p->units, jn->units_at + i) &&
                                        bitset_has(v->units, vn->units_at + i)) {
                                add_victim(p, v);
                                break;
                        }
        }
}

static void settle_node(
                struct search *s, struct placement *p, const struct offer *o, struct job_node *jn) {
        struct node *n = o->node;
        uint32_t cpus = s->whole ? n->configured.cpus
                                 : MIN(n->configured.cpus, o->given * s->cpus_per_task);

        if (s->j->spec.overcommit && !s->whole)
                cpus = MIN(cpus, MAX(1u, s->j->spec.min_cpus_node));
        cpus = MAX(cpus, s->j->spec.min_cpus_node);
        uint32_t units = s->whole ? n->units : (cpus + n->cpus_per_unit - 1) / n->cpus_per_unit;
        uint32_t left = units;
        if (s->mode != PLACE_EVER) {
                for (int preempt = 0; left && preempt <= (s->mode == PLACE_PREEMPT); preempt++) {
                        struct bitset *blocked = scratch(s, n);
                        alloc_blocked(s->c, n, s->j, preempt, s->gone, blocked);
                        left = take_units(blocked, p->units, jn->units_at, left);
                }
                assert(left == 0);
                collect_victims(s, p, jn);
        }
        if (!cluster_counts_cpus(s->c))
                cpus = units * n->cpus_per_unit;
        jn->cpus = MIN(cpus, n->configured.cpus);
        if (cluster_counts_memory(s->c))
                jn->memory = s->j->mem_per_node  ? s->j->mem_per_node
                             : s->j->mem_per_cpu ? s->j->mem_per_cpu * jn->cpus
                                                 : n->configured.memory;
        p->num_cpus += jn->cpus;
}

static void settle(struct search *s, size_t n, struct placement *p) {
        size_t units = 0;

        p->nodes = bitset_new(s->c->n_nodes);
        p->alloc = xnew0(struct job_node, n);
        p->n_alloc = n;
        for (size_t i = 0; i < n; i++) {
                bitset_add(p->nodes, s->offers[i].node->index);
                p->alloc[i].node = s->offers[i].node;
                p->alloc[i].units_at = units;
                units += s->offers[i].node->units;
        }
        p->units = bitset_new(units);
        for (size_t i = 0; i < n; i++)
                settle_node(s, p, &s->offers[i], &p->alloc[i]);
}

/* All nodes that the job names, or none of it: asked first, as it is often one that is busy. */
static int required_offers(struct search *s, const struct bitset *usable) {
        const struct job *j = s->j;

        if (bitset_empty(j->req_nodes) || !bitset_contains(usable, j->req_nodes) || /* empty: from the configuration */
                        !bitset_contains(j->partition->nodes, j->req_nodes) ||
                        (j->exc_nodes && bitset_overlaps(j->exc_nodes, j->req_nodes)))
                return -ENOENT;
        offers_of(s, j->req_nodes, true);
        return s->n_offers < bitset_count(j->req_nodes) ? -EBUSY : 0;
}

static int search(struct cluster *c, const struct job *j, const struct bitset *usable, enum place_mode mode,
                const struct bitset *gone, struct placement *ret) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        const struct job_spec *spec = &j->spec;
        struct search s = {
                .c = c,
                .j = j,
                .mode = mode,
                .may_reboot = j->features && mode != PLACE_EVER && !isempty(c->config->reboot_program) &&
                                helpers_allow(c->config->helpers, j->user, j->uid),
                .gone = gone,
                .whole = place_wants_whole(c, j),
                .min_nodes = MAX(1u, spec->max_nodes ? spec->min_nodes : MAX(spec->min_nodes, j->partition->min_nodes)),
                .max_nodes = spec->max_nodes ? spec->max_nodes : UINT32_MAX,
                .num_tasks = job_tasks(j),
                .cpus_per_task = MAX(1u, spec->cpus_per_task),
        };
        int r = j->req_nodes ? required_offers(&s, usable) : 0;

        s.want_nodes = s.min_nodes;
        if (spec->max_nodes > s.min_nodes)
                s.want_nodes = spec->tasks_set ? MAX(s.min_nodes, MIN(spec->max_nodes, s.num_tasks)) : spec->max_nodes;
        if (r < 0)
                goto out;
        set = bitset_copy(usable);
        bitset_and(set, j->partition->nodes);
        if (j->exc_nodes)
                bitset_minus(set, j->exc_nodes);
        if (j->req_nodes)
                s.min_nodes = MAX(s.min_nodes, (uint32_t)bitset_count(j->req_nodes));
        r = bitset_count(set) < s.min_nodes ? -ENOENT : 0;
        if (r < 0)
                goto out;
        if (mode == PLACE_FREE && !gone && s.whole && bitset_count_and(set, c->unused) < s.min_nodes) {
                r = -EBUSY; /* the common case, answered without looking at any other node */
                goto out;
        }
        offers(&s, set);
        size_t n = choose(&s);
        if (n == 0)
                r = -EBUSY;
        else {
                spread(&s, n);
                *ret = (struct placement){ 0 };
                settle(&s, n, ret);
        }
out:
        free(s.offers);
        bitset_free(s.blocked);
        return r;
}

int place(struct cluster *c, const struct job *j, const struct bitset *usable, enum place_mode mode,
                struct placement *ret) {
        return search(c, j, usable, mode, NULL, ret);
}

int place_after(struct cluster *c, const struct job *j, const struct bitset *usable, const struct bitset *gone,
                struct placement *ret) {
        return search(c, j, usable, PLACE_FREE, gone, ret);
}

void place_capacity(struct cluster *c, const struct job *j, uint32_t *tasks) {
        struct search s = { .c = c, .j = j, .mode = PLACE_EVER, .whole = place_wants_whole(c, j),
                .cpus_per_task = MAX(1u, j->spec.cpus_per_task) };

        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct node *n = c->nodes[i];
                bool serves = bitset_has(j->partition->nodes, i) && !(j->exc_nodes && bitset_has(j->exc_nodes, i)) &&
                              features_match(j->features, n, true);
                tasks[i] = serves ? tasks_on(&s, n, free_units(&s, n, false)) : 0;
        }
        bitset_free(s.blocked);
}

void placement_done(struct placement *p) {
        bitset_free(TAKE(p->nodes));
        bitset_free(TAKE(p->units));
        free(TAKE(p->alloc));
        free(TAKE(p->victims));
}
