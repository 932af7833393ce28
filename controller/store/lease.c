/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/lease.h"

#include "controller/store/postgresql.h"
#include "lib/thread.h"

#include <stdatomic.h>
#include <sys/eventfd.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

/* A backup at position k waits k times as long when the lease is free, so that backups seldom
   race. */
#define POSITION_PAUSE (150 * USEC_PER_MSEC)
/* An event loop that stood still for longer may belong to a former primary. */
#define DOUBT       (LEASE_SILENCE / 2)
#define START_MAX   (600 * USEC_PER_SEC) /* until the first turn of the event loop */
#define BACKUP_NAME "slumberctld backup" /* begins the name of a backup's session */

static unsigned own_position;
void lease_name_set(const char *host, unsigned position) {
        own_position = position;
        postgresql_name_set(host);
}

/* ---- a backup ---- */

struct standby {
        struct postgresql s;
        char *holder;
        uint64_t number, renewed; /* as seen last */
        usec_t changed;           /* CLOCK_MONOTONIC: when number or renewed was seen to change */
        usec_t looked;            /* CLOCK_MONOTONIC: end of the last successful look */
        usec_t free_since;        /* CLOCK_MONOTONIC; 0: the lock has a holder */
};

int standby_new(const char *url, struct standby **ret, struct fail *fail) {
        struct standby *s = xnew0(struct standby, 1);
        int r = postgresql_init(&s->s, url, fail);

        if (r < 0)
                standby_free(s);
        else
                *ret = s;
        return r;
}

struct standby *standby_free(struct standby *s) {
        if (!s)
                return NULL;
        postgresql_done(&s->s);
        free(s->holder);
        free(s);
        return NULL;
}

static int standby_connect(struct standby *s, struct fail *fail) {
        char purpose[32];

        if (!postgresql_is_lost(&s->s))
                return 0;
        s->looked = 0; /* silence is judged by looks of one session */
        snprintf(purpose, sizeof purpose, "backup %u", own_position);
        return postgresql_connect(&s->s, purpose, fail);
}

/* The row of the lease, and the holder of the lock. */
struct lease_row {
        uint64_t number, renewed;
        bool held, reserved; /* reserved: for another position, for some seconds */
};

static int lease_row_read(struct standby *s, struct lease_row *ret, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf(
                        "SELECT number, renewed, COALESCE(a.application_name, ''),"
                        " COALESCE(wanted <> %u AND wanted_at > now() - interval '3 s', false)"
                        " FROM slumber.about"
                        " LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.classid = %d"
                        " AND l.objid = %d AND l.granted"
                        " AND l.database = (SELECT oid FROM pg_database"
                        " WHERE datname = current_database())"
                        " LEFT JOIN pg_stat_activity a ON a.pid = l.pid",
                        own_position, POSTGRESQL_LOCK_CLASS, POSTGRESQL_LOCK_STATE);
        _cleanup_result_ PGresult *result = PQexec(s->s.conn, sql);

        *ret = (struct lease_row){ 0 };
        if (!postgresql_result_good(result))
                return postgresql_result_fail(&s->s, result, fail);
        if (PQntuples(result) == 0)
                return 0;
        ret->number = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
        ret->renewed = strtoull(PQgetvalue(result, 0, 1), NULL, 10);
        free_and_strdup(&s->holder, PQgetvalue(result, 0, 2));
        ret->held = *s->holder;
        ret->reserved = streq(PQgetvalue(result, 0, 3), "t");
        return 0;
}

static bool schema_is_missing(struct standby *s) {
        _cleanup_free_ char *found = NULL;

        return postgresql_text(&s->s, "SELECT to_regclass('slumber.about')", &found, NULL) >= 0 &&
               isempty(found);
}

/* Returns whether the primary has been silent. A look that took long may be the server's fault, as
   may be a pause between looks: silence counts from then on. */
static bool holder_is_silent(struct standby *s, const struct lease_row *row, usec_t began,
                usec_t now) {
        bool slow = now - began > USEC_PER_SEC / 2 || !s->looked ||
                    began - s->looked > USEC_PER_SEC;

        if (slow || row->number != s->number || row->renewed != s->renewed)
                s->changed = now;
        s->number = row->number;
        s->renewed = row->renewed;
        s->looked = now;
        return now - s->changed > LEASE_SILENCE;
}

