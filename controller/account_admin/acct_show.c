/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of texts for sacctmgr show: the columns are names and other data of the object, then the
   settings by name. */
#include "controller/account_admin/acct_change_private.h"
#include "lib/wordlist.h"

#define COLUMNS_MAX 64

static const char *const qos_own[] = { "ID", "Name" };
static const char *const account_own[] = { "Account", "Coordinators" };
static const char *const user_own[] = { "User", "Coordinators" };
static const char *const assoc_own[] = {
        "ID",
        "Cluster",
        "Account",
        "User",
        "Partition",
        "ParentName",
        "ParentID",
        "Depth",
};

static const char *const cluster_own[] = { "Cluster", "ControlHost", "ControlPort" };

static const struct {
        const char *const *own;
        size_t n;
        enum acct_table table;
        bool has_assocs; /* may be shown with associations, a row for each */
} kinds[ENTITY_MAX] = {
        [ENTITY_QOS] = { qos_own, ELEMENTSOF(qos_own), ACCT_QOS, false },
        [ENTITY_ACCOUNT] = { account_own, ELEMENTSOF(account_own), ACCT_ACCOUNT, true },
        [ENTITY_USER] = { user_own, ELEMENTSOF(user_own), ACCT_USER, true },
        [ENTITY_ASSOC] = { assoc_own, ELEMENTSOF(assoc_own), ACCT_ASSOC, false },
        [ENTITY_CLUSTER] = { cluster_own, ELEMENTSOF(cluster_own), ACCT_ASSOC, false },
};

static void name_columns(const char **names, size_t *n, enum acct_entity entity) {
        size_t n_fields;
        const struct acct_field *fields = acct_fields(kinds[entity].table, &n_fields);

        for (size_t i = 0; i < kinds[entity].n; i++)
                names[(*n)++] = kinds[entity].own[i];
        for (size_t i = 0; i < n_fields; i++)
                names[(*n)++] = fields[i].name;
        assert(*n <= COLUMNS_MAX);
}

const char *const *acct_columns(enum acct_entity entity, bool with_assoc, size_t *ret_n) {
        /* filled at the first call, constant afterwards */
        static const char *names[ENTITY_MAX][2][COLUMNS_MAX];
        const char **list = names[entity][with_assoc];

        *ret_n = 0;
        name_columns(list, ret_n, entity);
        if (with_assoc && kinds[entity].has_assocs)
                name_columns(list, ret_n, ENTITY_ASSOC);
        return list;
}

struct showing {
        const struct cluster *c;
        const struct acct_show *show;
        struct filter filter;
        /* The cluster now shown, and the first cluster shown. */
        const char *cluster, *first;
        bool at_last;
        size_t at;
        bool more;
        char *texts[COLUMNS_MAX];
        size_t n;
};

static void show_put(struct showing *s, char *text) {
        s->texts[s->n++] = text;
}

static void put_fields(struct showing *s, enum acct_table table, const void *object) {
        size_t n;
        const struct acct_field *fields = acct_fields(table, &n);

        for (size_t i = 0; i < n; i++)
                show_put(s, object ? acct_field_text(&s->c->acct, &fields[i], object)
                                   : xstrdup(""));
}

static unsigned assoc_depth(const struct assoc *s) {
        unsigned n = 0;

        for (; s->parent; s = s->parent)
                n++;
        return n;
}

/* True for settings that an association inherits from its parent. */
static bool is_inherited(const struct acct_field *f) {
        return strncmp(f->name, "Max", 3) == 0 || streq(f->name, "Priority") ||
               streq(f->name, "MinPrioThreshold") || f->type == ACCT_QOS_SET ||
               f->type == ACCT_QOS_ID;
}

static bool field_is_empty(const struct acct *acct, const struct acct_field *f,
                const struct assoc *a) {
        _cleanup_free_ char *text = f->type == ACCT_QOS_SET ? NULL : acct_field_text(acct, f, a);

        return f->type == ACCT_QOS_SET ? !a->qos : isempty(text);
}

/* Each resource's limit from the nearest association with a limit. */
static char *tres_inherited(const struct acct *acct, const struct acct_field *f,
                const struct assoc *a) {
        struct tres_set sum;

        tres_clear(&sum);
        for (; a; a = a->parent) {
                const struct tres_set *own = (const struct tres_set *)(const void
                                                *)((const char *)a + f->offset);
                for (size_t t = 0; t < TRES_MAX; t++)
                        sum.of[t] = sum.of[t] == TRES_NONE ? own->of[t] : sum.of[t];
        }
        return tres_text(&acct->tres, &sum);
}

