/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_fields.h - the settings of QOS, accounts, users and associations, a
 * row each
 *
 * The row tells how KEY=VALUE of sacctmgr becomes a field, how the field is shown, and in which
 * column of the accounting file the shown text is stored. */
#pragma once

#include "controller/accounts/assoc.h"

enum acct_table { /* kinds of objects */
        ACCT_QOS,
        ACCT_ACCOUNT,
        ACCT_USER,
        ACCT_ASSOC,
        ACCT_TABLE_MAX,
        /* Only a table of the accounting file: associations of other clusters, with the settings of
           ACCT_ASSOC. */
        ACCT_FAR_ASSOC = ACCT_TABLE_MAX,
        ACCT_STORED_MAX,
};

enum acct_type {
        ACCT_TEXT,
        ACCT_NUMBER,  /* uint32_t */
        ACCT_COUNT,   /* uint32_t; -1 or empty: LIMIT_NONE */
        ACCT_SECONDS, /* uint32_t, shown as a duration */
        ACCT_WALL,    /* usec_t, a time limit; unset: NO_LIMIT */
        ACCT_EXEMPT,  /* usec_t, a duration; unset: TIME_UNSET */
        ACCT_REAL,    /* double; < 0 or empty: not set */
        ACCT_TRES,
        ACCT_TRES_ONE, /* uint64_t in a tres_set: an alternative key of a TRES limit, not stored */
        ACCT_MODE,     /* unsigned, enum preempt_mode */
        ACCT_FLAGS,
        ACCT_QOS_SET, /* struct bitset *, changed by =, += and -= */
        ACCT_QOS_ID,  /* uint32_t */
        ACCT_SHARES,
        ACCT_ADMIN,
        ACCT_TYPE_MAX,
};

struct acct_field {
        const char *name; /* case-insensitive; may be abbreviated to least letters */
        size_t least;
        const char *column; /* NULL: not stored */
        enum acct_type type;
        size_t offset;
        const char *other; /* alternative names, separated by | */
};

const struct acct_field *acct_fields(enum acct_table table, size_t *ret_n);
/* NULL: no such setting. */
const struct acct_field *acct_field_find(enum acct_table table, const char *key);
/* True for settings of Slurm not implemented; the error message says so. */
bool acct_field_is_missing(enum acct_table table, const char *key);

/* Sets a field: op is '=', or '+' and '-' for lists.  On error (-EINVAL, -ENOENT with fail) the
   object is unchanged. */
int acct_field_set(const struct acct *a, const struct acct_field *f, void *object, char op,
                const char *value, struct fail *fail);
/* The field as text, "" if not set; the caller frees. */
char *acct_field_text(const struct acct *a, const struct acct_field *f, const void *object);

/* Make and free a copy for trying settings, with its own texts and sets, but with borrowed
   tallies. */
void *acct_object_copy(enum acct_table table, const void *object);
void acct_object_free(enum acct_table table, void *object);
