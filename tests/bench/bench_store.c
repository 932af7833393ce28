/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast the store makes rows durable: one commit after the other, many on their way at once,
 * large batches.
 *
 * usage: bench_store [FOLDER [SECONDS]]      FOLDER is made, and removed at the end; the disk under
 * it counts */
#include "controller/store/store.h"

#include <ftw.h>
#include <inttypes.h>

#define VALUE_SIZE 400 /* about what a queued job takes */

struct bench {
        struct store *store;
        sd_event *event;
        uint64_t job, durable, committed;
        unsigned depth, rows;
        usec_t end, latency_sum;
        usec_t *started; /* ring of depth: when each batch on its way was committed */
};

static void commit_one(struct bench *b) {
        for (unsigned i = 0; i < b->rows; i++)
                store_put(b->store, STORE_JOB, NULL, ++b->job, xcalloc(1, VALUE_SIZE), VALUE_SIZE);
        b->committed = store_commit(b->store);
        b->started[b->committed % b->depth] = now_monotonic();
}

static void on_durable(uint64_t batch, void *user) {
        struct bench *b = user;
        usec_t now = now_monotonic();

        for (uint64_t i = b->durable + 1; i <= batch; i++)
                b->latency_sum += now - b->started[i % b->depth];
        b->durable = batch;
        while (now < b->end && b->committed < b->durable + b->depth)
                commit_one(b);
}

static void on_failed(int r, const char *why, void *user) {
        fprintf(stderr, "%s\n", why);
        exit(1);
}

static const struct store_ops ops = { on_durable, on_failed };

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

static void measure(const char *folder, const char *name, unsigned depth, unsigned rows,
                usec_t length) {
        struct bench b = { .depth = depth, .rows = rows, .started = xnew0(usec_t, depth) };
        struct fail fail = { 0 };

        if (sd_event_new(&b.event) < 0 || store_open(folder, getenv("SLUMBER_TEST_STORE"), b.event,
                                                          &ops, &b, &b.store, &fail) < 0) {
                fprintf(stderr, "%s\n", fail.text);
                exit(1);
        }
        usec_t start = now_monotonic();
        b.end = start + length;
        for (unsigned i = 0; i < depth; i++)
                commit_one(&b);
        while (b.durable < b.committed)
                if (sd_event_run(b.event, USEC_INFINITY) < 0)
                        exit(1);
        double seconds = (double)(now_monotonic() - start) / USEC_PER_SEC,
               commits = (double)b.committed;
        printf("%-42s %9.0f commits/s %9.0f rows/s %8.2f ms to durable\n", name, commits / seconds,
                        commits * rows / seconds, (double)b.latency_sum / 1000 / commits);
        store_close(b.store);
        sd_event_unref(b.event);
        free(b.started);
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv) {
        const char *folder = argc > 1 ? argv[1] : "/var/tmp/slumber-bench-store";
        usec_t length = (argc > 2 ? strtoull(argv[2], NULL, 10) : 3) * USEC_PER_SEC;

        if (access(folder, F_OK) == 0) {
                fprintf(stderr, "%s is there already: name a folder that can be made and removed\n",
                                folder);
                return 1;
        }
        measure(folder, "one row, one batch after the other", 1, 1, length);
        measure(folder, "one row, 16 batches on their way", 16, 1, length);
        measure(folder, "one row, 256 batches on their way", 256, 1, length);
        measure(folder, "1,000 rows, 4 batches on their way", 4, 1000, length);
        return 0;
}
