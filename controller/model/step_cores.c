/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/step_cores.h"

#include "controller/model/node.h"
#include "controller/model/sockets.h"

struct choice {
        uint32_t held; /* number of other steps using the core */
        uint32_t nth;  /* index among the job's cores on the socket */
        size_t unit;
};

static int by_preference(const void *a, const void *b) {
        const struct choice *x = a, *y = b;

        if (x->held != y->held)
                return x->held < y->held ? -1 : 1;
        if (x->nth != y->nth)
                return x->nth < y->nth ? -1 : 1;
        return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* first: index in held of the first unit of each node of s. */
static void step_cores_add_held(const struct step *other, const struct step *s, const size_t *first,
                uint32_t *held) {
        size_t k = 0;

        bitset_for_each(at, other->nodes) {
                const struct bitset *its = other->cores[k++];
                if (bitset_has(s->nodes, at) && !bitset_has(other->ended, at))
                        bitset_for_each(unit, its)
                                held[first[at] + unit]++;
        }
}

static struct bitset *step_cores_pick(const struct job *j, const struct job_node *jn, uint32_t cpus,
                bool block, const uint32_t *held) {
        const struct node *n = jn->node;
        uint32_t sockets = node_sockets(n), each = n->units / sockets;
        _cleanup_free_ struct choice *list = xnew(struct choice, n->units + 1);
        _cleanup_free_ uint32_t *on_socket = xnew0(uint32_t, sockets);
        struct bitset *cores = bitset_new(n->units);
        size_t count = 0, want;

        for (size_t unit = 0; unit < n->units; unit++)
                if (bitset_has(j->placed.units, jn->units_at + unit))
                        list[count++] = (struct choice){ held[unit],
                                block ? 0 : on_socket[unit / each]++, unit };
        want = cpus >= jn->cpus ? count
                                : MIN(count, (size_t)DIV_ROUND_UP(cpus, job_threads_used(j, n)));
        list_sort(list, count, sizeof list[0], by_preference);
        for (size_t i = 0; i < want; i++)
                bitset_add(cores, list[i].unit);
        return cores;
}

void step_cores_deal(const struct job *j, struct step *s, const uint32_t *cpus, bool block) {
        _cleanup_free_ size_t *first = xnew0(size_t, j->placed.n_alloc);
        _cleanup_free_ uint32_t *held = NULL;
        size_t units = 0, k = 0;

        bitset_for_each(at, s->nodes) {
                first[at] = units;
                units += j->placed.alloc[at].node->units;
        }
        held = xnew0(uint32_t, units + 1);
        for (size_t i = 0; i < j->running.n_steps; i++)
                if (&j->running.steps[i] != s && j->running.steps[i].cores)
                        step_cores_add_held(&j->running.steps[i], s, first, held);
        s->cores = xnew0(struct bitset *, s->n_tasks_on);
        bitset_for_each(at, s->nodes) {
                s->cores[k] = step_cores_pick(j, &j->placed.alloc[at], cpus[k], block,
                                held + first[at]);
                k++;
        }
}

void step_cores_free(struct step *s) {
        for (size_t i = 0; s->cores && i < s->n_tasks_on; i++)
                bitset_free(s->cores[i]);
        free(TAKE(s->cores));
}