static bool lease_is_free(struct standby *s, const struct lease_row *row, usec_t now) {
        if (!s->free_since)
                s->free_since = now;
        return !row->reserved && now - s->free_since >= own_position * POSITION_PAUSE;
}

int standby_look(struct standby *s, const char **ret_holder, struct fail *fail) {
        struct lease_row row = { 0 };
        usec_t began = now_monotonic();

        *ret_holder = "";
        int r = standby_connect(s, fail);
        if (r < 0)
                return r;
        if (!s->number && schema_is_missing(s))
                return 1;
        r = lease_row_read(s, &row, fail);
        if (r < 0)
                return r;
        usec_t now = now_monotonic();
        if (!row.held)
                return lease_is_free(s, &row, now);
        s->free_since = 0;
        *ret_holder = s->holder;
        if (!holder_is_silent(s, &row, began, now))
                return 0;
        s->changed = now; /* the sessions end soon, or are ended again */
        /* the kernel of a stopped primary keeps its connections open */
        r = postgresql_end_others(&s->s, fail);
        return MIN(r, 0);
}

/* ---- the primary ---- */

uint64_t lease_number(void) {
        return postgresql_lease_number();
}

struct lease {
        struct postgresql s;
        sd_event_source *turn, *on_lost;
        pthread_t thread;
        bool running;
        int eventfd;
        void (*lost)(const char *why, void *user);
        void *user;
        usec_t began; /* CLOCK_MONOTONIC */
        atomic_uint_fast64_t
                        turned; /* CLOCK_MONOTONIC of the event loop's last turn; 0: none yet */
        atomic_bool doubtful;   /* the loop stood still, and no renewal has succeeded since */
        atomic_uint_fast64_t backups; /* bit i: the backup at position i waits */
        pthread_mutex_t mutex;        /* guards what follows, and s */
        pthread_cond_t wake;
        bool closing;
        char why[512];
};

static void lease_note_turn(struct lease *l) {
        usec_t now = now_monotonic();

        if (l->turned && now - l->turned > DOUBT)
                l->doubtful = true;
        l->turned = now;
}

