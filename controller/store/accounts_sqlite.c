/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accounting file FOLDER/accounting.db. WAL with synchronous=NORMAL, and FULL for durable
 * commits: a power failure may cost the last other rows but never the file.
 *
 * The schema is in accounting_schema.c: PRAGMA user_version counts the steps applied to a file; a
 * file of a newer version is refused. */
#include "controller/store/accounts_engine.h"

#include "controller/store/accounting_schema.h"
#include "controller/store/database.h"
#include "controller/store/generation.h"
#include "controller/store/table.h"

#include <fcntl.h>
#include <sys/stat.h>

#define APPLICATION_ID 0x534c4143 /* "SLAC" */

struct accounts_file {
        char *path;
        bool made; /* this process created the file */
        sqlite3 *sqlite;
        struct generation *generation; /* NULL: not open */
};

static int accounts_sql_fail(const struct accounts_file *a, struct fail *fail) {
        int code = sqlite3_extended_errcode(a->sqlite) & 0xff;

        if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
                return fail_set(fail, -EBADMSG,
                                "the accounting file %s is damaged or not a database; restore a copy, or move it away and "
                                "begin anew with slumberctld --accept-state",
                                a->path);
        if (code == SQLITE_FULL)
                return fail_set(fail, -ENOSPC,
                                "the disk is full: cannot write the accounting file %s", a->path);
        return fail_set(fail, code == SQLITE_BUSY ? -EBUSY : -EIO,
                        "cannot use the accounting file %s: %s", a->path,
                        sqlite3_errmsg(a->sqlite));
}

static int run_sql(struct accounts_file *a, const char *sql, struct fail *fail) {
        return sqlite3_exec(a->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK
                               ? 0
                               : accounts_sql_fail(a, fail);
}

static int accounts_number_read(struct accounts_file *a, const char *sql, int64_t *ret,
                struct fail *fail) {
        sqlite3_stmt *s = NULL;
        int r = 0;

        if (sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL) != SQLITE_OK ||
                        sqlite3_step(s) != SQLITE_ROW)
                r = accounts_sql_fail(a, fail);
        else
                *ret = sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        return r;
}

