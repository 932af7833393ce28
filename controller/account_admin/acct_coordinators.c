/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinators of accounts.
 *
 * Coordinators may change associations below their accounts, and jobs of their accounts' users; the
 * account's own limits and deletion belong to coordinators of the parent.  Coordinators cannot give
 * a QOS that their accounts do not have.  Operators and coordinators of an account make
 * coordinators. */
#include "controller/account_admin/acct_change_private.h"

int may_change_below(const struct change *ch, const struct assoc *s) {
        return assoc_coordinates(ch->a, s, ch->req->user) ? 0 : may_change(ch, ADMIN_OPERATOR);
}

int may_change_account(const struct change *ch, const struct assoc *s) {
        return s->parent ? may_change_below(ch, s->parent) : may_change(ch, ADMIN_OPERATOR);
}

int may_change_everywhere(const struct change *ch, const char *account,
                int (*may)(const struct change *ch, const struct assoc *s)) {
        struct acct_cluster *entered = ch->a->entered;
        bool found = false;
        int r = 0;

        for (size_t i = 0; i <= ch->a->n_clusters && r >= 0; i++) {
                acct_enter(ch->a, i ? ch->a->clusters[i - 1] : NULL);
                const struct assoc *s = assoc_find(ch->a, account, NULL, NULL);
                found |= s != NULL;
                r = s ? may(ch, s) : 0;
        }
        acct_enter(ch->a, entered);
        return r < 0 || found ? r : may_change(ch, ADMIN_OPERATOR);
}

/* True if an account at or above s that the user coordinates has q. */
static bool has_to_give(const struct change *ch, const struct assoc *s, const struct qos *q) {
        for (; s; s = s->parent)
                if (!s->user && assoc_allows_qos(s, q) &&
                                assoc_coordinates(ch->a, s, ch->req->user))
                        return true;
        return false;
}

int may_give_qos(const struct change *ch, const struct assoc *s) {
        if (ch->commit || may_change(ch, ADMIN_OPERATOR) >= 0)
                return 0;
        struct assoc *new = acct_object_copy(ACCT_ASSOC, s);
        int r = settings_apply(ch, ACCT_ASSOC, new);
        for (size_t i = 0; i < ch->a->n_qos && r >= 0; i++) {
                const struct qos *q = ch->a->qos[i];
                if (assoc_allows_qos(new, q) && !assoc_allows_qos(s, q) && !has_to_give(ch, s, q))
                        r = fail_set(ch->fail, -EPERM,
                                        "QOS %s is not one of the accounts that %s coordinates",
                                        q->name, ch->req->user);
        }
        acct_object_free(ACCT_ASSOC, new);
        return r;
}

static int coordinators_check_users(const struct change *ch) {
        for (size_t i = 0; i < ch->filter.names.n; i++)
                if (!acct_user_find(ch->a, ch->filter.names.list[i]))
                        return fail_set(ch->fail, -ENOENT,
                                        " You specified a non-existent user '%s'.",
                                        ch->filter.names.list[i]);
        return 0;
}

static int coordinators_check_accounts(const struct change *ch) {
        for (size_t i = 0; i < ch->filter.accounts.n; i++) {
                const struct account *account = account_find(ch->a, ch->filter.accounts.list[i]);
                int r = account ? may_change_everywhere(ch, account->name, may_change_below)
                                : fail_set(ch->fail, -ENOENT,
                                                  " You specified a non-existent account '%s'.",
                                                  ch->filter.accounts.list[i]);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int coordinators_check(const struct change *ch) {
        int r = coordinators_check_users(ch);

        if (r >= 0)
                r = coordinators_check_accounts(ch);
        return r < 0 ? r : settings_check(ch, (void *[ACCT_TABLE_MAX]){ 0 });
}

static void print_names(const struct change *ch, const char *heading, const struct names *names) {
        fprintf(ch->out, " %s\n", heading);
        for (size_t i = 0; i < names->n; i++)
                fprintf(ch->out, "  %s\n", names->list[i]);
}

static bool coordinator_set(const struct change *ch, struct account *account, const char *user,
                bool on) {
        if (!ch->commit || !account_coordinate(account, user, on))
                return false;
        acct_touch(ch->a, ACCT_ACCOUNT, account->name, 0, false);
        return true;
}

/* Existing coordinators stay. */
int acct_add_coordinators(struct change *ch) {
        const struct names *users = &ch->filter.names, *accounts = &ch->filter.accounts;
        int r = users->n == 0      ? fail_set(ch->fail, -EINVAL,
                                                     " You need to specify a user list here.")
                : accounts->n == 0 ? fail_set(ch->fail, -EINVAL,
                                                     " You need to specify an account list here.")
                                   : coordinators_check(ch);

        if (r < 0)
                return r;
        print_names(ch, "Adding Coordinator User(s)", users);
        print_names(ch, "To Account(s) and all sub-accounts", accounts);
        for (size_t i = 0; i < accounts->n; i++)
                for (size_t k = 0; k < users->n; k++)
                        (void)coordinator_set(ch, account_find(ch->a, accounts->list[i]),
                                        acct_user_find(ch->a, users->list[k])->name, true);
        return 0;
}

/* Removes coordinators of an account, and prints a line for each. */
static int remove_from(struct change *ch, struct account *account, FILE *gone) {
        int r = 0;

        for (size_t i = account->n_coordinators; i-- > 0 && r >= 0;) {
                _cleanup_free_ char *user = xstrdup(account->coordinators[i]);
                if (!names_has(&ch->filter.names, user))
                        continue;
                r = may_change_everywhere(ch, account->name, may_change_below);
                fprintf(gone, "  U = %-9.9s A = %-10.10s\n", user, account->name);
                (void)coordinator_set(ch, account, user, false);
        }
        return r;
}

static void coordinators_print(const struct change *ch) {
        const struct names *users = &ch->filter.names, *accounts = &ch->filter.accounts;

        if (users->n == 0) {
                print_names(ch, "Removing all users from Accounts", accounts);
                return;
        }
        print_names(ch, "Removing Coordinators with user name", users);
        if (accounts->n)
                print_names(ch, "From Account(s)", accounts);
        else
                fputs(" From all accounts\n", ch->out);
}

int acct_delete_coordinators(struct change *ch) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        int r = ch->filter.names.n + ch->filter.accounts.n == 0
                                ? fail_set(ch->fail, -EINVAL,
                                                  " You need to specify a user list or account list here.")
                                : coordinators_check(ch);

        if (r < 0)
                return r;
        FILE *gone = memstream_open(&text, &size);
        for (size_t i = 0; i < ch->a->n_accounts && r >= 0; i++)
                if (names_has(&ch->filter.accounts, ch->a->accounts[i]->name))
                        r = remove_from(ch, ch->a->accounts[i], gone);
        memstream_close(gone);
        coordinators_print(ch);
        if (r >= 0 && size)
                fprintf(ch->out, " Removed Coordinators (sub accounts not listed)...\n%s", text);
        return r < 0 ? r : size == 0;
}

/* Makes a user about to be deleted coordinator of no account. */
void acct_drop_coordinator(struct change *ch, const char *user) {
        for (size_t i = 0; i < ch->a->n_accounts; i++)
                (void)coordinator_set(ch, ch->a->accounts[i], user, false);
}
