/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/store/store.h"
#include "tests/unit/store_server.h"

#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zstd.h>

struct fixture {
        char folder[64];
        const char *url; /* of PostgreSQL; NULL: an SQLite file */
        sd_event *event;
        struct store *store;
        uint64_t durable, durable_at_failure;
        unsigned failures, answers;
        int error;
        char why[512];
        uint8_t *answer; /* NULL = not there */
        size_t answer_size;
        unsigned rows;
        char dump[4096];
};

static void on_durable(uint64_t batch, void *user) {
        struct fixture *f = user;

        assert_true(batch > f->durable);
        f->durable = batch;
}

static void on_failed(int r, const char *why, void *user) {
        struct fixture *f = user;

        f->failures++;
        f->error = r;
        f->durable_at_failure = f->durable;
        snprintf(f->why, sizeof f->why, "%s", why);
}

static const struct store_ops ops = { on_durable, on_failed };

static void open_store(struct fixture *f) {
        struct fail fail = { 0 };

        f->durable = 0;
        if (store_open(f->folder, f->url, f->event, &ops, f, &f->store, &fail) < 0)
                fail_msg("%s", fail.text);
}

static void reopen_store(struct fixture *f) {
        f->store = store_close(f->store);
        open_store(f);
}

static int make_fixture(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);

        strcpy(f->folder, "/tmp/test-store-XXXXXX");
        assert_non_null(mkdtemp(f->folder));
        assert_true(sd_event_new(&f->event) >= 0);
        f->url = store_server();
        if (f->url)
                store_server_clean();
        open_store(f);
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
        free(f->answer);
        free(f);
        return 0;
}

static void turn(struct fixture *f) {
        assert_true(sd_event_run(f->event, 20 * USEC_PER_SEC) >
                        0); /* 0: nothing came in all that time */
}

static void wait_durable(struct fixture *f, uint64_t batch) {
        while (f->durable < batch)
                turn(f);
        assert_int_equal(store_durable(f->store), f->durable);
}

static void put(struct fixture *f, enum store_table t, const char *key, uint64_t number,
                const char *text) {
        store_put(f->store, t, key, number, (uint8_t *)xstrdup(text), strlen(text));
}

static void on_answer(const uint8_t *data, size_t size, void *user) {
        struct fixture *f = user;

        free(f->answer);
        f->answer = NULL;
        f->answer_size = size;
        if (data) {
                f->answer = xmalloc(size);
                memcpy(f->answer, data, size);
        }
        f->answers++;
}

static void expect_answer(struct fixture *f, unsigned number, const char *text) {
        while (f->answers < number)
                turn(f);
        assert_int_equal(f->answers, number);
        if (!text) {
                assert_null(f->answer);
                return;
        }
        assert_non_null(f->answer);
        assert_int_equal(f->answer_size, strlen(text));
        assert_memory_equal(f->answer, text, f->answer_size);
}

static int add_row(const char *key, uint64_t number, const uint8_t *data, size_t size, void *user) {
        struct fixture *f = user;
        size_t n = strlen(f->dump);

        snprintf(f->dump + n, sizeof f->dump - n, "%s%s%llu=%.*s", n ? " " : "", key,
                        (unsigned long long)number, (int)size, (const char *)data);
        f->rows++;
        return 0;
}

