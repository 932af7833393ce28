/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/account_admin/acct_tables.h"
#include "controller/indexes/rank.h"
#include "lib/wordlist.h"

#define COLUMNS_MAX 48

static const char *const qos_own[] = { "id", "name" };
static const char *const account_own[] = { "name", "coordinators" };
static const char *const user_own[] = { "name" };
static const char *const assoc_own[] = { "id", "parent_id", "account", "user", "partition" };
static const char *const far_own[] = { "id", "parent_id", "account", "user", "partition",
        "cluster" };

static const struct {
        const char *name;
        const char *const *own;
        size_t n;
} tables[ACCT_STORED_MAX] = {
        [ACCT_QOS] = { "qos", qos_own, ELEMENTSOF(qos_own) },
        [ACCT_ACCOUNT] = { "account", account_own, ELEMENTSOF(account_own) },
        [ACCT_USER] = { "user", user_own, ELEMENTSOF(user_own) },
        [ACCT_ASSOC] = { "assoc", assoc_own, ELEMENTSOF(assoc_own) },
        [ACCT_FAR_ASSOC] = { "cluster_assoc", far_own, ELEMENTSOF(far_own) },
};

static const struct acct_field *fields_of(enum acct_table table, size_t *ret_n) {
        return acct_fields(table == ACCT_FAR_ASSOC ? ACCT_ASSOC : table, ret_n);
}

const char *const *acct_table_columns(enum acct_table table, size_t *ret_n) {
        static const char *names[ACCT_STORED_MAX][COLUMNS_MAX];
        size_t n_fields;
        const struct acct_field *fields = fields_of(table, &n_fields);

        *ret_n = 0;
        for (size_t i = 0; i < tables[table].n; i++)
                names[table][(*ret_n)++] = tables[table].own[i];
        for (size_t i = 0; i < n_fields; i++)
                if (fields[i].column)
                        names[table][(*ret_n)++] = fields[i].column;
        assert(*ret_n <= COLUMNS_MAX);
        return names[table];
}

const char *acct_table_name(enum acct_table table) {
        return tables[table].name;
}

/* ---- writing ---- */

static char *coordinators_text(const struct account *account) {
        char *text = xstrdup("");

        for (size_t i = 0; i < account->n_coordinators; i++)
                text_add_word(&text, ",", "%s", account->coordinators[i]);
        return text;
}

static void fill_own(const struct acct *a, enum acct_table table, const void *object,
                char **values) {
        const struct assoc *s = object;
        const struct qos *q = object;

        switch (table) {
        case ACCT_QOS:
                values[0] = xasprintf("%u", q->id);
                values[1] = xstrdup(q->name);
                break;
        case ACCT_ACCOUNT:
                values[0] = xstrdup(((const struct account *)object)->name);
                values[1] = coordinators_text(object);
                break;
        case ACCT_USER:
                values[0] = xstrdup(((const struct acct_user *)object)->name);
                break;
        case ACCT_ASSOC:
        case ACCT_FAR_ASSOC:
                values[0] = xasprintf("%u", s->id);
                values[1] = xasprintf("%u", s->parent ? s->parent->id : 0);
                values[2] = xstrdup(s->account);
                values[3] = xstrdup(strempty(s->user));
                values[4] = xstrdup(strempty(s->partition));
                if (table == ACCT_FAR_ASSOC)
                        values[5] = xstrdup(a->entered->name);
                break;
        case ACCT_STORED_MAX:
                abort();
        }
}

char **acct_table_values(const struct acct *a, enum acct_table table, const void *object) {
        size_t n, n_fields, at = tables[table].n;
        const struct acct_field *fields = fields_of(table, &n_fields);

        (void)acct_table_columns(table, &n);
        char **values = xnew0(char *, n);
        fill_own(a, table, object, values);
        for (size_t i = 0; i < n_fields; i++)
                if (fields[i].column)
                        values[at++] = acct_field_text(a, &fields[i], object);
        return values;
}

/* ---- reading ---- */

struct loading {
        struct acct *a;
        enum acct_table table;
        bool settings; /* second pass: all names exist */
        struct fail *fail;
};

static uint32_t table_id(const char *text) {
        return (uint32_t)strtoul(text, NULL, 10);
}

static void add_coordinators(struct account *account, const char *list) {
        for_each_word(w, list, ",")
                (void)account_coordinate(account, w, true);
}

