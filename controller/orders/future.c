/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/orders/future.h"

#include "controller/indexes/changed.h"
#include "controller/model/cluster.h"
#include "controller/model/feature.h"
#include "controller/model/node_features.h"

static bool future_node_fits(const struct node *n, const char *feature,
                const struct node_hardware *has) {
        const struct node_hardware *want = &n->configured;

        bool same = has->cpus == want->cpus && has->boards == want->boards &&
                    has->sockets == want->sockets && has->cores == want->cores &&
                    has->threads == want->threads;

        return same && has->memory >= want->memory && has->tmp_disk >= want->tmp_disk &&
               (!*feature || node_features_has(n, feature, strlen(feature), FEATURES_EVER));
}

static bool is_machine(const struct node *n, const char *machine) {
        return n->flags & NODE_DYNAMIC_FUTURE && n->hostname && streq(n->hostname, machine);
}

struct node *future_find(const struct cluster *c, const char *machine, const char *feature,
                const struct node_hardware *has, struct fail *fail) {
        for (size_t i = 0; i < c->n_nodes; i++)
                if (is_machine(c->nodes[i], machine))
                        return c->nodes[i];
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];
                bool is_free = n->base == NODE_FUTURE && !n->connected &&
                               !(n->flags & NODE_DYNAMIC_FUTURE);
                if (is_free && future_node_fits(n, feature, has))
                        return n;
        }
        fail_set(fail, -ENOENT,
                        "no free node of State=FUTURE has CPUs=%u Boards=%u SocketsPerBoard=%u "
                        "CoresPerSocket=%u ThreadsPerCore=%u, a RealMemory of at most %llu%s%.100s",
                        has->cpus, has->boards, has->sockets, has->cores, has->threads,
                        (unsigned long long)has->memory, *feature ? " and the feature " : "",
                        feature);
        return NULL;
}

void future_take(struct cluster *c, struct node *n, const char *machine, usec_t now) {
        if (is_machine(n, machine))
                return;
        free_and_strdup(&n->hostname, machine);
        node_flag(c, n, NODE_DYNAMIC_FUTURE, 0, now);
        cluster_log(c, 0, n, "Node %s: the machine %s is this node from now on", n->name, machine);
}
