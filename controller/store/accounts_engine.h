/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounts_engine.h - a row of functions for each engine of the accounts
 *
 * accounting.c calls the functions by one thread at a time with statements that both engines
 * understand: ?1, ?2... are parameters; numbers in them are CAST(?1 AS BIGINT), as all parameters
 * are texts. All functions block. */
#pragma once

#include "controller/store/accounting.h"

struct state_folder;

struct accounts_place {
        const char *folder;
        const char *url; /* NULL: the file accounting.db in the folder */
};

/* A row of a query: NULL of SQL is "". Borrowed for the call. 1: no further rows are wanted. */
typedef int (*accounts_row)(const char *const *values, void *user);

struct accounts_engine {
        /* *ret is set after a failure, too, and is due for close(). */
        int (*open)(const struct accounts_place *place, void **ret, struct fail *fail);
        /* abandon: removes the file or the tables created by open(). */
        void (*close)(void *engine, bool abandon);
        int (*check)(const void *engine, struct fail *fail); /* see accounting_check() */
        bool (*is_new)(const void *engine);                  /* see accounting_is_new() */

        /* durable: the commit must survive a power failure. */
        int (*begin)(void *engine, bool durable, struct fail *fail);
        int (*commit)(void *engine, bool durable, struct fail *fail);
        void (*rollback)(void *engine, bool durable); /* also outside of a transaction */

        int (*execute)(void *engine, const char *sql, const char *const *params, size_t n,
                        struct fail *fail);
        /* Returns row()'s negative value, if any. n_columns: in each row. */
        int (*query)(void *engine, const char *sql, const char *const *params, size_t n,
                        size_t n_columns, accounts_row row, void *user, struct fail *fail);
        /* Writes or removes rows, each found by its first column. */
        int (*write)(void *engine, const struct accounting_row *rows, size_t n, struct fail *fail);
        int (*copy)(void *engine, const char *folder, struct fail *fail);
        /* Returns name and type of each column of table ?1. */
        const char *columns_sql;
        /* Continues generated ids of the table behind those written by execute(); NULL: by itself */
        int (*ids_copied)(void *engine, const char *table, struct fail *fail);
};

/* Returns text if it is UTF-8, else a copy with '?' in *ret_copy, which the caller frees. */
const char *accounts_text_as_utf8(const char *text, char **ret_copy);

extern const struct accounts_engine accounts_sqlite, accounts_postgresql;
