/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/database.h - the store's tables in SQLite; blocking, one thread at a time */
#pragma once

#include "controller/store/store.h"

struct database;

/* Locks the folder and opens or makes the database in it. */
int database_open(const char *folder, struct database **ret, struct fail *fail);
struct database *database_close(struct database *db); /* takes NULL */
/* The same, and removes the folder, the lock and the file, those of them that database_open()
   made. */
struct database *database_abandon(struct database *db); /* takes NULL */
DEFINE_CLEANUP(struct database *, database_abandon)

bool database_text_keys(enum store_table t);

int database_begin(struct database *db, struct fail *fail);
int database_put(struct database *db, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail);
int database_delete(struct database *db, enum store_table t, const char *key, uint64_t number,
                struct fail *fail);
/* on disk when it returns 0; after a failure it may be, and is repeated */
int database_commit(struct database *db, struct fail *fail);
void database_rollback(struct database *db); /* no-op outside of a transaction */

/* 1 and a malloced value, or 0 when there is no such row. */
int database_read(struct database *db, enum store_table t, uint64_t number, uint8_t **ret,
                size_t *ret_size, struct fail *fail);
int database_load(struct database *db, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail);
/* Makes folder (0700) and a copy of the file in it: table_copy(). */
#define DATABASE_COPY "slumber.db" /* its name there */
int database_copy(struct database *db, const char *folder, struct fail *fail);
int database_check(const struct database *db, struct fail *fail); /* generation_check() */
uint64_t database_last_job(const struct database *db);
int database_clear(struct database *db, struct fail *fail); /* but for STORE_ENDED */
