/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a node can give: units, memory, and so how many tasks.  Nothing is changed. */
#include "controller/sched/place_private.h"

#include "controller/core/alloc.h"
#include "controller/core/feature.h"
#include "controller/core/reboot.h"

struct bitset *place_scratch(struct search *s, const struct node *n) {
        if (!s->blocked || s->blocked->bits != n->units) {
                bitset_free(s->blocked);
                s->blocked = bitset_new(n->units);
        }
        return s->blocked;
}

/* MaxCPUsPerNode: what the partition's other jobs have there counts. */
static uint32_t units_allowed(const struct search *s, const struct node *n, const struct yield *y) {
        uint32_t cpus = s->j->partition->max_cpus_per_node;

        if (cpus == UINT32_MAX)
                return n->units;
        for (size_t i = 0; i < n->n_jobs && s->mode != PLACE_EVER; i++) {
                const struct job *other = n->jobs[i];
                bool counts = other->partition == s->j->partition && !yield_gone(y, other);
                const struct job_node *jn = counts ? job_node_find(other, n) : NULL;
                cpus -= MIN(cpus, jn ? jn->cpus : 0);
        }
        return cpus / n->cpus_per_unit;
}

static uint32_t free_units(struct search *s, const struct node *n, const struct yield *y) {
        uint32_t allowed = units_allowed(s, n, y);

        if (n->n_jobs == 0 || s->mode == PLACE_EVER)
                return MIN(n->units, allowed);
        struct bitset *blocked = place_scratch(s, n);
        alloc_blocked(n, s->j, y, blocked);
        return MIN(n->units - (uint32_t)bitset_count(blocked), allowed);
}

uint64_t place_max_memory(const struct cluster *c, const struct job *j) {
        const struct partition *p = j->partition;
        uint64_t max = p->max_mem_per_node || p->max_mem_per_cpu ? p->max_mem_per_node : c->config->max_mem_per_node;

        return max ? max : UINT64_MAX;
}

uint64_t place_free_memory(const struct search *s, const struct node *n, const struct yield *y) {
        uint64_t used = s->mode == PLACE_EVER ? 0 : alloc_memory(n, y);

        return n->configured.memory > used ? n->configured.memory - used : 0;
}

/* How many of n's CPUs (out of cpus) its memory allows.  0: too little. */
static uint32_t cpus_with_memory(const struct search *s, const struct node *n, uint32_t cpus, const struct yield *y) {
        const struct job *j = s->j;
        uint64_t most = place_max_memory(s->c, j), memory = MIN(place_free_memory(s, n, y), most);

        if (!cluster_counts_memory(s->c))
                return MAX(j->mem_per_node, j->mem_per_cpu) > MIN(n->configured.memory, most) ? 0 : cpus;
        if (j->mem_per_node)
                return memory < j->mem_per_node ? 0 : cpus;
        if (j->spec.mem_per_gpu && !j->mem_per_cpu) /* as many as there is memory for: tasks_with_gres() */
                return cpus;
        if (!j->mem_per_cpu) /* all of it */
                return memory < n->configured.memory ? 0 : cpus;
        uint64_t step = cluster_counts_cpus(s->c) ? 1 : n->cpus_per_unit; /* a unit is charged whole */
        return (uint32_t)MIN((uint64_t)cpus, memory / j->mem_per_cpu / step * step);
}

