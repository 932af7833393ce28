/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/table.h"

#include <fcntl.h>
#include <sys/stat.h>

char *table_columns(const char *const *columns, size_t n) {
        char *text = xstrdup("");

        for (size_t i = 0; i < n; i++) {
                char *longer = xasprintf("%s%s%s", text, i ? ", " : "", columns ? columns[i] : "?");
                free(text);
                text = longer;
        }
        return text;
}

int table_read(sqlite3 *db, const char *table, const char *const *columns, size_t n,
                int (*row)(const char *const *values, void *user), void *user) {
        _cleanup_free_ char *list = table_columns(columns, n),
                            *sql = xasprintf("SELECT %s FROM %s ORDER BY %s", list, table,
                                            columns[0]);
        _cleanup_free_ const char **values = xnew0(const char *, n);
        sqlite3_stmt *s = NULL;
        int code, r = 0;

        if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
                return -EIO;
        while ((code = sqlite3_step(s)) == SQLITE_ROW && r >= 0) {
                for (size_t i = 0; i < n; i++)
                        values[i] = strempty((const char *)sqlite3_column_text(s, (int)i));
                r = row(values, user);
        }
        sqlite3_finalize(s);
        return r >= 0 && code != SQLITE_DONE ? -EIO : r;
}

static int copy_to(sqlite3 *db, const char *path, struct fail *fail) {
        sqlite3 *to = NULL;
        int code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE, NULL);
        sqlite3_backup *b = code == SQLITE_OK ? sqlite3_backup_init(to, "main", db, "main") : NULL;
        int r = 0;

        if (b) {
                (void)sqlite3_backup_step(b, -1);
                code = sqlite3_backup_finish(b);
        }
        if (!b || code != SQLITE_OK)
                r = fail_set(fail, (code & 0xff) == SQLITE_FULL ? -ENOSPC : -EIO,
                                "cannot write the copy %s: %s", path, sqlite3_errmsg(to));
        sqlite3_close(to);
        return r;
}

static int copy_folder_sync(const char *folder, struct fail *fail) {
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? fail_set(fail, -errno, "cannot sync the folder %s: %s",
                                                         folder, strerror(errno))
                                       : 0;
}

/* Only root and the own user can replace the folder. */
static bool folder_is_safe(const struct stat *st) {
        return (st->st_uid == 0 || st->st_uid == geteuid()) &&
               (!(st->st_mode & (S_IWGRP | S_IWOTH)) || st->st_mode & S_ISVTX);
}

/* Checks each component of path, which is absolute and free of symbolic links. */
static int check_way(const char *path, struct fail *fail) {
        _cleanup_free_ char *part = xstrdup(path);
        struct stat st;

        for (size_t n = strlen(path); n > 0; n = (size_t)(strrchr(part, '/') - part)) {
                part[n] = 0;
                if (lstat(part, &st) < 0)
                        return -errno;
                if (!folder_is_safe(&st))
                        return fail_set(fail, -EPERM, "other users can change what is in %s", part);
        }
        return 0;
}

char *table_copy_folder(const char *folder, struct fail *fail) {
        _cleanup_free_ char *above = xstrdup(folder), *name = NULL, *real = NULL;
        size_t n = strlen(above);

        while (n > 1 && above[n - 1] == '/')
                above[--n] = 0;
        char *slash = strrchr(above, '/');
        name = xstrdup(slash + 1);
        slash[slash == above] = 0;
        real = realpath(above, NULL);
        int r = real ? check_way(real, fail) : -errno;
        if (r >= 0)
                return xasprintf("%s/%s", streq(real, "/") ? "" : real, name);
        _cleanup_free_ char *why = xstrdup(
                        r == -EPERM && fail->text[0] ? fail->text : strerror(-r));
        fail_set(fail, r, "cannot make the folder %s: %s", folder, why);
        return NULL;
}

int table_copy(sqlite3 *db, const char *asked, const char *name, struct fail *fail) {
        _cleanup_free_ char *folder = table_copy_folder(asked, fail);
        if (!folder)
                return -EPERM;
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0600);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot make the copy %s: %s", path, strerror(errno));
        int r = copy_to(db, path, fail);
        if (r >= 0)
                r = copy_folder_sync(folder, fail);
        if (r < 0)
                (void)unlink(path);
        return r;
}

void table_copy_undo(const char *asked, const char *name) {
        struct fail fail = { 0 };
        _cleanup_free_ char *folder = table_copy_folder(asked, &fail);

        if (!folder)
                return;
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        (void)unlink(path);
        (void)rmdir(folder);
}
