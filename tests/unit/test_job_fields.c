/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each field of what a job asks for is filled by its offset, and looked for in every list that
 * has to carry it: as model/job_fields.h says of it. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/ended/ended.h"
#include "controller/indexes/array.h"
#include "controller/indexes/queue.h"
#include "controller/preempt/request.h"
#include "controller/records/ended_rows.h"
#include "controller/records/record.h"
#include "controller/store/accounting.h"
#include "sim/io/io.h"

#include <ftw.h>
#include <sqlite3.h>

#define T0 (1790000000 * USEC_PER_SEC)
#define CONF                                                                                       \
        "ClusterName=c\nSlurmctldHost=h\nStateSaveLocation=/x\nSlurmUser=0\n"                      \
        "NodeName=n[1-2] CPUs=4 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

enum type { TEXT, BOOL, WORD32, WORD64 };
enum keyed { KEYED, KEY_OTHERWISE, KEY_NO };
enum kept { REPLAYED, KEPT, KEPT_OTHERWISE, KEPT_NO };

#define IS_KEYED      KEYED
#define IS_OTHERWISE  KEY_OTHERWISE
#define IS_NO         KEY_NO
#define WAS_REPLAYED  REPLAYED
#define WAS_KEPT      KEPT
#define WAS_OTHERWISE KEPT_OTHERWISE
#define WAS_NO        KEPT_NO
#define TYPE_OF(type)                                                                              \
        _Generic((type){ 0 }, char * : TEXT, bool : BOOL, uint64_t : WORD64, default : WORD32)
#define ROW(X, type, field, keyed, kept, ...)                                                      \
        { #field, TYPE_OF(type), offsetof(struct job_spec, field), IS_##keyed, WAS_##kept },
#define TEXT_ROW(X, type, field, limit, keyed, kept, ...) ROW(X, type, field, keyed, kept)
#define ENUM(X, type, field, wire, last, keyed, kept)     ROW(X, type, field, keyed, kept)

static const struct field {
        const char *name;
        enum type type;
        size_t offset;
        enum keyed keyed;
        enum kept kept;
} fields[] = { JOB_TEXTS(TEXT_ROW, ) JOB_NUMBERS(ROW, ) JOB_TIMES(ROW, ) JOB_ENUMS(ENUM, ) };

static char some_text[] = "2";

static void *at(const struct field *f, void *spec) {
        return (char *)spec + f->offset;
}

/* To something that no other field is, where its type has so many values. */
static void fill(const struct field *f, struct job_spec *spec) {
        uint32_t number = f->name == fields[ELEMENTSOF(fields) - 1].name ? 1 : 2;

        switch (f->type) {
        case TEXT:
                *(char **)at(f, spec) = some_text;
                break;
        case BOOL:
                *(bool *)at(f, spec) = true;
                break;
        case WORD32:
                *(uint32_t *)at(f, spec) = number;
                break;
        case WORD64:
                *(uint64_t *)at(f, spec) = number;
                break;
        }
}

static void fill_all(struct job_spec *spec) {
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                fill(&fields[i], spec);
}

static bool has(const struct field *f, struct job_spec *spec) {
        switch (f->type) {
        case TEXT:
                return *(char **)at(f, spec) && streq(*(char **)at(f, spec), some_text);
        case BOOL:
                return *(bool *)at(f, spec);
        case WORD32:
                return *(uint32_t *)at(f, spec) != 0;
        case WORD64:
                return *(uint64_t *)at(f, spec) != 0;
        }
        return false;
}

static void has_all(struct job_spec *spec) {
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (!has(&fields[i], spec))
                        fail_msg("%s is lost", fields[i].name);
}

/* Every member of the struct is a row of the list. */
static void the_list_is_whole(void **state) {
        struct job_spec spec;

        memset(&spec, 0, sizeof spec);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                static const size_t sizes[] = { [TEXT] = sizeof(char *), 1, 4, 8 };
                memset(at(&fields[i], &spec), 1, sizes[fields[i].type]);
        }
        size_t unfilled = 0;
        for (size_t i = 0; i < sizeof spec; i++)
                unfilled += ((const char *)&spec)[i] == 0;
        assert_true(unfilled < 2 * sizeof(uint64_t)); /* padding */
}

static struct job *job_of(struct cluster *c, const struct job_spec *spec) {
        struct job *j = xnew0(struct job, 1);

        j->id = 7;
        j->user = xstrdup("u");
        j->group = xstrdup("g");
        j->partition = c->partitions[0];
        job_spec_copy(&j->asked, spec);
#define X(field) j->needs.field = j->asked.field;
        UNSAID_SIZES(X)
#undef X
        j->needs.time_limit = j->asked.time_limit;
        return j;
}

