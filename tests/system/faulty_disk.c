/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: while the file $FAULTY_DISK is there each write at a place of a file, as
 * databases do it, fails with the error of the number that it holds; with a text behind the number
 * only those of files with that text in their path, and these fail however they are written. */
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
        if (fscanf(f, "%d %255s", &number, part) < 1)
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

ssize_t write(int fd, const void *data, size_t size) {
        ssize_t (*next)(int, const void *,
                        size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
        int number = fault(fd, 1);

        if (!number)
                return next(fd, data, size);
        errno = number;
        return -1;
}
