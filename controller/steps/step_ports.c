/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/steps/step_ports.h"

#include "controller/model/node.h"

#define PORTS (UINT16_MAX + 1)

static bool runs_on(const struct job *j, const struct step *s, const struct node *n) {
        bitset_for_each(at, s->nodes)
                if (j->placed.alloc[at].node == n && !bitset_has(s->ended, at))
                        return true;
        return false;
}

static void add_taken(const struct node *n, struct bitset *taken) {
        _cleanup_(bitset_freep) struct bitset *its = bitset_new(PORTS);

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job *j = n->jobs[i];
                for (size_t k = 0; k < j->running.n_steps; k++) {
                        const struct step *s = &j->running.steps[k];
                        if (!s->resv_ports || !runs_on(j, s, n))
                                continue;
                        bitset_clear(its);
                        if (bitset_parse(its, s->resv_ports) >= 0)
                                bitset_or(taken, its);
                }
        }
}

enum slumber_error step_ports_find(const struct job *j, const size_t *at, const uint32_t *tasks,
                size_t n, uint32_t asked, struct port_range range, uint32_t *next, char **ret) {
        _cleanup_(bitset_freep) struct bitset *taken = NULL, *found = NULL;
        uint32_t most = 0, size = range.first ? range.last - range.first + 1 : 0, k = 0;

        *ret = NULL;
        for (size_t i = 0; i < n; i++)
                most = MAX(most, tasks[i]);
        uint32_t want = asked == STEP_PORTS_BY_TASKS ? most + 1 : asked;
        if (want > size)
                return SLUMBER_TOO_MANY_PORTS;
        if (!want)
                return SLUMBER_OK;
        taken = bitset_new(PORTS);
        found = bitset_new(PORTS);
        for (size_t i = 0; i < n; i++)
                add_taken(j->placed.alloc[at[i]].node, taken);
        bool within = *next >= range.first && *next <= range.last;
        uint32_t begin = within ? *next - range.first : 0;
        for (; k < size && want > 0; k++) {
                uint32_t port = range.first + (begin + k) % size;
                if (bitset_has(taken, port))
                        continue;
                bitset_add(found, port);
                want--;
        }
        if (want > 0)
                return SLUMBER_PORTS_BUSY;
        *next = range.first + (begin + k) % size;
        *ret = bitset_text(found);
        return SLUMBER_OK;
}
