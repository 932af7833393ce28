/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/postgresql.h - a controller's session on a PostgreSQL server
 *
 * State and accounts have a session and a schema each. All functions block. */
#pragma once

#include "lib/fail.h"

#include <libpq-fe.h>

struct postgresql {
        char *url, *place; /* place: the server without a password, for sentences */
        PGconn *conn;
};

/* Sets url; connects nothing yet. -EINVAL: not an address of libpq. */
int postgresql_init(struct postgresql *s, const char *url, struct fail *fail);
void postgresql_done(struct postgresql *s);
/* Connects anew; purpose: a word of the session's name in pg_stat_activity. Refuses a standby, and
   a server that acknowledges commits before they are safe. */
int postgresql_connect(struct postgresql *s, const char *purpose, struct fail *fail);
/* Ends the session, so that the next use connects anew. */
void postgresql_disconnect(struct postgresql *s);
bool postgresql_is_lost(const struct postgresql *s);

/* Sets fail to the session's error; returns -ENOTCONN. */
int postgresql_fail(const struct postgresql *s, struct fail *fail);
/* Sets fail to the error of result, and returns a negative errno by its SQLSTATE: -ENOSPC disk
   full, -EROFS read-only, -EACCES no privilege, -ENOTCONN, -EBADMSG corrupt, else -EIO. */
int postgresql_result_fail(const struct postgresql *s, const PGresult *result, struct fail *fail);
bool postgresql_result_good(const PGresult *result);
void postgresql_result_done(PGresult **result);
#define _cleanup_result_ __attribute__((cleanup(postgresql_result_done)))

/* Runs statements without parameters. */
int postgresql_run(struct postgresql *s, const char *sql, struct fail *fail);
/* Sets *ret to the text of the first row's first column, malloced; NULL: no row. */
int postgresql_text(struct postgresql *s, const char *sql, char **ret, struct fail *fail);

/* Looks for the schema, which has a table "about" with the column format. Returns the format; 0: no
   schema; -EINVAL: another program's schema; -EPROTONOSUPPORT: a format above newest. */
int postgresql_format(struct postgresql *s, const char *schema, int newest, struct fail *fail);
/* Runs sql, which creates the schema. */
int postgresql_make(struct postgresql *s, const char *schema, const char *sql, struct fail *fail);
/* Names this process in the names of its sessions; default: the host's name. */
void postgresql_name_set(const char *host);
/* The lease number of this process: how often a controller became primary. 0: no lease yet. */
uint64_t postgresql_lease_number(void);
/* Ends all other sessions that hold a lock of a controller. */
int postgresql_end_others(struct postgresql *s, struct fail *fail);
/* Takes the next lease number for this process, under the lock of the state. */
int postgresql_lease_take(struct postgresql *s, struct fail *fail);
/* Checks that no other controller became primary since postgresql_lease_take(). -ESTALE: one did;
   nothing that this process knows may be written any more. */
int postgresql_lease_check(struct postgresql *s, struct fail *fail);

#define POSTGRESQL_LOCK_CLASS 0x534c4d42 /* "SLMB": classid of a controller's advisory locks */
#define POSTGRESQL_LOCK_STATE 1          /* objid: the state's session, whose holder is primary */

/* Takes the advisory lock of the schema for the session's life; waits some seconds for a session of
   a killed controller to end. -EBUSY: another controller has the lock. */
int postgresql_lock(struct postgresql *s, int number, struct fail *fail);
