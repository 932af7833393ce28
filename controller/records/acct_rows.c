/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QOS, accounts, users and associations in the accounting file: everything is loaded at the start,
   and changes are written. */
#include "controller/records/acct_rows.h"

#include "controller/loop/controller.h"

#include "controller/account_admin/acct_tables.h"
#include "controller/store/accounting.h"
#include "lib/log.h"

/* ---- to the file ---- */

/* Changed associations, found by a single walk over the associations of all clusters. */
struct changed {
        uint32_t id;
        struct assoc *assoc;        /* NULL: no association has the id any longer */
        struct acct_cluster *other; /* the association's cluster; NULL: this cluster */
};

struct changed_list {
        struct changed *list; /* sorted by id */
        size_t n;
};

static int acct_changed_by_id(const void *a, const void *b) {
        const struct changed *x = a, *y = b;

        return (x->id > y->id) - (x->id < y->id);
}

static struct changed *find_changed(const struct changed_list *l, uint32_t id) {
        const struct changed key = { .id = id };

        return list_search(&key, l->list, l->n, sizeof key, acct_changed_by_id);
}

static uint32_t acct_dirty_id(const struct acct_dirty *d) {
        return (uint32_t)strtoul(d->key, NULL, 10);
}

/* Looks in the cluster entered in a. */
static void changed_find_entered(const struct acct *a, struct changed_list *l) {
        for (size_t i = 0; i < a->n_assocs; i++) {
                struct changed *ch = find_changed(l, a->assocs[i]->id);
                if (!ch)
                        continue;
                ch->assoc = a->assocs[i];
                ch->other = a->entered;
        }
}

static struct changed_list changed_assocs(struct acct *a) {
        struct changed_list l = { xnew(struct changed, a->n_dirty + 1), 0 };
        size_t unique = 0;
        bool far = false;

        for (size_t i = 0; i < a->n_dirty; i++) {
                const struct acct_dirty *d = &a->dirty[i];
                if (d->removed || (d->table != ACCT_ASSOC && d->table != ACCT_FAR_ASSOC))
                        continue;
                far |= d->table == ACCT_FAR_ASSOC;
                l.list[l.n++] = (struct changed){ .id = acct_dirty_id(d) };
        }
        if (l.n == 0)
                return l;
        list_sort(l.list, l.n, sizeof *l.list, acct_changed_by_id);
        for (size_t i = 0; i < l.n; i++)
                if (unique == 0 || l.list[unique - 1].id != l.list[i].id)
                        l.list[unique++] = l.list[i];
        l.n = unique;
        for (size_t i = 0; i <= (far ? a->n_clusters : 0); i++) {
                acct_enter(a, i ? a->clusters[i - 1] : NULL);
                changed_find_entered(a, &l);
        }
        acct_enter(a, NULL);
        return l;
}

/* The object of a change; for an association of another cluster, enters that cluster. */
static void *object_of(struct acct *a, const struct changed_list *l, const struct acct_dirty *d) {
        struct changed *ch;

        switch ((enum acct_table)d->table) {
        case ACCT_QOS:
                return qos_by_id(a, acct_dirty_id(d));
        case ACCT_ACCOUNT:
                return account_find(a, d->key);
        case ACCT_USER:
                return acct_user_find(a, d->key);
        case ACCT_ASSOC:
        case ACCT_FAR_ASSOC:
                ch = find_changed(l, acct_dirty_id(d));
                if (!ch || !ch->assoc)
                        return NULL;
                acct_enter(a, ch->other);
                return ch->assoc;
        case ACCT_STORED_MAX:
                break;
        }
        abort();
}

/* Returns false for an object changed and later removed. */
static bool acct_row_make(struct acct *a, const struct changed_list *l, const struct acct_dirty *d,
                struct accounting_row *ret) {
        enum acct_table table = (enum acct_table)d->table;
        const void *object = d->removed ? NULL : object_of(a, l, d);
        size_t n;

        if (!object && !d->removed)
                return false;
        *ret = (struct accounting_row){ .table = acct_table_name(table),
                .columns = acct_table_columns(table, &n),
                .remove = d->removed };
        ret->n = n;
        if (d->removed) {
                ret->values = xnew0(char *, n);
                ret->values[0] = xstrdup(d->key);
                return true;
        }
        ret->values = acct_table_values(a, table, object);
        return true;
}

struct accounting_row *acct_rows(struct acct *a, size_t *ret_n) {
        struct accounting_row *rows = xnew0(struct accounting_row, a->n_dirty);
        struct changed_list changed = changed_assocs(a);
        size_t n = 0;

        for (size_t i = 0; i < a->n_dirty; i++) {
                n += acct_row_make(a, &changed, &a->dirty[i], &rows[n]);
                acct_enter(a, NULL);
        }
        free(changed.list);
        acct_clean(a);
        *ret_n = n;
        return rows;
}

void acct_save(struct controller *ctl, void (*done)(int r, const char *why, void *user),
                void *user) {
        size_t n;
        struct accounting_row *rows = acct_rows(&ctl->cluster->acct, &n);

        accounting_rows_write(ctl->accounting, rows, n, done, user);
}

/* ---- from the file ---- */

static int acct_rows_read(void *source, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail) {
        return accounting_rows_load(source, table, columns, n, row, user, fail);
}

int acct_load(struct controller *ctl, struct fail *fail) {
        int r = ctl->accounting ? acct_read(ctl->cluster, acct_rows_read, ctl->accounting, fail)
                                : 0;

        if (r >= 0)
                acct_tell_missing(ctl->cluster);
        return r;
}

void acct_tell_missing(const struct cluster *c) {
        for (size_t i = 0; i < c->n_partitions && !c->config->accounting_off; i++) {
                const struct partition *p = c->partitions[i];
                if (p->qos_name && !p->qos)
                        log_warning(0, "Partition %s has QOS=%s, which does not exist%s", p->name,
                                        p->qos_name,
                                        c->config->enforce & ENFORCE_LIMITS
                                                        ? ": its jobs wait until it is made"
                                                        : "");
        }
}
