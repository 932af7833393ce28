/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/console_log.h"

#include "controller/programs/console_tail.h"

#include <fcntl.h>
#include <sys/stat.h>

#define TAIL 4096 /* bytes examined */
/* The file system's clock may lag by a tick or know whole seconds only. */
#define TICK (10 * USEC_PER_MSEC)

static usec_t written_at(const struct stat *st) {
        usec_t t = (usec_t)st->st_mtim.tv_sec * USEC_PER_SEC;

        return t +
               (st->st_mtim.tv_nsec ? (usec_t)st->st_mtim.tv_nsec / 1000 + TICK : USEC_PER_SEC - 1);
}

char *console_log_tail(const struct config *config, const char *node, usec_t since,
                usec_t *ret_written) {
        _cleanup_free_ char *path = xasprintf("%s/%s.log", config->site.console_dir, node);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        char buf[TAIL];
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
                        written_at(&st) < since)
                return NULL;
        *ret_written = (usec_t)st.st_mtim.tv_sec * USEC_PER_SEC;
        ssize_t got = pread(fd, buf, TAIL, st.st_size > TAIL ? st.st_size - TAIL : 0);
        return got > 0 ? console_tail_text(buf, (size_t)got) : NULL;
}
