/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records the serial consoles of booting nodes by Serial over LAN.
 *
 * A child process records, for each node that is really about to be switched on: it outlives the
 * program that switched the nodes on, and the library has threads of its own. Each console is a
 * socket: EOF means that the connection failed or was lost; the child reconnects after growing
 * pauses, but not after a refused password.
 *
 * DIR/NODE.log is replaced when recording starts; the writer holds a lock on the file. If a later
 * process replaces the file, the earlier process continues with its console in the new file and
 * locks the new file: a second session would cost one of the two its console, and the node's first
 * output. Only if the earlier process does not do so, because its console is not connected, does
 * the later process connect. */
#include <ipmiconsole.h>

#include "power/power.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define FDS_PER_CONSOLE 7 /* the library's six and the file */
#define FDS_BESIDE      32
#define MANY            64 /* more engine threads from this number of consoles on */
#define ENGINE_THREADS  8
#define SESSION_TIMEOUT 45000 /* ms */
#define KEEPALIVE                                                                                  \
        10000 /* ms: shorter than both sides' session time-outs, or a quiet console reconnects */
#define RETRANSMIT  500
#define BACKOFF_MIN (1 * USEC_PER_SEC)
#define BACKOFF_MAX (30 * USEC_PER_SEC)
/* Interval of checks for retries, replaced files and the end. */
#define LOOK_AROUND (500 * USEC_PER_MSEC)
/* Time for an earlier process to take over the new file; inotify tells at once. */
#define OFFER_WAIT (500 * USEC_PER_MSEC)
#define OFFER_POLL (10 * USEC_PER_MSEC)
#define LIMIT_NOTE "\r\n[slumber-power: max_bytes reached, the rest is not kept]\r\n"

struct console {
        const struct power_bmc *bmc;
        ipmiconsole_ctx_t ctx;
        int fd, file;
        bool wanted, up, told, over; /* over: not to be connected again */
        usec_t until, retry, backoff;
        usec_t offered; /* time limit for an earlier process's takeover; 0: own file */
        uint64_t bytes;
};
struct capture {
        const struct power_conf *conf;
        struct console *consoles;
        size_t n;
        int dir;
        int parent; /* indices arrive and are returned here; -1: parent is gone */
        int watch;  /* inotify: a file in dir was replaced */
};

/* ---- files ---- */

static int lock_file(int fd, int how) {
        struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

        if (fcntl(fd, how, &whole) < 0)
                return -errno;
        return whole.l_type != F_UNLCK; /* F_OFD_GETLK: another process has the lock */
}

static int take_file(int fd) {
        return MIN(lock_file(fd, F_OFD_SETLK), 0);
}

static bool console_file_is_taken(int fd) {
        return fd >= 0 && lock_file(fd, F_OFD_GETLK) > 0;
}

/* Creates and renames a new file in one step; processes with the old file open keep it. Locks the
   file unless a process exists that may take it over. */
