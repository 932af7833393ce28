/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: while the file $FAULTY_DISK is there each write at a place of a file, as databases do it, fails with the
 * error whose number it holds. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at);

static int fault(void) {
        const char *path = getenv("FAULTY_DISK");
        FILE *f = path ? fopen(path, "re") : NULL;
        int number = 0;

        if (!f)
                return 0;
        if (fscanf(f, "%d", &number) != 1)
                number = EIO;
        fclose(f);
        return number;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
        ssize_t (*next)(int, const void *, size_t, off_t) = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
        int number = fault();

        if (!number)
                return next(fd, data, size, at);
        errno = number;
        return -1;
}
