/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what nodes write on their serial consoles while they boot, by Serial over LAN.
 *
 * A child process does it, on request for each node that is really about to be switched on, for it outlives the program that switched the nodes on, and because the library
 * has threads of its own.  Each console is a socket: EOF there means that the connection failed or was lost,
 * and it is made again after a growing pause.  A password that is refused is not tried again.
 *
 * DIR/NODE.log is replaced when the capture starts.  When a later capture replaces it again, the earlier one
 * notices that its file is not the one of that name any more, and leaves that console to the later one. */
#include <ipmiconsole.h>

#include "power/power.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define FDS_PER_CONSOLE 7 /* the library's six and the file */
#define FDS_BESIDE      32
#define MANY            64 /* consoles: more engine threads from here on */
#define ENGINE_THREADS  8
#define SESSION_TIMEOUT 45000 /* ms */
#define KEEPALIVE                                                                                  \
        10000 /* ms: below the session time-outs of both sides, or a quiet console flaps */
#define RETRANSMIT  500
#define BACKOFF_MIN (1 * USEC_PER_SEC)
#define BACKOFF_MAX (30 * USEC_PER_SEC)
#define LOOK_AROUND (500 * USEC_PER_MSEC) /* for retries, replaced files and the end */
#define LIMIT_NOTE  "\r\n[slumber-power: max_bytes reached, the rest is not kept]\r\n"

struct console {
        const struct power_bmc *bmc;
        ipmiconsole_ctx_t ctx;
        int fd, file;
        bool wanted, up, told, over; /* over: not to be connected again */
        usec_t until, retry, backoff;
        uint64_t bytes;
};
struct capture {
        const struct power_conf *conf;
        struct console *consoles;
        size_t n;
        int dir;
        int parent; /* indices come from it and go to it; -1 once it has gone */
};

/* ---- files ---- */

/* A fresh file under its own name, in one step; the earlier boot's stays with whoever has it open. */
static int open_file(struct capture *cap, const char *node) {
        _cleanup_free_ char *name = xasprintf("%s.log", node),
                            *fresh = xasprintf(".%s.log.%d", node, (int)getpid());
        _cleanup_close_ int fd = -1;

        unlinkat(cap->dir, fresh, 0);
        fd = openat(cap->dir, fresh,
                        O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
        if (fd < 0 || fchmod(fd, 0640) < 0 || renameat(cap->dir, fresh, cap->dir, name) < 0)
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

static int write_all(int fd, const char *data, size_t size) {
        while (size > 0) {
                ssize_t n = write(fd, data, size);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                data += n;
                size -= (size_t)n;
        }
        return 0;
}

/* ---- one console ---- */

static void tell(struct capture *cap, struct console *c) {
        uint32_t i = (uint32_t)(c - cap->consoles);

        if (c->told)
                return;
        c->told = true;
        /* The parent may have gone already: it waits for a while only. */
        if (cap->parent >= 0 && send(cap->parent, &i, sizeof i, MSG_NOSIGNAL) < 0)
                return;
}

static void disconnect(struct console *c) {
        if (c->fd >= 0)
                close(c->fd); /* the library never does */
        c->fd = -1;
        if (c->ctx)
                ipmiconsole_ctx_destroy(c->ctx);
        c->ctx = NULL;
        c->up = false;
}

static void give_up(struct capture *cap, struct console *c) {
        disconnect(c);
        c->over = true;
        tell(cap, c);
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

static void lost(struct capture *cap, struct console *c) {
        int error = c->ctx ? ipmiconsole_ctx_errnum(c->ctx) : 0;

        disconnect(c);
        tell(cap, c);
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
                /* The chassis' workarounds have the same bits here. */
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
                lost(cap, c);
                return;
        }
        c->fd = ipmiconsole_ctx_fd(c->ctx);
        if (c->fd < 0 || fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK) < 0)
                lost(cap, c);
}

static int keep(struct capture *cap, struct console *c, const char *data, size_t size) {
        uint64_t room = cap->conf->console.max_bytes - c->bytes;
        size_t n = MIN(size, room);

        int r = write_all(c->file, data, n);
        c->bytes += n;
        if (r < 0 || n == size)
                return r;
        write_all(c->file, LIMIT_NOTE, strlen(LIMIT_NOTE));
        return -EFBIG;
}

static void receive(struct capture *cap, struct console *c) {
        char data[4096];
        ssize_t n = read(c->fd, data, sizeof data);
        size_t skip = 0;

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        if (n <= 0) {
                lost(cap, c);
                return;
        }
        if (!c->up && data[0] == '\0') { /* the library's sign that the console is connected */
                c->up = true;
                c->backoff = 0;
                skip = 1;
                tell(cap, c);
        }
        if (keep(cap, c, data + skip, (size_t)n - skip) < 0)
                give_up(cap, c);
}

/* ---- all of them ---- */

static void capture(struct capture *cap, struct console *c) {
        c->wanted = true;
        c->until = now_monotonic() + cap->conf->console.seconds;
        c->file = open_file(cap, c->bmc->node);
        if (c->file < 0)
                give_up(cap, c);
        else
                connect_console(cap, c);
}

/* Takes the parent's wishes.  What is beyond the limit of open files is told to be hopeless. */
static void take_wishes(struct capture *cap) {
        uint32_t i;
        ssize_t n;

        while ((n = recv(cap->parent, &i, sizeof i, MSG_DONTWAIT)) == sizeof i) {
                if (i < cap->n && !cap->consoles[i].wanted)
                        capture(cap, &cap->consoles[i]);
                else if (send(cap->parent, &i, sizeof i, MSG_NOSIGNAL) < 0)
                        break;
        }
        if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
                close(cap->parent);
                cap->parent = -1;
        }
}

