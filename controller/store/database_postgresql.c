/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store in PostgreSQL: tables of the schema "slumber" with the columns of the SQLite file.
 *
 * A transaction is one pipeline: BEGIN, the rows and COMMIT are sent without waiting, and all
 * answers are read behind COMMIT, so a batch costs one round trip. synchronous_commit is never off:
 * an acknowledged commit is in the WAL, and on a synchronous standby where the server has one.
 *
 * The session holds an advisory lock: a second controller is refused. A broken connection is
 * opened again by the next transaction, which repeats the batch: rows are absolute values, so a
 * commit whose answer was lost may be repeated. */
#include "controller/store/database_engine.h"

#include "controller/store/postgresql.h"

#include <poll.h>

#define STORE_FORMAT 1
#define PUMP_EACH    64 /* statements between looks at the socket */

#define OID_BYTEA 17
#define OID_INT8  20
#define OID_TEXT  25

struct postgresql_database {
        struct postgresql s;
        size_t sent;      /* statements of the pipeline whose answers are due */
        bool made_schema; /* created by this process */
        bool has_lease;
};

enum statement {
        STATEMENT_PUT,
        STATEMENT_DELETE,
        STATEMENT_READ,
        STATEMENT_LOAD,
        STATEMENT_MAX,
};

static const struct {
        const char *name, *sql;
        int n_params;
} statements[STATEMENT_MAX] = {
        [STATEMENT_PUT] = { "put",
                        "INSERT INTO slumber.%s (id, data) VALUES ($1, $2) "
                        "ON CONFLICT (id) DO UPDATE SET data = excluded.data",
                        2 },
        [STATEMENT_DELETE] = { "delete", "DELETE FROM slumber.%s WHERE id = $1", 1 },
        [STATEMENT_READ] = { "read", "SELECT id, data FROM slumber.%s WHERE id = $1", 1 },
        [STATEMENT_LOAD] = { "load", "SELECT id, data FROM slumber.%s ORDER BY id", 0 },
};

struct statement_name {
        char text[32];
};

static struct statement_name statement_name(enum store_table t, enum statement s) {
        struct statement_name name;

        snprintf(name.text, sizeof name.text, "%s_%s", statements[s].name, database_table_name(t));
        return name;
}

/* ---- opening ---- */

