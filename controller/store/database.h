/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/database.h - the store's tables in an engine; blocking, one thread at a time */
#pragma once

#include "controller/store/store.h"

struct database;

/* Locks the folder, and opens or creates the database: the file in the folder, or the schema of the
   server at url (store_open()). folder: NULL with url: nothing is locked on this host. */
int database_open(const char *folder, const char *url, struct database **ret, struct fail *fail);
struct database *database_close(struct database *db); /* takes NULL */
/* Like database_close(), and removes the folder, lock and file created by database_open(). */
struct database *database_abandon(struct database *db); /* takes NULL */
DEFINE_CLEANUP(struct database *, database_abandon)

const char *database_table_name(enum store_table t);
bool database_text_keys(enum store_table t);

int database_begin(struct database *db, struct fail *fail);
int database_put(struct database *db, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail);
int database_delete(struct database *db, enum store_table t, const char *key, uint64_t number,
                struct fail *fail);
/* The commit is durable when the function returns 0. After a failure the commit may be durable; the
   caller repeats the transaction. */
int database_commit(struct database *db, struct fail *fail);
void database_rollback(struct database *db); /* no-op outside of a transaction */

/* A row of store_load(): data is borrowed for the call. */
typedef int (*database_row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user);
/* Returns 1 and a malloced value, or 0 if the row does not exist. */
int database_read(struct database *db, enum store_table t, uint64_t number, uint8_t **ret,
                size_t *ret_size, struct fail *fail);
int database_load(struct database *db, enum store_table t, database_row row, void *user,
                struct fail *fail);
/* Creates folder (0700) with a copy of the database: see table_copy(). */
#define DATABASE_COPY "slumber.db" /* file name of the copy */
int database_copy(struct database *db, const char *folder, struct fail *fail);
int database_check(const struct database *db, struct fail *fail); /* see generation_check() */
uint64_t database_last_job(const struct database *db);
int database_clear(struct database *db, struct fail *fail); /* all tables but STORE_ENDED */
