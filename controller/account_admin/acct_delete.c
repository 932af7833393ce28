/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr delete qos, account and user.
 *
 * Before any object is removed, all obstacles are checked and the objects to delete are printed.
 * Clusters and coordinators are deleted in acct_clusters.c and acct_coordinators.c. */
#include "controller/account_admin/acct_change_private.h"

/* ---- QOS ---- */

/* Unfinished jobs keep their association and QOS. */
int check_unused(const struct change *ch, const struct assoc *s, const struct qos *q) {
        if ((s ? s->used.submitted : q ? q->all.submitted : 0) == 0)
                return 0;
        for (size_t i = 0; i < ch->c->n_jobs; i++) {
                const struct job *j = ch->c->jobs[i].job;
                if (!j || job_is_finished(j) ||
                                (s ? !assoc_is_below(j->accounting.assoc, s)
                                   : j->accounting.qos != q))
                        continue;
                return fail_set(ch->fail, -EBUSY,
                                " Error with request: Job(s) active, cancel job(s) before remove\n  JobID = %-10u C = %-10s A = %-10s U = %-9s",
                                j->id, change_cluster(ch), strempty(j->asked.account), j->user);
        }
        return 0;
}

static int check_no_default(const struct change *ch, const struct qos *q) {
        for (size_t i = 0; i < ch->a->n_assocs; i++) {
                const struct assoc *s = ch->a->assocs[i];
                if (s->default_qos == q->id)
                        return fail_set(ch->fail, -EBUSY,
                                        " Associations listed below have these as their Default QOS.\n"
                                        "  DefQOS = %-10s C = %-10s A = %-20s U = %-9s\n"
                                        " Please either remove the qos' listed above from list and resubmit,\n"
                                        " or change the default qos to remove the qos.",
                                        q->name, change_cluster(ch), s->account, strempty(s->user));
        }
        return 0;
}

static int check_qos_free(struct change *ch, const struct qos *q) {
        if (streq(q->name, "normal"))
                return fail_set(ch->fail, -EINVAL, "The QOS normal can not be deleted");
        for (size_t i = 0; i < ch->c->n_partitions; i++)
                if (ch->c->partitions[i]->qos == q)
                        return fail_set(ch->fail, -EBUSY, "Partition %s has the QOS %s",
                                        ch->c->partitions[i]->name, q->name);
        int r = check_unused(ch, NULL, q);

        change_for_each_cluster(ch, k) {
                r = r < 0 ? r : check_no_default(ch, q);
        }
        return r;
}

/* Objects naming the QOS must be stored again. */
static void remove_qos(struct change *ch, struct qos *q) {
        struct acct *a = ch->a;

        for (size_t i = 0; i < a->n_qos; i++)
                if (qos_set_has(a->qos[i]->preempt, q->id))
                        acct_touch(a, ACCT_QOS, NULL, a->qos[i]->id, false);
        change_for_each_cluster(ch, k) {
                for (size_t i = 0; i < a->n_assocs; i++)
                        if (qos_set_has(a->assocs[i]->qos, q->id) ||
                                        a->assocs[i]->default_qos == q->id)
                                touch_assoc(ch, a->assocs[i], false);
        }
        acct_touch(a, ACCT_QOS, NULL, q->id, true);
        acct_unbind(ch->c, NULL, q);
        qos_remove(a, q);
}

int acct_delete_qos(struct change *ch) {
        bool first = true;
        int r = may_change(ch, ADMIN_ADMINISTRATOR);

        for (size_t i = 0; i < ch->a->n_qos && r >= 0; i++) {
                if (!names_says(&ch->filter.names, ch->a->qos[i]->name))
                        continue;
                r = check_qos_free(ch, ch->a->qos[i]);
                fprintf(ch->out, "%s  %s\n", first ? " Deleting QOS(s)...\n" : "",
                                ch->a->qos[i]->name);
                first = false;
        }
        for (size_t i = ch->a->n_qos; i-- > 0 && r >= 0 && ch->commit;)
                if (names_says(&ch->filter.names, ch->a->qos[i]->name))
                        remove_qos(ch, ch->a->qos[i]);
        return r < 0 ? r : first;
}

