/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that slurm.conf does not have: registered by slumberd -Z or created by scontrol. Each is
 * read from a NodeName line by slurm.conf's parser; config_node_line() makes the text kept in the
 * store. config_join() adds the nodes to a configuration, at start and at run time. */
#include "lib/config/config_private.h"
#include "lib/printable.h"

#include <ctype.h>

#define NAME_MAX_BYTES 63 /* of a host name */

static const char *const wheres[NODE_FROM_MAX] = {
        [NODE_FROM_AGENT] = "--conf",
        [NODE_FROM_ADMIN] = "scontrol create",
        [NODE_FROM_STORE] = "a dynamic node",
};

#define BIT(from) (1u << NODE_FROM_##from)

/* Keys of NodeName lines that are refused here. */
static const struct {
        const char *key;
        unsigned from; /* bits */
        const char *why;
} not_taken[] = {
        { "NodeName", BIT(AGENT), "the name is what -N says, or the host's" },
        { "NodeHostname", BIT(AGENT), "it is the host's" },
        { "NodeAddr", BIT(AGENT), "it is where the agent's connection comes from" },
        { "Port", BIT(AGENT), "the agent says its port" },
        { "State", BIT(AGENT), "a node that registers is in service" },
        { "Reason", BIT(AGENT) | BIT(ADMIN) | BIT(STORE),
                        "scontrol update sets the reason of a node" },
};

struct asking {
        struct config *config;
        enum config_node_from from;
};

static int dynamic_key_check(const struct config_key *key, const char *value, void *user,
                struct fail *fail) {
        const struct asking *a = user;

        for (size_t i = 0; i < ELEMENTSOF(not_taken); i++)
                if (not_taken[i].from & (1u << a->from) && streq(not_taken[i].key, key->name))
                        return fail_set(fail, -EINVAL, "%s is not taken here: %s", key->name,
                                        not_taken[i].why);
        if (key->use != USE_GUARDS || !a->config || config_key_is_default(key, value) ||
                        config_accepts_missing(a->config, key->name))
                return 0;
        return fail_set(fail, -EOPNOTSUPP,
                        "%s is not implemented: %s (accept_missing of slumber.yaml goes on without it)",
                        key->name, key->note);
}

bool config_has_node(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_nodes; i++)
                if (streq(config->nodes[i].name, name))
                        return true;
        return false;
}

int config_node_name_check(const char *name, struct fail *fail) {
        bool ok = isalnum((unsigned char)*name) && strlen(name) <= NAME_MAX_BYTES &&
                  !word_in(name, "ALL|DEFAULT|localhost");

        for (const char *p = name; *p && ok; p++)
                ok = isalnum((unsigned char)*p) || strchr("-._", *p);
        if (ok)
                return 0;
        return fail_set(fail, -EINVAL,
                        "\"%.100s\" cannot be the name of a node: at most %d letters, digits, dots, hyphens and underscores were expected, "
                        "the first a letter or digit",
                        name, NAME_MAX_BYTES);
}

static int dynamic_state_check(enum config_node_from from, const struct config_node *node,
                struct fail *fail) {
        if (from != NODE_FROM_ADMIN || word_in(strempty(node->state), "CLOUD|FUTURE"))
                return 0;
        return fail_set(fail, -EINVAL, "State=%s: CLOUD or FUTURE was expected",
                        strempty(node->state));
}

static int dynamic_nodes_check(enum config_node_from from, const struct config_node *nodes,
                size_t n, struct fail *fail) {
        int r = dynamic_state_check(from, &nodes[0], fail);

        for (size_t i = 0; i < n && r >= 0 && from != NODE_FROM_AGENT; i++)
                r = nodes[i].name ? config_node_name_check(nodes[i].name, fail)
                                  : fail_set(fail, -EINVAL, "NodeName is missing");
        return r < 0 ? fail_prefix(fail, r, "%s", wheres[from]) : r;
}

int config_dynamic_parse(struct config *config, enum config_node_from from, const char *line,
                struct config_node **ret, size_t *ret_n, struct fail *fail) {
        struct asking asking = { config, from };
        struct config_lone_check check = { dynamic_key_check, &asking };
        struct config_node *nodes = NULL;
        size_t n = 0;

        if (strlen(line) > CONFIG_NODE_LINE_MAX)
                return fail_set(fail, -E2BIG, "%s: more than %d bytes", wheres[from],
                                CONFIG_NODE_LINE_MAX);
        if (has_control(line) || strchr(line, '\\'))
                return fail_set(fail, -EINVAL, "%s: has a control character or a backslash",
                                wheres[from]);
        int r = config_lone_nodes(wheres[from], line, &check, config ? config->slurmd_port : 0,
                        &nodes, &n, fail);
        if (r < 0)
                return r;
        r = dynamic_nodes_check(from, nodes, n, fail);
        if (r >= 0) {
                *ret = TAKE(nodes);
                *ret_n = n;
        }
        for (size_t i = 0; nodes && i < n; i++)
                config_node_done(&nodes[i]);
        free(nodes);
        return r;
}