static void expect_rows(struct fixture *f, enum store_table t, const char *text) {
        struct fail fail = { 0 };

        f->dump[0] = 0;
        if (store_load(f->store, t, add_row, f, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_string_equal(f->dump, text);
}

/* ---- rows ---- */

static void every_table_keeps_its_rows(void **state) {
        struct fixture *f = *state;

        put(f, STORE_META, "next", 0, "12");
        put(f, STORE_NODE, "n2", 0, "off");
        put(f, STORE_NODE, "n1", 0, "on");
        put(f, STORE_JOB, NULL, 10, "ten");
        put(f, STORE_JOB, NULL, 9, "nine");
        put(f, STORE_JOB, NULL, INT64_MAX, "last");
        put(f, STORE_JOB, NULL, 0, "");
        put(f, STORE_SCRIPT, NULL, 9, "#!/bin/sh");
        put(f, STORE_SCRIPT, NULL, 10, "");
        wait_durable(f, store_commit(f->store));
        reopen_store(f);
        expect_rows(f, STORE_META, "next0=12");
        expect_rows(f, STORE_NODE, "n10=on n20=off");
        expect_rows(f, STORE_JOB, "0= 9=nine 10=ten 9223372036854775807=last");
        expect_rows(f, STORE_SCRIPT, "9=#!/bin/sh 10=");
}

static void the_last_change_of_a_row_holds(void **state) {
        struct fixture *f = *state;

        put(f, STORE_JOB, NULL, 1, "a");
        put(f, STORE_JOB, NULL, 1, "b");
        put(f, STORE_JOB, NULL, 2, "c");
        store_commit(f->store);
        store_delete(f->store, STORE_JOB, NULL, 2);
        store_delete(f->store, STORE_JOB, NULL, 77);
        put(f, STORE_JOB, NULL, 3, "d");
        store_delete(f->store, STORE_JOB, NULL, 3);
        put(f, STORE_JOB, NULL, 3, "e");
        put(f, STORE_NODE, "n1", 0, "x");
        store_delete(f->store, STORE_NODE, "n1", 0);
        wait_durable(f, store_commit(f->store));
        reopen_store(f);
        expect_rows(f, STORE_JOB, "1=b 3=e");
        expect_rows(f, STORE_NODE, "");
}

static void closing_commits_what_is_left(void **state) {
        struct fixture *f = *state;

        put(f, STORE_JOB, NULL, 1, "a");
        store_commit(f->store);
        put(f, STORE_JOB, NULL, 2, "b");
        f->store = store_close(f->store);
        assert_int_equal(f->durable, 2);
        open_store(f);
        expect_rows(f, STORE_JOB, "1=a 2=b");
}

static void clearing_forgets_all_but_what_has_ended(void **state) {
        struct fixture *f = *state;

        put(f, STORE_JOB, NULL, 1, "a");
        put(f, STORE_META, "next", 0, "2");
        put(f, STORE_ENDED, NULL, 7, "e");
        reopen_store(f);
        assert_int_equal(store_clear(f->store, NULL), 0);
        reopen_store(f);
        expect_rows(f, STORE_JOB, "");
        expect_rows(f, STORE_META, "");
        expect_rows(f, STORE_ENDED, "7=e");
}

static int refuse_row(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        return -ECANCELED;
}

static void a_refused_row_ends_the_loading(void **state) {
        struct fixture *f = *state;

        put(f, STORE_JOB, NULL, 1, "a");
        reopen_store(f);
        assert_int_equal(store_load(f->store, STORE_JOB, refuse_row, f, NULL), -ECANCELED);
        expect_rows(f, STORE_JOB, "1=a");
}

/* ---- batches ---- */

static void batches_are_numbered_from_one(void **state) {
        struct fixture *f = *state;

        assert_int_equal(store_commit(f->store), 0);
        assert_int_equal(store_durable(f->store), 0);
        put(f, STORE_JOB, NULL, 1, "a");
        assert_int_equal(store_commit(f->store), 1);
        assert_int_equal(store_commit(f->store), 1);
        store_delete(f->store, STORE_JOB, NULL, 1);
        assert_int_equal(store_commit(f->store), 2);
        wait_durable(f, 2);
        assert_int_equal(f->failures, 0);
}

static off_t size_of_log(const struct fixture *f) {
        _cleanup_free_ char *path = xasprintf("%s/slumber.db-wal", f->folder);
        struct stat st;

        assert_int_equal(stat(path, &st), 0);
        return st.st_size;
}

static void the_log_has_its_size_from_the_start(void **state) {
        struct fixture *f = *state;
        const off_t size = size_of_log(f);

        assert_int_equal(size, 5 << 20);
        for (uint64_t i = 1; i <= 3000; i++) { /* it is written back in between */
                char text[16];
                snprintf(text, sizeof text, "row %" PRIu64, i);
                put(f, STORE_JOB, NULL, i % 7, text);
                wait_durable(f, store_commit(f->store));
        }
        assert_int_equal(size_of_log(f), size);
        reopen_store(f);
        expect_rows(f, STORE_JOB,
                        "0=row 2996 1=row 2997 2=row 2998 3=row 2999 4=row 3000 5=row 2994 6=row 2995");
}

static void many_batches_share_transactions(void **state) {
        struct fixture *f = *state;
        uint64_t batch = 0;

        for (unsigned i = 1; i <= 5000; i++) {
                put(f, STORE_JOB, NULL, i, "x");
                batch = store_commit(f->store);
                assert_int_equal(batch, i);
        }
        wait_durable(f, batch);
        reopen_store(f);
        f->rows = 0;
        assert_int_equal(store_load(f->store, STORE_JOB, add_row, f, NULL), 0);
        assert_int_equal(f->rows, 5000);
}

/* ---- reading ---- */

static void a_read_sees_what_was_put_before_it(void **state) {
        struct fixture *f = *state;

        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 1, NULL);
        put(f, STORE_SCRIPT, NULL, 1, "not committed");
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 2, "not committed");
        wait_durable(f, store_commit(f->store));
        put(f, STORE_SCRIPT, NULL, 1, "queued");
        store_commit(f->store);
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 3, "queued");
        wait_durable(f, 2);
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 4, "queued");
        store_read(f->store, STORE_JOB, 1, on_answer, f);
        expect_answer(f, 5, NULL);
}

