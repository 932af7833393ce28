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

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <poll.h>
#include <unistd.h>

#define STORE_FORMAT 1
#define LOCK_CLASS   0x534c4d42 /* "SLMB" */
#define LOCK_STORE   1
/* A killed controller's session ends when the server has read the end of its connection. */
#define LOCK_PATIENCE (3 * USEC_PER_SEC)
#define LOCK_AGAIN    (50 * USEC_PER_MSEC)
#define PUMP_EACH     64 /* statements between looks at the socket */

#define OID_BYTEA 17
#define OID_INT8  20
#define OID_TEXT  25

struct postgresql_database {
        const struct state_folder *folder; /* borrowed */
        char *url, *place;                 /* place: without a password */
        PGconn *conn;
        size_t sent;      /* statements of the pipeline whose answers are due */
        bool made_schema; /* created by this process */
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

/* ---- errors ---- */

/* Returns the first line of text, which libpq ends with a newline; the caller frees. */
static char *first_line(const char *text) {
        return xstrndup(strempty(text), strcspn(strempty(text), "\n"));
}

static int sqlstate_errno(const char *state) {
        static const struct {
                const char *state; /* a class, or a whole state */
                int error;
        } errors[] = {
                { "53100", ENOSPC },  /* disk full */
                { "25006", EROFS },   /* read-only transaction: a standby */
                { "42501", EACCES },  /* the role lacks a privilege */
                { "28", EACCES },     /* authorization */
                { "08", ENOTCONN },   /* connection */
                { "57P", ENOTCONN },  /* the server shuts down */
                { "XX001", EBADMSG }, /* data corrupted */
                { "XX002", EBADMSG }, /* index corrupted */
        };

        for (size_t i = 0; state && i < ELEMENTSOF(errors); i++)
                if (strncmp(state, errors[i].state, strlen(errors[i].state)) == 0)
                        return -errors[i].error;
        return -EIO;
}

static int connection_fail(const struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *why = first_line(PQerrorMessage(db->conn));

        return fail_set(fail, -ENOTCONN, "cannot reach the store %s: %s", db->place, why);
}

/* Sets fail to the error of result; the result is not cleared. */
static int result_fail(const struct postgresql_database *db, const PGresult *result,
                struct fail *fail) {
        const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY),
                   *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

        if (PQstatus(db->conn) != CONNECTION_OK && !message)
                return connection_fail(db, fail);
        return fail_set(fail, sqlstate_errno(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                        "cannot use the store %s: %s%s%s", db->place,
                        message ? message : "no reason given", detail ? ": " : "",
                        strempty(detail));
}

static void result_done(PGresult **result) {
        PQclear(*result);
}
#define _cleanup_result_ __attribute__((cleanup(result_done)))

static bool result_is_good(const PGresult *result) {
        ExecStatusType status = PQresultStatus(result);

        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
               status == PGRES_SINGLE_TUPLE;
}

/* ---- statements outside of a transaction ---- */

static int sql_run(struct postgresql_database *db, const char *sql, struct fail *fail) {
        _cleanup_result_ PGresult *result = PQexec(db->conn, sql);

        return result_is_good(result) ? 0 : result_fail(db, result, fail);
}

/* Sets *ret to the text of the first row's first column, malloced; NULL: no row. */
static int sql_text(struct postgresql_database *db, const char *sql, char **ret,
                struct fail *fail) {
        _cleanup_result_ PGresult *result = PQexec(db->conn, sql);