static char *show_inherited(const struct showing *s, const struct acct_field *f,
                const struct assoc *a) {
        if (f->type == ACCT_TRES)
                return tres_inherited(&s->c->acct, f, a);
        while (a->parent && field_is_empty(&s->c->acct, f, a))
                a = a->parent;
        return acct_field_text(&s->c->acct, f, a);
}

/* Settings are shown as inherited; limits with "woplimits" only if own. */
static void show_put_assoc(struct showing *s, const struct assoc *a) {
        size_t n;
        const struct acct_field *fields = acct_fields(ACCT_ASSOC, &n);

        show_put(s, xasprintf("%u", a->id));
        show_put(s, xstrdup(s->cluster));
        show_put(s, xstrdup(a->account));
        show_put(s, xstrdup(strempty(a->user)));
        show_put(s, xstrdup(strempty(a->partition)));
        show_put(s, xstrdup(a->parent && !a->user && !s->filter.without_parents ? a->parent->account
                                                                                : ""));
        show_put(s, a->parent && !s->filter.without_parents ? xasprintf("%u", a->parent->id)
                                                            : xstrdup(""));
        show_put(s, xasprintf("%u", assoc_depth(a)));
        for (size_t i = 0; i < n; i++) {
                bool own = !is_inherited(&fields[i]) ||
                           (s->filter.own_limits && fields[i].type != ACCT_QOS_SET &&
                                           fields[i].type != ACCT_QOS_ID);
                show_put(s, own ? acct_field_text(&s->c->acct, &fields[i], a)
                                : show_inherited(s, &fields[i], a));
        }
}

static bool is_default_account(const struct acct *a, const struct assoc *s) {
        const struct acct_user *user = s->user ? acct_user_find(a, s->user) : NULL;

        return user && user->default_account && strcasecmp(user->default_account, s->account) == 0;
}

static bool has_qos(const struct acct *a, const struct names *names, const struct assoc *s) {
        for (size_t i = 0; i < names->n; i++) {
                const struct qos *q = qos_find(a, names->list[i]);
                if (q && qos_set_has(assoc_qos(s), q->id))
                        return true;
        }
        return names->n == 0;
}

static bool has_default_qos(const struct acct *a, const struct names *names,
                const struct assoc *s) {
        const struct qos *q = s->default_qos ? qos_by_id(a, s->default_qos) : NULL;

        return names->n == 0 || (q && names_says(names, q->name));
}

static bool show_takes_assoc(const struct showing *s, enum acct_entity entity,
                const struct assoc *a) {
        const struct acct *acct = &s->c->acct;
        const struct filter *f = &s->filter;
        char id[16];

        if (!viewer_sees_assoc(&s->show->viewer, a, PRIVATE_USERS | PRIVATE_ACCOUNTS))
                return false;
        snprintf(id, sizeof id, "%u", a->id);
        return filter_takes_assoc(f, entity, a) && names_has(&f->ids, id) &&
               has_qos(acct, &f->qos, a) && has_default_qos(acct, &f->default_qos, a) &&
               (!f->only_defaults || is_default_account(acct, a));
}

/* Counts a row, and returns false if the row is outside the requested range. */
static bool wants_row(struct showing *s) {
        size_t at = s->at++;

        if (at < s->show->skip)
                return false;
        if (at - s->show->skip >= s->show->limit) {
                s->more = true;
                return false;
        }
        return true;
}

static void show_emit_row(struct showing *s) {
        s->show->row((const char *const *)s->texts, s->n, s->show->user);
        for (size_t i = 0; i < s->n; i++)
                free(s->texts[i]);
        s->n = 0;
}

static char *show_coordinators(const struct showing *s, const struct account *account) {
        char *text = xstrdup("");

        for (size_t i = 0; i < account->n_coordinators; i++) {
                if (!viewer_sees_user(&s->show->viewer, account->coordinators[i]))
                        continue;
                text_add_word(&text, ",", "%s", account->coordinators[i]);
        }
        return text;
}

static void put_account(struct showing *s, const struct account *account) {
        show_put(s, xstrdup(account->name));
        show_put(s, show_coordinators(s, account));
        put_fields(s, ACCT_ACCOUNT, account);
}

/* The accounts coordinated by the user. */
static char *show_coordinated(const struct acct *a, const char *user) {
        char *text = xstrdup("");

        for (size_t i = 0; i < a->n_accounts; i++)
                for (size_t k = 0; k < a->accounts[i]->n_coordinators; k++) {
                        if (!streq(a->accounts[i]->coordinators[k], user))
                                continue;
                        text_add_word(&text, ",", "%s", a->accounts[i]->name);
                }
        return text;
}