static int statements_prepare(struct postgresql_database *db, struct fail *fail) {
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                for (size_t s = 0; s < STATEMENT_MAX; s++) {
                        const Oid types[] = { database_text_keys(t) ? OID_TEXT : OID_INT8,
                                OID_BYTEA };
                        char sql[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                        snprintf(sql, sizeof sql, statements[s].sql, database_table_name(t));
#pragma GCC diagnostic pop
                        _cleanup_result_ PGresult *result = PQprepare(db->s.conn,
                                        statement_name(t, s).text, sql, statements[s].n_params,
                                        types);
                        if (!postgresql_result_good(result))
                                return postgresql_result_fail(&db->s, result, fail);
                }
        return 0;
}

static char *schema_sql(void) {
        char *sql = NULL;
        size_t size;
        FILE *out = memstream_open(&sql, &size);

        fprintf(out,
                        "BEGIN; CREATE SCHEMA slumber;"
                        "CREATE TABLE slumber.about (one boolean PRIMARY KEY DEFAULT true CHECK (one),"
                        " format integer NOT NULL, number bigint NOT NULL DEFAULT 0,"
                        " renewed bigint NOT NULL DEFAULT 0, wanted integer, wanted_at timestamptz,"
                        " holder text NOT NULL DEFAULT '');"
                        "INSERT INTO slumber.about (format) VALUES (%d);",
                        STORE_FORMAT);
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                fprintf(out, "CREATE TABLE slumber.%s (id %s PRIMARY KEY, data bytea NOT NULL);",
                                database_table_name(t),
                                database_text_keys(t) ? "text COLLATE \"C\"" : "bigint");
        /* scripts are compressed already */
        fprintf(out, "ALTER TABLE slumber.%s ALTER data SET STORAGE EXTERNAL; COMMIT",
                        database_table_name(STORE_SCRIPT));
        memstream_close(out);
        return sql;
}

static int schema_make(struct postgresql_database *db, struct fail *fail) {
        int r = postgresql_format(&db->s, "slumber", STORE_FORMAT, fail);

        if (r != 0)
                return MIN(r, 0);
        _cleanup_free_ char *sql = schema_sql();
        r = postgresql_make(&db->s, "slumber", sql, fail);
        db->made_schema = r >= 0;
        return r;
}

/* The lease decides before any statement: the successor may have it. The server may not have noticed
   yet that this process's former session has ended: that session is ended, too. */
static int lease_keep(struct postgresql_database *db, struct fail *fail) {
        int r = postgresql_lease_check(&db->s, fail);

        if (r >= 0)
                r = postgresql_end_others(&db->s, fail);
        if (r >= 0)
                r = postgresql_lock(&db->s, POSTGRESQL_LOCK_STATE, fail);
        return r < 0 ? r : postgresql_lease_check(&db->s, fail);
}

/* Sessions of the former primary that live on, as the accounts' may, are ended. */
static int lease_begin(struct postgresql_database *db, struct fail *fail) {
        int r = postgresql_lock(&db->s, POSTGRESQL_LOCK_STATE, fail);

        if (r >= 0)
                r = schema_make(db, fail);
        if (r >= 0)
                r = postgresql_lease_take(&db->s, fail);
        if (r >= 0)
                r = postgresql_end_others(&db->s, fail);
        db->has_lease = r >= 0;
        return r;
}

/* A session is whole or ended: one without lock or statements is never used. */
static int session_open(struct postgresql_database *db, struct fail *fail) {
        int r = postgresql_connect(&db->s, "state", fail);

        db->sent = 0;
        if (r >= 0)
                r = db->has_lease ? lease_keep(db, fail) : lease_begin(db, fail);
        if (r >= 0)
                r = statements_prepare(db, fail);
        if (r < 0)
                postgresql_disconnect(&db->s);
        return r;
}

static int session_reopen_if_lost(struct postgresql_database *db, struct fail *fail) {
        return postgresql_is_lost(&db->s) ? session_open(db, fail) : 0;
}

static int postgresql_engine_open(const struct database_place *place, void **ret,
                struct fail *fail) {
        struct postgresql_database *db = xnew0(struct postgresql_database, 1);

        *ret = db;
        int r = postgresql_init(&db->s, place->url, fail);
        return r < 0 ? r : session_open(db, fail);
}

static void postgresql_engine_close(void *engine, bool abandon) {
        struct postgresql_database *db = engine;

        if (abandon && db->made_schema && !postgresql_is_lost(&db->s))
                (void)postgresql_run(&db->s, "DROP SCHEMA slumber CASCADE", NULL);
        postgresql_done(&db->s);
        free(db);
}

static const char *postgresql_engine_place(const void *engine) {
        const struct postgresql_database *db = engine;

        return db->s.place;
}

/* PostgreSQL replays its own log; agents notice an older copy (records/identity.h). */
static int postgresql_engine_check(const void *engine, struct fail *fail) {
        (void)engine, (void)fail;
        return 0;
}

static uint64_t postgresql_engine_last_job(const void *engine) {
        (void)engine;
        return 0;
}

/* ---- a transaction: one pipeline ---- */

/* Sends queued bytes; reads answers meanwhile, as a server that cannot write them stops to read. */
static int pipeline_flush(struct postgresql_database *db, struct fail *fail) {
        for (;;) {
                int r = PQflush(db->s.conn);

                if (r < 0)
                        return postgresql_fail(&db->s, fail);
                if (r == 0)
                        return 0;
                struct pollfd fd = { .fd = PQsocket(db->s.conn), .events = POLLIN | POLLOUT };
                if (poll(&fd, 1, -1) < 0 && errno != EINTR)
                        return fail_set(fail, -errno, "cannot wait for the store %s: %s",
                                        db->s.place, strerror(errno));
                if (fd.revents & (POLLIN | POLLERR | POLLHUP) && !PQconsumeInput(db->s.conn))
                        return postgresql_fail(&db->s, fail);
        }
}

static int pipeline_sent(struct postgresql_database *db, int sent, struct fail *fail) {
        if (!sent)
                return postgresql_fail(&db->s, fail);
        if (++db->sent % PUMP_EACH)
                return 0;
        return pipeline_flush(db, fail);
}

static int pipeline_run(struct postgresql_database *db, const char *sql, struct fail *fail) {
        return pipeline_sent(db, PQsendQueryParams(db->s.conn, sql, 0, NULL, NULL, NULL, NULL, 0),
                        fail);
}

/* Reads the answers of all statements sent, up to the synchronization point. Sets fail to the first
   error. */
static int pipeline_answers(struct postgresql_database *db, struct fail *fail) {
        int r = 0;

        while (!postgresql_is_lost(&db->s)) {
                _cleanup_result_ PGresult *result = PQgetResult(db->s.conn);

                if (!result) /* between two statements */
                        continue;
                if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
                        db->sent = 0;
                        return r;
                }
                if (!postgresql_result_good(result) && r == 0)
                        r = postgresql_result_fail(&db->s, result, fail);
        }
        return r < 0 ? r : postgresql_fail(&db->s, fail);
}

