/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/database_engine.h - a row of functions for each engine of the store
 *
 * database.c calls the functions by one thread at a time, and packs scripts: an engine keeps bytes
 * without knowing their meaning. All functions block. */
#pragma once

#include "controller/store/database.h"
#include "controller/store/state_folder.h"

struct database_place {
        const struct state_folder *folder; /* outlives the engine */
        const char *url;                   /* NULL: the folder */
};

struct database_engine {
        /* *ret is set after a failure, too, and is due for close(). */
        int (*open)(const struct database_place *place, void **ret, struct fail *fail);
        /* abandon: removes files or tables created by open(). */
        void (*close)(void *engine, bool abandon);
        /* Returns the file or the address, without a password, for sentences; borrowed. */
        const char *(*place)(const void *engine);
        int (*check)(const void *engine, struct fail *fail); /* see database_check() */
        uint64_t (*last_job)(const void *engine);            /* kept by commit() */

        int (*begin)(void *engine, struct fail *fail);
        int (*put)(void *engine, enum store_table t, const char *key, uint64_t number,
                        const uint8_t *data, size_t size, struct fail *fail);
        int (*delete)(void *engine, enum store_table t, const char *key, uint64_t number,
                        struct fail *fail);
        int (*clear)(void *engine, enum store_table t, struct fail *fail);
        int (*commit)(void *engine, uint64_t last_job, struct fail *fail);
        void (*rollback)(void *engine);

        /* Returns 1 after row(), 0 without a row, or an error. */
        int (*read)(void *engine, enum store_table t, uint64_t number, database_row row, void *user,
                        struct fail *fail);
        int (*load)(void *engine, enum store_table t, database_row row, void *user,
                        struct fail *fail);
        int (*copy)(void *engine, const char *folder, struct fail *fail); /* see database_copy() */
};

extern const struct database_engine database_sqlite, database_postgresql;