static void put_user(struct showing *s, const struct acct_user *user) {
        show_put(s, xstrdup(user->name));
        show_put(s, show_coordinated(&s->c->acct, user->name));
        put_fields(s, ACCT_USER, user);
}

/* Objects common to all clusters are shown only with the first cluster. */
static bool is_first(const struct showing *s) {
        return s->cluster == s->first;
}

static void show_qos(struct showing *s) {
        const struct acct *a = &s->c->acct;

        for (size_t i = 0; i < a->n_qos && is_first(s) && !s->more; i++) {
                if (!names_has(&s->filter.names, a->qos[i]->name) || !wants_row(s))
                        continue;
                show_put(s, xasprintf("%u", a->qos[i]->id));
                show_put(s, xstrdup(a->qos[i]->name));
                put_fields(s, ACCT_QOS, a->qos[i]);
                show_emit_row(s);
        }
}

/* Shows a row for each account, or with associations a row for each association. */
static void show_accounts(struct showing *s) {
        const struct acct *a = &s->c->acct;

        for (size_t i = 0; i < a->n_accounts && is_first(s) && !s->show->with_assoc && !s->more;
                        i++)
                if (names_has(&s->filter.names, a->accounts[i]->name) &&
                                viewer_sees_account(&s->show->viewer, a->accounts[i]) &&
                                wants_row(s)) {
                        put_account(s, a->accounts[i]);
                        show_emit_row(s);
                }
        for (size_t i = 0; i < a->n_assocs && s->show->with_assoc && !s->more; i++) {
                const struct account *account = account_find(a, a->assocs[i]->account);
                if (!account || !viewer_sees_account(&s->show->viewer, account) ||
                                !show_takes_assoc(s, ENTITY_ACCOUNT, a->assocs[i]) || !wants_row(s))
                        continue;
                put_account(s, account);
                show_put_assoc(s, a->assocs[i]);
                show_emit_row(s);
        }
}

static int assoc_by_user(const void *x, const void *y) {
        const struct assoc *const *a = x, *const *b = y;
        int cmp = strcmp((*a)->user, (*b)->user);

        return cmp ? cmp : strcasecmp((*a)->account, (*b)->account);
}

static void show_users_assocs(struct showing *s) {
        const struct acct *a = &s->c->acct;
        _cleanup_free_ const struct assoc **list = xnew(const struct assoc *, a->n_assocs);
        size_t n = 0;

        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->user && show_takes_assoc(s, ENTITY_USER, a->assocs[i]))
                        list[n++] = a->assocs[i];
        list_sort(list, n, sizeof list[0], assoc_by_user);
        for (size_t i = 0; i < n && !s->more; i++) {
                const struct acct_user *user = acct_user_find(a, list[i]->user);
                if (!user || !viewer_sees_user(&s->show->viewer, user->name) || !wants_row(s))
                        continue;
                put_user(s, user);
                show_put_assoc(s, list[i]);
                show_emit_row(s);
        }
}

static void show_users(struct showing *s) {
        const struct acct *a = &s->c->acct;

        if (s->show->with_assoc) {
                show_users_assocs(s);
                return;
        }
        for (size_t i = 0; i < a->n_users && is_first(s) && !s->more; i++)
                if (names_has(&s->filter.names, a->users[i]->name) &&
                                viewer_sees_user(&s->show->viewer, a->users[i]->name) &&
                                wants_row(s)) {
                        put_user(s, a->users[i]);
                        show_emit_row(s);
                }
}

/* Shows the tree: the users of an account, then the accounts below. */
static void show_tree(struct showing *s, const struct assoc *from) {
        const struct acct *a = &s->c->acct;

        if (show_takes_assoc(s, ENTITY_ASSOC, from) && wants_row(s)) {
                show_put_assoc(s, from);
                show_emit_row(s);
        }
        for (int accounts = 0; accounts < 2 && from->n_children; accounts++)
                for (size_t i = 0; i < a->n_assocs && !s->more; i++)
                        if (a->assocs[i]->parent == from &&
                                        (a->assocs[i]->user == NULL) == (accounts == 1))
                                show_tree(s, a->assocs[i]);
}

static void show_assocs(struct showing *s) {
        show_tree(s, s->c->acct.root);
}

