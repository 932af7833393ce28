/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/places/container.h"

#include "lib/child.h"
#include "lib/process.h"
#include "lib/trusted.h"
#include "lib/wordlist.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#define INIT_TIME (60 * USEC_PER_SEC)
/* Files in a job's folder: the running init script's process, and the mark of a job being ended */
#define INIT "init"
#define ENDS "ends"
#define GONE ".gone-"
#define SHM  "/dev/shm"

/* ---- paths that only root can change ---- */

/* Checks that path and the folders above have no links, belong to root, and that only root
   may change root's entries. own: only root may write to path; else path may be like /tmp,
   or a user's. */
static int container_check_folder(const char *path, bool own, struct fail *fail) {
        _cleanup_free_ char *copy = xasprintf("%s/", path);
        struct stat st;

        for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
                bool last = !p[1];
                *p = 0;
                if (lstat(copy, &st) < 0)
                        return fail_set(fail, -errno, "%s: %s", copy, strerror(errno));
                bool sticky = st.st_mode & S_ISVTX && !(last && own);
                bool others = st.st_uid != 0 || (st.st_mode & 022 && !sticky);
                if (!S_ISDIR(st.st_mode))
                        return fail_set(fail, -ENOTDIR, "%s is not a folder", copy);
                if (others && (!last || own))
                        return fail_set(fail, -EPERM, "%s can be changed by others than root",
                                        copy);
                *p = '/';
        }
        return 0;
}

/* Checks that root has made the folder, as container_open() and open_private() do. */
static int container_check_own(int fd) {
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        return S_ISDIR(st.st_mode) && st.st_uid == 0 ? 0 : -EPERM;
}

/* ---- in the new namespace ---- */

/* Opens a private folder of the job, made if missing, owned by root with mode 1777. Returns the
   descriptor. */
static int open_private(int folder, const char *name) {
        if (mkdirat(folder, name, 0700) < 0 && errno != EEXIST)
                return -errno;
        int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int r = fd < 0 ? -errno : container_check_own(fd);
        if (r >= 0 && fchmod(fd, 01777) < 0)
                r = -errno;
        if (r < 0 && fd >= 0)
                close(fd);
        return r < 0 ? r : fd;
}

/* Mounts the private folder over dir. Like the hidden /tmp the folder is not the user's own, as
   root's programs (sshd of a session) work there, too. The job's folder admits only root. */
static int mount_private(const struct container *c, int folder, const char *dir, unsigned number,
                struct fail *fail) {
        char name[32], source[64];
        int r = container_check_folder(dir, false, fail);

        if (r < 0)
                return r;
        if (streq(dir, SHM)) {
                r = mount("tmpfs", dir, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
        } else {
                snprintf(name, sizeof name, "dir%u", number);
                _cleanup_close_ int fd = open_private(folder, name);
                if (fd < 0)
                        return fail_set(fail, fd, "%s/%s: %s", c->path, name, strerror(-fd));
                snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
                r = mount(source, dir, NULL, MS_BIND, NULL);
        }
        return r < 0 ? fail_set(fail, -errno, "cannot mount %s: %s", dir, strerror(errno)) : 0;
}

static bool is_ending(int folder) {
        return faccessat(folder, ENDS, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Writes the file for container_interrupt(); if that fails, the script runs to its end. */
static void note_init(int folder, pid_t pid) {
        _cleanup_close_ int fd = openat(folder, INIT,
                        O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd >= 0)
                (void)dprintf(fd, "%d %" PRIu64 "\n", (int)pid, process_start(pid, true));
}

static int run_init(const struct container *c, int folder, struct fail *fail) {
        char *argv[] = { (char *)(uintptr_t)c->init_script, NULL };
        const struct child_program program = { .program = c->init_script,
                .argv = argv,
                .output = CHILD_NOTHING,
                .error = STDERR_FILENO,
                .input = CHILD_NOTHING };
        usec_t until = now_monotonic() + INIT_TIME;
        int status = 0, r = trusted_program(c->init_script, fail);
        pid_t pid = 0, ended = 0;

        if (r >= 0)
                r = child_start_with(&program, c->environment, &pid, fail);
        if (r < 0)
                return r;
        note_init(folder, pid);
        if (is_ending(folder)) /* marked meanwhile, maybe before the file was written */
                (void)kill(-pid, SIGKILL);
        while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && now_monotonic() < until)
                (void)poll(NULL, 0, 5);
        (void)unlinkat(folder, INIT, 0);
        (void)kill(-pid, SIGKILL);
        if (status && is_ending(folder))
                return fail_set(fail, -ECANCELED, "the job is being ended");
        if (ended == 0)
                return fail_set(fail, -ETIMEDOUT, "%s took longer than 60 s", c->init_script);
        return status ? fail_set(fail, -ECHILD, "%s failed", c->init_script) : 0;
}

static int make_inside(const struct container *c, struct fail *fail) {
        unsigned long how = MS_REC | (c->shared ? MS_SLAVE : MS_PRIVATE);
        unsigned number = 0;

        if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, how, NULL) < 0)
                return fail_set(fail, -errno, "no mount namespace is to be had: %s",
                                strerror(errno));
        /* opened in the new namespace, before a mount hides the path */
        _cleanup_close_ int folder = open(c->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0)
                return fail_set(fail, -errno, "%s: %s", c->path, strerror(errno));
        for_each_word(d, c->dirs, ",") {
                int r = mount_private(c, folder, d, number++, fail);
                if (r < 0)
                        return r;
        }
        return isempty(c->init_script) ? 0 : run_init(c, folder, fail);
}

