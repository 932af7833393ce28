/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SQLite file FOLDER/slumber.db is in WAL mode with synchronous=FULL: a commit is one append
 * and one fsync of the log. The connection holds the file exclusively, so that the log's index
 * needs no shared memory.
 *
 * PRAGMA application_id distinguishes Slumber's files from other SQLite files. user_version is the
 * format: format 1 had no table ended. make_tables() upgrades an older format; a newer format is
 * refused. */
#include "controller/store/database_engine.h"

#include "controller/store/generation.h"
#include "controller/store/table.h"
#include "controller/store/wal.h"

#include <sqlite3.h>
#include <sys/stat.h>

#define STORE_FORMAT   2
#define APPLICATION_ID 0x534c4d42 /* "SLMB" */
#define LOG_SIZE_MAX   (64 << 20) /* size to which the log shrinks after a burst */

enum statement {
        STATEMENT_PUT,
        STATEMENT_DELETE,
        STATEMENT_READ,
        STATEMENT_LOAD,
        STATEMENT_MAX,
};

/* Statements without a table. */
enum { BOUND_BEGIN, BOUND_COMMIT, BOUND_MAX };
static const char *const bounds[BOUND_MAX] = { "BEGIN IMMEDIATE", "COMMIT" };

static const char *const statements[STATEMENT_MAX] = {
        [STATEMENT_PUT] = ("INSERT INTO %s (id, data) VALUES (?1, ?2) "
                           "ON CONFLICT (id) DO UPDATE SET data = excluded.data"),
        [STATEMENT_DELETE] = "DELETE FROM %s WHERE id = ?1",
        [STATEMENT_READ] = "SELECT id, data FROM %s WHERE id = ?1",
        [STATEMENT_LOAD] = "SELECT id, data FROM %s ORDER BY id",
};

struct sqlite_database {
        sqlite3 *sqlite;
        sqlite3_stmt *statements[STORE_TABLE_MAX][STATEMENT_MAX], *bounds[BOUND_MAX];
        const char *folder; /* borrowed */
        char *path;
        bool made_file;                /* created by this process */
        struct generation *generation; /* NULL: not open */
};

/* ---- errors ---- */

/* Returns errno of the last failed call; 0: unknown. After a failed commit only the log's file
   object knows errno. */
static int system_errno(sqlite3 *sqlite) {
        int system = sqlite ? sqlite3_system_errno(sqlite) : 0;
        sqlite3_file *log = NULL;

        if (sqlite && system <= 0 &&
                        sqlite3_file_control(sqlite, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) ==
                                        SQLITE_OK &&
                        log && log->pMethods)
                (void)log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &system);
        return system;
}

static int sqlite_errno(sqlite3 *sqlite, int code) {
        int system = system_errno(sqlite);

        switch (code & 0xff) {
        case SQLITE_FULL:
                return -ENOSPC;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
                return -EBADMSG;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
                return -EBUSY;
        case SQLITE_READONLY:
                return -EROFS;
        case SQLITE_PERM:
        case SQLITE_AUTH:
                return -EACCES;
        default:
                return system > 0 ? -system : -EIO;
        }
}

/* Sets fail to the error of the last call on db. */
static int database_fail(const struct sqlite_database *db, struct fail *fail) {
        int code = sqlite3_extended_errcode(db->sqlite), r = sqlite_errno(db->sqlite, code);

        if (r == -EBADMSG)
                return fail_set(fail, r,
                                "the store %s is damaged or not a database; restore a copy, or "
                                "move it away and begin anew with slumberctld --accept-state",
                                db->path);
        if (r == -ENOSPC)
                return fail_set(fail, r, "the disk is full: cannot write the store %s", db->path);
        return fail_set(fail, r, "cannot use the store %s: %s (%s)", db->path,
                        sqlite3_errmsg(db->sqlite), strerror(-r));
}

/* ---- opening ---- */

static int database_sql_run(struct sqlite_database *db, const char *sql, struct fail *fail) {
        return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK
                               ? 0
                               : database_fail(db, fail);
}

