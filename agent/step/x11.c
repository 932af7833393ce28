/* SPDX-License-Identifier: GPL-3.0-or-later */
/* X11 forwarding of a job on this node, in the step daemon of its extern step: a port of the
 * loopback interface as the display of the job's programs, and a channel (lib/channel.h) for each
 * connection to the forwarding command (commands/steps/x11_forward.c).
 *
 * The port is open to the whole host, so the kernel is asked for the user of a connection, and the
 * connection has to show the cookie, created here and known to the job's user only. The forwarded
 * setup has no cookie. The user's programs are not trusted: the size of a setup message is limited,
 * and later data is not interpreted. */
#include "lib/x11.h"
#include "agent/common/spool.h"
#include "agent/pmi/tcp_user.h"
#include "agent/step/parts.h"
#include "lib/channel.h"
#include "lib/child.h"
#include "lib/folder.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Display numbers: above those of the host's own servers and sshd's first ones. */
#define DISPLAY_FIRST   20
#define DISPLAY_LAST    999
#define CONNECTIONS_MAX 512
#define BACKLOG         128
#define CHUNK           (32u << 10)
#define LINK_QUEUE_MAX  ((size_t)1 << 20) /* bytes queued for slumberd; channels wait above */
#define HOME_BY         2                 /* LaunchStep.x11: ~/.Xauthority */
/* Maximum bytes held for all connections, as the step daemon is outside of the job's memory limit.
   Windows shrink with the number of connections (CHANNEL_SHARED), so two correct ends never reach
   the maximum. */
#define HELD_MAX ((size_t)16 << 20)
/* ms, time limits of xauth; the limit at the end delays the end of the job */
#define XAUTH_BEGIN  10000
#define XAUTH_END    5000
#define XAUTH_KILLED 1000

struct connection {
        int fd; /* -1: closed by the program; the other end is not informed yet */
        bool begun;
        uint32_t id;
        uint8_t setup[X11_SETUP_MAX];
        size_t n_setup;
        struct channel channel;
        TAILQ_ENTRY(connection) next;
};

struct x11 {
        int listener, reserved; /* IPv4; same port of IPv6, bound, not listening */
        unsigned display;
        uint8_t cookie[X11_COOKIE_SIZE];
        char *text, *authority; /* DISPLAY, XAUTHORITY */
        bool at_home;
        struct x11_end other;          /* the forwarding command */
        uint32_t last;                 /* number of the newest channel */
        TAILQ_HEAD(, connection) list; /* ordered by channel number */
        size_t n;
};

/* ---- the port ---- */

static int bind_to(int family, unsigned port) {
        struct sockaddr_in v4 = { .sin_family = AF_INET,
                .sin_port = htons((uint16_t)port),
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
                .sin6_port = htons((uint16_t)port),
                .sin6_addr = IN6ADDR_LOOPBACK_INIT };
        bool is_v4 = family == AF_INET;
        int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), r = 0;

        if (fd < 0)
                return -errno;
        if (bind(fd, is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6,
                            is_v4 ? sizeof v4 : sizeof v6) < 0 ||
                        (is_v4 && listen(fd, BACKLOG) < 0))
                r = -errno;
        if (r == 0)
                return fd;
        close(fd);
        return r;
}

/* "localhost" may mean ::1: another user's server at the same port would get the job's
   connections, so the port is reserved there, too. */
static int listen_at(struct x11 *x, unsigned display) {
        int fd = bind_to(AF_INET, X11_PORT + display);

        if (fd < 0)
                return fd;
        x->reserved = bind_to(AF_INET6, X11_PORT + display);
        if (x->reserved == -EADDRINUSE) {
                close(fd);
                return -EADDRINUSE;
        }
        x->listener = fd;
        x->display = display;
        return 0;
}

static int listen_anywhere(struct x11 *x, struct fail *fail) {
        int r = -EADDRINUSE;

        for (unsigned d = DISPLAY_FIRST; r == -EADDRINUSE && d <= DISPLAY_LAST; d++)
                r = listen_at(x, d);
        return r < 0 ? fail_set(fail, r, "X11: cannot listen at a port of %u to %u: %s",
                                       X11_PORT + DISPLAY_FIRST, X11_PORT + DISPLAY_LAST,
                                       strerror(-r))
                     : 0;
}

/* ---- the cookie ---- */

/* Writes Xauthority into the folder, which then becomes the user's. Later the folder is not
   searched by path any more, as the user may replace its contents. */
