/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define TIMES_MAX 1000 /* maximum tries to empty a folder while other processes fill it */

char **folder_list(const char *path, bool folders_only) {
        DIR *dir = opendir(path);
        size_t n = 0, allocated = 0;
        struct dirent *d;
        char **names = NULL;

        while (dir && (d = readdir(dir))) {
                if (d->d_name[0] == '.' || (folders_only && d->d_type != DT_DIR))
                        continue;
                GROW(names, allocated, n);
                names[n++] = xstrdup(d->d_name);
        }
        if (dir)
                closedir(dir);
        GROW(names, allocated, n);
        names[n] = NULL;
        return names;
}

/* ---- removal ---- */

/* Opens the folder and makes it inaccessible to all other users, who can add nothing any more. */
static int folder_open_private(int dir, const char *name, dev_t device) {
        int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;
        int r = 0;

        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                r = -errno;
        else if (device && st.st_dev != device)
                r = -EXDEV;
        else if ((geteuid() == 0 && fchown(fd, 0, 0) < 0) || fchmod(fd, 0700) < 0)
                r = -errno;
        if (r == 0)
                return fd;
        close(fd);
        return r;
}

/* Moves a nested folder to the top, so that no chain of folders has to be kept open. */
static int move_up(int from, const char *name, int top, unsigned *number) {
        char to[32];
        int r;

        do {
                snprintf(to, sizeof to, "%u", (*number)++);
                r = renameat2(from, name, top, to, RENAME_NOREPLACE) < 0 ? -errno : 0;
        } while (r == -EEXIST && *number);
        return r;
}

/* Removes all files in the folder fd and calls folder() for each subfolder. Closes fd. *ret_had:
   the folder was not empty. */
static int each_name(int fd, int (*folder)(int fd, const char *name, void *user), void *user,
                bool *ret_had) {
        DIR *d = fdopendir(fd);
        struct dirent *e;
        int r = 0;

        *ret_had = false;
        if (!d) {
                r = -errno;
                close(fd);
                return r;
        }
        while (r >= 0 && (e = readdir(d))) {
                if (streq(e->d_name, ".") || streq(e->d_name, ".."))
                        continue;
                *ret_had = true;
                if (unlinkat(dirfd(d), e->d_name, 0) < 0 && errno != ENOENT)
                        r = errno == EISDIR || errno == EPERM ? folder(dirfd(d), e->d_name, user)
                                                              : -errno;
        }
        closedir(d);
        return r;
}

struct top {
        int fd;
        dev_t device;
        unsigned number;
};

static int entry_lift(int fd, const char *name, void *user) {
        struct top *top = user;

        return move_up(fd, name, top->fd, &top->number);
}

/* Empties and removes a folder of the top; subfolders move to the top and are emptied later. */
static int empty_one(int fd, const char *name, void *user) {
        struct top *top = user;
        int r = unlinkat(fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;

        for (int times = 0; r == -ENOTEMPTY && times < TIMES_MAX; times++) {
                bool had;
                int below = folder_open_private(fd, name, top->device);

                r = below < 0 ? below : each_name(below, entry_lift, top, &had);
                if (r >= 0)
                        r = unlinkat(fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
        }
        return r == -ENOENT ? 0 : r;
}

/* Repeats, because subfolders move to the top meanwhile. */
static int empty_top(struct top *top) {
        bool had = true;
        int r = 0;

        while (had && r >= 0) {
                int again = openat(top->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

                r = again < 0 ? -errno : each_name(again, empty_one, top, &had);
        }
        return r;
}

int folder_remove(int dir, const char *name) {
        struct top top = { 0 };
        struct stat st;
        int r;

        _cleanup_close_ int fd = folder_open_private(dir, name, 0);
        if (fd < 0)
                return fd == -ENOENT ? 0 : fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        top.fd = fd;
        top.device = st.st_dev;
        r = empty_top(&top);
        if (r >= 0 && unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
                r = -errno;
        return r;
}
