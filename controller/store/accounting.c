/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accounting file, and the queue between the event loop and the accounting thread.
 *
 *   loop:    work -> queue[]
 *   thread:  takes the whole queue; writes in one transaction, then answers the queries
 *   loop:    on the eventfd: done() of each query, trouble()
 *
 * A failed transaction is rolled back, the work kept, and tried again after a pause together with
 * new work; queries are answered meanwhile. WAL with synchronous=NORMAL: a power failure may cost
 * the last rows but never the file; the code writing the rows repairs losses (accounting.h).
 *
 * The schema is in accounting_schema.c: PRAGMA user_version counts the steps applied to a file; a
 * file of a newer version is refused. */
#include "controller/store/accounting.h"

#include "controller/store/accounting_schema.h"
#include "controller/store/database.h"
#include "controller/store/generation.h"
#include "controller/store/table.h"
#include "lib/thread.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#define APPLICATION_ID 0x534c4143 /* "SLAC" */
#define RETRY_PAUSE    (1 * USEC_PER_SEC)
/* rows per transaction: half a second without other writes */
#define PURGE_MAX   50000
#define WAITING_MAX 1000000 /* rows kept while the disk is full: some 100 MB */

/* A write or a query for the thread. */
struct work {
        struct work *next;
        int (*run)(struct accounting *a, struct work *w, struct fail *fail); /* in the thread */
        void (*done)(struct work *w); /* called in the loop; a write: after the sync */
        bool write;
        void (*release)(struct work *w);
        int r;
        struct fail fail;
};

struct list {
        struct work *first, **last;
        size_t n;
};

struct accounting {
        char *path;
        bool made; /* this process created the file */
        sqlite3 *sqlite;
        struct generation *generation; /* NULL: not open */
        void (*trouble)(int r, const char *why, void *user);
        void *user;
        sd_event_source *source;
        int eventfd;
        pthread_t thread;
        bool running;
        int told; /* the thread's: last error reported */

        pthread_mutex_t mutex;
        pthread_cond_t wake;
        struct { /* used by both, under the mutex */
                struct list queue, answers;
                bool closing, news;
                struct fail why;
                int r;
        } shared;
};

/* ---- lists ---- */

static void work_list_add(struct list *l, struct work *w) {
        if (!l->first)
                l->last = &l->first;
        w->next = NULL;
        *l->last = w;
        l->last = &w->next;
        l->n++;
}

static struct work *work_list_take(struct list *l) {
        struct work *w = l->first;

        if (w) {
                l->first = w->next;
                l->n--;
        }
        return w;
}

static void work_list_done(struct list *l) {
        struct work *w;

        while ((w = work_list_take(l)))
                w->release(w);
}

static void answers_give(struct list *answers) {
        struct work *w;

        while ((w = work_list_take(answers))) {
                if (w->done)
                        w->done(w);
                w->release(w);
        }
}

/* ---- SQLite ---- */

static int accounts_sql_fail(const struct accounting *a, struct fail *fail) {
        int code = sqlite3_extended_errcode(a->sqlite) & 0xff;

        if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
                return fail_set(fail, -EBADMSG,
                                "the accounting file %s is damaged or not a database; restore a copy, or move it away and "
                                "begin anew with slumberctld --accept-state",
                                a->path);
        if (code == SQLITE_FULL)
                return fail_set(fail, -ENOSPC,
                                "the disk is full: cannot write the accounting file %s", a->path);
        return fail_set(fail, code == SQLITE_BUSY ? -EBUSY : -EIO,
                        "cannot use the accounting file %s: %s", a->path,
                        sqlite3_errmsg(a->sqlite));
}

static int run_sql(struct accounting *a, const char *sql, struct fail *fail) {
        return sqlite3_exec(a->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK
                               ? 0
                               : accounts_sql_fail(a, fail);
}

static int accounts_number_read(struct accounting *a, const char *sql, int64_t *ret,
                struct fail *fail) {
        sqlite3_stmt *s = NULL;
        int r = 0;

        if (sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL) != SQLITE_OK ||
                        sqlite3_step(s) != SQLITE_ROW)
                r = accounts_sql_fail(a, fail);
        else
                *ret = sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        return r;
}

