/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/store.h - the controller's state: rows in tables, on disk before any answer
 *
 * Rows are put and deleted in memory, handed over in batches, and written by a worker thread. A
 * batch is on disk whole or not at all, and never before an earlier batch. All functions belong to
 * the event loop's thread; callbacks come from the event loop and from store_finish(). */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

enum store_table {
        STORE_META, /* keys: text for META and NODE, a number for the other tables */
        STORE_NODE,
        STORE_JOB,
        STORE_SCRIPT, /* compressed on disk */
        STORE_ENDED,  /* ended jobs and steps without a row in the accounts yet */
        STORE_TABLE_MAX,
};

/* Maximum size of a value in bytes: the size of the largest message. */
#define STORE_VALUE_MAX (64u << 20)

struct store;
struct store_ops {
        /* The batches up to and including `batch` are on disk. */
        void (*durable)(uint64_t batch, void *user);
        /* Writing failed (disk full, I/O error). The worker keeps the batch and tries again with a
           growing pause; durable() follows the first success. Called once per kind of error, not
           per try. */
        void (*failed)(int r, const char *why, void *user);
};

/* Opens the store in folder, created with mode 0700 if only the last component is missing. url: NULL
   for the SQLite file in the folder, or an address that libpq knows (postgresql://...) of the
   database with the store. At most one process has a store open. Errors, with a sentence in fail:
   not a folder, not writable, in use, damaged, another program's database, written by a newer
   version; a server that cannot be reached or may lose commits. */
int store_open(const char *folder, const char *url, sd_event *event, const struct store_ops *ops,
                void *user, struct store **ret, struct fail *fail);
/* Checks the store's generation before the first commit. -ESTALE: an older copy was put back, or
   the database's log is gone; fail has a sentence with the remedy. The first commit accepts the
   older state. */
int store_check(const struct store *s, struct fail *fail);
/* Returns the highest job id ever put, even if an older copy was put back since; 0 = none. To be
   called before the first commit. */
uint64_t store_last_job(const struct store *s);
/* Calls row() for each row in the order of the keys; key is "" in tables with number keys, number
   is 0 in tables with text keys. Runs on the calling thread, before the first commit. A negative
   value from row() ends the loop and is returned. */
int store_load(struct store *s, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail);
/* Deletes all rows except STORE_ENDED (finished jobs), before the first commit (slumberctld -c). */
int store_clear(struct store *s, struct fail *fail);

/* Takes over data, which is malloced or NULL (size 0). Tables with text keys use key, the others
   number (key is NULL). */
void store_put(struct store *s, enum store_table t, const char *key, uint64_t number, uint8_t *data,
                size_t size);
void store_delete(struct store *s, enum store_table t, const char *key, uint64_t number);
/* Hands the puts and deletes since the last call to the worker and returns the batch number.
   Returns the number of the last batch if the batch would be empty (0 = no batch yet). */
uint64_t store_commit(struct store *s);
/* Returns the last batch passed to durable(). */
uint64_t store_durable(const struct store *s);

/* Reads a row by number, including all puts so far, committed or not. done() is called from the
   event loop, with NULL for a missing row; data is borrowed for the call. */
void store_read(struct store *s, enum store_table t, uint64_t number,
                void (*done)(const uint8_t *data, size_t size, void *user), void *user);

/* Creates folder, which must not exist, with a copy of the store after all commits so far;
   slumberctld can start from the copy. The worker makes the copy, and commits wait meanwhile.
   done(): r < 0 and a sentence in why. */
void store_copy(struct store *s, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user);

/* Commits the remaining changes, waits for the worker, makes the pending callbacks, and ends the
   worker. On a disk error failed() is called, and batches not reported durable may be lost. Not to
   be called from a callback. The folder stays locked against other processes. */
void store_finish(struct store *s); /* takes NULL; may be called twice */
/* store_finish() if still due, then unlocks the folder and frees the store. */
struct store *store_close(struct store *s); /* takes NULL, returns NULL */
/* Starts the worker early, after all store_load() and before the first commit, so that an error of
   the kernel is returned rather than fatal. */
int store_start(struct store *s, struct fail *fail);
/* Ends a failed start, before the first commit: drops the puts, and removes the files created by
   store_open(). */
struct store *store_abandon(struct store *s); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct store *, store_close)