/* ---- in the step daemon ---- */

/* Makes the namespace, writes "ok" or the error to line, and waits until line is closed. */
_Noreturn static void container_run_child(const struct container *c, int line) {
        struct fail fail = { 0 };
        sigset_t none;
        char byte;

        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)umask(022);
        const char *text = make_inside(c, &fail) < 0 ? fail.text : "ok";
        if (write(line, text, strlen(text)) < 0)
                _exit(1);
        (void)!read(line, &byte, 1);
        _exit(0);
}

static bool is_namespace(int fd) {
        struct statfs fs;

        return fd >= 0 && fstatfs(fd, &fs) >= 0 && fs.f_type == NSFS_MAGIC;
}

/* Mounts the child's namespace at ns. */
static int container_mount_namespace(const struct container *c, pid_t pid, int folder,
                struct fail *fail) {
        char source[64], target[64];
        _cleanup_close_ int fd = openat(folder, "ns", O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                        0400);

        snprintf(source, sizeof source, "/proc/%d/ns/mnt", (int)pid);
        snprintf(target, sizeof target, "/proc/self/fd/%d", fd);
        if (fd < 0 || mount(source, target, NULL, MS_BIND, NULL) < 0)
                return fail_set(fail, -errno, "cannot keep the namespace at %s/ns: %s", c->path,
                                strerror(errno));
        return 0;
}

static int container_make(const struct container *c, int folder, struct fail *fail) {
        char text[sizeof fail->text] = "";
        int fds[2], r = 0;

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        _cleanup_close_ int ours = fds[0];
        pid_t pid = fork();
        if (pid == 0) {
                close(ours); /* keeps the end of the line visible to the child */
                container_run_child(c, fds[1]);
        }
        close(fds[1]);
        if (pid < 0)
                return fail_set(fail, -errno, "cannot fork: %s", strerror(errno));
        ssize_t n = read(ours, text, sizeof text - 1);
        if (n <= 0)
                r = fail_set(fail, -EIO, "the process that makes the namespace was killed");
        else if (!streq(text, "ok"))
                r = fail_set(fail, -EIO, "%s", text);
        else
                r = container_mount_namespace(c, pid, folder, fail);
        close(TAKE_FD(ours));
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                ;
        return r;
}

