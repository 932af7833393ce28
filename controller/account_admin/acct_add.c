/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding objects.  An account gets an association below its parent; a user gets an association in
   each account, or for each partition. */
#include "controller/account_admin/acct_change_private.h"
#include "controller/indexes/rank.h"

#define NAME_LENGTH_MAX 128

/* Names appear in lists, tables and on command lines. */
int name_check(const struct change *ch, const char *what, const char *name) {
        size_t n = strspn(name,
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@+");

        if (n == 0 || name[n] || n > NAME_LENGTH_MAX || *name == '-' || *name == '+')
                return fail_set(ch->fail, -EINVAL, "\"%.100s\" can not be the name of %s", name,
                                what);
        return 0;
}

char *name_small(const char *name) {
        char *text = xstrdup(name);

        for (char *p = text; *p; p++)
                *p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
        return text;
}

/* ---- QOS ---- */

static int add_one_qos(struct change *ch, const char *word, bool *first) {
        _cleanup_free_ char *name = name_small(word);
        _cleanup_(qos_freep) struct qos *blank = qos_new(0, name);
        int r = name_check(ch, "a QOS", name);

        if (r >= 0)
                r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_QOS] = blank });
        if (r < 0)
                return r;
        if (qos_find(ch->a, name)) {
                if (!ch->commit || !*first)
                        fprintf(ch->out, " This QOS %s already exists.  Not adding.\n", name);
                return 0;
        }
        fprintf(ch->out, "%s  %s\n", *first ? " Adding QOS(s)\n" : "", name);
        *first = false;
        if (!ch->commit)
                return 0;
        struct qos *q = qos_add(ch->a, ch->a->next_id, name);
        r = settings_apply(ch, ACCT_QOS, q);
        assert(r >= 0);
        acct_touch(ch->a, ACCT_QOS, NULL, q->id, false);
        return 0;
}

static bool change_sets_field(const struct change *ch, enum acct_table table, const char *name) {
        for (size_t i = 0; i < ch->n_settings; i++) {
                const struct acct_field *f = *ch->settings[i]->key
                                                             ? acct_field_find(table,
                                                                               ch->settings[i]->key)
                                                             : NULL;
                if (f && streq(f->name, name))
                        return true;
        }
        return false;
}

/* A setting of new objects, with the word printed for the setting, in the order of printing. */
struct told {
        const char *field, *word;
        const char *otherwise; /* printed if not requested */
};

static void print_settings(const struct change *ch, enum acct_table table, const void *like,
                const struct told *rows, size_t n, int width) {
        void *copy = acct_object_copy(table, like);
        int r = settings_apply(ch, table, copy);

        assert(r >= 0);
        for (size_t i = 0; i < n; i++) {
                bool given = change_sets_field(ch, table, rows[i].field);
                _cleanup_free_ char *text = given ? acct_field_text(ch->a,
                                                                    acct_field_find(table,
                                                                                    rows[i].field),
                                                                    copy)
                                                  : NULL;
                if (given || rows[i].otherwise)
                        fprintf(ch->out, "  %-*s= %s\n", width, rows[i].word,
                                        !given          ? rows[i].otherwise
                                        : isempty(text) ? "NONE"
                                                        : text);
        }
        acct_object_free(table, copy);
}