static int database_sql_run_format(struct sqlite_database *db, struct fail *fail,
                const char *format, ...) _printf_(3, 4);
static int database_sql_run_format(struct sqlite_database *db, struct fail *fail,
                const char *format, ...) {
        char sql[256];
        va_list args;

        va_start(args, format);
        int n = vsnprintf(sql, sizeof sql, format, args);
        va_end(args);
        assert(n > 0 && (size_t)n < sizeof sql);
        return database_sql_run(db, sql, fail);
}

static int database_number_read(struct sqlite_database *db, const char *sql, int64_t *ret,
                struct fail *fail) {
        sqlite3_stmt *s = NULL;
        int r = 0;

        if (sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL) != SQLITE_OK ||
                        sqlite3_step(s) != SQLITE_ROW)
                r = database_fail(db, fail);
        else
                *ret = sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        return r;
}

/* Creates the file with mode 0600: SQLite would apply the umask, and the file has users' scripts
   and environments. */
static int database_file_make(struct sqlite_database *db, struct fail *fail) {
        _cleanup_close_ int fd = state_file_open(db->path, &db->made_file);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot open the store %s: %s", db->path,
                                strerror(errno));
        return 0;
}

static int check_format(struct sqlite_database *db, int64_t *ret_format, struct fail *fail) {
        int64_t application = 0, format = 0, objects = 0;
        int r;

        r = database_number_read(db, "PRAGMA application_id", &application, fail);
        if (r < 0)
                return r;
        r = database_number_read(db, "PRAGMA user_version", &format, fail);
        if (r < 0)
                return r;
        r = database_number_read(db, "SELECT count(*) FROM sqlite_master", &objects, fail);
        if (r < 0)
                return r;
        if (application != APPLICATION_ID && (application || format || objects))
                return fail_set(fail, -EINVAL,
                                "%s is a database of another program, expected Slumber's store",
                                db->path);
        if (format > STORE_FORMAT)
                return fail_set(fail, -EPROTONOSUPPORT,
                                "the store %s was written by a newer version (format %lld, this "
                                "program knows %d)",
                                db->path, (long long)format, STORE_FORMAT);
        *ret_format = format;
        return 0;
}

/* Creates all tables of a new file, or the tables missing in an older format. */
static int make_tables(struct sqlite_database *db, struct fail *fail) {
        int r = database_sql_run(db, "BEGIN IMMEDIATE", fail);

        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++)
                r = database_sql_run_format(db, fail,
                                "CREATE TABLE IF NOT EXISTS %s (id %s PRIMARY KEY, data BLOB NOT NULL) %s",
                                database_table_name(t), database_text_keys(t) ? "TEXT" : "INTEGER",
                                database_text_keys(t) ? "STRICT, WITHOUT ROWID" : "STRICT");
        if (r >= 0)
                r = database_sql_run_format(db, fail, "PRAGMA application_id = %d", APPLICATION_ID);
        if (r >= 0)
                r = database_sql_run_format(db, fail, "PRAGMA user_version = %d", STORE_FORMAT);
        if (r >= 0)
                r = database_sql_run(db, "COMMIT", fail);
        return r;
}

static int statements_prepare(struct sqlite_database *db, struct fail *fail) {
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                for (size_t i = 0; i < STATEMENT_MAX; i++) {
                        char sql[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                        snprintf(sql, sizeof sql, statements[i], database_table_name(t));
#pragma GCC diagnostic pop
                        if (sqlite3_prepare_v3(db->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                            &db->statements[t][i], NULL) != SQLITE_OK)
                                return database_fail(db, fail);
                }
        for (size_t i = 0; i < BOUND_MAX; i++)
                if (sqlite3_prepare_v3(db->sqlite, bounds[i], -1, SQLITE_PREPARE_PERSISTENT,
                                    &db->bounds[i], NULL) != SQLITE_OK)
                        return database_fail(db, fail);
        return 0;
}

static int database_sqlite_open(struct sqlite_database *db, struct fail *fail) {
        int64_t format = 0;
        int r;

        if (sqlite3_open_v2(db->path, &db->sqlite,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                            NULL) != SQLITE_OK)
                return database_fail(db, fail);
        r = database_sql_run(db, "PRAGMA locking_mode = EXCLUSIVE", fail);
        if (r >= 0)
                r = check_format(db, &format, fail); /* before any write */
        if (r >= 0)
                r = database_sql_run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
                                fail);
        if (r >= 0)
                r = database_sql_run_format(db, fail, "PRAGMA journal_size_limit = %d",
                                LOG_SIZE_MAX);
        if (r >= 0 && format < STORE_FORMAT)
                r = make_tables(db, fail);
        if (r < 0)
                return r;
        if (wal_extend(db->sqlite) < 0)
                return fail_set(fail, -EIO, "cannot sync the log of the store %s", db->path);
        return statements_prepare(db, fail);
}

