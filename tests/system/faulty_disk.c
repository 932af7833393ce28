/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: while the file $FAULTY_DISK is there each write at a place of a file, as
 * databases do it, fails with the error of the number that it holds; with a text behind the number
 * only those of files with that text in their path, and these fail however they are written.  The
 * number "wait" lets them wait until that file is gone, after $FAULTY_DISK.PID was made. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at);

static int is_of(int fd, const char *part) {
        char link[64], path[4096] = "";

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        return readlink(link, path, sizeof path - 1) > 0 && strstr(path, part);
}

static int fault(int fd, int needs_part) {
        const char *path = getenv("FAULTY_DISK");
        FILE *f = path ? fopen(path, "re") : NULL;
        char part[256] = "";
        int number = 0;

        if (!f)
                return 0;
        if (fscanf(f, "wait %255s", part) == 1)
                number = 0;
        else if (fscanf(f, "%d %255s", &number, part) < 1)
                number = EIO;
        fclose(f);
        return *part ? (is_of(fd, part) ? number : 0) : needs_part ? 0 : number;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
        ssize_t (*next)(int, const void *, size_t, off_t) = (ssize_t(*)(int, const void *, size_t,
                        off_t))dlsym(RTLD_NEXT, "pwrite64");
        int number = fault(fd, 0);

        if (!number)
                return next(fd, data, size, at);
        errno = number;
        return -1;
}

static void waits(const char *path) {
        char name[4096];

        snprintf(name, sizeof name, "%s.%d", path, (int)getpid());
        FILE *f = fopen(name, "we");
        if (f)
                fclose(f);
        while (access(path, F_OK) == 0)
                usleep(10000);
}

/* Of those with the number "wait": whether this is one. */
static int is_to_wait(int fd) {
        const char *path = getenv("FAULTY_DISK");
        FILE *f = path ? fopen(path, "re") : NULL;
        char part[256] = "";
        int found = f && fscanf(f, "wait %255s", part) == 1;

        if (f)
                fclose(f);
        return found && is_of(fd, part);
}

ssize_t write(int fd, const void *data, size_t size) {
        ssize_t (*next)(int, const void *,
                        size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
        if (is_to_wait(fd)) {
                waits(getenv("FAULTY_DISK"));
                return next(fd, data, size);
        }
        int number = fault(fd, 1);

        if (!number)
                return next(fd, data, size);
        errno = number;
        return -1;
}
