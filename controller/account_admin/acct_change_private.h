/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_change_private.h - what acct_change.c, acct_add.c, acct_delete.c
   and acct_show.c share; not for others */
#pragma once

#include "controller/account_admin/acct_change.h"
#include "controller/model/cluster.h"

#include <strings.h>

struct names { /* "a,b"; none: all */
        char **list;
        size_t n;
};

/* What conditions, or the words of an addition, select. */
struct filter {
        struct names names, accounts, users, partitions, clusters, parents;
        struct names qos, default_qos, ids; /* of what is shown, as the next */
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
        const struct acct_word **settings; /* those that are not part of the filter */
        size_t n_settings;
        struct names bare; /* users that go with their last association */
        struct names told; /* accounts and users with what is of all clusters: done, and told */
};

void names_add(struct names *n, const char *list);
bool names_has(const struct names *n, const char *name);  /* any case; none: yes */
bool names_says(const struct names *n, const char *name); /* it is there */
void filter_done(struct filter *f);
/* key, or as much of it as tells it from others, at least so many letters. */
bool key_is(const char *key, const char *name, size_t least);
/* 1: the word was one of the filter's; 0: it is another. */
int filter_take(struct filter *f, enum acct_entity entity, const struct acct_word *w);
/* Does it concern this cluster. */
bool filter_is_here(const struct filter *f, const struct cluster *c);
/* The filter names the i-th cluster, or no cluster: 0 is the own one, the next ones those that its
   accounts keep (sacctmgr add cluster). */
bool filter_has_cluster(const struct filter *f, const struct cluster *c, size_t i);
void names_clear(struct names *n); /* makes the list empty */
void names_done(struct names *n);  /* frees the list's memory, not n itself */

/* In each cluster that a change is for: true where the i-th is one, which is entered then.  After
   the last one the change is in this cluster again. */
bool change_enter(struct change *ch, size_t i);
#define change_for_each_cluster(ch, i)                                                             \
        for (size_t i = 0; i <= (ch)->a->n_clusters || (acct_enter((ch)->a, NULL), false); i++)    \
                if (change_enter(ch, i))
/* The name of the cluster in which the change is made at present. */
const char *change_cluster(const struct change *ch);
/* Notes that the accounting file is to store that association, or to delete it (removed). */
void touch_assoc(struct change *ch, const struct assoc *s, bool removed);
/* The change names clusters: it concerns accounts and users of these only. */
bool change_names_clusters(const struct change *ch);
bool filter_takes_assoc(const struct filter *f, enum acct_entity entity, const struct assoc *s);
/* All settings of that table, onto the object; those of others are passed over. */
int settings_apply(const struct change *ch, enum acct_table table, void *object);
bool settings_any(const struct change *ch, enum acct_table table);
/* Every setting belongs to one of these tables and can be set; tried on copies. objects: one of
   each, or NULL. */
int settings_check(const struct change *ch, void *const objects[ACCT_TABLE_MAX]);
/* Checks that every setting is one of associations, by the root association of the cluster that is
   entered. */
int settings_check_root(const struct change *ch);
void assoc_print_new(const struct change *ch, const struct assoc *s);
void assoc_print(const struct change *ch, const struct assoc *s); /* one that was there before */

/* Of an account, user or QOS: -EINVAL. */
int name_check(const struct change *ch, const char *what, const char *name);
char *name_small(const char *name); /* in small letters; the caller frees */
/* s goes below another account; what its jobs are charged with goes with it. */
void assoc_move(struct change *ch, struct assoc *s, struct assoc *parent);
/* The default QOS that it has, by itself or from above, is not among those that it may have; 0:
   there is none, or it is. */
uint32_t default_out_of_reach(const struct acct *a, const struct assoc *s);
/* 0; -EINVAL: the settings give s, which stands for one that is to be made below its parent, a
   DefaultQOS that is not among those that it may have.  What it inherits is not checked. */
int check_new_default_qos(const struct change *ch, const struct assoc *s);
/* -EBUSY: jobs that are not over have s, or q. */
int check_unused(const struct change *ch, const struct assoc *s, const struct qos *q);
void remove_assoc(struct change *ch, struct assoc *s);
/* The account and all below it. */
void remove_below(struct change *ch, struct assoc *s);
void remove_user(struct change *ch, struct acct_user *user);

int acct_add_objects(struct change *ch);
int acct_delete_qos(struct change *ch);
int acct_delete_accounts(struct change *ch);
int acct_delete_users(struct change *ch);
/* This one, one whose accounts are kept, or another one that slumber.yaml names. */
bool acct_knows_cluster(const struct cluster *c, const char *name);
int acct_add_clusters(struct change *ch);
int acct_modify_clusters(struct change *ch);
int acct_delete_clusters(struct change *ch);
/* Settings of an association that a request gives, with their words, a line for each. */
void print_assoc_settings(const struct change *ch, const char *parent);
int may_change(const struct change *ch, enum admin_level least);
/* acct_coordinators.c: what stands at or below that association: an operator, or a coordinator of
   its account. */
int may_change_below(const struct change *ch, const struct assoc *s);
/* ... that account's own association, with its limits: an operator, or a coordinator of its parent.
   s: of an account. */
int may_change_account(const struct change *ch, const struct assoc *s);
/* What is of an account in all clusters (description, coordinators), or joins it to another one:
   that right in each cluster that has it; of one that is in none, an operator. */
int may_change_everywhere(const struct change *ch, const char *account,
                int (*may)(const struct change *ch, const struct assoc *s));
/* 0; -EPERM: the settings would give s, which is there or stands for one that is to be made below
   its parent, a QOS that neither s has nor an account around it that the user coordinates. */
int may_give_qos(const struct change *ch, const struct assoc *s);
int acct_add_coordinators(struct change *ch);
int acct_delete_coordinators(struct change *ch);
void acct_drop_coordinator(struct change *ch, const char *user);
