/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/store_server.h - the PostgreSQL server of with-postgresql, for cases of the store */
#pragma once

#include "tests/unit/test.h"

#include "lib/base.h"

#include <libpq-fe.h>

/* Returns the server's address; NULL: the cases are about the SQLite files. */
static inline const char *store_server(void) {
        return getenv("SLUMBER_TEST_STORE");
}

/* Runs sql on a connection of its own. */
static inline void store_server_run(const char *sql) {
        PGconn *conn = PQconnectdb(store_server());
        PGresult *result = PQexec(conn, sql);
        ExecStatusType status = PQresultStatus(result);

        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
                fail_msg("%s: %s", sql, PQerrorMessage(conn));
        PQclear(result);
        PQfinish(conn);
}

/* Removes the rows of the case before. */
static inline void store_server_clean(void) {
        store_server_run("SET client_min_messages TO error;"
                         "DROP SCHEMA IF EXISTS slumber CASCADE;"
                         "DROP SCHEMA IF EXISTS slumber_accounts CASCADE");
}