static void a_read_does_not_see_what_came_after_it(void **state) {
        struct fixture *f = *state;

        put(f, STORE_SCRIPT, NULL, 1, "a");
        store_commit(f->store);
        for (unsigned i = 1; i <= 100; i++) {
                store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
                store_delete(f->store, STORE_SCRIPT, NULL, 1);
                store_commit(f->store);
                expect_answer(f, 2 * i - 1, "a");
                store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
                put(f, STORE_SCRIPT, NULL, 1, "a");
                expect_answer(f, 2 * i, NULL);
        }
}

static void a_large_script_is_small_on_disk(void **state) {
        struct fixture *f = *state;
        size_t size = 4u << 20;
        char path[96];
        struct stat st;

        uint8_t *script = xmalloc(size);
        memset(script, 'x', size);
        store_put(f->store, STORE_SCRIPT, NULL, 5, script, size);
        wait_durable(f, store_commit(f->store));
        reopen_store(f);
        store_read(f->store, STORE_SCRIPT, 5, on_answer, f);
        while (f->answers == 0)
                turn(f);
        assert_int_equal(f->answer_size, size);
        assert_int_equal(f->answer[size - 1], 'x');
        snprintf(path, sizeof path, "%s/slumber.db", f->folder);
        assert_int_equal(stat(path, &st), 0);
        assert_in_range(st.st_size, 1, 100 << 10);
        assert_int_equal(st.st_mode & 0777, 0600);
}

/* ---- what is refused ---- */

static void refused(struct fixture *f, const char *folder, int error, const char *words) {
        struct fail fail = { 0 };
        struct store *s = NULL;

        assert_int_equal(store_open(folder, f->url, f->event, &ops, f, &s, &fail), error);
        assert_null(s);
        if (!strstr(fail.text, words) || !strstr(fail.text, folder))
                fail_msg("\"%s\" does not say %s and %s", fail.text, folder, words);
}

static void by_hand(struct fixture *f, const char *sql) {
        _cleanup_free_ char *path = xasprintf("%s/slumber.db", f->folder);
        sqlite3 *db = NULL;

        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
}

