/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of sacctmgr.
 *
 * The words of a request are divided into a filter (the objects) and settings (the new values).
 * Each setting is tried on a copy of each object, so that an invalid one is refused before any
 * change; then, with commit, all changes are made. */
#include "controller/account_admin/acct_change_private.h"

#include "controller/indexes/queue.h"
#include "lib/wordlist.h"

/* ---- names and filters ---- */

void names_add(struct names *n, const char *list) {
        texts_add_words(&n->list, &n->n, list, ",");
}

/* Empties the list. */
static void names_clear(struct names *n) {
        for (size_t i = 0; i < n->n; i++)
                free(n->list[i]);
        n->n = 0;
}

void names_done(struct names *n) {
        names_clear(n);
        free(n->list);
}

bool names_says(const struct names *n, const char *name) {
        for (size_t i = 0; i < n->n; i++)
                if (strcasecmp(n->list[i], strempty(name)) == 0)
                        return true;
        return false;
}

bool names_has(const struct names *n, const char *name) {
        return n->n == 0 || names_says(n, name);
}

void filter_done(struct filter *f) {
        struct names *const all[] = {
                &f->names,
                &f->accounts,
                &f->users,
                &f->partitions,
                &f->clusters,
                &f->parents,
                &f->qos,
                &f->default_qos,
                &f->ids,
        };

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                names_done(all[i]);
}

bool key_is(const char *key, const char *name, size_t least) {
        size_t n = strlen(key);

        return n >= least && n <= strlen(name) && strncasecmp(key, name, n) == 0;
}

/* The list of the filter for key; NULL: none.  "name=x" is the name of a user; associations have no
   name. */
static struct names *filter_names(struct filter *f, enum acct_entity entity, const char *key) {
        bool assoc = entity == ENTITY_ASSOC || entity == ENTITY_ACCOUNT || entity == ENTITY_USER ||
                     entity == ENTITY_COORDINATOR;

        if (!*key || key_is(key, "Names", 1))
                return entity == ENTITY_ASSOC ? NULL : &f->names;
        if (key_is(key, "Clusters", 3))
                return entity == ENTITY_CLUSTER ? &f->names : &f->clusters;
        if (key_is(key, "Accounts", 2))
                return entity == ENTITY_ACCOUNT ? &f->names : assoc ? &f->accounts : NULL;
        if (key_is(key, "Users", 1))
                return entity == ENTITY_USER || entity == ENTITY_COORDINATOR ? &f->names
                       : assoc                                               ? &f->users
                                                                             : NULL;
        if (key_is(key, "Partitions", 4) && assoc)
                return &f->partitions;
        if (key_is(key, "Parent", 4) && !key_is(key, "Partitions", 4) && assoc)
                return &f->parents;
        return NULL;
}

int filter_take(struct filter *f, enum acct_entity entity, const struct acct_word *w) {
        if (w->op != '=' || (!*w->key && !*w->value))
                return 0;
        struct names *to = filter_names(f, entity, w->key);
        if (!to)
                return 0;
        names_add(to, w->value);
        return 1;
}

bool filter_has_cluster(const struct filter *f, const struct cluster *c, size_t i) {
        return names_has(&f->clusters, i ? c->acct.clusters[i - 1]->name : c->config->cluster_name);
}

bool filter_is_here(const struct filter *f, const struct cluster *c) {
        return filter_has_cluster(f, c, 0);
}

/* ---- the clusters of a change ---- */

bool change_enter(struct change *ch, size_t i) {
        bool here = filter_has_cluster(&ch->filter, ch->c, i);

        if (here)
                acct_enter(ch->a, i ? ch->a->clusters[i - 1] : NULL);
        return here;
}

const char *change_cluster(const struct change *ch) {
        return ch->a->entered ? ch->a->entered->name : ch->c->config->cluster_name;
}

void touch_assoc(struct change *ch, const struct assoc *s, bool removed) {
        acct_touch(ch->a, ch->a->entered ? ACCT_FAR_ASSOC : ACCT_ASSOC, NULL, s->id, removed);
}

bool change_names_clusters(const struct change *ch) {
        return ch->filter.clusters.n && ch->a->n_clusters;
}

