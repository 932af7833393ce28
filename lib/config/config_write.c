/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of the configuration in force: entries of slurm.conf and included files as written, with
 * later changes in place; then nodes, sets and partitions in their current state. config_read() of
 * the text gives an equal configuration. */
#include "lib/config/config_private.h"

#define LINE_NODES 1000 /* per NodeName line: other readers have limits */
#define SECRETS    "AccountingStoragePass|JobCompPass"

static void config_put_number(FILE *out, const char *key, uint64_t value, uint64_t usual) {
        if (value != usual)
                fprintf(out, " %s=%llu", key, (unsigned long long)value);
}

static void config_put_text(FILE *out, const char *key, const char *value) {
        if (!isempty(value))
                config_put_word(out, false, key, value);
}

/* ---- global keys ---- */

/* Returns the changed setting; NULL: unchanged. */
static const struct config_setting *setting_changed(const struct config_now *now, const char *key) {
        for (size_t i = 0; i < now->n_settings; i++)
                if (streq(now->settings[i].key, key))
                        return &now->settings[i];
        return NULL;
}

static void config_put_setting_line(FILE *out, const char *key, const char *value) {
        config_put_word(out, true, key, value);
        fputc('\n', out);
}

/* Entries of global keys, without the many of nodes and partitions. */
struct said {
        const struct config_entry **list;
        size_t n;
};

static struct said said_of(const struct config *config) {
        struct said said = { xnew(const struct config_entry *, config->n_entries + 1), 0 };

        for (size_t i = 0; i < config->n_entries; i++) {
                const struct config_entry *e = &config->entries[i];
                if (!config_line_kind(e->key))
                        said.list[said.n++] = e;
        }
        return said;
}

/* Returns the last entry of key; NULL: not set. */
static const struct config_entry *said_find(const struct said *said, const char *key) {
        for (size_t i = said->n; i-- > 0;)
                if (strcasecmp(said->list[i]->key, key) == 0)
                        return said->list[i];
        return NULL;
}

/* Writes the value as in the files: the last one, or all for list keys. */
static void put_entries(FILE *out, const struct said *said, const struct config_key *key) {
        bool all = key->type == KEY_PATHS || key->type == KEY_HOST;
        const struct config_entry *last = said_find(said, key->name);

        for (size_t i = 0; last && i < said->n; i++)
                if (strcasecmp(said->list[i]->key, key->name) == 0 &&
                                (all || said->list[i] == last))
                        config_put_setting_line(out, key->name, said->list[i]->value);
}

static void config_put_key(FILE *out, const struct said *said, const struct config_now *now,
                const struct config_key *key) {
        const struct config_setting *to = setting_changed(now, key->name);

        if (!now->secrets && word_in(key->name, SECRETS)) {
                if (said_find(said, key->name))
                        fprintf(out, "# %s is for administrators\n", key->name);
        } else if (!to) {
                put_entries(out, said, key);
        } else if (to->value &&
                        (said_find(said, key->name) || !config_key_is_default(key, to->value))) {
                config_put_setting_line(out, key->name, to->value);
        }
}

/* ---- nodes ---- */

/* True if both hosts equal their own names, or both are one host. */
static bool same_host(const char *own_a, const char *a, const char *own_b, const char *b) {
        bool own = streq(strempty(a), strempty(own_a));

        return own == streq(strempty(b), strempty(own_b)) &&
               (own || streq(strempty(a), strempty(b)));
}

/* True if both nodes can share a line. */
static bool same_line(const struct config_node *a, const struct config_node *b) {
        return a->dynamic == b->dynamic && a->port == b->port && a->cpus == b->cpus &&
               a->boards == b->boards && a->sockets == b->sockets && a->cores == b->cores &&
               a->threads == b->threads && a->real_memory == b->real_memory &&
               a->tmp_disk == b->tmp_disk && a->weight == b->weight &&
               a->core_spec == b->core_spec && a->mem_spec == b->mem_spec &&
               texts_equal(a->cpu_spec, b->cpu_spec) && texts_equal(a->features, b->features) &&
               texts_equal(a->gres, b->gres) && texts_equal(a->state, b->state) &&
               texts_equal(a->reason, b->reason) && texts_equal(a->topology, b->topology) &&
               same_host(a->name, a->hostname, b->name, b->hostname) &&
               same_host(a->hostname, a->address, b->hostname, b->address);
}