static void an_abandoned_store_was_never_there(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *folder = xasprintf("%s/new", f->folder),
                            *file = xasprintf("%s/slumber.db", folder);
        struct store *s = NULL;
        struct fail fail = { 0 };

        assert_int_equal(store_open(folder, f->url, f->event, &ops, f, &s, &fail), 0);
        assert_int_equal(access(file, F_OK), 0);
        s = store_abandon(s);
        assert_int_equal(access(folder, F_OK), -1);

        /* One that was there stays as it was. */
        assert_int_equal(store_open(folder, f->url, f->event, &ops, f, &s, &fail), 0);
        store_put(s, STORE_META, "a", 0, memcpy(xmalloc(1), "x", 1), 1);
        s = store_close(s);
        assert_int_equal(store_open(folder, f->url, f->event, &ops, f, &s, &fail), 0);
        store_put(s, STORE_META, "b", 0, memcpy(xmalloc(1), "y", 1), 1);
        s = store_abandon(s);
        assert_int_equal(store_open(folder, f->url, f->event, &ops, f, &s, &fail), 0);
        assert_int_equal(store_load(s, STORE_META, add_row, f, &fail), 0);
        assert_int_equal(f->rows, 1);
        s = store_close(s);
}

static void a_second_controller_is_refused(void **state) {
        struct fixture *f = *state;
        struct store *s = NULL;
        struct fail fail = { 0 };
        char words[64];
        int status;

        snprintf(words, sizeof words, "another controller, process %d", (int)getpid());
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
                _exit(store_open(f->folder, f->url, f->event, &ops, f, &s, &fail) != -EBUSY ||
                                !strstr(fail.text, words));
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        reopen_store(f);
}

/* Of a controller that was killed between fork() and exec(): its child must not keep the next one
   out. */
static void a_child_does_not_hold_the_store(void **state) {
        struct fixture *f = *state;
        int end[2];

        assert_int_equal(pipe(end), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
                char byte;
                close(end[1]);
                _exit(read(end[0], &byte, 1) != 0);
        }
        close(end[0]);
        reopen_store(f);
        close(end[1]);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Format 1 had no table for it. */
static void an_older_store_is_brought_up_to_date(void **state) {
        struct fixture *f = *state;

        put(f, STORE_JOB, NULL, 1, "a");
        f->store = store_close(f->store);
        by_hand(f, "DROP TABLE ended; PRAGMA user_version = 1");
        open_store(f);
        put(f, STORE_ENDED, NULL, 7, "e");
        reopen_store(f);
        expect_rows(f, STORE_JOB, "1=a");
        expect_rows(f, STORE_ENDED, "7=e");
}

static void a_newer_store_is_refused(void **state) {
        struct fixture *f = *state;

        f->store = store_close(f->store);
        by_hand(f, "PRAGMA user_version = 3");
        refused(f, f->folder, -EPROTONOSUPPORT, "newer version (format 3, this program knows 2)");
}

static void another_programs_database_is_refused(void **state) {
        struct fixture *f = *state;

        f->store = store_close(f->store);
        by_hand(f, "PRAGMA application_id = 7");
        refused(f, f->folder, -EINVAL, "database of another program");
        by_hand(f, "PRAGMA application_id = 0");
        refused(f, f->folder, -EINVAL, "database of another program");
}

static void damage(struct fixture *f, off_t at, size_t size) {
        _cleanup_free_ char *path = xasprintf("%s/slumber.db", f->folder), *bytes = xmalloc(size);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

        memset(bytes, 0xa5, size);
        assert_int_equal(pwrite(fd, bytes, size, at), (ssize_t)size);
}

static void a_damaged_store_is_refused(void **state) {
        struct fixture *f = *state;
        struct fail fail = { 0 };

        put(f, STORE_JOB, NULL, 1, "a");
        f->store = store_close(f->store);
        damage(f, 4096, 5 * 4096); /* every page but the first */
        open_store(f);
        assert_int_equal(store_load(f->store, STORE_JOB, add_row, f, &fail), -EBADMSG);
        assert_non_null(strstr(fail.text, "is damaged"));
        assert_non_null(strstr(fail.text, f->folder));
        f->store = store_close(f->store);

        damage(f, 0, 4096);
        refused(f, f->folder, -EBADMSG,
                        "is damaged or not a database; restore a copy, or move it away and begin anew with slumberctld --accept-state");
}

static void bad_folders_are_refused(void **state) {
        struct fixture *f = *state;
        char path[96];

        f->store = store_close(f->store);
        snprintf(path, sizeof path, "%s/slumber.db", f->folder);
        refused(f, path, -ENOTDIR, "is not a folder");
        snprintf(path, sizeof path, "%s/a/b", f->folder);
        refused(f, path, -ENOENT, "cannot make the state folder");

        if (geteuid() == 0)
                assert_int_equal(seteuid(65534), 0);
        else
                assert_int_equal(chmod(f->folder, 0500), 0);
        refused(f, f->folder, -EACCES, "cannot write in the state folder");
        if (getuid() == 0)
                assert_int_equal(seteuid(0), 0);
        else
                assert_int_equal(chmod(f->folder, 0700), 0);
}

static void a_folder_is_made_for_its_owner_only(void **state) {
        struct fixture *f = *state;
        struct store *s = NULL;
        char path[96];
        struct stat st;

        snprintf(path, sizeof path, "%s/state", f->folder);
        assert_int_equal(store_open(path, f->url, f->event, &ops, f, &s, NULL), 0);
        store_close(s);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0700);
}

