/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Key clusters of slumber.yaml: cooperating clusters, a mapping of names, each to a mapping of the
 * keys in cluster_keys[]. */
#include "lib/config/config_private.h"
#include "lib/timetext.h"

#include <arpa/inet.h>
#include <strings.h>
#include <yaml.h>

#define CLUSTER_PORT     6817
#define CLUSTER_NAME_MAX 40 /* bytes, as Slurm's ClusterName */
#define CLUSTER_LIST_MAX 1000
#define HOST_NAME_LENGTH 253 /* bytes, DNS limit */

static const struct {
        const char *word, *doing;
        enum cluster_right right;
} rights[] = {
        { "show", "show", CLUSTER_SHOW },
        { "submit", "submit", CLUSTER_SUBMIT },
        { "cancel", "cancel", CLUSTER_CANCEL },
        { "update", "update", CLUSTER_UPDATE },
        { "accounts", "change accounts", CLUSTER_ACCOUNTS },
};

const char *cluster_right_word(enum cluster_right right) {
        for (size_t i = 0; i < ELEMENTSOF(rights); i++)
                if (rights[i].right == right)
                        return rights[i].word;
        return "";
}

const char *cluster_right_doing(enum cluster_right right) {
        for (size_t i = 0; i < ELEMENTSOF(rights); i++)
                if (rights[i].right == right)
                        return rights[i].doing;
        return "";
}

const struct site_cluster *site_cluster_find(const struct site_config *site, const char *name) {
        for (size_t i = 0; i < site->n_clusters; i++)
                if (strcasecmp(site->clusters[i].name, name) == 0)
                        return &site->clusters[i];
        return NULL;
}

static int cluster_name_add(char ***list, size_t *allocated, size_t *n, const char *name,
                struct fail *fail) {
        if (!*name || name[strcspn(name, " \t,:")])
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a name", name);
        if (*n >= CLUSTER_LIST_MAX)
                return fail_set(fail, -E2BIG, "more than %d names", CLUSTER_LIST_MAX);
        GROW(*list, *allocated, *n);
        (*list)[(*n)++] = xstrdup(name);
        return 0;
}

/* "10.0.0.256" is not a host. */
static bool is_cluster_host(const char *text) {
        struct in6_addr number;
        size_t n = strlen(text);

        if (inet_pton(AF_INET, text, &number) == 1 || inet_pton(AF_INET6, text, &number) == 1)
                return true;
        return n > 0 && n <= HOST_NAME_LENGTH && *text != '-' && *text != '.' &&
               strspn(text, "0123456789.") < n &&
               strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
                               n;
}

static int add_host(struct site_cluster *c, const char *host, struct fail *fail) {
        if (!is_cluster_host(host))
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is neither the name of a host nor a numeric address",
                                host);
        if (c->n_hosts >= SITE_HOSTS_MAX)
                return fail_set(fail, -E2BIG, "more than %d hosts", SITE_HOSTS_MAX);
        GROW(c->hosts, c->a_hosts, c->n_hosts);
        c->hosts[c->n_hosts++] = xstrdup(host);
        return 0;
}

static int set_port(struct site_cluster *c, const char *text, struct fail *fail) {
        uint64_t v;

        if (uint_parse(text, 1, UINT16_MAX, &v) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a port from 1 to 65535", text);
        c->port = (uint16_t)v;
        return 0;
}

static int set_key_file(struct site_cluster *c, const char *path, struct fail *fail) {
        if (*path != '/')
                return fail_set(fail, -EINVAL, "\"%.100s\" is not an absolute path", path);
        c->key_file = xstrdup(path);
        return 0;
}

static int add_right(unsigned *set, const char *word, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(rights); i++)
                if (streq(rights[i].word, word)) {
                        *set |= rights[i].right;
                        return 0;
                }
        return fail_set(fail, -EINVAL, "\"%.100s\" is not show, submit, cancel, update or accounts",
                        word);
}

static int add_there(struct site_cluster *c, const char *word, struct fail *fail) {
        return add_right(&c->there, word, fail);
}

static int add_here(struct site_cluster *c, const char *word, struct fail *fail) {
        return add_right(&c->here, word, fail);
}