        *ret = NULL;
        if (!result_is_good(result))
                return result_fail(db, result, fail);
        if (PQntuples(result) > 0)
                *ret = xstrdup(PQgetvalue(result, 0, 0));
        return 0;
}

/* ---- opening ---- */

/* Refuses a server that acknowledges commits before they are safe. */
static int durability_check(struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *fsync = NULL, *commit = NULL;
        int r = sql_text(db, "SHOW fsync", &fsync, fail);

        if (r < 0)
                return r;
        if (!streq(strempty(fsync), "on"))
                return fail_set(fail, -EINVAL,
                                "the store %s has fsync=off and would lose acknowledged jobs: set "
                                "fsync=on in postgresql.conf",
                                db->place);
        r = sql_text(db, "SHOW synchronous_commit", &commit, fail);
        if (r >= 0 && streq(strempty(commit), "off"))
                r = sql_run(db, "SET synchronous_commit TO on", fail);
        return r;
}

static int lock_in_use(struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *who = NULL, *sql = NULL;

        sql = xasprintf("SELECT a.application_name FROM pg_locks l "
                        "JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' "
                        "AND l.classid = %d AND l.objid = %d AND l.granted "
                        "AND l.database = (SELECT oid FROM pg_database "
                        "WHERE datname = current_database())",
                        LOCK_CLASS, LOCK_STORE);
        if (sql_text(db, sql, &who, fail) < 0)
                return -EBUSY;
        return fail_set(fail, -EBUSY, "another controller%s%s uses the store %s",
                        isempty(who) ? "" : ", ", strempty(who), db->place);
}

static int session_lock(struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf("SELECT pg_try_advisory_lock(%d, %d)", LOCK_CLASS,
                        LOCK_STORE);
        usec_t until = now_monotonic() + LOCK_PATIENCE;

        for (;;) {
                _cleanup_free_ char *locked = NULL;
                int r = sql_text(db, sql, &locked, fail);

                if (r < 0 || streq(strempty(locked), "t"))
                        return r;
                if (now_monotonic() >= until)
                        return lock_in_use(db, fail);
                (void)usleep(LOCK_AGAIN);
        }
}

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
                        _cleanup_result_ PGresult *result = PQprepare(db->conn,
                                        statement_name(t, s).text, sql, statements[s].n_params,
                                        types);
                        if (!result_is_good(result))
                                return result_fail(db, result, fail);
                }
        return 0;
}

/* Creates the schema, or checks the schema of an earlier start. */
static int schema_check(struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *schema = NULL, *about = NULL, *format = NULL;
        int r = sql_text(db, "SELECT nspname FROM pg_namespace WHERE nspname = 'slumber'", &schema,
                        fail);

        if (r < 0)
                return r;
        if (!schema)
                return 0;
        r = sql_text(db, "SELECT to_regclass('slumber.about')", &about, fail);
        if (r >= 0 && isempty(about))
                return fail_set(fail, -EINVAL,
                                "%s has a schema \"slumber\" of another program, expected "
                                "Slumber's store or none",
                                db->place);
        if (r >= 0)
                r = sql_text(db, "SELECT format FROM slumber.about", &format, fail);
        if (r < 0)
                return r;
        int known = format ? atoi(format) : 0;
        if (known > STORE_FORMAT)
                return fail_set(fail, -EPROTONOSUPPORT,
                                "the store %s was written by a newer version (format %d, this "
                                "program knows %d)",
                                db->place, known, STORE_FORMAT);
        return known > 0 ? 1
                         : fail_set(fail, -EBADMSG,
                                           "the store %s is damaged: slumber.about is empty",
                                           db->place);
}

