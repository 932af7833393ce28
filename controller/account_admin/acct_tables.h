/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_tables.h - QOS, accounts, users and associations as tables of the
 * accounting file: their columns, and how a cluster is made to know what stands there, and the
 * other way */
#pragma once

#include "controller/account_admin/acct_fields.h"
#include "controller/model/cluster.h"

const char *acct_table_name(enum acct_table table);
/* All columns: its own ones first, so many, then those of settings (acct_fields.h). */
const char *const *acct_table_columns(enum acct_table table, size_t *ret_n);
/* The values of an object in them: the caller's, as is each of them.  Of ACCT_FAR_ASSOC a's cluster
   is the one that is entered. */
char **acct_table_values(const struct acct *a, enum acct_table table, const void *object);

/* Calls row() for each row of table, with the values of columns, in the order of the first; a
   negative value from row() ends it. */
typedef int acct_rows_t(void *source, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail);
int acct_read(struct cluster *c, acct_rows_t *rows, void *source, struct fail *fail);
