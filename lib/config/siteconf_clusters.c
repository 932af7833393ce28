/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Key clusters of slumber.yaml: cooperating clusters, a mapping of names, each to a mapping of the
 * keys in cluster_fields[]. */
#include "lib/config/config_private.h"
#include "lib/timetext.h"

#include <arpa/inet.h>
#include <strings.h>

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

static void cluster_done(struct site_cluster *c) {
        free(c->name);
        free(c->key_file);
        texts_free(c->hosts, c->n_hosts);
        texts_free(c->users, c->n_users);
        texts_free(c->operators, c->n_operators);
}

static int cluster_read_host(struct ydoc *y, const struct ynode *n, void *to) {
        static const char expected[] = "the name of a host or a numeric address";
        struct site_cluster *c = to;
        const char *host = NULL;
        int e = ydoc_text(y, n, expected, &host);

        if (e >= 0 && !is_cluster_host(host))
                e = ydoc_wrong_value(y, n, expected);
        if (e < 0)
                return e;
        GROW(c->hosts, c->a_hosts, c->n_hosts);
        c->hosts[c->n_hosts++] = xstrdup(host);
        return 0;
}

/* Reads a word of there or here. */
static int cluster_read_right(struct ydoc *y, const struct ynode *n, void *to) {
        static const char expected[] = "show, submit, cancel, update or accounts";
        unsigned *set = ydoc_place(y, to);
        const char *word = NULL;
        int e = ydoc_text(y, n, expected, &word);

        if (e < 0)
                return e;
        for (size_t i = 0; i < ELEMENTSOF(rights); i++)
                if (streq(rights[i].word, word)) {
                        *set |= rights[i].right;
                        return 0;
                }
        return ydoc_wrong_value(y, n, expected);
}

static int cluster_name_add(struct ydoc *y, const struct ynode *n, char ***list, size_t *allocated,
                size_t *used) {
        const char *name = NULL;
        int e = ydoc_text(y, n, "a name", &name);

        if (e >= 0 && name[strcspn(name, " \t,:")])
                e = ydoc_wrong_value(y, n, "a name");
        if (e < 0)
                return e;
        GROW(*list, *allocated, *used);
        (*list)[(*used)++] = xstrdup(name);
        return 0;
}

static int cluster_read_user(struct ydoc *y, const struct ynode *n, void *to) {
        struct site_cluster *c = to;

        return cluster_name_add(y, n, &c->users, &c->a_users, &c->n_users);
}

static int cluster_read_users(struct ydoc *y, const struct ynode *n, void *to) {
        ((struct site_cluster *)to)->only_users = true;
        return ydoc_items(y, n, to);
}

static int cluster_read_operator(struct ydoc *y, const struct ynode *n, void *to) {
        struct site_cluster *c = to;

        return cluster_name_add(y, n, &c->operators, &c->a_operators, &c->n_operators);
}

static const struct ydoc_field cluster_fields[] = {
        { "hosts", ydoc_items, 0, "hosts", true, .min = 1, .max = SITE_HOSTS_MAX,
                        .item = cluster_read_host, .single = true },
        { "port", ydoc_number, offsetof(struct site_cluster, port), "a port from 1 to 65535",
                        .min = 1, .max = UINT16_MAX },
        { "key_file", ydoc_path, offsetof(struct site_cluster, key_file), .needed = true },
        { "there", ydoc_items, offsetof(struct site_cluster, there), "rights",
                        .max = CLUSTER_LIST_MAX, .item = cluster_read_right, .single = true },
        { "here", ydoc_items, offsetof(struct site_cluster, here), "rights",
                        .max = CLUSTER_LIST_MAX, .item = cluster_read_right, .single = true },
        { "users", cluster_read_users, 0, "users", .max = CLUSTER_LIST_MAX,
                        .item = cluster_read_user, .single = true },
        { "operators", ydoc_items, 0, "users", .max = CLUSTER_LIST_MAX,
                        .item = cluster_read_operator, .single = true },
};
static const struct ydoc_form cluster_form = { "a cluster", cluster_fields,
        ELEMENTSOF(cluster_fields) };

static bool is_cluster_name(const char *name) {
        size_t n = strlen(name);

        return n > 0 && n <= CLUSTER_NAME_MAX && strcasecmp(name, "all") != 0 &&
               strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                               n;
}

static int cluster_check_name(struct ydoc *y, const struct ynode *n,
                const struct site_config *config, const char **ret) {
        int e = ydoc_text(y, n, "the name of a cluster", ret);

        if (e < 0)
                return e;
        if (!is_cluster_name(*ret))
                return ydoc_wrong(y, n,
                                "clusters: \"%.100s\" is not the name of a cluster (1 to %d letters, digits, - and _; not all)",
                                *ret, CLUSTER_NAME_MAX);
        if (site_cluster_find(config, *ret))
                return ydoc_wrong(y, n, "clusters: %s stands twice", *ret);
        if (config->n_clusters >= SITE_CLUSTERS_MAX)
                return ydoc_wrong(y, n, "clusters: more than %d", SITE_CLUSTERS_MAX);
        return 0;
}

/* Adds a cluster, unless its name or map has a fault. */
static int cluster_add(struct ydoc *y, const struct ynode *const *pair,
                struct site_config *config) {
        const char *name = NULL;
        int e = cluster_check_name(y, pair[0], config, &name);

        if (e < 0)
                return e;
        struct site_cluster c = { .name = xstrdup(name),
                .port = CLUSTER_PORT,
                .line = pair[0]->line,
                .column = pair[0]->column };
        _cleanup_free_ char *within = xasprintf("clusters: %s", name);
        y->within = within; /* cppcheck-suppress autoVariables */
        y->field = NULL;
        e = ydoc_map(y, pair[1], &cluster_form, &c);
        y->within = NULL;
        if (e < 0) {
                cluster_done(&c);
                return e;
        }
        GROW(config->clusters, config->a_clusters, config->n_clusters);
        config->clusters[config->n_clusters++] = c;
        return 0;
}

int site_read_clusters(struct ydoc *y, const struct ynode *n, void *to) {
        const struct ydoc_field *field = y->field;
        int failed = 0;

        if (n->type != YNODE_MAP)
                return ydoc_wrong(y, n, "clusters: a mapping of the names of clusters is expected");
        for (size_t i = 0; i < n->n; i += 2) {
                int e = cluster_add(y, &n->items[i], to);
                y->field = field;
                if (!ydoc_continues(y, e, &failed))
                        break;
        }
        return failed;
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
                        return fail_prefix(fail, r,
                                        "%s/slumber.yaml line %u column %u: clusters: %s",
                                        strempty(dir), c->line, c->column, c->name);
        }
        return 0;
}