/* Binds texts (ended by NULL) to ?1, ?2..., then numbers. */
static int sql_execute(struct accounting *a, const char *sql, const char *const *texts,
                const int64_t *numbers, size_t n_numbers, struct fail *fail) {
        sqlite3_stmt *s = NULL;
        int at = 1, r = 0;

        if (sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        for (; *texts; texts++)
                sqlite3_bind_text(s, at++, *texts, -1, SQLITE_STATIC);
        for (size_t i = 0; i < n_numbers; i++)
                sqlite3_bind_int64(s, at++, numbers[i]);
        if (sqlite3_step(s) != SQLITE_DONE)
                r = accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return r;
}

/* ---- opening ---- */

static int accounts_file_make(struct accounting *a, struct fail *fail) {
        _cleanup_close_ int fd = open(a->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0600);

        a->made = fd >= 0;
        if (fd < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make the accounting file %s: %s", a->path,
                                strerror(errno));
        return 0;
}

static int run_whole(struct accounting *a, const char *sql, const char *last, struct fail *fail) {
        int r = run_sql(a, "BEGIN IMMEDIATE", fail);

        if (r >= 0)
                r = run_sql(a, sql, fail);
        if (r >= 0)
                r = run_sql(a, last, fail);
        return r < 0 ? r : run_sql(a, "COMMIT", fail);
}

static int add_columns(struct accounting *a, struct fail *fail) {
        _cleanup_free_ char *sql = accounting_missing_columns(a->sqlite);

        return *sql ? run_whole(a, sql, "", fail) : 0;
}

static int accounts_schema_upgrade(struct accounting *a, struct fail *fail) {
        int64_t version = 0, application = 0, newest = (int64_t)n_accounting_steps;
        char sql[128];
        int r = accounts_number_read(a, "PRAGMA user_version", &version, fail);

        if (r >= 0)
                r = accounts_number_read(a, "PRAGMA application_id", &application, fail);
        if (r < 0)
                return r;
        if (application != (version ? APPLICATION_ID : 0))
                return fail_set(fail, -EBADMSG,
                                "%s is some other program's database, not an accounting file",
                                a->path);
        if (version > newest)
                return fail_set(fail, -ENOTSUP,
                                "the accounting file %s was written by a newer version (format %lld, this is %lld)",
                                a->path, (long long)version, (long long)newest);
        for (; version < newest; version++) {
                snprintf(sql, sizeof sql, "PRAGMA user_version = %lld; PRAGMA application_id = %d",
                                (long long)version + 1, APPLICATION_ID);
                r = run_whole(a, accounting_steps[version], sql, fail);
                if (r < 0)
                        return r;
        }
        return add_columns(a, fail);
}

static int accounts_sqlite_open(struct accounting *a, const char *folder, struct fail *fail) {
        int r = accounts_file_make(a, fail);

        if (r < 0)
                return r;
        if (sqlite3_open_v2(a->path, &a->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                            NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        sqlite3_busy_timeout(a->sqlite, 1000); /* another tool may hold the lock */
        r = run_sql(a, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", fail);
        if (r >= 0)
                r = accounts_schema_upgrade(a, fail);
        return r < 0 ? r
                     : generation_open(a->sqlite, folder, GENERATION_ACCOUNTS, &a->generation,
                                       fail);
}

/* ---- the thread ---- */

static void accounts_loop_wake(struct accounting *a) {
        static const uint64_t one = 1;

        (void)!write(a->eventfd, &one, sizeof one);
}

static void accounts_trouble_report(struct accounting *a, int r, const struct fail *fail) {
        if (r == a->told)
                return;
        a->told = r;
        pthread_mutex_lock(&a->mutex);
        a->shared.news = true;
        a->shared.r = r;
        a->shared.why = *fail;
        pthread_mutex_unlock(&a->mutex);
        accounts_loop_wake(a);
}

/* A write with done() must survive a power failure. */
static bool is_waited_for(const struct list *writes) {
        for (const struct work *w = writes->first; w; w = w->next)
                if (w->done)
                        return true;
        return false;
}

static int write_all(struct accounting *a, const struct list *writes, struct fail *fail) {
        bool sync = is_waited_for(writes);
        int r = sync ? run_sql(a, "PRAGMA synchronous=FULL", fail) : 0;

        if (r >= 0 && writes->first)
                r = run_sql(a, "BEGIN IMMEDIATE", fail);
        for (struct work *w = writes->first; w && r >= 0; w = w->next)
                r = w->run(a, w, fail);
        if (r >= 0 && sync) /* other writes may be lost */
                r = generation_count(a->generation, fail);
        if (r >= 0 && writes->first)
                r = run_sql(a, "COMMIT", fail);
        if (r >= 0 && sync)
                /* a failure is harmless: the next write corrects the file, and a file behind the
                   database refuses no start */
                (void)generation_note(a->generation, 0, NULL);
        if (r < 0 && !sqlite3_get_autocommit(a->sqlite))
                sqlite3_exec(a->sqlite, "ROLLBACK", NULL, NULL, NULL);
        if (sync)
                (void)run_sql(a, "PRAGMA synchronous=NORMAL", NULL);
        return r;
}

/* written: writes on disk, or given up with r. */
static void answer_all(struct accounting *a, struct list *questions, struct list *written, int r,
                const struct fail *fail) {
        struct list answers = { 0 };
        struct work *w;

        while ((w = work_list_take(written))) {
                w->r = r;
                w->fail = *fail;
                if (w->done)
                        work_list_add(&answers, w);
                else
                        w->release(w);
        }
        while ((w = work_list_take(questions))) {
                w->r = w->run(a, w, &w->fail);
                work_list_add(&answers, w);
        }
        if (!answers.first)
                return;
        pthread_mutex_lock(&a->mutex);
        while ((w = work_list_take(&answers)))
                work_list_add(&a->shared.answers, w);
        pthread_mutex_unlock(&a->mutex);
        accounts_loop_wake(a);
}

/* Waits for work or, after a failure, for the next try; returns false at closing. */
static bool work_queue_take(struct accounting *a, struct list *writes, struct list *questions,
                bool failed) {
        usec_t until = now_monotonic() + RETRY_PAUSE;
        const struct timespec t = {
                .tv_sec = (time_t)(until / USEC_PER_SEC),
                .tv_nsec = (long)(until % USEC_PER_SEC * 1000),
        };
        struct work *w;
        int r = 0;

        pthread_mutex_lock(&a->mutex);
        while (!a->shared.queue.first && !a->shared.closing && r == 0)
                r = failed ? pthread_cond_timedwait(&a->wake, &a->mutex, &t)
                           : pthread_cond_wait(&a->wake, &a->mutex);
        bool more = a->shared.queue.first || !a->shared.closing;
        while ((w = work_list_take(&a->shared.queue)))
                work_list_add(w->write ? writes : questions, w);
        pthread_mutex_unlock(&a->mutex);
        return more;
}

static void *accounts_thread_run(void *user) {
        struct accounting *a = user;
        struct list writes = { 0 }, questions = { 0 }, none = { 0 };
        bool failed = false;

        while (work_queue_take(a, &writes, &questions, failed)) {
                struct fail fail = { 0 };
                int r = write_all(a, &writes, &fail);
                failed = r < 0;
                bool done = !failed || writes.n > WAITING_MAX;
                if (failed && done)
                        r = fail_prefix(&fail, -ENOBUFS, "%zu rows are given up", writes.n);
                accounts_trouble_report(a, MIN(r, 0), &fail);
                answer_all(a, &questions, done ? &writes : &none, MIN(r, 0), &fail);
        }
        struct fail fail = { 0 };
        int r = writes.first ? write_all(a, &writes, &fail) : 0; /* a last try */
        answer_all(a, &questions, &writes, MIN(r, 0), &fail);
        return NULL;
}

/* ---- the loop's side ---- */

static int accounts_on_eventfd(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct accounting *a = user;
        uint64_t count;

        (void)!read(fd, &count, sizeof count);
        pthread_mutex_lock(&a->mutex);
        struct list answers = a->shared.answers;
        struct fail why = a->shared.why;
        bool news = a->shared.news;
        int r = a->shared.r;
        a->shared.answers = (struct list){ 0 };
        a->shared.news = false;
        pthread_mutex_unlock(&a->mutex);
        if (news)
                a->trouble(r, why.text, a->user);
        answers_give(&answers);
        return 0;
}

int accounting_start(struct accounting *a, struct fail *fail) {
        int r = a->running ? 0 : thread_start(&a->thread, "accounting", accounts_thread_run, a);

        if (r < 0)
                return fail_set(fail, r, "cannot start the thread of the accounting file: %s",
                                strerror(-r));
        a->running = true;
        return 0;
}

static void work_enqueue(struct accounting *a, struct work *w) {
        pthread_mutex_lock(&a->mutex);
        work_list_add(&a->shared.queue, w);
        pthread_cond_signal(&a->wake);
        pthread_mutex_unlock(&a->mutex);
        struct fail fail = { 0 };
        if (accounting_start(a, &fail) < 0) {
                fprintf(stderr, "%s\n", fail.text);
                abort();
        }
}

int accounting_open(const char *folder, sd_event *event,
                void (*trouble)(int r, const char *why, void *user), void *user,
                struct accounting **ret, struct fail *fail) {
        struct accounting *a = xnew0(struct accounting, 1);

        assert(folder && event && trouble && ret);
        a->path = xasprintf("%s/accounting.db", folder);
        a->trouble = trouble;
        a->user = user;
        thread_locks_init(&a->mutex, &a->wake);
        a->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        int r = a->eventfd < 0 ? fail_set(fail, -errno, "cannot make an eventfd: %s",
                                                 strerror(errno))
                               : accounts_sqlite_open(a, folder, fail);
        if (r >= 0) {
                r = sd_event_add_io(event, &a->source, a->eventfd, EPOLLIN, accounts_on_eventfd, a);
                if (r < 0)
                        fail_set(fail, r, "cannot watch the accounting file: %s", strerror(-r));
        }
        if (r < 0) {
                accounting_abandon(a);
                return r;
        }
        *ret = a;
        return 0;
}

int accounting_check(const struct accounting *a, struct fail *fail) {
        assert(!a->running);
        return generation_check(a->generation, fail);
}

bool accounting_is_new(const struct accounting *a) {
        assert(!a->running);
        return !generation_began(a->generation);
}

int accounting_last_job(struct accounting *a, uint64_t *ret, struct fail *fail) {
        int64_t id = 0;
        int r = accounts_number_read(a,
                        "SELECT max(coalesce((SELECT max(job_id) FROM job), 0), coalesce((SELECT max(array_job) FROM job), 0),"
                        " coalesce((SELECT max(job_id) FROM script), 0))",
                        &id, fail);

        *ret = (uint64_t)id;
        return r;
}

struct accounting *accounting_close(struct accounting *a) {
        if (!a)
                return NULL;
        pthread_mutex_lock(&a->mutex);
        a->shared.closing = true;
        pthread_cond_signal(&a->wake);
        pthread_mutex_unlock(&a->mutex);
        if (a->running)
                pthread_join(a->thread, NULL);
        sd_event_source_disable_unref(a->source);
        answers_give(&a->shared.answers);
        work_list_done(&a->shared.queue); /* empty if the thread ran */
        a->generation = generation_close(a->generation);
        sqlite3_close(a->sqlite);
        pthread_cond_destroy(&a->wake);
        pthread_mutex_destroy(&a->mutex);
        if (a->eventfd >= 0)
                close(a->eventfd);
        free(a->path);
        free(a);
        return NULL;
}

struct accounting *accounting_abandon(struct accounting *a) {
        static const char *const logs[] = { "-wal", "-shm", "-journal" };

        if (!a)
                return NULL;
        if (a->running) /* the thread may have written */
                return accounting_close(a);
        a->generation = generation_close(a->generation);
        sqlite3_close(TAKE(a->sqlite));
        for (size_t i = 0; a->made && i < ELEMENTSOF(logs); i++) {
                _cleanup_free_ char *log = xasprintf("%s%s", a->path, logs[i]);
                (void)unlink(log);
        }
        if (a->made)
                (void)unlink(a->path);
        return accounting_close(a);
}

/* ---- instances: writing ---- */

enum instance_change { INSTANCE_BEGIN, INSTANCE_CHANGE, INSTANCE_END };

struct instance_write {
        struct work work;
        enum instance_change change;
        char *cluster, *node, *id, *type, *extra;
        int64_t time; /* s */
};

static void instance_write_release(struct work *work) {
        struct instance_write *w = (struct instance_write *)work;

        free(w->cluster);
        free(w->node);
        free(w->id);
        free(w->type);
        free(w->extra);
        free(w);
}

static int instance_write_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct instance_write *w = (struct instance_write *)work;
        const char *const names[] = { w->cluster, w->node, NULL };
        const char *const all[] = { w->cluster, w->node, w->id, w->type, w->extra, NULL };
        int r = 0;

        if (w->change == INSTANCE_CHANGE)
                return sql_execute(a,
                                "UPDATE instance SET instance_id = ?3, instance_type = ?4, extra = ?5"
                                " WHERE cluster = ?1 AND node = ?2 AND time_end = 0",
                                all, NULL, 0, fail);
        /* An instance never ends before its start, even if the clock was set back. */
        r = sql_execute(a,
                        "UPDATE instance SET time_end = max(?3, time_start) WHERE cluster = ?1 AND node = ?2 AND time_end = 0",
                        names, &w->time, 1, fail);
        if (r < 0 || w->change == INSTANCE_END)
                return r;
        return sql_execute(a,
                        "INSERT INTO instance (cluster, node, instance_id, instance_type, extra, time_start, time_end)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)",
                        all, &w->time, 1, fail);
}

static void write_instance(struct accounting *a, enum instance_change change,
                const struct instance *i, usec_t t) {
        struct instance_write *w = xnew0(struct instance_write, 1);

        w->work.run = instance_write_run;
        w->work.write = true;
        w->work.release = instance_write_release;
        w->change = change;
        w->cluster = xstrdup(i->cluster);
        w->node = xstrdup(i->node);
        w->id = xstrdup(strempty(i->id));
        w->type = xstrdup(strempty(i->type));
        w->extra = xstrdup(strempty(i->extra));
        w->time = (int64_t)(t / USEC_PER_SEC);
        work_enqueue(a, &w->work);
}

void accounting_instance_begin(struct accounting *a, const struct instance *i) {
        write_instance(a, INSTANCE_BEGIN, i, i->start);
}

void accounting_instance_change(struct accounting *a, const struct instance *i) {
        write_instance(a, INSTANCE_CHANGE, i, 0);
}

void accounting_instance_end(struct accounting *a, const char *cluster, const char *node,
                usec_t end) {
        const struct instance i = { .cluster = cluster, .node = node };

        write_instance(a, INSTANCE_END, &i, end);
}

/* ---- instances: reading ---- */

static const char instance_columns[] =
                "SELECT id, time_start, time_end, cluster, node, instance_id, instance_type, extra FROM instance ";

/* Reads the current row of s; the texts are borrowed until the next sqlite3_step(). */
static void instance_of(sqlite3_stmt *s, struct instance *ret) {
        const char **const texts[] = {
                &ret->cluster,
                &ret->node,
                &ret->id,
                &ret->type,
                &ret->extra,
        };

        ret->row = (uint64_t)sqlite3_column_int64(s, 0);
        ret->start = (usec_t)sqlite3_column_int64(s, 1) * USEC_PER_SEC;
        ret->end = (usec_t)sqlite3_column_int64(s, 2) * USEC_PER_SEC;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                *texts[i] = strempty((const char *)sqlite3_column_text(s, 3 + (int)i));
}

int accounting_instances_last(struct accounting *a, const char *cluster,
                void (*row)(const struct instance *i, void *user), void *user, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf("%s WHERE cluster = ?1 AND time_end = 0 ORDER BY id",
                        instance_columns);
        sqlite3_stmt *s = NULL;
        struct instance i;
        int code;

        assert(!a->running);
        if (sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        sqlite3_bind_text(s, 1, cluster, -1, SQLITE_STATIC);
        while ((code = sqlite3_step(s)) == SQLITE_ROW) {
                instance_of(s, &i);
                row(&i, user);
        }
        int r = code == SQLITE_DONE ? 0 : accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return r;
}

struct instance_question {
        struct work work;
        struct instance_query query;
        struct instance_list list;
        size_t allocated;
        void (*done)(int r, const char *why, const struct instance_list *list, void *user);
        void *user;
};

static void instance_question_release(struct work *work) {
        struct instance_question *q = (struct instance_question *)work;

        for (size_t i = 0; i < q->list.n; i++)
                free((char *)(uintptr_t)q->list.rows[i].cluster); /* the block of all texts */
        free(q->list.rows);
        free(q);
}

static void instance_question_done(struct work *work) {
        struct instance_question *q = (struct instance_question *)work;

        q->done(work->r, work->fail.text, &q->list, q->user);
}

/* Adds a row to the answer; a single block has all texts, beginning with cluster. */
static void keep_row(struct instance_question *q, const struct instance *from) {
        const char *const texts[] = {
                from->cluster,
                from->node,
                from->id,
                from->type,
                from->extra,
        };
        const char **to[ELEMENTSOF(texts)];
        size_t size = 0;

        GROW(q->list.rows, q->allocated, q->list.n);
        struct instance *i = &q->list.rows[q->list.n++];
        *i = *from;
        to[0] = &i->cluster, to[1] = &i->node, to[2] = &i->id, to[3] = &i->type, to[4] = &i->extra;
        for (size_t k = 0; k < ELEMENTSOF(texts); k++)
                size += strlen(texts[k]) + 1;
        char *p = xmalloc(size);
        for (size_t k = 0; k < ELEMENTSOF(texts); k++) {
                *to[k] = p;
                p = stpcpy(p, texts[k]) + 1;
        }
}

static int instance_question_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct instance_question *q = (struct instance_question *)work;
        _cleanup_free_ char *sql = xasprintf(
                        "%s WHERE id > ?1 AND (time_end = 0 OR time_end > ?2) AND (?3 = 0 OR time_start < ?3)"
                        " ORDER BY id",
                        instance_columns);
        sqlite3_stmt *s = NULL;
        struct instance i;
        int code = SQLITE_DONE;

        if (sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL) != SQLITE_OK)
                return accounts_sql_fail(a, fail);
        sqlite3_bind_int64(s, 1, (int64_t)q->query.after);
        sqlite3_bind_int64(s, 2, (int64_t)(q->query.from / USEC_PER_SEC));
        sqlite3_bind_int64(s, 3, (int64_t)(q->query.until / USEC_PER_SEC));
        while (!q->list.more && (code = sqlite3_step(s)) == SQLITE_ROW) {
                instance_of(s, &i);
                if (q->query.wanted && !q->query.wanted(&i, q->query.user))
                        continue;
                q->list.more = q->list.n == q->query.limit;
                if (!q->list.more)
                        keep_row(q, &i);
        }
        int r = q->list.more || code == SQLITE_DONE ? 0 : accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return r;
}

void accounting_instances(struct accounting *a, const struct instance_query *query,
                void (*done)(int r, const char *why, const struct instance_list *list, void *user),
                void *user) {
        struct instance_question *q = xnew0(struct instance_question, 1);

        assert(query->limit > 0);
        q->work.run = instance_question_run;
        q->work.done = instance_question_done;
        q->work.release = instance_question_release;
        q->query = *query;
        q->done = done;
        q->user = user;
        work_enqueue(a, &q->work);
}

/* ---- rows of objects ---- */

struct rows_write {
        struct work work;
        struct accounting_row *rows;
        size_t n;
        void (*done)(int r, const char *why, void *user);
        void *user;
};

static void rows_write_release(struct work *work) {
        struct rows_write *w = (struct rows_write *)work;

        for (size_t i = 0; i < w->n; i++) {
                for (size_t k = 0; k < w->rows[i].n; k++)
                        free(w->rows[i].values[k]);
                free(w->rows[i].values);
        }
        free(w->rows);
        free(w);
}

static void rows_write_done(struct work *work) {
        struct rows_write *w = (struct rows_write *)work;

        w->done(work->r, work->fail.text, w->user);
}

static int prepare_row(struct accounting *a, const struct accounting_row *row, sqlite3_stmt **ret) {
        _cleanup_free_ char *columns = table_columns(row->columns, row->n),
                            *places = table_columns(NULL, row->n);
        _cleanup_free_ char
                        *sql = row->remove ? xasprintf("DELETE FROM %s WHERE %s = ?1", row->table,
                                                             row->columns[0])
                                           : xasprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)",
                                                             row->table, columns, places);

        return sqlite3_prepare_v2(a->sqlite, sql, -1, ret, NULL);
}

