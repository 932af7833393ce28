/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a trace of the jobs in a controller's accounts (controller/model/ended.h).
 *
 * A row becomes a job submitted when its run entered the queue, running as long as recorded without
 * suspensions. A requeued run is a job of its own, since its resources were used; the rows of one
 * run of a het job become one job with components. Waiting: dependencies on jobs of the trace are
 * kept; all other reasons (begin time, hold, other dependencies) become a wait until the job was
 * eligible. */
#include "sim/io/io.h"

#include "controller/account_admin/acct_tables.h"
#include "controller/indexes/array.h"
#include "controller/jobs/dependency.h"
#include "controller/store/table.h"
#include "lib/config/config.h"

/* Columns that are not copied to the job unchanged. */
struct job_row {
        const char *state, *share, *dependency;
        int64_t job_id, array_job, array_task, het_job, het_offset, restarts, exit_code;
        usec_t queued, eligible, start, end, suspended, deadline;
};

enum kind {
        TEXT,   /* SQLite's, valid for the row */
        NUMBER, /* int64_t */
        TIME,   /* seconds; -1: NO_LIMIT */
        WORD,   /* owned by the trace; NULL for "" */
        COUNT,  /* uint32_t */
        NICE,
        FLAG,
        BYTES, /* uint64_t */
};

#define ROW(field)  offsetof(struct job_row, field)
#define JOB(field)  offsetof(struct trace_job, field)
#define MORE(field) offsetof(struct trace_more, field)
#define KIND_OF(field)                                                                             \
        _Generic(((struct trace_more *)0)->field, bool : FLAG, uint32_t : COUNT, usec_t : TIME)
static const struct column {
        const char *name;
        enum kind kind;
        enum { IN_ROW, IN_JOB, IN_MORE } where;
        size_t offset;
} columns[] = { { "state", TEXT, IN_ROW, ROW(state) }, { "share", TEXT, IN_ROW, ROW(share) },
        { "dependency", TEXT, IN_ROW, ROW(dependency) }, { "user", WORD, IN_MORE, MORE(user) },
        { "group_name", WORD, IN_MORE, MORE(group) }, { "job_id", NUMBER, IN_ROW, ROW(job_id) },
        { "array_job", NUMBER, IN_ROW, ROW(array_job) },
        { "array_task", NUMBER, IN_ROW, ROW(array_task) },
        { "het_job", NUMBER, IN_ROW, ROW(het_job) },
        { "het_offset", NUMBER, IN_ROW, ROW(het_offset) },
        { "restarts", NUMBER, IN_ROW, ROW(restarts) },
        { "exit_code", NUMBER, IN_ROW, ROW(exit_code) },
        { "time_queued", TIME, IN_ROW, ROW(queued) },
        { "time_eligible", TIME, IN_ROW, ROW(eligible) },
        { "time_start", TIME, IN_ROW, ROW(start) }, { "time_end", TIME, IN_ROW, ROW(end) },
        { "time_suspended", TIME, IN_ROW, ROW(suspended) },
        { "deadline", TIME, IN_ROW, ROW(deadline) },
        { "time_limit_asked", TIME, IN_JOB, JOB(limit) },
        { "partition", WORD, IN_JOB, JOB(partition) }, { "account", WORD, IN_JOB, JOB(account) },
        { "qos", WORD, IN_JOB, JOB(qos) }, { "features", WORD, IN_JOB, JOB(features) },
        { "req_nodes", WORD, IN_JOB, JOB(nodelist) }, { "exc_nodes", WORD, IN_JOB, JOB(exclude) },
        { "uid", COUNT, IN_JOB, JOB(uid) }, { "gid", COUNT, IN_JOB, JOB(gid) },
        { "num_tasks", COUNT, IN_JOB, JOB(tasks) }, { "min_nodes", COUNT, IN_JOB, JOB(nodes) },
        { "max_nodes", COUNT, IN_JOB, JOB(max_nodes) },
        { "cpus_per_task", COUNT, IN_JOB, JOB(cpus_per_task) },
        { "ntasks_per_node", COUNT, IN_JOB, JOB(tasks_per_node) },
        { "mem_per_node", BYTES, IN_JOB, JOB(mem_per_node) },
        { "mem_per_cpu", BYTES, IN_JOB, JOB(mem_per_cpu) },
        { "priority_asked", COUNT, IN_JOB, JOB(priority) }, { "nice", NICE, IN_JOB, JOB(nice) },
        { "mem_per_gpu", BYTES, IN_MORE, MORE(mem_per_gpu) },
        { "cpus_per_gpu", COUNT, IN_MORE, MORE(cpus_per_gpu) },
        { "min_cpus_node", COUNT, IN_MORE, MORE(min_cpus_node) },
#define X(type, field) { #field, WORD, IN_MORE, MORE(field) },
        JOB_TEXTS_REPLAYED(X)
#undef X
#define X(type, field) { #field, KIND_OF(field), IN_MORE, MORE(field) },
                        JOB_TIMES_REPLAYED(X) JOB_NUMBERS_REPLAYED(X)
#undef X
#define X(type, field, last) { #field, COUNT, IN_MORE, MORE(field) },
                                        JOB_ENUMS_REPLAYED(X)
#undef X
};