void print_assoc_settings(const struct change *ch, const char *parent) {
        const struct told rows[] = {
                { "Fairshare", "Fairshare", NULL },
                { "GrpCPUMins", "GrpCPUMins", NULL },
                { "GrpCPURunMins", "GrpCPURunMins", NULL },
                { "GrpCPUs", "GrpCPUs", NULL },
                { "GrpJobs", "GrpJobs", NULL },
                { "GrpJobsAccrue", "GrpJobsAccrue", NULL },
                { "GrpMem", "GrpMem", NULL },
                { "GrpNodes", "GrpNodes", NULL },
                { "GrpSubmitJobs", "GrpSubmitJobs", NULL },
                { "GrpTRES", "GrpTRES", NULL },
                { "GrpTRESMins", "GrpTRESMins", NULL },
                { "GrpTRESRunMins", "GrpTRESRunMins", NULL },
                { "GrpWall", "GrpWall", NULL },
                { "MaxCPUMinsPerJob", "MaxCPUMins", NULL },
                { "MaxCPUsPerJob", "MaxCPUs", NULL },
                { "MaxJobs", "MaxJobs", NULL },
                { "MaxJobsAccrue", "MaxJobsAccrue", NULL },
                { "MaxNodesPerJob", "MaxNodes", NULL },
                { "MaxSubmitJobs", "MaxSubmitJobs", NULL },
                { "MaxTRESPerJob", "MaxTRES", NULL },
                { "MaxTRESPerNode", "MaxTRESPerNode", NULL },
                { "MaxTRESMinsPerJob", "MaxTRESMins", NULL },
                { "MaxWallDurationPerJob", "MaxWall", NULL },
                { "MinPrioThreshold", "MinPrioThres", NULL },
                { "", "Parent", parent },
                { "Priority", "Priority", NULL },
                { "QOS", "QOS", NULL },
                { "DefaultQOS", "DefQOS", NULL },
        };

        print_settings(ch, ACCT_ASSOC, ch->a->root, rows, ELEMENTSOF(rows), 14);
}

static int acct_field_by_name(const void *a, const void *b) {
        const struct acct_field *const *x = a, *const *y = b;

        return strcmp((*x)->name, (*y)->name);
}

/* Prints the resulting settings sorted by name, the description first. */
static void print_qos_settings(const struct change *ch) {
        _cleanup_(qos_freep) struct qos *blank = qos_new(0, ch->filter.names.list[0]);
        size_t n, n_given = 0;
        const struct acct_field *fields = acct_fields(ACCT_QOS, &n);
        _cleanup_free_ const struct acct_field **given = xnew(const struct acct_field *, n);
        int r = settings_apply(ch, ACCT_QOS, blank);

        assert(r >= 0);
        for (size_t i = 0; i < n; i++)
                if (change_sets_field(ch, ACCT_QOS, fields[i].name) &&
                                !streq(fields[i].name, "Description"))
                        given[n_given++] = &fields[i];
        list_sort(given, n_given, sizeof given[0], acct_field_by_name);
        fprintf(ch->out, " Settings\n  Description    = %s\n", blank->description);
        for (size_t i = 0; i < n_given; i++) {
                _cleanup_free_ char *text = acct_field_text(ch->a, given[i], blank);
                fprintf(ch->out, "  %-24s = %s\n",
                                streq(given[i]->name, "MaxWallDurationPerJob") ? "MaxWall"
                                                                               : given[i]->name,
                                text);
        }
}

static int add_all_qos(struct change *ch) {
        bool first = true;
        int r = may_change(ch, ADMIN_ADMINISTRATOR);

        for (size_t i = 0; i < ch->filter.names.n && r >= 0; i++)
                r = add_one_qos(ch, ch->filter.names.list[i], &first);
        if (r < 0 || first)
                return r < 0 ? r : 1;
        print_qos_settings(ch);
        if (ch->commit)
                acct_bind_strays(ch->c);
        return 0;
}

/* ---- accounts ---- */

/* Sets *ret_parent to the parent account in the cluster now entered.  there: the parent may be
   missing here, as some cluster of the change has the parent; *ret_parent is NULL then. */
static int check_account(const struct change *ch, const char *name, bool there,
                struct assoc **ret_parent) {
        const struct names *parents = &ch->filter.parents;
        struct account blank = { .name = (char *)(uintptr_t)name };
        int r = name_check(ch, "an account", name);

        *ret_parent = parents->n ? assoc_find(ch->a, parents->list[0], NULL, NULL) : ch->a->root;
        if (r >= 0 && !*ret_parent && !there)
                r = fail_set(ch->fail, -ENOENT,
                                " Parent account '%s' doesn't exist on cluster %s\n        Contact your admin to add this account.",
                                parents->list[0], change_cluster(ch));
        if (r >= 0)
                r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_ACCOUNT] = &blank,
                                                       [ACCT_ASSOC] = ch->a->root });
        return r;
}

