/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kills a process that writes the store, at random moments, and looks what is there.
 *
 * The child counts: its batch n puts the job rows ROWS*n to ROWS*n+ROWS-1, a script n and the META
 * row "count" = n, and deletes the rows of batch n-KEPT.  It writes n to a pipe when the store has
 * called it durable.  The parent kills it with SIGKILL, reads the pipe to its end, opens the store
 * itself and demands: count is at least the last number in the pipe, every row of the last KEPT
 * batches is there, whole, and no row of any other batch is.
 *
 * usage: crash_store [rounds [seed]]
 *
 * $SLUMBER_TEST_STORE is the address of a PostgreSQL store; unset: an SQLite file. */
#include "controller/store/store.h"

#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#define ROWS      4
#define KEPT      10
#define DEPTH     16 /* batches on their way at once */
#define MAX_DELAY (60 * USEC_PER_MSEC)

#define CHECK(x)                                                                                   \
        do {                                                                                       \
                if (!(x)) {                                                                        \
                        fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);            \
                        exit(1);                                                                   \
                }                                                                                  \
        } while (0)

/* ---- the writing child ---- */

struct writer {
        struct store *store;
        uint64_t count, first; /* batch 1 of this run is count first + 1 */
        int pipe;
};

static char *value(uint64_t count, unsigned row) {
        char *text = xmalloc(200);

        memset(text, 'a' + (int)(count % 26), 200);
        int n = snprintf(text, 200, "%" PRIu64 ".%u", count, row);
        text[n] = ' ';
        return text;
}

static void put_batch(struct writer *w) {
        uint64_t n = ++w->count;
        char *text = xasprintf("%" PRIu64, n);

        store_put(w->store, STORE_META, "count", 0, (uint8_t *)text, strlen(text));
        store_put(w->store, STORE_SCRIPT, NULL, n, (uint8_t *)value(n, ROWS), 200);
        for (unsigned i = 0; i < ROWS; i++)
                store_put(w->store, STORE_JOB, NULL, n * ROWS + i, (uint8_t *)value(n, i), 200);
        for (unsigned i = 0; i < ROWS && n > KEPT; i++)
                store_delete(w->store, STORE_JOB, NULL, (n - KEPT) * ROWS + i);
        if (n > KEPT)
                store_delete(w->store, STORE_SCRIPT, NULL, n - KEPT);
        CHECK(store_commit(w->store) == n - w->first);
}

static void on_durable(uint64_t batch, void *user) {
        struct writer *w = user;
        uint64_t n = w->first + batch;

        CHECK(write(w->pipe, &n, sizeof n) == (ssize_t)sizeof n);
        while (w->count < n + DEPTH)
                put_batch(w);
}

static void on_failed(int r, const char *why, void *user) {
        fprintf(stderr, "%s\n", why);
        exit(1);
}

static const struct store_ops ops = { on_durable, on_failed };

static int read_count(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        char text[32] = "";

        CHECK(size < sizeof text);
        memcpy(text, data, size);
        *(uint64_t *)user = strtoull(text, NULL, 10);
        return 0;
}

static struct store *open_store(const char *folder, sd_event **event, void *user,
                uint64_t *ret_count) {
        struct store *s = NULL;
        struct fail fail = { 0 };

        CHECK(sd_event_new(event) >= 0);
        if (store_open(folder, getenv("SLUMBER_TEST_STORE"), *event, &ops, user, &s, &fail) < 0 ||
                        store_load(s, STORE_META, read_count, ret_count, &fail) < 0) {
                fprintf(stderr, "%s\n", fail.text);
                exit(1);
        }
        return s;
}

static void write_until_killed(const char *folder, int pipe) {
        struct writer w = { .pipe = pipe };
        sd_event *event = NULL;

        w.store = open_store(folder, &event, &w, &w.first);
        w.count = w.first;
        on_durable(0, &w);
        CHECK(sd_event_loop(event) >= 0);
        exit(1);
}

/* ---- what must be there ---- */

struct rows {
        uint64_t count, n;
};

static void check_value(uint64_t count, unsigned row, const uint8_t *data, size_t size) {
        _cleanup_free_ char *expected = value(count, row);

        CHECK(size == 200);
        CHECK(memcmp(data, expected, 200) == 0);
}

static int check_job(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct rows *r = user;
        uint64_t count = number / ROWS;

        CHECK(count <= r->count && count + KEPT > r->count);
        check_value(count, (unsigned)(number % ROWS), data, size);
        r->n++;
        return 0;
}

static int check_script(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct rows *r = user;

        CHECK(number <= r->count && number + KEPT > r->count);
        check_value(number, ROWS, data, size);
        r->n++;
        return 0;
}

static uint64_t check_store(const char *folder, uint64_t durable) {
        struct rows jobs = { 0 }, scripts = { 0 };
        sd_event *event = NULL;
        struct store *s = open_store(folder, &event, NULL, &jobs.count);

        CHECK(jobs.count >= durable);
        scripts.count = jobs.count;
        CHECK(store_load(s, STORE_JOB, check_job, &jobs, NULL) == 0);
        CHECK(store_load(s, STORE_SCRIPT, check_script, &scripts, NULL) == 0);
        CHECK(scripts.n == MIN(jobs.count, (uint64_t)KEPT));
        CHECK(jobs.n == scripts.n * ROWS);
        store_close(s);
        sd_event_unref(event);
        return jobs.count;
}

/* ---- the killing parent ---- */

/* Reads what the child reports until the end of the pipe; kills it at the moment at. */
static uint64_t watch(pid_t child, int pipe, usec_t at) {
        uint64_t n, last = 0;
        bool killed = false;

        for (;;) {
                usec_t now = now_monotonic();
                struct pollfd p = { .fd = pipe, .events = POLLIN };
                int timeout = killed ? -1 : at > now ? (int)((at - now) / USEC_PER_MSEC) : 0;

                if (poll(&p, 1, timeout) > 0) {
                        ssize_t size = read(pipe, &n, sizeof n);
                        if (size == 0)
                                return last;
                        CHECK(size == (ssize_t)sizeof n);
                        CHECK(n >= last);
                        last = n;
                }
                if (!killed && now_monotonic() >= at)
                        killed = kill(child, SIGKILL) == 0;
        }
}

static uint64_t round_of(const char *folder, usec_t delay) {
        int fds[2], status;

        CHECK(pipe(fds) == 0);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
                close(fds[0]);
                write_until_killed(folder, fds[1]);
        }
        close(fds[1]);
        uint64_t durable = watch(child, fds[0], now_monotonic() + delay);
        close(fds[0]);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        uint64_t count = check_store(folder, durable);
        printf("killed after %5.1f ms: %" PRIu64 " reported, %" PRIu64 " there\n",
                        (double)delay / 1000, durable, count);
        return count;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

int main(int argc, char **argv) {
        char folder[] = "/tmp/crash-store-XXXXXX";
        unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 50;
        unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : (unsigned)now_realtime();
        uint64_t count = 0;

        CHECK(mkdtemp(folder));
        printf("seed %u\n", seed);
        srandom(seed);
        fflush(stdout);
        /* until it got to work between the kills: a busy machine takes longer */
        for (unsigned i = 0; i < rounds || count <= rounds; i++) {
                uint64_t n = round_of(folder, (usec_t)random() % MAX_DELAY);

                CHECK(n >= count);
                count = n;
                fflush(stdout);
        }
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        return 0;
}