static int lease_on_turn(sd_event_source *source, uint64_t usec, void *user) {
        struct lease *l = user;

        lease_note_turn(l);
        (void)sd_event_source_set_time(source, usec + LEASE_RENEW);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int lease_on_lost(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct lease *l = user;

        (void)fd, (void)events;
        (void)sd_event_source_set_enabled(source, SD_EVENT_OFF);
        l->lost(l->why, l->user);
        return 0;
}

static int lease_connect(struct lease *l, struct fail *fail) {
        if (!postgresql_is_lost(&l->s))
                return 0;
        int r = postgresql_connect(&l->s, "lease", fail);
        /* a lease is renewed too often to wait for a disk, and need not outlive the server */
        return r < 0 ? r : postgresql_run(&l->s, "SET synchronous_commit TO off", fail);
}

static void backups_read(struct lease *l) {
        _cleanup_result_ PGresult *result = PQexec(l->s.conn,
                        "SELECT application_name FROM pg_stat_activity"
                        " WHERE datname = current_database()"
                        " AND application_name LIKE '" BACKUP_NAME " %'");
        uint64_t up = 0;

        if (!postgresql_result_good(result))
                return;
        for (int i = 0; i < PQntuples(result); i++) {
                unsigned long at = strtoul(PQgetvalue(result, i, 0) + strlen(BACKUP_NAME), NULL,
                                10);
                if (at < 64)
                        up |= (uint64_t)1 << at;
        }
        l->backups = up;
}

/* Returns 1: renewed; 0: another controller is primary. */
static int lease_renew(struct lease *l, struct fail *fail) {
        _cleanup_free_ char *renewed = NULL,
                            *sql = xasprintf("UPDATE slumber.about SET renewed = renewed + 1"
                                             " WHERE number = %llu RETURNING 1",
                                            (unsigned long long)postgresql_lease_number());
        int r = lease_connect(l, fail);

        if (r >= 0)
                r = postgresql_text(&l->s, sql, &renewed, fail);
        if (r < 0)
                return r;
        if (renewed)
                backups_read(l);
        if (renewed && now_monotonic() - l->turned <= DOUBT)
                l->doubtful = false;
        return renewed != NULL;
}

static void lease_tell_lost(struct lease *l) {
        static const uint64_t one = 1;
        struct fail fail = { 0 };

        (void)postgresql_lease_check(&l->s, &fail);
        snprintf(l->why, sizeof l->why, "%s", fail.text);
        (void)!write(l->eventfd, &one, sizeof one);
}

/* Waits until the next renewal is due. Returns false at closing. */
static bool lease_wait(struct lease *l) {
        usec_t until = now_monotonic() + LEASE_RENEW;
        const struct timespec t = { .tv_sec = (time_t)(until / USEC_PER_SEC),
                .tv_nsec = (long)(until % USEC_PER_SEC * 1000) };
        int r = 0;

        while (!l->closing && r == 0)
                r = pthread_cond_timedwait(&l->wake, &l->mutex, &t);
        return !l->closing;
}

/* Returns whether the event loop turns, or the start goes on: systemd's watchdog is told then. */
static bool loop_turns(const struct lease *l) {
        if (l->turned)
                return now_monotonic() - l->turned <= LEASE_TURN_MAX;
        (void)sd_notify(0, "WATCHDOG=1");
        return now_monotonic() - l->began <= START_MAX;
}

static void *lease_run(void *user) {
        struct lease *l = user;
        bool lost = false;

        pthread_mutex_lock(&l->mutex);
        do {
                struct fail fail = { 0 };

                if (lost || !loop_turns(l))
                        continue;
                if (lease_renew(l, &fail) == 0) {
                        lost = true;
                        lease_tell_lost(l);
                }
        } while (lease_wait(l));
        pthread_mutex_unlock(&l->mutex);
        return NULL;
}

int lease_new(const char *url, sd_event *event, void (*lost)(const char *why, void *user),
                void *user, struct lease **ret, struct fail *fail) {
        struct lease *l = xnew0(struct lease, 1);

        l->lost = lost;
        l->user = user;
        l->began = now_monotonic();
        thread_locks_init(&l->mutex, &l->wake);
        l->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        int r = postgresql_init(&l->s, url, fail);
        if (r >= 0)
                r = l->eventfd < 0 ? -errno : 0;
        if (r >= 0)
                r = sd_event_add_io(event, &l->on_lost, l->eventfd, EPOLLIN, lease_on_lost, l);
        if (r >= 0)
                r = sd_event_add_time_relative(event, &l->turn, CLOCK_MONOTONIC, 0, 0,
                                lease_on_turn, l);
        if (r >= 0)
                r = thread_start(&l->thread, "lease", lease_run, l);
        l->running = r >= 0;
        if (r < 0) {
                lease_free(l);
                return fail_set(fail, r, "cannot renew the lease of the store: %s", strerror(-r));
        }
        *ret = l;
        return 0;
}

struct lease *lease_free(struct lease *l) {
        if (!l)
                return NULL;
        pthread_mutex_lock(&l->mutex);
        l->closing = true;
        pthread_cond_signal(&l->wake);
        pthread_mutex_unlock(&l->mutex);
        if (l->running)
                pthread_join(l->thread, NULL);
        sd_event_source_disable_unref(l->turn);
        sd_event_source_disable_unref(l->on_lost);
        postgresql_done(&l->s);
        if (l->eventfd >= 0)
                close(l->eventfd);
        pthread_cond_destroy(&l->wake);
        pthread_mutex_destroy(&l->mutex);
        free(l);
        return NULL;
}

int lease_confirm(struct lease *l, struct fail *fail) {
        lease_note_turn(l);
        if (!l->doubtful)
                return 0;
        pthread_mutex_lock(&l->mutex);
        int r = lease_renew(l, fail);
        pthread_mutex_unlock(&l->mutex);
        if (r == 0)
                r = fail_set(fail, -ESTALE, "another controller has become primary");
        return MIN(r, 0);
}

void lease_backups(struct lease *l, uint64_t *ret_up) {
        *ret_up = l->backups;
}

int lease_reserve(struct lease *l, unsigned position, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf(
                        "UPDATE slumber.about SET wanted = %u, wanted_at = now()", position);

        pthread_mutex_lock(&l->mutex);
        int r = lease_connect(l, fail);
        if (r >= 0)
                r = postgresql_run(&l->s, sql, fail);
        pthread_mutex_unlock(&l->mutex);
        return r;
}
