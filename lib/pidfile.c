/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/pidfile.h"

#include "lib/base.h"

#include <fcntl.h>
#include <sys/stat.h>

struct pidfile {
        char *path;
        int fd;
};

int pidfile_open(const char *path, uid_t owner, struct pidfile **ret, struct fail *fail) {
        _cleanup_close_ int fd = -1;
        struct stat st;

        if (isempty(path))
                return 0;
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0644);
        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "cannot write %.200s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%.200s is not a regular file", path);
        if (st.st_uid != owner && fchown(fd, owner, (gid_t)-1) < 0)
                return fail_set(fail, -errno, "cannot give %.200s to SlurmUser: %s", path,
                                strerror(errno));
        *ret = xnew(struct pidfile, 1);
        **ret = (struct pidfile){ xstrdup(path), TAKE_FD(fd) };
        return 0;
}

void pidfile_write(const struct pidfile *p) {
        if (!p)
                return;
        (void)!ftruncate(p->fd, 0);
        (void)lseek(p->fd, 0, SEEK_SET);
        (void)dprintf(p->fd, "%d\n", (int)getpid());
}

struct pidfile *pidfile_free(struct pidfile *p) {
        char text[16] = "";

        if (!p)
                return NULL;
        if (pread(p->fd, text, sizeof text - 1, 0) >= 0 &&
                        (isempty(text) || atol(text) == getpid()) && unlink(p->path) < 0)
                (void)!ftruncate(p->fd, 0);
        close(p->fd);
        free(p->path);
        free(p);
        return NULL;
}
