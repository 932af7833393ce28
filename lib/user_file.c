/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/user_file.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

/* Of each process /proc has a folder, which is named by its number, wherever /proc is mounted. */
static bool has_number(char *path) {
        char *rest = NULL;

        for (char *w = strtok_r(path, "/", &rest); w; w = strtok_r(NULL, "/", &rest))
                if (strspn(w, "0123456789") == strlen(w))
                        return true;
        return false;
}

/* Where that cannot be told it counts as one. */
static bool is_of_process(int fd) {
        char link[64], path[PATH_MAX];
        struct statfs fs;

        if (fstatfs(fd, &fs) < 0)
                return true;
        if (fs.f_type != PROC_SUPER_MAGIC)
                return false;
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, path, sizeof path);
        if (n < 0 || (size_t)n == sizeof path)
                return true;
        path[n] = 0;
        return has_number(path);
}

int user_file_open(const char *path, int flags, mode_t mode) {
        struct open_how how = {
                .flags = (uint64_t)(flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY)),
                .mode = flags & O_CREAT ? mode : 0,
                .resolve = RESOLVE_NO_MAGICLINKS,
        };

        assert(path);
        /* the call itself: C libraries have no function for it */
        _cleanup_close_ int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
        if (fd < 0)
                return -errno;
        return is_of_process(fd) ? -ELOOP : TAKE_FD(fd);
}

int user_file_chdir(const char *path) {
        _cleanup_close_ int fd = user_file_open(path, O_PATH | O_DIRECTORY, 0);

        if (fd < 0)
                return fd;
        return fchdir(fd) < 0 ? -errno : 0;
}

const char *user_file_error(int r) {
        return r == -ELOOP ? "too many symbolic links, or a process's files in /proc"
                           : strerror(-r);
}