static void put_node_line(FILE *out, const struct config *config, const struct config_node *node,
                const char *names) {
        fputs(node->dynamic ? "# " : "", out);
        config_put_word(out, true, "NodeName", names);
        if (!texts_equal(node->hostname, node->name))
                config_put_text(out, "NodeHostname", node->hostname);
        if (!texts_equal(node->address, node->hostname))
                config_put_text(out, "NodeAddr", node->address);
        config_put_number(out, "Port", node->port, config->slurmd_port);
        fprintf(out, " CPUs=%u", node->cpus);
        config_put_number(out, "Boards", node->boards, 1);
        fprintf(out, " %s=%u CoresPerSocket=%u ThreadsPerCore=%u RealMemory=%llu",
                        node->boards > 1 ? "SocketsPerBoard" : "Sockets", node->sockets,
                        node->cores, node->threads, (unsigned long long)node->real_memory);
        config_put_number(out, "TmpDisk", node->tmp_disk, 0);
        config_put_number(out, "Weight", node->weight, 1);
        config_put_number(out, "CoreSpecCount", node->core_spec, 0);
        config_put_text(out, "CpuSpecList", node->cpu_spec);
        config_put_number(out, "MemSpecLimit", node->mem_spec, 0);
        config_put_text(out, "Feature", node->features);
        config_put_text(out, "Gres", node->gres);
        config_put_text(out, "Topology", node->topology);
        if (!texts_equal(node->state, "UNKNOWN"))
                config_put_text(out, "State", node->state);
        config_put_text(out, "Reason", node->reason);
        fputc('\n', out);
}

/* Writes one line per run of consecutive equal nodes. */
static void put_nodes(FILE *out, const struct config *config, const struct config_node *nodes,
                bool dynamic) {
        for (size_t i = 0, end; i < config->n_nodes; i = end) {
                end = i + 1;
                if (nodes[i].dynamic != dynamic)
                        continue;
                _cleanup_(hostlist_freep) struct hostlist *names = hostlist_new();
                hostlist_push(names, nodes[i].name);
                for (; end < config->n_nodes && end - i < LINE_NODES &&
                                same_line(&nodes[i], &nodes[end]);
                                end++)
                        hostlist_push(names, nodes[end].name);
                _cleanup_free_ char *text = hostlist_text(names);
                put_node_line(out, config, &nodes[i], text);
        }
}

static void put_all_nodes(FILE *out, const struct config *config, const struct config_node *nodes) {
        bool dynamic = false;

        fputc('\n', out);
        put_nodes(out, config, nodes, false);
        for (size_t i = 0; i < config->n_nodes; i++)
                dynamic |= nodes[i].dynamic;
        if (!dynamic)
                return;
        fputs("\n# Dynamic nodes, which the controller's state has:\n", out);
        put_nodes(out, config, nodes, true);
}

static void put_sets(FILE *out, const struct config *config) {
        for (size_t i = 0; i < config->n_nodesets; i++) {
                const struct config_nodeset *set = &config->nodesets[i];
                config_put_word(out, true, "NodeSet", set->name);
                config_put_text(out, "Nodes", set->nodes_text);
                config_put_text(out, "Feature", set->feature);
                fputc('\n', out);
        }
}

static void put_actions(FILE *out, const struct config *config) {
        for (size_t i = 0; i < config->n_actions; i++) {
                const struct config_action *a = &config->actions[i];
                config_put_word(out, true, "PowerAction", a->name);
                config_put_word(out, false, "Location", a->on_nodes ? "slurmd" : "slurmctld");
                config_put_word(out, false, "Program", a->program);
                fputc('\n', out);
        }
}

char *config_write(const struct config *config, const struct config_now *now) {
        size_t n_keys, size;
        const struct config_key *keys = config_keys(&n_keys);
        struct said said = said_of(config);
        char *text = NULL;
        FILE *out = memstream_open(&text, &size);

        fprintf(out, "# %s\n", now->heading);
        for (size_t i = 0; i < n_keys; i++) /* JobDefaults is also a key of partitions */
                if (keys[i].type != KEY_SHOWN && !streq(keys[i].name, "JobDefaults"))
                        config_put_key(out, &said, now, &keys[i]);
        free(said.list);
        put_all_nodes(out, config, now->nodes);
        put_sets(out, config);
        put_actions(out, config);
        fputc('\n', out);
        for (size_t i = 0; i < now->n_partitions; i++)
                config_put_partition(out, &now->partitions[i]);
        memstream_close(out);
        return text;
}