static char *schema_sql(void) {
        char *sql = NULL;
        size_t size;
        FILE *out = memstream_open(&sql, &size);

        fprintf(out,
                        "BEGIN; CREATE SCHEMA slumber;"
                        "CREATE TABLE slumber.about (one boolean PRIMARY KEY DEFAULT true CHECK (one),"
                        " format integer NOT NULL);"
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
        int r = schema_check(db, fail);

        if (r != 0)
                return MIN(r, 0);
        _cleanup_free_ char *sql = schema_sql();
        r = sql_run(db, sql, fail);
        if (r == -EACCES)
                return fail_prefix(fail, r, "the role %s may not create the schema \"slumber\"",
                                PQuser(db->conn));
        db->made_schema = r >= 0;
        return r;
}

/* Reads url without connecting, so that a mistake is told as one. */
static int url_check(const char *url, struct fail *fail) {
        char *message = NULL;
        PQconninfoOption *options = PQconninfoParse(url, &message);

        if (options) {
                PQconninfoFree(options);
                return 0;
        }
        _cleanup_free_ char *why = first_line(message);
        PQfreemem(message);
        return fail_set(fail, -EINVAL, "the store's address cannot be read: %s", why);
}

/* Describes the server without a password. */
static char *connection_place(const PGconn *conn) {
        const char *host = strempty(PQhost(conn)), *name = strempty(PQdb(conn));

        return *host == '/' ? xasprintf("postgresql:///%s?host=%s", name, host)
                            : xasprintf("postgresql://%s:%s/%s", host, strempty(PQport(conn)),
                                              name);
}

/* Returns "slumberctld HOST PID", which names the session to admins; the caller frees. */
static char *session_name(void) {
        char host[256] = "";

        (void)gethostname(host, sizeof host - 1);
        return xasprintf("slumberctld %.40s %d", host, (int)getpid());
}

static int session_open(struct postgresql_database *db, struct fail *fail) {
        _cleanup_free_ char *name = session_name();
        /* The address may override all but the first and the last. */
        const char *const keys[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
                "keepalives_count", "tcp_user_timeout", "dbname", "application_name",
                "target_session_attrs", NULL };
        const char *const values[] = { "5", "5", "2", "3", "10000", db->url, name, "read-write",
                NULL };

        PQfinish(db->conn);
        db->sent = 0;
        db->conn = PQconnectdbParams(keys, values, true);
        free(db->place);
        db->place = connection_place(db->conn);
        if (PQstatus(db->conn) != CONNECTION_OK)
                return connection_fail(db, fail);
        int r = sql_run(db,
                        "SET client_min_messages TO warning;"
                        "SET idle_in_transaction_session_timeout TO '2s'",
                        fail);
        if (r >= 0)
                r = durability_check(db, fail);
        if (r >= 0)
                r = session_lock(db, fail);
        if (r >= 0)
                r = schema_make(db, fail);
        if (r >= 0)
                r = statements_prepare(db, fail);
        return r;
}

static int session_reopen_if_lost(struct postgresql_database *db, struct fail *fail) {
        return PQstatus(db->conn) == CONNECTION_OK ? 0 : session_open(db, fail);
}

static int postgresql_open(const struct database_place *place, void **ret, struct fail *fail) {
        struct postgresql_database *db = xnew0(struct postgresql_database, 1);

        *ret = db;
        db->folder = place->folder;
        db->url = xstrdup(place->url);
        db->place = xstrdup("postgresql");
        int r = url_check(db->url, fail);
        return r < 0 ? r : session_open(db, fail);
}

static void postgresql_close(void *engine, bool abandon) {
        struct postgresql_database *db = engine;

        if (abandon && db->made_schema && PQstatus(db->conn) == CONNECTION_OK)
                (void)sql_run(db, "DROP SCHEMA slumber CASCADE", NULL);
        PQfinish(db->conn);
        free(db->url);
        free(db->place);
        free(db);
}

static const char *postgresql_place(const void *engine) {
        const struct postgresql_database *db = engine;

        return db->place;
}

/* PostgreSQL replays its own log; agents notice an older copy (records/identity.h). */
static int postgresql_check(const void *engine, struct fail *fail) {
        (void)engine, (void)fail;
        return 0;
}

static uint64_t postgresql_last_job(const void *engine) {
        (void)engine;
        return 0;
}

/* ---- a transaction: one pipeline ---- */

/* Sends queued bytes; reads answers meanwhile, as a server that cannot write them stops to read. */
static int pipeline_flush(struct postgresql_database *db, struct fail *fail) {
        for (;;) {
                int r = PQflush(db->conn);

                if (r < 0)
                        return connection_fail(db, fail);
                if (r == 0)
                        return 0;
                struct pollfd fd = { .fd = PQsocket(db->conn), .events = POLLIN | POLLOUT };
                if (poll(&fd, 1, -1) < 0 && errno != EINTR)
                        return fail_set(fail, -errno, "cannot wait for the store %s: %s", db->place,
                                        strerror(errno));
                if (fd.revents & (POLLIN | POLLERR | POLLHUP) && !PQconsumeInput(db->conn))
                        return connection_fail(db, fail);
        }
}

static int pipeline_sent(struct postgresql_database *db, int sent, struct fail *fail) {
        if (!sent)
                return connection_fail(db, fail);
        if (++db->sent % PUMP_EACH)
                return 0;
        return pipeline_flush(db, fail);
}

static int pipeline_run(struct postgresql_database *db, const char *sql, struct fail *fail) {
        return pipeline_sent(db, PQsendQueryParams(db->conn, sql, 0, NULL, NULL, NULL, NULL, 0),
                        fail);
}

/* Reads the answers of all statements sent, up to the synchronization point. Sets fail to the first
   error. */
static int pipeline_answers(struct postgresql_database *db, struct fail *fail) {
        int r = 0;

        while (PQstatus(db->conn) == CONNECTION_OK) {
                _cleanup_result_ PGresult *result = PQgetResult(db->conn);

                if (!result) /* between two statements */
                        continue;
                if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
                        db->sent = 0;
                        return r;
                }
                if (!result_is_good(result) && r == 0)
                        r = result_fail(db, result, fail);
        }
        return r < 0 ? r : connection_fail(db, fail);
}

/* Ends the pipeline: all answers are read, the session is idle or in a failed transaction. */
static int pipeline_end(struct postgresql_database *db, struct fail *fail) {
        if (!PQpipelineSync(db->conn))
                return connection_fail(db, fail);
        int r = pipeline_flush(db, fail);
        if (r < 0)
                return r;
        (void)PQsetnonblocking(db->conn, false);
        r = pipeline_answers(db, fail);
        (void)PQexitPipelineMode(db->conn);
        return r;
}