struct known {                     /* a job of the trace, to find the jobs that others waited for */
        uint32_t job, array, task; /* array 0: not an array task */
        uint32_t het, offset, restarts; /* het 0: not a component */
        usec_t end;
        const char *dependency; /* NULL: none */
        usec_t eligible;
        struct trace_more *more;
};

struct id_at { /* ID of a job or array, and index of a job in the trace */
        uint32_t id, at;
};

struct accounts {
        sqlite3 *db;
        const char *path;
        struct trace *t;
        struct known *known; /* known jobs, with the indexes of t->jobs */
        size_t a_known;
        bool het; /* components exist */
        struct fail *fail;
};

/* ---- values ---- */

static usec_t time_of(sqlite3_stmt *s, int at) {
        double v = sqlite3_column_double(s, at);

        if (v < 0)
                return NO_LIMIT;
        return v > (double)TRACE_TIME_MAX / (double)USEC_PER_SEC
                               ? TRACE_TIME_MAX
                               : (usec_t)(v * (double)USEC_PER_SEC + 0.5);
}

static const char *word_of(struct trace *t, sqlite3_stmt *s, int at) {
        const char *word = (const char *)sqlite3_column_text(s, at);

        return isempty(word) ? NULL : trace_word(t, word, strlen(word));
}

static void accounts_read_value(struct trace *t, sqlite3_stmt *s, int at, enum kind kind,
                void *to) {
        int64_t number = sqlite3_column_int64(s, at);

        switch (kind) {
        case TEXT:
                *(const char **)to = strempty((const char *)sqlite3_column_text(s, at));
                break;
        case WORD:
                *(const char **)to = word_of(t, s, at);
                break;
        case TIME:
                *(usec_t *)to = time_of(s, at);
                break;
        case NUMBER:
                *(int64_t *)to = number;
                break;
        case BYTES:
                *(uint64_t *)to = (uint64_t)MAX(number, (int64_t)0);
                break;
        case COUNT:
                *(uint32_t *)to = (uint32_t)MIN(MAX(number, (int64_t)0), (int64_t)UINT32_MAX);
                break;
        case NICE:
                *(int32_t *)to = (int32_t)MIN(MAX(number, (int64_t)INT32_MIN), (int64_t)INT32_MAX);
                break;
        case FLAG:
        default:
                *(bool *)to = number != 0;
                break;
        }
}

static unsigned accounts_share(const char *word) {
        static const char *const words[SHARE_MAX] = { "OK", "NO", "YES", "USER", "MCS" };

        for (unsigned i = 0; i < SHARE_MAX; i++)
                if (streq(words[i], word))
                        return i;
        return SHARE_OK;
}