/* Texts about the new objects, collected while the objects are made. */
struct new_objects {
        struct names accounts;
        FILE *users, *assocs; /* lines to print */
        char *user_text, *assoc_text;
        size_t user_size, assoc_size;
};

static void new_objects_open(struct new_objects *new) {
        *new = (struct new_objects){ 0 };
        new->users = memstream_open(&new->user_text, &new->user_size);
        new->assocs = memstream_open(&new->assoc_text, &new->assoc_size);
}

static void new_objects_close(struct new_objects *new) {
        memstream_close(new->users);
        memstream_close(new->assocs);
}

static void new_objects_done(struct new_objects *new) {
        names_done(&new->accounts);
        free(new->user_text);
        free(new->assoc_text);
}

static void tell_assoc(struct change *ch, const struct new_objects *new, const struct assoc *s) {
        FILE *out = ch->out;

        ch->out = new->assocs;
        assoc_print_new(ch, s);
        ch->out = out;
}

static void make_account(struct change *ch, const char *name, struct assoc *parent) {
        struct account *account = account_find(ch->a, name);
        struct assoc *s = assoc_add(ch->a, ch->a->next_id, parent, name, NULL, NULL);
        bool new = !account;

        if (new)
                account = account_add(ch->a, name);
        if (new && parent->parent)
                free_and_strdup(&account->organization, parent->account);
        int r = new ? settings_apply(ch, ACCT_ACCOUNT, account) : 0;
        if (r >= 0)
                r = settings_apply(ch, ACCT_ASSOC, s);
        assert(r >= 0);
        if (new)
                acct_touch(ch->a, ACCT_ACCOUNT, name, 0, false);
        touch_assoc(ch, s, false);
}

static void print_accounts(const struct change *ch, const struct new_objects *new) {
        static const struct told rows[] = {
                { "Description", "Description", "Account Name" },
                { "Organization", "Organization", "Parent/Account Name" },
        };

        if (new->accounts.n) {
                fputs(" Adding Account(s)\n", ch->out);
                for (size_t i = 0; i < new->accounts.n; i++)
                        fprintf(ch->out, "  %s\n", new->accounts.list[i]);
                fputs(" Settings\n", ch->out);
                print_settings(ch, ACCT_ACCOUNT, &(struct account){ .name = new->accounts.list[0] },
                                rows, ELEMENTSOF(rows), 16);
        }
        fprintf(ch->out, " Associations\n%s", new->assoc_text);
        if (ch->n_settings == 0 && ch->filter.parents.n == 0)
                return;
        fputs(" Settings\n", ch->out);
        print_assoc_settings(ch,
                        ch->filter.parents.n ? ch->filter.parents.list[0] : ch->a->root->account);
}

/* True if a cluster of the change has the account. */
static bool change_has_account(struct change *ch, const char *account) {
        bool there = false;

        change_for_each_cluster(ch, k) {
                there |= assoc_find(ch->a, account, NULL, NULL) != NULL;
        }
        return there;
}

/* Adds an account's association in the cluster now entered. */
static int add_account(struct change *ch, struct new_objects *new, const char *name, bool there,
                bool *told) {
        struct assoc *parent;
        int r = check_account(ch, name, there, &parent);

        if (r >= 0 && parent)
                r = may_change_below(ch, parent);
        if (r < 0 || !parent || assoc_find(ch->a, name, NULL, NULL))
                return r;
        struct assoc blank = { .parent = parent, .account = (char *)(uintptr_t)name };
        if (account_find(ch->a, name))
                r = may_change_everywhere(ch, name, may_change_account);
        if (r >= 0)
                r = may_give_qos(ch, &blank);
        if (r >= 0)
                r = check_new_default_qos(ch, &blank);
        if (r < 0)
                return r;
        *told = true;
        tell_assoc(ch, new, &(struct assoc){ .account = (char *)(uintptr_t)name });
        if (!account_find(ch->a, name) && !names_says(&new->accounts, name))
                names_add(&new->accounts, name);
        if (ch->commit)
                make_account(ch, name, parent);
        return 0;
}