static void a_record_has_each(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct job_spec spec = { 0 }, back;
        struct job_message m;

        fill_all(&spec);
        _cleanup_(job_freep) struct job *j = job_of(c, &spec);
        has_all(&j->asked); /* the copy */
        job_message_init(&m, c, j, RECORD_STORE, T0);
        size_t size = slumber__job_spec__get_packed_size(&m.spec);
        _cleanup_free_ uint8_t *data = xmalloc(size);
        slumber__job_spec__pack(&m.spec, data);
        job_message_done(&m);
        Slumber__JobSpec *read = slumber__job_spec__unpack(NULL, size, data);
        job_spec_from_message(&back, read);
        has_all(&back);
        slumber__job_spec__free_unpacked(read, NULL);
}

static void a_task_of_an_array_has_each(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct bitset *tasks = bitset_new(2);
        struct job_spec spec = { 0 };

        fill_all(&spec);
        struct job *rest = job_of(c, &spec);
        bitset_add_range(tasks, 0, 2);
        cluster_job_insert(c, rest);
        array_new(c, rest, tasks, 0);
        cluster_queue_insert(c, rest);
        struct job *task = array_take(c, rest->array, 0);
        assert_ptr_not_equal(task, rest);
        has_all(&task->asked);
}

/* ---- the key of equal requests ---- */

static void the_key_has_what_decides_where_a_job_may_run(void **state) {
        /* The key has what they were found to be. */
        static const char *const parsed[] = {
                "partition",
                "req_nodes",
                "exc_nodes",
                "reservation",
        };
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct request plain = { 0 }, other = { 0 };

        c->has_sharing_rules = true;
        c->resvs.personal = 1;
        c->resvs.n = 1;
        _cleanup_(job_freep) struct job *none = job_of(c, &(struct job_spec){ 0 });
        _cleanup_(job_freep) struct job *borrower = job_of(c,
                        &(struct job_spec){ .borrows = true });
        request_with_limits(&plain, c, none);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                struct job_spec spec = { .borrows = streq(fields[i].name, "warn_time") };
                bool skip = false;
                if (spec.borrows) /* it counts there alone */
                        request_with_limits(&plain, c, borrower);
                for (size_t k = 0; k < ELEMENTSOF(parsed); k++)
                        skip |= streq(parsed[k], fields[i].name);
                fill(&fields[i], &spec);
                _cleanup_(job_freep) struct job *j = job_of(c, &spec);
                request_with_limits(&other, c, j);
                if (!skip && request_same(&plain, &other) != (fields[i].keyed == KEY_NO))
                        fail_msg("%s is %sin the key", fields[i].name,
                                        fields[i].keyed == KEY_NO ? "" : "not ");
                request_of(&plain, c, none, false);
                request_of(&other, c, j, false);
                if (fields[i].keyed == KEYED && request_same(&plain, &other))
                        fail_msg("%s is not in the key of a node", fields[i].name);
                request_with_limits(&plain, c, none);
        }
        c->resvs.n = 0;
        request_done(&plain);
        request_done(&other);
}

/* Two fields with the same value are two requests, whichever is set. */
static void no_two_fields_make_the_same_key(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        struct request first = { 0 }, second = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                for (size_t k = 0; k < i; k++) {
                        struct job_spec a = { 0 }, b = { 0 };
                        if (fields[i].keyed != KEYED || fields[k].keyed != KEYED)
                                continue;
                        fill(&fields[i], &a);
                        fill(&fields[k], &b);
                        _cleanup_(job_freep) struct job *x = job_of(c, &a), *y = job_of(c, &b);
                        request_of(&first, c, x, false);
                        request_of(&second, c, y, false);
                        if (request_same(&first, &second))
                                fail_msg("%s and %s make the same key", fields[i].name,
                                                fields[k].name);
                }
        request_done(&first);
        request_done(&second);
}

/* ---- the accounts ---- */

static char **row_of(struct cluster *c, const struct job *j) {
        struct ended *e = ended_new(c, j, "COMPLETED", false, T0);
        Slumber__Ended m = SLUMBER__ENDED__INIT;

#define X(field) m.field = e->field;
        ENDED_TEXTS(X)
        ENDED_NUMBERS(X)
        ENDED_TIMES(X)
#undef X
        char **row = ended_row_make(ENDED_JOB, 1, &m);
        ended_free(e);
        return row;
}

static char **row_free(char **row) {
        for (size_t i = 0; row && i < ended_n_columns(ENDED_JOB); i++)
                free(row[i]);
        free(row);
        return NULL;
}
DEFINE_CLEANUP(char **, row_free)

static const char *column(char *const *row, const char *name) {
        const char *const *columns = ended_columns_written(ENDED_JOB);

        for (size_t i = 0; i < ended_n_columns(ENDED_JOB); i++)
                if (streq(columns[i], name))
                        return row[i];
        return NULL;
}

static size_t differences(char *const *a, char *const *b) {
        size_t n = 0;

        for (size_t i = 0; i < ended_n_columns(ENDED_JOB); i++)
                n += !streq(a[i], b[i]);
        return n;
}