/* True if the filter has the account of s or, with subaccounts, an account above. */
static bool takes_account(const struct filter *f, const struct assoc *s) {
        do
                if (names_has(&f->accounts, s->account))
                        return true;
        while (f->with_sub && (s = s->parent));
        return false;
}

bool filter_takes_assoc(const struct filter *f, enum acct_entity entity, const struct assoc *s) {
        if (entity == ENTITY_ACCOUNT && !names_has(&f->names, s->account))
                return false;
        if (entity == ENTITY_USER && (!s->user || !names_has(&f->names, s->user)))
                return false;
        return takes_account(f, s) && names_has(&f->users, s->user) &&
               names_has(&f->partitions, s->partition) &&
               names_has(&f->parents, s->parent ? s->parent->account : "");
}

/* ---- settings ---- */

/* Applies w as a setting of the table; -ENOENT: no such setting. */
static int setting_try(const struct change *ch, enum acct_table table, const struct acct_word *w,
                void *object) {
        const struct acct_field *f = *w->key ? acct_field_find(table, w->key) : NULL;

        return f ? acct_field_set(ch->a, f, object, w->op, w->value, ch->fail) : -ENOENT;
}

static int setting_unknown(const struct change *ch, const struct acct_word *w) {
        for (int t = 0; t < ACCT_TABLE_MAX; t++)
                if (acct_field_is_missing((enum acct_table)t, w->key))
                        return fail_set(ch->fail, -EOPNOTSUPP,
                                        "%s is not implemented by Slumber yet", w->key);
        return fail_set(ch->fail, -EINVAL, "Unknown option: %s%s%s%s", w->key,
                        !*w->key || w->op == '=' ? ""
                        : w->op == '+'           ? "+"
                                                 : "-",
                        *w->key ? "=" : "", w->value);
}

static bool setting_belongs(const struct acct_word *w, enum acct_table table) {
        return *w->key && acct_field_find(table, w->key);
}

bool settings_any(const struct change *ch, enum acct_table table) {
        for (size_t i = 0; i < ch->n_settings; i++)
                if (setting_belongs(ch->settings[i], table))
                        return true;
        return false;
}

int settings_apply(const struct change *ch, enum acct_table table, void *object) {
        int r = 0;

        for (size_t i = 0; i < ch->n_settings && r >= 0; i++)
                if (setting_belongs(ch->settings[i], table))
                        r = setting_try(ch, table, ch->settings[i], object);
        return r;
}

int settings_check(const struct change *ch, void *const objects[ACCT_TABLE_MAX]) {
        for (size_t i = 0; i < ch->n_settings; i++) {
                bool known = false;
                for (int t = 0; t < ACCT_TABLE_MAX; t++)
                        known |= objects[t] && setting_belongs(ch->settings[i], (enum acct_table)t);
                if (!known)
                        return setting_unknown(ch, ch->settings[i]);
        }
        for (int t = 0; t < ACCT_TABLE_MAX; t++) {
                if (!objects[t])
                        continue;
                void *copy = acct_object_copy((enum acct_table)t, objects[t]);
                int r = settings_apply(ch, (enum acct_table)t, copy);
                acct_object_free((enum acct_table)t, copy);
                if (r < 0)
                        return r;
        }
        return 0;
}

int settings_check_root(const struct change *ch) {
        return settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_ASSOC] = ch->a->root });
}

void assoc_print_new(const struct change *ch, const struct assoc *s) {
        if (s->user)
                fprintf(ch->out, "  U = %-9.9s A = %-10.10s C = %-10.10s", s->user, s->account,
                                change_cluster(ch));
        else
                fprintf(ch->out, "  A = %-10.10s C = %-10.10s", s->account, change_cluster(ch));
        if (s->partition)
                fprintf(ch->out, " P = %-10.10s", s->partition);
        fputc('\n', ch->out);
}

