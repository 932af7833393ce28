/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.yaml, or else topology.conf, in slurm.conf's folder; the topology of each partition, and
 * nodes with a place of their own. */
#include "lib/config/config_private.h"

/* ---- files ---- */

static int read_conf(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/topology.conf", dir);
        struct topology *t = NULL;

        if (!streq(config->topology_plugin, "topology/tree"))
                return 0;
        config_entry(config, path, 0, "topology.conf", path, USE_ACTS, NULL);
        int r = topology_read(path, &t, fail);
        if (r < 0)
                return fail_prefix(fail, r, "TopologyPlugin");
        config->topologies = topologies_new();
        topologies_push(config->topologies, t);
        return 0;
}

/* Notes unsupported kinds as guards, like the equivalent value of TopologyPlugin. */
static void note_kinds(struct config *config, const char *path) {
        for (size_t i = 0; i < config->topologies->n; i++) {
                const struct topology *t = config->topologies->list[i];
                _cleanup_free_ char *key = t->missing ? xasprintf("TopologyPlugin=topology/%s",
                                                                        t->missing)
                                                      : NULL;
                if (key)
                        config_entry(config, path, t->line, key, t->name, USE_GUARDS,
                                        "jobs would be placed as if all nodes were equally near");
                if (t->by_name)
                        config_warn(config, path, t->line,
                                        "alpha_step_rank is not used by Slumber: the nodes of a step are in the order of slurm.conf");
                for (size_t k = 0; k < t->n; k++)
                        if (t->list[k].both)
                                config_warn(config, path, t->list[k].line,
                                                "switch %s: children are ignored beside nodes",
                                                t->list[k].name);
        }
}

static int read_yaml(struct config *config, const char *path, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        if (r >= 0)
                r = topologies_parse(path, text, size, &config->topologies, fail);
        if (r >= 0)
                note_kinds(config, path);
        return r;
}

static int topology_check_partitions(struct config *config, struct fail *fail) {
        for (size_t i = 0; i < config->n_partitions; i++) {
                const struct config_partition *p = &config->partitions[i];
                bool there = isempty(p->topology) ||
                             topologies_find(config->topologies, p->topology) ||
                             (!config->topologies && streq(p->topology, TOPOLOGY_USUAL));
                if (there)
                        continue;
                _cleanup_free_ char *say = xasprintf("PartitionName=%s", p->name),
                                    *place = config_place(config, say);
                return fail_set(fail, -EINVAL,
                                "%s: PartitionName=%s: Topology=%.100s: there is no topology of that name",
                                place, p->name, p->topology);
        }
        return 0;
}

/* Checks Topology= of NodeName lines; a fault names the line. */
static int topology_check_nodes(struct config *config, struct fail *fail) {
        struct fail why = { 0 };
        int r = config_topology_place(config, NULL, 0, false, &why);

        if (r >= 0)
                return 0;
        _cleanup_free_ char *name = xstrndup(why.text + strlen("node "),
                                            strcspn(why.text + strlen("node "), ":")),
                            *say = xasprintf("NodeName=%s", name),
                            *place = config_place(config, say);
        return fail_set(fail, r, "%s: %s", place, why.text);
}

int config_topology_read(struct config *config, const char *dir, struct fail *fail) {
        _cleanup_free_ char *path = xasprintf("%s/topology.yaml", dir);
        bool yaml = path_is_there(path);

        if (yaml)
                config_entry(config, path, 0, "topology.yaml", path, USE_ACTS, NULL);
        int r = yaml ? read_yaml(config, path, fail) : read_conf(config, dir, fail);
        if (r >= 0)
                r = topology_check_partitions(config, fail);
        return r < 0 ? r : topology_check_nodes(config, fail);
}

/* ---- nodes ---- */

const struct topologies *config_topologies(const struct config *config) {
        return config->placed ? config->placed : config->topologies;
}

static void topology_add_places(struct topology_place *places, size_t *n,
                const struct config_node *nodes, size_t n_nodes) {
        for (size_t i = 0; i < n_nodes; i++)
                if (nodes[i].moved_to || !isempty(nodes[i].topology))
                        places[(*n)++] = (struct topology_place){ nodes[i].name,
                                nodes[i].moved_to ? nodes[i].moved_to : nodes[i].topology };
}

int config_topology_place(struct config *config, const struct config_node *more, size_t n,
                bool skip, struct fail *fail) {
        _cleanup_free_ struct topology_place *places = xnew(struct topology_place,
                        config->n_nodes + n + 1);
        _cleanup_(topologies_freep) struct topologies *flat = topologies_new();
        struct topologies *placed = NULL;
        struct fail why = { 0 };
        size_t n_places = 0;
        int r = 0;

        topology_add_places(places, &n_places, config->nodes, config->n_nodes);
        topology_add_places(places, &n_places, more, n);
        if (n_places)
                r = topologies_place(config->topologies ? config->topologies : flat, places,
                                n_places, skip, &placed, &why);
        if (r < 0 && !skip)
                return fail_set(fail, r, "%s", why.text);
        if (r < 0)
                config_warn(config, config->path, 0, "%s", why.text);
        topologies_free(config->placed);
        config->placed = placed;
        return 0;
}

/* ---- warnings ---- */

static int topology_by_name(const void *a, const void *b) {
        return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Warns of unknown nodes and of the number of nodes on no switch, as Slurm. */
static void warn_of_tree(struct config *config, const struct topology *t, const char **names,
                const char *file) {
        size_t known = 0;

        for (size_t i = 0; i < t->n; i++)
                for (size_t k = 0; !t->list[i].switches && k < hostlist_count(t->list[i].nodes);
                                k++) {
                        const char *name = hostlist_get(t->list[i].nodes, k);
                        bool there = list_search(&name, names, config->n_nodes, sizeof *names,
                                        topology_by_name);
                        known += there;
                        if (!there && config->max_node_count <= config->n_nodes)
                                config_warn(config, file, t->list[i].line, "there is no node %s",
                                                name);
                }
        if (known == config->n_nodes)
                return;
        _cleanup_free_ char *of = streq(t->name, TOPOLOGY_USUAL)
                                                  ? xstrdup("")
                                                  : xasprintf(" of topology %s", t->name);
        config_warn(config, file, 0, "%zu nodes are on no switch%s", config->n_nodes - known, of);
}

void config_topology_warn(struct config *config) {
        const struct topologies *all = config_topologies(config);
        _cleanup_free_ const char **names = xnew(const char *, config->n_nodes + 1);
        bool yaml = config_entry_find(config, "topology.yaml") != NULL;

        if (!all)
                return;
        for (size_t i = 0; i < config->n_nodes; i++)
                names[i] = config->nodes[i].name;
        list_sort(names, config->n_nodes, sizeof *names, topology_by_name);
        for (size_t i = 0; i < all->n; i++)
                if (all->list[i]->n)
                        warn_of_tree(config, all->list[i], names,
                                        yaml ? "topology.yaml" : "topology.conf");
}