static int statement_prepare(struct accounts_file *a, const char *sql, const char *const *params,
                size_t n, sqlite3_stmt **ret, struct fail *fail) {
        if (sqlite3_prepare_v2(a->sqlite, sql, -1, ret, NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        for (size_t i = 0; i < n; i++)
                sqlite3_bind_text(*ret, (int)i + 1, params[i], -1, SQLITE_STATIC);
        return 0;
}

static int accounts_file_execute(void *engine, const char *sql, const char *const *params, size_t n,
                struct fail *fail) {
        struct accounts_file *a = engine;
        sqlite3_stmt *s = NULL;
        int r = statement_prepare(a, sql, params, n, &s, fail);

        if (r >= 0 && sqlite3_step(s) != SQLITE_DONE)
                r = accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return r;
}

static int accounts_file_query(void *engine, const char *sql, const char *const *params, size_t n,
                size_t n_columns, accounts_row row, void *user, struct fail *fail) {
        struct accounts_file *a = engine;
        _cleanup_free_ const char **values = xnew0(const char *, n_columns);
        sqlite3_stmt *s = NULL;
        int code = SQLITE_DONE, r = statement_prepare(a, sql, params, n, &s, fail);

        while (r == 0 && (code = sqlite3_step(s)) == SQLITE_ROW) {
                for (size_t i = 0; i < n_columns; i++)
                        values[i] = strempty((const char *)sqlite3_column_text(s, (int)i));
                r = row(values, user);
        }
        if (r == 0 && code != SQLITE_DONE)
                r = accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return MIN(r, 0);
}

/* ---- opening ---- */

static int accounts_file_make(struct accounts_file *a, struct fail *fail) {
        _cleanup_close_ int fd = open(a->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0600);

        a->made = fd >= 0;
        if (fd < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make the accounting file %s: %s", a->path,
                                strerror(errno));
        return 0;
}

static int run_whole(struct accounts_file *a, const char *sql, const char *last,
                struct fail *fail) {
        int r = run_sql(a, "BEGIN IMMEDIATE", fail);

        if (r >= 0)
                r = run_sql(a, sql, fail);
        if (r >= 0)
                r = run_sql(a, last, fail);
        return r < 0 ? r : run_sql(a, "COMMIT", fail);
}

/* Writes SQL for the columns missing in table. */
static void columns_missing(sqlite3 *db, FILE *out, const char *table, const char *const *columns,
                size_t n) {
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *name = xstrndup(columns[i], strcspn(columns[i], " "));
                if (sqlite3_table_column_metadata(db, NULL, table, name, NULL, NULL, NULL, NULL,
                                    NULL) != SQLITE_OK)
                        fprintf(out, "ALTER TABLE %s ADD COLUMN %s;", table, columns[i]);
        }
}

static int add_columns(struct accounts_file *a, struct fail *fail) {
        _cleanup_free_ char *sql = NULL;
        size_t size, n;
        FILE *out = memstream_open(&sql, &size);
        const char *const *columns = accounting_job_columns(&n);

        columns_missing(a->sqlite, out, "job", columns, n);
        columns = accounting_step_columns(&n);
        columns_missing(a->sqlite, out, "step", columns, n);
        memstream_close(out);
        return *sql ? run_whole(a, sql, "", fail) : 0;
}

static int accounts_schema_upgrade(struct accounts_file *a, struct fail *fail) {
        int64_t version = 0, application = 0, newest = (int64_t)n_accounting_steps;
        char sql[128];
        int r = accounts_number_read(a, "PRAGMA user_version", &version, fail);

        if (r >= 0)
                r = accounts_number_read(a, "PRAGMA application_id", &application, fail);
        if (r < 0)
                return r;
        if (application != (version ? APPLICATION_ID : 0))
                return fail_set(fail, -EBADMSG,
                                "%s is some other program's database, not an accounting file",
                                a->path);
        if (version > newest)
                return fail_set(fail, -ENOTSUP,
                                "the accounting file %s was written by a newer version (format %lld, this is %lld)",
                                a->path, (long long)version, (long long)newest);
        for (; version < newest; version++) {
                snprintf(sql, sizeof sql, "PRAGMA user_version = %lld; PRAGMA application_id = %d",
                                (long long)version + 1, APPLICATION_ID);
                r = run_whole(a, accounting_steps[version], sql, fail);
                if (r < 0)
                        return r;
        }
        return add_columns(a, fail);
}

static int accounts_file_open(const struct accounts_place *place, void **ret, struct fail *fail) {
        struct accounts_file *a = xnew0(struct accounts_file, 1);

        *ret = a;
        a->path = xasprintf("%s/accounting.db", place->folder);
        int r = accounts_file_make(a, fail);
        if (r < 0)
                return r;
        if (sqlite3_open_v2(a->path, &a->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                            NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        sqlite3_busy_timeout(a->sqlite, 1000); /* another tool may hold the lock */
        r = run_sql(a, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", fail);
        if (r >= 0)
                r = accounts_schema_upgrade(a, fail);
        return r < 0 ? r
                     : generation_open(a->sqlite, place->folder, GENERATION_ACCOUNTS,
                                       &a->generation, fail);
}

static void accounts_file_close(void *engine, bool abandon) {
        static const char *const files[] = { "-wal", "-shm", "-journal", "" };
        struct accounts_file *a = engine;

        a->generation = generation_close(a->generation);
        sqlite3_close(a->sqlite);
        for (size_t i = 0; abandon && a->made && i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *file = xasprintf("%s%s", a->path, files[i]);
                (void)unlink(file);
        }
        free(a->path);
        free(a);
}

static int accounts_file_check(const void *engine, struct fail *fail) {
        const struct accounts_file *a = engine;

        return generation_check(a->generation, fail);
}

static bool accounts_file_is_new(const void *engine) {
        const struct accounts_file *a = engine;

        return !generation_began(a->generation);
}

/* ---- transactions ---- */

static int accounts_file_begin(void *engine, bool durable, struct fail *fail) {
        int r = durable ? run_sql(engine, "PRAGMA synchronous=FULL", fail) : 0;

        return r < 0 ? r : run_sql(engine, "BEGIN IMMEDIATE", fail);
}

static int accounts_file_commit(void *engine, bool durable, struct fail *fail) {
        struct accounts_file *a = engine;
        int r = durable ? generation_count(a->generation, fail) : 0; /* other writes may be lost */

        if (r >= 0)
                r = run_sql(a, "COMMIT", fail);
        if (r < 0 || !durable)
                return r;
        /* a failure is harmless: the next write corrects the file, and a file behind the database
           refuses no start */
        (void)generation_note(a->generation, 0, NULL);
        (void)run_sql(a, "PRAGMA synchronous=NORMAL", NULL);
        return r;
}

static void accounts_file_rollback(void *engine, bool durable) {
        struct accounts_file *a = engine;

        if (!sqlite3_get_autocommit(a->sqlite))
                sqlite3_exec(a->sqlite, "ROLLBACK", NULL, NULL, NULL);
        if (durable)
                (void)run_sql(a, "PRAGMA synchronous=NORMAL", NULL);
}

/* ---- rows of objects ---- */

static int prepare_row(struct accounts_file *a, const struct accounting_row *row,
                sqlite3_stmt **ret) {
        _cleanup_free_ char *columns = table_columns(row->columns, row->n),
                            *places = table_columns(NULL, row->n);
        _cleanup_free_ char
                        *sql = row->remove ? xasprintf("DELETE FROM %s WHERE %s = ?1", row->table,
                                                             row->columns[0])
                                           : xasprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)",
                                                             row->table, columns, places);

        return sqlite3_prepare_v2(a->sqlite, sql, -1, ret, NULL);
}

/* Returns whether rows x and y can use the same statement. */
static bool rows_alike(const struct accounting_row *x, const struct accounting_row *y) {
        return streq(x->table, y->table) && x->columns == y->columns && x->n == y->n &&
               x->remove == y->remove;
}

/* Prepared statements of a single write. Rows of jobs alternate with rows of steps, and preparing a
   statement of 80 columns costs more than writing the row. */
#define KINDS 4
struct kinds {
        struct kind {
                const struct accounting_row *like;
                sqlite3_stmt *statement;
        } list[KINDS];
        size_t next; /* index (modulo KINDS) of the next entry to be replaced */
};

/* Sets *ret to the statement for row, borrowed until KINDS other statements were prepared. */
static int kinds_get(struct kinds *k, struct accounts_file *a, const struct accounting_row *row,
                sqlite3_stmt **ret) {
        struct kind *kind = &k->list[k->next % KINDS];
        int code;

        for (size_t i = 0; i < KINDS; i++)
                if (k->list[i].statement && rows_alike(k->list[i].like, row)) {
                        *ret = k->list[i].statement;
                        return SQLITE_OK;
                }
        sqlite3_finalize(TAKE(kind->statement));
        code = prepare_row(a, row, &kind->statement);
        if (code != SQLITE_OK)
                return code;
        kind->like = row;
        k->next++;
        *ret = kind->statement;
        return SQLITE_OK;
}

static int write_row(sqlite3_stmt *s, const struct accounting_row *row) {
        for (size_t k = 0; k < (row->remove ? 1 : row->n); k++) {
                int code = sqlite3_bind_text(s, (int)k + 1, row->values[k], -1, SQLITE_STATIC);

                if (code != SQLITE_OK)
                        return code;
        }
        return sqlite3_step(s) == SQLITE_DONE ? sqlite3_reset(s) : SQLITE_ERROR;
}

static int accounts_file_write(void *engine, const struct accounting_row *rows, size_t n,
                struct fail *fail) {
        struct accounts_file *a = engine;
        struct kinds kinds = { 0 };
        int code = SQLITE_OK;

        for (size_t i = 0; i < n && code == SQLITE_OK; i++) {
                sqlite3_stmt *s;

                code = kinds_get(&kinds, a, &rows[i], &s);
                if (code == SQLITE_OK)
                        code = write_row(s, &rows[i]);
        }
        int r = code == SQLITE_OK ? 0 : accounts_sql_fail(a, fail);
        for (size_t i = 0; i < KINDS; i++)
                sqlite3_finalize(kinds.list[i].statement);
        return r;
}

static int accounts_file_copy(void *engine, const char *folder, struct fail *fail) {
        struct accounts_file *a = engine;
        int r = table_copy(a->sqlite, folder, "accounting.db", fail);

        if (r < 0)
                table_copy_undo(folder, DATABASE_COPY);
        return r;
}

const struct accounts_engine accounts_sqlite = {
        .open = accounts_file_open,
        .close = accounts_file_close,
        .check = accounts_file_check,
        .is_new = accounts_file_is_new,
        .begin = accounts_file_begin,
        .commit = accounts_file_commit,
        .rollback = accounts_file_rollback,
        .execute = accounts_file_execute,
        .query = accounts_file_query,
        .write = accounts_file_write,
        .copy = accounts_file_copy,
        .columns_sql = "SELECT name, type FROM pragma_table_info(?1)",
};