/* Ends the pipeline: all answers are read, the session is idle or in a failed transaction. */
static int pipeline_end(struct postgresql_database *db, struct fail *fail) {
        if (!PQpipelineSync(db->s.conn))
                return postgresql_fail(&db->s, fail);
        int r = pipeline_flush(db, fail);
        if (r < 0)
                return r;
        (void)PQsetnonblocking(db->s.conn, false);
        r = pipeline_answers(db, fail);
        (void)PQexitPipelineMode(db->s.conn);
        return r;
}

static int postgresql_engine_begin(void *engine, struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        if (!PQenterPipelineMode(db->s.conn) || PQsetnonblocking(db->s.conn, true) < 0)
                return postgresql_fail(&db->s, fail);
        return pipeline_run(db, "BEGIN", fail);
}

/* A key as a parameter: text, or eight bytes in network order. */
struct key_param {
        const char *value;
        uint64_t bytes;
        int length, format;
};

static void key_param_set(struct key_param *p, enum store_table t, const char *key,
                uint64_t number) {
        if (database_text_keys(t)) {
                *p = (struct key_param){ .value = key };
                return;
        }
        p->bytes = htobe64(number);
        p->value = (const char *)&p->bytes;
        p->length = sizeof p->bytes;
        p->format = 1;
}

static int postgresql_engine_put(void *engine, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail) {
        struct postgresql_database *db = engine;
        struct key_param k;

        key_param_set(&k, t, key, number);
        const char *const values[] = { k.value, size ? (const char *)data : "" };
        const int lengths[] = { k.length, (int)size }, formats[] = { k.format, 1 };
        return pipeline_sent(db,
                        PQsendQueryPrepared(db->s.conn, statement_name(t, STATEMENT_PUT).text, 2,
                                        values, lengths, formats, 1),
                        fail);
}

static int postgresql_engine_delete(void *engine, enum store_table t, const char *key,
                uint64_t number, struct fail *fail) {
        struct postgresql_database *db = engine;
        struct key_param k;

        key_param_set(&k, t, key, number);
        return pipeline_sent(db,
                        PQsendQueryPrepared(db->s.conn, statement_name(t, STATEMENT_DELETE).text, 1,
                                        &k.value, &k.length, &k.format, 1),
                        fail);
}

static int postgresql_engine_clear(void *engine, enum store_table t, struct fail *fail) {
        char sql[64];

        snprintf(sql, sizeof sql, "DELETE FROM slumber.%s", database_table_name(t));
        return pipeline_run(engine, sql, fail);
}

