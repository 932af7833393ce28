/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/table.h - rows of a table of SQLite's as texts */
#pragma once

#include "lib/fail.h"

#include <sqlite3.h>

/* "a, b, c" of columns, or "?, ?, ?" (NULL); the caller frees. */
char *table_columns(const char *const *columns, size_t n);
/* All, in the order of the first column; NULL is "". A negative value from row() ends it and is
   returned; -EIO: db knows what it was. */
int table_read(sqlite3 *db, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user);
/* All of db as it is now into FOLDER/NAME, which must not be there yet (mode 0600); on disk when it
   returns 0.  Of a failure nothing is left. */
int table_copy(sqlite3 *db, const char *folder, const char *name, struct fail *fail);
/* What has been copied to FOLDER/NAME, and the folder where nothing else is in it, are removed. */
void table_copy_undo(const char *folder, const char *name);
/* The folder of such a copy, which need not be there, without symbolic links on its way; malloced.
   NULL with fail, -EPERM: another user could put something else in its place. */
char *table_copy_folder(const char *folder, struct fail *fail);
