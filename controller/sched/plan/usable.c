/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes available to jobs now: without nodes that cannot be woken, whose wake-up is
 * forbidden by max_powered_nodes, or that reservations keep. */
#include "controller/sched/plan/usable.h"

#include "controller/accounts/bids.h"
#include "controller/reservations/reservation.h"

struct bitset *sched_usable(const struct cluster *c) {
        struct bitset *usable = bitset_copy(c->schedulable);

        if (!c->power_save) /* without power saving no program wakes nodes */
                bitset_minus(usable, c->power[NODE_POWERED_DOWN]);
        return usable;
}

/* Returns how many nodes must still be woken for a placement (power-saving guide,
   max_powered_nodes). */
static size_t to_power_up(const struct cluster *c, const struct bitset *nodes) {
        size_t n = 0;

        bitset_for_each(i, nodes)
                n += node_lacks_power(c->nodes[i]) && !bitset_has(c->to_resume, i);
        return n;
}

bool sched_too_many_powered(const struct cluster *c, const struct placement *where,
                size_t *powered) {
        if (c->config->max_powered_nodes == UINT32_MAX)
                return false;
        size_t more = to_power_up(c, where->nodes);
        if (more && *powered + more > c->config->max_powered_nodes)
                return true;
        *powered += more;
        return false;
}

usec_t sched_longest_boot(const struct cluster *c, const struct bitset *usable) {
        usec_t boot = 0;

        if (bitset_contains(c->power[NODE_ON], usable))
                return 0;
        bitset_for_each(i, usable)
                if (c->nodes[i]->power != NODE_ON)
                        boot = MAX(boot, node_boot_time(c->nodes[i]));
        return boot;
}

struct period sched_heed_reservations(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable) {
        usec_t limit = j->needs.time_limit == NO_LIMIT ? 365ull * 24 * 3600 * USEC_PER_SEC
                                                       : j->needs.time_limit;
        struct period when = { .from = now, .until = now + limit };

        if (c->resvs.n == 0)
                return when;
        when.until += sched_longest_boot(c, usable);
        resv_filter(c, j, when.from, when.until, usable);
        return when;
}

static bool is_out_of_service(const struct node *n) {
        return n->base != NODE_IDLE || n->flags & (NODE_DRAIN | NODE_FAIL | NODE_INVALID_REG);
}

bool job_lacks_nodes(const struct cluster *c, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *nodes = bitset_new(c->n_nodes);
        const char *rest = j->asked.partition && strchr(j->asked.partition, ',')
                                           ? j->asked.partition
                                           : j->partition->name;
        bool lacks = true;

        for (size_t i = 0; i < c->n_nodes; i++)
                bitset_put(nodes, i, !is_out_of_service(c->nodes[i]));
        if (j->needs.unknown_nodes)
                return true;
        if (j->needs.exc_nodes)
                bitset_minus(nodes, j->needs.exc_nodes);
        if (j->needs.req_nodes && !bitset_contains(nodes, j->needs.req_nodes))
                return true;
        for (char *name; lacks && (name = partition_next(&rest)); free(name)) {
                const struct partition *part = cluster_partition(c, name);
                lacks = !part || bitset_count_and(nodes, part->nodes) < MAX(1u, j->asked.min_nodes);
        }
        return lacks;
}