char *config_node_line(const struct config_node *node) {
        const struct {
                const char *key, *value;
        } texts[] = {
                { "NodeHostname", node->hostname },
                { "NodeAddr", node->address },
                { "Feature", node->features },
                { "CpuSpecList", node->cpu_spec },
                { "Gres", node->gres },
                { "Topology", node->topology },
                { "State", node->state },
        };
        char *line = xasprintf(
                        "NodeName=%s Port=%u CPUs=%u Boards=%u SocketsPerBoard=%u CoresPerSocket=%u ThreadsPerCore=%u RealMemory=%llu "
                        "TmpDisk=%llu Weight=%u CoreSpecCount=%u MemSpecLimit=%llu",
                        node->name, node->port, node->cpus, node->boards, node->sockets,
                        node->cores, node->threads, (unsigned long long)node->real_memory,
                        (unsigned long long)node->tmp_disk, node->weight, node->core_spec,
                        (unsigned long long)node->mem_spec);

        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                if (isempty(texts[i].value))
                        continue;
                char *longer = xasprintf("%s %s=\"%s\"", line, texts[i].key, texts[i].value);
                free(line);
                line = longer;
        }
        if (node->suspend_time == TIME_UNSET)
                return line;
        char *longer = node->suspend_time == NO_LIMIT
                                       ? xasprintf("%s SuspendTime=INFINITE", line)
                                       : xasprintf("%s SuspendTime=%llu", line,
                                                         (unsigned long long)(node->suspend_time /
                                                                              USEC_PER_SEC));
        free(line);
        return longer;
}

/* ---- membership in sets and partitions ---- */

static const struct config_nodeset *find_set(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_nodesets; i++)
                if (streq(config->nodesets[i].name, name))
                        return &config->nodesets[i];
        return NULL;
}

/* Recursion ends: a set names only earlier sets. */
static bool set_takes_node(const struct config *config, const struct config_nodeset *set,
                const struct config_node *node) {
        return (set->feature && option_has(node->features, set->feature)) ||
               config_takes_node(config, set->nodes_text, node);
}

bool config_takes_node(const struct config *config, const char *text,
                const struct config_node *node) {
        _cleanup_(hostlist_freep) struct hostlist *words = NULL;

        if (isempty(text) || hostlist_parse(text, &words, NULL) < 0)
                return false;
        for (size_t i = 0; i < hostlist_count(words); i++) {
                const struct config_nodeset *set = find_set(config, hostlist_get(words, i));
                if (set ? set_takes_node(config, set, node)
                        : strcasecmp(hostlist_get(words, i), "ALL") == 0)
                        return true;
        }
        return false;
}

static void put_into_lists(struct config *config, const struct config_node *node) {
        for (size_t i = 0; i < config->n_nodesets; i++)
                if (set_takes_node(config, &config->nodesets[i], node))
                        hostlist_push(config->nodesets[i].nodes, node->name);
        for (size_t i = 0; i < config->n_partitions; i++)
                if (config_takes_node(config, config->partitions[i].nodes_text, node))
                        hostlist_push(config->partitions[i].nodes, node->name);
}

/* ---- joining and leaving ---- */

size_t config_node_limit(const struct config *config) {
        size_t named = 0;

        for (size_t i = 0; i < config->n_nodes; i++)
                named += !config->nodes[i].dynamic;
        return MIN(MAX(named, (size_t)config->max_node_count), (size_t)HOSTLIST_MAX);
}

static int check_join(const struct config *config, const struct config_node *nodes, size_t n,
                bool limit, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *names = hostlist_new();

        for (size_t i = 0; i < config->n_nodes; i++)
                hostlist_push(names, config->nodes[i].name);
        for (size_t i = 0; i < n; i++) {
                if (hostlist_has(names, nodes[i].name))
                        return fail_set(fail, -EEXIST, "node %s exists already", nodes[i].name);
                if (find_set(config, nodes[i].name))
                        return fail_set(fail, -EEXIST, "%s is the name of a NodeSet",
                                        nodes[i].name);
                int r = config_check_node_gres(config, &nodes[i], fail);
                if (r < 0)
                        return r;
                hostlist_push(names, nodes[i].name);
        }
        size_t most = limit ? config_node_limit(config) : HOSTLIST_MAX;
        if (config->n_nodes + n > most)
                return fail_set(fail, -ENOSPC, "there are %zu nodes, and MaxNodeCount is %zu",
                                config->n_nodes, most);
        return 0;
}

int config_join(struct config *config, struct config_node *nodes, size_t n, bool limit,
                struct fail *fail) {
        int r = check_join(config, nodes, n, limit, fail);

        if (r >= 0) /* at start, a node whose place is gone stays */
                r = config_topology_place(config, nodes, n, !limit, fail);
        if (r < 0)
                return r;
        config->nodes = xrenew(config->nodes, config->n_nodes + n);
        for (size_t i = 0; i < n; i++) {
                nodes[i].dynamic = true;
                put_into_lists(config, &nodes[i]);
                config->nodes[config->n_nodes++] = nodes[i];
                nodes[i] = (struct config_node){ 0 };
        }
        (void)config_watts(config, NULL); /* already checked with slumber.yaml */
        return 0;
}

static void drop_names(struct hostlist **list, const struct hostlist *names) {
        struct hostlist *rest = hostlist_new();

        for (size_t i = 0; i < hostlist_count(*list); i++)
                if (!hostlist_has(names, hostlist_get(*list, i)))
                        hostlist_push(rest, hostlist_get(*list, i));
        hostlist_free(*list);
        *list = rest;
}

void config_leave(struct config *config, const struct hostlist *names) {
        _cleanup_(hostlist_freep) struct hostlist *gone = hostlist_new();
        size_t kept = 0;

        for (size_t i = 0; i < config->n_nodes; i++) {
                struct config_node *node = &config->nodes[i];
                if (node->dynamic && hostlist_has(names, node->name)) {
                        hostlist_push(gone, node->name);
                        config_node_done(node);
                } else {
                        config->nodes[kept++] = *node;
                }
        }
        config->n_nodes = kept;
        for (size_t i = 0; i < config->n_nodesets; i++)
                drop_names(&config->nodesets[i].nodes, gone);
        for (size_t i = 0; i < config->n_partitions; i++)
                drop_names(&config->partitions[i].nodes, gone);
        (void)config_topology_place(config, NULL, 0, true, NULL); /* fewer nodes: cannot fail */
}