/* Returns the name as sacct shows: 12, 12_3, 12+1. */
static const char *accounts_job_name(struct trace *t, const struct job_row *row) {
        bool task = row->array_job && row->array_task >= 0;
        char text[64];
        int n = task || row->het_job
                                ? snprintf(text, sizeof text, "%lld%c%lld",
                                                  (long long)(task ? row->array_job : row->het_job),
                                                  task ? '_' : '+',
                                                  (long long)(task ? row->array_task
                                                                   : row->het_offset))
                                : snprintf(text, sizeof text, "%lld", (long long)row->job_id);

        return trace_word(t, text, (size_t)n);
}

static bool row_has_failed(const struct job_row *row) {
        static const char *const words[] = { "FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY" };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i], row->state))
                        return true;
        return row->exit_code != 0;
}

/* ---- rows ---- */

static void accounts_add_job(struct accounts *a, const struct job_row *row, struct trace_job *j,
                const struct trace_more *said) {
        struct trace *t = a->t;
        struct trace_more *more = trace_more_new(t);

        *more = *said;
        more->share = accounts_share(row->share);
        more->deadline = row->deadline > row->queued ? row->deadline - t->zero : 0;
        usec_t took = row->end > row->start ? row->end - row->start : 0;
        j->name = accounts_job_name(t, row);
        j->submit = row->queued - t->zero;
        j->run = took - MIN(took, row->suspended);
        if (streq(row->state, "TIMEOUT") && j->limit != NO_LIMIT)
                j->run = MAX(j->run, j->limit); /* the rest of the run is unknown */
        j->fails = row_has_failed(row);
        j->line = (uint32_t)t->n + 1;
        j->after = UINT32_MAX;
        j->think = NO_LIMIT;
        j->waited = row->start > row->queued ? row->start - row->queued : 0;
        j->more = more;
        GROW(t->jobs, t->allocated, t->n);
        GROW(a->known, a->a_known, t->n);
        a->known[t->n] = (struct known){ .job = (uint32_t)row->job_id,
                .array = (uint32_t)row->array_job,
                .task = (uint32_t)row->array_task,
                .het = (uint32_t)row->het_job,
                .offset = (uint32_t)row->het_offset,
                .restarts = (uint32_t)row->restarts,
                .end = row->end,
                .dependency = *row->dependency ? trace_word(t, row->dependency,
                                                                 strlen(row->dependency))
                                               : NULL,
                .eligible = row->eligible,
                .more = more };
        t->jobs[t->n++] = *j;
        a->het |= row->het_job;
}

static int bad_component(const struct accounts *a, const struct job_row *row) {
        return fail_set(a->fail, -EINVAL,
                        "--accounting: %s: the row of job %lld says that it is component %lld of job %lld; a component is one of 0 to %u, "
                        "and its number that of its job and so many more",
                        a->path, (long long)row->job_id, (long long)row->het_offset,
                        (long long)row->het_job, HET_MAX - 1);
}

static int accounts_read_row(struct accounts *a, sqlite3_stmt *s) {
        struct job_row row = { 0 };
        struct trace_job j = { 0 };
        struct trace_more more = { 0 };
        char *const where[] = {
                [IN_ROW] = (char *)&row,
                [IN_JOB] = (char *)&j,
                [IN_MORE] = (char *)&more,
        };

        for (size_t i = 0; i < ELEMENTSOF(columns); i++)
                accounts_read_value(a->t, s, (int)i, columns[i].kind,
                                where[columns[i].where] + columns[i].offset);
        if (row.het_job && (row.het_job < 0 || row.het_offset < 0 || row.het_offset >= HET_MAX ||
                                           row.het_job > UINT32_MAX - HET_MAX ||
                                           row.job_id != row.het_job + row.het_offset))
                return bad_component(a, &row);
        /* Left out: never started, or suspended all the time. */
        if (row.start == 0 || (row.suspended && row.end <= row.start + row.suspended)) {
                a->t->left_out[LEFT_NEVER_RAN]++;
                return 0;
        }
        if (a->t->n >= TRACE_JOBS_MAX)
                return fail_set(a->fail, -EFBIG, "%s: more than %d jobs", a->path, TRACE_JOBS_MAX);
        if (!a->t->zero) /* the first job's second is time 0 */
                a->t->zero = row.queued / USEC_PER_SEC * USEC_PER_SEC;
        accounts_add_job(a, &row, &j, &more);
        return 0;
}

