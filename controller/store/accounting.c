/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of the accounts, and the queue between the event loop and the accounting thread.
 *
 *   loop:    work -> queue[]
 *   thread:  takes the whole queue; writes in one transaction, then answers the queries
 *   loop:    on the eventfd: done() of each query, trouble()
 *
 * A failed transaction is rolled back, the work kept, and tried again after a pause together with
 * new work; queries are answered meanwhile. A power failure may cost the last rows that nobody waits
 * for; the code writing the rows repairs losses (accounting.h). */
#include "controller/store/accounting.h"

#include "controller/store/accounts_engine.h"
#include "controller/store/table.h"
#include "lib/thread.h"

#include <sys/eventfd.h>

#define RETRY_PAUSE (1 * USEC_PER_SEC)
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
        const struct accounts_engine *engine;
        void *handle; /* the engine's */
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
        bool durable = is_waited_for(writes);

        if (!writes->first)
                return 0;
        int r = a->engine->begin(a->handle, durable, fail);
        for (struct work *w = writes->first; w && r >= 0; w = w->next)
                r = w->run(a, w, fail);
        if (r >= 0)
                r = a->engine->commit(a->handle, durable, fail);
        if (r < 0)
                a->engine->rollback(a->handle, durable);
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

int accounting_open(const char *folder, const char *url, sd_event *event,
                void (*trouble)(int r, const char *why, void *user), void *user,
                struct accounting **ret, struct fail *fail) {
        const struct accounts_place place = { .folder = folder, .url = url };
        struct accounting *a = xnew0(struct accounting, 1);

        assert(folder && event && trouble && ret);
        a->engine = url ? &accounts_postgresql : &accounts_sqlite;
        a->trouble = trouble;
        a->user = user;
        thread_locks_init(&a->mutex, &a->wake);
        a->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        int r = a->eventfd < 0 ? fail_set(fail, -errno, "cannot make an eventfd: %s",
                                                 strerror(errno))
                               : a->engine->open(&place, &a->handle, fail);
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
        return a->engine->check(a->handle, fail);
}

bool accounting_is_new(const struct accounting *a) {
        assert(!a->running);
        return a->engine->is_new(a->handle);
}

/* Reads the first value of a row as a number. */
static int number_keep(const char *const *values, void *user) {
        *(uint64_t *)user = strtoull(values[0], NULL, 10);
        return 0;
}

int accounting_last_job(struct accounting *a, uint64_t *ret, struct fail *fail) {
        *ret = 0;
        return a->engine->query(a->handle,
                        "SELECT max(id) FROM (SELECT max(job_id) AS id FROM job"
                        " UNION ALL SELECT max(array_job) FROM job"
                        " UNION ALL SELECT max(job_id) FROM script) AS ids",
                        NULL, 0, 1, number_keep, ret, fail);
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
        if (a->handle)
                a->engine->close(a->handle, false);
        pthread_cond_destroy(&a->wake);
        pthread_mutex_destroy(&a->mutex);
        if (a->eventfd >= 0)
                close(a->eventfd);
        free(a);
        return NULL;
}

struct accounting *accounting_abandon(struct accounting *a) {
        if (!a)
                return NULL;
        if (!a->running && a->handle) /* else the thread may have written */
                a->engine->close(TAKE(a->handle), true);
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
        char time[24];
        const char *const end[] = { w->cluster, w->node, time };
        const char *const all[] = { w->cluster, w->node, w->id, w->type, w->extra, time };
        int r;

