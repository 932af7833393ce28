/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of the accounts: sorted lists and a tree.  Names of accounts and QOS are
   case-insensitive, as Slurm stores lower case. */
#include "controller/accounts/assoc.h"

#include "controller/accounts/limit_check.h"

#include <strings.h>

static const char *const admin_words[] = {
        [ADMIN_NONE] = "None",
        [ADMIN_OPERATOR] = "Operator",
        [ADMIN_ADMINISTRATOR] = "Administrator",
};
_Static_assert(ELEMENTSOF(admin_words) == ADMIN_LEVEL_MAX, "an admin level without a word");
DEFINE_STRTAB_TEXT(admin_level, admin_words)

/* ---- lookups in sorted lists ---- */

/* Index of the first entry of a sorted list with a name of at least wanted. */
#define NAME_AT(list, n, wanted)                                                                   \
        ({                                                                                         \
                size_t _low = 0, _high = (n);                                                      \
                while (_low < _high) {                                                             \
                        size_t _mid = (_low + _high) / 2;                                          \
                        if (strcasecmp((list)[_mid]->name, (wanted)) < 0)                          \
                                _low = _mid + 1;                                                   \
                        else                                                                       \
                                _high = _mid;                                                      \
                }                                                                                  \
                _low;                                                                              \
        })

struct account *account_find(const struct acct *a, const char *name) {
        size_t at = name ? NAME_AT(a->accounts, a->n_accounts, name) : a->n_accounts;

        return at < a->n_accounts && strcasecmp(a->accounts[at]->name, name) == 0 ? a->accounts[at]
                                                                                  : NULL;
}

struct acct_user *acct_user_find(const struct acct *a, const char *name) {
        size_t at = name ? NAME_AT(a->users, a->n_users, name) : a->n_users;

        return at < a->n_users && strcasecmp(a->users[at]->name, name) == 0 ? a->users[at] : NULL;
}

static int assoc_compare(const struct assoc *s, const char *account, const char *user,
                const char *partition) {
        int cmp = strcasecmp(s->account, account);

        if (cmp == 0)
                cmp = strcmp(strempty(s->user), strempty(user));
        return cmp ? cmp : strcmp(strempty(s->partition), strempty(partition));
}

static size_t assoc_at(const struct acct *a, const char *account, const char *user,
                const char *partition) {
        return FIRST_NOT(a->n_assocs, i, assoc_compare(a->assocs[i], account, user, partition) < 0);
}

struct assoc *assoc_find(const struct acct *a, const char *account, const char *user,
                const char *partition) {
        size_t at = account ? assoc_at(a, account, user, partition) : a->n_assocs;

        return at < a->n_assocs && assoc_compare(a->assocs[at], account, user, partition) == 0
                               ? a->assocs[at]
                               : NULL;
}

bool assoc_is_in(const struct acct *a, const char *account, const char *user) {
        size_t first = assoc_at(a, account, user, NULL);

        return first < a->n_assocs &&
               assoc_compare(a->assocs[first], account, user, a->assocs[first]->partition) == 0;
}

struct assoc *assoc_of_job(const struct acct *a, const char *account, const char *user,
                const char *partition) {
        struct assoc *s = isempty(partition) ? NULL : assoc_find(a, account, user, partition);

        return s ? s : assoc_find(a, account, user, NULL);
}

/* ---- adding ---- */

struct account *account_add(struct acct *a, const char *name) {
        size_t at = NAME_AT(a->accounts, a->n_accounts, name);
        struct account *new = xnew0(struct account, 1);

        assert(!account_find(a, name));
        *new = (struct account){ .name = xstrdup(name),
                .description = xstrdup(name),
                .organization = xstrdup(name) };
        GROW(a->accounts, a->a_accounts, a->n_accounts);
        memmove(&a->accounts[at + 1], &a->accounts[at],
                        (a->n_accounts - at) * sizeof a->accounts[0]);
        a->accounts[at] = new;
        a->n_accounts++;
        return new;
}

struct acct_user *acct_user_add(struct acct *a, const char *name) {
        size_t at = NAME_AT(a->users, a->n_users, name);
        struct acct_user *new = xnew0(struct acct_user, 1);

