/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/script.h"

#include <fcntl.h>
#include <sys/stat.h>

static bool may_have(int fd, uid_t uid, struct stat *st) {
        return fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_nlink == 1 &&
               (st->st_uid == uid || (st->st_uid == geteuid() && st->st_size == 0));
}

/* Opens the file prepared for the script, or creates a new one. */
static int open_file(const char *path, uid_t uid, struct stat *ret) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

        if (fd >= 0 && may_have(fd, uid, ret))
                return TAKE_FD(fd);
        if (unlink(path) < 0 && errno != ENOENT)
                return -errno;
        if (fd >= 0)
                close(fd);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, SCRIPT_MODE);
        return fd < 0 || fstat(fd, ret) < 0 ? -errno : TAKE_FD(fd);
}

int script_write(const char *path, const void *data, size_t size, uid_t uid, gid_t gid) {
        struct stat st;
        _cleanup_close_ int fd = open_file(path, uid, &st);
        int r = fd < 0 ? fd : fd_write(fd, data, size);

        if (r < 0)
                return r;
        if (st.st_size > (off_t)size && ftruncate(fd, (off_t)size) < 0)
                return -errno;
        if ((st.st_uid != uid || st.st_gid != gid) && geteuid() == 0 && fchown(fd, uid, gid) < 0)
                return -errno;
        return (st.st_mode & 07777) != SCRIPT_MODE && fchmod(fd, SCRIPT_MODE) < 0 ? -errno : 0;
}
