/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QOS, accounts, users and associations between the cluster and the accounting file: all at the
   start, what changed since. */
#include "controller/records/acct_rows.h"

#include "controller/loop/controller.h"

#include "controller/account_admin/acct_tables.h"
#include "controller/store/accounting.h"
#include "lib/log.h"

/* ---- to the file ---- */

static struct assoc *assoc_of(const struct acct *a, uint32_t id) {
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->id == id)
                        return a->assocs[i];
        return NULL;
}

/* Of an association of another cluster: that is entered then. */
static void *object_of(struct acct *a, const struct acct_dirty *d) {
        uint32_t id = (uint32_t)strtoul(d->key, NULL, 10);
        struct assoc *s = NULL;

        switch ((enum acct_table)d->table) {
        case ACCT_QOS:
                return qos_by_id(a, id);
        case ACCT_ACCOUNT:
                return account_find(a, d->key);
        case ACCT_USER:
                return acct_user_find(a, d->key);
        case ACCT_ASSOC:
                return assoc_of(a, id);
        case ACCT_FAR_ASSOC:
                for (size_t i = 0; i < a->n_clusters && !s; i++) {
                        acct_enter(a, a->clusters[i]);
                        s = assoc_of(a, id);
                }
                return s;
        case ACCT_STORED_MAX:
                break;
        }
        abort();
}

/* false: it was changed, and then removed. */
static bool make_row(struct acct *a, const struct acct_dirty *d, struct accounting_row *ret) {
        enum acct_table table = (enum acct_table)d->table;
        const void *object = d->removed ? NULL : object_of(a, d);
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

void acct_save(struct controller *ctl, void (*done)(int r, const char *why, void *user),
                void *user) {
        struct acct *a = &ctl->cluster->acct;
        struct accounting_row *rows = xnew0(struct accounting_row, a->n_dirty);
        size_t n = 0;

        for (size_t i = 0; i < a->n_dirty; i++) {
                n += make_row(a, &a->dirty[i], &rows[n]);
                acct_enter(a, NULL);
        }
        acct_clean(a);
        accounting_rows_write(ctl->accounting, rows, n, done, user);
}

/* ---- from the file ---- */

static int read_rows(void *source, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail) {
        return accounting_rows_load(source, table, columns, n, row, user, fail);
}

int acct_load(struct controller *ctl, struct fail *fail) {
        int r = ctl->accounting ? acct_read(ctl->cluster, read_rows, ctl->accounting, fail) : 0;

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