static void put_cluster(struct showing *s, const char *name, const char *host, uint16_t port,
                const struct assoc *root) {
        if (!names_has(&s->filter.names, name) || !wants_row(s))
                return;
        show_put(s, xstrdup(name));
        show_put(s, xstrdup(host));
        show_put(s, xasprintf("%u", port));
        put_fields(s, ACCT_ASSOC, root);
        show_emit_row(s);
}

/* Clusters of slumber.yaml have their own accounts. */
static void put_far_clusters(struct showing *s) {
        const struct config *config = s->c->config;

        for (size_t i = 0; i < config->site.n_clusters && !s->more; i++) {
                const struct site_cluster *c = &config->site.clusters[i];
                if (!acct_cluster_find(&s->c->acct, c->name))
                        put_cluster(s, c->name, c->hosts[0], c->port, NULL);
        }
}

/* The controller of a stored cluster is unknown here. */
static void show_put_cluster(struct showing *s) {
        const struct config *config = s->c->config;
        bool own = !s->c->acct.entered;

        put_cluster(s, s->cluster,
                        !own                                  ? ""
                        : isempty(config->controller_address) ? strempty(config->controller_host)
                                                              : config->controller_address,
                        own ? config->slurmctld_port : 0, s->c->acct.root);
        if (s->at_last)
                put_far_clusters(s);
}

/* Takes conditions on associations, and words about the amount shown.  Returns false for any other
   word. */
static bool take_assoc_word(struct filter *f, const struct acct_word *w) {
        const struct {
                const char *name;
                size_t least;
                bool *flag;
                struct names *names;
        } words[] = {
                { "OnlyDefaults", 4, &f->only_defaults, NULL },
                { "WOPInfo", 4, &f->without_parents, NULL },
                { "WOPLimits", 4, &f->own_limits, NULL },
                { "WithSubAccounts", 5, &f->with_sub, NULL },
                { "DefaultQOS", 8, NULL, &f->default_qos },
                { "DefQOS", 4, NULL, &f->default_qos },
                { "QOS", 1, NULL, &f->qos },
                { "QOSLevel", 4, NULL, &f->qos },
                { "Ids", 1, NULL, &f->ids },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                bool alone = words[i].flag && !*w->key;
                if (w->op != '=' || (!alone && !words[i].names) ||
                                !key_is(alone ? w->value : w->key, words[i].name, words[i].least))
                        continue;
                if (alone)
                        *words[i].flag = true;
                else
                        names_add(words[i].names, w->value);
                return true;
        }
        return false;
}

/* Shows the associations of each requested cluster in turn. */
static void show_each(struct showing *s, void (*show)(struct showing *)) {
        struct acct *a = (struct acct *)(uintptr_t)&s->c->acct; /* unchanged at the end */

        for (size_t i = 0; i <= a->n_clusters; i++) {
                if (!filter_has_cluster(&s->filter, s->c, i))
                        continue;
                s->cluster = i ? a->clusters[i - 1]->name : s->c->config->cluster_name;
                s->first = s->first ? s->first : s->cluster;
                s->at_last = i == a->n_clusters;
                acct_enter(a, i ? a->clusters[i - 1] : NULL);
                show(s);
        }
        acct_enter(a, NULL);
}

int acct_show(const struct cluster *c, const struct acct_show *show, bool *ret_more,
                struct fail *fail) {
        static void (*const shows[ENTITY_MAX])(struct showing *) = {
                [ENTITY_QOS] = show_qos,
                [ENTITY_ACCOUNT] = show_accounts,
                [ENTITY_USER] = show_users,
                [ENTITY_ASSOC] = show_assocs,
                [ENTITY_CLUSTER] = show_put_cluster,
        };
        struct showing s = { .c = c, .show = show };
        bool with_assoc = show->with_assoc || show->entity == ENTITY_ASSOC;
        int r = shows[show->entity]
                                ? 0
                                : fail_set(fail, -EOPNOTSUPP,
                                                  "coordinators are shown by: show account withcoordinators");

        for (size_t i = 0; i < show->n_where && r >= 0; i++)
                if (!(with_assoc && take_assoc_word(&s.filter, &show->where[i])) &&
                                filter_take(&s.filter, show->entity, &show->where[i]) == 0)
                        r = fail_set(fail, -EINVAL, "Unknown condition: %s%s%s", show->where[i].key,
                                        *show->where[i].key ? "=" : "", show->where[i].value);
        if (r >= 0)
                show_each(&s, shows[show->entity]);
        filter_done(&s.filter);
        *ret_more = s.more;
        return r;
}
