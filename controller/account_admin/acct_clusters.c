/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr add, modify, delete cluster: other clusters whose associations are stored here.  Their
 * associations are only shown, dumped and changed, and have no effect here.  Clusters of
 * slumber.yaml have their own accounts. */
#include "controller/account_admin/acct_change_private.h"

bool acct_knows_cluster(const struct cluster *c, const char *name) {
        return strcasecmp(name, c->config->cluster_name) == 0 ||
               acct_cluster_find(&c->acct, name) || site_cluster_find(&c->config->site, name);
}

static bool cluster_is_own(const struct change *ch, const char *name) {
        return strcasecmp(name, ch->c->config->cluster_name) == 0;
}

/* The first cluster named by the change that is only in slumber.yaml; NULL: none. */
static const char *far_cluster(const struct change *ch) {
        for (size_t i = 0; i < ch->filter.names.n; i++) {
                const char *name = ch->filter.names.list[i];
                if (!cluster_is_own(ch, name) && !acct_cluster_find(ch->a, name) &&
                                site_cluster_find(&ch->c->config->site, name))
                        return name;
        }
        return NULL;
}

static void print_limits(const struct change *ch) {
        if (ch->n_settings == 0)
                return;
        fputs(" Setting\n  Default Limits:\n", ch->out);
        print_assoc_settings(ch, NULL);
}

/* ---- add ---- */

static int cluster_name_check(const struct change *ch, const char *name) {
        if (strlen(name) > ACCT_CLUSTER_NAME_MAX)
                return fail_set(ch->fail, -EINVAL, "\"%.100s\" is longer than %u bytes", name,
                                (unsigned)ACCT_CLUSTER_NAME_MAX);
        return name_check(ch, "a cluster", name);
}

static void make_cluster(struct change *ch, const char *name) {
        struct acct_cluster *k = acct_cluster_add(ch->a, name);

        acct_cluster_fill(ch->a, k);
        acct_enter(ch->a, k);
        int r = settings_apply(ch, ACCT_ASSOC, ch->a->root);
        assert(r >= 0);
        for (size_t i = 0; i < ch->a->n_assocs; i++)
                touch_assoc(ch, ch->a->assocs[i], false);
        acct_enter(ch->a, NULL);
}

static int add_one_cluster(struct change *ch, const char *name, struct names *new) {
        int r = cluster_name_check(ch, name);

        if (r < 0 || names_says(new, name))
                return r;
        if (acct_knows_cluster(ch->c, name)) {
                fprintf(ch->out, " This cluster %s already exists.  Not adding.\n", name);
                return 0;
        }
        if (ch->a->n_clusters + (ch->commit ? 0 : new->n) >= ACCT_CLUSTERS_MAX)
                return fail_set(ch->fail, -E2BIG, "there are %u clusters: no other can be added",
                                (unsigned)ACCT_CLUSTERS_MAX);
        names_add(new, name);
        if (ch->commit)
                make_cluster(ch, name);
        return 0;
}

int acct_add_clusters(struct change *ch) {
        struct names new = { 0 };
        int r = settings_check_root(ch);

        if (r >= 0)
                r = may_change(ch, ADMIN_ADMINISTRATOR);
        for (size_t i = 0; i < ch->filter.names.n && r >= 0; i++) {
                _cleanup_free_ char *name = name_small(ch->filter.names.list[i]);
                r = add_one_cluster(ch, name, &new);
        }
        if (r >= 0 && new.n) {
                fputs(" Adding Cluster(s)\n", ch->out);
                for (size_t i = 0; i < new.n; i++)
                        fprintf(ch->out, "  Name           = %s\n", new.list[i]);
                print_limits(ch);
        }
        r = r >= 0 && new.n == 0 ? 1 : r;
        names_done(&new);
        return r;
}

/* ---- modify: the root associations ---- */

static int modify_root(struct change *ch, bool *first) {
        int r = settings_check_root(ch);

        if (r >= 0)
                r = may_change(ch, ADMIN_ADMINISTRATOR);
        if (r < 0)
                return r;
        fputs(*first ? " Modified cluster defaults for associations...\n" : "", ch->out);
        *first = false;
        fprintf(ch->out, "  C = %-10s A = root\n", change_cluster(ch));
        if (!ch->commit)
                return 0;
        r = settings_apply(ch, ACCT_ASSOC, ch->a->root);
        assert(r >= 0);
        touch_assoc(ch, ch->a->root, false);
        return 0;
}

int acct_modify_clusters(struct change *ch) {
        const char *other = far_cluster(ch);
        bool first = true;
        int r = other ? fail_set(ch->fail, -EOPNOTSUPP,
                                        "%s keeps its accounts itself: its own sacctmgr changes them",
                                        other)
                      : settings_check_root(ch);

        if (r >= 0)
                print_limits(ch);
        change_for_each_cluster(ch, i) {
                if (r >= 0 && names_has(&ch->filter.names, change_cluster(ch)))
                        r = modify_root(ch, &first);
        }
        return r < 0 ? r : first;
}

/* ---- delete ---- */

static void remove_cluster(struct change *ch, struct acct_cluster *k) {
        acct_enter(ch->a, k);
        for (size_t i = 0; i < ch->a->n_assocs; i++)
                touch_assoc(ch, ch->a->assocs[i], true);
        acct_enter(ch->a, NULL);
        acct_cluster_remove(ch->a, k);
}

/* Accounts and users of the cluster stay, even if no cluster has them any longer. */
int acct_delete_clusters(struct change *ch) {
        const char *other = far_cluster(ch);
        bool first = true;

        if (other)
                return fail_set(ch->fail, -EOPNOTSUPP,
                                "%s is a cluster of slumber.yaml, and is taken out of clusters there",
                                other);
        if (names_has(&ch->filter.names, ch->c->config->cluster_name))
                return fail_set(ch->fail, -EOPNOTSUPP,
                                "%s is this cluster itself, whose accounts these are",
                                ch->c->config->cluster_name);
        int r = may_change(ch, ADMIN_ADMINISTRATOR);
        for (size_t i = 0; i < ch->a->n_clusters && r >= 0;) {
                struct acct_cluster *k = ch->a->clusters[i];
                bool goes = names_says(&ch->filter.names, k->name);
                i += !goes || !ch->commit;
                if (!goes)
                        continue;
                fprintf(ch->out, "%s  %s\n", first ? " Deleting clusters...\n" : "", k->name);
                first = false;
                if (ch->commit)
                        remove_cluster(ch, k);
        }
        return r < 0 ? r : first;
}
