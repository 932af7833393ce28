/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/wal.h"
#include "lib/base.h"

#include <sys/statvfs.h>

/* SQLite writes the log back at 1,000 pages of 4 KiB; the last commit before may exceed the 4
   MB. */
#define LOG_SIZE ((sqlite3_int64)5 << 20)
#define PIECE    (64 << 10) /* SQLite writes no more than 128 KiB at once */

static int log_fill(sqlite3_file *log, sqlite3_int64 from) {
        _cleanup_free_ char *zeros = xnew0(char, PIECE);
        int r = SQLITE_OK;

        for (sqlite3_int64 at = from; at < LOG_SIZE && r == SQLITE_OK; at += PIECE)
                r = log->pMethods->xWrite(log, zeros, (int)MIN(LOG_SIZE - at, (sqlite3_int64)PIECE),
                                at);
        return r;
}

static bool disk_has_room(sqlite3 *db) {
        struct statvfs disk;

        return statvfs(sqlite3_db_filename(db, "main"), &disk) == 0 &&
               disk.f_bavail >= 4 * (uint64_t)LOG_SIZE / disk.f_frsize;
}

int wal_extend(sqlite3 *db) {
        sqlite3_file *log = NULL;
        sqlite3_int64 size = 0;

        if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
                        !log || !log->pMethods ||
                        log->pMethods->xFileSize(log, &size) != SQLITE_OK || size >= LOG_SIZE ||
                        !disk_has_room(db))
                return 0;
        if (log_fill(log, size) != SQLITE_OK) {
                (void)log->pMethods->xTruncate(log, size);
                return 0;
        }
        return log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) == SQLITE_OK ? 0 : -EIO;
}