static int add_accounts(struct change *ch) {
        const struct names *parents = &ch->filter.parents;
        bool there = parents->n && change_has_account(ch, parents->list[0]);
        struct names looked_at = { 0 };
        struct new_objects new;
        int r = 0;

        new_objects_open(&new);
        for (size_t i = 0; i < ch->filter.names.n && r >= 0; i++) {
                _cleanup_free_ char *name = name_small(ch->filter.names.list[i]);
                bool told = false, again = names_says(&looked_at, name);
                change_for_each_cluster(ch, k) {
                        r = r < 0 || again ? r : add_account(ch, &new, name, there, &told);
                }
                if (r >= 0 && !told && !again)
                        fprintf(ch->out, " This account %s already exists.  Not adding.\n", name);
                names_add(&looked_at, name);
        }
        new_objects_close(&new);
        if (r >= 0 && new.assoc_size) {
                print_accounts(ch, &new);
                if (ch->commit)
                        acct_bind_strays(ch->c);
        } else if (r >= 0) {
                r = 1;
        }
        new_objects_done(&new);
        names_done(&looked_at);
        return r;
}

/* ---- users ---- */

static int check_new_user(const struct change *ch, const char *name) {
        struct acct_user blank = { .name = (char *)(uintptr_t)name };
        int r = name_check(ch, "a user", name);

        if (r >= 0)
                r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_USER] = &blank,
                                                       [ACCT_ASSOC] = ch->a->root });
        for (size_t i = 0; i < ch->n_settings && r >= 0; i++) {
                const struct acct_word *w = ch->settings[i];
                const struct acct_field *f = *w->key ? acct_field_find(ACCT_USER, w->key) : NULL;
                if (f && f->type == ACCT_ADMIN &&
                                acct_field_set(ch->a, f, &blank, '=', w->value, ch->fail) >= 0 &&
                                blank.admin > ch->req->level)
                        r = may_change(ch, ADMIN_LEVEL_MAX);
        }
        return r;
}

static void make_assoc(struct change *ch, const char *user, struct assoc *parent,
                const char *partition) {
        struct assoc *s = assoc_add(ch->a, ch->a->next_id, parent, parent->account, user,
                        partition);
        int r = settings_apply(ch, ACCT_ASSOC, s);

        assert(r >= 0);
        touch_assoc(ch, s, false);
}

/* Adds a user's association in the cluster now entered.  there: some cluster of the change has the
   account; clusters without the account are skipped. */
static int join_account(struct change *ch, struct new_objects *nu, const char *user,
                const char *account, bool there) {
        const struct names *parts = &ch->filter.partitions;
        struct assoc *parent = assoc_find(ch->a, account, NULL, NULL);

        if (!parent && there)
                return 0;
        if (!parent)
                return fail_set(ch->fail, -ENOENT,
                                " This account '%s' doesn't exist.\n        Contact your admin to add this account.",
                                account);
        struct assoc blank = { .parent = parent,
                .account = parent->account,
                .user = (char *)(uintptr_t)user };
        int r = may_change_below(ch, parent);
        if (r >= 0)
                r = may_give_qos(ch, &blank);
        for (size_t i = 0; i < MAX(parts->n, (size_t)1) && r >= 0; i++) {
                const char *partition = parts->n ? parts->list[i] : NULL;
                if (assoc_find(ch->a, account, user, partition))
                        continue;
                r = check_new_default_qos(ch, &blank);
                if (r < 0)
                        break;
                tell_assoc(ch, nu,
                                &(struct assoc){ .account = parent->account,
                                                .user = (char *)(uintptr_t)user,
                                                .partition = (char *)(uintptr_t)partition });
                if (ch->commit)
                        make_assoc(ch, user, parent, partition);
        }
        return r;
}