void assoc_print(const struct change *ch, const struct assoc *s) {
        fprintf(ch->out, "  C = %-10s A = ", change_cluster(ch));
        if (s->user)
                fprintf(ch->out, "%-20s U = %-9s", s->account, s->user);
        else if (s->parent)
                fprintf(ch->out, "%s of %s", s->account, s->parent->account);
        else
                fprintf(ch->out, "%s", s->account);
        if (s->partition)
                fprintf(ch->out, " P = %s", s->partition);
        fputc('\n', ch->out);
}

/* Checks the right only for commit: like Slurm, a preview needs no right and the refusal
   follows. */
int may_change(const struct change *ch, enum admin_level least) {
        if (!ch->req->commit || ch->req->level >= least)
                return 0;
        return fail_set(ch->fail, -EPERM, "Access/permission denied");
}

/* ---- modify ---- */

/* True if the QOS id can be reached again from the preempt list at index at.  lists: the preempt
   lists after the change, by index. */
static bool preempt_list_reaches(const struct acct *a, struct bitset *const lists[],
                struct bitset *seen, size_t at, uint32_t id) {
        if (bitset_has(seen, at))
                return false;
        bitset_add(seen, at);
        if (qos_set_has(lists[at], id))
                return true;
        for (size_t i = 0; i < a->n_qos; i++)
                if (qos_set_has(lists[at], a->qos[i]->id) &&
                                preempt_list_reaches(a, lists, seen, i, id))
                        return true;
        return false;
}

static int find_loop(const struct change *ch, struct bitset *const lists[], const bool *changed) {
        for (size_t i = 0; i < ch->a->n_qos; i++) {
                if (!changed[i])
                        continue;
                _cleanup_(bitset_freep) struct bitset *seen = bitset_new(ch->a->n_qos);
                if (preempt_list_reaches(ch->a, lists, seen, i, ch->a->qos[i]->id))
                        return fail_set(ch->fail, -ELOOP,
                                        "QOS Preemption loop detected: jobs of %s could be preempted by those that they preempt",
                                        ch->a->qos[i]->name);
        }
        return 0;
}

/* Refuses QOS whose jobs could preempt each other in turns for ever. */
static int check_loops(const struct change *ch) {
        _cleanup_free_ struct bitset **lists = xnew0(struct bitset *, ch->a->n_qos);
        _cleanup_free_ bool *changed = xnew0(bool, ch->a->n_qos);
        _cleanup_free_ struct qos **copies = xnew0(struct qos *, ch->a->n_qos);
        int r = 0;

        for (size_t i = 0; i < ch->a->n_qos; i++) {
                struct qos *q = ch->a->qos[i];
                lists[i] = q->preempt;
                if (!names_has(&ch->filter.names, q->name))
                        continue;
                copies[i] = acct_object_copy(ACCT_QOS, q);
                r = settings_apply(ch, ACCT_QOS, copies[i]);
                assert(r >= 0); /* checked before */
                lists[i] = copies[i]->preempt;
                changed[i] = lists[i] && !(q->preempt && bitset_equal(q->preempt, lists[i]));
        }
        r = find_loop(ch, lists, changed);
        for (size_t i = 0; i < ch->a->n_qos; i++)
                if (copies[i])
                        acct_object_free(ACCT_QOS, copies[i]);
        return r;
}

static int modify_qos(struct change *ch) {
        bool first = true;

        for (size_t i = 0; i < ch->a->n_qos; i++) {
                struct qos *q = ch->a->qos[i];
                if (!names_has(&ch->filter.names, q->name))
                        continue;
                int r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_QOS] = q });
                if (r >= 0 && first)
                        r = may_change(ch, ADMIN_ADMINISTRATOR);
                if (r < 0)
                        return r;
                fprintf(ch->out, "%s  %s\n", first ? " Modified qos...\n" : "", q->name);
                first = false;
                if (!ch->commit)
                        continue;
                r = settings_apply(ch, ACCT_QOS, q);
                assert(r >= 0);
                acct_touch(ch->a, ACCT_QOS, NULL, q->id, false);
        }
        if (!first && !ch->commit) {
                int r = check_loops(ch);
                if (r < 0)
                        return r;
        }
        return first;
}

