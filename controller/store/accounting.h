/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounting.h - the accounts: rows that outlive the jobs and nodes that they tell
 * of
 *
 * FOLDER/accounting.db, a SQLite file of its own with plain columns (times in seconds since 1970, 0
 * = not yet), so that other tools can read it too; docs/architecture.md tells its tables.  Rows are
 * handed over in memory and written in their order by one thread.  Nothing waits for them: what a
 * crash loses must be seen and mended at the next start by the code that writes the rows.  All
 * functions belong to the event loop's thread; callbacks come from the event loop, and from
 * accounting_close(). */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

struct accounting;

/* trouble(): r < 0 and a sentence, once for each kind of trouble (rows are kept and tried again); r
   == 0: it is over. One sentence in fail for: not to be made, damaged, another user's file, written
   by a newer version. */
int accounting_open(const char *folder, sd_event *event,
                void (*trouble)(int r, const char *why, void *user), void *user,
                struct accounting **ret, struct fail *fail);
/* Writes what is left. */
struct accounting *accounting_close(struct accounting *a); /* takes NULL, returns NULL */
/* As store_check(), for the writes that were waited for.  A start that goes on all the same writes
   something that is waited for, so that the next start need not.  So does one with a new file:
   where it is removed later the next start knows that there was one.  Before the first write. */
int accounting_check(const struct accounting *a, struct fail *fail);
/* Nothing that was waited for has been written, ever.  Before the first write. */
bool accounting_is_new(const struct accounting *a);
/* The highest id of a job that has a row; 0 = none. */
int accounting_last_job(struct accounting *a, uint64_t *ret, struct fail *fail);
/* Its thread, which otherwise the first write or question starts: where the kernel refuses it that
   can be told here. */
int accounting_start(struct accounting *a, struct fail *fail);
/* For a start that fails: before the first write and accounting_start() it removes what
   accounting_open() made. */
struct accounting *accounting_abandon(struct accounting *a);
DEFINE_CLEANUP(struct accounting *, accounting_close)

/* ---- instances: what a cloud gave a node, from when to when ---- */

struct instance {
        uint64_t row;                                   /* rises with the time of its making */
        const char *cluster, *node, *id, *type, *extra; /* never NULL */
        usec_t start, end;                              /* end 0: it lasts */
};

/* A node has one at a time: the one before ends. */
void accounting_instance_begin(struct accounting *a, const struct instance *i);
/* The one that lasts is known better: its id, type and extra. */
void accounting_instance_change(struct accounting *a, const struct instance *i);
void accounting_instance_end(struct accounting *a, const char *cluster, const char *node,
                usec_t end);
/* Those that last; on the calling thread, before the first write. */
int accounting_instances_last(struct accounting *a, const char *cluster,
                void (*row)(const struct instance *i, void *user), void *user, struct fail *fail);

struct instance_list {
        struct instance *rows;
        size_t n;
        bool more; /* ask again, after the last row */
};
struct instance_query {
        uint64_t after; /* rows above this */
        size_t limit;
        usec_t from, until; /* that lasted at some time in between; 0 = open */
        /* Selects more narrowly; called from the store's thread: user must not be touched by other
           code. */
        bool (*wanted)(const struct instance *i, void *user);
        void *user;
};
/* done() comes with what was found, or with r < 0 and a sentence; the list is borrowed for the
   call. */
void accounting_instances(struct accounting *a, const struct instance_query *query,
                void (*done)(int r, const char *why, const struct instance_list *list, void *user),
                void *user);

/* ---- QOS, accounts, users, associations: the rows of their tables, all values as texts ---- */

struct accounting_row {
        const char *table;
        const char *const *columns; /* the first is the key */
        char **values;              /* as many; of a removal only the first is looked at */
        size_t n;
        bool remove;
};
/* All of them or none; rows and their values are taken over, names are borrowed for good.  done()
   comes when they are safe from a power failure; while the disk takes nothing it waits, and with r
   < 0 they are given up. */
void accounting_rows_write(struct accounting *a, struct accounting_row *rows, size_t n,
                void (*done)(int r, const char *why, void *user), void *user);
struct accounting_find {
        const char *table;
        const char *const *columns; /* or what SQL makes of them; the first is the key */
        size_t n;
        char *where; /* taken over; made by the program alone */
        size_t limit;
};
/* In the order of the first column, texts that are borrowed for the call; more: there are others
   above the last key. */
void accounting_find(struct accounting *a, const struct accounting_find *find,
                void (*done)(int r, const char *why, char **const *rows, size_t n, bool more,
                                void *user),
                void *user);
/* Rows of table whose number in column is below that go, the oldest first, some of them at a time;
   not those of which keep is true, a condition of SQL that is taken over (NULL: none). */
void accounting_purge(struct accounting *a, const char *table, const char *column, double below,
                char *keep);
/* A copy of the file as it is after everything written before, in the folder of a database_copy(),
   which is undone where this one fails. */
void accounting_copy(struct accounting *a, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user);
/* In the order of the first column; on the calling thread, before the first write. A negative value
   from row() ends it. */
int accounting_rows_load(struct accounting *a, const char *table, const char *const *columns,
                size_t n, int (*row)(const char *const *values, void *user), void *user,
                struct fail *fail);
