/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store's queue between the event loop and the worker thread.
 *
 *   loop:    put, delete -> fresh[]      commit: fresh[] -> queue[]      read -> queue[]
 *   worker:  queue[] -> work[]; reads are answered at once, from work[] (newest first) or the
 *            database; then all of work[] goes into one transaction; then durable = the last
 *            batch of work[], and the eventfd is written
 *   loop:    on the eventfd: answers of reads, failed(), durable()
 *
 * While a transaction is being synced, new batches gather in queue[] and share the next
 * transaction: group commit without a timer. Invariant: work[] ends with a whole batch, because
 * queue[] receives whole batches.
 *
 * A failed transaction is rolled back and work[] kept: after a pause the worker tries again, with
 * the new batches. Reads are answered during the pause too, because work[] plus the database is
 * always the complete state.
 *
 * The mutex guards the members of "shared"; once the worker runs, only the worker uses the database
 * and work[]. */
#include "controller/store/store.h"

#include "controller/store/database.h"
#include "lib/thread.h"

#include <sys/eventfd.h>

#define RETRY_FIRST (100 * USEC_PER_MSEC)
#define RETRY_MAX   (5 * USEC_PER_SEC)

enum item_kind {
        ITEM_PUT,
        ITEM_DELETE,
        ITEM_READ,
        ITEM_COPY, /* key: the folder */
};

struct item {
        enum item_kind kind;
        enum store_table table;
        char *key; /* NULL in tables with number keys */
        uint64_t number;
        uint8_t *data;
        size_t size;
        uint64_t batch;
        bool known, found; /* ITEM_READ: answered; the row exists */
        void (*done)(const uint8_t *data, size_t size, void *user);
        /* ITEM_COPY; data: the error's sentence if r < 0 */
        void (*copied)(int r, const char *why, void *user);
        int r;
        void *user;
};

struct items {
        struct item *array;
        size_t n, allocated;
};

struct trouble {
        int r; /* 0 = none */
        /* durable at the time of the error: keeps failed() and durable() in order */
        uint64_t after;
        struct fail fail;
};

struct store {
        const struct store_ops *ops;
        void *user;
        sd_event_source *source;
        struct database *db;
        pthread_t thread;
        bool running;
        int eventfd;
        struct items fresh;
        uint64_t last_batch, durable;

        struct items work, copies; /* only the worker uses */
        struct items later;        /* only the worker uses: reads that have failed */
        struct trouble latest;     /* only the worker uses: the error of the last try */

        pthread_mutex_t mutex;
        pthread_cond_t wake;
        struct {
                struct items queue, answers;
                struct trouble trouble; /* still to be reported by the loop */
                uint64_t durable;
                bool closing;
        } shared;
};

/* ---- lists of items ---- */

static void item_done(struct item *i) {
        free(i->key);
        free(i->data);
}

static struct item *items_add(struct items *list) {
        GROW(list->array, list->allocated, list->n);
        struct item *i = &list->array[list->n++];
        memset(i, 0, sizeof *i);
        return i;
}

static void items_move(struct items *to, struct items *from) {
        for (size_t i = 0; i < from->n; i++)
                *items_add(to) = from->array[i];
        from->n = 0; /* the array is kept for the next batch */
}

static void items_done(struct items *list) {
        for (size_t i = 0; i < list->n; i++)
                item_done(&list->array[i]);
        free(list->array);
        *list = (struct items){ 0 };
}

/* Returns the newest change of a row in list; NULL if none. */
static const struct item *items_find(const struct items *list, enum store_table t,
                uint64_t number) {
        for (size_t i = list->n; i-- > 0;) {
                const struct item *item = &list->array[i];

                if (item->table == t && item->number == number && item->kind != ITEM_READ)
                        return item;
        }
        return NULL;
}

/* ---- the worker ---- */

static void store_loop_wake(struct store *s) {
        static const uint64_t one = 1;

        (void)!write(s->eventfd, &one,
                        /* fails only if the counter is near its maximum: the loop is awake
                           already */
                        sizeof one);
}

static void store_trouble_report(struct store *s, int r, const struct fail *fail) {
        bool news = r != s->latest.r;

        s->latest.r = r;
        s->latest.fail = *fail;
        if (!news)
                return;
        pthread_mutex_lock(&s->mutex);
        s->shared.trouble = s->latest;
        s->shared.trouble.after = s->shared.durable;
        pthread_mutex_unlock(&s->mutex);
        store_loop_wake(s);
}

