/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Association ids of jobs: a row of the accounts has account, user and partition, and sacctmgr's
 * list has the ids. So a job shows the association of its name today, and none if the association
 * was deleted. */
#include "commands/accounts/sacct.h"

#include "commands/query.h"
#include "lib/timetext.h"

struct sacct_assoc {
        uint64_t id;
        char *account, *user, *partition; /* "": any */
};

static void take_page(const Slumber__AcctList *page, void *user) {
        struct sacct_assocs *a = user;

        for (size_t i = 0; i < page->n_rows; i++) {
                const Slumber__AcctRow *row = page->rows[i];
                struct sacct_assoc one = { 0 };

                if (uint_parse(accounts_value(page, row, "ID"), 1, UINT32_MAX, &one.id) < 0)
                        continue;
                one.account = xstrdup(accounts_value(page, row, "Account"));
                one.user = xstrdup(accounts_value(page, row, "User"));
                one.partition = xstrdup(accounts_value(page, row, "Partition"));
                GROW(a->list, a->allocated, a->n);
                a->list[a->n++] = one;
        }
}

int sacct_assocs_load(struct wire *w, struct sacct_assocs *a, uint32_t *code, struct fail *fail) {
        Slumber__AcctQuery query = SLUMBER__ACCT_QUERY__INIT;

        query.entity = SLUMBER__ACCT_ENTITY__ACCT_ENTITY_ASSOC;
        return query_accounts(w, &query, take_page, a, code, fail);
}

void sacct_assocs_done(struct sacct_assocs *a) {
        for (size_t i = 0; i < a->n; i++) {
                free(a->list[i].account);
                free(a->list[i].user);
                free(a->list[i].partition);
        }
        free(a->list);
        *a = (struct sacct_assocs){ 0 };
}

/* An association with the job's partition is preferred. */
uint64_t sacct_assoc_id(const struct sacct_assocs *a, const Ended *e) {
        uint64_t id = 0;

        for (size_t i = 0; i < a->n; i++) {
                const struct sacct_assoc *one = &a->list[i];

                if (!streq(one->account, e->account) || !streq(one->user, e->user))
                        continue;
                if (streq(one->partition, e->partition))
                        return one->id;
                if (!*one->partition)
                        id = one->id;
        }
        return id;
}