static void a_script_that_cannot_be_unpacked_is_reported(void **state) {
        struct fixture *f = *state;

        f->store = store_close(f->store);
        by_hand(f, "INSERT INTO script VALUES (1, x'00112233'), (2, x'')");
        open_store(f);
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 1, NULL);
        assert_int_equal(f->error, -EBADMSG);
        assert_non_null(strstr(f->why, "script in the store"));
        store_read(f->store, STORE_SCRIPT, 2, on_answer, f);
        expect_answer(f, 2, NULL);
}

static void a_script_that_would_unpack_to_too_much_is_refused(void **state) {
        struct fixture *f = *state;
        size_t size = STORE_VALUE_MAX + 1u, bound = ZSTD_compressBound(size);
        _cleanup_free_ char *zeros = xcalloc(1, size), *frame = xmalloc(bound), *sql = NULL;

        f->store = store_close(f->store);
        size = ZSTD_compress(frame, bound, zeros, size, 1);
        sql = xmalloc(2 * size + 100);
        int n = sprintf(sql, "INSERT INTO script VALUES (1, x'");
        for (size_t i = 0; i < size; i++)
                n += sprintf(sql + n, "%02x", (unsigned char)frame[i]);
        strcpy(sql + n, "')");
        by_hand(f, sql);
        open_store(f);
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 1, NULL);
        assert_int_equal(f->error, -EBADMSG);
}

/* ---- a full disk ---- */

#define BALLAST (256u << 10)

/* A disk of its own in a mount namespace of its own, nearly full. */
static bool enter_disk(struct fixture *f, const char *options) {
        f->store = store_close(f->store);
        if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
                return false;
        return mount("tmpfs", f->folder, "tmpfs", 0, options) == 0;
}

static bool enter_small_disk(struct fixture *f) {
        return enter_disk(f, "size=1m,mode=700");
}

/* The store has so many jobs; it goes on in the folder below the disk. */
static void leave_disk(struct fixture *f, uint64_t jobs) {
        f->rows = 0;
        assert_int_equal(store_load(f->store, STORE_JOB, add_row, f, NULL), 0);
        assert_int_equal(f->rows, jobs);
        f->store = store_close(f->store);
        assert_int_equal(umount(f->folder), 0);
        open_store(f);
}

static void put_ballast(struct fixture *f) {
        _cleanup_free_ char *path = xasprintf("%s/ballast", f->folder),
                            *bytes = xcalloc(1, BALLAST);
        _cleanup_close_ int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

        assert_int_equal(write(fd, bytes, BALLAST), BALLAST);
}

