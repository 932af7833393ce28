/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finished jobs of accounting.db beside the controller's state. */
#include "sim/io/io.h"

#include "lib/config.h"

#include <sqlite3.h>

static int has_table(sqlite3 *db, const char *name) {
        sqlite3_stmt *s = NULL;
        int r = sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", -1, &s, NULL);

        if (r == SQLITE_OK)
                r = sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
        if (r == SQLITE_OK)
                r = sqlite3_step(s);
        sqlite3_finalize(s);
        return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : -EIO;
}

int accounting_read(const char *conf, struct trace **ret, struct fail *fail) {
        _cleanup_(config_freep) struct config *config = NULL;
        int r = config_read_for(conf, NULL, 0, &config, fail);

        if (r < 0)
                return r;
        if (config->accounting_off)
                return fail_set(fail, -ENOENT, "--accounting: AccountingStorageType is accounting_storage/none in %s: nothing is kept", conf);
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", config->state_save_location);
        sqlite3 *db = NULL;
        if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
                sqlite3_close(db);
                return fail_set(fail, -ENOENT, "--accounting: %s cannot be opened: is this the controller's host, and may you read it?", path);
        }
        r = has_table(db, "job");
        sqlite3_close(db);
        return r < 0 ? fail_set(fail, r, "--accounting: %s cannot be read", path)
                     : fail_set(fail, -ENOTSUP, "--accounting: %s has no finished jobs: the controller does not keep them yet; give --trace FILE", path);
}