/* Returns the column's name, or NULL for a column that an older slumberctld did not have. */
static const char *column_of(const struct accounts *a, const char *name) {
        return sqlite3_table_column_metadata(a->db, NULL, "job", name, NULL, NULL, NULL, NULL,
                               NULL) == SQLITE_OK
                               ? name
                               : "NULL";
}

static char *make_sql(const struct accounts *a) {
        char *sql = xstrdup("SELECT ");

        for (size_t i = 0; i < ELEMENTSOF(columns); i++) {
                char *longer = xasprintf("%s%s%s", sql, i ? ", " : "",
                                column_of(a, columns[i].name));
                free(sql);
                sql = longer;
        }
        char *all = xasprintf(
                        "%s FROM job WHERE cluster = ?1 AND time_queued >= ?2 AND (?3 = 0 OR time_queued < ?3) ORDER BY time_queued, id",
                        sql);
        free(sql);
        return all;
}

static int read_rows(struct accounts *a, const char *cluster, const struct accounts_wanted *w) {
        _cleanup_free_ char *sql = make_sql(a);
        sqlite3_stmt *s = NULL;
        int r = 0, code = sqlite3_prepare_v2(a->db, sql, -1, &s, NULL);

        if (code == SQLITE_OK) {
                sqlite3_bind_text(s, 1, cluster, -1, SQLITE_STATIC);
                sqlite3_bind_double(s, 2, (double)w->from / (double)USEC_PER_SEC);
                sqlite3_bind_double(s, 3, (double)w->until / (double)USEC_PER_SEC);
                while (r >= 0 && (code = sqlite3_step(s)) == SQLITE_ROW)
                        r = accounts_read_row(a, s);
        }
        if (r >= 0 && code != SQLITE_DONE)
                r = fail_set(a->fail, -EIO, "--accounting: %s cannot be read: %s", a->path,
                                sqlite3_errmsg(a->db));
        sqlite3_finalize(s);
        return r;
}

/* ---- components of one run, made adjacent ---- */

struct place { /* order of a job in the trace: by the members in this order */
        usec_t submit;
        uint32_t first, offset, at; /* first: original index of the run's first component */
};

