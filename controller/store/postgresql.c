/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/postgresql.h"

#include <stdatomic.h>
#include <unistd.h>

/* A killed controller's session ends when the server has read the end of its connection. */
#define LOCK_PATIENCE (3 * USEC_PER_SEC)
#define LOCK_AGAIN    (50 * USEC_PER_MSEC)

/* ---- errors ---- */

/* Returns the first line of text, which libpq ends with a newline; the caller frees. */
static char *first_line(const char *text) {
        return xstrndup(strempty(text), strcspn(strempty(text), "\n"));
}

static int sqlstate_errno(const char *state) {
        static const struct {
                const char *state; /* a class, or a whole state */
                int error;
        } errors[] = {
                { "53100", ENOSPC },  /* disk full */
                { "25006", EROFS },   /* read-only transaction: a standby */
                { "42501", EACCES },  /* the role lacks a privilege */
                { "28", EACCES },     /* authorization */
                { "08", ENOTCONN },   /* connection */
                { "57P", ENOTCONN },  /* the server shuts down */
                { "XX001", EBADMSG }, /* data corrupted */
                { "XX002", EBADMSG }, /* index corrupted */
        };

        for (size_t i = 0; state && i < ELEMENTSOF(errors); i++)
                if (strncmp(state, errors[i].state, strlen(errors[i].state)) == 0)
                        return -errors[i].error;
        return -EIO;
}

int postgresql_fail(const struct postgresql *s, struct fail *fail) {
        _cleanup_free_ char *why = first_line(PQerrorMessage(s->conn));

        return fail_set(fail, -ENOTCONN, "cannot reach the store %s: %s", s->place, why);
}

int postgresql_result_fail(const struct postgresql *s, const PGresult *result, struct fail *fail) {
        const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY),
                   *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

        if (PQstatus(s->conn) != CONNECTION_OK && !message)
                return postgresql_fail(s, fail);
        return fail_set(fail, sqlstate_errno(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
                        "cannot use the store %s: %s%s%s", s->place,
                        message ? message : "no reason given", detail ? ": " : "",
                        strempty(detail));
}

void postgresql_result_done(PGresult **result) {
        PQclear(*result);
}
bool postgresql_result_good(const PGresult *result) {
        ExecStatusType status = PQresultStatus(result);

        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
               status == PGRES_SINGLE_TUPLE;
}

/* ---- statements outside of a transaction ---- */

int postgresql_run(struct postgresql *s, const char *sql, struct fail *fail) {
        _cleanup_result_ PGresult *result = PQexec(s->conn, sql);

        return postgresql_result_good(result) ? 0 : postgresql_result_fail(s, result, fail);
}

int postgresql_text(struct postgresql *s, const char *sql, char **ret, struct fail *fail) {
        _cleanup_result_ PGresult *result = PQexec(s->conn, sql);

        *ret = NULL;
        if (!postgresql_result_good(result))
                return postgresql_result_fail(s, result, fail);
        if (PQntuples(result) > 0)
                *ret = xstrdup(PQgetvalue(result, 0, 0));
        return 0;
}

/* ---- opening ---- */

/* Reads url without connecting, so that a mistake is told as one. */
static int url_check(const char *url, struct fail *fail) {
        char *message = NULL;
        PQconninfoOption *options = PQconninfoParse(url, &message);

        if (options) {
                PQconninfoFree(options);
                return 0;
        }
        _cleanup_free_ char *why = first_line(message);
        PQfreemem(message);
        return fail_set(fail, -EINVAL, "the store's address cannot be read: %s", why);
}

/* Describes the server without a password. */
static char *connection_place(const PGconn *conn) {
        const char *host = strempty(PQhost(conn)), *name = strempty(PQdb(conn));

        return *host == '/' ? xasprintf("postgresql:///%s?host=%s", name, host)
                            : xasprintf("postgresql://%s:%s/%s", host, strempty(PQport(conn)),
                                              name);
}

static char own_name[64];

void postgresql_name_set(const char *host) {
        snprintf(own_name, sizeof own_name, "%s", host);
}

/* Returns "slumberctld PURPOSE HOST PID", which names the session to admins; the caller frees. */
static char *session_name(const char *purpose) {
        if (!*own_name)
                (void)gethostname(own_name, sizeof own_name - 1);
        return xasprintf("slumberctld %s %.30s %d", purpose, own_name, (int)getpid());
}

/* Refuses a server that acknowledges commits before they are safe. */
static int durability_check(struct postgresql *s, struct fail *fail) {
        _cleanup_free_ char *fsync = NULL, *commit = NULL;
        int r = postgresql_text(s, "SHOW fsync", &fsync, fail);

        if (r < 0)
                return r;
        if (!streq(strempty(fsync), "on"))
                return fail_set(fail, -EINVAL,
                                "the store %s has fsync=off and would lose acknowledged jobs: set "
                                "fsync=on in postgresql.conf",
                                s->place);
        r = postgresql_text(s, "SHOW synchronous_commit", &commit, fail);
        if (r >= 0 && streq(strempty(commit), "off"))
                r = postgresql_run(s, "SET synchronous_commit TO on", fail);
        return r;
}

int postgresql_init(struct postgresql *s, const char *url, struct fail *fail) {
        *s = (struct postgresql){ .url = xstrdup(url), .place = xstrdup("postgresql") };
        return url_check(url, fail);
}

void postgresql_done(struct postgresql *s) {
        PQfinish(TAKE(s->conn));
        free(TAKE(s->url));
        free(TAKE(s->place));
}

void postgresql_disconnect(struct postgresql *s) {
        PQfinish(TAKE(s->conn));
}

bool postgresql_is_lost(const struct postgresql *s) {
        return PQstatus(s->conn) != CONNECTION_OK;
}