/* parent=: moves the account below a different account. */
static int modify_find_parent(const struct change *ch, const struct assoc *s, struct assoc **ret) {
        const struct names *n = &ch->filter.parents;

        *ret = NULL;
        if (n->n == 0)
                return 0;
        *ret = assoc_find(ch->a, n->list[0], NULL, NULL);
        if (!*ret)
                return fail_set(ch->fail, -ENOENT, " Parent account '%s' doesn't exist.",
                                n->list[0]);
        if (s && (!s->parent || assoc_is_below(*ret, s)))
                return fail_set(ch->fail, -EINVAL, "Account '%s' can not be below '%s'", s->account,
                                n->list[0]);
        return 0;
}

static void tally_shift(struct tally *t, const struct tally *by, int sign) {
        t->submitted += (uint32_t)sign * by->submitted;
        t->running += (uint32_t)sign * by->running;
        t->accruing += (uint32_t)sign * by->accruing;
        for (size_t i = 0; i < TRES_MAX; i++) {
                t->used.of[i] += (uint64_t)(int64_t)sign * by->used.of[i];
                t->run.ends[i] += sign * by->run.ends[i];
                t->run.moving[i] += sign * by->run.moving[i];
                t->run.still[i] += sign * by->run.still[i];
        }
}

/* Moves the charges of the jobs from the old ancestors to the new ones. */
void assoc_move(struct change *ch, struct assoc *s, struct assoc *parent) {
        for (struct assoc *up = s->parent; up; up = up->parent)
                tally_shift(&up->used, &s->used, -1);
        assoc_set_parent(s, parent);
        for (struct assoc *up = s->parent; up; up = up->parent)
                tally_shift(&up->used, &s->used, 1);
        note(ch->c, FACT_LIMIT_ROOM);
}

uint32_t default_out_of_reach(const struct acct *a, const struct assoc *s) {
        const struct assoc *up = s;

        while (up && !up->default_qos)
                up = up->parent;
        const struct qos *q = up ? qos_by_id(a, up->default_qos) : NULL;
        return q && !assoc_allows_qos(s, q) ? q->id : 0;
}

static void exchange_qos(struct assoc *s, struct assoc *other) {
        struct assoc was = *s;

        s->qos = other->qos;
        s->default_qos = other->default_qos;
        other->qos = was.qos;
        other->default_qos = was.default_qos;
}

static int refuse_default(const struct change *ch, uint32_t qos, const struct assoc *s) {
        return fail_set(ch->fail, -EINVAL,
                        " These associations don't have access to their default qos.\n"
                        "  DefQOS = %-10s C = %-10s A = %-20s U = %-9s\n"
                        " Please give them access first.",
                        qos_by_id(ch->a, qos)->name, change_cluster(ch), s->account,
                        strempty(s->user));
}

int check_new_default_qos(const struct change *ch, const struct assoc *s) {
        struct assoc *new = acct_object_copy(ACCT_ASSOC, s);
        int r = settings_apply(ch, ACCT_ASSOC, new);
        const struct qos *q = r >= 0 && new->default_qos ? qos_by_id(ch->a, new->default_qos)
                                                         : NULL;

        if (q && !assoc_allows_qos(new, q))
                r = refuse_default(ch, q->id, s);
        acct_object_free(ACCT_ASSOC, new);
        return r;
}

/* Checks the default QOS of below (s, or an association below s) with the QOS settings of new in s:
   the default must not become disallowed. */
static int check_default_of(const struct change *ch, struct assoc *s, struct assoc *new,
                const struct assoc *below) {
        uint32_t was = default_out_of_reach(ch->a, below), is;

        exchange_qos(s, new);
        is = default_out_of_reach(ch->a, below);
        exchange_qos(s, new);
        return is && is != was ? refuse_default(ch, is, below) : 0;
}

static bool same_qos(const struct assoc *s, const struct assoc *t) {
        return s->default_qos == t->default_qos &&
               (s->qos && t->qos ? bitset_equal(s->qos, t->qos) : s->qos == t->qos);
}

