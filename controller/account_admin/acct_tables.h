/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/account_admin/acct_tables.h - QOS, accounts, users and associations as tables of the
 * accounting file: columns, and conversion of objects to rows and back */
#pragma once

#include "controller/account_admin/acct_fields.h"
#include "controller/model/cluster.h"

const char *acct_table_name(enum acct_table table);
/* The columns: first the columns of the table itself, then the settings (acct_fields.h). */
const char *const *acct_table_columns(enum acct_table table, size_t *ret_n);
/* The values of an object's row; the caller frees the array and each value.  For ACCT_FAR_ASSOC the
   cluster entered in a is the object's cluster. */
char **acct_table_values(const struct acct *a, enum acct_table table, const void *object);

/* Calls row() for each row of table with the values of columns, sorted by the first column; stops
   when row() returns a negative value, which is returned. */
typedef int acct_rows_t(void *source, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail);
int acct_read(struct cluster *c, acct_rows_t *rows, void *source, struct fail *fail);