static int sqlite_engine_open(const struct database_place *place, void **ret, struct fail *fail) {
        struct sqlite_database *db = xnew0(struct sqlite_database, 1);

        /* SQLite's memory statistics cost a lock per allocation. SQLite refuses the option when
           already in use, which does no harm. */
        (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

        *ret = db;
        db->folder = state_folder_path(place->folder);
        db->path = xasprintf("%s/slumber.db", db->folder);
        int r = database_file_make(db, fail);
        if (r >= 0)
                r = database_sqlite_open(db, fail);
        if (r >= 0)
                r = state_folder_sync(place->folder, fail);
        if (r >= 0)
                r = generation_open(db->sqlite, db->folder, GENERATION_STATE, &db->generation,
                                fail);
        return r;
}

static void close_sqlite(struct sqlite_database *db) {
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                for (size_t i = 0; i < STATEMENT_MAX; i++)
                        sqlite3_finalize(TAKE(db->statements[t][i]));
        for (size_t i = 0; i < BOUND_MAX; i++)
                sqlite3_finalize(TAKE(db->bounds[i]));
        sqlite3_close(TAKE(db->sqlite));
}

static void sqlite_files_remove(struct sqlite_database *db) {
        static const char *const files[] = { "-wal", "-shm", "-journal", "" };

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *file = xasprintf("%s%s", db->path, files[i]);
                (void)unlink(file);
        }
}

static void sqlite_engine_close(void *engine, bool abandon) {
        struct sqlite_database *db = engine;

        if (abandon && db->made_file)
                db->generation = generation_remove(db->generation);
        db->generation = generation_close(db->generation);
        close_sqlite(db);
        if (abandon && db->made_file)
                sqlite_files_remove(db);
        free(db->path);
        free(db);
}

/* ---- rows ---- */

static void bind_key(sqlite3_stmt *stmt, enum store_table t, const char *key, uint64_t number) {
        if (database_text_keys(t))
                sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
        else
                sqlite3_bind_int64(stmt, 1, (sqlite3_int64)number);
}

static int statement_finish(struct sqlite_database *db, sqlite3_stmt *stmt, int r,
                struct fail *fail) {
        if (r != SQLITE_DONE && r != SQLITE_ROW)
                r = database_fail(db, fail);
        else
                r = 0;
        sqlite3_reset(stmt);
        sqlite3_clear_bindings(stmt);
        return r;
}