static int add_one_user(struct change *ch, struct new_objects *nu, const char *name) {
        struct names *accounts = &ch->filter.accounts;
        struct acct_user *user = acct_user_find(ch->a, name);
        int r = check_new_user(ch, name);

        if (r >= 0 && user && settings_any(ch, ACCT_USER))
                r = may_change(ch, ADMIN_OPERATOR);
        if (r < 0)
                return r;
        if (accounts->n == 0)
                return fail_set(ch->fail, -EINVAL, " Need name of account to add user to.");
        if (!user)
                fprintf(nu->users, "  %s\n", name);
        for (size_t i = 0; i < accounts->n && r >= 0; i++) {
                bool there = change_has_account(ch, accounts->list[i]);
                change_for_each_cluster(ch, k) {
                        r = r < 0 ? r : join_account(ch, nu, name, accounts->list[i], there);
                }
        }
        if (r < 0 || !ch->commit || (user && !settings_any(ch, ACCT_USER) && user->default_account))
                return r;
        if (!user)
                user = acct_user_add(ch->a, name);
        if (!user->default_account && filter_is_here(&ch->filter, ch->c))
                user->default_account = name_small(accounts->list[0]);
        r = settings_apply(ch, ACCT_USER, user);
        assert(r >= 0);
        acct_touch(ch->a, ACCT_USER, user->name, 0, false);
        return 0;
}

static void print_new_users(const struct change *ch, const struct new_objects *nu) {
        static const struct told rows[] = {
                { "DefaultAccount", "Default Account", NULL },
                { "AdminLevel", "Admin Level", NULL },
        };

        if (nu->user_size)
                fprintf(ch->out, " Adding User(s)\n%s", nu->user_text);
        if (nu->user_size && settings_any(ch, ACCT_USER)) {
                fputs(" Settings =\n", ch->out);
                print_settings(ch, ACCT_USER, &(struct acct_user){ .name = (char *)(uintptr_t) "" },
                                rows, ELEMENTSOF(rows), 16);
        }
        if (nu->assoc_size)
                fprintf(ch->out, " Associations =\n%s", nu->assoc_text);
        fputs(" Non Default Settings\n", ch->out);
        print_assoc_settings(ch, NULL);
}

/* DefaultAccount= adds the user to an account, like Account=. */
static void take_default_account(struct change *ch) {
        for (size_t i = 0; i < ch->n_settings; i++) {
                const struct acct_word *w = ch->settings[i];
                const struct acct_field *f = *w->key ? acct_field_find(ACCT_USER, w->key) : NULL;
                if (f && streq(f->name, "DefaultAccount") &&
                                !names_says(&ch->filter.accounts, w->value))
                        names_add(&ch->filter.accounts, w->value);
        }
}

static int add_users(struct change *ch) {
        struct new_objects nu;
        int r = 0;

        take_default_account(ch);
        new_objects_open(&nu);
        for (size_t i = 0; i < ch->filter.names.n && r >= 0; i++)
                r = add_one_user(ch, &nu, ch->filter.names.list[i]);
        new_objects_close(&nu);
        if (r >= 0 && (nu.user_size || nu.assoc_size)) {
                print_new_users(ch, &nu);
                if (ch->commit)
                        acct_bind_strays(ch->c);
        } else if (r >= 0) {
                r = 1;
        }
        new_objects_done(&nu);
        return r;
}

int acct_add_objects(struct change *ch) {
        static int (*const add[ENTITY_MAX])(struct change *) = {
                [ENTITY_QOS] = add_all_qos,
                [ENTITY_ACCOUNT] = add_accounts,
                [ENTITY_USER] = add_users,
                [ENTITY_CLUSTER] = acct_add_clusters,
                [ENTITY_COORDINATOR] = acct_add_coordinators,
        };

        if (!add[ch->req->entity])
                return fail_set(ch->fail, -EOPNOTSUPP,
                                "Associations are made by adding accounts and users");
        if (ch->filter.names.n == 0 && ch->req->entity != ENTITY_COORDINATOR)
                return fail_set(ch->fail, -EINVAL, " Need name of %s to add.",
                                ch->req->entity == ENTITY_QOS       ? "qos"
                                : ch->req->entity == ENTITY_ACCOUNT ? "account"
                                : ch->req->entity == ENTITY_USER    ? "user"
                                                                    : "cluster");
        return add[ch->req->entity](ch);
}