/* Returns whether rows x and y can use the same statement. */
static bool rows_alike(const struct accounting_row *x, const struct accounting_row *y) {
        return streq(x->table, y->table) && x->columns == y->columns && x->n == y->n &&
               x->remove == y->remove;
}

/* Prepared statements of a single write. Rows of jobs alternate with rows of steps, and preparing a
   statement of 80 columns costs more than writing the row. */
#define KINDS 4
struct kinds {
        struct kind {
                const struct accounting_row *like;
                sqlite3_stmt *statement;
        } list[KINDS];
        size_t next; /* index (modulo KINDS) of the next entry to be replaced */
};

/* Sets *ret to the statement for row, borrowed until KINDS other statements were prepared. */
static int kinds_get(struct kinds *k, struct accounting *a, const struct accounting_row *row,
                sqlite3_stmt **ret) {
        struct kind *kind = &k->list[k->next % KINDS];
        int code;

        for (size_t i = 0; i < KINDS; i++)
                if (k->list[i].statement && rows_alike(k->list[i].like, row)) {
                        *ret = k->list[i].statement;
                        return SQLITE_OK;
                }
        sqlite3_finalize(TAKE(kind->statement));
        code = prepare_row(a, row, &kind->statement);
        if (code != SQLITE_OK)
                return code;
        kind->like = row;
        k->next++;
        *ret = kind->statement;
        return SQLITE_OK;
}