/* ---- accounts ---- */

static void remove_assoc(struct change *ch, struct assoc *s) {
        touch_assoc(ch, s, true);
        acct_unbind(ch->c, s, NULL);
        assoc_remove(ch->a, s);
}

static void remove_account(struct change *ch, struct account *account) {
        if (!account)
                return;
        acct_touch(ch->a, ACCT_ACCOUNT, account->name, 0, true);
        account_remove(ch->a, account);
}

/* Removes users and accounts below first.  An account is deleted with its last association in any
   cluster. */
void remove_below(struct change *ch, struct assoc *s) {
        for (size_t i = 0; i < ch->a->n_assocs && s->n_children;) {
                struct assoc *child = ch->a->assocs[i];
                if (child->parent != s) {
                        i++;
                } else if (child->user) {
                        remove_assoc(ch, child);
                } else {
                        remove_below(ch, child);
                        i = 0; /* every index has changed */
                }
        }
        _cleanup_free_ char *name = xstrdup(s->account);
        remove_assoc(ch, s);
        if (!acct_has_assoc(ch->a, name, false))
                remove_account(ch, account_find(ch->a, name));
}

/* Clears the default account of users without an association with it. */
static void settle_defaults(struct change *ch) {
        assert(!ch->a->entered);
        for (size_t i = 0; i < ch->a->n_users; i++) {
                struct acct_user *user = ch->a->users[i];
                if (!user->default_account ||
                                assoc_find(ch->a, user->default_account, user->name, NULL))
                        continue;
                free_and_strdup(&user->default_account, NULL);
                acct_touch(ch->a, ACCT_USER, user->name, 0, false);
        }
}

static bool assoc_is_default(const struct change *ch, const struct assoc *s) {
        const struct acct_user *user = ch->a->entered ? NULL : acct_user_find(ch->a, s->user);

        return user && user->default_account &&
               strcasecmp(user->default_account, s->account) == 0 && !s->partition;
}

/* True if the association is at or below an account to be deleted. */
static bool assoc_is_deleted(const struct change *ch, const struct assoc *s) {
        while (s && !names_says(&ch->filter.names, s->account))
                s = s->parent;
        return s;
}

/* Refuses to delete a user's default account if the user keeps other associations. */
static int check_defaults(const struct change *ch, const struct assoc *account) {
        for (size_t i = 0; i < ch->a->n_assocs; i++) {
                const struct assoc *s = ch->a->assocs[i];
                if (s->parent != account || !s->user || !assoc_is_default(ch, s))
                        continue;
                for (size_t k = 0; k < ch->a->n_assocs; k++) {
                        const struct assoc *other = ch->a->assocs[k];
                        if (other->user && streq(other->user, s->user) &&
                                        !assoc_is_deleted(ch, other))
                                return fail_set(ch->fail, -EBUSY,
                                                " Error with request: You can not remove the default account of a user\n"
                                                "  C = %-15s A = %-10s U = %-9s\n"
                                                " Please either remove the accounts listed above from list and resubmit,\n"
                                                " or change these users' default accounts to remove the account(s).",
                                                change_cluster(ch), s->account, s->user);
                }
        }
        return 0;
}

/* Prints the association with its users, if the request names clusters. */
static void tell_assocs(const struct change *ch, const struct assoc *account, bool first) {
        fputs(first ? " Deleting account associations...\n" : "", ch->out);
        assoc_print(ch, account);
        for (size_t i = 0; i < ch->a->n_assocs; i++)
                if (ch->a->assocs[i]->user && ch->a->assocs[i]->parent == account)
                        assoc_print(ch, ch->a->assocs[i]);
}