static void read_answer_by(struct item *read, const struct item *change) {
        read->known = true;
        if (change->kind != ITEM_PUT)
                return;
        read->found = true;
        read->size = change->size;
        read->data = xmalloc(change->size);
        if (change->size > 0)
                memcpy(read->data, change->data, change->size);
}

/* Returns false after an error that may pass: only a read that succeeds tells that a row is
   missing. */
static bool read_answer(struct store *s, struct item *read) {
        const struct item *change = items_find(&s->work, read->table, read->number);
        struct fail fail = { 0 };

        if (read->known)
                return true;
        if (change) {
                read_answer_by(read, change);
                return true;
        }
        int r = database_read(s->db, read->table, read->number, &read->data, &read->size, &fail);
        read->known = r >= 0 || r == -EBADMSG;
        read->found = r > 0;
        if (r < 0)
                store_trouble_report(s, r, &fail);
        return read->known;
}

/* Moves queue[] to work[]; answers each read with the rows moved before. */
static void queue_take_items(struct store *s, struct items *queue) {
        struct items answers = { 0 };

        for (size_t i = 0; i < queue->n; i++) {
                if (queue->array[i].kind == ITEM_READ) {
                        bool known = read_answer(s, &queue->array[i]);
                        *items_add(known ? &answers : &s->later) = queue->array[i];
                } else
                        *items_add(queue->array[i].kind == ITEM_COPY ? &s->copies
                                                                     : &s->work) = queue->array[i];
        }
        free(queue->array);
        if (answers.n == 0)
                return;

        pthread_mutex_lock(&s->mutex);
        items_move(&s->shared.answers, &answers);
        pthread_mutex_unlock(&s->mutex);
        free(answers.array);
        store_loop_wake(s);
}

static int item_apply(struct store *s, const struct item *i, struct fail *fail) {
        if (i->kind == ITEM_DELETE)
                return database_delete(s->db, i->table, i->key, i->number, fail);
        return database_put(s->db, i->table, i->key, i->number, i->data, i->size, fail);
}

static int work_commit(struct store *s, struct fail *fail) {
        int r = database_begin(s->db, fail);

        for (size_t i = 0; i < s->work.n && r >= 0; i++)
                r = item_apply(s, &s->work.array[i], fail);
        if (r >= 0)
                r = database_commit(s->db, fail);
        if (r < 0)
                database_rollback(s->db);
        return r;
}

static void work_is_durable(struct store *s) {
        uint64_t batch = s->work.array[s->work.n - 1].batch;

        items_done(&s->work);
        s->latest.r = 0;

        pthread_mutex_lock(&s->mutex);
        s->shared.durable = batch;
        pthread_mutex_unlock(&s->mutex);
        store_loop_wake(s);
}

/* Takes the queue; waits for a first item until deadline (CLOCK_MONOTONIC, or USEC_INFINITY).
   Returns false if the queue is still empty at the deadline or at closing. */
static bool wait_for_queue(struct store *s, usec_t deadline, struct items *ret) {
        const struct timespec t = {
                .tv_sec = (time_t)(deadline / USEC_PER_SEC),
                .tv_nsec = (long)(deadline % USEC_PER_SEC * 1000),
        };
        int r = 0;

        pthread_mutex_lock(&s->mutex);
        while (s->shared.queue.n == 0 && !s->shared.closing && r == 0)
                r = deadline == USEC_INFINITY ? pthread_cond_wait(&s->wake, &s->mutex)
                                              : pthread_cond_timedwait(&s->wake, &s->mutex, &t);
        *ret = s->shared.queue;
        s->shared.queue = (struct items){ 0 };
        pthread_mutex_unlock(&s->mutex);
        return ret->n > 0;
}

static bool store_is_closing(struct store *s) {
        pthread_mutex_lock(&s->mutex);
        bool closing = s->shared.closing;
        pthread_mutex_unlock(&s->mutex);
        return closing;
}

/* Returns true when the pause is over, false when the store is being closed. */
static bool pause_after_failure(struct store *s, usec_t pause) {
        usec_t deadline = now_monotonic() + pause;
        struct items queue;

        while (now_monotonic() < deadline && wait_for_queue(s, deadline, &queue))
                queue_take_items(s, &queue);
        return !store_is_closing(s);
}

static void write_work(struct store *s) {
        struct fail fail = { 0 };
        usec_t pause = RETRY_FIRST;
        int r;

        while ((r = work_commit(s, &fail)) < 0) {
                store_trouble_report(s, r, &fail);
                if (!pause_after_failure(s, pause))
                        break;
                pause = MIN(pause * 2, RETRY_MAX);
        }
        if (r < 0) /* closing: a last try, with the batches queued during the pause */
                r = work_commit(s, &fail);
        if (r < 0)
                store_trouble_report(s, r, &fail);
        else
                work_is_durable(s);
}