int container_open(const struct container *c, int *ret, struct fail *fail) {
        if (mkdir(c->path, 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "job container: cannot make %s: %s", c->path,
                                strerror(errno));
        _cleanup_close_ int folder = open(c->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int r = folder < 0 ? -errno : container_check_own(folder);
        if (r < 0)
                return fail_set(fail, r, "job container: %s: %s", c->path, strerror(-r));
        if (flock(folder, LOCK_EX) < 0) /* waits for other step daemons of the job */
                return fail_set(fail, -errno, "job container: %s: %s", c->path, strerror(errno));
        int ns = openat(folder, "ns", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (is_namespace(ns)) {
                *ret = ns;
                return 0;
        }
        if (ns >= 0)
                close(ns);
        if (is_ending(folder))
                r = fail_set(fail, -ECANCELED, "the job is being ended");
        else
                r = container_make(c, folder, fail);
        if (r < 0)
                return fail_prefix(fail, r, "job container");
        ns = openat(folder, "ns", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (ns < 0)
                return fail_set(fail, -errno, "job container: %s/ns: %s", c->path, strerror(errno));
        *ret = ns;
        return 0;
}

int container_enter(int ns) {
        return setns(ns, CLONE_NEWNS) < 0 ? -errno : 0;
}

/* ---- slumberd ---- */

static int container_make_folders(const char *path, struct fail *fail) {
        _cleanup_free_ char *copy = xasprintf("%s/", path);

        for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
                *p = 0;
                if (mkdir(copy, 0755) < 0 && errno != EEXIST)
                        return fail_set(fail, -errno, "cannot make %s: %s", copy, strerror(errno));
                *p = '/';
        }
        return 0;
}

static bool is_mounted(const char *path) {
        struct statx x;

        return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &x) >= 0 &&
               x.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* Returns whether the job's namespace is mounted or being made. */
static bool is_used(const char *path) {
        _cleanup_close_ int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_close_ int ns = folder < 0 ? -1
                                            : openat(folder, "ns", O_PATH | O_NOFOLLOW | O_CLOEXEC);

        return is_namespace(ns) ||
               (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK);
}

static bool is_of_job(const char *name, unsigned *job, unsigned *restarts) {
        int end = 0;

        return sscanf(name, "%u-%u%n", job, restarts, &end) == 2 && !name[end];
}

static bool base_has_jobs(const char *base) {
        DIR *dir = opendir(base);
        unsigned job, restarts;
        bool found = false;

        for (struct dirent *e; dir && !found && (e = readdir(dir));) {
                _cleanup_free_ char *path = xasprintf("%s/%s", base, e->d_name);
                found = is_of_job(e->d_name, &job, &restarts) && is_used(path);
        }
        if (dir)
                closedir(dir);
        return found;
}

/* Writes node as the owner of the jobs in BASE; refused while jobs of another node are there. */
static int base_write_owner(int fd, const char *base, const char *node, struct fail *fail) {
        _cleanup_free_ char *line = xasprintf("%s\n", node);
        size_t size = strlen(line);
        char had[512];
        ssize_t n = pread(fd, had, sizeof had - 1, 0);

        had[MAX(n, 0)] = 0;
        had[strcspn(had, "\n")] = 0;
        if (n >= 0 && streq(had, node))
                return 0;
        if (n > 0 && base_has_jobs(base))
                return fail_set(fail, -EBUSY,
                                "BasePath of job_container.conf: %s has folders of jobs of node %s; "
                                "with %%n in it each slumberd of a host has its own",
                                base, had);
        if (n >= 0) /* the line first: slumberd may be killed before ftruncate() */
                n = pwrite(fd, line, size, 0);
        if (n < 0 || (size_t)n != size || ftruncate(fd, (off_t)size) < 0)
                return fail_set(fail, n < 0 ? -errno : -ENOSPC, "cannot write %s/.lock: %s", base,
                                strerror(n < 0 ? errno : ENOSPC));
        return 0;
}

/* The process holds the lock, not child processes outliving slumberd. */
int container_lock(const char *base, const char *node, int *ret, struct fail *fail) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        _cleanup_free_ char *path = xasprintf("%s/.lock", base);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0)
                return fail_set(fail, -errno, "cannot open %s: %s", path, strerror(errno));
        if (fcntl(fd, F_SETLK, &whole) < 0)
                return fail_set(fail, errno == EACCES || errno == EAGAIN ? -EBUSY : -errno,
                                "BasePath of job_container.conf: another slumberd of this host uses %s; "
                                "with %%n in it each has its own",
                                base);
        int r = base_write_owner(fd, base, node, fail);
        if (r >= 0)
                *ret = TAKE_FD(fd);
        return r;
}

int container_base(const char *base, const char *node, bool make_it, int *ret_lock,
                struct fail *fail) {
        int r = make_it ? container_make_folders(base, fail) : 0;

        if (r >= 0)
                r = container_check_folder(base, true, fail);
        if (r < 0)
                return fail_prefix(fail, r, "BasePath of job_container.conf");
        if (geteuid() != 0)
                return fail_set(fail, -EPERM,
                                "JobContainerType and NamespaceType: slumberd does not run as root");
        if (!is_mounted(base) && mount(base, base, NULL, MS_BIND, NULL) < 0)
                return fail_set(fail, -errno, "cannot mount %s: %s", base, strerror(errno));
        if (mount(NULL, base, NULL, MS_PRIVATE, NULL) < 0)
                return fail_set(fail, -errno, "cannot make %s private: %s", base, strerror(errno));
        return container_lock(base, node, ret_lock, fail);
}

/* Removes a folder, perhaps large, by a program following no links. */
static int start_removal(const char *path, pid_t *ret, struct fail *fail) {
        char *argv[] = { (char *)"rm", (char *)"-rf", (char *)"--one-file-system", (char *)"--",
                (char *)(uintptr_t)path, NULL };
        const struct child_program rm = { .program = "/bin/rm",
                .argv = argv,
                .output = CHILD_NOTHING,
                .error = STDERR_FILENO,
                .input = CHILD_NOTHING };

        return child_start(&rm, ret, fail);
}

/* The mark is written before the script is looked for: a script starting meanwhile writes its
   file first, then sees the mark. */
void container_interrupt(const char *path) {
        char text[64] = "";
        uint64_t start = 0;
        int pid = 0;

        (void)mkdir(path, 0700); /* keeps a step daemon from making the folder later */
        _cleanup_close_ int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0 || container_check_own(folder) < 0)
                return;
        _cleanup_close_ int mark = openat(folder, ENDS, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                        0600);
        _cleanup_close_ int fd = openat(folder, INIT, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || read(fd, text, sizeof text - 1) <= 0)
                return;
        if (sscanf(text, "%d %" SCNu64, &pid, &start) == 2 && pid > 1 &&
                        process_start(pid, false) == start)
                (void)kill(-pid, SIGKILL);
}

