/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/wal.h - extends the log of an SQLite database in WAL mode in advance */
#pragma once

#include <sqlite3.h>

/* Fills the log with zeros up to the size at which SQLite writes the log back, and syncs. Commits
   then overwrite existing bytes: fdatasync() has no new size and no new blocks to store (140 us
   instead of 240 on ext4). SQLite ignores the zeros, because frames carry a salt. Without four
   times the space free, or after a write error, the log stays short and grows on demand.

   Returns -EIO if the log cannot be synced. The kernel may report a lost write of a killed process
   only once, so the caller must write no more.

   The caller holds the database exclusively (PRAGMA locking_mode = EXCLUSIVE) and has read from the
   database: a concurrent commit of another process would be overwritten. */
int wal_extend(sqlite3 *db);