/* Checks that the named accounts, and all accounts below, may be deleted in the cluster now
   entered, and prints the objects to delete. */
static int check_accounts_free(struct change *ch, bool *first) {
        int r = 0;

        for (size_t i = 0; i < ch->a->n_accounts && r >= 0; i++) {
                struct account *account = ch->a->accounts[i];
                struct assoc *s = assoc_find(ch->a, account->name, NULL, NULL);
                if (!assoc_is_deleted(ch, s))
                        continue;
                r = may_change_account(ch, s);
                if (r < 0)
                        break;
                r = check_unused(ch, s, NULL);
                if (r >= 0)
                        r = check_defaults(ch, s);
                if (change_names_clusters(ch)) {
                        tell_assocs(ch, s, *first);
                } else if (!names_says(&ch->told, account->name)) {
                        fprintf(ch->out, "%s  %s\n", *first ? " Deleting accounts...\n" : "",
                                        account->name);
                        names_add(&ch->told, account->name);
                }
                *first = false;
        }
        return r;
}

/* Deletes named accounts that are in no cluster, after their clusters were deleted. */
static int delete_bare_accounts(struct change *ch, bool *first) {
        int r = 0;

        for (size_t i = ch->a->n_accounts; i-- > 0 && r >= 0 && !change_names_clusters(ch);) {
                struct account *account = ch->a->accounts[i];
                if (!names_says(&ch->filter.names, account->name) ||
                                acct_has_assoc(ch->a, account->name, false))
                        continue;
                r = may_change(ch, ADMIN_OPERATOR);
                fprintf(ch->out, "%s  %s\n", *first ? " Deleting accounts...\n" : "",
                                account->name);
                *first = false;
                if (ch->commit && r >= 0)
                        remove_account(ch, account);
        }
        return r;
}

int acct_delete_accounts(struct change *ch) {
        bool first = true;
        int r = names_says(&ch->filter.names, ch->a->root->account)
                                ? fail_set(ch->fail, -EINVAL,
                                                  " You are not allowed to remove the root account.")
                                : 0;

        change_for_each_cluster(ch, k) {
                r = r < 0 ? r : check_accounts_free(ch, &first);
        }
        if (r >= 0)
                r = delete_bare_accounts(ch, &first);
        if (r < 0 || !ch->commit)
                return r < 0 ? r : first;
        change_for_each_cluster(ch, k) {
                for (size_t i = 0; i < ch->filter.names.n; i++) {
                        struct assoc *s = assoc_find(ch->a, ch->filter.names.list[i], NULL, NULL);
                        if (s)
                                remove_below(ch, s);
                }
        }
        settle_defaults(ch);
        return first;
}

/* ---- users ---- */

static void assoc_print_gone(const struct change *ch, const struct assoc *s) {
        fprintf(ch->out, "  C = %-10s A = %-10s U = %-9s", change_cluster(ch), s->account, s->user);
        if (s->partition)
                fprintf(ch->out, " P = %s", s->partition);
        fputc('\n', ch->out);
}

/* Checks the associations to delete.  some: single associations, which are printed; else the users
   with all their associations (no account or partition named). */
static int check_users_free(struct change *ch, bool some, bool *first) {
        int r = 0;

        for (size_t i = 0; i < ch->a->n_assocs && r >= 0; i++) {
                const struct assoc *s = ch->a->assocs[i];
                if (!s->user || !filter_takes_assoc(&ch->filter, ENTITY_USER, s))
                        continue;
                if (streq(s->user, "root") && s->parent == ch->a->root)
                        return fail_set(ch->fail, -EINVAL, "The user root can not be deleted");
                r = may_change_below(ch, s);
                if (r >= 0)
                        r = check_unused(ch, s, NULL);
                if (!some)
                        continue;
                fputs(*first ? " Deleting user associations...\n" : "", ch->out);
                *first = false;
                assoc_print_gone(ch, s);
                for (size_t k = 0; k < ch->a->n_assocs && r >= 0 && assoc_is_default(ch, s); k++) {
                        const struct assoc *other = ch->a->assocs[k];
                        if (other->user && streq(other->user, s->user) &&
                                        !filter_takes_assoc(&ch->filter, ENTITY_USER, other))
                                r = fail_set(ch->fail, -EINVAL,
                                                "You can not remove the default account of a user\n  U = %-9s A = %s",
                                                s->user, s->account);
                }
        }
        return r;
}