static int cluster_user_add(struct site_cluster *c, const char *name, struct fail *fail) {
        return cluster_name_add(&c->users, &c->a_users, &c->n_users, name, fail);
}

static int add_operator(struct site_cluster *c, const char *name, struct fail *fail) {
        return cluster_name_add(&c->operators, &c->a_operators, &c->n_operators, name, fail);
}

static const struct cluster_key_row {
        const char *name;
        bool list; /* several values, or one */
        int (*set)(struct site_cluster *c, const char *value, struct fail *fail);
} cluster_keys[] = {
        { "hosts", true, add_host },
        { "port", false, set_port },
        { "key_file", false, set_key_file },
        { "there", true, add_there },
        { "here", true, add_here },
        { "users", true, cluster_user_add },
        { "operators", true, add_operator },
};

/* Returns the cluster being read. */
static struct site_cluster *cluster_last(const struct clusters_reader *r) {
        return &r->config->clusters[r->config->n_clusters - 1];
}

static bool is_cluster_name(const char *name) {
        size_t n = strlen(name);

        return n > 0 && n <= CLUSTER_NAME_MAX && strcasecmp(name, "all") != 0 &&
               strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                               n;
}

static int begin_cluster(struct clusters_reader *r, const char *name, size_t line,
                struct fail *fail) {
        struct site_config *config = r->config;

        if (!is_cluster_name(name))
                return fail_set(fail, -EINVAL,
                                "clusters: \"%.100s\" is not the name of a cluster (1 to %d letters, digits, - and _; not all)",
                                name, CLUSTER_NAME_MAX);
        if (site_cluster_find(config, name))
                return fail_set(fail, -EEXIST, "clusters: %s stands twice", name);
        if (config->n_clusters >= SITE_CLUSTERS_MAX)
                return fail_set(fail, -E2BIG, "clusters: more than %d", SITE_CLUSTERS_MAX);
        GROW(config->clusters, config->a_clusters, config->n_clusters);
        config->clusters[config->n_clusters++] = (struct site_cluster){
                .name = xstrdup(name),
                .port = CLUSTER_PORT,
                .line = line,
        };
        r->seen = 0;
        r->key = -1;
        r->named = true;
        r->unfinished = true;
        return 0;
}

static int begin_key(struct clusters_reader *r, const char *name, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(cluster_keys); i++) {
                if (!streq(cluster_keys[i].name, name))
                        continue;
                if (r->seen & 1u << i)
                        return fail_set(fail, -EEXIST, "clusters: %s: %s stands twice",
                                        cluster_last(r)->name, name);
                r->seen |= 1u << i;
                r->key = (int)i;
                cluster_last(r)->only_users |= cluster_keys[i].set == cluster_user_add;
                return 0;
        }
        return fail_set(fail, -EINVAL,
                        "clusters: %s: %.100s is not a key of a cluster (hosts, port, key_file, there, here, users, operators)",
                        cluster_last(r)->name, name);
}

static int cluster_take_value(struct clusters_reader *r, const char *value, struct fail *fail) {
        const struct cluster_key_row *row = &cluster_keys[r->key];
        int e = row->set(cluster_last(r), value, fail);

        if (!r->list)
                r->key = -1;
        return e < 0 ? fail_prefix(fail, e, "clusters: %s: %s", cluster_last(r)->name, row->name)
                     : 0;
}

static int take_scalar(struct clusters_reader *r, const yaml_event_t *event, struct fail *fail) {
        const char *text = (const char *)event->data.scalar.value;

        if (event->data.scalar.anchor)
                return fail_set(fail, -EINVAL, "anchors are not allowed");
        if (strlen(text) != event->data.scalar.length)
                return fail_set(fail, -EINVAL, "a value has a zero byte");
        if (r->named)
                return fail_set(fail, -EINVAL, "clusters: %s: a mapping is expected",
                                cluster_last(r)->name);
        if (r->depth == 1)
                return begin_cluster(r, text, event->start_mark.line + 1, fail);
        return r->key >= 0 ? cluster_take_value(r, text, fail) : begin_key(r, text, fail);
}