static int postgresql_engine_commit(void *engine, uint64_t last_job, struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = pipeline_run(db, "COMMIT", fail);

        (void)last_job;
        return r < 0 ? r : pipeline_end(db, fail);
}

static void postgresql_engine_rollback(void *engine) {
        struct postgresql_database *db = engine;

        if (!postgresql_is_lost(&db->s) && PQpipelineStatus(db->s.conn) != PQ_PIPELINE_OFF)
                (void)pipeline_end(db, NULL);
        if (!postgresql_is_lost(&db->s) && PQtransactionStatus(db->s.conn) != PQTRANS_IDLE)
                (void)postgresql_run(&db->s, "ROLLBACK", NULL);
}

/* ---- reading ---- */

static int row_pass(enum store_table t, const PGresult *result, int at, database_row row,
                void *user) {
        const uint8_t *data = (const uint8_t *)PQgetvalue(result, at, 1);
        size_t size = (size_t)PQgetlength(result, at, 1);
        uint64_t number;

        if (database_text_keys(t))
                return row(PQgetvalue(result, at, 0), 0, data, size, user);
        memcpy(&number, PQgetvalue(result, at, 0), sizeof number);
        return row("", be64toh(number), data, size, user);
}

static int row_read(struct postgresql_database *db, enum store_table t, uint64_t number,
                database_row row, void *user, struct fail *fail) {
        struct key_param k;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        key_param_set(&k, t, NULL, number);
        _cleanup_result_ PGresult *result = PQexecPrepared(db->s.conn,
                        statement_name(t, STATEMENT_READ).text, 1, &k.value, &k.length, &k.format,
                        1);
        if (!postgresql_result_good(result))
                return postgresql_result_fail(&db->s, result, fail);
        if (PQntuples(result) == 0)
                return 0;
        r = row_pass(t, result, 0, row, user);
        return r < 0 ? r : 1;
}

/* The first use of a session that has ended finds it out: the read is repeated. */
static int postgresql_engine_read(void *engine, enum store_table t, uint64_t number,
                database_row row, void *user, struct fail *fail) {
        int r = row_read(engine, t, number, row, user, fail);

        return r < 0 && postgresql_is_lost(&((struct postgresql_database *)engine)->s)
                               ? row_read(engine, t, number, row, user, fail)
                               : r;
}

/* Row by row: a table need not fit into memory twice. */
static int postgresql_engine_load(void *engine, enum store_table t, database_row row, void *user,
                struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        if (!PQsendQueryPrepared(db->s.conn, statement_name(t, STATEMENT_LOAD).text, 0, NULL, NULL,
                            NULL, 1) ||
                        !PQsetSingleRowMode(db->s.conn))
                return postgresql_fail(&db->s, fail);
        for (;;) {
                _cleanup_result_ PGresult *result = PQgetResult(db->s.conn);

                if (!result)
                        return r;
                if (!postgresql_result_good(result) && r >= 0)
                        r = postgresql_result_fail(&db->s, result, fail);
                for (int i = 0; i < PQntuples(result) && r >= 0; i++)
                        r = row_pass(t, result, i, row, user);
        }
}

/* The copy is a state folder with an SQLite file: slumberctld can start from it. */
static int postgresql_engine_copy(void *engine, const char *folder, struct fail *fail) {
        (void)engine;
        return fail_set(fail, -EOPNOTSUPP,
                        "cannot copy a store in PostgreSQL to %s: use pg_dump --schema=slumber",
                        folder);
}

const struct database_engine database_postgresql = {
        .open = postgresql_engine_open,
        .close = postgresql_engine_close,
        .place = postgresql_engine_place,
        .check = postgresql_engine_check,
        .last_job = postgresql_engine_last_job,
        .begin = postgresql_engine_begin,
        .put = postgresql_engine_put,
        .delete = postgresql_engine_delete,
        .clear = postgresql_engine_clear,
        .commit = postgresql_engine_commit,
        .rollback = postgresql_engine_rollback,
        .read = postgresql_engine_read,
        .load = postgresql_engine_load,
        .copy = postgresql_engine_copy,
};