/* Runs after write_work(): the copies include the batches committed before them. */
static void make_copies(struct store *s) {
        if (s->copies.n == 0)
                return;
        for (size_t i = 0; i < s->copies.n; i++) {
                struct item *copy = &s->copies.array[i];
                struct fail fail = { 0 };
                copy->r = database_copy(s->db, copy->key, &fail);
                copy->data = (uint8_t *)xstrdup(fail.text);
        }
        pthread_mutex_lock(&s->mutex);
        items_move(&s->shared.answers, &s->copies);
        pthread_mutex_unlock(&s->mutex);
        store_loop_wake(s);
}

/* Repeats the reads that have failed. */
static void reads_repeat(struct store *s) {
        struct items reads = s->later;

        s->later = (struct items){ 0 };
        queue_take_items(s, &reads);
}

static void *store_thread_run(void *user) {
        struct store *s = user;
        struct items queue;

        for (;;) {
                usec_t until = s->later.n ? now_monotonic() + RETRY_FIRST : USEC_INFINITY;
                bool some = wait_for_queue(s, until, &queue);

                if (!some && store_is_closing(s))
                        break;
                reads_repeat(s);
                if (some)
                        queue_take_items(s, &queue);
                if (s->work.n > 0)
                        write_work(s);
                make_copies(s);
        }
        return NULL;
}

/* ---- the event loop's side ---- */

static void give_answers(struct items *answers) {
        for (size_t i = 0; i < answers->n; i++) {
                struct item *a = &answers->array[i];

                if (a->kind == ITEM_COPY)
                        a->copied(a->r, (const char *)a->data, a->user);
                else
                        a->done(a->found ? a->data : NULL, a->found ? a->size : 0, a->user);
        }
        items_done(answers);
}

static void say_durable(struct store *s, uint64_t batch) {
        if (batch <= s->durable)
                return;
        s->durable = batch;
        s->ops->durable(batch, s->user);
}

static void make_callbacks(struct store *s) {
        pthread_mutex_lock(&s->mutex);
        struct items answers = s->shared.answers;
        struct trouble trouble = s->shared.trouble;
        uint64_t durable = s->shared.durable;
        s->shared.answers = (struct items){ 0 };
        s->shared.trouble.r = 0;
        pthread_mutex_unlock(&s->mutex);

        give_answers(&answers);
        if (trouble.r < 0) {
                say_durable(s, trouble.after);
                s->ops->failed(trouble.r, trouble.fail.text, s->user);
        }
        say_durable(s, durable);
}

static int store_on_eventfd(sd_event_source *source, int fd, uint32_t events, void *user) {
        uint64_t count;

        (void)!read(fd, &count, sizeof count);
        make_callbacks(user);
        return 0;
}

static int start_worker(struct store *s) {
        int r = thread_start(&s->thread, "store", store_thread_run, s);

        s->running = r >= 0;
        return r;
}

int store_open(const char *folder, const char *url, sd_event *event, const struct store_ops *ops,
                void *user, struct store **ret, struct fail *fail) {
        int r;

        assert(folder);
        assert(event);
        assert(ops && ops->durable && ops->failed);
        assert(ret);

        _cleanup_(store_closep) struct store *s = xnew0(struct store, 1);
        s->ops = ops;
        s->user = user;
        thread_locks_init(&s->mutex, &s->wake);
        s->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (s->eventfd < 0)
                return fail_set(fail, -errno, "cannot make an eventfd: %s", strerror(errno));
        r = database_open(folder, url, &s->db, fail);
        if (r < 0)
                return r;
        r = sd_event_add_io(event, &s->source, s->eventfd, EPOLLIN, store_on_eventfd, s);
        if (r < 0)
                return fail_set(fail, r, "cannot watch the store: %s", strerror(-r));
        (void)sd_event_source_set_description(s->source, "store");

        *ret = TAKE(s);
        return 0;
}

int store_load(struct store *s, enum store_table t,
                int (*row)(const char *key, uint64_t number, const uint8_t *data, size_t size,
                                void *user),
                void *user, struct fail *fail) {
        assert(s);
        assert(t < STORE_TABLE_MAX);
        assert(row);
        assert(!s->running); /* once started, only the worker uses the database */
        return database_load(s->db, t, row, user, fail);
}

int store_check(const struct store *s, struct fail *fail) {
        assert(s && !s->running);
        return database_check(s->db, fail);
}

