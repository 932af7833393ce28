/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "controller/store/accounting.h"
#include "controller/store/accounting_schema.h"
#include "tests/unit/store_server.h"

#include <ftw.h>
#include <sqlite3.h>
#include <sys/stat.h>

#define S USEC_PER_SEC

struct fixture {
        char folder[64];
        sd_event *event;
        struct accounting *a;
        char text[4096]; /* what was found */
        unsigned answers, troubles;
        int r;
        bool more;
        uint64_t last;
        char why[512];
};

static void on_trouble(int r, const char *why, void *user) {
        struct fixture *f = user;

        f->troubles++;
        f->r = r;
        snprintf(f->why, sizeof f->why, "%s", why);
}

static int open_again(struct fixture *f, struct fail *fail) {
        f->a = accounting_close(f->a);
        return accounting_open(f->folder, store_server(), f->event, on_trouble, f, &f->a, fail);
}

static int make_fixture(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);
        struct fail fail = { 0 };

        strcpy(f->folder, "/tmp/test-accounting-XXXXXX");
        assert_non_null(mkdtemp(f->folder));
        assert_true(sd_event_new(&f->event) >= 0);
        if (store_server())
                store_server_clean();
        if (open_again(f, &fail) < 0)
                fail_msg("%s", fail.text);
        *state = f;
        return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

static int remove_fixture(void **state) {
        struct fixture *f = *state;

        accounting_close(f->a);
        sd_event_unref(f->event);
        nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
        free(f);
        return 0;
}

static void print(struct fixture *f, const struct instance *i) {
        size_t n = strlen(f->text);

        snprintf(f->text + n, sizeof f->text - n, "%s%s %s %s %s %s %llu-%llu", n ? "; " : "",
                        i->cluster, i->node, i->id, i->type, i->extra,
                        (unsigned long long)(i->start / S), (unsigned long long)(i->end / S));
        f->last = i->row;
}

static void on_found(int r, const char *why, const struct instance_list *list, void *user) {
        struct fixture *f = user;

        f->answers++;
        f->r = r;
        f->more = list->more;
        for (size_t i = 0; i < list->n; i++)
                print(f, &list->rows[i]);
}

static void ask(struct fixture *f, struct instance_query q) {
        unsigned before = f->answers;

        f->text[0] = 0;
        q.limit = q.limit ? q.limit : 100;
        accounting_instances(f->a, &q, on_found, f);
        while (f->answers == before)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
        assert_int_equal(f->r, 0);
}

static void begin(struct fixture *f, const char *node, const char *id, const char *type,
                usec_t at) {
        accounting_instance_begin(f->a, &(struct instance){ .cluster = "c",
                                                        .node = node,
                                                        .id = id,
                                                        .type = type,
                                                        .extra = "e",
                                                        .start = at * S });
}

static void an_instance_begins_changes_and_ends(void **state) {
        struct fixture *f = *state;

        begin(f, "n1", "i-1", "", 100);
        accounting_instance_change(f->a, &(struct instance){ .cluster = "c",
                                                         .node = "n1",
                                                         .id = "i-1",
                                                         .type = "big",
                                                         .extra = "x" });
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "c n1 i-1 big x 100-0");
        accounting_instance_end(f->a, "c", "n1", 200 * S);
        accounting_instance_end(f->a, "c", "n2", 200 * S); /* has none */
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "c n1 i-1 big x 100-200");
}

static void the_next_one_ends_the_last(void **state) {
        struct fixture *f = *state;

        begin(f, "n1", "i-1", "t", 100);
        begin(f, "n1", "i-2", "t", 150);
        begin(f, "n2", "i-3", "t", 150);
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text,
                        "c n1 i-1 t e 100-150; c n1 i-2 t e 150-0; c n2 i-3 t e 150-0");
}

static void an_end_is_not_before_its_beginning(void **state) {
        struct fixture *f = *state;

        begin(f, "n1", "i-1", "t", 100);
        accounting_instance_end(f->a, "c", "n1", 50 * S);
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "c n1 i-1 t e 100-100");
}

static bool is_n2(const struct instance *i, void *user) {
        return streq(i->node, "n2");
}

static void questions_select(void **state) {
        struct fixture *f = *state;

        begin(f, "n1", "i-1", "t", 100);
        accounting_instance_end(f->a, "c", "n1", 200 * S);
        begin(f, "n2", "i-2", "t", 300);
        begin(f, "n3", "i-3", "t", 400);
        ask(f, (struct instance_query){ .from = 200 * S });
        assert_string_equal(f->text, "c n2 i-2 t e 300-0; c n3 i-3 t e 400-0");
        ask(f, (struct instance_query){ .until = 400 * S });
        assert_string_equal(f->text, "c n1 i-1 t e 100-200; c n2 i-2 t e 300-0");
        ask(f, (struct instance_query){ .from = 150 * S, .until = 250 * S });
        assert_string_equal(f->text, "c n1 i-1 t e 100-200");
        ask(f, (struct instance_query){ .wanted = is_n2 });
        assert_string_equal(f->text, "c n2 i-2 t e 300-0");
        ask(f, (struct instance_query){ .limit = 2 });
        assert_string_equal(f->text, "c n1 i-1 t e 100-200; c n2 i-2 t e 300-0");
        assert_true(f->more);
        ask(f, (struct instance_query){ .limit = 2, .after = f->last });
        assert_string_equal(f->text, "c n3 i-3 t e 400-0");
        assert_false(f->more);
}