static int end_cluster(struct clusters_reader *r, struct fail *fail) {
        const struct site_cluster *c = cluster_last(r);

        if (!c->n_hosts)
                return fail_set(fail, -EINVAL, "clusters: %s: hosts is missing", c->name);
        if (!c->key_file)
                return fail_set(fail, -EINVAL, "clusters: %s: key_file is missing", c->name);
        r->unfinished = false;
        return 0;
}

static int cluster_mapping_begin(struct clusters_reader *r, const yaml_event_t *event,
                struct fail *fail) {
        if (event->data.mapping_start.anchor)
                return fail_set(fail, -EINVAL, "anchors are not allowed");
        if (r->depth > 0 && !r->named)
                return fail_set(fail, -EINVAL, "clusters: a mapping is not allowed here");
        r->named = false;
        r->depth++;
        return 0;
}

static int begin_list(struct clusters_reader *r, const yaml_event_t *event, struct fail *fail) {
        if (event->data.sequence_start.anchor)
                return fail_set(fail, -EINVAL, "anchors are not allowed");
        if (r->depth != 2 || r->list || r->key < 0 || !cluster_keys[r->key].list)
                return fail_set(fail, -EINVAL, "clusters: a list is not allowed here");
        r->list = true;
        r->depth++;
        return 0;
}

static int cluster_list_end(struct clusters_reader *r) {
        r->list = false;
        r->key = -1;
        r->depth--;
        return 0;
}

int clusters_read(struct clusters_reader *r, const yaml_event_t *event, struct fail *fail) {
        if (event->type == YAML_SCALAR_EVENT)
                return take_scalar(r, event, fail);
        if (event->type == YAML_MAPPING_START_EVENT)
                return cluster_mapping_begin(r, event, fail);
        if (event->type == YAML_MAPPING_END_EVENT)
                return --r->depth == 1 ? end_cluster(r, fail) : 0;
        if (event->type == YAML_SEQUENCE_START_EVENT)
                return begin_list(r, event, fail);
        if (event->type == YAML_SEQUENCE_END_EVENT)
                return cluster_list_end(r);
        return fail_set(fail, -EINVAL, "aliases are not allowed");
}

static void cluster_names_free(char **names, size_t n) {
        for (size_t i = 0; i < n; i++)
                free(names[i]);
        free(names);
}

static void cluster_done(struct site_cluster *c) {
        free(c->name);
        free(c->key_file);
        cluster_names_free(c->hosts, c->n_hosts);
        cluster_names_free(c->users, c->n_users);
        cluster_names_free(c->operators, c->n_operators);
}

void clusters_end(struct clusters_reader *r) {
        if (!r->unfinished)
                return;
        cluster_done(cluster_last(r));
        r->config->n_clusters--;
        r->unfinished = false;
}

void site_clusters_done(struct site_config *site) {
        for (size_t i = 0; i < site->n_clusters; i++)
                cluster_done(&site->clusters[i]);
        free(site->clusters);
}

static int site_cluster_check(const struct config *config, size_t at, struct fail *fail) {
        const struct site_cluster *c = &config->site.clusters[at];

        if (config->cluster_name && strcasecmp(c->name, config->cluster_name) == 0)
                return fail_set(fail, -EINVAL, "it is this cluster's own ClusterName");
        if (streq(c->key_file, strempty(config->site.key_file)))
                return fail_set(fail, -EINVAL,
                                "its key_file is this cluster's own, with which every node of one may act as any user of the other");
        for (size_t i = 0; i < at; i++)
                if (streq(config->site.clusters[i].key_file, c->key_file))
                        return fail_set(fail, -EINVAL,
                                        "its key_file is that of %s, which could act as this one",
                                        config->site.clusters[i].name);
        return 0;
}

int config_clusters(struct config *config, struct fail *fail) {
        _cleanup_free_ char *dir = config->path ? config_folder(config->path) : NULL;

        for (size_t i = 0; i < config->site.n_clusters; i++) {
                const struct site_cluster *c = &config->site.clusters[i];
                int r = site_cluster_check(config, i, fail);

                if (r < 0)
                        return fail_prefix(fail, r, "%s/slumber.yaml line %zu: clusters: %s",
                                        strempty(dir), c->line, c->name);
        }
        return 0;
}