uint64_t store_last_job(const struct store *s) {
        assert(s && !s->running);
        return database_last_job(s->db);
}

int store_clear(struct store *s, struct fail *fail) {
        assert(s);
        assert(!s->running);
        return database_clear(s->db, fail);
}

static struct item *add_fresh(struct store *s, enum item_kind kind, enum store_table t,
                const char *key, uint64_t number) {
        assert(s);
        assert(t < STORE_TABLE_MAX);
        assert(database_text_keys(t) == (key != NULL));
        assert(number <= INT64_MAX);

        struct item *i = items_add(&s->fresh);
        i->kind = kind;
        i->table = t;
        i->key = xstrdup(key);
        i->number = number;
        return i;
}

void store_put(struct store *s, enum store_table t, const char *key, uint64_t number, uint8_t *data,
                size_t size) {
        assert(data || size == 0);
        assert(size <= STORE_VALUE_MAX);

        struct item *i = add_fresh(s, ITEM_PUT, t, key, number);
        i->data = data ? data : xmalloc(0); /* an empty value is a value, not NULL */
        i->size = size;
}

void store_delete(struct store *s, enum store_table t, const char *key, uint64_t number) {
        add_fresh(s, ITEM_DELETE, t, key, number);
}

int store_start(struct store *s, struct fail *fail) {
        int r = s->running ? 0 : start_worker(s);

        return r < 0 ? fail_set(fail, r, "cannot start the store's thread: %s", strerror(-r)) : 0;
}

/* Hands items over to the worker. Starts the worker if store_start() has not: store_load() needs
   the database until the first item. */
static void items_enqueue(struct store *s, struct items *items) {
        pthread_mutex_lock(&s->mutex);
        items_move(&s->shared.queue, items);
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->mutex);
        if (!s->running && start_worker(s) < 0) {
                fprintf(stderr, "cannot start the store's thread\n");
                abort(); /* no batch was acknowledged; memory errors end the same way */
        }
}

uint64_t store_commit(struct store *s) {
        assert(s);
        if (s->fresh.n == 0)
                return s->last_batch;
        s->last_batch++;
        for (size_t i = 0; i < s->fresh.n; i++)
                s->fresh.array[i].batch = s->last_batch;
        items_enqueue(s, &s->fresh);
        return s->last_batch;
}

uint64_t store_durable(const struct store *s) {
        assert(s);
        return s->durable;
}

void store_read(struct store *s, enum store_table t, uint64_t number,
                void (*done)(const uint8_t *data, size_t size, void *user), void *user) {
        struct items one = { 0 };

        assert(s);
        assert(t < STORE_TABLE_MAX && !database_text_keys(t));
        assert(done);

        struct item *read = items_add(&one);
        read->kind = ITEM_READ;
        read->table = t;
        read->number = number;
        read->done = done;
        read->user = user;
        /* The worker does not know changes before their commit. */
        const struct item *change = items_find(&s->fresh, t, number);
        if (change)
                read_answer_by(read, change);
        items_enqueue(s, &one);
        free(one.array);
}

void store_copy(struct store *s, const char *folder,
                void (*done)(int r, const char *why, void *user), void *user) {
        struct items one = { 0 };

        assert(s && folder && done);
        *items_add(&one) = (struct item){ .kind = ITEM_COPY,
                .key = xstrdup(folder),
                .copied = done,
                .user = user };
        items_enqueue(s, &one);
        free(one.array);
}

struct store *store_abandon(struct store *s) {
        if (!s)
                return NULL;
        assert(!s->running);
        s->db = database_abandon(s->db);
        return store_close(s);
}

void store_finish(struct store *s) {
        if (!s || s->shared.closing)
                return;
        if (s->db)
                store_commit(s);
        pthread_mutex_lock(&s->mutex);
        s->shared.closing = true;
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->mutex);
        if (s->running) {
                pthread_join(s->thread, NULL);
                make_callbacks(s);
        }
        s->source = sd_event_source_disable_unref(s->source);
}

struct store *store_close(struct store *s) {
        if (!s)
                return NULL;
        store_finish(s);
        database_close(s->db);
        items_done(&s->work);
        items_done(&s->later);
        items_done(&s->copies);
        items_done(&s->fresh);
        items_done(&s->shared.queue);
        items_done(&s->shared.answers);
        pthread_cond_destroy(&s->wake);
        pthread_mutex_destroy(&s->mutex);
        if (s->eventfd >= 0)
                close(s->eventfd);
        free(s);
        return NULL;
}
