/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SQLite file FOLDER/slumber.db is in WAL mode with synchronous=FULL: a commit is one append
 * and one fsync of the log. The connection holds the file exclusively, so that the log's index
 * needs no shared memory. A lock file tells the second controller on a folder who uses the folder,
 * instead of "database is locked".
 *
 * PRAGMA application_id distinguishes Slumber's files from other SQLite files. user_version is the
 * format: format 1 had no table ended. make_tables() upgrades an older format; a newer format is
 * refused.
 *
 * Values of STORE_SCRIPT are zstd frames with their size. A frame with a size above STORE_VALUE_MAX
 * counts as damaged and is not unpacked. */
#include "controller/store/database.h"

#include "controller/store/generation.h"
#include "controller/store/table.h"
#include "controller/store/wal.h"

#include <fcntl.h>
#include <pwd.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <zstd.h>

#define STORE_FORMAT      2
#define APPLICATION_ID    0x534c4d42 /* "SLMB" */
#define COMPRESSION_LEVEL 1          /* speed matters more than the last percent */
#define LOG_SIZE_MAX      (64 << 20) /* size to which the log shrinks after a burst */

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

static const struct {
        const char *name;
        bool text_keys, compressed;
} tables[STORE_TABLE_MAX] = {
        [STORE_META] = { "meta", true, false },
        [STORE_NODE] = { "node", true, false },
        [STORE_JOB] = { "job", false, false },
        [STORE_SCRIPT] = { "script", false, true },
        [STORE_ENDED] = { "ended", false, false },
};

static const char *const statements[STATEMENT_MAX] = {
        [STATEMENT_PUT] = ("INSERT INTO %s (id, data) VALUES (?1, ?2) "
                           "ON CONFLICT (id) DO UPDATE SET data = excluded.data"),
        [STATEMENT_DELETE] = "DELETE FROM %s WHERE id = ?1",
        [STATEMENT_READ] = "SELECT id, data FROM %s WHERE id = ?1",
        [STATEMENT_LOAD] = "SELECT id, data FROM %s ORDER BY id",
};

struct database {
        sqlite3 *sqlite;
        sqlite3_stmt *statements[STORE_TABLE_MAX][STATEMENT_MAX], *bounds[BOUND_MAX];
        ZSTD_CCtx *compressor;
        char *folder, *path, *lock_path;
        bool made_folder, made_lock, made_file; /* created by this process */
        int lock;
        struct generation *generation; /* NULL: not open */
        uint64_t last_job;             /* highest job id ever put */
};