static int postgresql_begin(void *engine, struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        if (!PQenterPipelineMode(db->conn) || PQsetnonblocking(db->conn, true) < 0)
                return connection_fail(db, fail);
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

static int postgresql_put(void *engine, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail) {
        struct postgresql_database *db = engine;
        struct key_param k;

        key_param_set(&k, t, key, number);
        const char *const values[] = { k.value, size ? (const char *)data : "" };
        const int lengths[] = { k.length, (int)size }, formats[] = { k.format, 1 };
        return pipeline_sent(db,
                        PQsendQueryPrepared(db->conn, statement_name(t, STATEMENT_PUT).text, 2,
                                        values, lengths, formats, 1),
                        fail);
}

static int postgresql_delete(void *engine, enum store_table t, const char *key, uint64_t number,
                struct fail *fail) {
        struct postgresql_database *db = engine;
        struct key_param k;

        key_param_set(&k, t, key, number);
        return pipeline_sent(db,
                        PQsendQueryPrepared(db->conn, statement_name(t, STATEMENT_DELETE).text, 1,
                                        &k.value, &k.length, &k.format, 1),
                        fail);
}

static int postgresql_clear(void *engine, enum store_table t, struct fail *fail) {
        char sql[64];

        snprintf(sql, sizeof sql, "DELETE FROM slumber.%s", database_table_name(t));
        return pipeline_run(engine, sql, fail);
}

static int postgresql_commit(void *engine, uint64_t last_job, struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = pipeline_run(db, "COMMIT", fail);

        (void)last_job;
        return r < 0 ? r : pipeline_end(db, fail);
}

static void postgresql_rollback(void *engine) {
        struct postgresql_database *db = engine;

        if (PQstatus(db->conn) == CONNECTION_OK && PQpipelineStatus(db->conn) != PQ_PIPELINE_OFF)
                (void)pipeline_end(db, NULL);
        if (PQstatus(db->conn) == CONNECTION_OK && PQtransactionStatus(db->conn) != PQTRANS_IDLE)
                (void)sql_run(db, "ROLLBACK", NULL);
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

static int postgresql_read(void *engine, enum store_table t, uint64_t number, database_row row,
                void *user, struct fail *fail) {
        struct postgresql_database *db = engine;
        struct key_param k;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        key_param_set(&k, t, NULL, number);
        _cleanup_result_ PGresult *result = PQexecPrepared(db->conn,
                        statement_name(t, STATEMENT_READ).text, 1, &k.value, &k.length, &k.format,
                        1);
        if (!result_is_good(result))
                return result_fail(db, result, fail);
        if (PQntuples(result) == 0)
                return 0;
        r = row_pass(t, result, 0, row, user);
        return r < 0 ? r : 1;
}

/* Row by row: a table need not fit into memory twice. */
static int postgresql_load(void *engine, enum store_table t, database_row row, void *user,
                struct fail *fail) {
        struct postgresql_database *db = engine;
        int r = session_reopen_if_lost(db, fail);

        if (r < 0)
                return r;
        if (!PQsendQueryPrepared(db->conn, statement_name(t, STATEMENT_LOAD).text, 0, NULL, NULL,
                            NULL, 1) ||
                        !PQsetSingleRowMode(db->conn))
                return connection_fail(db, fail);
        for (;;) {
                _cleanup_result_ PGresult *result = PQgetResult(db->conn);

                if (!result)
                        return r;
                if (!result_is_good(result) && r >= 0)
                        r = result_fail(db, result, fail);
                for (int i = 0; i < PQntuples(result) && r >= 0; i++)
                        r = row_pass(t, result, i, row, user);
        }
}

/* The copy is a state folder with an SQLite file: slumberctld can start from it. */
static int postgresql_copy(void *engine, const char *folder, struct fail *fail) {
        (void)engine;
        return fail_set(fail, -EOPNOTSUPP,
                        "cannot copy a store in PostgreSQL to %s: use pg_dump --schema=slumber",
                        folder);
}

const struct database_engine database_postgresql = {
        .open = postgresql_open,
        .close = postgresql_close,
        .place = postgresql_place,
        .check = postgresql_check,
        .last_job = postgresql_last_job,
        .begin = postgresql_begin,
        .put = postgresql_put,
        .delete = postgresql_delete,
        .clear = postgresql_clear,
        .commit = postgresql_commit,
        .rollback = postgresql_rollback,
        .read = postgresql_read,
        .load = postgresql_load,
        .copy = postgresql_copy,
};
