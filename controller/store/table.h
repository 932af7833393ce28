/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/table.h - rows of SQLite tables as texts, and copies of databases */
#pragma once

#include "lib/fail.h"

#include <sqlite3.h>

/* Returns "a, b, c" for columns, or "?, ?, ?" for NULL; the caller frees. */
char *table_columns(const char *const *columns, size_t n);
/* Calls row() for each row, in the order of the first column; SQL's NULL is passed as "". A
   negative value from row() ends the loop and is returned. -EIO: sqlite3_errmsg(db) has the
   reason. */
int table_read(sqlite3 *db, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user);
/* Copies db to FOLDER/NAME, which must not exist (mode 0600). The copy is on disk when the function
   returns 0; a failed copy is removed. */
int table_copy(sqlite3 *db, const char *folder, const char *name, struct fail *fail);
/* Removes FOLDER/NAME, and the folder if empty. */
void table_copy_undo(const char *folder, const char *name);
/* Returns the path of a copy's folder, resolved without symbolic links, malloced; the folder need
   not exist. NULL with fail set: -EPERM means that another user could replace a component of the
   path. */
char *table_copy_folder(const char *folder, struct fail *fail);
