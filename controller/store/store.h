/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/store.h - what outlives the controller: rows in tables, on disk before any
 * answer
 *
 * Rows are put and deleted in memory, handed over in batches, and written by one worker thread.  A
 * batch is on disk whole or not at all, and never before an earlier one.  All functions belong to
 * the event loop's thread; callbacks come from the event loop, and from store_finish(). */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

enum store_table {
        STORE_META, /* META and NODE are keyed by text, JOB and SCRIPT by number */
        STORE_NODE,
        STORE_JOB,
        STORE_SCRIPT, /* compressed on disk */
        STORE_ENDED,  /* by number: rows that the accounts do not have yet */
        STORE_TABLE_MAX,
};

/* One value: as large as the largest message. */
#define STORE_VALUE_MAX (64u << 20)

struct store;
struct store_ops {
        /* Batches up to this one are on disk. */
        void (*durable)(uint64_t batch, void *user);
        /* Disk full, I/O error: the batch is kept and tried again with a growing pause, durable()
           follows when it worked.  Called once for each kind of trouble, not for each try. */
        void (*failed)(int r, const char *why, void *user);
};

/* Opens the store in folder, which is made (0700) if only its last part is missing.  At most one
   process has it open.  One sentence in fail for: not a folder, not writable, in use, damaged,
   another cluster's database, written by a newer version. */
int store_open(const char *folder, sd_event *event, const struct store_ops *ops, void *user,
                struct store **ret, struct fail *fail);
/* Whether it is what it was when it was last written: -ESTALE and what to do, where an older copy
   was put back or its log is gone; the first commit accepts that.  Before it. */
int store_check(const struct store *s, struct fail *fail);
/* The highest id of a job that was ever put, also of those that such a copy does not know; 0 =
   none. Before the first commit. */
uint64_t store_last_job(const struct store *s);
/* Calls row() for every row, in the order of the keys; key is "" or number 0 as the table's kind
   is.  Runs on the calling thread, before the first commit.  A negative value from row() ends it
   and is returned. */
int store_load(struct store *s, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail);
/* Forgets every row but those of STORE_ENDED, which tell of what has been; before the first commit
   (slumberctld -c). */
int store_clear(struct store *s, struct fail *fail);

/* data is malloced and taken over. Tables with text keys want key, the others number (key NULL). */
void store_put(struct store *s, enum store_table t, const char *key, uint64_t number, uint8_t *data,
                size_t size);
void store_delete(struct store *s, enum store_table t, const char *key, uint64_t number);
/* Hands what was put and deleted since the last call to the worker and returns its batch number;
   when there was nothing, the number of the last batch (0 = none yet). */
uint64_t store_commit(struct store *s);
/* The batch that durable() named last. */
uint64_t store_durable(const struct store *s);

/* Reads a row of a table with numbers as it is after everything put before, committed or not.
   done() is called from the event loop, with NULL when there is no such row; data is borrowed for
   the call. */
void store_read(struct store *s, enum store_table t, uint64_t number,
                void (*done)(const uint8_t *data, size_t size, void *user), void *user);

/* Makes folder, which must not be there yet, and in it a copy of the store as it is after
   everything committed before, by which another start can go on.  The worker does it; commits wait
   meanwhile.  done(): r < 0 and a sentence. */
void store_copy(struct store *s, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user);

/* Commits what is left, waits for it, makes the callbacks that are still due, and ends the worker.
   If the disk does not take it, failed() says so and what was never reported durable may be lost.
   Not from a callback. The folder is still ours: no other process opens what is in it, or beside
   it. */
void store_finish(struct store *s); /* takes NULL; may be called twice */
/* The same where it has not been done; then any process may open the folder. */
struct store *store_close(struct store *s); /* takes NULL, returns NULL */
/* Before the first commit and after all store_load(), so that the kernel refuses a thread where
   that can be told. */
int store_start(struct store *s, struct fail *fail);
/* For a start that fails, before the first commit: forgets what was put, and removes what
   store_open() made. */
struct store *store_abandon(struct store *s); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct store *, store_close)
