/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/state_seen.h"

#include "lib/log.h"
#include "lib/thread.h"

#include <fcntl.h>
#include <inttypes.h>

#define FILE_NAME   "state_seen"
#define LINE_FORMAT "%016" PRIx64 " %020" PRIu64 " %016" PRIx64 " %020" PRIu64 " %016" PRIx64 "\n"
#define LINE_SIZE   (16 + 20 + 16 + 20 + 16 + 5)

static void print_line(const Slumber__StateSeen *s, char text[static LINE_SIZE + 1]) {
        snprintf(text, LINE_SIZE + 1, LINE_FORMAT, s->state, s->generation, s->start, s->given,
                        s->proof);
}

void state_seen_read(struct state_seen_kept *kept) {
        _cleanup_close_ int fd = open(FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        char text[LINE_SIZE + 1] = "", again[LINE_SIZE + 1];
        Slumber__StateSeen *s = &kept->seen;

        *kept = (struct state_seen_kept){ .seen = SLUMBER__STATE_SEEN__INIT };
        if (fd < 0)
                return;
        if (read(fd, text, LINE_SIZE) == LINE_SIZE &&
                        sscanf(text, "%" SCNx64 " %" SCNu64 " %" SCNx64 " %" SCNu64 " %" SCNx64,
                                        &s->state, &s->generation, &s->start, &s->given,
                                        &s->proof) == 5) {
                print_line(s, again);
                if (streq(text, again))
                        return;
        }
        log_warning(0, "The file " FILE_NAME
                       " of the spool folder is damaged: the controller is not "
                       "told what this node knows of its state");
        slumber__state_seen__init(s);
}

static void *sync_file(void *user) {
        _cleanup_close_ int fd = open(FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

        (void)user;
        if (fd >= 0)
                (void)fsync(fd);
        _cleanup_close_ int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0)
                (void)fsync(folder);
        return NULL;
}

static void write_file(struct state_seen_kept *kept) {
        _cleanup_close_ int fd = open(FILE_NAME, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        char text[LINE_SIZE + 1];

        print_line(&kept->seen, text);
        errno = ENOSPC; /* a short write does not set errno */
        if (fd < 0 || pwrite(fd, text, LINE_SIZE, 0) != LINE_SIZE)
                log_warning_folded("Cannot write " FILE_NAME " in the spool folder: %s",
                                strerror(errno));
        kept->unsynced = true;
}

void state_seen_take(struct state_seen_kept *kept, const Slumber__StateSeen *told, bool sync) {
        Slumber__StateSeen *s = &kept->seen;
        bool same = told && told->state == s->state && told->start == s->start &&
                    told->generation == s->generation;
        pthread_t thread;

        if (told && told->state && (!same || told->given > s->given)) {
                s->state = told->state;
                s->generation = told->generation;
                s->start = told->start;
                s->given = told->given;
                s->proof = told->proof;
                write_file(kept);
        }
        if (!sync || !kept->unsynced || thread_start(&thread, "spool-sync", sync_file, NULL) < 0)
                return;
        kept->unsynced = false;
        (void)pthread_detach(thread);
}
