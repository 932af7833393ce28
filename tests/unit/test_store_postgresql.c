/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store on a PostgreSQL server: refusals, broken connections and large batches.  The server's
 * address is $SLUMBER_TEST_STORE (with-postgresql). */
#include "tests/unit/test.h"

#include "controller/store/store.h"
#include "tests/unit/store_server.h"

#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

struct fixture {
        char folder[64];
        const char *url;
        sd_event *event;
        struct store *store;
        uint64_t durable;
        unsigned failures, rows;
        size_t bytes;
        int error;
        char why[512];
};

static void on_durable(uint64_t batch, void *user) {
        struct fixture *f = user;

        f->durable = batch;
}

static void on_failed(int r, const char *why, void *user) {
        struct fixture *f = user;

        f->failures++;
        f->error = r;
        snprintf(f->why, sizeof f->why, "%s", why);
}

static const struct store_ops ops = { on_durable, on_failed };

static bool server_has(const char *key, const char *value) {
        _cleanup_free_ char *sql = xasprintf("SHOW %s", key);
        PGconn *conn = PQconnectdb(store_server());
        PGresult *result = PQexec(conn, sql);
        bool has = PQntuples(result) == 1 && streq(PQgetvalue(result, 0, 0), value);

        PQclear(result);
        PQfinish(conn);
        return has;
}

/* Sets key for new sessions. */
static void set_server(const char *key, const char *value) {
        _cleanup_free_ char *path = xasprintf("%s/data/postgresql.auto.conf",
                        getenv("SLUMBER_TEST_SERVER"));
        FILE *file = fopen(path, "we");

        assert_non_null(file);
        fprintf(file, "%s = %s\n", key, value);
        fclose(file);
        store_server_run("SELECT pg_reload_conf()");
        while (!server_has(key, value)) /* the server reads its files when it comes to it */
                sched_yield();
}

static void open_store(struct fixture *f) {
        struct fail fail = { 0 };

        f->durable = 0;
        if (store_open(f->folder, f->url, f->event, &ops, f, &f->store, &fail) < 0)
                fail_msg("%s", fail.text);
}

static int make_fixture(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);

        strcpy(f->folder, "/tmp/test-store-XXXXXX");
        assert_non_null(mkdtemp(f->folder));
        assert_true(sd_event_new(&f->event) >= 0);
        f->url = store_server();
        assert_non_null(f->url);
        store_server_clean();
        *state = f;
        return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

static int remove_fixture(void **state) {
        struct fixture *f = *state;

        store_close(f->store);
        sd_event_unref(f->event);
        nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
        free(f);
        return 0;
}

static void put(struct fixture *f, uint64_t number, const char *text) {
        store_put(f->store, STORE_JOB, NULL, number, (uint8_t *)xstrdup(text), strlen(text));
}

static void turn(struct fixture *f) {
        assert_true(sd_event_run(f->event, 30 * USEC_PER_SEC) > 0);
}

static void wait_durable(struct fixture *f, uint64_t batch) {
        while (f->durable < batch)
                turn(f);
}

static int count_row(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct fixture *f = user;

        f->rows++;
        f->bytes += size;
        return 0;
}