static int write_row(sqlite3_stmt *s, const struct accounting_row *row) {
        for (size_t k = 0; k < (row->remove ? 1 : row->n); k++) {
                int code = sqlite3_bind_text(s, (int)k + 1, row->values[k], -1, SQLITE_STATIC);

                if (code != SQLITE_OK)
                        return code;
        }
        return sqlite3_step(s) == SQLITE_DONE ? sqlite3_reset(s) : SQLITE_ERROR;
}

static int rows_write_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct rows_write *w = (struct rows_write *)work;
        struct kinds kinds = { 0 };
        int code = SQLITE_OK;

        for (size_t i = 0; i < w->n && code == SQLITE_OK; i++) {
                sqlite3_stmt *s;

                code = kinds_get(&kinds, a, &w->rows[i], &s);
                if (code == SQLITE_OK)
                        code = write_row(s, &w->rows[i]);
        }
        int r = code == SQLITE_OK ? 0 : accounts_sql_fail(a, fail);
        for (size_t i = 0; i < KINDS; i++)
                sqlite3_finalize(kinds.list[i].statement);
        return r;
}

void accounting_rows_write(struct accounting *a, struct accounting_row *rows, size_t n,
                void (*done)(int r, const char *why, void *user), void *user) {
        struct rows_write *w = xnew0(struct rows_write, 1);

        assert(done);
        w->work.run = rows_write_run;
        w->work.done = rows_write_done;
        w->work.release = rows_write_release;
        w->work.write = true;
        w->rows = rows;
        w->n = n;
        w->done = done;
        w->user = user;
        work_enqueue(a, &w->work);
}

