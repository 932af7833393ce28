/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A daemon's Unix socket listens before it is renamed to its final path. Clients find either the
 * former file, or a socket that answers, with its final permissions. */
#include "lib/conn/conn_private.h"
#include "lib/folder.h"
#include "lib/thread.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static int conn_unix_cannot_listen(int error, const char *path, struct fail *fail) {
        return fail_set(fail, -error, "cannot listen at %s: %s", path, strerror(error));
}

/* Returns 0: path is free; 1: socket of a killed daemon. Other files are an error. */
static int is_free(const struct sockaddr_un *address, struct fail *fail) {
        const char *path = address->sun_path;
        struct stat st;

        if (lstat(path, &st) < 0)
                return errno == ENOENT ? 0 : conn_unix_cannot_listen(errno, path, fail);
        if (!S_ISSOCK(st.st_mode))
                return fail_set(fail, -EEXIST, "cannot listen at %s: it exists and is not a socket",
                                path);

        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
                return conn_unix_cannot_listen(errno, path, fail);
        if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 || errno == EAGAIN)
                return fail_set(fail, -EADDRINUSE,
                                "cannot listen at %s: another process listens there", path);
        if (errno != ECONNREFUSED)
                return fail_set(fail, -errno, "cannot take over the socket %s: %s", path,
                                strerror(errno));
        return 1;
}

/* ---- the temporary name ---- */

#define BESIDE_DIGITS   7  /* "PATH.0a1b2c3"; a process ID before 0.2.0 */
#define BESIDE_OLD_SECS 60 /* maximum time between bind() and the final name */

static bool is_temporary_name(const char *name, const char *base) {
        size_t length = strlen(base);

        if (strncmp(name, base, length) != 0 || name[length] != '.')
                return false;
        size_t digits = strspn(name + length + 1, "0123456789abcdef");
        return digits > 0 && digits <= BESIDE_DIGITS && !name[length + 1 + digits];
}

/* Removes the temporary socket of a daemon killed before the rename. */
static void temporary_socket_remove(const char *dir, const char *name) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        struct stat st;
        int n = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", dir, name);

        if (n >= (int)sizeof address.sun_path || lstat(address.sun_path, &st) < 0 ||
                        st.st_mtime + BESIDE_OLD_SECS > time(NULL))
                return;
        if (is_free(&address, NULL) == 1)
                (void)unlink(address.sun_path);
}

static void remove_all_left(const char *path) {
        const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
        _cleanup_free_ char *dir = slash ? xstrndup(path, MAX((size_t)(slash - path), (size_t)1))
                                         : xstrdup(".");
        char **names = folder_list(dir, false);

        for (size_t i = 0; names[i]; i++) {
                if (is_temporary_name(names[i], base))
                        temporary_socket_remove(dir, names[i]);
                free(names[i]);
        }
        free(names);
}

/* Makes a random name: process IDs of daemons in two containers may be equal. */
static void name_beside(struct sockaddr_un *beside, const char *path, size_t longest) {
        unsigned random = 0;

        (void)getrandom(&random, sizeof random, 0);
        snprintf(beside->sun_path, sizeof beside->sun_path, "%.*s.%0*x", (int)longest, path,
                        BESIDE_DIGITS, random & 0xfffffffu);
}

struct binding {
        int fd;
        mode_t mode;
        const struct sockaddr_un *address;
};

/* Runs in a child process: the umask belongs to the whole process, whose other threads create
   files. The mode set before bind() is the path's mode from the start; no path is opened that the
   folder's owner could replace. */
static void bind_it(void *user) {
        const struct binding *b = user;

        (void)umask(0);
        bool bound = fchmod(b->fd, b->mode) == 0 &&
                     bind(b->fd, (const struct sockaddr *)b->address, sizeof *b->address) == 0;
        _exit(bound ? 0 : errno);
}

/* Returns the negative errno from the child's exit code. */
static int bind_in_child(int fd, const struct sockaddr_un *address, mode_t mode) {
        struct binding b = { .fd = fd, .mode = mode, .address = address };
        pid_t pid = thread_fork(bind_it, &b);
        int status, r;

        if (pid < 0)
                return (int)pid;
        do
                r = waitpid(pid, &status, 0) < 0 ? -errno : 0;
        while (r == -EINTR);
        if (r < 0)
                return r;
        return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

/* Gives the socket its path; of two daemons starting at once, only one succeeds. left: replaces an
   abandoned socket. */
static int take_name(const char *from, const char *path, bool left) {
        if (left)
                return rename(from, path) < 0 ? -errno : 0;
        int r = link(from, path) < 0 ? -errno : 0;
        (void)unlink(from);
        return r == -EEXIST ? -EADDRINUSE : r;
}

int unix_listen(const char *path, mode_t mode, int backlog, struct fail *fail) {
        struct sockaddr_un address = { .sun_family = AF_UNIX }, beside = address;
        const size_t longest = sizeof address.sun_path - sizeof "." - BESIDE_DIGITS;

        if (strlen(path) > longest)
                return fail_set(fail, -ENAMETOOLONG,
                                "cannot listen at %s: the path is longer than %zu bytes", path,
                                longest);
        strcpy(address.sun_path, path);
        int left = is_free(&address, fail);
        if (left < 0)
                return left;

        remove_all_left(path);
        name_beside(&beside, path, longest);
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        int r = fd < 0 ? -errno : bind_in_child(fd, &beside, mode);
        if (r < 0) /* a name used by others stays */
                return conn_unix_cannot_listen(-r, path, fail);
        if (listen(fd, backlog) < 0)
                r = -errno;
        if (r >= 0)
                r = take_name(beside.sun_path, path, left);
        if (r >= 0)
                return TAKE_FD(fd);
        (void)unlink(beside.sun_path);
        return conn_unix_cannot_listen(-r, path, fail);
}