static int fill_folder(struct step *s, const char *path, const uint8_t *data, size_t size) {
        _cleanup_close_ int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        _cleanup_close_ int fd = folder < 0 ? -1
                                            : openat(folder, "Xauthority",
                                                              O_WRONLY | O_CREAT | O_EXCL |
                                                                              O_NOFOLLOW |
                                                                              O_CLOEXEC,
                                                              0600);
        int r = fd < 0 ? -errno : fd_write(fd, data, size);

        if (r >= 0 && geteuid() == 0 &&
                        (fchown(fd, s->user.uid, s->user.gid) < 0 ||
                                        fchown(folder, s->user.uid, s->user.gid) < 0))
                r = -errno;
        return r;
}

/* xauth makes lock files beside Xauthority, so the file has its own folder. Folders above belong to
   root. */
static int write_authority(struct step *s, struct fail *fail) {
        struct x11 *x = s->x11;
        size_t size;
        _cleanup_free_ uint8_t *data = x11_authority(x->display, x->cookie, &size);
        _cleanup_free_ char *folder = xasprintf("%s/" SPOOL_X11, s->spec->spool);

        if (mkdir(folder, 0700) < 0)
                return fail_set(fail, -errno, "X11: cannot make %s: %s", folder, strerror(errno));
        x->authority = xasprintf("%s/Xauthority", folder);
        int r = fill_folder(s, folder, data, size);
        return r < 0 ? fail_set(fail, r, "X11: cannot write %s: %s", x->authority, strerror(-r))
                     : 0;
}

static void hex_of(const uint8_t *data, size_t size, char *ret) {
        for (size_t i = 0; i < size; i++)
                snprintf(ret + 2 * i, 3, "%02x", data[i]);
}

/* In the child, as the user: xauth locks the file, as other programs may be
   changing the file. */
_Noreturn static void run_xauth(struct step *s, int in, bool inside) {
        char *file = s->x11->authority;
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        char *const argv[] = { (char *)"xauth", (char *)"-q", (char *)"-f", file, (char *)"source",
                (char *)"-", NULL };
        _cleanup_free_ char *home = xasprintf("HOME=%s", s->user.home);
        char *const env[] = { (char *)(uintptr_t)CHILD_PATH, home, NULL };

        (void)setsid();
        if (task_enter(s, s->group, inside) < 0 || dup2(in, STDIN_FILENO) < 0 ||
                        dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0 ||
                        task_become_user(s) < 0)
                _exit(126);
        execvpe(argv[0], argv, env);
        _exit(127);
}

/* Returns xauth's wait status; -1: xauth was killed. The user can block xauth for ever, by the file
   or a signal. */
static int wait_for_xauth(pid_t pid, int patience) {
        _cleanup_close_ int fd = (int)syscall(SYS_pidfd_open, pid, 0);
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int status = -1;

        if (fd < 0 || poll(&p, 1, patience) <= 0) {
                (void)kill(pid, SIGKILL);
                (void)poll(&p, 1, XAUTH_KILLED);
        }
        return waitpid(pid, &status, WNOHANG) == pid ? status : -1;
}

/* X11Parameters=home_xauthority: runs xauth. The cookie goes through a pipe, as other users can
   read command lines. */
static int change_home(struct step *s, bool remove) {
        struct x11 *x = s->x11;
        char cookie[2 * X11_COOKIE_SIZE + 1], host[256] = "";
        int ends[2], status = -1;
        bool inside = false;

        x->at_home = !remove;
        if (!remove)
                x->authority = xasprintf("%s/.Xauthority", s->user.home);
        hex_of(x->cookie, sizeof x->cookie, cookie);
        (void)gethostname(host, sizeof host - 1);
        _cleanup_free_ char *words = remove ? xasprintf("remove %s/unix:%u\n", host, x->display)
                                            : xasprintf("add %s/unix:%u . %s\n", host, x->display,
                                                              cookie);
        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        int r = fd_write(ends[1], words, strlen(words)); /* fits into a pipe */
        close(ends[1]);
        pid_t pid = r < 0 ? -1 : cg_fork(s->group, &inside);
        if (pid == 0)
                run_xauth(s, ends[0], inside);
        close(ends[0]);
        if (pid > 0)
                status = wait_for_xauth(pid, remove ? XAUTH_END : XAUTH_BEGIN);
        x->at_home &= status == 0;
        return status ? -EIO : 0;
}

/* ---- beginning and end ---- */

static int begin_forwarding(struct step *s, struct fail *fail) {
        struct x11 *x;

        int r = user_find(s->credential, &s->user, fail);
        if (r < 0)
                return r;
        x = s->x11 = xnew0(struct x11, 1);
        x->listener = x->reserved = -1;
        /* above all numbers used by an earlier step daemon of this job */
        x->last = (uint32_t)(now_realtime() / USEC_PER_SEC / 4) << 16;
        TAILQ_INIT(&x->list);
        if (getrandom(x->cookie, sizeof x->cookie, 0) != (ssize_t)sizeof x->cookie)
                return fail_set(fail, -EIO, "X11: there are no random numbers");
        r = listen_anywhere(x, fail);
        if (r < 0)
                return r;
        x->text = xasprintf("localhost:%u.0", x->display);
        if (s->launch->x11 == HOME_BY && change_home(s, false) >= 0)
                return 0;
        free(TAKE(x->authority)); /* home not writable: a file in the spool is used */
        return write_authority(s, fail);
}