/* Checks the default QOS of s and of all associations below. */
static int modify_check_default_qos(const struct change *ch, struct assoc *s) {
        struct assoc *new = acct_object_copy(ACCT_ASSOC, s);
        int r = settings_apply(ch, ACCT_ASSOC, new);

        if (r >= 0 && !same_qos(s, new)) {
                if (s->user)
                        r = check_default_of(ch, s, new, s);
                for (size_t i = 0; i < ch->a->n_assocs && r >= 0 && !s->user; i++)
                        if (assoc_is_below(ch->a->assocs[i], s))
                                r = check_default_of(ch, s, new, ch->a->assocs[i]);
        }
        acct_object_free(ACCT_ASSOC, new);
        return r;
}

static int modify_account(struct change *ch, struct account *account, bool *first) {
        struct assoc *s = assoc_find(ch->a, account->name, NULL, NULL), *parent;
        bool own = settings_any(ch, ACCT_ACCOUNT);
        int r = s ? modify_find_parent(ch, s, &parent) : 0;

        if (!s) /* missing in this cluster */
                return 0;
        if (r >= 0)
                r = own ? may_change_everywhere(ch, account->name, may_change_account)
                        : may_change_account(ch, s);
        if (r >= 0 && parent)
                r = may_change_below(ch, parent);

        if (r >= 0)
                r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_ACCOUNT] = account,
                                                       [ACCT_ASSOC] = s });
        if (r >= 0)
                r = may_give_qos(ch, s);
        if (r >= 0 && !ch->commit)
                r = modify_check_default_qos(ch, s);
        if (r < 0)
                return r;
        if (*first)
                fputs(own ? " Modified accounts...\n" : " Modified account associations...\n",
                                ch->out);
        *first = false;
        bool told = own && names_says(&ch->told, account->name);
        if (!own)
                assoc_print(ch, s);
        else if (!told)
                fprintf(ch->out, "  %s\n", account->name);
        if (own && !told)
                names_add(&ch->told, account->name);
        if (!ch->commit)
                return 0;
        if (!told)
                r = settings_apply(ch, ACCT_ACCOUNT, account);
        if (r >= 0)
                r = settings_apply(ch, ACCT_ASSOC, s);
        assert(r >= 0);
        if (parent)
                assoc_move(ch, s, parent);
        acct_touch(ch->a, ACCT_ACCOUNT, account->name, 0, false);
        touch_assoc(ch, s, false);
        return 0;
}

static int modify_accounts(struct change *ch) {
        bool first = true;
        int r = 0;

        change_for_each_cluster(ch, k) {
                for (size_t i = 0; i < ch->a->n_accounts && r >= 0; i++) {
                        struct account *account = ch->a->accounts[i];
                        if (names_has(&ch->filter.names, account->name))
                                r = modify_account(ch, account, &first);
                }
        }
        return r < 0 ? r : first;
}

/* Checks that a new default account is an account of the user. */
static int modify_check_user(const struct change *ch, const struct acct_user *user) {
        int r = settings_check(ch, (void *[ACCT_TABLE_MAX]){ [ACCT_USER] = (void *)(uintptr_t)user,
                                                   [ACCT_ASSOC] = ch->a->root });

        for (size_t i = 0; i < ch->n_settings && r >= 0; i++) {
                const struct acct_word *w = ch->settings[i];
                const struct acct_field *f = *w->key ? acct_field_find(ACCT_USER, w->key) : NULL;
                bool account = f && streq(f->name, "DefaultAccount");
                if (account && !filter_is_here(&ch->filter, ch->c))
                        r = fail_set(ch->fail, -EOPNOTSUPP,
                                        "DefaultAccount of a user is that in cluster %s, not in %s",
                                        ch->c->config->cluster_name, change_cluster(ch));
                else if (account && !ch->a->entered && !assoc_is_in(ch->a, w->value, user->name))
                        r = fail_set(ch->fail, -ENOENT,
                                        " Can't modify because these users aren't associated with "
                                        "new default account '%s'...\n  U = %s C = %s",
                                        w->value, user->name, change_cluster(ch));
        }
        return r;
}

/* Rights on users: users may change their own default account, and set no AdminLevel above their
   own. */