        assert(!acct_user_find(a, name));
        new->name = xstrdup(name);
        GROW(a->users, a->a_users, a->n_users);
        memmove(&a->users[at + 1], &a->users[at], (a->n_users - at) * sizeof a->users[0]);
        a->users[at] = new;
        a->n_users++;
        return new;
}

struct assoc *assoc_add(struct acct *a, uint32_t id, struct assoc *parent, const char *account,
                const char *user, const char *partition) {
        size_t at = assoc_at(a, account, user, partition);
        struct assoc *new = xnew0(struct assoc, 1);

        assert(!assoc_find(a, account, user, partition));
        *new = (struct assoc){ .id = id,
                .parent = parent,
                .account = xstrdup(account),
                .user = isempty(user) ? NULL : xstrdup(user),
                .partition = isempty(partition) ? NULL : xstrdup(partition),
                .shares = 1,
                .priority = LIMIT_NONE };
        limits_clear(&new->limits);
        if (parent)
                parent->n_children++;
        GROW(a->assocs, a->a_assocs, a->n_assocs);
        memmove(&a->assocs[at + 1], &a->assocs[at], (a->n_assocs - at) * sizeof a->assocs[0]);
        a->assocs[at] = new;
        a->n_assocs++;
        a->next_id = MAX(a->next_id, id + 1);
        return new;
}

struct qos *qos_add(struct acct *a, uint32_t id, const char *name) {
        size_t at = a->n_qos;

        assert(!qos_find(a, name));
        GROW(a->qos, a->a_qos, a->n_qos);
        while (at > 0 && a->qos[at - 1]->id > id)
                at--;
        memmove(&a->qos[at + 1], &a->qos[at], (a->n_qos - at) * sizeof a->qos[0]);
        a->qos[at] = qos_new(id, name);
        a->n_qos++;
        a->next_id = MAX(a->next_id, id + 1);
        return a->qos[at];
}

/* ---- removing ---- */

static void account_free(struct account *account) {
        free(account->name);
        free(account->description);
        free(account->organization);
        texts_free(account->coordinators, account->n_coordinators);
        free(account);
}

static void acct_user_free(struct acct_user *user) {
        free(user->name);
        free(user->default_account);
        free(user);
}

static void assoc_free(struct assoc *s) {
        free(s->account);
        free(s->user);
        free(s->partition);
        bitset_free(s->qos);
        free(s);
}

#define REMOVE(list, n, object)                                                                    \
        do {                                                                                       \
                size_t _at = 0;                                                                    \
                while ((list)[_at] != (object))                                                    \
                        _at++;                                                                     \
                memmove(&(list)[_at], &(list)[_at + 1], ((n)-_at - 1) * sizeof(list)[0]);          \
                (n)--;                                                                             \
        } while (0)

void account_remove(struct acct *a, struct account *account) {
        REMOVE(a->accounts, a->n_accounts, account);
        account_free(account);
}

void acct_user_remove(struct acct *a, struct acct_user *user) {
        REMOVE(a->users, a->n_users, user);
        acct_user_free(user);
}

void assoc_remove(struct acct *a, struct assoc *s) {
        assert(s->n_children == 0 && s != a->root);
        s->parent->n_children--;
        REMOVE(a->assocs, a->n_assocs, s);
        assoc_free(s);
}

static void forget_qos(struct assoc **list, size_t n, uint32_t id) {
        for (size_t i = 0; i < n; i++) {
                qos_set_put(&list[i]->qos, id, false);
                if (list[i]->default_qos == id)
                        list[i]->default_qos = 0;
        }
}

void qos_remove(struct acct *a, struct qos *q) {
        for (size_t i = 0; i < a->n_qos; i++)
                qos_set_put(&a->qos[i]->preempt, q->id, false);
        forget_qos(a->assocs, a->n_assocs, q->id);
        for (size_t i = 0; i < a->n_clusters; i++)
                forget_qos(a->clusters[i]->assocs, a->clusters[i]->n_assocs, q->id);
        REMOVE(a->qos, a->n_qos, q);
        qos_free(q);
}

/* ---- the tree ---- */

void assoc_set_parent(struct assoc *s, struct assoc *parent) {
        s->parent->n_children--;
        s->parent = parent;
        parent->n_children++;
}

bool assoc_is_below(const struct assoc *s, const struct assoc *above) {
        while (s && s != above)
                s = s->parent;
        return s;
}