struct find {
        struct work work;
        struct accounting_find what;
        char ***rows;
        size_t n, allocated;
        bool more;
        void (*done)(int r, const char *why, char **const *rows, size_t n, bool more, void *user);
        void *user;
};

static void rows_find_release(struct work *work) {
        struct find *f = (struct find *)work;

        for (size_t i = 0; i < f->n; i++) {
                for (size_t k = 0; k < f->what.n; k++)
                        free(f->rows[i][k]);
                free(f->rows[i]);
        }
        free(f->rows);
        free(f->what.where);
        free(f);
}

static void rows_find_done(struct work *work) {
        struct find *f = (struct find *)work;

        f->done(work->r, work->fail.text, f->rows, f->n, f->more, f->user);
}

static int rows_find_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct find *f = (struct find *)work;
        const struct accounting_find *what = &f->what;
        _cleanup_free_ char *list = table_columns(what->columns, what->n);
        _cleanup_free_ char *sql = xasprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %zu",
                        list, what->table, what->where, what->columns[0], what->limit + 1);
        sqlite3_stmt *s = NULL;
        int code = sqlite3_prepare_v2(a->sqlite, sql, -1, &s, NULL);

        while (code == SQLITE_OK || code == SQLITE_ROW) {
                code = sqlite3_step(s);
                f->more = code == SQLITE_ROW && f->n == what->limit;
                if (code != SQLITE_ROW || f->more)
                        break;
                GROW(f->rows, f->allocated, f->n);
                char **values = f->rows[f->n++] = xnew(char *, what->n);
                for (size_t i = 0; i < what->n; i++)
                        values[i] = xstrdup(strempty((const char *)sqlite3_column_text(s, (int)i)));
        }
        int r = code == SQLITE_DONE || f->more ? 0 : accounts_sql_fail(a, fail);
        sqlite3_finalize(s);
        return r;
}