static int console_open_file(struct capture *cap, const char *node, bool *ret_offer) {
        _cleanup_free_ char *name = xasprintf("%s.log", node),
                            *fresh = xasprintf(".%s.log.%d", node, (int)getpid());
        _cleanup_close_ int old = openat(cap->dir, name,
                        O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        _cleanup_close_ int fd = -1;

        *ret_offer = console_file_is_taken(old);
        unlinkat(cap->dir, fresh, 0);
        fd = openat(cap->dir, fresh,
                        O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
        if (fd < 0 || fchmod(fd, 0640) < 0)
                return -errno;
        if (!*ret_offer)
                /* File systems without locks: assume no other process. */
                (void)take_file(fd);
        if (renameat(cap->dir, fresh, cap->dir, name) < 0)
                return -errno;
        return TAKE_FD(fd);
}

static bool still_ours(const struct capture *cap, const struct console *c) {
        _cleanup_free_ char *name = xasprintf("%s.log", c->bmc->node);
        struct stat named, open_one;

        return fstatat(cap->dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
               fstat(c->file, &open_one) == 0 && named.st_dev == open_one.st_dev &&
               named.st_ino == open_one.st_ino;
}

/* ---- one console ---- */

static void console_report(struct capture *cap, struct console *c) {
        uint32_t i = (uint32_t)(c - cap->consoles);

        if (c->told)
                return;
        c->told = true;
        /* The parent may be gone: its wait is limited. */
        if (cap->parent >= 0 && send(cap->parent, &i, sizeof i, MSG_NOSIGNAL) < 0)
                return;
}

static void console_disconnect(struct console *c) {
        if (c->fd >= 0)
                close(c->fd); /* the library never closes */
        c->fd = -1;
        if (c->ctx)
                ipmiconsole_ctx_destroy(c->ctx);
        c->ctx = NULL;
        c->up = false;
}

static void console_give_up(struct capture *cap, struct console *c) {
        console_disconnect(c);
        c->over = true;
        console_report(cap, c);
        if (c->file >= 0)
                close(c->file);
        c->file = -1;
}

static bool worth_retrying(int error) {
        return error != IPMICONSOLE_ERR_USERNAME_INVALID &&
               error != IPMICONSOLE_ERR_PASSWORD_INVALID &&
               error != IPMICONSOLE_ERR_SOL_UNAVAILABLE &&
               error != IPMICONSOLE_ERR_PRIVILEGE_LEVEL_INSUFFICIENT;
}

static void console_lost(struct capture *cap, struct console *c) {
        int error = c->ctx ? ipmiconsole_ctx_errnum(c->ctx) : 0;

        console_disconnect(c);
        console_report(cap, c);
        if (!worth_retrying(error))
                c->over = true;
        c->backoff = c->backoff ? MIN(c->backoff * 2, BACKOFF_MAX) : BACKOFF_MIN;
        c->retry = now_monotonic() + c->backoff;
}

static void connect_console(struct capture *cap, struct console *c) {
        const struct power_access *a = c->bmc->access;
        struct ipmiconsole_ipmi_config ipmi = {
                .username = a->user,
                .password = a->password,
                .privilege_level = IPMICONSOLE_PRIVILEGE_ADMIN,
                .cipher_suite_id = (int)a->cipher_suite,
                /* Chassis workarounds have equal bits here. */
                .workaround_flags = a->workarounds | cap->conf->console.workarounds,
        };
        struct ipmiconsole_protocol_config protocol = {
                .session_timeout_len = SESSION_TIMEOUT,
                .retransmission_timeout_len = RETRANSMIT,
                .retransmission_backoff_count = -1,
                .keepalive_timeout_len = KEEPALIVE,
                .retransmission_keepalive_timeout_len = -1,
                .acceptable_packet_errors_count = -1,
                .maximum_retransmission_count = -1,
        };
        struct ipmiconsole_engine_config engine = {
                .engine_flags = IPMICONSOLE_ENGINE_OUTPUT_ON_SOL_ESTABLISHED
        };

        c->ctx = ipmiconsole_ctx_create(c->bmc->address, &ipmi, &protocol, &engine);
        if (!c->ctx || ipmiconsole_engine_submit(c->ctx, NULL, NULL) < 0) {
                console_lost(cap, c);
                return;
        }
        c->fd = ipmiconsole_ctx_fd(c->ctx);
        if (c->fd < 0 || fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK) < 0)
                console_lost(cap, c);
}

static int console_write(struct capture *cap, struct console *c, const char *data, size_t size) {
        uint64_t room = cap->conf->console.max_bytes - c->bytes;
        size_t n = MIN(size, room);

        int r = fd_write(c->file, data, n);
        c->bytes += n;
        if (r < 0 || n == size)
                return r;
        fd_write(c->file, LIMIT_NOTE, strlen(LIMIT_NOTE));
        return -EFBIG;
}

static void console_receive(struct capture *cap, struct console *c) {
        char data[4096];
        ssize_t n = read(c->fd, data, sizeof data);
        size_t skip = 0;

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n <= 0) {
                console_lost(cap, c);
                return;
        }
        if (!c->up && data[0] == '\0') { /* sent by the library when the console is connected */
                c->up = true;
                c->backoff = 0;
                skip = 1;
                console_report(cap, c);
        }
        if (console_write(cap, c, data + skip, (size_t)n - skip) < 0)
                console_give_up(cap, c);
}

/* ---- all consoles ---- */

static void console_capture(struct capture *cap, struct console *c) {
        c->wanted = true;
        c->until = now_monotonic() + cap->conf->console.seconds;
        bool offer;
        c->file = console_open_file(cap, c->bmc->node, &offer);
        if (c->file < 0)
                console_give_up(cap, c);
        else if (offer)
                c->offered = now_monotonic() + OFFER_WAIT;
        else
                connect_console(cap, c);
}

/* Ends the offer when the earlier process has taken over; connects if it does not in time. */
static void look_at_offer(struct capture *cap, struct console *c) {
        if (!console_file_is_taken(c->file)) {
                if (now_monotonic() < c->offered)
                        return;
                if (take_file(c->file) >= 0) {
                        c->offered = 0;
                        connect_console(cap, c);
                        return;
                }
        }
        c->offered = 0;
        console_give_up(cap, c); /* tells the parent, too, that recording works */
}

/* Continues in a file replaced by another process, if the own console is connected. */
static bool console_take_over(struct capture *cap, struct console *c) {
        _cleanup_free_ char *name = xasprintf("%s.log", c->bmc->node);
        _cleanup_close_ int fd = -1;

        if (!c->up)
                return false;
        fd = openat(cap->dir, name, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0 || take_file(fd) < 0)
                return false;
        close(c->file);
        c->file = TAKE_FD(fd);
        c->bytes = 0;
        c->until = now_monotonic() + cap->conf->console.seconds;
        return true;
}

/* Handles the parent's requests. Consoles beyond the limit of open files are reported as failed. */
static void take_wishes(struct capture *cap) {
        uint32_t i;
        ssize_t n;

        while ((n = recv(cap->parent, &i, sizeof i, MSG_DONTWAIT)) == sizeof i) {
                if (i < cap->n && !cap->consoles[i].wanted)
                        console_capture(cap, &cap->consoles[i]);
                else if (send(cap->parent, &i, sizeof i, MSG_NOSIGNAL) < 0)
                        break;
        }
        if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
                close(cap->parent);
                cap->parent = -1;
        }
}