const struct bitset *assoc_qos(const struct assoc *s) {
        while (s && !s->qos)
                s = s->parent;
        return s ? s->qos : NULL;
}

uint32_t assoc_priority(const struct assoc *s) {
        while (s && s->priority == LIMIT_NONE)
                s = s->parent;
        return s ? s->priority : 0;
}

void acct_count_priorities(struct acct *a) {
        if (a->priorities_known)
                return;
        a->most_priority = 0;
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->priority != LIMIT_NONE)
                        a->most_priority = MAX(a->most_priority, a->assocs[i]->priority);
        a->priorities_known = true;
}

bool assoc_allows_qos(const struct assoc *s, const struct qos *q) {
        const struct bitset *set = assoc_qos(s);

        return !set || qos_set_has(set, q->id);
}

/* Slurm's rule: the default of the association or its nearest ancestor; else the only allowed QOS;
   else "normal"; else the first allowed QOS. */
struct qos *assoc_default_qos(const struct acct *a, const struct assoc *s) {
        const struct bitset *set = assoc_qos(s);
        struct qos *normal = qos_find(a, "normal"), *first = NULL;

        for (const struct assoc *up = s; up; up = up->parent) {
                struct qos *q = up->default_qos ? qos_by_id(a, up->default_qos) : NULL;
                if (q)
                        return q;
        }
        if (!set || qos_set_has(set, normal->id))
                return normal;
        for (size_t i = 0; !first && i < a->n_qos; i++)
                if (qos_set_has(set, a->qos[i]->id))
                        first = a->qos[i];
        return first ? first : normal;
}

/* ---- objects that always exist, and levels ---- */

void acct_init(struct acct *a) {
        *a = (struct acct){ .next_id = 1 };
        struct qos *normal = qos_add(a, a->next_id, "normal");
        free_and_strdup(&normal->description, "Normal QOS default");
        struct account *root = account_add(a, "root");
        free_and_strdup(&root->description, "default root account");
        struct acct_user *user = acct_user_add(a, "root");
        user->admin = ADMIN_ADMINISTRATOR;
        user->default_account = xstrdup("root");
        a->root = assoc_add(a, a->next_id, NULL, "root", NULL, NULL);
        qos_set_put(&a->root->qos, normal->id, true);
        assoc_add(a, a->next_id, a->root, "root", "root", NULL);
}

bool account_coordinate(struct account *account, const char *user, bool on) {
        size_t n = account->n_coordinators, i = 0;

        while (i < n && !streq(account->coordinators[i], user))
                i++;
        if (on == (i < n))
                return false;
        if (on) {
                account->coordinators = xrenew(account->coordinators, n + 1);
                account->coordinators[account->n_coordinators++] = xstrdup(user);
        } else {
                free(account->coordinators[i]);
                memmove(&account->coordinators[i], &account->coordinators[i + 1],
                                (n - i - 1) * sizeof account->coordinators[0]);
                account->n_coordinators--;
        }
        return true;
}

bool assoc_coordinates(const struct acct *a, const struct assoc *assoc, const char *user) {
        for (const struct assoc *s = assoc; s; s = s->parent) {
                const struct account *account = account_find(a, s->account);
                for (size_t i = 0; account && i < account->n_coordinators; i++)
                        if (streq(account->coordinators[i], user))
                                return true;
        }
        return false;
}

enum admin_level acct_level(const struct acct *a, const char *user) {
        const struct acct_user *u = acct_user_find(a, user);

        return u ? u->admin : ADMIN_NONE;
}

bool acct_has_levels(struct acct *a) {
        if (a->levels == LEVELS_UNKNOWN) {
                a->levels = LEVELS_NONE;
                for (size_t i = 0; i < a->n_users; i++)
                        if (a->users[i]->admin != ADMIN_NONE && !streq(a->users[i]->name, "root"))
                                a->levels = LEVELS_SOME;
                for (size_t i = 0; i < a->n_accounts; i++)
                        if (a->accounts[i]->n_coordinators)
                                a->levels = LEVELS_SOME;
        }
        return a->levels == LEVELS_SOME;
}

void acct_touch(struct acct *a, unsigned table, const char *key, uint32_t id, bool removed) {
        a->minutes = MINUTES_UNKNOWN;
        a->levels = LEVELS_UNKNOWN;
        a->priorities_known = false;
        GROW(a->dirty, a->a_dirty, a->n_dirty);
        a->dirty[a->n_dirty++] = (struct acct_dirty){ table,
                key ? xstrdup(key) : xasprintf("%u", id), removed };
}