int container_end(const char *path, pid_t *ret_pid, struct fail *fail) {
        _cleanup_free_ char *ns = xasprintf("%s/ns", path), *gone = xstrdup(path);
        char *name = strrchr(gone, '/');

        *ret_pid = 0;
        (void)umount2(ns, MNT_DETACH | UMOUNT_NOFOLLOW);
        *name++ = 0;
        _cleanup_free_ char *to = xasprintf("%s/" GONE "%s", gone, name);
        if (rename(path, to) < 0)
                return errno == ENOENT ? 0
                                       : fail_set(fail, -errno, "cannot remove %s: %s", path,
                                                         strerror(errno));
        return start_removal(to, ret_pid, fail);
}

/* Returns whether container_open() has made the folder: other folders may have such a name. */
static bool folder_is_container(const char *path) {
        _cleanup_free_ char *ns = xasprintf("%s/ns", path);
        struct stat st;

        return lstat(path, &st) >= 0 && S_ISDIR(st.st_mode) && st.st_uid == 0 &&
               (st.st_mode & 07777) == 0700 && lstat(ns, &st) >= 0;
}

void container_clean(const char *base, bool (*known)(uint32_t job, uint32_t restarts, void *user),
                void (*started)(pid_t pid, void *user), void *user) {
        DIR *dir = opendir(base);

        for (struct dirent *e; dir && (e = readdir(dir));) {
                _cleanup_free_ char *path = xasprintf("%s/%s", base, e->d_name);
                struct fail fail = { 0 };
                unsigned job, restarts;
                pid_t pid = 0;

                if (strncmp(e->d_name, GONE, strlen(GONE)) == 0) {
                        (void)start_removal(path, &pid, &fail);
                } else if (is_of_job(e->d_name, &job, &restarts) && !known(job, restarts, user) &&
                                folder_is_container(path)) {
                        (void)container_end(path, &pid, &fail);
                }
                if (pid > 0)
                        started(pid, user);
        }
        if (dir)
                closedir(dir);
}