static int accounts_by_place(const void *a, const void *b) {
        const struct place *x = a, *y = b;

        if (x->submit != y->submit)
                return x->submit < y->submit ? -1 : 1;
        if (x->first != y->first)
                return x->first < y->first ? -1 : 1;
        if (x->offset != y->offset)
                return x->offset < y->offset ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

static int accounts_by_run(const void *a, const void *b, void *known) {
        const struct known *x = (const struct known *)known + *(const uint32_t *)a,
                           *y = (const struct known *)known + *(const uint32_t *)b;

        if (x->het != y->het)
                return x->het < y->het ? -1 : 1;
        if (x->restarts != y->restarts)
                return x->restarts < y->restarts ? -1 : 1;
        if (x->offset != y->offset)
                return x->offset < y->offset ? -1 : 1;
        return x < y ? -1 : x > y;
}

static bool same_run(const struct known *x, const struct known *y) {
        return x->het == y->het && x->restarts == y->restarts;
}

/* Makes the n rows of one run one job, submitted when all components are in the queue. Further rows
   of a component are later sizes: separate jobs, as elsewhere. */
static void join_run(struct accounts *a, const uint32_t *of, size_t n, struct place *places) {
        struct trace_job *jobs = a->t->jobs, *first = &jobs[of[0]];
        usec_t submit = 0;
        uint32_t joined = 0;

        for (size_t i = 0; i < n; i++)
                if (i == 0 || a->known[of[i]].offset != a->known[of[i - 1]].offset) {
                        submit = MAX(submit, jobs[of[i]].submit);
                        places[of[i]].first = of[0];
                        places[of[i]].offset = joined++;
                }
        for (size_t i = 0; i < n; i++)
                if (places[of[i]].first == of[0])
                        places[of[i]].submit = jobs[of[i]].submit = submit;
        first->het = joined > 1 ? joined : 0;
}

static void join_runs(struct accounts *a, struct place *places) {
        _cleanup_free_ uint32_t *of = xnew(uint32_t, a->t->n);
        size_t n = 0, end;

        for (uint32_t i = 0; i < a->t->n; i++)
                if (a->known[i].het)
                        of[n++] = i;
        qsort_r(of, n, sizeof of[0], accounts_by_run, a->known);
        for (size_t i = 0; i < n; i = end) {
                for (end = i + 1; end < n && same_run(&a->known[of[i]], &a->known[of[end]]);)
                        end++;
                join_run(a, of + i, end - i, places);
        }
}

static void put_components_together(struct accounts *a) {
        struct trace *t = a->t;

        if (!a->het)
                return;
        _cleanup_free_ struct place *places = xnew(struct place, t->n);
        for (uint32_t i = 0; i < t->n; i++)
                places[i] = (struct place){ t->jobs[i].submit, i, 0, i };
        join_runs(a, places);
        list_sort(places, t->n, sizeof places[0], accounts_by_place);
        struct trace_job *jobs = xnew(struct trace_job, t->n);
        struct known *known = xnew(struct known, t->n);
        for (size_t i = 0; i < t->n; i++) {
                jobs[i] = t->jobs[places[i].at];
                jobs[i].line = (uint32_t)i + 1;
                known[i] = a->known[places[i].at];
        }
        free(t->jobs);
        free(a->known);
        t->jobs = jobs;
        a->known = known;
        t->allocated = a->a_known = t->n;
}

/* ---- waiting ---- */

static int accounts_by_id(const void *a, const void *b) {
        const struct id_at *x = a, *y = b;

        if (x->id != y->id)
                return x->id < y->id ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

static struct id_at *index_ids(const struct accounts *a, size_t *ret_n) {
        struct id_at *ids = xnew(struct id_at, 2 * a->t->n + 1);
        size_t n = 0;

        for (uint32_t i = 0; i < a->t->n; i++) {
                const struct known *k = &a->known[i];
                ids[n++] = (struct id_at){ k->job, i };
                if (k->array && k->array != k->job)
                        ids[n++] = (struct id_at){ k->array, i };
                if (k->het && k->het != k->job)
                        ids[n++] = (struct id_at){ k->het, i };
        }
        list_sort(ids, n, sizeof ids[0], accounts_by_id);
        *ret_n = n;
        return ids;
}

static bool dependency_names_job(const struct dependency *d, const struct known *k) {
        if (k->het == d->job && !d->array)
                return d->task == DEPENDENCY_WHOLE || d->task == k->offset;
        if (k->array != d->job)
                return k->job == d->job && !d->array;
        return d->task == DEPENDENCY_WHOLE || d->task == k->task;
}

/* Returns the job that ended last among those job i waited for; UINT32_MAX: i also waited for other
   events, or for no job of the trace. */
static uint32_t waited_for(const struct accounts *a, uint32_t i, const struct dependencies *deps,
                const struct id_at *ids, size_t n) {
        uint32_t last = UINT32_MAX;

        for (size_t d = 0; d < deps->n; d++) {
                enum dependency_kind kind = deps->of[d].kind;
                if (kind == DEPENDENCY_AFTER || kind == DEPENDENCY_SINGLETON ||
                                (deps->any && deps->n > 1))
                        return UINT32_MAX;
                for (size_t k = FIRST_NOT(n, m, ids[m].id < deps->of[d].job);
                                k < n && ids[k].id == deps->of[d].job; k++) {
                        uint32_t at = ids[k].at;
                        if (at < i && dependency_names_job(&deps->of[d], &a->known[at]) &&
                                        (last == UINT32_MAX ||
                                                        a->known[at].end > a->known[last].end))
                                last = at;
                }
        }
        return last;
}

static void find_waits(struct accounts *a) {
        size_t n = 0;
        _cleanup_free_ struct id_at *ids = index_ids(a, &n);

        for (uint32_t i = 0; i < a->t->n; i++) {
                const struct known *k = &a->known[i];
                _cleanup_(dependencies_freep) struct dependencies *deps = NULL;
                struct trace_job *j = &a->t->jobs[i];
                if (k->dependency && dependencies_parse(k->dependency, true, &deps, NULL) >= 0 &&
                                deps)
                        j->after = waited_for(a, i, deps, ids, n);
                usec_t eligible = MAX(k->eligible, a->t->zero) - a->t->zero;
                if (j->after == UINT32_MAX && eligible > j->submit)
                        k->more->begin = eligible;
        }
}

/* ---- reading ---- */

static int accounts_query_number(sqlite3 *db, const char *sql, int64_t *ret) {
        sqlite3_stmt *s = NULL;
        bool found = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK &&
                     sqlite3_step(s) == SQLITE_ROW;

        if (found)
                *ret = sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        return found ? 0 : -EIO;
}

static int accounts_open(struct accounts *a) {
        int64_t tables = 0;

        if (sqlite3_open_v2(a->path, &a->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
                return fail_set(a->fail, -ENOENT,
                                "--accounting: %s cannot be opened: is this the controller's host, and may you read it?",
                                a->path);
        sqlite3_busy_timeout(a->db, 5000);
        if (accounts_query_number(a->db,
                            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'job'",
                            &tables) < 0)
                return fail_set(a->fail, -EIO, "--accounting: %s cannot be read: %s", a->path,
                                sqlite3_errmsg(a->db));
        if (!tables)
                return fail_set(a->fail, -ENOTSUP,
                                "--accounting: %s has no jobs: it is not an accounting file, or of an older slumberctld, which keeps them "
                                "once this version runs",
                                a->path);
        return 0;
}

static int read_table(void *source, const char *table, const char *const *names, size_t n,
                int (*row)(const char *const *values, void *user), void *user, struct fail *fail) {
        const struct accounts *a = source;
        int r = table_read(a->db, table, names, n, row, user);

        return r == -EIO ? fail_set(fail, r, "--accounting: %s cannot be read: %s", a->path,
                                           sqlite3_errmsg(a->db))
                         : r;
}

int accounting_know(const char *file, struct cluster *c, struct fail *fail) {
        struct accounts a = { .path = file, .fail = fail };
        int r = accounts_open(&a);

        if (r >= 0)
                r = acct_read(c, read_table, &a, fail);
        sqlite3_close(a.db);
        return r;
}

int accounting_read(const char *conf, const struct accounts_wanted *wanted, struct trace **ret,
                char **ret_file, struct fail *fail) {
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_(trace_freep) struct trace *t = trace_new();
        struct accounts a = { .t = t, .fail = fail };
        int r = config_read_for(conf, NULL, 0, &config, fail);

        if (r < 0)
                return r;
        if (config->accounting_off && !wanted->file)
                return fail_set(fail, -ENOENT,
                                "--accounting: AccountingStorageType is accounting_storage/none in %s: nothing is kept",
                                conf);
        _cleanup_free_ char *path = wanted->file ? xstrdup(wanted->file)
                                                 : xasprintf("%s/accounting.db",
                                                                   config->state_save_location);
        a.path = path;
        t->zero = wanted->from;
        t->optional_qos = true;
        r = accounts_open(&a);
        if (r >= 0)
                r = read_rows(&a, config->cluster_name, wanted);
        sqlite3_close(a.db);
        if (r >= 0 && t->n == 0)
                r = fail_set(fail, -ENODATA,
                                "--accounting: %s has no job of cluster %s that has run%s", path,
                                config->cluster_name,
                                wanted->from || wanted->until ? " and was submitted in that time"
                                                              : "");
        if (r >= 0) {
                put_components_together(&a);
                find_waits(&a);
        }
        free(a.known);
        if (r >= 0)
                r = trace_sort(t, path, fail);
        if (r < 0)
                return r;
        *ret = TAKE(t);
        *ret_file = TAKE(path);
        return 0;
}