        snprintf(time, sizeof time, "%lld", (long long)w->time);
        if (w->change == INSTANCE_CHANGE)
                return a->engine->execute(a->handle,
                                "UPDATE instance SET instance_id = ?3, instance_type = ?4, extra = ?5"
                                " WHERE cluster = ?1 AND node = ?2 AND time_end = 0",
                                all, 5, fail);
        /* An instance never ends before its start, even if the clock was set back. */
        r = a->engine->execute(a->handle,
                        "UPDATE instance SET time_end = CASE WHEN time_start > CAST(?3 AS BIGINT)"
                        " THEN time_start ELSE CAST(?3 AS BIGINT) END"
                        " WHERE cluster = ?1 AND node = ?2 AND time_end = 0",
                        end, ELEMENTSOF(end), fail);
        if (r < 0 || w->change == INSTANCE_END)
                return r;
        return a->engine->execute(a->handle,
                        "INSERT INTO instance (cluster, node, instance_id, instance_type, extra, time_start, time_end)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, CAST(?6 AS BIGINT), 0)",
                        all, ELEMENTSOF(all), fail);
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
#define INSTANCE_COLUMNS 8

/* The texts are borrowed from values. */
static struct instance instance_of(const char *const *values) {
        return (struct instance){
                .row = strtoull(values[0], NULL, 10),
                .start = strtoull(values[1], NULL, 10) * USEC_PER_SEC,
                .end = strtoull(values[2], NULL, 10) * USEC_PER_SEC,
                .cluster = values[3],
                .node = values[4],
                .id = values[5],
                .type = values[6],
                .extra = values[7],
        };
}

struct instance_reader {
        void (*row)(const struct instance *i, void *user);
        void *user;
};

static int instance_pass(const char *const *values, void *user) {
        const struct instance_reader *reader = user;
        const struct instance i = instance_of(values);

        reader->row(&i, reader->user);
        return 0;
}

int accounting_instances_last(struct accounting *a, const char *cluster,
                void (*row)(const struct instance *i, void *user), void *user, struct fail *fail) {
        _cleanup_free_ char *sql = xasprintf("%s WHERE cluster = ?1 AND time_end = 0 ORDER BY id",
                        instance_columns);
        struct instance_reader reader = { row, user };

        assert(!a->running);
        return a->engine->query(a->handle, sql, &cluster, 1, INSTANCE_COLUMNS, instance_pass,
                        &reader, fail);
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

/* Keeps a wanted row; ends the query behind the limit. */
static int instance_question_row(const char *const *values, void *user) {
        struct instance_question *q = user;
        const struct instance i = instance_of(values);

        if (q->query.wanted && !q->query.wanted(&i, q->query.user))
                return 0;
        q->list.more = q->list.n == q->query.limit;
        if (!q->list.more)
                keep_row(q, &i);
        return q->list.more;
}

static int instance_question_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct instance_question *q = (struct instance_question *)work;
        _cleanup_free_ char *sql = xasprintf(
                        "%s WHERE id > CAST(?1 AS BIGINT)"
                        " AND (time_end = 0 OR time_end > CAST(?2 AS BIGINT))"
                        " AND (CAST(?3 AS BIGINT) = 0 OR time_start < CAST(?3 AS BIGINT))"
                        " ORDER BY id",
                        instance_columns);
        char after[24], from[24], until[24];
        const char *const params[] = { after, from, until };

        snprintf(after, sizeof after, "%llu", (unsigned long long)q->query.after);
        snprintf(from, sizeof from, "%llu", (unsigned long long)(q->query.from / USEC_PER_SEC));
        snprintf(until, sizeof until, "%llu", (unsigned long long)(q->query.until / USEC_PER_SEC));
        return a->engine->query(a->handle, sql, params, ELEMENTSOF(params), INSTANCE_COLUMNS,
                        instance_question_row, q, fail);
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

static int rows_write_run(struct accounting *a, struct work *work, struct fail *fail) {
        const struct rows_write *w = (struct rows_write *)work;

        return a->engine->write(a->handle, w->rows, w->n, fail);
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

static int rows_find_row(const char *const *values, void *user) {
        struct find *f = user;

        f->more = f->n == f->what.limit;
        if (f->more)
                return 1;
        GROW(f->rows, f->allocated, f->n);
        char **copies = f->rows[f->n++] = xnew(char *, f->what.n);
        for (size_t i = 0; i < f->what.n; i++)
                copies[i] = xstrdup(values[i]);
        return 0;
}

static int rows_find_run(struct accounting *a, struct work *work, struct fail *fail) {
        struct find *f = (struct find *)work;
        const struct accounting_find *what = &f->what;
        _cleanup_free_ char *list = table_columns(what->columns, what->n);
        _cleanup_free_ char *sql = xasprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %zu",
                        list, what->table, what->where, what->columns[0], what->limit + 1);

        return a->engine->query(a->handle, sql, NULL, 0, what->n, rows_find_row, f, fail);
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
                        "DELETE FROM %s WHERE id IN (SELECT id FROM %s WHERE %s < %.6f AND NOT (%s) ORDER BY %s LIMIT %d)",
                        p->table, p->table, p->column, p->below, p->keep ? p->keep : "FALSE",
                        p->column, PURGE_MAX);

        return a->engine->execute(a->handle, sql, NULL, 0, fail);
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
        return a->engine->copy(a->handle, ((struct copy *)work)->folder, fail);
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
        _cleanup_free_ char *list = table_columns(columns, n);
        _cleanup_free_ char *sql = xasprintf("SELECT %s FROM %s ORDER BY %s", list, from,
                        columns[0]);

        return a->engine->query(a->handle, sql, NULL, 0, n, row, user, fail);
}
