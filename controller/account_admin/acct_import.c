/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr load.  The whole file is applied to a copy of the accounts first: an error is reported
 * with its line and changes nothing.  Then the changes are applied to the accounts. */
#include "controller/account_admin/acct_change_private.h"
#include "controller/account_admin/acct_file.h"
#include "controller/account_admin/acct_tables.h"
#include "controller/indexes/queue.h"
#include "controller/indexes/rank.h"
#include "controller/model/tres.h"
#include "lib/wordlist.h"

struct importing {
        struct change ch;
        const struct acct_import *import;
        const struct acct_file *file;
        const struct acct_line *line; /* the present line */
        size_t changes;
        /* Objects named by the file (object_name()); sorted when complete. */
        char **named;
        size_t n_named, a_named;
};

/* ---- changes ---- */

/* The object's values as a text, for comparison; the caller frees. */
static char *object_text(const struct acct *a, enum acct_table table, const void *object) {
        char **values = acct_table_values(a, table, object), *text = NULL;
        size_t n, size;
        FILE *out = memstream_open(&text, &size);

        (void)acct_table_columns(table, &n);
        for (size_t i = 0; i < n; i++) {
                fprintf(out, "%s\n", values[i]);
                free(values[i]);
        }
        free(values);
        memstream_close(out);
        return text;
}

static const char *acct_object_key(enum acct_table table, const void *object) {
        if (table == ACCT_ASSOC)
                return NULL;
        return table == ACCT_ACCOUNT ? ((const struct account *)object)->name
                                     : ((const struct acct_user *)object)->name;
}

/* Notes a change of the object, whose values were was; NULL: new.  Returns true if values
   differ. */
static bool note_change(struct importing *im, enum acct_table table, const void *object,
                const char *was) {
        _cleanup_free_ char *is = object_text(im->ch.a, table, object);

        if (was && streq(was, is))
                return false;
        acct_touch(im->ch.a, table, acct_object_key(table, object),
                        table == ACCT_ASSOC ? ((const struct assoc *)object)->id : 0, false);
        im->changes++;
        return true;
}

static void import_print_change(struct importing *im, bool new, const struct assoc *s) {
        fprintf(im->ch.out, new ? " Adding " : " Changing ");
        if (s->user)
                fprintf(im->ch.out, "user %s of account %s", s->user, s->account);
        else if (s->parent)
                fprintf(im->ch.out, "account %s of %s", s->account, s->parent->account);
        else
                fprintf(im->ch.out, "cluster %s", im->ch.c->config->cluster_name);
        if (s->partition)
                fprintf(im->ch.out, ", partition %s", s->partition);
        fputc('\n', im->ch.out);
}

/* ---- settings ---- */

static int import_apply(struct importing *im, void *const objects[ACCT_TABLE_MAX]) {
        int r = settings_check(&im->ch, objects);

        for (int t = 0; t < ACCT_TABLE_MAX && r >= 0; t++)
                if (objects[t])
                        r = settings_apply(&im->ch, (enum acct_table)t, objects[t]);
        return r;
}

/* ---- lines ---- */

static void note_named(struct importing *im, char *name) {
        GROW(im->named, im->a_named, im->n_named);
        im->named[im->n_named++] = name;
}

static char *object_name(const struct assoc *s) {
        return xasprintf("%s/%s/%s", s->account, strempty(s->user), strempty(s->partition));
}

static int import_cluster(struct importing *im) {
        const char *own = im->ch.c->config->cluster_name, *name = im->line->name;
        struct assoc *root = im->ch.a->root;
        _cleanup_free_ char *was = object_text(im->ch.a, ACCT_ASSOC, root);

        if (im->import->cluster)
                name = im->import->cluster;
        if (strcasecmp(name, own) != 0)
                return fail_set(im->ch.fail, -ENOENT,
                                "the accounts are those of cluster %s, not of %.100s; cluster=%s loads the file for it all the same",
                                own, name, own);
        int r = import_apply(im, (void *[ACCT_TABLE_MAX]){ [ACCT_ASSOC] = root });
        if (r >= 0 && note_change(im, ACCT_ASSOC, root, was))
                import_print_change(im, false, root);
        return r;
}

