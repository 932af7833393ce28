/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/trusted.h"

#include "lib/base.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* symbolic links on the way, as in the kernel */

static int trusted_walk(const char *path, uid_t owner, unsigned links, struct fail *fail);

static int trusted_check_owner(const char *path, const struct stat *st, uid_t owner,
                struct fail *fail) {
        bool may_be_written = st->st_mode & (S_IWGRP | S_IWOTH) && !S_ISLNK(st->st_mode) &&
                              !(S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX);

        if (st->st_uid != 0 && st->st_uid != geteuid() && st->st_uid != owner)
                return fail_set(fail, -EPERM, "%.200s belongs to user %u", path,
                                (unsigned)st->st_uid);
        if (may_be_written)
                return fail_set(fail, -EPERM, "%.200s may be written by its group or others", path);
        return 0;
}

/* Continues the walk behind the symbolic link link, followed by rest. */
static int trusted_follow_link(const char *link, const char *rest, uid_t owner, unsigned links,
                struct fail *fail) {
        _cleanup_free_ char *path = NULL;
        char target[PATH_MAX];
        ssize_t n = readlink(link, target, sizeof target - 1);

        if (n < 0)
                return fail_set(fail, -errno, "%.200s: %s", link, strerror(errno));
        if (links >= LINKS_MAX)
                return fail_set(fail, -ELOOP, "%.200s: %s", link, strerror(ELOOP));
        target[n] = 0;
        if (target[0] == '/')
                path = xasprintf("%s%s", target, rest);
        else
                path = xasprintf("%.*s/%s%s", (int)(strrchr(link, '/') - link), link, target, rest);
        return trusted_walk(path, owner, links + 1, fail);
}

/* Checks each prefix of path from the root on: an entry is checked after its folder is known to be
   safe. */
static int trusted_walk(const char *path, uid_t owner, unsigned links, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(path);
        struct stat st;

        if (lstat("/", &st) < 0)
                return -errno;
        int r = trusted_check_owner("/", &st, owner, fail);
        for (char *p = copy; r >= 0 && *p;) {
                p += strspn(p, "/");
                p += strcspn(p, "/");
                char end = *p;
                *p = 0;
                if (lstat(copy, &st) < 0)
                        return fail_set(fail, -errno, "%.200s: %s", copy, strerror(errno));
                r = trusted_check_owner(copy, &st, owner, fail);
                if (r >= 0 && S_ISLNK(st.st_mode))
                        return trusted_follow_link(copy, path + (p - copy), owner, links, fail);
                *p = end;
        }
        if (r < 0)
                return r;
        return S_ISREG(st.st_mode) ? 0
                                   : fail_set(fail, -EACCES, "%.200s is not a regular file", path);
}

int trusted_file(const char *path, uid_t owner, struct fail *fail) {
        assert(path);

        if (*path != '/')
                return fail_set(fail, -EINVAL, "%.200s is not an absolute path", path);
        return trusted_walk(path, owner, 0, fail);
}

int trusted_program(const char *path, struct fail *fail) {
        int r = trusted_file(path, 0, fail);

        if (r >= 0 && access(path, X_OK) < 0)
                return fail_set(fail, -EACCES, "%.200s is not executable", path);
        return r;
}
