/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/hook_row.h"

#include "lib/child.h"
#include "lib/process.h"
#include "lib/trusted.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define LOOK        USEC_PER_SEC        /* interval at which a running program is checked */
#define KILLED_WAIT (10 * USEC_PER_SEC) /* maximum wait for a killed program to end */
#define FORK_WAIT   (30 * USEC_PER_SEC)
#define FORK_PAUSE  100   /* ms between two tries of fork() */
#define LINES_MAX   65536 /* maximum lines of the file, which has one per program */

/* ---- the file ---- */

static int hook_folder_sync(const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1)
                                            : xstrdup(".");
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

int hook_sync(const char *path) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

        return fd < 0 || fsync(fd) < 0 ? -errno : hook_folder_sync(path);
}

/* Writes a line by a single write(): readers see the whole line or none. */
static int hook_note_write(int fd, const char *what, pid_t pid) {
        char line[128], boot[BOOT_ID_SIZE];

        boot_id(boot);
        snprintf(line, sizeof line, "@%s %.40s %d %llu\n", what, boot, (int)pid,
                        (unsigned long long)process_start(pid, false));
        return fd_write(fd, line, strlen(line));
}

int hook_begin(const char *path, bool durable, struct fail *fail) {
        _cleanup_close_ int fd = open(path,
                        O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        int r = fd < 0 ? -errno : hook_note_write(fd, "runner", getpid());

        if (r >= 0 && durable)
                r = fsync(fd) < 0 ? -errno : hook_folder_sync(path);
        return r < 0 ? fail_set(fail, r, "cannot make %s: %s", path, strerror(-r)) : TAKE_FD(fd);
}

int hook_end(int fd, bool durable, bool ok, const char *text) {
        const char *result = ok ? "ok" : text;
        int r = fd_write(fd, result, strlen(result));

        return r >= 0 && durable && fsync(fd) < 0 ? -errno : r;
}

static bool parse_note(const char *line, const char *boot, struct hook_result *ret) {
        unsigned long long start;
        char what[16], of[64];
        int pid;

        if (sscanf(line, "@%15s %63s %d %llu", what, of, &pid, &start) != 4 || pid <= 1)
                return false;
        ret->same_boot = streq(of, boot);
        if (streq(what, "runner")) {
                ret->runner = pid;
                ret->runner_start = start;
        } else {
                ret->program = pid;
                ret->program_start = start;
        }
        return true;
}

int hook_read(const char *path, struct hook_result *ret) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_free_ char *text = xmalloc(LINES_MAX + HOOK_RESULT_MAX);
        char boot[BOOT_ID_SIZE];
        size_t size = 0;
        ssize_t n;

        *ret = (struct hook_result){ 0 };
        if (fd < 0)
                return -errno;
        while ((n = read(fd, text + size, LINES_MAX + HOOK_RESULT_MAX - 1 - size)) > 0)
                size += (size_t)n;
        if (n < 0)
                return -errno;
        text[size] = 0;
        boot_id(boot);
        const char *p = text;
        for (const char *end; *p == '@' && (end = strchr(p, '\n')); p = end + 1)
                (void)parse_note(p, boot, ret);
        ret->ended = *p && *p != '@';
        snprintf(ret->text, sizeof ret->text, "%s", ret->ended ? p : "");
        return 0;
}

/* ---- a program that its runner has left ---- */

/* The process group's number is not reused while a process of the group runs. After the leader's
   end another process may have the number: its start time tells. */
bool hook_left_end(const struct hook_result *result) {
        uint64_t start = result->program ? process_start(result->program, false) : 0;

        if (!result->same_boot || result->program <= 1 || (start && start != result->program_start))
                return true;
        return kill(-result->program, SIGKILL) < 0 && errno == ESRCH;
}

/* ---- the runner ---- */

/* Retries while the machine has no free process (EAGAIN). */
static pid_t fork_in_time(void) {
        usec_t until = now_monotonic() + FORK_WAIT;

        for (;;) {
                pid_t pid = fork();

                if (pid >= 0 || errno != EAGAIN || now_monotonic() >= until)
                        return pid;
                (void)poll(NULL, 0, FORK_PAUSE);
        }
}