/* Whether there is anything left to be done. */
static bool look_around(struct capture *cap) {
        bool alive = cap->parent >= 0;
        usec_t now = now_monotonic();

        for (size_t i = 0; i < cap->n; i++) {
                struct console *c = &cap->consoles[i];
                if (!c->wanted || c->over)
                        continue;
                if (now >= c->until || !still_ours(cap, c))
                        give_up(cap, c);
                else if (!c->ctx && now >= c->retry)
                        connect_console(cap, c);
                alive = alive || !c->over;
        }
        return alive;
}

static void loop(struct capture *cap) {
        _cleanup_free_ struct pollfd *fds = xnew0(struct pollfd, cap->n + 1);
        usec_t looked = 0;

        for (;;) {
                usec_t now = now_monotonic();
                if (now >= looked + LOOK_AROUND) {
                        looked = now;
                        if (!look_around(cap))
                                return;
                }
                for (size_t i = 0; i < cap->n; i++)
                        fds[i] = (struct pollfd){ .fd = cap->consoles[i].fd, .events = POLLIN };
                fds[cap->n] = (struct pollfd){ .fd = cap->parent, .events = POLLIN };
                if (poll(fds, cap->n + 1, (int)(LOOK_AROUND / USEC_PER_MSEC)) <= 0)
                        continue;
                for (size_t i = 0; i < cap->n; i++)
                        if (fds[i].revents)
                                receive(cap, &cap->consoles[i]);
                if (fds[cap->n].revents)
                        take_wishes(cap);
        }
}

/* How many consoles the limit of open files allows. */
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

/* Nothing of the parent's stays open here but these two: whoever reads its output or outcomes to their end would wait. */
static void detach(int a, int b) {
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

static void run(struct capture *cap, const struct power_bmc *const *bmcs, size_t n) {
        detach(cap->dir, cap->parent);
        cap->n = raise_limit(n);
        /* The library's engine uses select() for itself: it is started before there are many files. */
        if (ipmiconsole_engine_init(cap->n > MANY ? ENGINE_THREADS : 2, 0) < 0)
                return;
        cap->consoles = xnew0(struct console, n);
        for (size_t i = 0; i < cap->n; i++)
                cap->consoles[i] = (struct console){ .bmc = bmcs[i], .fd = -1, .file = -1 };
        loop(cap);
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
                struct capture cap = { .conf = conf, .dir = dir, .parent = ends[1] };
                close(ends[0]);
                run(&cap, bmcs, n);
                _exit(0);
        }
        close(ends[1]);
        *ret_fd = ends[0];
        return 0;
}
