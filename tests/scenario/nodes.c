/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic nodes: machines with a slumberd that joins by -Z, nodes that scontrol creates and
   deletes. */
#include "tests/scenario/world.h"

/* To be given to world_renumber(). */
struct names {
        char **list;
        size_t n;
};

static void names_done(struct names *names) {
        for (size_t i = 0; i < names->n; i++)
                free(names->list[i]);
        free(names->list);
}

static struct names names_of(const struct cluster *c) {
        struct names names = { xnew(char *, c->n_nodes + 1), c->n_nodes };

        for (size_t i = 0; i < c->n_nodes; i++)
                names.list[i] = xstrdup(c->nodes[i]->name);
        return names;
}

static void end_nodes(struct config_node *nodes, size_t n) {
        for (size_t i = 0; i < n; i++)
                config_node_done(&nodes[i]);
        free(nodes);
}

int world_join(struct world *w, enum config_node_from from, const char *line, struct fail *fail) {
        _cleanup_(names_done) struct names before = names_of(w->c);
        _cleanup_free_ char **fresh = NULL;
        struct config_node *nodes = NULL;
        size_t n = 0;
        int r = config_dynamic_parse(w->c->config, from, line, &nodes, &n, fail);

        if (r < 0)
                return r;
        fresh = xnew0(char *, n + 1);
        for (size_t i = 0; i < n; i++)
                fresh[i] = xstrdup(nodes[i].name);
        r = cluster_nodes_join(w->c, nodes, n, true, w->now, fail);
        if (r >= 0)
                world_renumber(w, before.list, before.n);
        for (size_t i = 0; i < n; i++) {
                if (r >= 0 && from != NODE_FROM_ADMIN)
                        world_power(w, cluster_node(w->c, fresh[i])->index, true);
                free(fresh[i]);
        }
        end_nodes(nodes, n);
        return r;
}

int world_leave(struct world *w, const char *list, struct fail *fail) {
        _cleanup_(names_done) struct names before = names_of(w->c);
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        int r = hostlist_parse(list, &names, fail);

        if (r >= 0)
                r = cluster_nodes_leave(w->c, names, w->now, fail);
        if (r >= 0)
                world_renumber(w, before.list, before.n);
        return r;
}

int world_keep_dynamic(const struct config *old, struct config *config, struct fail *fail) {
        int r = 0;

        for (size_t i = 0; i < old->n_nodes && r >= 0; i++) {
                struct config_node *nodes = NULL;
                size_t n = 0;
                if (!old->nodes[i].dynamic)
                        continue;
                _cleanup_free_ char *line = config_node_line(&old->nodes[i]);
                r = config_dynamic_parse(config, NODE_FROM_STORE, line, &nodes, &n, fail);
                if (r >= 0)
                        r = config_join(config, nodes, n, false, fail);
                end_nodes(nodes, n);
        }
        return r;
}