/* Runs BEGIN or COMMIT. */
static int bounds_run(struct sqlite_database *db, size_t which, struct fail *fail) {
        sqlite3_stmt *stmt = db->bounds[which];

        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

static int sqlite_engine_begin(void *engine, struct fail *fail) {
        struct sqlite_database *db = engine;

        return bounds_run(db, BOUND_BEGIN, fail);
}

static int sqlite_engine_commit(void *engine, uint64_t last_job, struct fail *fail) {
        struct sqlite_database *db = engine;
        int r = generation_count(db->generation, fail);

        if (r >= 0)
                r = bounds_run(db, BOUND_COMMIT, fail);
        return r < 0 ? r : generation_note(db->generation, last_job, fail);
}

static int sqlite_engine_check(const void *engine, struct fail *fail) {
        const struct sqlite_database *db = engine;

        return generation_check(db->generation, fail);
}

static uint64_t sqlite_engine_last_job(const void *engine) {
        const struct sqlite_database *db = engine;

        return generation_last_job(db->generation);
}

static void sqlite_engine_rollback(void *engine) {
        struct sqlite_database *db = engine;

        if (!sqlite3_get_autocommit(db->sqlite))
                sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

static int sqlite_engine_put(void *engine, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail) {
        struct sqlite_database *db = engine;
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_PUT];

        bind_key(stmt, t, key, number);
        sqlite3_bind_blob64(stmt, 2, data, size, SQLITE_STATIC);
        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

static int sqlite_engine_delete(void *engine, enum store_table t, const char *key, uint64_t number,
                struct fail *fail) {
        struct sqlite_database *db = engine;
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_DELETE];

        bind_key(stmt, t, key, number);
        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

/* Calls row() with stmt's current row, which is borrowed from SQLite. */
static int sqlite_row_pass(enum store_table t, sqlite3_stmt *stmt, database_row row, void *user) {
        const uint8_t *data = sqlite3_column_blob(stmt, 1);
        size_t size = (size_t)sqlite3_column_bytes(stmt, 1);

        if (database_text_keys(t))
                return row((const char *)sqlite3_column_text(stmt, 0), 0, data, size, user);
        return row("", (uint64_t)sqlite3_column_int64(stmt, 0), data, size, user);
}

static int sqlite_engine_read(void *engine, enum store_table t, uint64_t number, database_row row,
                void *user, struct fail *fail) {
        struct sqlite_database *db = engine;
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_READ];
        int r = 0;

        bind_key(stmt, t, NULL, number);
        int code = sqlite3_step(stmt);
        if (code == SQLITE_ROW)
                r = sqlite_row_pass(t, stmt, row, user);
        int finished = statement_finish(db, stmt, code, fail);
        if (r < 0 || finished < 0)
                return r < 0 ? r : finished;
        return code == SQLITE_ROW;
}

static int sqlite_engine_load(void *engine, enum store_table t, database_row row, void *user,
                struct fail *fail) {
        struct sqlite_database *db = engine;
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_LOAD];
        int code, r = 0;

        while (r >= 0 && (code = sqlite3_step(stmt)) == SQLITE_ROW)
                r = sqlite_row_pass(t, stmt, row, user);
        if (r >= 0)
                return statement_finish(db, stmt, code, fail);
        sqlite3_reset(stmt);
        return r;
}

static int sqlite_engine_clear(void *engine, enum store_table t, struct fail *fail) {
        struct sqlite_database *db = engine;

        return database_sql_run_format(db, fail, "DELETE FROM %s", database_table_name(t));
}

static int sqlite_engine_copy(void *engine, const char *asked, struct fail *fail) {
        struct sqlite_database *db = engine;
        _cleanup_free_ char *folder = table_copy_folder(asked, fail);

        if (!folder)
                return -EPERM;
        if (mkdir(folder, 0700) < 0)
                return fail_set(fail, -errno, "cannot make the folder %s: %s", asked,
                                strerror(errno));
        int r = table_copy(db->sqlite, folder, DATABASE_COPY, fail);
        if (r < 0)
                (void)rmdir(folder);
        return r;
}

static const char *sqlite_engine_place(const void *engine) {
        const struct sqlite_database *db = engine;

        return db->path;
}

const struct database_engine database_sqlite = {
        .open = sqlite_engine_open,
        .close = sqlite_engine_close,
        .place = sqlite_engine_place,
        .check = sqlite_engine_check,
        .last_job = sqlite_engine_last_job,
        .begin = sqlite_engine_begin,
        .put = sqlite_engine_put,
        .delete = sqlite_engine_delete,
        .clear = sqlite_engine_clear,
        .commit = sqlite_engine_commit,
        .rollback = sqlite_engine_rollback,
        .read = sqlite_engine_read,
        .load = sqlite_engine_load,
        .copy = sqlite_engine_copy,
};