bool database_text_keys(enum store_table t) {
        assert(t < STORE_TABLE_MAX);
        return tables[t].text_keys;
}

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
static int database_fail(const struct database *db, struct fail *fail) {
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

static int database_sql_run(struct database *db, const char *sql, struct fail *fail) {
        return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK
                               ? 0
                               : database_fail(db, fail);
}

static int database_sql_run_format(struct database *db, struct fail *fail, const char *format, ...)
                _printf_(3, 4);
static int database_sql_run_format(struct database *db, struct fail *fail, const char *format,
                ...) {
        char sql[256];
        va_list args;

        va_start(args, format);
        int n = vsnprintf(sql, sizeof sql, format, args);
        va_end(args);
        assert(n > 0 && (size_t)n < sizeof sql);
        return database_sql_run(db, sql, fail);
}

static int database_number_read(struct database *db, const char *sql, int64_t *ret,
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

static const char *user_name(uid_t uid, char buf[static 32]) {
        const struct passwd *pw = getpwuid(uid);

        if (pw)
                return pw->pw_name;
        snprintf(buf, 32, "%u", (unsigned)uid);
        return buf;
}

/* The owner matters: the folder has the key for signing credentials, and users' scripts. */
static int folder_owner_check(const char *folder, const struct stat *st, struct fail *fail) {
        char owner[32], me[32];

        if (st->st_uid != geteuid() && st->st_uid != 0) {
                _cleanup_free_ char *name = xstrdup(user_name(st->st_uid, owner));
                return fail_set(fail, -EPERM,
                                "the state folder %s belongs to user %s, expected SlurmUser %s",
                                folder, name, user_name(geteuid(), me));
        }
        if (st->st_mode & 002)
                return fail_set(fail, -EPERM,
                                "the state folder %s has mode %04o: others must not write there "
                                "(chmod o-w)",
                                folder, st->st_mode & 07777);
        return 0;
}

static int no_folder(const char *folder, int error, struct fail *fail) {
        char me[32];

        if (error == EACCES)
                return fail_set(fail, -error,
                                "cannot make the state folder %s as user %s: make it for that user "
                                "(install -d -m 0700 -o %s %s)",
                                folder, user_name(geteuid(), me), user_name(geteuid(), me), folder);
        return fail_set(fail, -error, "cannot make the state folder %s: %s", folder,
                        strerror(error));
}

static int check_folder(struct database *db, struct fail *fail) {
        const char *folder = db->folder;
        struct stat st;
        char me[32];

        db->made_folder = mkdir(folder, 0700) >= 0;
        if (!db->made_folder && errno != EEXIST)
                return no_folder(folder, errno, fail);
        if (stat(folder, &st) < 0)
                return fail_set(fail, -errno, "cannot look at the state folder %s: %s", folder,
                                strerror(errno));
        if (!S_ISDIR(st.st_mode))
                return fail_set(fail, -ENOTDIR, "the state folder %s is not a folder", folder);
        int r = folder_owner_check(folder, &st, fail);
        if (r < 0)
                return r;
        /* Existing files could be opened, but the log could not be created. */
        if (faccessat(AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) < 0) {
                int error = errno;
                return fail_set(fail, -error, "cannot write in the state folder %s as user %s: %s",
                                folder, user_name(geteuid(), me), strerror(error));
        }
        return 0;
}

/* Opens path, created with mode 0600 if missing; *ret_made: created. */
static int open_own(const char *path, bool *ret_made) {
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        *ret_made = fd >= 0;
        return fd < 0 && errno == EEXIST ? open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : fd;
}

static int folder_in_use(int fd, const char *folder, struct fail *fail) {
        char pid[32] = "";

        ssize_t n = pread(fd, pid, sizeof pid - 1, 0);
        pid[n > 0 ? n : 0] = 0;
        pid[strspn(pid, "0123456789")] = 0;
        return fail_set(fail, -EBUSY, "another controller%s%s uses the state folder %s",
                        *pid ? ", process " : "", pid, folder);
}

/* Takes a POSIX lock, which forked children do not inherit: a child between fork and exec may
   outlive slumberctld. */
static int lock_folder(struct database *db, struct fail *fail) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        const char *folder = db->folder;
        bool made;
        char pid[32];

        _cleanup_close_ int fd = open_own(db->lock_path, &made);
        if (fd < 0)
                return fail_set(fail, -errno, "cannot open %s: %s", db->lock_path, strerror(errno));
        if (fcntl(fd, F_SETLK, &whole) < 0)
                return errno == EACCES || errno == EAGAIN
                                       ? folder_in_use(fd, folder, fail)
                                       : fail_set(fail, -errno, "cannot lock %s: %s", db->lock_path,
                                                         strerror(errno));
        db->made_lock = made;
        /* Only folder_in_use() reads the pid; a full disk must not prevent the start. */
        int n = snprintf(pid, sizeof pid, "%d\n", (int)getpid());
        if (ftruncate(fd, 0) == 0)
                (void)!pwrite(fd, pid, (size_t)n, 0);
        db->lock = TAKE_FD(fd);
        return 0;
}

/* Creates the file with mode 0600: SQLite would apply the umask, and the file has users' scripts
   and environments. */
static int database_file_make(struct database *db, struct fail *fail) {
        _cleanup_close_ int fd = open_own(db->path, &db->made_file);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot open the store %s: %s", db->path,
                                strerror(errno));
        return 0;
}

static int check_format(struct database *db, int64_t *ret_format, struct fail *fail) {
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
static int make_tables(struct database *db, struct fail *fail) {
        int r = database_sql_run(db, "BEGIN IMMEDIATE", fail);

        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++)
                r = database_sql_run_format(db, fail,
                                "CREATE TABLE IF NOT EXISTS %s (id %s PRIMARY KEY, data BLOB NOT NULL) %s",
                                tables[t].name, tables[t].text_keys ? "TEXT" : "INTEGER",
                                tables[t].text_keys ? "STRICT, WITHOUT ROWID" : "STRICT");
        if (r >= 0)
                r = database_sql_run_format(db, fail, "PRAGMA application_id = %d", APPLICATION_ID);
        if (r >= 0)
                r = database_sql_run_format(db, fail, "PRAGMA user_version = %d", STORE_FORMAT);
        if (r >= 0)
                r = database_sql_run(db, "COMMIT", fail);
        return r;
}