void accounting_find(struct accounting *a, const struct accounting_find *what,
                void (*done)(int r, const char *why, char **const *rows, size_t n, bool more,
                                void *user),
                void *user) {
        struct find *f = xnew0(struct find, 1);

        assert(what->limit > 0 && done);
        f->work.run = rows_find_run;
        f->work.done = rows_find_done;
        f->work.release = rows_find_release;
        f->what = *what;
        f->done = done;
        f->user = user;
        work_enqueue(a, &f->work);
}

struct purge {
        struct work work;
        const char *table, *column;
        double below;
        char *keep;
};

static void purge_release(struct work *work) {
        free(((struct purge *)work)->keep);
        free(work);
}

static int purge_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct purge *p = (struct purge *)work;
        _cleanup_free_ char *sql = xasprintf(
                        "DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s WHERE %s < %.6f AND NOT (%s) ORDER BY %s LIMIT %d)",
                        p->table, p->table, p->column, p->below, p->keep ? p->keep : "0", p->column,
                        PURGE_MAX);

        return run_sql(a, sql, fail);
}

void accounting_purge(struct accounting *a, const char *table, const char *column, double below,
                char *keep) {
        struct purge *p = xnew(struct purge, 1);

        *p = (struct purge){ { .run = purge_run, .release = purge_release, .write = true }, table,
                column, below, keep };
        work_enqueue(a, &p->work);
}

