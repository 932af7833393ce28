/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounting.h - the accounts: records of jobs, steps and nodes, kept after their
 * end
 *
 * FOLDER/accounting.db is an SQLite file of its own with plain columns (times in seconds since
 * 1970, 0 = not yet), so that other tools can read the accounts too; docs/architecture.md describes
 * the tables. Rows are handed over in memory and written in order by one thread. Rows without a
 * done() are not waited for: after a crash, the code writing such rows must find and repair losses
 * at the next start. All functions belong to the event loop's thread; callbacks come from the event
 * loop and from accounting_close(). */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

struct accounting;

/* Opens or creates the accounts: FOLDER/accounting.db, or tables of the server at url, if not NULL
   (store_open()). trouble(): r < 0 and a sentence, once per kind of error
   (the rows are kept and tried again); r == 0: writing works again. Errors, with a sentence in
   fail: not creatable, damaged, another program's file, written by a newer version. */
int accounting_open(const char *folder, const char *url, sd_event *event,
                void (*trouble)(int r, const char *why, void *user), void *user,
                struct accounting **ret, struct fail *fail);
/* Writes the remaining rows and frees a. */
struct accounting *accounting_close(struct accounting *a); /* takes NULL, returns NULL */
/* Like store_check(), for the synced writes (rows with done()), before the first write. A caller
   starting in spite of -ESTALE (--accept-state), or with a new file, makes a synced write: the next
   start then accepts the file, or notices a removed file. */
int accounting_check(const struct accounting *a, struct fail *fail);
/* Returns whether the file has never had a synced write. To be called before the first write. */
bool accounting_is_new(const struct accounting *a);
/* Sets *ret to the highest job id with a row; 0 = none. */
int accounting_last_job(struct accounting *a, uint64_t *ret, struct fail *fail);
/* Starts the thread early, so that an error of the kernel is returned. Without this call the first
   write or query starts the thread, and an error is fatal. */
int accounting_start(struct accounting *a, struct fail *fail);
/* Ends a failed start. Before the first write and accounting_start(), removes the files created by
   accounting_open(); afterwards, like accounting_close(). */
struct accounting *accounting_abandon(struct accounting *a);
DEFINE_CLEANUP(struct accounting *, accounting_close)

/* ---- instances: a node's cloud instances, with start and end ---- */

struct instance {
        uint64_t row;                                   /* increases with the time of the insert */
        const char *cluster, *node, *id, *type, *extra; /* never NULL */
        usec_t start, end;                              /* end 0: running */
};

/* Inserts a running instance; ends the node's former instance, as a node has at most one. */
void accounting_instance_begin(struct accounting *a, const struct instance *i);
/* Updates id, type and extra of the node's running instance. */
void accounting_instance_change(struct accounting *a, const struct instance *i);
void accounting_instance_end(struct accounting *a, const char *cluster, const char *node,
                usec_t end);
/* Calls row() for each running instance, on the calling thread, before the first write. */
int accounting_instances_last(struct accounting *a, const char *cluster,
                void (*row)(const struct instance *i, void *user), void *user, struct fail *fail);

struct instance_list {
        struct instance *rows;
        size_t n;
        bool more; /* query again with `after` = the last row */
};
struct instance_query {
        uint64_t after; /* only higher row numbers */
        size_t limit;
        usec_t from, until; /* only instances running at some time in between; 0 = open */
        /* Further filter, or NULL. Called from the accounting thread: no other code may use user
           meanwhile. */
        bool (*wanted)(const struct instance *i, void *user);
        void *user;
};
/* Runs query in the accounting thread. done() gets the list, or r < 0 and a sentence; the list is
   borrowed for the call. */
void accounting_instances(struct accounting *a, const struct instance_query *query,
                void (*done)(int r, const char *why, const struct instance_list *list, void *user),
                void *user);

/* ---- QOS, accounts, users, associations: the rows of their tables, all values as texts ---- */

struct accounting_row {
        const char *table;
        const char *const *columns; /* the first is the key */
        char **values;              /* n values; a removal uses only the first */
        size_t n;
        bool remove;
};
/* Writes all rows in one transaction; rows and values are taken over, table and column names must
   be static. done() is called when the rows are safe from a power failure. While the disk is full
   done() waits; r < 0: the rows were given up. */
void accounting_rows_write(struct accounting *a, struct accounting_row *rows, size_t n,
                void (*done)(int r, const char *why, void *user), void *user);
struct accounting_find {
        const char *table;
        const char *const *columns; /* or SQL expressions; the first is the key */
        size_t n;
        char *where; /* taken over; never with a user's text */
        size_t limit;
};
/* Finds rows in the order of the first column. The texts are borrowed for done(); more: limit was
   reached, further rows have higher keys. */
void accounting_find(struct accounting *a, const struct accounting_find *find,
                void (*done)(int r, const char *why, char **const *rows, size_t n, bool more,
                                void *user),
                void *user);
/* Deletes rows of table with column < below, the oldest first, PURGE_MAX rows per call. keep: an
   SQL condition for rows to be kept, taken over (NULL: none). */
void accounting_purge(struct accounting *a, const char *table, const char *column, double below,
                char *keep);
/* Copies the file, after all writes so far, into a folder made by database_copy(). If the copy
   fails, the database's copy and the folder are removed. */
void accounting_copy(struct accounting *a, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user);
/* Calls row() for each row in the order of the first column, on the calling thread, before the
   first write. A negative value from row() ends the loop and is returned. */
int accounting_rows_load(struct accounting *a, const char *table, const char *const *columns,
                size_t n, int (*row)(const char *const *values, void *user), void *user,
                struct fail *fail);