/* Checks time limits, replaced files and retries; returns whether work is left. */
static bool console_check_all(struct capture *cap) {
        bool alive = cap->parent >= 0;
        usec_t now = now_monotonic();

        for (size_t i = 0; i < cap->n; i++) {
                struct console *c = &cap->consoles[i];
                if (!c->wanted || c->over)
                        continue;
                if (now >= c->until || (!still_ours(cap, c) && !console_take_over(cap, c)))
                        console_give_up(cap, c);
                else if (!c->offered && !c->ctx && now >= c->retry)
                        connect_console(cap, c);
                alive = alive || !c->over;
        }
        return alive;
}

static bool look_at_offers(struct capture *cap) {
        bool waiting = false;

        for (size_t i = 0; i < cap->n; i++) {
                struct console *c = &cap->consoles[i];
                if (c->offered)
                        look_at_offer(cap, c);
                waiting = waiting || c->offered;
        }
        return waiting;
}

static bool something_replaced(const struct capture *cap) {
        char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
        bool any = false;

        while (cap->watch >= 0 && read(cap->watch, events, sizeof events) > 0)
                any = true;
        return any;
}

static void console_loop(struct capture *cap) {
        _cleanup_free_ struct pollfd *fds = xnew0(struct pollfd, cap->n + 2);
        usec_t looked = 0;

        for (;;) {
                usec_t now = now_monotonic();
                if (something_replaced(cap) || now >= looked + LOOK_AROUND) {
                        looked = now;
                        if (!console_check_all(cap))
                                return;
                }
                for (size_t i = 0; i < cap->n; i++)
                        fds[i] = (struct pollfd){ .fd = cap->consoles[i].fd, .events = POLLIN };
                fds[cap->n] = (struct pollfd){ .fd = cap->parent, .events = POLLIN };
                fds[cap->n + 1] = (struct pollfd){ .fd = cap->watch, .events = POLLIN };
                usec_t pause = look_at_offers(cap) ? OFFER_POLL : LOOK_AROUND;
                if (poll(fds, cap->n + 2, (int)(pause / USEC_PER_MSEC)) <= 0)
                        continue;
                for (size_t i = 0; i < cap->n; i++)
                        if (fds[i].revents)
                                console_receive(cap, &cap->consoles[i]);
                if (fds[cap->n].revents)
                        take_wishes(cap);
        }
}