static int may_modify_user(const struct change *ch, const struct acct_user *user) {
        bool own = streq(user->name, strempty(ch->req->user));

        for (size_t i = 0; i < ch->n_settings; i++) {
                const struct acct_word *w = ch->settings[i];
                if (!*w->key || !key_is(w->key, "AdminLevel", 2))
                        continue;
                struct acct_user new = *user;
                if (setting_try(ch, ACCT_USER, w, &new) < 0 ||
                                MAX(new.admin, user->admin) > ch->req->level)
                        return may_change(ch, ADMIN_LEVEL_MAX);
                own = false;
        }
        return own || !settings_any(ch, ACCT_USER) ? 0 : may_change(ch, ADMIN_OPERATOR);
}

static int modify_user(struct change *ch, struct acct_user *user, bool *first) {
        int r = modify_check_user(ch, user);

        if (r >= 0)
                r = may_modify_user(ch, user);
        if (r < 0)
                return r;
        if (settings_any(ch, ACCT_USER) && !names_says(&ch->told, user->name)) {
                names_add(&ch->told, user->name);
                fprintf(ch->out, "%s  %s\n", *first ? " Modified users...\n" : "", user->name);
                *first = false;
                if (ch->commit) {
                        r = settings_apply(ch, ACCT_USER, user);
                        assert(r >= 0);
                        acct_touch(ch->a, ACCT_USER, user->name, 0, false);
                }
        }
        for (size_t i = 0; i < ch->a->n_assocs && settings_any(ch, ACCT_ASSOC); i++) {
                struct assoc *s = ch->a->assocs[i];
                if (!s->user || !streq(s->user, user->name) ||
                                !filter_takes_assoc(&ch->filter, ENTITY_USER, s))
                        continue;
                r = may_change_below(ch, s);
                if (r >= 0)
                        r = may_give_qos(ch, s);
                if (r >= 0 && !ch->commit)
                        r = modify_check_default_qos(ch, s);
                if (r < 0)
                        return r;
                fputs(*first ? " Modified user associations...\n" : "", ch->out);
                *first = false;
                assoc_print(ch, s);
                if (!ch->commit)
                        continue;
                r = settings_apply(ch, ACCT_ASSOC, s);
                assert(r >= 0);
                touch_assoc(ch, s, false);
        }
        return 0;
}

/* Conditions account=, partition= and cluster=. */
static bool filter_has_assoc(const struct change *ch, const char *user) {
        if (ch->filter.accounts.n == 0 && ch->filter.partitions.n == 0 &&
                        !change_names_clusters(ch))
                return true;
        for (size_t i = 0; i < ch->a->n_assocs; i++)
                if (ch->a->assocs[i]->user && streq(ch->a->assocs[i]->user, user) &&
                                filter_takes_assoc(&ch->filter, ENTITY_USER, ch->a->assocs[i]))
                        return true;
        return false;
}

static int modify_users(struct change *ch) {
        bool first = true;
        int r = 0;

        change_for_each_cluster(ch, k) {
                for (size_t i = 0; i < ch->a->n_users && r >= 0; i++)
                        if (names_has(&ch->filter.names, ch->a->users[i]->name) &&
                                        filter_has_assoc(ch, ch->a->users[i]->name))
                                r = modify_user(ch, ch->a->users[i], &first);
        }
        return r < 0 ? r : first;
}

/* ---- the request ---- */

static int change_read_words(struct change *ch, const struct acct_word *words, size_t n,
                bool condition) {
        enum acct_verb verb = ch->req->verb;

        for (size_t i = 0; i < n; i++) {
                const struct acct_word *w = &words[i];
                bool parent = key_is(w->key, "Parent", 4) && !key_is(w->key, "Partitions", 4);
                bool part = verb == ACCT_ADD ||
                            (verb == ACCT_MODIFY ? condition != parent : condition);
                if (part && filter_take(&ch->filter, ch->req->entity, w) > 0)
                        continue;
                if (condition)
                        return fail_set(ch->fail, -EINVAL, "Unknown condition: %s%s%s", w->key,
                                        *w->key ? "=" : "", w->value);
                ch->settings = xrenew(ch->settings, ch->n_settings + 1);
                ch->settings[ch->n_settings++] = w;
        }
        return 0;
}