/* A failure (the user has taken all ports, or home is full) does not drain the node. Steps of the
   job are refused on this node, as they would use DISPLAY of another host. */
void step_x11_begin(struct step *s) {
        struct fail fail = { 0 };

        if (!s->launch->x11 || begin_forwarding(s, &fail) >= 0)
                return;
        fprintf(stderr, "slumberstepd: job %u: %s\n", s->credential->job_id, fail.text);
        s->x11_fault = xstrdup(fail.text);
        step_x11_done(s);
}

const char *step_x11_display(const struct step *s, const char **ret_authority) {
        *ret_authority = s->x11 ? s->x11->authority : NULL;
        return s->x11 ? s->x11->text : NULL;
}

static void connection_free(struct x11 *x, struct connection *c) {
        TAILQ_REMOVE(&x->list, c, next);
        x->n--;
        if (c->fd >= 0)
                close(c->fd);
        channel_done(&c->channel);
        free(c);
}

/* Ends all connections: the other end is gone. */
static void end_all(struct x11 *x) {
        while (!TAILQ_EMPTY(&x->list))
                connection_free(x, TAILQ_FIRST(&x->list));
}

void step_x11_end(struct step *s) {
        struct x11 *x = s->x11;

        if (!x || x->listener < 0)
                return;
        close(TAKE_FD(x->listener));
        end_all(x);
        if (x->at_home) {
                (void)change_home(s, true);
                return;
        }
        _cleanup_free_ char *folder = xasprintf("%s/" SPOOL_X11, s->spec->spool);
        (void)folder_remove(AT_FDCWD, folder);
}

void step_x11_done(struct step *s) {
        struct x11 *x = s->x11;

        if (!x)
                return;
        step_x11_end(s);
        if (x->reserved >= 0)
                close(x->reserved);
        explicit_bzero(x->cookie, sizeof x->cookie);
        free(x->text);
        free(x->authority);
        free(TAKE(s->x11));
}

/* ---- data to the other end ---- */

static void x11_send_step_io(struct step *s, Slumber__StepIo *io) {
        io->job_id = s->credential->job_id;
        io->step_id = s->credential->step_id;
        io->node = s->spec->node;
        io->stream = STREAM_OUT;
        ENVELOPE(env, STEP_IO, step_io, io);
        link_send(s->link, &env);
}

static void send_closed(struct step *s, uint32_t id) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        channel_say_closed(id, &io);
        x11_send_step_io(s, &io);
}

/* Returns true above HELD_MAX: the other end is a process of the user, and may send too much. */
static bool holds_too_much(const struct x11 *x) {
        const struct connection *c;
        size_t held = 0;

        if (x->n <= HELD_MAX / CHANNEL_WINDOW / 2)
                return false;
        TAILQ_FOREACH(c, &x->list, next)
                held += channel_held(&c->channel);
        return held > HELD_MAX;
}

/* Ends the channel of a begun connection; frees a connection not begun. */
static void program_ended(struct x11 *x, struct connection *c) {
        if (!c->begun) {
                connection_free(x, c);
                return;
        }
        if (c->fd >= 0)
                close(TAKE_FD(c->fd));
        channel_end(&c->channel);
}

static void connection_send(struct step *s, struct connection *c) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        while (c->begun && link_up(s->link) && link_queued(s->link) < LINK_QUEUE_MAX &&
                        channel_next(&c->channel, CHUNK, &io)) {
                io.rank = c->id;
                x11_send_step_io(s, &io);
                io = (Slumber__StepIo)SLUMBER__STEP_IO__INIT;
        }
        if (!channel_is_over(&c->channel))
                return;
        send_closed(s, c->id);
        connection_free(s->x11, c);
}

/* Sends data of all connections in turn: connection_send() is called again for the last ones when
   the link has room. */
void step_x11_send(struct step *s) {
        struct connection *c, *next;

        if (!s->x11)
                return;
        for (c = TAILQ_FIRST(&s->x11->list); c; c = next) {
                next = TAILQ_NEXT(c, next);
                connection_send(s, c);
        }
}

/* ---- data of programs ---- */

static void accept_program(struct step *s) {
        struct x11 *x = s->x11;
        int fd = accept4(x->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd < 0)
                return;
        if (x->other.gone || x->n >= CONNECTIONS_MAX || !tcp_peer_is(fd, s->user.uid)) {
                close(fd);
                return;
        }
        struct connection *c = xnew0(struct connection, 1);
        c->fd = fd;
        TAILQ_INSERT_TAIL(&x->list, c, next);
        x->n++;
}

