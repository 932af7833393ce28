/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/spec.h"

#include "controller/model/job.h"
#include "controller/model/node.h"
#include "controller/model/partition.h"
#include "controller/model/sockets.h"
#include "lib/config/config.h"

/* The k-th reserved unit: the last unit left of each socket in turn. */
static uint32_t spec_unit_at(const struct node *n, uint32_t k) {
        uint32_t sockets = node_sockets(n), each = n->units / sockets;

        if (n->spec_first)
                return k % sockets * each + k / sockets;
        return (sockets - 1 - k % sockets) * each + each - 1 - k / sockets;
}

static void spec_read_cpus(struct node *n, const char *list) {
        _cleanup_(bitset_freep) struct bitset *cpus = bitset_new(n->configured.cpus);

        if (bitset_parse(cpus, list) < 0) /* checked when slurm.conf was read */
                return;
        bitset_for_each(i, cpus) {
                uint32_t unit = (uint32_t)i / n->cpus_per_unit;
                bool known = false;
                for (uint32_t k = 0; k < n->n_spec; k++)
                        known |= n->spec[k] == unit;
                if (!known)
                        n->spec[n->n_spec++] = unit;
        }
}

void node_set_spec(struct node *n, const struct config_node *from, bool first) {
        uint32_t count = MIN(from->core_spec, n->units);

        n->spec_memory = from->mem_spec;
        n->spec_first = first;
        n->n_spec = 0;
        free(n->spec);
        n->spec = count || !isempty(from->cpu_spec) ? xnew(uint32_t, n->units) : NULL;
        if (!isempty(from->cpu_spec))
                spec_read_cpus(n, from->cpu_spec);
        else
                for (; n->n_spec < count; n->n_spec++)
                        n->spec[n->n_spec] = spec_unit_at(n, n->n_spec);
        node_count_used(n);
}

static bool spec_has_unit(const struct node *n, uint32_t unit) {
        for (uint32_t k = 0; k < n->n_spec; k++)
                if (n->spec[k] == unit)
                        return true;
        return false;
}

/* Adds count reserved units, the node's own first. */
static void spec_add_units(const struct node *n, uint32_t count, struct bitset *set) {
        for (uint32_t k = 0; k < n->n_spec && count; k++, count--)
                bitset_add(set, n->spec[k]);
        for (uint32_t k = 0; k < n->units && count; k++) {
                uint32_t unit = spec_unit_at(n, k);
                if (spec_has_unit(n, unit))
                        continue;
                bitset_add(set, unit);
                count--;
        }
}

void node_add_spec(const struct node *n, struct bitset *set) {
        spec_add_units(n, n->n_spec, set);
}

char *node_spec_text(const struct node *n) {
        _cleanup_(bitset_freep) struct bitset *cpus = bitset_new(n->configured.cpus);

        for (uint32_t k = 0; k < n->n_spec; k++)
                bitset_add_range(cpus, (size_t)n->spec[k] * n->cpus_per_unit, n->cpus_per_unit);
        return bitset_text(cpus);
}

uint32_t node_job_cpus(const struct node *n) {
        return n->configured.cpus - MIN(n->n_spec * n->cpus_per_unit, n->configured.cpus);
}

void node_count_used(struct node *n) {
        n->cpus_used = MIN(n->units_used * n->cpus_per_unit, node_job_cpus(n));
}

uint64_t node_job_memory(const struct node *n) {
        return n->configured.memory - MIN(n->spec_memory, n->configured.memory);
}

bool job_has_spec(const struct job *j) {
        return j->asked.core_spec || j->asked.thread_spec;
}

/* The job's own reservation, in units. */
static uint32_t kept_as_asked(const struct job *j, uint32_t cpus_per_unit) {
        return j->asked.thread_spec ? DIV_ROUND_UP(j->asked.thread_spec, cpus_per_unit)
                                    : j->asked.core_spec - 1;
}

static uint32_t kept_from(const struct job *j, const struct node *n) {
        return MIN(job_has_spec(j) ? kept_as_asked(j, n->cpus_per_unit) : n->n_spec, n->units);
}

uint32_t job_units_on(const struct job *j, const struct node *n) {
        return n->units - kept_from(j, n);
}

uint32_t job_most_cpus(const struct job *j) {
        const struct partition *p = j->partition;
        uint32_t most = 0;

        if (!job_has_spec(j))
                return p->most_cpus;
        for (const struct node_kind *k = p->kinds; k < p->kinds + p->n_kinds; k++) {
                uint32_t kept = MIN(kept_as_asked(j, k->cpus_per_unit), k->units);
                most = MAX(most, (k->units - kept) * k->cpus_per_unit);
        }
        return most;
}

void job_add_spec(const struct job *j, const struct node *n, struct bitset *set) {
        spec_add_units(n, kept_from(j, n), set);
}

size_t job_next_unit(const struct job *j, const struct job_node *jn, size_t from) {
        size_t units = jn->node->units, at;

        if (!j->placed.units || from >= units)
                return SIZE_MAX;
        if (job_has_spec(j))
                return from;
        at = bitset_next(j->placed.units, jn->units_at + from);
        return at < jn->units_at + units ? at - jn->units_at : SIZE_MAX;
}

void job_add_units(const struct job *j, const struct job_node *jn, struct bitset *set) {
        if (!j->placed.units)
                return;
        if (job_has_spec(j))
                bitset_fill(set);
        else
                bitset_or_part(set, j->placed.units, jn->units_at);
}

bool job_meets(const struct job *j, const struct job_node *jn, const struct bitset *set,
                size_t at) {
        if (!j->placed.units)
                return false;
        if (job_has_spec(j))
                return bitset_parts_overlap(set, at, set, at, jn->node->units);
        return bitset_parts_overlap(set, at, j->placed.units, jn->units_at, jn->node->units);
}

bool job_units_meet(const struct job *j, const struct job_node *a, const struct job *v,
                const struct job_node *b) {
        if (!j->placed.units || !v->placed.units)
                return false;
        if (job_has_spec(j))
                return job_has_spec(v) ? a->node->units > 0
                                       : job_meets(j, a, v->placed.units, b->units_at);
        return job_meets(v, b, j->placed.units, a->units_at);
}