static int find_above(struct importing *im, struct assoc **ret) {
        *ret = assoc_find(im->ch.a, im->line->parent, NULL, NULL);
        if (*ret)
                return 0;
        return fail_set(im->ch.fail, -ENOENT,
                        "Parent - %.100s: there is no such account; one is defined before those below it",
                        im->line->parent);
}

static int import_move_assoc(struct importing *im, struct assoc *s, struct assoc *above) {
        if (!s->parent || s->parent == above)
                return 0;
        if (assoc_is_below(above, s))
                return fail_set(im->ch.fail, -EINVAL, "account %s can not be below %s", s->account,
                                above->account);
        assoc_move(&im->ch, s, above);
        return 0;
}

static int import_account(struct importing *im) {
        struct acct *a = im->ch.a;
        _cleanup_free_ char *name = name_small(im->line->name), *was = NULL, *was_own = NULL;
        struct account *account = account_find(a, name);
        struct assoc *above, *s = assoc_find(a, name, NULL, NULL);
        bool new = !s;
        int r = find_above(im, &above);

        if (r >= 0)
                r = name_check(&im->ch, "an account", name);
        if (r < 0)
                return r;
        if (account)
                was_own = object_text(a, ACCT_ACCOUNT, account);
        if (s)
                was = object_text(a, ACCT_ASSOC, s);
        else
                s = assoc_add(a, a->next_id, above, name, NULL, NULL);
        if (!account) {
                account = account_add(a, name);
                if (above->parent)
                        free_and_strdup(&account->organization, above->account);
        }
        r = import_move_assoc(im, s, above);
        if (r >= 0)
                r = import_apply(im, (void *[ACCT_TABLE_MAX]){ [ACCT_ACCOUNT] = account,
                                                     [ACCT_ASSOC] = s });
        if (r < 0)
                return r;
        note_named(im, object_name(s));
        bool changed = note_change(im, ACCT_ASSOC, s, was);
        if (note_change(im, ACCT_ACCOUNT, account, was_own) || changed)
                import_print_change(im, new, s);
        return 0;
}

/* Removes a word that is no setting from the settings and returns the value; NULL: no such word. */
static const char *import_pop_setting(struct importing *im, const char *name, size_t least) {
        struct change *ch = &im->ch;

        for (size_t i = 0; i < ch->n_settings; i++) {
                const struct acct_word *w = ch->settings[i];
                if (w->op != '=' || !key_is(w->key, name, least))
                        continue;
                memmove(&ch->settings[i], &ch->settings[i + 1],
                                (--ch->n_settings - i) * sizeof ch->settings[0]);
                return w->value;
        }
        return NULL;
}

static struct acct_user *import_add_user(struct importing *im, const struct assoc *above) {
        struct acct_user *user = acct_user_find(im->ch.a, im->line->name);

        if (!user)
                user = acct_user_add(im->ch.a, im->line->name);
        if (isempty(user->default_account))
                free_and_strdup(&user->default_account, above->account);
        return user;
}

static int import_user(struct importing *im) {
        struct acct *a = im->ch.a;
        const char *name = im->line->name, *partition = import_pop_setting(im, "Partition", 4);
        const struct acct_user *known = acct_user_find(a, name);
        _cleanup_free_ char *was = NULL, *was_own = known ? object_text(a, ACCT_USER, known) : NULL;
        struct assoc *above, *s;
        int r = find_above(im, &above);

        if (r >= 0)
                r = name_check(&im->ch, "a user", name);
        if (r >= 0 && known && !streq(known->name, name))
                return fail_set(im->ch.fail, -EINVAL, "User - %.100s: that user is known as %s",
                                name, known->name);
        if (r >= 0 && !isempty(partition))
                r = name_check(&im->ch, "a partition", partition);
        if (r < 0)
                return r;
        (void)import_pop_setting(im, "Coordinator", 2);
        struct acct_user *user = import_add_user(im, above);
        s = assoc_find(a, above->account, name, partition);
        bool new = !s;
        if (new)
                s = assoc_add(a, a->next_id, above, above->account, name, partition);
        else
                was = object_text(a, ACCT_ASSOC, s);
        r = import_apply(im, (void *[ACCT_TABLE_MAX]){ [ACCT_USER] = user, [ACCT_ASSOC] = s });
        if (r < 0)
                return r;
        user = import_add_user(im, above); /* sets a default account if the line cleared it */
        note_named(im, object_name(s));
        bool changed = note_change(im, ACCT_ASSOC, s, was);
        if (note_change(im, ACCT_USER, user, was_own) || changed)
                import_print_change(im, new, s);
        return 0;
}