struct copy {
        struct work work;
        char *folder;
        void (*done)(int r, const char *why, void *user);
        void *user;
};

static void copy_release(struct work *work) {
        struct copy *c = (struct copy *)work;

        free(c->folder);
        free(c);
}

static void copy_done(struct work *work) {
        struct copy *c = (struct copy *)work;

        c->done(work->r, work->fail.text, c->user);
}

static int copy_run(struct accounting *a, struct work *work, struct fail *fail) {
        const char *folder = ((struct copy *)work)->folder;
        int r = table_copy(a->sqlite, folder, "accounting.db", fail);

        if (r < 0)
                table_copy_undo(folder, DATABASE_COPY);
        return r;
}

void accounting_copy(struct accounting *a, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user) {
        struct copy *c = xnew(struct copy, 1);

        *c = (struct copy){ { .run = copy_run, .done = copy_done, .release = copy_release },
                xstrdup(folder), done, user };
        work_enqueue(a, &c->work);
}

int accounting_rows_load(struct accounting *a, const char *from, const char *const *columns,
                size_t n, int (*row)(const char *const *values, void *user), void *user,
                struct fail *fail) {
        assert(!a->running);
        int r = table_read(a->sqlite, from, columns, n, row, user);
        return r == -EIO ? accounts_sql_fail(a, fail) : r;
}