/* Expects jobs rows with bytes in all, as the next controller reads them. */
static void expect_jobs(struct fixture *f, unsigned rows, size_t bytes) {
        struct fail fail = { 0 };

        f->store = store_close(f->store);
        open_store(f);
        f->rows = 0;
        f->bytes = 0;
        if (store_load(f->store, STORE_JOB, count_row, f, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_int_equal(f->rows, rows);
        assert_int_equal(f->bytes, bytes);
}

static void refused(struct fixture *f, const char *url, int error, const char *words) {
        struct fail fail = { 0 };
        struct store *s = NULL;

        assert_int_equal(store_open(f->folder, url, f->event, &ops, f, &s, &fail), error);
        assert_null(s);
        if (!strstr(fail.text, words))
                fail_msg("\"%s\" does not say %s", fail.text, words);
        assert_null(strstr(fail.text, "secret"));
}

/* ---- refusals ---- */

static void a_newer_schema_is_refused(void **state) {
        struct fixture *f = *state;

        open_store(f);
        f->store = store_close(f->store);
        store_server_run("UPDATE slumber.about SET format = 2");
        refused(f, f->url, -EPROTONOSUPPORT,
                        "newer version (format 2 of schema slumber, this program knows 1)");
}

static void a_foreign_schema_is_refused(void **state) {
        struct fixture *f = *state;

        store_server_run("CREATE SCHEMA slumber");
        refused(f, f->url, -EINVAL, "schema \"slumber\" of another program");
}

static void a_second_controller_is_refused(void **state) {
        struct fixture *f = *state;
        char words[64];

        open_store(f);
        snprintf(words, sizeof words,
                        " %d uses the store postgresql:///postgres?host=", (int)getpid());
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
                struct fail fail = { 0 };
                struct store *s = NULL;
                char folder[] = "/tmp/test-store-XXXXXX"; /* on another host */
                int r = mkdtemp(folder) ? store_open(folder, f->url, f->event, &ops, f, &s, &fail)
                                        : 0;
                bool said = r == -EBUSY && strstr(fail.text, words);
                if (!said)
                        fprintf(stderr, "%d: %s\n", r, fail.text);
                (void)rmdir(folder);
                _exit(said ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
}

static void an_address_is_refused_without_its_password(void **state) {
        struct fixture *f = *state;

        refused(f, "postgresql://u:secret@/db?nosuch=1", -EINVAL,
                        "the store's address cannot be read: ");
        refused(f, "postgresql://u:secret@127.0.0.1:1/db", -ENOTCONN,
                        "cannot reach the store postgresql://127.0.0.1:1/db: ");
}

static void a_role_without_rights_is_refused(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *url = xasprintf("postgresql:///postgres?host=%s&user=weak",
                        getenv("SLUMBER_TEST_SERVER"));

        store_server_run("CREATE ROLE weak LOGIN");
        refused(f, url, -EACCES, "the role weak may not create the schema \"slumber\"");
        open_store(f);
        f->store = store_close(f->store);
        refused(f, url, -EACCES, "permission denied");
        store_server_run("DROP ROLE weak");
}

static void a_server_without_fsync_is_refused(void **state) {
        struct fixture *f = *state;

        set_server("fsync", "off");
        refused(f, f->url, -EINVAL, "fsync=off and would lose acknowledged jobs");
        set_server("fsync", "on");
}

static void an_abandoned_store_was_never_there(void **state) {
        struct fixture *f = *state;
        struct store *s = NULL;
        struct fail fail = { 0 };

        assert_int_equal(store_open(f->folder, f->url, f->event, &ops, f, &s, &fail), 0);
        s = store_abandon(s);
        store_server_run("CREATE SCHEMA slumber"); /* fails if the schema is there */
        store_server_run("DROP SCHEMA slumber");
}

/* ---- faults ---- */

static void end_sessions(void) {
        store_server_run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                         "WHERE application_name LIKE 'slumberctld%'");
}

static void an_ended_session_loses_nothing(void **state) {
        struct fixture *f = *state;
        uint64_t batch = 0;

        open_store(f);
        for (uint64_t i = 1; i <= 200; i++) {
                put(f, i, "row");
                batch = store_commit(f->store);
                if (i % 50 == 0)
                        end_sessions();
        }
        wait_durable(f, batch);
        expect_jobs(f, 200, 200 * strlen("row"));
}

static void run_server(const char *order) {
        _cleanup_free_ char *command = xasprintf(
                        "%s %s/pg_ctl -D %s/data -m fast -w -l %s/data/log %s >/dev/null",
                        geteuid() ? ""
                                  : "setpriv --reuid postgres --regid postgres --clear-groups --",
                        getenv("SLUMBER_TEST_BIN"), getenv("SLUMBER_TEST_SERVER"),
                        getenv("SLUMBER_TEST_SERVER"), order);

        assert_int_equal(system(command), 0);
}

static void a_server_that_is_away_acknowledges_nothing(void **state) {
        struct fixture *f = *state;

        open_store(f);
        put(f, 1, "before");
        wait_durable(f, store_commit(f->store));
        run_server("stop");
        put(f, 2, "meanwhile");
        uint64_t batch = store_commit(f->store);
        while (f->failures == 0)
                turn(f);
        assert_int_equal(f->error, -ENOTCONN);
        assert_non_null(strstr(f->why, "the store postgresql:///postgres?host=/"));
        assert_true(f->durable < batch);
        run_server("start");
        wait_durable(f, batch);
        expect_jobs(f, 2, strlen("before") + strlen("meanwhile"));
}

static void a_read_only_server_acknowledges_nothing(void **state) {
        struct fixture *f = *state;

        uint64_t batch = 0, jobs = 0;

        open_store(f);
        set_server("default_transaction_read_only", "on");
        /* the store's session reads the setting a moment later than a new one */
        while (f->failures == 0) {
                put(f, ++jobs, "x");
                batch = store_commit(f->store);
                while (f->failures == 0 && f->durable < batch)
                        turn(f);
        }
        assert_int_equal(f->error, -EROFS);
        assert_true(f->durable < batch);
        set_server("default_transaction_read_only", "off");
        wait_durable(f, batch);
        expect_jobs(f, (unsigned)jobs, jobs);
}

/* ---- sizes ---- */

static void a_batch_larger_than_all_buffers_is_written(void **state) {
        struct fixture *f = *state;
        const size_t size = 48u << 20;

        open_store(f);
        store_put(f->store, STORE_JOB, NULL, 1, xcalloc(1, size), size);
        for (uint64_t i = 2; i <= 20000; i++)
                put(f, i, "x");
        wait_durable(f, store_commit(f->store));
        expect_jobs(f, 20000, size + 19999);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

int main(void) {
        static const struct CMUnitTest tests[] = {
                CASE(a_newer_schema_is_refused),
                CASE(a_foreign_schema_is_refused),
                CASE(a_second_controller_is_refused),
                CASE(an_address_is_refused_without_its_password),
                CASE(a_role_without_rights_is_refused),
                CASE(a_server_without_fsync_is_refused),
                CASE(an_abandoned_store_was_never_there),
                CASE(an_ended_session_loses_nothing),
                CASE(a_server_that_is_away_acknowledges_nothing),
                CASE(a_read_only_server_acknowledges_nothing),
                CASE(a_batch_larger_than_all_buffers_is_written),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