static void import_set_line(struct importing *im, const struct acct_line *line) {
        im->line = line;
        im->ch.n_settings = 0;
        im->ch.settings = xrenew(im->ch.settings, line->n + 1);
        for (size_t i = 0; i < line->n; i++)
                im->ch.settings[im->ch.n_settings++] = &line->words[i];
}

/* ---- coordinators, and checks after all lines ---- */

static int import_coordinators(struct importing *im) {
        struct acct *a = im->ch.a;
        const struct acct_user *user = acct_user_find(a, im->line->name);

        for_each_word(w, import_pop_setting(im, "Coordinator", 2), ",") {
                struct account *account = account_find(a, w);
                if (!account)
                        return fail_set(im->ch.fail, -ENOENT,
                                        "Coordinator=%.100s: there is no such account", w);
                if (!account_coordinate(account, user->name, true))
                        continue;
                acct_touch(a, ACCT_ACCOUNT, account->name, 0, false);
                im->changes++;
                fprintf(im->ch.out, " Adding coordinator %s of account %s\n", user->name,
                                account->name);
        }
        return 0;
}

/* Checks that the objects of a line still exist: an account not named by the file was removed with
   all accounts and users below. */
static int check_there(struct importing *im) {
        const struct acct_line *l = im->line;
        const char *partition = import_pop_setting(im, "Partition", 4);
        _cleanup_free_ char *account = name_small(l->entity == ENTITY_USER ? l->parent : l->name);

        if (l->entity == ENTITY_CLUSTER ||
                        assoc_find(im->ch.a, account, l->entity == ENTITY_USER ? l->name : NULL,
                                        partition))
                return 0;
        return fail_set(im->ch.fail, -ENOENT,
                        "Parent - %.100s: the file has no line \"Account - %.100s\"", l->parent,
                        l->parent);
}

static int check_default_account(struct importing *im) {
        const struct acct_user *user = acct_user_find(im->ch.a, im->line->name);

        if (assoc_is_in(im->ch.a, user->default_account, user->name))
                return 0;
        return fail_set(im->ch.fail, -ENOENT,
                        "DefaultAccount=%.100s: user %s has no association with it",
                        user->default_account, user->name);
}

/* Checks that default QOS are allowed; a default disallowed before the import may stay. */
static int import_check_default_qos(struct importing *im, const struct acct *before) {
        for (size_t i = 0; i < im->ch.a->n_assocs; i++) {
                const struct assoc *s = im->ch.a->assocs[i];
                const struct assoc *old = assoc_find(before, s->account, s->user, s->partition);
                uint32_t id = default_out_of_reach(im->ch.a, s);
                if (!id || (old && default_out_of_reach(before, old) == id))
                        continue;
                return fail_set(im->ch.fail, -EINVAL,
                                "DefaultQOS=%s of account %s%s%s is not among its QOS",
                                qos_by_id(im->ch.a, id)->name, s->account, s->user ? ", user " : "",
                                strempty(s->user));
        }
        return 0;
}

/* ---- objects not named by the file ---- */

