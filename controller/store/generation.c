/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file has a line of fixed length per number: a thread can overwrite a line without touching
 * the others. All lines are within one disk sector, hence old or new, never half. The file is
 * created complete, by link(). */
#include "controller/store/generation.h"

#include <fcntl.h>
#include <inttypes.h>

#define LINE_FORMAT "%-9s%020" PRIu64 "\n"
#define LINE_SIZE   30

enum line { LINE_STATE, LINE_JOB, LINE_ACCOUNTS, LINE_MAX };

static const char *const line_names[LINE_MAX] = { "state", "job", "accounts" };

static const struct {
        const char *database;
        enum line line;
} kinds[] = {
        [GENERATION_STATE] = { "slumber.db", LINE_STATE },
        [GENERATION_ACCOUNTS] = { "accounting.db", LINE_ACCOUNTS },
};

struct generation {
        sqlite3 *db;
        sqlite3_stmt *count; /* NULL until the first generation_count() */
        enum generation_of of;
        char *folder, *path;
        int fd;
        bool made; /* this process created the file */
        enum { FILE_MISSING, FILE_DAMAGED, FILE_READ } file;
        uint64_t number, noted; /* count in the database; in the file */
        uint64_t next;          /* counted, not yet noted */
        uint64_t last_job;      /* highest job id in the file; 0 = none */
};

/* ---- the file ---- */

static bool parse_line(const char *text, enum line line, uint64_t *ret) {
        char again[LINE_SIZE + 1];

        *ret = strtoull(text + strcspn(text, "0123456789"), NULL, 10);
        snprintf(again, sizeof again, LINE_FORMAT, line_names[line], *ret);
        return memcmp(text, again, LINE_SIZE) == 0;
}

static int file_fail(const struct generation *g, const char *what, struct fail *fail) {
        int error = errno;

        return fail_set(fail, -error, "cannot %s %s: %s", what, g->path, strerror(error));
}

