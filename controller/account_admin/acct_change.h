/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_change.h - requests of sacctmgr: adding, modifying and deleting
 * objects, or a preview
 *
 * The whole request is checked first; then all changes are made, or none.  The preview is the text
 * that sacctmgr prints before asking for confirmation.  Changed objects are noted in acct.dirty,
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

enum acct_entity { /* entities of sacctmgr; associations are made by adding accounts and users */
        ENTITY_QOS,
        ENTITY_ACCOUNT,
        ENTITY_USER,
        ENTITY_ASSOC,
        ENTITY_CLUSTER,
        ENTITY_COORDINATOR, /* shown as a column of accounts and users */
        ENTITY_MAX,
};

struct acct_word { /* KEY=VALUE; key "": only a name */
        const char *key, *value;
        char op; /* '=', '+', '-' */
};

struct acct_request {
        enum acct_verb verb;
        enum acct_entity entity;
        const struct acct_word *where, *set; /* additions have all words in set */
        size_t n_where, n_set;
        const char *user; /* the requesting user */
        enum admin_level level;
        bool commit; /* make the changes; false: preview */
};

/* Carries out a request, or previews it.  *ret_text: the changes, line by line; the caller frees,
   also on error.  Returns 0: changes made, or possible; 1: no changes; -EPERM: not allowed; -EBUSY,
   -EINVAL, -ENOENT, -EEXIST: refused, with fail. */
int acct_change(struct cluster *c, const struct acct_request *req, char **ret_text,
                struct fail *fail);

/* Display: rows of texts, in the order of acct_columns(). */
struct acct_selection;
/* Names of the columns of an entity, including the columns of associations (with_assoc).
   Borrowed. */
const char *const *acct_columns(enum acct_entity entity, bool with_assoc, size_t *ret_n);
/* Calls row() for the matching rows from index skip on, at most limit; texts are valid during the
   call.  Sets *ret_more if further rows exist. */
struct acct_show {
        enum acct_entity entity;
        const struct acct_word *where;
        size_t n_where, skip, limit;
        bool with_assoc;
        struct viewer viewer; /* the user for whom rows must be visible */
        void (*row)(const char *const *texts, size_t n, void *user);
        void *user;
};
int acct_show(const struct cluster *c, const struct acct_show *show, bool *ret_more,
                struct fail *fail);