int postgresql_connect(struct postgresql *s, const char *purpose, struct fail *fail) {
        _cleanup_free_ char *name = session_name(purpose);
        /* The address may override all but the first and the last. */
        const char *const keys[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
                "keepalives_count", "tcp_user_timeout", "dbname", "application_name",
                "target_session_attrs", NULL };
        const char *const values[] = { "5", "5", "2", "3", "10000", s->url, name, "read-write",
                NULL };

        PQfinish(s->conn);
        s->conn = PQconnectdbParams(keys, values, true);
        free(s->place);
        s->place = connection_place(s->conn);
        if (PQstatus(s->conn) != CONNECTION_OK)
                return postgresql_fail(s, fail);
        int r = postgresql_run(s,
                        "SET client_min_messages TO warning; SET standard_conforming_strings TO on;"
                        "SET idle_in_transaction_session_timeout TO '2s'",
                        fail);
        if (r >= 0)
                r = durability_check(s, fail);
        return r;
}

/* ---- schemas ---- */

int postgresql_format(struct postgresql *s, const char *schema, int newest, struct fail *fail) {
        _cleanup_free_ char *found = NULL, *about = NULL, *format = NULL, *sql = NULL;
        char question[128];

        snprintf(question, sizeof question, "SELECT 1 FROM pg_namespace WHERE nspname = '%s'",
                        schema);
        int r = postgresql_text(s, question, &found, fail);
        if (r < 0 || !found)
                return r;
        snprintf(question, sizeof question, "SELECT to_regclass('%s.about')", schema);
        r = postgresql_text(s, question, &about, fail);
        if (r >= 0 && isempty(about))
                return fail_set(fail, -EINVAL,
                                "%s has a schema \"%s\" of another program, expected "
                                "Slumber's store or none",
                                s->place, schema);
        snprintf(question, sizeof question, "SELECT format FROM %s.about", schema);
        if (r >= 0)
                r = postgresql_text(s, question, &format, fail);
        if (r < 0)
                return r;
        int known = format ? atoi(format) : 0;
        if (known > newest)
                return fail_set(fail, -EPROTONOSUPPORT,
                                "the store %s was written by a newer version (format %d of schema "
                                "%s, this program knows %d)",
                                s->place, known, schema, newest);
        return known > 0 ? known
                         : fail_set(fail, -EBADMSG, "the store %s is damaged: %s.about is empty",
                                           s->place, schema);
}

int postgresql_make(struct postgresql *s, const char *schema, const char *sql, struct fail *fail) {
        int r = postgresql_run(s, sql, fail);

        if (r == -EACCES)
                return fail_prefix(fail, r, "the role %s may not create the schema \"%s\"",
                                PQuser(s->conn), schema);
        return r;
}

static int lock_in_use(struct postgresql *s, int number, struct fail *fail) {
        _cleanup_free_ char *who = NULL, *sql = NULL;

        sql = xasprintf("SELECT a.application_name FROM pg_locks l "
                        "JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' "
                        "AND l.classid = %d AND l.objid = %d AND l.granted "
                        "AND l.database = (SELECT oid FROM pg_database "
                        "WHERE datname = current_database())",
                        POSTGRESQL_LOCK_CLASS, number);
        if (postgresql_text(s, sql, &who, fail) < 0)
                return -EBUSY;
        return fail_set(fail, -EBUSY, "another controller%s%s uses the store %s",
                        isempty(who) ? "" : ", ", strempty(who), s->place);
}

int postgresql_lock(struct postgresql *s, int number, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf("SELECT pg_try_advisory_lock(%d, %d)",
                        POSTGRESQL_LOCK_CLASS, number);
        usec_t until = now_monotonic() + LOCK_PATIENCE;

        for (;;) {
                _cleanup_free_ char *locked = NULL;
                int r = postgresql_text(s, sql, &locked, fail);

                if (r < 0 || streq(strempty(locked), "t"))
                        return r;
                if (now_monotonic() >= until)
                        return lock_in_use(s, number, fail);
                (void)usleep(LOCK_AGAIN);
        }
}

/* ---- the lease ---- */

static atomic_uint_fast64_t lease_number; /* read by the accounts' thread, too */

uint64_t postgresql_lease_number(void) {
        return lease_number;
}

/* The number goes on where another database's numbers were, which agents may remember. */
int postgresql_lease_take(struct postgresql *s, struct fail *fail) {
        _cleanup_free_ char *number = NULL;
        int r = postgresql_text(s,
                        "UPDATE slumber.about SET"
                        " number = GREATEST(number + 1, extract(epoch FROM now())::bigint), wanted = NULL, holder = "
                        "current_setting('application_name') RETURNING number",
                        &number, fail);

        if (r >= 0)
                lease_number = strtoull(strempty(number), NULL, 10);
        return r;
}

int postgresql_lease_check(struct postgresql *s, struct fail *fail) {
        _cleanup_free_ char *number = NULL, *holder = NULL;
        int r = lease_number ? postgresql_text(s, "SELECT number FROM slumber.about", &number, fail)
                             : 0;

        if (r < 0 || !lease_number || strtoull(strempty(number), NULL, 10) == lease_number)
                return r;
        (void)postgresql_text(s, "SELECT holder FROM slumber.about", &holder, NULL);
        return fail_set(fail, -ESTALE, "%s has become primary in the store %s",
                        isempty(holder) ? "another controller" : holder, s->place);
}

int postgresql_end_others(struct postgresql *s, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf(
                        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                        " AND classid = %d AND granted AND pid <> pg_backend_pid()"
                        " AND database = (SELECT oid FROM pg_database"
                        " WHERE datname = current_database())",
                        POSTGRESQL_LOCK_CLASS);

        return postgresql_run(s, sql, fail);
}
