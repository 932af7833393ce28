/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/table.h"

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
        _cleanup_free_ char *list = table_columns(columns, n), *sql = xasprintf("SELECT %s FROM %s ORDER BY %s", list, table, columns[0]);
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
