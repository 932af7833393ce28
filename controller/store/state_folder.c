/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/store/state_folder.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>

struct state_folder {
        char *path, *lock_path;
        bool made_folder, made_lock; /* created by this process */
        int lock;
};

static const char *user_name(uid_t uid, char buf[static 32]) {
        const struct passwd *pw = getpwuid(uid);

        if (pw)
                return pw->pw_name;
        snprintf(buf, 32, "%u", (unsigned)uid);
        return buf;
}

/* The owner matters: the folder has the key for signing credentials, and users' scripts. */
static int folder_owner_check(const char *folder, const struct stat *st, struct fail *fail) {
        char owner[32], me[32];

        if (st->st_uid != geteuid() && st->st_uid != 0) {
                _cleanup_free_ char *name = xstrdup(user_name(st->st_uid, owner));
                return fail_set(fail, -EPERM,
                                "the state folder %s belongs to user %s, expected SlurmUser %s",
                                folder, name, user_name(geteuid(), me));
        }
        if (st->st_mode & 002)
                return fail_set(fail, -EPERM,
                                "the state folder %s has mode %04o: others must not write there "
                                "(chmod o-w)",
                                folder, st->st_mode & 07777);
        return 0;
}

static int no_folder(const char *folder, int error, struct fail *fail) {
        char me[32];

        if (error == EACCES)
                return fail_set(fail, -error,
                                "cannot make the state folder %s as user %s: make it for that user "
                                "(install -d -m 0700 -o %s %s)",
                                folder, user_name(geteuid(), me), user_name(geteuid(), me), folder);
        return fail_set(fail, -error, "cannot make the state folder %s: %s", folder,
                        strerror(error));
}

static int check_folder(struct state_folder *f, struct fail *fail) {
        const char *folder = f->path;
        struct stat st;
        char me[32];

        f->made_folder = mkdir(folder, 0700) >= 0;
        if (!f->made_folder && errno != EEXIST)
                return no_folder(folder, errno, fail);
        if (stat(folder, &st) < 0)
                return fail_set(fail, -errno, "cannot look at the state folder %s: %s", folder,
                                strerror(errno));
        if (!S_ISDIR(st.st_mode))
                return fail_set(fail, -ENOTDIR, "the state folder %s is not a folder", folder);
        int r = folder_owner_check(folder, &st, fail);
        if (r < 0)
                return r;
        /* Existing files could be opened, but the log could not be created. */
        if (faccessat(AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) < 0) {
                int error = errno;
                return fail_set(fail, -error, "cannot write in the state folder %s as user %s: %s",
                                folder, user_name(geteuid(), me), strerror(error));
        }
        return 0;
}

int state_file_open(const char *path, bool *ret_made) {
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        *ret_made = fd >= 0;
        return fd < 0 && errno == EEXIST ? open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : fd;
}

static int folder_in_use(int fd, const char *folder, struct fail *fail) {
        char pid[32] = "";

        ssize_t n = pread(fd, pid, sizeof pid - 1, 0);
        pid[n > 0 ? n : 0] = 0;
        pid[strspn(pid, "0123456789")] = 0;
        return fail_set(fail, -EBUSY, "another controller%s%s uses the state folder %s",
                        *pid ? ", process " : "", pid, folder);
}

/* Takes a POSIX lock, which forked children do not inherit: a child between fork and exec may
   outlive slumberctld. */
static int lock_folder(struct state_folder *f, struct fail *fail) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        const char *folder = f->path;
        bool made;
        char pid[32];

        _cleanup_close_ int fd = state_file_open(f->lock_path, &made);
        if (fd < 0)
                return fail_set(fail, -errno, "cannot open %s: %s", f->lock_path, strerror(errno));
        if (fcntl(fd, F_SETLK, &whole) < 0)
                return errno == EACCES || errno == EAGAIN
                                       ? folder_in_use(fd, folder, fail)
                                       : fail_set(fail, -errno, "cannot lock %s: %s", f->lock_path,
                                                         strerror(errno));
        f->made_lock = made;
        /* Only folder_in_use() reads the pid; a full disk must not prevent the start. */
        int n = snprintf(pid, sizeof pid, "%d\n", (int)getpid());
        if (ftruncate(fd, 0) == 0)
                (void)!pwrite(fd, pid, (size_t)n, 0);
        f->lock = TAKE_FD(fd);
        return 0;
}

int state_folder_open(const char *path, struct state_folder **ret, struct fail *fail) {
        _cleanup_(state_folder_abandonp) struct state_folder *f = xnew0(struct state_folder, 1);

        f->lock = -1;
        f->path = xstrdup(path);
        f->lock_path = xasprintf("%s/slumber.lock", path);
        int r = check_folder(f, fail);
        if (r >= 0)
                r = lock_folder(f, fail);
        if (r < 0)
                return r;
        *ret = TAKE(f);
        return 0;
}

const char *state_folder_path(const struct state_folder *f) {
        return f->path;
}

int state_folder_sync(const struct state_folder *f, struct fail *fail) {
        _cleanup_close_ int fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0 || fsync(fd) < 0)
                return fail_set(fail, -errno, "cannot sync the state folder %s: %s", f->path,
                                strerror(errno));
        return 0;
}

struct state_folder *state_folder_close(struct state_folder *f) {
        if (!f)
                return NULL;
        if (f->lock >= 0)
                close(f->lock);
        free(f->path);
        free(f->lock_path);
        free(f);
        return NULL;
}

struct state_folder *state_folder_abandon(struct state_folder *f) {
        if (f && f->made_lock)
                (void)unlink(f->lock_path);
        if (f && f->made_folder)
                (void)rmdir(f->path); /* fails if other files are in the folder */
        return state_folder_close(f);
}