static void connection_refuse(struct x11 *x, struct connection *c) {
        uint8_t answer[X11_SETUP_MAX];
        size_t n = x11_setup_refusal(c->setup, "Invalid MIT-MAGIC-COOKIE-1 key", answer);

        (void)!send(c->fd, answer, n, MSG_NOSIGNAL);
        connection_free(x, c);
}

/* Begins a channel when the setup message is complete; more data may follow the setup. */
static void connection_begin(struct step *s, struct connection *c, size_t size) {
        struct x11 *x = s->x11;
        uint8_t head[X11_HEAD];

        if (!x11_setup_shows(c->setup, x->cookie)) {
                connection_refuse(x, c);
                return;
        }
        x11_setup_bare(c->setup, head);
        channel_put(&c->channel, head, sizeof head);
        channel_put(&c->channel, c->setup + size, c->n_setup - size);
        c->begun = true;
        c->id = ++x->last;
        /* keeps the list ordered by channel number */
        TAILQ_REMOVE(&x->list, c, next);
        TAILQ_INSERT_TAIL(&x->list, c, next);
        connection_send(s, c);
}

static void read_setup(struct step *s, struct connection *c) {
        ssize_t n = recv(c->fd, c->setup + c->n_setup, sizeof c->setup - c->n_setup, 0);

        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                return;
        c->n_setup += n > 0 ? (size_t)n : 0;
        ssize_t size = n > 0 ? x11_setup_size(c->setup, c->n_setup) : -ECONNRESET;
        if (size < 0)
                connection_free(s->x11, c);
        else if (size > 0)
                connection_begin(s, c, (size_t)size);
}

static void read_program(struct step *s, struct connection *c) {
        static uint8_t buf[CHUNK];

        if (!c->begun) {
                read_setup(s, c);
                return;
        }
        size_t room = channel_room(&c->channel, s->x11->n);
        if (!room) /* no room: the number of connections has grown */
                return;
        ssize_t n = recv(c->fd, buf, MIN(room, sizeof buf), 0);
        if (n > 0)
                channel_put(&c->channel, buf, (size_t)n);
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
                program_ended(s->x11, c);
}

static void write_program(struct step *s, struct connection *c) {
        size_t size;
        const uint8_t *data = channel_waiting(&c->channel, &size);
        ssize_t n = c->fd < 0 ? (ssize_t)size : send(c->fd, data, size, MSG_NOSIGNAL);

        if (n >= 0)
                channel_written(&c->channel, (size_t)n);
        else if (errno != EAGAIN && errno != EINTR)
                program_ended(s->x11, c);
}

int step_x11_listener(const struct step *s) {
        return s->x11 ? s->x11->listener : -1;
}

void step_x11_wants(struct step *s, void (*each)(int fd, short events, void *what, void *user),
                void *user) {
        struct connection *c;
        size_t waits;

        if (!s->x11)
                return;
        TAILQ_FOREACH(c, &s->x11->list, next) {
                (void)channel_waiting(&c->channel, &waits);
                short events = (short)((channel_room(&c->channel, s->x11->n) ? POLLIN : 0) |
                                       (waits ? POLLOUT : 0));
                if (c->fd >= 0 && events)
                        each(c->fd, events, c, user);
        }
}

void step_x11_serve(struct step *s, void *what, short events) {
        struct connection *c = what;

        if (!c)
                accept_program(s);
        else if (events & POLLOUT && c->begun)
                write_program(s, c);
        else
                read_program(s, c);
}

/* ---- data of the other end ---- */

static void resume_all(struct step *s) {
        struct connection *c;

        TAILQ_FOREACH(c, &s->x11->list, next)
                if (c->begun)
                        channel_again(&c->channel);
}

void step_x11_io(struct step *s, const Slumber__StepIo *io) {
        struct connection *c;

        if (!s->x11)
                return;
        if (io->rank == RANK_ALL && channel_says_closed(io)) {
                if (x11_end_gone(&s->x11->other, io->attach))
                        end_all(s->x11);
                return;
        }
        if (io->lost || io->rank == RANK_ALL) {
                if (!io->lost)
                        x11_end_there(&s->x11->other, io->attach);
                resume_all(s);
                return;
        }
        TAILQ_FOREACH(c, &s->x11->list, next)
                if (c->begun && c->id == io->rank)
                        break;
        if (channel_says_closed(io)) {
                if (c)
                        connection_free(s->x11, c);
                return;
        }
        if (!c || channel_take(&c->channel, io) < 0 || holds_too_much(s->x11)) {
                send_closed(s, io->rank);
                if (c)
                        connection_free(s->x11, c);
                return;
        }
        write_program(s, c);
}

void step_x11_resume(struct step *s) {
        if (s->x11)
                resume_all(s);
}
