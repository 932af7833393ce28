/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_fields.h - the settings of QOS, accounts, users and associations,
 * one row each
 *
 * The same row says how sacctmgr's KEY=VALUE becomes a field, how it is shown, and in which column
 * of the accounting file it is kept (as it is shown). */
#pragma once

#include "controller/accounts/assoc.h"

enum acct_table { /* a kind of object */
        ACCT_QOS,
        ACCT_ACCOUNT,
        ACCT_USER,
        ACCT_ASSOC,
        ACCT_TABLE_MAX,
        /* A table of the accounting file alone: associations of other clusters, with the settings
           of the others. */
        ACCT_FAR_ASSOC = ACCT_TABLE_MAX,
        ACCT_STORED_MAX,
};

enum acct_type {
        ACCT_TEXT,
        ACCT_NUMBER,  /* uint32_t */
        ACCT_COUNT,   /* uint32_t; -1 and nothing: LIMIT_NONE */
        ACCT_SECONDS, /* uint32_t, shown as a duration */
        ACCT_WALL,    /* usec_t, a time limit; NO_LIMIT */
        ACCT_EXEMPT,  /* the same; TIME_UNSET */
        ACCT_REAL,    /* double; below 0 and nothing: not set */
        ACCT_TRES,
        ACCT_TRES_ONE, /* one of a tres_set: uint64_t; another spelling, not stored */
        ACCT_MODE,     /* unsigned, enum preempt_mode */
        ACCT_FLAGS,
        ACCT_QOS_SET, /* struct bitset *, changed by = += -= */
        ACCT_QOS_ID,  /* uint32_t */
        ACCT_SHARES,
        ACCT_ADMIN,
        ACCT_TYPE_MAX,
};

struct acct_field {
        const char *name; /* in any case, and as short as least letters */
        size_t least;
        const char *column; /* NULL: not stored */
        enum acct_type type;
        size_t offset;
        const char *other; /* other spellings, separated by | */
};

const struct acct_field *acct_fields(enum acct_table table, size_t *ret_n);
/* NULL: it has no such setting. */
const struct acct_field *acct_field_find(enum acct_table table, const char *key);
/* Slurm's, but not built: a sentence says so. */
bool acct_field_is_missing(enum acct_table table, const char *key);

/* op: '=', or '+' and '-' for lists. -EINVAL, -ENOENT with a sentence; the object is unchanged
   then. */
int acct_field_set(const struct acct *a, const struct acct_field *f, void *object, char op,
                const char *value, struct fail *fail);
/* "" where it is not set; the caller frees. */
char *acct_field_text(const struct acct *a, const struct acct_field *f, const void *object);

/* A copy to try settings on; with its own texts and sets, without tallies.  And away. */
void *acct_object_copy(enum acct_table table, const void *object);
void acct_object_free(enum acct_table table, void *object);