pid_t hook_fork(const struct hook_row *row, struct fail *fail) {
        struct sigaction action = { .sa_handler = SIG_DFL };
        pid_t runner = getpid(), pid = fork_in_time();
        sigset_t none;

        if (pid < 0)
                return fail_set(fail, -errno, "cannot fork: %s", strerror(errno));
        if (pid > 0) {
                /* parent and child both call setpgid(): either may be first */
                (void)setpgid(pid, pid);
                return pid;
        }
        (void)setpgid(0, 0);
        /* If the runner is killed before this line is written, readers judge by earlier lines: the
           program must not start then. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
                        hook_note_write(row->fd, "program", getpid()) < 0 || getppid() != runner)
                _exit(127);
        for (int i = 1; i < NSIG; i++)
                (void)sigaction(i, &action, NULL);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        return 0;
}

/* Returns 1: the program has ended; 0: timeout; -EINTR: stopped. Time in which the runner itself is
   frozen (with the job) does not count: each check counts at most its own length. */
static int hook_pid_await(const struct hook_row *row, pid_t pid, int pidfd, usec_t left,
                bool may_stop, int *ret_status) {
        struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
                { .fd = may_stop ? row->stop_fd : -1, .events = POLLIN } };

        for (;;) {
                pid_t ended = waitpid(pid, ret_status, WNOHANG);
                usec_t look = MIN(left, LOOK), since = now_monotonic();

                if (ended == pid || (ended < 0 && errno == ECHILD))
                        return 1;
                if (left == 0)
                        return 0;
                if (fds[1].revents)
                        return -EINTR;
                (void)poll(fds, 2, (int)(look / USEC_PER_MSEC + 1));
                left -= MIN(look, now_monotonic() - since);
        }
}

int hook_await(const struct hook_row *row, pid_t pid, const char *what, int *ret_status,
                struct fail *fail) {
        usec_t left = row->timeout ? row->timeout : USEC_INFINITY;
        _cleanup_close_ int pidfd = pidfd_open(pid, 0);

        *ret_status = 0;
        int r = pidfd < 0 ? -errno : hook_pid_await(row, pid, pidfd, left, true, ret_status);
        (void)kill(-pid, SIGKILL); /* processes left behind in the group, as in Slurm */
        if (r > 0)
                return 0;
        (void)hook_pid_await(row, pid, pidfd, KILLED_WAIT, false, ret_status);
        if (r == -EINTR)
                return fail_set(fail, r, "%.300s was ended with its job", what);
        if (r < 0)
                return fail_set(fail, r, "%.300s cannot be watched: %s", what, strerror(-r));
        return fail_set(fail, -ETIMEDOUT, "%.300s took longer than its timeout of %llu s", what,
                        (unsigned long long)(row->timeout / USEC_PER_SEC));
}

static void hook_exec(const struct hook_row *row, const char *path, int report) {
        char *argv[] = { (char *)(uintptr_t)path, NULL };
        int null = open("/dev/null", O_RDWR);

        if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0)
                execve(path, argv, row->environment);
        int e = errno;
        (void)!write(report, &e, sizeof e);
        _exit(127);
}

static int hook_start(const struct hook_row *row, const char *path, pid_t *ret, struct fail *fail) {
        int fds[2], e = 0;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "%.300s cannot be started: %s", path,
                                strerror(errno));
        pid_t pid = hook_fork(row, fail);
        if (pid == 0)
                hook_exec(row, path, fds[1]);
        close(fds[1]);
        ssize_t n = pid < 0 ? 0 : read(fds[0], &e, sizeof e);
        close(fds[0]);
        if (pid < 0)
                return (int)pid;
        *ret = pid;
        if (n != sizeof e)
                return 0;
        (void)waitpid(pid, NULL, 0);
        return fail_set(fail, -e, "%.300s cannot be started: %s", path, strerror(e));
}

static int hook_run_program(const struct hook_row *row, const char *path, struct fail *fail) {
        int status = 0, r = trusted_program(path, fail);
        pid_t pid = 0;

        if (r >= 0)
                r = hook_start(row, path, &pid, fail);
        if (r >= 0)
                r = hook_await(row, pid, path, &status, fail);
        if (r < 0)
                return r;
        if (WIFSIGNALED(status))
                return fail_set(fail, -ECHILD, "%.200s ended with signal %d", path,
                                WTERMSIG(status));
        if (WEXITSTATUS(status))
                return fail_set(fail, -ECHILD, "%.200s ended with exit status %d", path,
                                WEXITSTATUS(status));
        return 0;
}

static int path_by_name_reversed(const void *a, const void *b) {
        return strcmp(*(char *const *)b, *(char *const *)a);
}

int hook_run_row(const struct hook_row *row, struct fail *fail) {
        glob_t found = { 0 };
        int r = 0;

        for (size_t i = 0; i < row->n_files && r >= 0; i++) {
                /* a path without a pattern matches itself; if missing, its start fails */
                int e = glob(row->files[i], GLOB_NOMAGIC | GLOB_ERR | (i ? GLOB_APPEND : 0), NULL,
                                &found);
                if (e && e != GLOB_NOMATCH)
                        r = fail_set(fail, -EIO, "%.200s cannot be read", row->files[i]);
        }
        list_sort(found.gl_pathv, found.gl_pathc, sizeof found.gl_pathv[0], path_by_name_reversed);
        for (size_t i = 0; i < found.gl_pathc && r >= 0; i++)
                r = hook_run_program(row, found.gl_pathv[i], fail);
        globfree(&found);
        return r;
}
