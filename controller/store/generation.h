/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/generation.h - by which a start sees that a database is older than it was
 *
 * Each database counts its synced commits in a table of its own, and FOLDER/generation, which
 * belongs to all of them, says how far each has come.  The number is in the database first, in the
 * file then, and nothing is acknowledged before both are:
 *
 *   BEGIN ... generation_count() COMMIT      a kill up to here: both have the old number
 *                                            a kill here: the database is ahead of the file
 *   generation_note()
 *
 * So a database that is behind the file has lost something: an older copy was put back, or its log
 * is gone.  The file is written in place, and synced when it is made, when a database's first
 * number comes into it and when it is closed: after a power failure it may be behind, and then
 * refuses nothing, but it knows each database that has counted beyond 1. The table is made where it
 * is missing, and is no format: an older program passes over it. */
#pragma once

#include "lib/fail.h"

#include <sqlite3.h>

enum generation_of {
        GENERATION_STATE,
        GENERATION_ACCOUNTS,
};

struct generation;

/* Reads both numbers; the file is made by the first generation_count().  db is borrowed until
   generation_close(), which is due after a failure, too: *ret is set in any case. */
int generation_open(sqlite3 *db, const char *folder, enum generation_of of, struct generation **ret,
                struct fail *fail);
/* Whether the database has counted a commit, ever. */
bool generation_began(const struct generation *g);
/* highest job id that the file knows; 0 = none */
uint64_t generation_last_job(const struct generation *g);
/* Whether the database is what it was when it was last written: -ESTALE and a sentence that says
   what to do, or 0. */
int generation_check(const struct generation *g, struct fail *fail);
/* In a transaction, and behind its commit, which must be synced; after a failure both are
   repeated. */
int generation_count(struct generation *g, struct fail *fail);
/* last_job: of the state alone, the highest id of a job that it has had. */
int generation_note(struct generation *g, uint64_t last_job, struct fail *fail);
/* Both return NULL and take it.  Syncs the file; before db is closed. */
struct generation *generation_close(struct generation *g);
/* The same, and removes the file if this process made it. */
struct generation *generation_remove(struct generation *g);