/* What n has of its generic resources: tasks, of so many, that it is enough for; *ret: what it could give of --gpus. */
static uint32_t tasks_with_gres(const struct search *s, const struct node *n, uint32_t cpus, uint32_t tasks, const struct yield *y,
                uint32_t *ret) {
        const struct gres_wants *w = s->j->gres_wants;
        bool ever = s->mode == PLACE_EVER;

        for (size_t i = 0; tasks && i < w->n; i++) {
                uint64_t left = gres_left(n, &w->list[i], y->gone, ever);
                if (left < w->list[i].per_node)
                        return 0;
                if (w->list[i].per_node)
                        left = w->list[i].per_node;
                if (w->list[i].per_task)
                        tasks = (uint32_t)MIN((uint64_t)tasks, left / w->list[i].per_task);
                if (!w->list[i].per_job)
                        continue;
                if (s->j->spec.cpus_per_gpu)
                        left = MIN(left, (uint64_t)cpus / s->j->spec.cpus_per_gpu);
                if (s->j->spec.mem_per_gpu && cluster_counts_memory(s->c))
                        left = MIN(left, place_free_memory(s, n, y) / s->j->spec.mem_per_gpu);
                *ret = (uint32_t)MIN(left, w->list[i].per_job);
                if (*ret == 0)
                        return 0;
        }
        return tasks;
}

/* Tasks that n can hold with so many units; 0 if it cannot serve the job at all. */
static uint32_t tasks_on(const struct search *s, const struct node *n, uint32_t units, const struct yield *y, uint32_t *gres) {
        const struct job_spec *spec = &s->j->spec;
        uint32_t cpus = MIN(units * n->cpus_per_unit, n->configured.cpus);

        if (units == 0 || (s->whole && units < n->units) || spec->tmp_disk > n->configured.tmp_disk)
                return 0;
        cpus = cpus_with_memory(s, n, cpus, y);
        if (cpus == 0 || cpus < spec->min_cpus_node || (s->whole && cpus < n->configured.cpus))
                return 0;
        uint32_t tasks = spec->overcommit ? UINT32_MAX : cpus / s->cpus_per_task;
        if (s->j->gres_wants)
                tasks = tasks_with_gres(s, n, cpus, tasks, y, gres);
        if (spec->ntasks_per_node)
                return tasks >= spec->ntasks_per_node ? spec->ntasks_per_node : 0;
        return tasks;
}

static bool has_features(const struct search *s, const struct node *n, enum features_when when) {
        return features_match(s->features, n, when) &&
               (!features_alternatives(s->features) || features_has_alternative(s->features, s->alternative, n, when));
}

void place_offer(struct search *s, struct node *n, bool required) {
        bool needs_victims = false;

        bool now = has_features(s, n, s->mode == PLACE_EVER ? FEATURES_EVER : FEATURES_NOW);
        bool reboot = !now && s->may_reboot && (required || s->reboots) && has_features(s, n, FEATURES_REBOOT);
        if (!now && !reboot)
                return;
        if (now && s->reboots && !required) /* has been offered */
                return;
        uint32_t gres = 0, idle = free_units(s, n, &s->base), tasks = tasks_on(s, n, idle, &s->base, &gres);
        if (s->stops && n->n_jobs) {
                uint32_t more = tasks_on(s, n, free_units(s, n, &s->of), &s->of, &gres);
                needs_victims = more > tasks;
                tasks = more;
        }
        if (tasks == 0)
                return;
        GROW(s->offers, s->a_offers, s->n_offers);
        s->offers[s->n_offers++] = (struct offer){ .node = n, .tasks = tasks, .needs_victims = needs_victims, .required = required,
                .idle = idle, .gres = gres, .reboot = reboot };
        s->tasks += tasks;
        s->gres += gres;
}

void place_capacity(struct cluster *c, const struct job *j, uint32_t *tasks, uint32_t *gres) {
        struct search s = { .c = c, .j = j, .mode = PLACE_EVER, .whole = place_wants_whole(c, j),
                .cpus_per_task = MAX(1u, j->spec.cpus_per_task), .of_job = gres_job_want(j->gres_wants) };
        enum features_when features = j->features && reboot_allowed(c, j) ? FEATURES_REBOOT : FEATURES_NOW;

        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct node *n = c->nodes[i];
                bool serves = bitset_has(j->partition->nodes, i) && !(j->exc_nodes && bitset_has(j->exc_nodes, i)) &&
                              features_match(j->features, n, features);
                tasks[i] = serves ? tasks_on(&s, n, free_units(&s, n, &s.base), &s.base, &gres[i]) : 0;
        }
        bitset_free(s.blocked);
}