void acct_clean(struct acct *a) {
        for (size_t i = 0; i < a->n_dirty; i++)
                free(a->dirty[i].key);
        a->n_dirty = 0;
}

/* ---- other clusters ---- */

struct acct_cluster *acct_cluster_find(const struct acct *a, const char *name) {
        size_t at = NAME_AT(a->clusters, a->n_clusters, name);

        return at < a->n_clusters && strcasecmp(a->clusters[at]->name, name) == 0 ? a->clusters[at]
                                                                                  : NULL;
}

struct acct_cluster *acct_cluster_add(struct acct *a, const char *name) {
        size_t at = NAME_AT(a->clusters, a->n_clusters, name);
        struct acct_cluster *new = xnew0(struct acct_cluster, 1);

        assert(!acct_cluster_find(a, name));
        new->name = xstrdup(name);
        GROW(a->clusters, a->a_clusters, a->n_clusters);
        memmove(&a->clusters[at + 1], &a->clusters[at],
                        (a->n_clusters - at) * sizeof a->clusters[0]);
        a->clusters[at] = new;
        a->n_clusters++;
        return new;
}

void acct_enter(struct acct *a, struct acct_cluster *k) {
        struct acct_cluster *const both[] = { a->entered, k };

        for (size_t i = 0; i < ELEMENTSOF(both); i++) {
                if (!both[i])
                        continue;
                struct acct_cluster was = *both[i];
                both[i]->assocs = a->assocs;
                both[i]->n_assocs = a->n_assocs;
                both[i]->a_assocs = a->a_assocs;
                both[i]->root = a->root;
                a->assocs = was.assocs;
                a->n_assocs = was.n_assocs;
                a->a_assocs = was.a_assocs;
                a->root = was.root;
        }
        a->entered = k;
}

void acct_cluster_fill(struct acct *a, struct acct_cluster *k) {
        acct_enter(a, k);
        a->root = assoc_add(a, a->next_id, NULL, "root", NULL, NULL);
        qos_set_put(&a->root->qos, qos_find(a, "normal")->id, true);
        assoc_add(a, a->next_id, a->root, "root", "root", NULL);
        acct_enter(a, NULL);
}

static void acct_cluster_free(struct acct_cluster *k) {
        for (size_t i = 0; i < k->n_assocs; i++)
                assoc_free(k->assocs[i]);
        free(k->assocs);
        free(k->name);
        free(k);
}

void acct_cluster_remove(struct acct *a, struct acct_cluster *k) {
        assert(!a->entered);
        REMOVE(a->clusters, a->n_clusters, k);
        acct_cluster_free(k);
}

/* An account has an association wherever its users have associations. */
static bool assoc_exists(const struct acct *a, const char *name, bool user) {
        if (!user)
                return assoc_find(a, name, NULL, NULL);
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->user && streq(a->assocs[i]->user, name))
                        return true;
        return false;
}

bool acct_has_assoc(const struct acct *a, const char *name, bool user) {
        bool has = assoc_exists(a, name, user);

        for (size_t i = 0; i < a->n_clusters && !has; i++) {
                const struct acct there = { .assocs = a->clusters[i]->assocs,
                        .n_assocs = a->clusters[i]->n_assocs };
                has = assoc_exists(&there, name, user);
        }
        return has;
}

void acct_done(struct acct *a) {
        acct_clean(a);
        for (size_t i = 0; i < a->n_clusters; i++)
                acct_cluster_free(a->clusters[i]);
        free(a->clusters);
        tres_names_done(&a->tres);
        free(a->dirty);
        for (size_t i = 0; i < a->n_qos; i++)
                qos_free(a->qos[i]);
        for (size_t i = 0; i < a->n_accounts; i++)
                account_free(a->accounts[i]);
        for (size_t i = 0; i < a->n_users; i++)
                acct_user_free(a->users[i]);
        for (size_t i = 0; i < a->n_assocs; i++)
                assoc_free(a->assocs[i]);
        free(a->qos);
        free(a->accounts);
        free(a->users);
        free(a->assocs);
        *a = (struct acct){ 0 };
}