static void on_last(const struct instance *i, void *user) {
        print(user, i);
}

static void rows_outlive_the_process(void **state) {
        struct fixture *f = *state;
        struct fail fail = { 0 };

        begin(f, "n1", "i-1", "t", 100);
        begin(f, "n2", "i-2", "t", 100);
        accounting_instance_end(f->a, "c", "n1", 200 * S);
        accounting_instance_begin(f->a, &(struct instance){ .cluster = "other",
                                                        .node = "n1",
                                                        .id = "x",
                                                        .type = "",
                                                        .extra = "",
                                                        .start = S });
        assert_int_equal(open_again(f, &fail), 0); /* what was handed over is written before */
        assert_int_equal(accounting_instances_last(f->a, "c", on_last, f, &fail), 0);
        assert_string_equal(f->text, "c n2 i-2 t e 100-0");
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "c n1 i-1 t e 100-200; c n2 i-2 t e 100-0; other n1 x   1-0");
}

static void run(const struct fixture *f, const char *sql) {
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", f->folder);
        sqlite3 *db = NULL;

        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
}

static void refuses(struct fixture *f, const char *words) {
        struct fail fail = { 0 };

        assert_true(accounting_open(f->folder, store_server(), f->event, on_trouble, f, &f->a,
                                    &fail) < 0);
        assert_non_null(strstr(fail.text, words));
        assert_null(f->a);
}

static void strange_files_are_refused_and_kept(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", f->folder);

        f->a = accounting_close(f->a);
        run(f, "PRAGMA user_version = 99");
        refuses(f, "was written by a newer version (format 99");
        run(f, "PRAGMA user_version = 1; PRAGMA application_id = 7");
        refuses(f, "is some other program's database");
        FILE *out = fopen(path, "we");
        assert_non_null(out);
        for (int i = 0; i < 1000; i++)
                fputs("this is not a database\n", out);
        fclose(out);
        refuses(f, "is damaged or not a database; restore a copy, or move it away and begin anew with slumberctld --accept-state");
        assert_int_equal(access(path, F_OK), 0);
}

static void on_rows(int r, const char *why, char **const *rows, size_t n, bool more, void *user) {
        struct fixture *f = user;

        f->answers++;
        f->r = r;
        f->text[0] = 0;
        for (size_t i = 0; i < n; i++)
                snprintf(f->text + strlen(f->text), sizeof f->text - strlen(f->text), "%s:%s;",
                                rows[i][0], rows[i][1]);
}

static void find(struct fixture *f, const char *table, const char *column) {
        const char *const columns[] = { "id", column };
        const struct accounting_find what = {
                .table = table,
                .columns = columns,
                .n = 2,
                .where = xstrdup("id > 0"),
                .limit = 10,
        };
        unsigned before = f->answers;

        accounting_find(f->a, &what, on_rows, f);
        while (f->answers == before)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
        assert_int_equal(f->r, 0);
}

static void on_done(int r, const char *why, void *user) {
        ((struct fixture *)user)->answers++;
        assert_int_equal(r, 0);
}

static void add_script(struct fixture *f) {
        static const char *const columns[] = { "id", "script" };
        struct accounting_row *row = xnew0(struct accounting_row, 1);
        unsigned before = f->answers;

        *row = (struct accounting_row){ .table = "script",
                .columns = columns,
                .values = xnew(char *, 2),
                .n = 2 };
        row->values[0] = xstrdup("9");
        row->values[1] = xstrdup("#!/bin/sh");
        accounting_rows_write(f->a, row, 1, on_done, f);
        while (f->answers == before)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
}

/* As the version before tables of scripts has left it. */
static void older_files_are_brought_up_to_date(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", f->folder);
        struct fail fail = { 0 };

        f->a = accounting_close(f->a);
        assert_int_equal(unlink(path), 0);
        for (size_t i = 0; i < 13; i++)
                run(f, accounting_steps[i]);
        run(f, "PRAGMA user_version = 13; PRAGMA application_id = 0x534c4143;"
               "INSERT INTO job (id, name, job_id, time_end) VALUES (7, 'old', 4, 5.5);"
               "INSERT INTO step (id, name, job_id) VALUES (8, 'batch', 4)");
        assert_int_equal(open_again(f, &fail), 0);
        find(f, "job", "name || qos_req");
        assert_string_equal(f->text, "7:old;");
        find(f, "step", "name");
        assert_string_equal(f->text, "8:batch;");
        add_script(f);
        assert_int_equal(open_again(f, &fail), 0);
        find(f, "script", "script");
        assert_string_equal(f->text, "9:#!/bin/sh;");
}