static struct assoc *assoc_by_id(const struct acct *a, uint32_t id) {
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->id == id)
                        return a->assocs[i];
        return NULL;
}

/* First pass: makes an object unless one with the name exists, below the root, as the parent may
   come later. */
static void *table_make_object(struct acct *a, enum acct_table table, const char *const *v) {
        struct account *account = table == ACCT_ACCOUNT ? account_find(a, v[0]) : NULL;
        struct acct_user *user = table == ACCT_USER ? acct_user_find(a, v[0]) : NULL;
        bool assoc = table == ACCT_ASSOC || table == ACCT_FAR_ASSOC;
        struct assoc *s = assoc ? assoc_find(a, v[2], v[3], v[4]) : NULL;
        struct qos *q = table == ACCT_QOS ? qos_find(a, v[1]) : NULL;

        switch (table) {
        case ACCT_QOS:
                return q ? q : qos_add(a, table_id(v[0]), v[1]);
        case ACCT_ACCOUNT:
                account = account ? account : account_add(a, v[0]);
                if (account->n_coordinators == 0)
                        add_coordinators(account, v[1]);
                return account;
        case ACCT_USER:
                return user ? user : acct_user_add(a, v[0]);
        case ACCT_ASSOC:
        case ACCT_FAR_ASSOC:
                s = s ? s : assoc_add(a, table_id(v[0]), a->root, v[2], v[3], v[4]);
                a->root = a->root ? a->root : s;
                return s;
        case ACCT_STORED_MAX:
                break;
        }
        abort();
}

static int load_object(struct loading *l, const char *const *values) {
        size_t n_fields, at = tables[l->table].n;
        const struct acct_field *fields = fields_of(l->table, &n_fields);
        void *object = table_make_object(l->a, l->table, values);

        if (!l->settings)
                return 0;
        if ((l->table == ACCT_ASSOC || l->table == ACCT_FAR_ASSOC) && object != l->a->root) {
                struct assoc *parent = assoc_by_id(l->a, table_id(values[1]));
                if (!parent || assoc_is_below(parent, object))
                        return fail_set(l->fail, -EBADMSG,
                                        "association %s of the accounting file has no parent",
                                        values[0]);
                assoc_set_parent(object, parent);
        }
        for (size_t i = 0; i < n_fields; i++) {
                if (!fields[i].column)
                        continue;
                /* no default account is stored as "" */
                bool none = fields[i].type == ACCT_TEXT && !*values[at] && l->table == ACCT_USER;
                /* the resource may have been tracked earlier */
                int r = fields[i].type == ACCT_TRES
                                        ? tres_names_add(&l->a->tres, values[at], l->fail)
                                        : 0;
                if (r >= 0 && !none)
                        r = acct_field_set(l->a, &fields[i], object, '=', values[at], l->fail);
                if (r < 0)
                        return fail_prefix(l->fail, r, "%s %s of the accounting file",
                                        tables[l->table].name, values[0]);
                at++;
        }
        return 0;
}

/* Rows come sorted by id, so that each cluster's root comes first. */
static int table_load_row(const char *const *values, void *userdata) {
        struct loading *l = userdata;
        struct acct_cluster *k = NULL;

        if (l->table == ACCT_FAR_ASSOC) {
                bool first = !acct_cluster_find(l->a, values[5]);
                if (!*values[5] || (first && table_id(values[1]) != 0))
                        return fail_set(l->fail, -EBADMSG,
                                        "association %s of the accounting file has no cluster",
                                        values[0]);
                k = first ? acct_cluster_add(l->a, values[5]) : acct_cluster_find(l->a, values[5]);
        }
        acct_enter(l->a, k);
        int r = load_object(l, values);
        acct_enter(l->a, NULL);
        return r;
}

int acct_read(struct cluster *c, acct_rows_t *rows, void *source, struct fail *fail) {
        struct loading l = { .a = &c->acct, .fail = fail };
        int r = 0;

        for (int pass = 0; pass < 2; pass++)
                for (int t = 0; t < ACCT_STORED_MAX && r >= 0; t++) {
                        size_t n;
                        const char *const *columns = acct_table_columns((enum acct_table)t, &n);
                        l.table = (enum acct_table)t;
                        l.settings = pass == 1;
                        r = rows(source, tables[t].name, columns, n, table_load_row, &l, fail);
                }
        if (r >= 0)
                acct_bind_all(c);
        return r;
}
