/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_change.h - what sacctmgr asks for: objects are added, modified and
 * deleted, or would be
 *
 * The whole request is looked through first; then all of it is done, or nothing.  What would be
 * done is told as sacctmgr prints it before it asks whether to.  What was done is in acct.dirty,
 * for the accounting file. */
#pragma once

#include "controller/account_admin/acct_fields.h"
#include "controller/orders/viewer.h"

enum acct_verb {
        ACCT_ADD,
        ACCT_MODIFY,
        ACCT_DELETE,
        ACCT_VERB_MAX,
};

enum acct_entity { /* what sacctmgr names; an association is made by adding accounts and users */
        ENTITY_QOS,
        ENTITY_ACCOUNT,
        ENTITY_USER,
        ENTITY_ASSOC,
        ENTITY_CLUSTER,
        ENTITY_COORDINATOR, /* shown with accounts and users */
        ENTITY_MAX,
};

struct acct_word { /* KEY=VALUE; key "": a name alone */
        const char *key, *value;
        char op; /* '=', '+', '-' */
};

struct acct_request {
        enum acct_verb verb;
        enum acct_entity entity;
        const struct acct_word *where, *set; /* of an addition all stand in set */
        size_t n_where, n_set;
        const char *user; /* that asks */
        enum admin_level level;
        bool commit; /* do it; else only look */
};

/* *ret_text: what is (to be) done, line by line; the caller frees, also on failure.
   0: done, or to be done.  1: there is nothing to do.  -EPERM: not by that user.  -EBUSY, -EINVAL,
   -ENOENT, -EEXIST: with a sentence. */
int acct_change(struct cluster *c, const struct acct_request *req, char **ret_text,
                struct fail *fail);

/* What is shown: rows of texts, in the order of acct_columns(). */
struct acct_selection;
/* Names of columns of an entity's rows; with associations, of those too.  Borrowed. */
const char *const *acct_columns(enum acct_entity entity, bool with_assoc, size_t *ret_n);
/* The rows that fit, from the skip-th on, at most limit: row() gets texts that live for the call.
 *ret_more: there are others. */
struct acct_show {
        enum acct_entity entity;
        const struct acct_word *where;
        size_t n_where, skip, limit;
        bool with_assoc;
        struct viewer viewer; /* its rows alone */
        void (*row)(const char *const *texts, size_t n, void *user);
        void *user;
};
int acct_show(const struct cluster *c, const struct acct_show *show, bool *ret_more,
                struct fail *fail);