static int change_prepare(struct change *ch) {
        enum acct_verb verb = ch->req->verb;
        int r = change_read_words(ch, ch->req->where, ch->req->n_where, true);

        if (r >= 0)
                r = change_read_words(ch, ch->req->set, ch->req->n_set, false);
        if (r < 0)
                return r;
        if (verb == ACCT_DELETE && !ch->filter.names.n && !ch->filter.accounts.n &&
                        ch->req->entity != ENTITY_COORDINATOR)
                return fail_set(ch->fail, -EINVAL,
                                " No conditions given to remove, not executing.");
        if (verb == ACCT_MODIFY && ch->n_settings == 0 && ch->filter.parents.n == 0)
                return fail_set(ch->fail, -EINVAL, " You didn't give me anything to set");
        const struct names *named = &ch->filter.clusters;
        bool some = named->n == 0;
        const char *unknown = NULL;
        for (size_t i = 0; i < named->n; i++) {
                const char *name = named->list[i];
                some |= strcasecmp(name, ch->c->config->cluster_name) == 0 ||
                        acct_cluster_find(ch->a, name);
                if (!unknown && !acct_knows_cluster(ch->c, name))
                        unknown = name;
        }
        if (verb == ACCT_ADD && (unknown || !some))
                return fail_set(ch->fail, -ENOENT,
                                " This cluster '%s' doesn't exist.\n"
                                "        Contact your admin to add it to accounting.",
                                unknown ? unknown : named->list[0]);
        if (ch->req->entity == ENTITY_QOS) /* QOS belong to all clusters */
                names_clear(&ch->filter.clusters);
        return !some;
}

static int change_run(struct change *ch, bool commit) {
        static int (*const modify[ENTITY_MAX])(struct change *) = {
                [ENTITY_QOS] = modify_qos,
                [ENTITY_ACCOUNT] = modify_accounts,
                [ENTITY_USER] = modify_users,
                [ENTITY_CLUSTER] = acct_modify_clusters,
        };
        static int (*const delete[ENTITY_MAX])(struct change *) = {
                [ENTITY_QOS] = acct_delete_qos,
                [ENTITY_ACCOUNT] = acct_delete_accounts,
                [ENTITY_USER] = acct_delete_users,
                [ENTITY_CLUSTER] = acct_delete_clusters,
                [ENTITY_COORDINATOR] = acct_delete_coordinators,
        };
        enum acct_verb verb = ch->req->verb;
        int (*change)(struct change *) =
                        verb == ACCT_ADD ? acct_add_objects
                                         : (verb == ACCT_MODIFY ? modify : delete)[ch->req->entity];

        ch->commit = commit;
        names_clear(&ch->told);
        return change ? change(ch)
                      : fail_set(ch->fail, -EOPNOTSUPP,
                                        "this change is not implemented by Slumber");
}

static void tell_anew(struct change *ch, char **text, size_t *size) {
        memstream_close(ch->out);
        free(*text);
        ch->out = memstream_open(text, size);
}

int acct_change(struct cluster *c, const struct acct_request *req, char **ret_text,
                struct fail *fail) {
        struct change ch = { .c = c, .a = &c->acct, .req = req, .fail = fail };
        size_t size = 0;

        assert(req->verb < ACCT_VERB_MAX && req->entity < ENTITY_MAX);
        ch.out = memstream_open(ret_text, &size);
        int r = change_prepare(&ch);
        if (r == 0)
                r = change_run(&ch, false);
        /* a refused change prints no modified objects */
        if (r < 0 && req->verb == ACCT_MODIFY)
                tell_anew(&ch, ret_text, &size);
        if (r == 0 && req->commit) { /* succeeds, as all was checked; prints the texts again */
                tell_anew(&ch, ret_text, &size);
                r = change_run(&ch, true);
                assert(r == 0);
                note(c, FACT_LIMITS_CHANGED);
                if (c->config->preempt_type == PREEMPT_QOS) /* QOS also order the queue */
                        cluster_queue_resort(c);
        }
        memstream_close(ch.out);
        filter_done(&ch.filter);
        names_done(&ch.bare);
        names_done(&ch.told);
        free(ch.settings);
        return r;
}