/* Returns 0 also if the file is missing. */
static int generation_file_open(struct generation *g, struct fail *fail) {
        char text[LINE_MAX * LINE_SIZE + 1] = "";

        g->fd = open(g->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (g->fd < 0)
                return errno == ENOENT ? 0 : file_fail(g, "open", fail);
        ssize_t n = pread(g->fd, text, sizeof text - 1, 0);
        if (n < 0)
                return file_fail(g, "read", fail);
        bool whole = n == LINE_MAX * LINE_SIZE;
        for (enum line i = 0; i < LINE_MAX && whole; i++) {
                uint64_t number;
                whole = parse_line(text + i * LINE_SIZE, i, &number);
                if (whole && i == kinds[g->of].line)
                        g->noted = number;
                if (whole && i == LINE_JOB)
                        g->last_job = number;
        }
        g->file = whole ? FILE_READ : FILE_DAMAGED;
        return 0;
}

static int write_lines(const struct generation *g, int fd, enum line first, const uint64_t *numbers,
                size_t n, struct fail *fail) {
        char text[LINE_MAX * LINE_SIZE + 1];

        for (size_t i = 0; i < n; i++)
                snprintf(text + i * LINE_SIZE, LINE_SIZE + 1, LINE_FORMAT, line_names[first + i],
                                numbers[i]);
        errno = ENOSPC; /* a short write sets no errno */
        return pwrite(fd, text, n * LINE_SIZE, (off_t)first * LINE_SIZE) != (ssize_t)(n * LINE_SIZE)
                               ? file_fail(g, "write", fail)
                               : 0;
}

static int generation_folder_sync(const struct generation *g, struct fail *fail) {
        _cleanup_close_ int fd = open(g->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? file_fail(g, "sync the folder of", fail) : 0;
}

/* The threads of both databases may run this at the same time: the first link() wins. */
static int generation_file_make(struct generation *g, struct fail *fail) {
        static const uint64_t none[LINE_MAX] = { 0 };
        _cleanup_free_ char *part = xasprintf("%s.%s", g->path, line_names[kinds[g->of].line]);

        (void)unlink(part);
        _cleanup_close_ int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0600);
        if (fd < 0)
                return file_fail(g, "make", fail);
        int r = write_lines(g, fd, LINE_STATE, none, LINE_MAX, fail);
        if (r >= 0 && fsync(fd) < 0)
                r = file_fail(g, "sync", fail);
        if (r >= 0) {
                g->made = link(part, g->path) >= 0;
                if (!g->made && errno != EEXIST)
                        r = file_fail(g, "make", fail);
        }
        (void)unlink(part);
        if (r >= 0)
                r = generation_folder_sync(g, fail);
        if (r < 0)
                return r;
        g->fd = open(g->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        return g->fd < 0 ? file_fail(g, "open", fail) : 0;
}

/* Creates the file, or rewrites a damaged file: committing at all means that the administrator
   accepted the state. */
static int have_file(struct generation *g, struct fail *fail) {
        static const uint64_t none[LINE_MAX] = { 0 };
        int r = g->fd < 0 ? generation_file_make(g, fail) : 0;

        if (r >= 0 && g->file == FILE_DAMAGED && g->of == GENERATION_STATE)
                r = write_lines(g, g->fd, LINE_STATE, none, LINE_MAX, fail);
        if (r >= 0)
                g->file = FILE_READ;
        return r;
}

/* ---- the database ---- */

static int generation_sql_fail(const struct generation *g, struct fail *fail) {
        int code = sqlite3_errcode(g->db) & 0xff;

        return fail_set(fail,
                        code == SQLITE_FULL   ? -ENOSPC
                        : code == SQLITE_BUSY ? -EBUSY
                                              : -EIO,
                        "cannot use the generation of %s/%s: %s", g->folder, kinds[g->of].database,
                        sqlite3_errmsg(g->db));
}

static int generation_number_read(struct generation *g, struct fail *fail) {
        sqlite3_stmt *s = NULL;
        int r = 0;

        if (sqlite3_prepare_v2(g->db, "SELECT max(number) FROM generation", -1, &s, NULL) !=
                                        SQLITE_OK ||
                        sqlite3_step(s) != SQLITE_ROW)
                r = generation_sql_fail(g, fail);
        else
                g->number = (uint64_t)sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        return r;
}

int generation_open(sqlite3 *db, const char *folder, enum generation_of of, struct generation **ret,
                struct fail *fail) {
        struct generation *g = xnew(struct generation, 1);

        *g = (struct generation){ .db = db,
                .of = of,
                .folder = xstrdup(folder),
                .path = xasprintf("%s/generation", folder),
                .fd = -1 };
        *ret = g;
        if (sqlite3_exec(db,
                            "CREATE TABLE IF NOT EXISTS generation (id INTEGER PRIMARY KEY, number "
                            "INTEGER NOT NULL)",
                            NULL, NULL, NULL) != SQLITE_OK)
                return generation_sql_fail(g, fail);
        int r = generation_number_read(g, fail);
        return r < 0 ? r : generation_file_open(g, fail);
}

bool generation_began(const struct generation *g) {
        return g->number > 0;
}

uint64_t generation_last_job(const struct generation *g) {
        return g->last_job;
}

int generation_count(struct generation *g, struct fail *fail) {
        int r = have_file(g, fail);

        if (r < 0)
                return r;
        g->next = MAX(g->number, g->noted) + 1;
        if (!g->count && sqlite3_prepare_v3(g->db,
                                         "INSERT OR REPLACE INTO generation VALUES (1, ?1)", -1,
                                         SQLITE_PREPARE_PERSISTENT, &g->count, NULL) != SQLITE_OK)
                return generation_sql_fail(g, fail);
        sqlite3_bind_int64(g->count, 1, (sqlite3_int64)g->next);
        if (sqlite3_step(g->count) != SQLITE_DONE)
                r = generation_sql_fail(g, fail);
        sqlite3_reset(g->count);
        return r < 0 ? r : 0;
}

int generation_note(struct generation *g, uint64_t last_job, struct fail *fail) {
        const uint64_t numbers[] = { g->next, last_job };
        int r = write_lines(g, g->fd, kinds[g->of].line, numbers, g->of == GENERATION_STATE ? 2 : 1,
                        fail);

        if (r >= 0 && !g->noted && fsync(g->fd) < 0)
                r = file_fail(g, "sync", fail);
        if (r >= 0)
                g->number = g->noted = g->next;
        return r;
}

int generation_check(const struct generation *g, struct fail *fail) {
        static const char remedy[] = "put the newest files back, or go on from here with "
                                     "slumberctld --accept-state";
        const char *db = kinds[g->of].database;

        if (g->file == FILE_DAMAGED)
                return fail_set(fail, -ESTALE,
                                "%s is damaged, and with it the knowledge whether %s is the "
                                "newest; %s",
                                g->path, db, remedy);
        if (g->file == FILE_MISSING ? g->number > 0 : !g->noted && g->number > 1)
                return fail_set(fail, -ESTALE,
                                "%s %s: %s in this folder may be older than the last one, and job "
                                "ids may be given again; %s",
                                g->path,
                                g->file == FILE_MISSING ? "is missing"
                                                        : "does not know this folder's state",
                                db, remedy);
        if (g->number < g->noted)
                return fail_set(fail, -ESTALE,
                                "%s/%s is older than it was, or new (it counts %" PRIu64
                                " writes, the file generation beside it %" PRIu64
                                "): an older copy "
                                "was put back, or %s-wal is gone, and what came later is lost; %s",
                                g->folder, db, g->number, g->noted, db, remedy);
        return 0;
}

struct generation *generation_close(struct generation *g) {
        if (!g)
                return NULL;
        if (g->fd >= 0) {
                (void)fsync(g->fd);
                close(g->fd);
        }
        sqlite3_finalize(g->count);
        free(g->folder);
        free(g->path);
        free(g);
        return NULL;
}

struct generation *generation_remove(struct generation *g) {
        if (g && g->made)
                (void)unlink(g->path);
        return generation_close(g);
}