static int by_text(const void *x, const void *y) {
        return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The root account and its user root always count as named. */
static bool import_names_assoc(const struct importing *im, const struct assoc *s) {
        _cleanup_free_ char *name = object_name(s);

        return !s->parent || (s->parent == im->ch.a->root && s->user && streq(s->user, "root")) ||
               list_search(&name, im->named, im->n_named, sizeof im->named[0], by_text);
}

static void remove_others(struct importing *im) {
        struct acct *a = im->ch.a;

        list_sort(im->named, im->n_named, sizeof im->named[0], by_text);
        for (size_t i = 0; i < a->n_assocs;) {
                struct assoc *s = a->assocs[i];
                if (import_names_assoc(im, s)) {
                        i++;
                        continue;
                }
                fprintf(im->ch.out,
                                s->user ? " Removing user %s of account %s\n"
                                        : " Removing account %s of %s\n",
                                s->user ? s->user : s->account,
                                s->user ? s->account : s->parent->account);
                im->changes++;
                i = s->user ? i : 0; /* every index has changed */
                remove_below(&im->ch, s);
        }
        for (size_t i = a->n_users; i-- > 0;) {
                bool left = streq(a->users[i]->name, "root");
                for (size_t k = 0; k < a->n_assocs && !left; k++)
                        left = a->assocs[k]->user && streq(a->assocs[k]->user, a->users[i]->name);
                if (!left)
                        remove_user(&im->ch, a->users[i]);
        }
}

static void clear_settings(struct importing *im, enum acct_table table, void *object) {
        struct acct *a = im->ch.a;
        size_t n;
        const struct acct_field *fields = acct_fields(table, &n);
        _cleanup_free_ char *was = object_text(a, table, object);

        for (size_t i = 0; i < n; i++) {
                if (!fields[i].column)
                        continue;
                const char *none = fields[i].type == ACCT_ADMIN ? admin_level_text(ADMIN_NONE) : "";
                int r = acct_field_set(a, &fields[i], object, '=', none, NULL);
                assert(r >= 0);
        }
        while (table == ACCT_ACCOUNT && ((struct account *)object)->n_coordinators)
                (void)account_coordinate(object, ((struct account *)object)->coordinators[0],
                                false);
        if (object == a->root) /* a new root has only normal: an empty set would allow any QOS */
                qos_set_put(&a->root->qos, qos_find(a, "normal")->id, true);
        (void)note_change(im, table, object, was);
}

/* Unsets all settings before the file is applied, except those of the user root and of the account
   root. */
static void clear_all(struct importing *im) {
        struct acct *a = im->ch.a;

        for (size_t i = 0; i < a->n_accounts; i++)
                if (!streq(a->accounts[i]->name, a->root->account))
                        clear_settings(im, ACCT_ACCOUNT, a->accounts[i]);
        for (size_t i = 0; i < a->n_assocs; i++)
                clear_settings(im, ACCT_ASSOC, a->assocs[i]);
        for (size_t i = 0; i < a->n_users; i++)
                if (!streq(a->users[i]->name, "root"))
                        clear_settings(im, ACCT_USER, a->users[i]);
}

/* Unfinished jobs keep their associations.  after: the accounts after the import. */
static int check_removed(const struct change *now, const struct acct *after) {
        for (size_t i = 0; i < now->a->n_assocs; i++) {
                const struct assoc *s = now->a->assocs[i];
                int r = assoc_find(after, s->account, s->user, s->partition)
                                        ? 0
                                        : check_unused(now, s, NULL);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* ---- the import ---- */

static int for_lines(struct importing *im, bool users, int (*run)(struct importing *im)) {
        int r = 0;

        for (size_t i = 0; i < im->file->n && r >= 0; i++) {
                if (users && im->file->lines[i].entity != ENTITY_USER)
                        continue;
                import_set_line(im, &im->file->lines[i]);
                r = run(im);
                if (r < 0)
                        fail_prefix(im->ch.fail, r, "line %u", im->line->number);
        }
        return r;
}

static int import_line(struct importing *im) {
        return im->line->entity == ENTITY_CLUSTER   ? import_cluster(im)
               : im->line->entity == ENTITY_ACCOUNT ? import_account(im)
                                                    : import_user(im);
}

static int import_run(struct importing *im, const struct acct *before) {
        if (im->import->clean)
                clear_all(im);
        int r = for_lines(im, false, import_line);
        if (r >= 0)
                r = for_lines(im, true, import_coordinators);
        if (r >= 0 && im->import->clean)
                remove_others(im);
        if (r >= 0 && im->import->clean)
                r = for_lines(im, false, check_there);
        if (r >= 0)
                r = for_lines(im, true, check_default_account);
        if (r >= 0 && before)
                r = import_check_default_qos(im, before);
        return r;
}

static void importing_done(struct importing *im) {
        texts_free(im->named, im->n_named);
        free(im->ch.settings);
}

static int rows_of(void *source, const char *name, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail) {
        const struct acct *a = source;
        const struct {
                void *const *list;
                size_t n;
        } objects[ACCT_TABLE_MAX] = {
                [ACCT_QOS] = { (void *const *)a->qos, a->n_qos },
                [ACCT_ACCOUNT] = { (void *const *)a->accounts, a->n_accounts },
                [ACCT_USER] = { (void *const *)a->users, a->n_users },
                [ACCT_ASSOC] = { (void *const *)a->assocs, a->n_assocs },
        };
        int t = 0, r = 0;

        while (!streq(acct_table_name((enum acct_table)t), name))
                t++;
        for (size_t i = 0; t < ACCT_TABLE_MAX && i < objects[t].n && r >= 0; i++) {
                char **values = acct_table_values(a, (enum acct_table)t, objects[t].list[i]);
                r = row((const char *const *)values, user);
                texts_free(values, n);
        }
        return r;
}

/* A cluster that has only a copy of c's accounts, without nodes and jobs. */
static struct cluster *trial_new(const struct cluster *c) {
        struct cluster *trial = xnew0(struct cluster, 1);
        struct fail fail = { 0 };

        trial->config = c->config;
        follows_begin(trial);
        acct_init(&trial->acct);
        int r = tres_names_add(&trial->acct.tres, c->config->tracked, &fail);
        if (r >= 0)
                r = acct_read(trial, rows_of, (void *)(uintptr_t)&c->acct, &fail);
        assert(r >= 0);
        acct_clean(&trial->acct);
        return trial;
}

static void trial_free(struct cluster **trial) {
        if (!*trial)
                return;
        acct_done(&(*trial)->acct);
        follows_done(*trial);
        free(*trial);
}

/* Returns 0 if the import is possible and changes something; 1: no changes. */
static int try_out(const struct importing *im, const struct cluster *c) {
        _cleanup_(trial_free) struct cluster *trial = trial_new(c);
        struct importing on_trial = *im;

        on_trial.ch.c = trial;
        on_trial.ch.a = &trial->acct;
        int r = import_run(&on_trial, &c->acct);
        if (r >= 0)
                r = check_removed(&im->ch, &trial->acct);
        _cleanup_free_ char *was = acct_dump(c), *is = acct_dump(trial);
        importing_done(&on_trial);
        return r < 0 ? r : on_trial.changes == 0 || streq(was, is);
}

static void import_update_jobs(struct cluster *c) {
        acct_bind_strays(c);
        if (c->config->preempt_type == PREEMPT_QOS)
                cluster_queue_resort(c);
        note(c, FACT_LIMIT_ROOM);
        note(c, FACT_LIMITS_CHANGED);
}

int acct_import(struct cluster *c, const struct acct_import *import, char **ret_text,
                struct fail *fail) {
        const struct acct_request req = {
                .user = import->user,
                .level = import->level,
                .commit = true,
        };
        struct acct_file file;
        struct importing im = {
                .ch = { .c = c, .a = &c->acct, .req = &req, .fail = fail, .commit = true },
                .import = import,
                .file = &file
        };
        _cleanup_free_ char *tried = NULL;
        size_t size;

        *ret_text = NULL;
        int r = acct_file_parse(import->text, import->size, &file, fail);
        im.ch.out = memstream_open(&tried, &size);
        if (r >= 0)
                r = may_change(&im.ch, ADMIN_ADMINISTRATOR);
        if (r >= 0)
                r = try_out(&im, c);
        memstream_close(im.ch.out);
        if (r == 0 && import->commit) {
                char *text = NULL;
                im.ch.out = memstream_open(&text, &size);
                r = import_run(&im, NULL);
                assert(r >= 0);
                memstream_close(im.ch.out);
                free(text);
                import_update_jobs(c);
        }
        *ret_text = r < 0 ? xstrdup("") : TAKE(tried);
        importing_done(&im);
        acct_file_done(&file);
        return r;
}