static void drop_ballast(struct fixture *f) {
        _cleanup_free_ char *path = xasprintf("%s/ballast", f->folder);

        assert_int_equal(unlink(path), 0);
}

static unsigned fill_disk(struct fixture *f) {
        unsigned n = 0;

        for (f->failures = 0; f->failures == 0; turn(f)) {
                assert_true(n < 1000);
                store_put(f->store, STORE_JOB, NULL, ++n, xcalloc(1, 4000), 4000);
                store_commit(f->store);
        }
        return n;
}

static void a_full_disk_loses_nothing(void **state) {
        struct fixture *f = *state;

        if (!enter_small_disk(f)) {
                open_store(f);
                print_message("skipped: a small disk cannot be mounted: %s\n", strerror(errno));
                skip();
        }
        put_ballast(f);
        open_store(f);
        unsigned n = fill_disk(f);
        assert_true(f->error == -ENOSPC || f->error == -EIO);
        assert_non_null(strstr(f->why, f->folder));
        assert_true(f->durable < n);

        /* While it is full: nothing is acknowledged, reads are answered. */
        uint64_t before = f->durable;
        put(f, STORE_SCRIPT, NULL, 1, "waiting");
        uint64_t batch = store_commit(f->store);
        store_read(f->store, STORE_SCRIPT, 1, on_answer, f);
        expect_answer(f, 1, "waiting");
        store_read(f->store, STORE_JOB, 1, on_answer, f);
        while (f->answers < 2)
                turn(f);
        assert_int_equal(f->answer_size, 4000);
        assert_int_equal(f->durable, before);

        drop_ballast(f);
        wait_durable(f, batch);
        reopen_store(f);
        leave_disk(f, n);
}

/* The log has its full size before the disk is filled. */
static void a_disk_that_is_filled_later_loses_nothing(void **state) {
        struct fixture *f = *state;

        if (!enter_disk(f, "size=24m,mode=700")) {
                open_store(f);
                print_message("skipped: a disk cannot be mounted: %s\n", strerror(errno));
                skip();
        }
        open_store(f);
        assert_int_equal(size_of_log(f), 5 << 20);
        put(f, STORE_SCRIPT, NULL, 1, "first"); /* makes the file generation */
        wait_durable(f, store_commit(f->store));
        _cleanup_free_ char *path = xasprintf("%s/filler", f->folder);
        static const char ballast[512];
        int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        while (write(fd, ballast, sizeof ballast) > 0)
                ;
        close(fd);
        unsigned n = 0;
        for (f->failures = 0; f->failures == 0; turn(f)) {
                assert_true(n < 10000);
                store_put(f->store, STORE_JOB, NULL, ++n, xcalloc(1, 4000), 4000);
                store_commit(f->store);
        }
        assert_true(f->durable > 100); /* into the log */
        assert_true(f->durable <= n);
        assert_int_equal(unlink(path), 0);
        wait_durable(f, store_commit(f->store));
        reopen_store(f);
        leave_disk(f, n);
}

static void closing_on_a_full_disk_keeps_what_was_reported(void **state) {
        struct fixture *f = *state;

        if (!enter_small_disk(f)) {
                open_store(f);
                print_message("skipped: a small disk cannot be mounted: %s\n", strerror(errno));
                skip();
        }
        put_ballast(f);
        open_store(f);
        unsigned n = fill_disk(f);
        f->store = store_close(f->store);
        uint64_t durable = f->durable;
        assert_true(durable < n);
        drop_ballast(f);
        open_store(f);
        leave_disk(f, durable);
}

