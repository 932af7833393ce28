/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/user_file.h"
#include "lib/wordlist.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

/* True if a part of path is a number: /proc has a folder named by the number of each process,
   wherever /proc is mounted. */
static bool has_number(const char *path) {
        for_each_word(w, path, "/")
                if (strspn(w, "0123456789") == strlen(w))
                        return true;
        return false;
}

/* True if fd is a file of a process in /proc, or if that cannot be determined. */
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

/* True for the daemon's standard streams, which are /dev/null. */
static bool is_own_stream(const char *path) {
        static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr",
                "/dev/fd/0", "/dev/fd/1", "/dev/fd/2" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (streq(path, names[i]))
                        return true;
        return false;
}

/* Calls openat2() directly: C libraries have no function for it. */
static int open_by(const char *path, const struct open_how *how) {
        int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, how, sizeof *how);

        return fd < 0 ? -errno : fd;
}

/* True if a seccomp filter older than openat2() refuses the call with EPERM for any file. */
static bool is_filtered(void) {
        const struct open_how how = { .flags = O_PATH | O_CLOEXEC };
        _cleanup_close_ int fd = open_by("/", &how);

        return fd == -EPERM;
}

int user_file_open(const char *path, int flags, mode_t mode) {
        struct open_how how = {
                .flags = (uint64_t)(flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY)),
                .mode = flags & O_CREAT ? mode : 0,
                .resolve = RESOLVE_NO_MAGICLINKS,
        };

        assert(path);
        _cleanup_close_ int fd = open_by(is_own_stream(path) ? "/dev/null" : path, &how);
        if (fd < 0)
                return fd == -EPERM && is_filtered() ? -ENOSYS : fd;
        return is_of_process(fd) ? -ELOOP : TAKE_FD(fd);
}

int user_file_chdir(const char *path) {
        _cleanup_close_ int fd = user_file_open(path, O_PATH | O_DIRECTORY, 0);

        if (fd < 0)
                return fd;
        return fchdir(fd) < 0 ? -errno : 0;
}

const char *user_file_error(int r) {
        if (r == -ENOSYS)
                return "the kernel of this node has no openat2(), or a filter of system calls refuses it: Linux 5.6 or later is needed";
        return r == -ELOOP ? "too many symbolic links, or a process's files in /proc"
                           : strerror(-r);
}