static int statements_prepare(struct database *db, struct fail *fail) {
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                for (size_t i = 0; i < STATEMENT_MAX; i++) {
                        char sql[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                        snprintf(sql, sizeof sql, statements[i], tables[t].name);
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

static int database_folder_sync(const char *folder, struct fail *fail) {
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0 || fsync(fd) < 0)
                return fail_set(fail, -errno, "cannot sync the state folder %s: %s", folder,
                                strerror(errno));
        return 0;
}

static int database_sqlite_open(struct database *db, struct fail *fail) {
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

int database_open(const char *folder, struct database **ret, struct fail *fail) {
        int r;

        assert(folder);
        assert(ret);

        /* SQLite's memory statistics cost a lock per allocation. SQLite refuses the option when
           already in use, which does no harm. */
        (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

        _cleanup_(database_abandonp) struct database *db = xnew0(struct database, 1);
        db->lock = -1;
        db->folder = xstrdup(folder);
        db->path = xasprintf("%s/slumber.db", folder);
        db->lock_path = xasprintf("%s/slumber.lock", folder);
        db->compressor = ZSTD_createCCtx();
        if (!db->compressor)
                return fail_set(fail, -ENOMEM, "out of memory");

        r = check_folder(db, fail);
        if (r >= 0)
                r = lock_folder(db, fail);
        if (r >= 0)
                r = database_file_make(db, fail);
        if (r >= 0)
                r = database_sqlite_open(db, fail);
        if (r >= 0)
                r = database_folder_sync(folder, fail);
        if (r >= 0)
                r = generation_open(db->sqlite, folder, GENERATION_STATE, &db->generation, fail);
        if (r < 0)
                return r;
        db->last_job = generation_last_job(db->generation);

        *ret = TAKE(db);
        return 0;
}

static void close_sqlite(struct database *db) {
        for (size_t t = 0; t < STORE_TABLE_MAX; t++)
                for (size_t i = 0; i < STATEMENT_MAX; i++)
                        sqlite3_finalize(TAKE(db->statements[t][i]));
        for (size_t i = 0; i < BOUND_MAX; i++)
                sqlite3_finalize(TAKE(db->bounds[i]));
        sqlite3_close(TAKE(db->sqlite));
}

/* The lock is held until all files are removed: a concurrent open is refused, and a later open
   creates the files anew. */
struct database *database_abandon(struct database *db) {
        static const char *const logs[] = { "-wal", "-shm", "-journal" };

        if (!db)
                return NULL;
        if (db->made_file)
                db->generation = generation_remove(db->generation);
        db->generation = generation_close(db->generation);
        close_sqlite(db);
        for (size_t i = 0; db->made_file && i < ELEMENTSOF(logs); i++) {
                _cleanup_free_ char *log = xasprintf("%s%s", db->path, logs[i]);
                (void)unlink(log);
        }
        if (db->made_file)
                (void)unlink(db->path);
        if (db->made_lock)
                (void)unlink(db->lock_path);
        if (db->made_folder)
                (void)rmdir(db->folder); /* fails if other files are in the folder */
        return database_close(db);
}

struct database *database_close(struct database *db) {
        if (!db)
                return NULL;
        db->generation = generation_close(db->generation);
        close_sqlite(db);
        ZSTD_freeCCtx(db->compressor);
        if (db->lock >= 0)
                /* SQLite has written the log back before the next process can lock */
                close(db->lock);
        free(db->folder);
        free(db->path);
        free(db->lock_path);
        free(db);
        return NULL;
}

/* ---- values ---- */

static void *compress_value(struct database *db, const uint8_t *data, size_t size,
                size_t *ret_size) {
        size_t bound = ZSTD_compressBound(size);
        void *frame = xmalloc(bound);

        *ret_size = ZSTD_compressCCtx(db->compressor, frame, bound, data, size, COMPRESSION_LEVEL);
        if (ZSTD_isError(*ret_size)) /* the buffer is large enough: only memory can be short */
                out_of_memory();
        return frame;
}

/* Returns 0 and a malloced copy; -EBADMSG for a frame not written by compress_value(). */
static int decompress_value(const void *frame, size_t frame_size, uint8_t **ret, size_t *ret_size) {
        unsigned long long size = ZSTD_getFrameContentSize(frame, frame_size);

        if (size > STORE_VALUE_MAX) /* true for ZSTD_CONTENTSIZE_UNKNOWN and _ERROR, too */
                return -EBADMSG;
        _cleanup_free_ uint8_t *data = xmalloc((size_t)size);
        size_t n = ZSTD_decompress(data, (size_t)size, frame, frame_size);
        if (ZSTD_isError(n) || n != size)
                return -EBADMSG;
        *ret = TAKE(data);
        *ret_size = n;
        return 0;
}

/* Sets *ret to the malloced value of stmt's current row. */
static int take_value(struct database *db, enum store_table t, sqlite3_stmt *stmt, uint8_t **ret,
                size_t *ret_size, struct fail *fail) {
        const void *blob = sqlite3_column_blob(stmt, 1);
        size_t size = (size_t)sqlite3_column_bytes(stmt, 1);

        if (!tables[t].compressed) {
                *ret = xmalloc(size);
                if (size > 0)
                        memcpy(*ret, blob, size);
                *ret_size = size;
                return 0;
        }
        int r = decompress_value(blob, size, ret, ret_size);
        if (r < 0)
                return fail_set(fail, r, "a script in the store %s is damaged", db->path);
        return 0;
}

static void bind_key(sqlite3_stmt *stmt, enum store_table t, const char *key, uint64_t number) {
        if (tables[t].text_keys)
                sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
        else
                sqlite3_bind_int64(stmt, 1, (sqlite3_int64)number);
}

static int statement_finish(struct database *db, sqlite3_stmt *stmt, int r, struct fail *fail) {
        if (r != SQLITE_DONE && r != SQLITE_ROW)
                r = database_fail(db, fail);
        else
                r = 0;
        sqlite3_reset(stmt);
        sqlite3_clear_bindings(stmt);
        return r;
}

/* ---- the worker's functions ---- */

/* Runs BEGIN or COMMIT. */
static int bounds_run(struct database *db, size_t which, struct fail *fail) {
        sqlite3_stmt *stmt = db->bounds[which];

        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

int database_begin(struct database *db, struct fail *fail) {
        return bounds_run(db, BOUND_BEGIN, fail);
}

int database_commit(struct database *db, struct fail *fail) {
        int r = generation_count(db->generation, fail);

        if (r >= 0)
                r = bounds_run(db, BOUND_COMMIT, fail);
        return r < 0 ? r : generation_note(db->generation, db->last_job, fail);
}

int database_check(const struct database *db, struct fail *fail) {
        return generation_check(db->generation, fail);
}

uint64_t database_last_job(const struct database *db) {
        return db->last_job;
}

void database_rollback(struct database *db) {
        if (!sqlite3_get_autocommit(db->sqlite))
                sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

int database_put(struct database *db, enum store_table t, const char *key, uint64_t number,
                const uint8_t *data, size_t size, struct fail *fail) {
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_PUT];
        _cleanup_free_ void *frame = NULL;

        if (t == STORE_JOB)
                db->last_job = MAX(db->last_job, number);
        bind_key(stmt, t, key, number);
        if (tables[t].compressed) {
                frame = compress_value(db, data, size, &size);
                data = frame;
        }
        sqlite3_bind_blob64(stmt, 2, data, size, SQLITE_STATIC);
        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

int database_delete(struct database *db, enum store_table t, const char *key, uint64_t number,
                struct fail *fail) {
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_DELETE];

        bind_key(stmt, t, key, number);
        return statement_finish(db, stmt, sqlite3_step(stmt), fail);
}

int database_read(struct database *db, enum store_table t, uint64_t number, uint8_t **ret,
                size_t *ret_size, struct fail *fail) {
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_READ];
        int r = 0;

        bind_key(stmt, t, NULL, number);
        int code = sqlite3_step(stmt);
        if (code == SQLITE_ROW)
                r = take_value(db, t, stmt, ret, ret_size, fail);
        int finished = statement_finish(db, stmt, code, fail);
        if (r < 0 || finished < 0)
                return r < 0 ? r : finished;
        return code == SQLITE_ROW;
}

static int load_row(struct database *db, enum store_table t, sqlite3_stmt *stmt,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail) {
        _cleanup_free_ uint8_t *data = NULL;
        size_t size = 0;
        int r;

        r = take_value(db, t, stmt, &data, &size, fail);
        if (r < 0)
                return r;
        if (tables[t].text_keys)
                return row((const char *)sqlite3_column_text(stmt, 0), 0, data, size, user);
        return row("", (uint64_t)sqlite3_column_int64(stmt, 0), data, size, user);
}

int database_load(struct database *db, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail) {
        sqlite3_stmt *stmt = db->statements[t][STATEMENT_LOAD];
        int code, r = 0;

        while (r >= 0 && (code = sqlite3_step(stmt)) == SQLITE_ROW)
                r = load_row(db, t, stmt, row, user, fail);
        if (r >= 0)
                return statement_finish(db, stmt, code, fail);
        sqlite3_reset(stmt);
        return r;
}

int database_clear(struct database *db, struct fail *fail) {
        int r = database_begin(db, fail);

        db->last_job = 0;
        for (size_t t = 0; t < STORE_TABLE_MAX && r >= 0; t++)
                if (t != STORE_ENDED)
                        r = database_sql_run_format(db, fail, "DELETE FROM %s", tables[t].name);
        if (r >= 0)
                r = database_commit(db, fail);
        if (r < 0)
                database_rollback(db);
        return r;
}

int database_copy(struct database *db, const char *asked, struct fail *fail) {
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
