/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes are runs of neighbouring nodes in the plan with equal amounts. A run is a list of
 * ranges:
 *
 *   0          number of nodes; units of each node
 *   1          memory of each node, in two halves
 *   2          number of gres entries; number of part entries
 *   3...       gres entries, then part entries */
#include "controller/sched/plan/takes.h"

enum { HEAD = 3 };

uint32_t takes_units(const struct placement *where, const struct job_node *jn,
                const struct bitset *among) {
        size_t first = jn->units_at, end = first + jn->node->units;
        uint32_t units = 0;

        for (size_t i = bitset_next(where->units, first); i < end;
                        i = bitset_next(where->units, i + 1))
                units += !among || bitset_has(among, i - first);
        return units;
}

static size_t takes_at(const struct job_plan *p) {
        return p->n_ranges + p->n_licenses + p->n_parts;
}

/* Returns whether the run equals the run before, which is extended then. */
static bool is_repeated(struct node_range *last, const struct node_range *run, size_t size) {
        if (!last || last[0].n != run[0].n ||
                        memcmp(&last[1], &run[1], (size - 1) * sizeof run[0]) != 0)
                return false;
        last[0].from++;
        return true;
}

struct job_plan *plan_add_takes(struct job_plan *p, const struct parts *parts,
                const struct placement *where) {
        size_t last = SIZE_MAX, last_size = 0;

        for (size_t i = 0; i < where->n_alloc; i++) {
                const struct job_node *jn = &where->alloc[i];
                const size_t node = jn->node->index,
                             n_parts = bitset_has(parts_split(parts), node) ? parts_of(parts, node)
                                                                            : 0;
                size_t n_gres, at = takes_at(p) + p->n_takes;
                const struct gres_share *gres = gres_shares_of(where->gres, where->n_gres,
                                (uint32_t)i, &n_gres);
                size_t size = HEAD + n_gres + n_parts;
                p = xrealloc_array(p, 1, sizeof *p + (at + size) * sizeof p->ranges[0]);
                struct node_range *run = &p->ranges[at];
                run[0] = (struct node_range){ 1, takes_units(where, jn, NULL) };
                run[1] = (struct node_range){ (uint32_t)jn->memory, (uint32_t)(jn->memory >> 32) };
                run[2] = (struct node_range){ (uint32_t)n_gres, (uint32_t)n_parts };
                for (size_t k = 0; k < n_gres; k++)
                        run[HEAD + k] = (struct node_range){ gres[k].item,
                                (uint32_t)MIN(gres[k].count, (uint64_t)UINT32_MAX) };
                for (size_t k = 0; k < n_parts; k++)
                        run[HEAD + n_gres + k] = (struct node_range){ (uint32_t)k,
                                takes_units(where, jn, parts_units(parts, node, k)) };
                if (last_size == size && is_repeated(&p->ranges[last], run, size))
                        continue;
                last = at;
                last_size = size;
                p->n_takes += size;
        }
        return p;
}

/* Returns the index of node among the plan's nodes. */
static size_t place_in(const struct job_plan *p, size_t node) {
        size_t before = 0;

        for (size_t i = 0; i < p->n_ranges; i++) {
                if (node < (size_t)p->ranges[i].from + p->ranges[i].n)
                        return before + node - p->ranges[i].from;
                before += p->ranges[i].n;
        }
        abort();
}

struct take plan_take_of(const struct job_plan *p, size_t node) {
        const struct node_range *run = &p->ranges[takes_at(p)];

        for (size_t at = place_in(p, node); at >= run[0].from; run += HEAD + run[2].from + run[2].n)
                at -= run[0].from;
        return (struct take){ .units = run[0].n,
                .memory = run[1].from | (uint64_t)run[1].n << 32,
                .n_gres = run[2].from,
                .n_parts = run[2].n,
                .gres = run + HEAD,
                .parts = run + HEAD + run[2].from };
}