static void the_accounts_have_what_they_are_to_keep(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);

        c->keeps_ended = true;
        _cleanup_(job_freep) struct job *none = job_of(c, &(struct job_spec){ 0 });
        _cleanup_(row_freep) char **plain = row_of(c, none);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                const struct field *f = &fields[i];
                struct job_spec spec = { .num_tasks = streq(f->name, "tasks_set"),
                        .tasks_set = streq(f->name, "num_tasks") };
                fill(f, &spec);
                _cleanup_(job_freep) struct job *j = job_of(c, &spec);
                _cleanup_(row_freep) char **row = row_of(c, j);
                const char *a = column(plain, f->name), *b = column(row, f->name);
                if (f->kept <= KEPT && (!a || streq(a, b)))
                        fail_msg("%s is not in its column", f->name);
                if ((differences(plain, row) == 0) != (f->kept == KEPT_NO))
                        fail_msg("%s is %sin the accounts", f->name,
                                        f->kept == KEPT_NO ? "" : "not ");
        }
}

static void on_trouble(int r, const char *why, void *user) {
        fail_msg("%s", why);
}

static sqlite3 *file_of(const char *folder) {
        _cleanup_free_ char *path = xasprintf("%s/accounting.db", folder);
        struct fail fail = { 0 };
        struct accounting *a;
        sd_event *event;
        sqlite3 *db;

        assert_true(sd_event_new(&event) >= 0);
        if (accounting_open(folder, NULL, event, on_trouble, NULL, &a, &fail) < 0)
                fail_msg("%s", fail.text);
        accounting_close(a);
        sd_event_unref(event);
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        return db;
}

static void insert(sqlite3 *db, char *const *row) {
        const char *const *columns = ended_columns_written(ENDED_JOB);
        size_t n = ended_n_columns(ENDED_JOB);
        _cleanup_free_ char *sql = xstrdup("INSERT INTO job (");

        for (int values = 0; values < 2; values++)
                for (size_t i = 0; i < n; i++) {
                        const char *behind = i + 1 < n ? ", " : values ? ")" : ") VALUES (";
                        _cleanup_free_ char *before = sql;
                        sql = values ? xasprintf("%s'%s'%s", before, row[i], behind)
                                     : xasprintf("%s%s%s", before, columns[i], behind);
                }
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
                fail_msg("%s", sqlite3_errmsg(db));
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

/* A file that lacks each of the columns gets them; what they then hold is what the simulator
 * asks for. */
static void the_simulator_replays_what_it_is_to_replay(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(CONF, T0);
        char folder[] = "/tmp/test-job-fields-XXXXXX";
        struct job_spec spec = { 0 };
        struct fail fail = { 0 };
        struct trace *t = NULL;
        char *file = NULL;

        assert_non_null(mkdtemp(folder));
        _cleanup_free_ char *conf = xasprintf("%s/slurm.conf", folder);
        _cleanup_free_ char *db_path = xasprintf("%s/accounting.db", folder);
        FILE *out = fopen(conf, "we");
        assert_non_null(out);
        fputs(CONF, out);
        fclose(out);
        sqlite3 *db = file_of(folder);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                _cleanup_free_ char *drop = xasprintf("ALTER TABLE job DROP COLUMN %s",
                                fields[i].name);
                if (fields[i].kept == REPLAYED &&
                                sqlite3_exec(db, drop, NULL, NULL, NULL) != SQLITE_OK)
                        fail_msg("%s", sqlite3_errmsg(db));
        }
        sqlite3_close(db);
        db = file_of(folder);
        fill_all(&spec);
        c->keeps_ended = true;
        _cleanup_(job_freep) struct job *j = job_of(c, &spec);
        _cleanup_(row_freep) char **row = row_of(c, j);
        insert(db, row);
        static const char ran[] =
                        "UPDATE job SET time_start = time_end - 5, time_queued = time_end - 9";
        assert_int_equal(sqlite3_exec(db, ran, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        if (accounting_read(conf, &(struct accounts_wanted){ .file = db_path }, &t, &file, &fail) <
                        0)
                fail_msg("%s", fail.text);
        assert_int_equal(t->n, 1);
        struct job_spec asked = { 0 };
        trace_more_ask(t->jobs[0].more, &asked);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (fields[i].kept == REPLAYED && !has(&fields[i], &asked))
                        fail_msg("%s is not replayed", fields[i].name);
        trace_free(t);
        free(file);
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_list_is_whole),
                cmocka_unit_test(a_record_has_each),
                cmocka_unit_test(a_task_of_an_array_has_each),
                cmocka_unit_test(the_key_has_what_decides_where_a_job_may_run),
                cmocka_unit_test(no_two_fields_make_the_same_key),
                cmocka_unit_test(the_accounts_have_what_they_are_to_keep),
                cmocka_unit_test(the_simulator_replays_what_it_is_to_replay),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