/* The same without root: the log may not grow. */
static void a_file_that_may_not_grow_loses_nothing(void **state) {
        struct fixture *f = *state;
        struct rlimit old, small;
        void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

        put(f, STORE_JOB, NULL, 5000, "before");
        wait_durable(f, store_commit(f->store));
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
        small = old;
        small.rlim_cur = 200 << 10;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        unsigned n = fill_disk(f);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        signal(SIGXFSZ, handler);
        assert_true(f->durable_at_failure < n + 1);
        assert_int_equal(f->failures, 1);

        wait_durable(f, n + 1);
        reopen_store(f);
        f->rows = 0;
        assert_int_equal(store_load(f->store, STORE_JOB, add_row, f, NULL), 0);
        assert_int_equal(f->rows, n + 1);
}

static void on_copied(int r, const char *why, void *user) {
        struct fixture *f = user;

        free(f->answer);
        f->answer = (uint8_t *)xstrdup(r < 0 ? why : "copied");
}

static const char *copy_to(struct fixture *f, const char *folder) {
        free(f->answer);
        f->answer = NULL;
        store_copy(f->store, folder, on_copied, f);
        while (!f->answer)
                turn(f);
        return (const char *)f->answer;
}

/* The daemon may be root: a folder that others can change leads anywhere. */
static void copy_follows_no_foreign_link(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *open = xasprintf("%s/open", f->folder),
                            *in_open = xasprintf("%s/copy", open),
                            *link = xasprintf("%s/link", f->folder),
                            *in_link = xasprintf("%s/copy", link),
                            *good = xasprintf("%s/good/", f->folder);

        assert_int_equal(mkdir(open, 0700), 0);
        assert_int_equal(chmod(open, 0777), 0);
        assert_int_equal(symlink(open, link), 0);
        assert_non_null(strstr(copy_to(f, in_open), "other users can change what is in "));
        assert_non_null(strstr(copy_to(f, in_link), "other users can change what is in "));
        assert_int_not_equal(access(in_open, F_OK), 0);
        assert_string_equal(copy_to(f, good), "copied");
        assert_int_equal(chmod(open, 0700), 0);
        assert_string_equal(copy_to(f, in_link), "copied");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_fixture, remove_fixture)

/* Cases of both engines: with $SLUMBER_TEST_STORE, the address of a server, on PostgreSQL. */
static const struct CMUnitTest engine_tests[] = {
        CASE(every_table_keeps_its_rows),
        CASE(the_last_change_of_a_row_holds),
        CASE(closing_commits_what_is_left),
        CASE(clearing_forgets_all_but_what_has_ended),
        CASE(a_refused_row_ends_the_loading),
        CASE(batches_are_numbered_from_one),
        CASE(many_batches_share_transactions),
        CASE(a_read_sees_what_was_put_before_it),
        CASE(a_read_does_not_see_what_came_after_it),
};
/* Cases of the SQLite file and its folder. */
static const struct CMUnitTest file_tests[] = {
        CASE(the_log_has_its_size_from_the_start),
        CASE(a_large_script_is_small_on_disk),
        CASE(an_abandoned_store_was_never_there),
        CASE(a_second_controller_is_refused),
        CASE(a_child_does_not_hold_the_store),
        CASE(an_older_store_is_brought_up_to_date),
        CASE(a_newer_store_is_refused),
        CASE(another_programs_database_is_refused),
        CASE(a_damaged_store_is_refused),
        CASE(bad_folders_are_refused),
        CASE(a_folder_is_made_for_its_owner_only),
        CASE(a_script_that_cannot_be_unpacked_is_reported),
        CASE(a_script_that_would_unpack_to_too_much_is_refused),
        CASE(copy_follows_no_foreign_link),
        CASE(a_full_disk_loses_nothing),
        CASE(a_disk_that_is_filled_later_loses_nothing),
        CASE(a_file_that_may_not_grow_loses_nothing),
        CASE(closing_on_a_full_disk_keeps_what_was_reported),
};

int main(void) {
        int failed = cmocka_run_group_tests(engine_tests, NULL, NULL);

        if (!store_server())
                failed += cmocka_run_group_tests(file_tests, NULL, NULL);
        return failed;
}
