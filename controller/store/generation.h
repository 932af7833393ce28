/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/generation.h - recognises at start a database older than its last write
 *
 * Each database counts its synced commits in a table of its own. FOLDER/generation, shared by the
 * databases, has the last count of each. A count is written to the database first, then to the
 * file, and no commit is acknowledged before both are done:
 *
 *   BEGIN ... generation_count() COMMIT      killed up to here: both have the old number
 *                                            killed here: the database is ahead of the file
 *   generation_note()
 *
 * A database behind the file has lost commits: an older copy was put back, or the log is gone. The
 * file is written in place. The file is synced when created, at a database's first count and at
 * generation_close(): after a power failure the file may be behind, which refuses no start, but
 * knows each database with a count above 1. The table is created if missing and does not change the
 * format: an older program ignores the table. */
#pragma once

#include "lib/fail.h"

#include <sqlite3.h>

enum generation_of {
        GENERATION_STATE,
        GENERATION_ACCOUNTS,
};

struct generation;

/* Reads both numbers; the first generation_count() creates the file. db is borrowed until
   generation_close(), which is due after a failure, too: *ret is always set. */
int generation_open(sqlite3 *db, const char *folder, enum generation_of of, struct generation **ret,
                struct fail *fail);
/* Returns whether the database has ever counted a commit. */
bool generation_began(const struct generation *g);
/* Returns the highest job id in the file; 0 = none. */
uint64_t generation_last_job(const struct generation *g);
/* Returns 0 if the database is as new as the file. -ESTALE: older, or the file is missing or
   damaged; fail has a sentence with the remedy. */
int generation_check(const struct generation *g, struct fail *fail);
/* generation_count() runs inside the transaction, generation_note() after the transaction's synced
   commit. After a failure the caller repeats both. */
int generation_count(struct generation *g, struct fail *fail);
/* last_job: highest job id ever put; ignored for GENERATION_ACCOUNTS. */
int generation_note(struct generation *g, uint64_t last_job, struct fail *fail);
/* Syncs the file and frees g (may be NULL), before db is closed. Returns NULL. */
struct generation *generation_close(struct generation *g);
/* Like generation_close(), and removes the file if created by this process. */
struct generation *generation_remove(struct generation *g);
