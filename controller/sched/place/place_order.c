/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of offers. */
#include "controller/sched/place/place_private.h"

/* A node to be rebooted is as far away as a node powered down. */
size_t place_distance(const struct offer *o) {
        return o->reboot ? NODE_IS_ASLEEP : node_distance(o->node);
}

void place_partition(struct search *s, size_t first, bool (*f)(const struct offer *o)) {
        _cleanup_free_ struct offer *later = xnew(struct offer, s->n_offers - first + 1);
        size_t kept = first, n = 0;

        for (size_t i = first; i < s->n_offers; i++)
                if (f(&s->offers[i]))
                        s->offers[kept++] = s->offers[i];
                else
                        later[n++] = s->offers[i];
        if (n)
                memcpy(&s->offers[kept], later, n * sizeof later[0]);
}
