/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/common/script.h"

#include <fcntl.h>
#include <sys/stat.h>

static bool may_have(int fd, uid_t uid) {
        struct stat st;

        return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
               (st.st_uid == uid || (st.st_uid == geteuid() && st.st_size == 0));
}

int script_open(const char *path, uid_t uid) {
        int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

        if (fd >= 0 && may_have(fd, uid))
                return fd;
        if (fd >= 0)
                close(fd);
        if (unlink(path) < 0 && errno != ENOENT)
                return -errno;
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0500);
        return fd < 0 ? -errno : fd;
}

int script_close(int script, uid_t uid, gid_t gid) {
        _cleanup_close_ int fd = script;
        off_t end = lseek(fd, 0, SEEK_CUR);
        struct stat st;

        if (end < 0 || ftruncate(fd, end) < 0 || fstat(fd, &st) < 0)
                return -errno;
        if ((st.st_uid != uid || st.st_gid != gid) && geteuid() == 0 && fchown(fd, uid, gid) < 0)
                return -errno;
        return (st.st_mode & 07777) != 0500 && fchmod(fd, 0500) < 0 ? -errno : 0;
}