/* Counts the user's associations in all clusters to be deleted, and to be kept. */
static void count_assocs(struct change *ch, const char *user, size_t *gone, size_t *left) {
        *gone = *left = 0;
        for (size_t i = 0; i <= ch->a->n_clusters; i++) {
                bool here = filter_has_cluster(&ch->filter, ch->c, i);
                acct_enter(ch->a, i ? ch->a->clusters[i - 1] : NULL);
                for (size_t k = 0; k < ch->a->n_assocs; k++) {
                        const struct assoc *s = ch->a->assocs[k];
                        if (s->user && streq(s->user, user))
                                ++*(here && filter_takes_assoc(&ch->filter, ENTITY_USER, s) ? gone
                                                                                            : left);
                }
        }
        acct_enter(ch->a, NULL);
}

/* Deletes users whose last association is deleted. */
static void delete_bare_users(struct change *ch) {
        bool first = true;

        for (size_t i = ch->a->n_users; i-- > 0;) {
                struct acct_user *user = ch->a->users[i];
                size_t gone, left;
                count_assocs(ch, user->name, &gone, &left);
                if (!gone || left)
                        continue;
                fprintf(ch->out, "%s  %s\n", first ? " Deleting users (No Associations)...\n" : "",
                                user->name);
                first = false;
                if (ch->commit)
                        names_add(&ch->bare, user->name);
        }
}

void remove_user(struct change *ch, struct acct_user *user) {
        acct_drop_coordinator(ch, user->name);
        acct_touch(ch->a, ACCT_USER, user->name, 0, true);
        acct_user_remove(ch->a, user);
}

int acct_delete_users(struct change *ch) {
        bool first = true,
             some = ch->filter.accounts.n || ch->filter.partitions.n || change_names_clusters(ch);
        int r = 0;

        change_for_each_cluster(ch, k) {
                r = r < 0 ? r : check_users_free(ch, some, &first);
        }

        for (size_t i = 0; i < ch->a->n_users && r >= 0 && !some; i++)
                if (names_says(&ch->filter.names, ch->a->users[i]->name)) {
                        fprintf(ch->out, "%s  %s\n", first ? " Deleting users...\n" : "",
                                        ch->a->users[i]->name);
                        first = false;
                        if (ch->a->users[i]->admin > ch->req->level)
                                r = may_change(ch, ADMIN_LEVEL_MAX);
                        else if (!acct_has_assoc(ch->a, ch->a->users[i]->name, true))
                                r = may_change(ch, ADMIN_OPERATOR);
                }
        if (r >= 0 && some)
                delete_bare_users(ch);
        if (r < 0 || !ch->commit)
                return r < 0 ? r : first;
        change_for_each_cluster(ch, k) {
                for (size_t i = ch->a->n_assocs; i-- > 0;)
                        if (ch->a->assocs[i]->user && filter_takes_assoc(&ch->filter, ENTITY_USER,
                                                                      ch->a->assocs[i]))
                                remove_assoc(ch, ch->a->assocs[i]);
        }
        for (size_t i = ch->a->n_users; i-- > 0;)
                if (some ? names_says(&ch->bare, ch->a->users[i]->name)
                         : names_says(&ch->filter.names, ch->a->users[i]->name))
                        remove_user(ch, ch->a->users[i]);
        settle_defaults(ch);
        return first;
}
