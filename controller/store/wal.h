/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/wal.h - the log of an SQLite database in WAL mode is as large as it will be */
#pragma once

#include <sqlite3.h>

/* Fills the log's file with zeros up to the size at which SQLite writes it back and begins anew,
   and syncs it.  A commit then changes bytes of a file that is there: fdatasync() has no new size
   and no new blocks to store (140 us in place of 240 on ext4).  SQLite ignores the zeros: no frame
   has them as its salt.  Where the disk has not four times as much free, or does not take it, the
   log grows as it is needed.  -EIO: the log, which may have what a killed process has written,
   cannot be synced; the kernel may say so once only, so nothing is to be written any more.

   The caller holds the database exclusively (PRAGMA locking_mode = EXCLUSIVE) and has read from it:
   a commit of another process at the same time would be overwritten. */
int wal_extend(sqlite3 *db);