static void a_start_that_fails_leaves_nothing(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", f->folder);
        struct fail fail = { 0 };
        struct stat st;

        f->a = accounting_close(f->a);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(open_again(f, &fail), 0);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
        f->a = accounting_abandon(f->a);
        assert_int_equal(access(path, F_OK), -1);
        assert_int_equal(rmdir(f->folder), 0);
        assert_int_equal(mkdir(f->folder, 0700), 0);
        assert_int_equal(open_again(f, &fail), 0);
}

/* Another process holds the file: told once, kept, and written when it is free. */
static void rows_wait_for_the_file(void **state) {
        struct fixture *f = *state;
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", f->folder);
        sqlite3 *db = NULL;

        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
        begin(f, "n1", "i-1", "t", 100);
        while (f->troubles == 0)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
        assert_int_equal(f->r, -EBUSY);
        assert_non_null(strstr(f->why, "accounting.db"));
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "");
        assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        while (f->troubles == 1)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
        ask(f, (struct instance_query){ 0 });
        assert_string_equal(f->text, "c n1 i-1 t e 100-0");
}

static void put_jobs(struct fixture *f, unsigned from, unsigned n, const char *name) {
        static const char *const columns[] = { "id", "name", "user", "time_end" };
        struct accounting_row *rows = xnew0(struct accounting_row, n);
        unsigned before = f->answers;

        for (unsigned i = 0; i < n; i++) {
                rows[i] = (struct accounting_row){ .table = "job",
                        .columns = columns,
                        .values = xnew(char *, 4),
                        .n = 4 };
                rows[i].values[0] = xasprintf("%u", from + i);
                rows[i].values[1] = xstrdup(name);
                rows[i].values[2] = xstrdup("root");
                rows[i].values[3] = xasprintf("%u.5", from + i);
        }
        accounting_rows_write(f->a, rows, n, on_done, f);
        while (f->answers == before)
                assert_true(sd_event_run(f->event, 20 * S) > 0);
}

static void rows_are_replaced_found_and_purged(void **state) {
        struct fixture *f = *state;

        put_jobs(f, 1, 12, "a");
        put_jobs(f, 3, 1, "b");
        find(f, "job", "user");
        assert_string_equal(f->text,
                        "1:root;2:root;3:root;4:root;5:root;6:root;7:root;8:root;9:root;10:root;");
        accounting_purge(f->a, "job", "time_end", 10.5, xstrdup("id = 4"));
        find(f, "job", "name");
        assert_string_equal(f->text, "4:a;10:a;11:a;12:a;");
        put_jobs(f, 11, 1, "c");
        uint64_t last = 0;
        struct fail fail = { 0 };
        assert_int_equal(open_again(f, &fail), 0);
        assert_int_equal(accounting_last_job(f->a, &last, &fail), 0);
        assert_int_equal(last, 0); /* no row has a job_id */
        find(f, "job", "CAST(round(time_end * 1000000) AS BIGINT)");
        assert_string_equal(f->text, "4:4500000;10:10500000;11:11500000;12:12500000;");
}

/* A job's name may have any bytes: no row may keep the rows behind it from the accounts. */
static void all_bytes_of_a_name_are_taken(void **state) {
        static const char *const names[] = { "\xc3\xa4\xe2\x82\xac", "\xff\xfe", "a\xc3",
                "\xed\xa0\x80", "\xf0\x9f\x98\xb4 ?1 user INTEGER" };
        struct fixture *f = *state;

        for (unsigned i = 0; i < ELEMENTSOF(names); i++)
                put_jobs(f, i + 1, 1, names[i]);
        find(f, "job", "name");
        assert_string_equal(f->text,
                        store_server() ? "1:\xc3\xa4\xe2\x82\xac;2:??;3:a?;4:???;5:\xf0\x9f\x98\xb4 ?1 user INTEGER;"
                                       : "1:\xc3\xa4\xe2\x82\xac;2:\xff\xfe;3:a\xc3;4:\xed\xa0\x80;5:\xf0\x9f\x98\xb4 ?1 user INTEGER;");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

/* Cases of both engines. */
static const struct CMUnitTest engine_tests[] = {
        CASE(an_instance_begins_changes_and_ends),
        CASE(the_next_one_ends_the_last),
        CASE(an_end_is_not_before_its_beginning),
        CASE(questions_select),
        CASE(rows_outlive_the_process),
        CASE(rows_are_replaced_found_and_purged),
        CASE(all_bytes_of_a_name_are_taken),
};
/* Cases of the SQLite file. */
static const struct CMUnitTest file_tests[] = {
        CASE(strange_files_are_refused_and_kept),
        CASE(older_files_are_brought_up_to_date),
        CASE(a_start_that_fails_leaves_nothing),
        CASE(rows_wait_for_the_file),
};

int main(void) {
        int failed = cmocka_run_group_tests(engine_tests, NULL, NULL);

        if (!store_server())
                failed += cmocka_run_group_tests(file_tests, NULL, NULL);
        return failed;
}
