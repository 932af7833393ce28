/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_change_private.h - private to acct_*.c of this folder: filters,
   settings and checks common to adding, modifying, deleting and showing */
#pragma once

#include "controller/account_admin/acct_change.h"
#include "controller/model/cluster.h"

#include <strings.h>

struct names { /* "a,b"; empty: all */
        char **list;
        size_t n;
};

/* The objects selected by the conditions, or by the words of an addition. */
struct filter {
        struct names names, accounts, users, partitions, clusters, parents;
        struct names qos, default_qos, ids; /* only for display, like the flags */
        bool with_sub, only_defaults, without_parents, own_limits;
};

struct change {
        struct cluster *c;
        struct acct *a;
        const struct acct_request *req;
        struct fail *fail;
        FILE *out;
        bool commit;
        struct filter filter;
        const struct acct_word **settings; /* words that are not part of the filter */
        size_t n_settings;
        struct names bare; /* users to delete together with their last association */
        /* accounts and users whose common settings are already changed and printed */
        struct names told;
};

void names_add(struct names *n, const char *list);
/* case-insensitive; an empty list has every name */
bool names_has(const struct names *n, const char *name);
bool names_says(const struct names *n, const char *name); /* true if listed */
void filter_done(struct filter *f);
/* True if key is name or an abbreviation of name with at least least letters. */
bool key_is(const char *key, const char *name, size_t least);
/* Returns 1 if w is a condition of the filter and was added; 0: a setting. */
int filter_take(struct filter *f, enum acct_entity entity, const struct acct_word *w);
/* True if the filter includes this cluster. */
bool filter_is_here(const struct filter *f, const struct cluster *c);
/* True if the filter names cluster i, or no cluster. 0 is this cluster, then follow the clusters
   stored in the accounts (sacctmgr add cluster). */
bool filter_has_cluster(const struct filter *f, const struct cluster *c, size_t i);
void names_done(struct names *n); /* frees the list's memory, not n itself */

/* Enters the i-th cluster and returns true if the change applies to the cluster.  When the loop
   ends, this cluster is entered again. */
bool change_enter(struct change *ch, size_t i);
#define change_for_each_cluster(ch, i)                                                             \
        for (size_t i = 0; i <= (ch)->a->n_clusters || (acct_enter((ch)->a, NULL), false); i++)    \
                if (change_enter(ch, i))
/* The name of the cluster now entered. */
const char *change_cluster(const struct change *ch);
/* Notes that the accounting file must store or delete (removed) the association. */
void touch_assoc(struct change *ch, const struct assoc *s, bool removed);
/* True if the request names clusters: then only associations in these clusters change. */
bool change_names_clusters(const struct change *ch);
bool filter_takes_assoc(const struct filter *f, enum acct_entity entity, const struct assoc *s);
/* Applies all settings of the table to the object; settings of other tables are skipped. */
int settings_apply(const struct change *ch, enum acct_table table, void *object);
bool settings_any(const struct change *ch, enum acct_table table);
/* Checks on copies that every setting belongs to one of the tables and has a valid value.  objects:
   an object of each table, or NULL. */
int settings_check(const struct change *ch, void *const objects[ACCT_TABLE_MAX]);
/* Checks that every setting is a setting of associations, on the root association of the cluster
   now entered. */
int settings_check_root(const struct change *ch);
void assoc_print_new(const struct change *ch, const struct assoc *s);
void assoc_print(const struct change *ch, const struct assoc *s); /* an existing association */

/* Checks the name of an account, user or QOS; returns -EINVAL with fail. */
int name_check(const struct change *ch, const char *what, const char *name);
char *name_small(const char *name); /* lower case; the caller frees */
/* Moves s below a different parent, together with the charges of its jobs. */
void assoc_move(struct change *ch, struct assoc *s, struct assoc *parent);
/* Returns the default QOS of s, own or inherited, if s is not allowed to use it; 0: none, or
   allowed. */
uint32_t default_out_of_reach(const struct acct *a, const struct assoc *s);
/* Checks the DefaultQOS set for s, a blank with the parent of a new association.  Returns -EINVAL
   with fail if s would not be allowed to use it.  An inherited default is not checked. */
int check_new_default_qos(const struct change *ch, const struct assoc *s);
/* Returns -EBUSY with fail if an unfinished job uses s (or an association below), or q. */
int check_unused(const struct change *ch, const struct assoc *s, const struct qos *q);
/* Removes the association of an account with all associations below. */
void remove_below(struct change *ch, struct assoc *s);
void remove_user(struct change *ch, struct acct_user *user);

int acct_add_objects(struct change *ch);
int acct_delete_qos(struct change *ch);
int acct_delete_accounts(struct change *ch);
int acct_delete_users(struct change *ch);
/* True for this cluster, a cluster stored in the accounts, or a cluster in slumber.yaml. */
bool acct_knows_cluster(const struct cluster *c, const char *name);
int acct_add_clusters(struct change *ch);
int acct_modify_clusters(struct change *ch);
int acct_delete_clusters(struct change *ch);
/* Prints the requested settings of associations, a line for each. */
void print_assoc_settings(const struct change *ch, const char *parent);
int may_change(const struct change *ch, enum admin_level least);
/* acct_coordinators.c: right to change associations at or below s: operators, and coordinators of
   the account of s. */
int may_change_below(const struct change *ch, const struct assoc *s);
/* Right to change the association s of an account with its limits: operators, and coordinators of
   the parent account. */
int may_change_account(const struct change *ch, const struct assoc *s);
/* Right to change an account in all clusters (description, coordinators), or to add the account to
   a further cluster: may() in each cluster with the account; operators for an account in no
   cluster. */
int may_change_everywhere(const struct change *ch, const char *account,
                int (*may)(const struct change *ch, const struct assoc *s));
/* Checks the QOS set for s, an existing association or a blank with the parent of a new one.
   Returns -EPERM with fail if s would get a QOS that neither s nor an account above coordinated by
   the user has. */
int may_give_qos(const struct change *ch, const struct assoc *s);
int acct_add_coordinators(struct change *ch);
int acct_delete_coordinators(struct change *ch);
void acct_drop_coordinator(struct change *ch, const char *user);
