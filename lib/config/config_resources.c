/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml, checked against slurm.conf. */
#include "lib/config/config_private.h"
#include "lib/countlist.h"

struct known {
        const char *name;
        size_t at;
};

struct names {
        struct known *nodes; /* sorted by name */
        size_t n;
        struct countlist *licenses;
};

static int known_by_name(const void *a, const void *b) {
        const struct known *x = a, *y = b;

        return strcmp(x->name, y->name);
}

static size_t resources_find_node(const char *name, const void *user) {
        const struct names *names = user;
        const struct known key = { .name = name };
        const struct known *found = list_search(&key, names->nodes, names->n, sizeof key,
                        known_by_name);

        return found ? found->at : SIZE_MAX;
}

static bool resources_is_license(const char *name, const void *user) {
        const struct names *names = user;

        for (size_t i = 0; names->licenses && i < names->licenses->n; i++)
                if (streq(names->licenses->list[i].name, name))
                        return true;
        return false;
}

/* Refuses dynamic nodes: layers are sets of the nodes in slurm.conf. */
static int resources_check_dynamic(const struct config *config, const char *path,
                struct fail *fail) {
        if (config->max_node_count <= config->n_nodes)
                return 0;
        return fail_set(fail, -EOPNOTSUPP,
                        "%s: hierarchical resources do not go with dynamic nodes: MaxNodeCount=%u, but %zu nodes are named; no more than these were expected",
                        path, config->max_node_count, config->n_nodes);
}

int config_resources(struct config *config, const char *path, const char *text, size_t size,
                struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *licenses = NULL;
        struct names names = { .n = config->n_nodes };

        if (!isempty(config->licenses))
                (void)countlist_parse(config->licenses, false, &licenses, NULL); /* checked */
        names.licenses = licenses;
        names.nodes = xnew(struct known, config->n_nodes + 1);
        for (size_t i = 0; i < config->n_nodes; i++)
                names.nodes[i] = (struct known){ config->nodes[i].name, i };
        list_sort(names.nodes, names.n, sizeof names.nodes[0], known_by_name);
        const struct resource_names known = { .n_nodes = config->n_nodes,
                .node = resources_find_node,
                .license = resources_is_license,
                .user = &names };
        int r = resources_parse(path, text, size, &known, &config->resources, fail);
        free(names.nodes);
        return r >= 0 && config->resources ? resources_check_dynamic(config, path, fail) : r;
}