/* Raises the limit of open files; returns the number of consoles possible. */
static size_t raise_limit(size_t n) {
        rlim_t wanted = n * FDS_PER_CONSOLE + FDS_BESIDE;
        struct rlimit limit;

        if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
                return 0;
        if (limit.rlim_cur < wanted) {
                limit.rlim_cur = MIN(wanted, limit.rlim_max);
                setrlimit(RLIMIT_NOFILE, &limit);
                getrlimit(RLIMIT_NOFILE, &limit);
        }
        return limit.rlim_cur <= FDS_BESIDE
                               ? 0
                               : MIN(n, (limit.rlim_cur - FDS_BESIDE) / FDS_PER_CONSOLE);
}

/* Closes all of the parent's files except a and b: readers of the parent's output would wait for
   their end. */
static void console_detach(int a, int b) {
        int null, low = MIN(a, b), high = MAX(a, b);

        if (low > 3)
                close_range(3, (unsigned)low - 1, 0);
        if (high > low + 1)
                close_range((unsigned)low + 1, (unsigned)high - 1, 0);
        close_range((unsigned)high + 1, ~0U, 0);
        null = open("/dev/null", O_RDWR | O_CLOEXEC);

        setsid();
        for (int fd = 0; fd < 3 && null >= 0; fd++)
                dup2(null, fd);
        signal(SIGPIPE, SIG_IGN);
}

static int watch_dir(int dir) {
        _cleanup_free_ char *path = xasprintf("/proc/self/fd/%d", dir);
        _cleanup_close_ int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

        return fd >= 0 && inotify_add_watch(fd, path, IN_MOVED_TO | IN_ONLYDIR) >= 0 ? TAKE_FD(fd)
                                                                                     : -1;
}

static void console_run(struct capture *cap, const struct power_bmc *const *bmcs, size_t n) {
        console_detach(cap->dir, cap->parent);
        cap->watch = watch_dir(cap->dir);
        cap->n = raise_limit(n);
        /* The library's engine uses select(): start it before many files are open. */
        if (ipmiconsole_engine_init(cap->n > MANY ? ENGINE_THREADS : 2, 0) < 0)
                return;
        cap->consoles = xnew0(struct console, n);
        for (size_t i = 0; i < cap->n; i++)
                cap->consoles[i] = (struct console){ .bmc = bmcs[i], .fd = -1, .file = -1 };
        console_loop(cap);
}

static int open_dir(const char *path, struct fail *fail) {
        if (mkdir(path, 0750) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0) {
                int r = -errno;
                close(fd);
                return fail_set(fail, r, "%s: %s", path, strerror(-r));
        }
        return fd;
}

int power_console_start(const struct power_conf *conf, const struct power_bmc *const *bmcs,
                size_t n, int *ret_fd, struct fail *fail) {
        _cleanup_close_ int dir = open_dir(conf->console.dir, fail);
        int ends[2];

        if (dir < 0)
                return dir;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
                return fail_set(fail, -errno, "socketpair: %s", strerror(errno));
        pid_t pid = fork();
        if (pid < 0) {
                int r = -errno;
                close(ends[0]);
                close(ends[1]);
                return fail_set(fail, r, "fork: %s", strerror(-r));
        }
        if (pid == 0) {
                struct capture cap = { .conf = conf, .dir = dir, .parent = ends[1], .watch = -1 };
                close(ends[0]);
                console_run(&cap, bmcs, n);
                _exit(0);
        }
        close(ends[1]);
        *ret_fd = ends[0];
        return 0;
}
