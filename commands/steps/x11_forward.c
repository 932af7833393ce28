/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forwarder of X11, a separate process: the step's output and X11 data do not wait for each other.
 * The process is connected to this host's slumberd, which passes data from the extern steps of the
 * nodes (agent/step/x11.c): one channel per X11 connection, each with its own window.
 *
 * The X server's cookie is never sent to a node. Programs on a node show a different cookie to
 * their node; the node removes that cookie, and this process adds the server's cookie to the start
 * of the connection. */
#include "commands/steps/x11_forward.h"

#include "commands/command.h"
#include "lib/channel.h"
#include "lib/child.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/x11.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#define LOCAL_FOLDER "/tmp/.X11-unix"
#define ASK_AGAIN    (500 * USEC_PER_MSEC)
#define PATIENCE     (10 * USEC_PER_SEC) /* timeout of xauth and getent */
#define OUTPUT_MAX   ((size_t)1 << 20)   /* maximum output of xauth and getent in bytes */
#define CHUNK        (32u << 10)
#define CHANNELS_MAX 4096

static struct {
        bool ready;
        unsigned number;
        /* TCP address; size 0: the local socket */
        struct sockaddr_storage address;
        socklen_t address_size;
        uint8_t cookie[X11_COOKIE_SIZE];
} server;

struct forward {
        /* Index of the node in the job's nodes; the channel's number on the node */
        uint32_t node, id;
        int fd;     /* to the X server; -1: closed */
        bool begun; /* first is filled */
        uint8_t first[X11_SETUP_MAX];
        size_t n_first, n_written;
        struct channel channel;
        struct forward *next;
};

struct forwarder {
        const char *program;
        uint32_t job;
        int alive; /* readable: the command has ended */
        struct wire *w;
        /* Time of the next request for the job's X11 (CLOCK_MONOTONIC); 0: the request is sent */
        usec_t ask_at;
        uint64_t asked;
        uint32_t attach;        /* StepReply.attach */
        struct hostlist *nodes; /* NULL: unknown */
        uint32_t *last;         /* per node: number of the latest channel */
        struct forward *list;
        size_t n;
        bool said_failed, over;
};

/* ---- the X server ---- */

static int find_cookie(const char *display, struct fail *fail) {
        const char *file = getenv("XAUTHORITY"), *home = getenv("HOME");
        _cleanup_free_ char *own = isempty(file) ? xasprintf("%s/.Xauthority", strempty(home))
                                                 : xstrdup(file),
                            *program = program_find("xauth", getenv("PATH"), false), *lines = NULL;
        char *const argv[] = { (char *)"xauth", (char *)"-f", own, (char *)"list",
                (char *)(uintptr_t)display, NULL };
        int status = 0;
        int r = child_output(program, argv, STDOUT_FILENO, PATIENCE, OUTPUT_MAX, &lines, &status,
                        NULL);

        if (r < 0 || status)
                return fail_set(fail, -ENOENT,
                                "Problem running xauth command. Cannot use X11 forwarding.");
        if (!x11_cookie_parse(lines, server.cookie))
                return fail_set(fail, -ENOKEY,
                                "x11_get_xauth: Could not retrieve magic cookie. Cannot use X11 "
                                "forwarding.");
        return 0;
}

/* Parses an IP address or "localhost". getent resolves other names, because this program is
   linked statically. */
static bool read_address(const char *host) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)&server.address;
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&server.address;
        in_port_t port = htons((uint16_t)(X11_PORT + server.number));

        memset(&server.address, 0, sizeof server.address);
        if (inet_pton(AF_INET, streq(host, "localhost") ? "127.0.0.1" : host, &v4->sin_addr) == 1) {
                v4->sin_family = AF_INET;
                v4->sin_port = port;
                server.address_size = sizeof *v4;
                return true;
        }
        if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1)
                return false;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = port;
        server.address_size = sizeof *v6;
        return true;
}

static int find_address(const char *host, struct fail *fail) {
        _cleanup_free_ char *program = program_find("getent", getenv("PATH"), false), *lines = NULL;
        char *const argv[] = { (char *)"getent", (char *)"ahosts", (char *)(uintptr_t)host, NULL };
        int status = 0;

        if (read_address(host))
                return 0;
        int r = child_output(program, argv, STDOUT_FILENO, PATIENCE, OUTPUT_MAX, &lines, &status,
                        NULL);
        if (r >= 0 && lines)
                lines[strcspn(lines, " \t\n")] = 0;
        if (r < 0 || status || !read_address(lines))
                return fail_set(fail, -ENOENT,
                                "Unable to resolve host `%.100s` of DISPLAY. Cannot use X11 "
                                "forwarding.",
                                host);
        return 0;
}

int x11_prepare(struct fail *fail) {
        const char *display = getenv("DISPLAY");
        _cleanup_free_ char *host = NULL, *path = NULL;
        struct stat st;

        if (isempty(display))
                return fail_set(fail, -ENOENT,
                                "No DISPLAY variable set, cannot setup x11 forwarding.");
        if (x11_display_parse(display, &host, &server.number) < 0)
                return fail_set(fail, -EINVAL,
                                "Error parsing DISPLAY environment variable. Cannot use X11 "
                                "forwarding.");
        path = xasprintf(LOCAL_FOLDER "/X%u", server.number);
        if (!host && stat(path, &st) < 0)
                return fail_set(fail, -ENOENT, "Cannot stat() local X11 socket `%s`", path);
        int r = host ? find_address(host, fail) : 0;
        if (r >= 0)
                r = find_cookie(display, fail);
        server.ready = r >= 0;
        return r;
}

static int connect_server(void) {
        struct sockaddr_un here = { .sun_family = AF_UNIX };
        const struct sockaddr *to = (const struct sockaddr *)&server.address;
        socklen_t size = server.address_size;

        snprintf(here.sun_path, sizeof here.sun_path, LOCAL_FOLDER "/X%u", server.number);
        if (!size) {
                to = (const struct sockaddr *)&here;
                size = sizeof here;
        }
        int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
                return -errno;
        if (connect(fd, to, size) < 0 && errno != EINPROGRESS) {
                int r = -errno;
                close(fd);
                return r;
        }
        return fd;
}

/* ---- to the nodes ---- */

/* Sends a message; blocks only briefly, as the daemon always reads. */
static void x11_send_io(struct forwarder *f, uint32_t node, Slumber__StepIo *io) {
        io->job_id = f->job;
        io->step_id = STEP_EXTERN;
        io->node = (char *)(uintptr_t)(node == UINT32_MAX ? "" : hostlist_get(f->nodes, node));
        ENVELOPE(env, STEP_IO, step_io, io);
        if (f->w && wire_send(f->w, &env) < 0) {
                f->w = wire_free(f->w);
                f->ask_at = now_monotonic() + ASK_AGAIN;
        }
}

static void x11_send_closed(struct forwarder *f, uint32_t node, uint32_t id) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        channel_say_closed(id, &io);
        x11_send_io(f, node, &io);
}

/* Asks a node (UINT32_MAX: all nodes) to send unacknowledged data again. */
static void x11_request_resend(struct forwarder *f, uint32_t node) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;
        struct forward *w;

        io.rank = RANK_ALL;
        io.resume = true;
        io.attach = f->attach;
        x11_send_io(f, node, &io);
        for (w = f->list; w; w = w->next)
                if (node == UINT32_MAX || w->node == node)
                        channel_again(&w->channel);
}

static struct forward *forward_free(struct forwarder *f, struct forward *w) {
        struct forward **p = &f->list;

        while (*p != w)
                p = &(*p)->next;
        *p = w->next;
        f->n--;
        if (w->fd >= 0)
                close(w->fd);
        channel_done(&w->channel);
        free(w);
        return NULL;
}

static void server_ended(struct forward *w) {
        if (w->fd >= 0)
                close(TAKE_FD(w->fd));
        channel_end(&w->channel);
}

/* ---- to and from the X server ---- */

static bool x11_server_write(struct forward *w, const uint8_t *data, size_t size, size_t *ret) {
        ssize_t n = send(w->fd, data, size, MSG_NOSIGNAL);

        *ret = n > 0 ? (size_t)n : 0;
        if (n < 0 && errno != EAGAIN && errno != EINTR && errno != EINPROGRESS && errno != ENOTCONN)
                server_ended(w);
        return n == (ssize_t)size;
}

static void forward_prepare_setup(struct forward *w) {
        size_t size;
        const uint8_t *data = channel_waiting(&w->channel, &size);

        if (w->begun || size < X11_HEAD)
                return;
        w->n_first = x11_setup_with(data, server.cookie, w->first);
        w->begun = true;
        channel_written(&w->channel, X11_HEAD);
}

static void write_to_server(struct forward *w) {
        size_t size, n = 0;

        forward_prepare_setup(w);
        while (w->fd >= 0 && w->n_written < w->n_first) {
                if (!x11_server_write(w, w->first + w->n_written, w->n_first - w->n_written, &n) &&
                                !n)
                        return;
                w->n_written += n;
        }
        const uint8_t *data = channel_waiting(&w->channel, &size);
        if (!w->begun || size == 0)
                return;
        if (w->fd >= 0)
                (void)x11_server_write(w, data, size, &n);
        /* data is dropped without a server */
        channel_written(&w->channel, w->fd >= 0 ? n : size);
}

static void read_from_server(struct forwarder *f, struct forward *w) {
        static uint8_t buf[CHUNK];
        size_t room = channel_room(&w->channel, f->n);

        if (!room) /* new channels have made the windows smaller */
                return;
        ssize_t n = recv(w->fd, buf, MIN(room, sizeof buf), 0);
        if (n > 0)
                channel_put(&w->channel, buf, (size_t)n);
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
                server_ended(w);
}

static bool wants_write(const struct forward *w) {
        size_t size;

        (void)channel_waiting(&w->channel, &size);
        return w->n_written < w->n_first || (w->begun ? size > 0 : size >= X11_HEAD);
}

static void forward_pump(struct forwarder *f, struct forward *w) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        if (wants_write(w))
                write_to_server(w);
        while (f->w && f->nodes && channel_next(&w->channel, CHUNK, &io)) {
                io.rank = w->id;
                x11_send_io(f, w->node, &io);
                io = (Slumber__StepIo)SLUMBER__STEP_IO__INIT;
        }
        if (channel_is_over(&w->channel)) {
                x11_send_closed(f, w->node, w->id);
                forward_free(f, w);
        }
}

/* ---- messages from the nodes ---- */

/* Returns true for a new channel. A node opens channels in the order of their numbers; a new
   extern step, after the earlier one broke, starts at a higher multiple of 65536, plus 1. */
static bool node_channel_is_new(const struct forwarder *f, uint32_t node,
                const Slumber__StepIo *io) {
        uint32_t last = f->last[node];

        return io->rank > last && (io->rank == last + 1 || (io->rank & 0xffff) == 1);
}

static struct forward *open_forward(struct forwarder *f, uint32_t node, const Slumber__StepIo *io) {
        struct forward *w = xnew0(struct forward, 1);

        f->last[node] = io->rank;
        w->node = node;
        w->id = io->rank;
        w->fd = f->n < CHANNELS_MAX ? connect_server() : -EMFILE;
        w->next = f->list;
        f->list = w;
        f->n++;
        if (w->fd >= 0)
                return w;
        if (!f->said_failed)
                command_error(f->program, "X11: cannot connect to %s: %s", getenv("DISPLAY"),
                                strerror(-w->fd));
        f->said_failed = true;
        w->begun = true; /* incoming data is dropped */
        w->fd = -1;
        server_ended(w);
        return w;
}

static struct forward *find_forward(struct forwarder *f, uint32_t node, uint32_t id) {
        struct forward *w;

        for (w = f->list; w; w = w->next)
                if (w->node == node && w->id == id)
                        break;
        return w;
}

static void on_io(struct forwarder *f, const Slumber__StepIo *io) {
        size_t node = f->nodes ? hostlist_index(f->nodes, io->node) : SIZE_MAX;

        if (io->job_id != f->job || io->step_id != STEP_EXTERN || !f->nodes ||
                        node >= hostlist_count(f->nodes) || io->rank == RANK_ALL)
                return;
        struct forward *w = find_forward(f, (uint32_t)node, io->rank);
        if (channel_says_closed(io)) {
                if (w)
                        forward_free(f, w);
                return;
        }
        if (!w && node_channel_is_new(f, (uint32_t)node, io))
                w = open_forward(f, (uint32_t)node, io);
        if (!w && io->rank <= f->last[node])
                x11_send_closed(f, (uint32_t)node, io->rank);
        if (!w) /* an earlier channel was lost; the node sends both again */
                return;
        if (channel_take(&w->channel, io) >= 0) {
                forward_pump(f, w);
                return;
        }
        x11_send_closed(f, w->node, w->id);
        forward_free(f, w);
}

/* ---- the daemon of this host ---- */

static void x11_send_attach(struct forwarder *f) {
        Slumber__X11Attach m = SLUMBER__X11_ATTACH__INIT;
        struct fail fail = { 0 };

        f->ask_at = 0;
        if (!f->w && command_connect_now(&f->w, &fail) < 0) {
                f->ask_at = now_monotonic() + ASK_AGAIN;
                return;
        }
        m.job_id = f->job;
        m.attach = f->attach;
        ENVELOPE(env, X11_ATTACH, x11_attach, &m);
        env.id = ++f->asked;
        if (wire_send(f->w, &env) < 0) {
                f->w = wire_free(f->w);
                f->ask_at = now_monotonic() + ASK_AGAIN;
        }
}

/* Replaces the job's nodes, of which some may be gone: updates the indexes of remaining nodes
   and ends channels of other nodes. */
static void x11_replace_nodes(struct forwarder *f, struct hostlist *nodes) {
        size_t n = hostlist_count(nodes), before = f->nodes ? hostlist_count(f->nodes) : 0;
        uint32_t *last = xnew0(uint32_t, MAX(n, (size_t)1));
        struct forward *w, *next;

        for (size_t i = 0; i < before; i++) {
                size_t at = hostlist_index(nodes, hostlist_get(f->nodes, i));
                if (at < n)
                        last[at] = f->last[i];
        }
        for (w = f->list; w; w = next) {
                size_t at = hostlist_index(nodes, hostlist_get(f->nodes, w->node));
                next = w->next;
                if (at < n)
                        w->node = (uint32_t)at;
                else
                        forward_free(f, w);
        }
        hostlist_free(f->nodes);
        free(f->last);
        f->nodes = nodes;
        f->last = last;
}

static void on_reply(struct forwarder *f, const Slumber__StepReply *m) {
        struct hostlist *nodes = NULL;
        struct fail fail = { 0 };

        if (hostlist_parse(m->nodes, &nodes, &fail) < 0)
                return;
        x11_replace_nodes(f, nodes);
        f->attach = m->attach;
        x11_request_resend(f, UINT32_MAX);
}

static void on_error(struct forwarder *f, const Envelope *env) {
        uint32_t code = env->error->code;

        if (env->reply_to == 0 ? code == SLUMBER_CONTROLLER_AWAY
                               : code == SLUMBER_CONTROLLER_AWAY || code == SLUMBER_CONTROLLER_LOST)
                f->ask_at = now_monotonic() + ASK_AGAIN;
        else if (env->reply_to == f->asked)
                f->over = true;
        if (f->over && code != SLUMBER_JOB_ENDED && code != SLUMBER_BAD_JOB_ID)
                command_error(f->program, "X11: %s",
                                command_refusal(f->program, code, env->error->text));
}

static void on_notice(struct forwarder *f, const Slumber__StepNotice *m) {
        size_t node = f->nodes ? hostlist_index(f->nodes, m->node) : SIZE_MAX;

        if (m->kind == SLUMBER__STEP_NOTICE__KIND__NODE_BACK && f->nodes &&
                        node < hostlist_count(f->nodes))
                x11_request_resend(f, (uint32_t)node);
}

static void x11_receive(struct forwarder *f) {
        _cleanup_envelope_ Envelope *env = NULL;

        if (wire_receive(f->w, USEC_INFINITY, &env) < 0) {
                f->w = wire_free(f->w);
                f->ask_at = now_monotonic() + ASK_AGAIN;
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO) {
                on_io(f, env->step_io);
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REPLY) {
                on_reply(f, env->step_reply);
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE) {
                on_notice(f, env->step_notice);
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR) {
                on_error(f, env);
        }
}

/* ---- the process ---- */

enum { POLLED_WIRE, POLLED_ALIVE, POLLED_FIXED };

static int x11_poll_timeout(const struct forwarder *f) {
        usec_t now = now_monotonic();

        if (!f->ask_at)
                return -1;
        return f->ask_at <= now ? 0 : (int)((f->ask_at - now) / USEC_PER_MSEC + 1);
}

static struct pollfd *x11_poll_list(const struct forwarder *f, size_t *ret_n) {
        struct pollfd *p = xnew0(struct pollfd, f->n + POLLED_FIXED);
        const struct forward *w;
        size_t n = POLLED_FIXED;

        p[POLLED_WIRE] = (struct pollfd){ .fd = f->w ? wire_fd(f->w) : -1, .events = POLLIN };
        p[POLLED_ALIVE] = (struct pollfd){ .fd = f->alive, .events = POLLIN };
        for (w = f->list; w; w = w->next) {
                short events = (short)((channel_room(&w->channel, f->n) ? POLLIN : 0) |
                                       (wants_write(w) ? POLLOUT : 0));
                p[n++] = (struct pollfd){ .fd = events ? w->fd : -1, .events = events };
        }
        *ret_n = n;
        return p;
}

static void serve_forwards(struct forwarder *f, const struct pollfd *p) {
        struct forward *w, *next;
        size_t n = POLLED_FIXED;

        for (w = f->list; w; w = next, n++) {
                next = w->next;
                if (w->fd >= 0 && p[n].revents & ~POLLOUT)
                        read_from_server(f, w);
                forward_pump(f, w);
        }
}

static void x11_forward_run(struct forwarder *f) {
        while (!f->over) {
                _cleanup_free_ struct pollfd *p = NULL;
                size_t n;

                if (f->ask_at && now_monotonic() >= f->ask_at)
                        x11_send_attach(f);
                p = x11_poll_list(f, &n);
                if (poll(p, (nfds_t)n, f->w && wire_buffered(f->w) ? 0 : x11_poll_timeout(f)) < 0 &&
                                errno != EINTR)
                        return;
                if (p[POLLED_ALIVE].revents)
                        return;
                serve_forwards(f, p);
                if (f->w && (wire_buffered(f->w) || p[POLLED_WIRE].revents))
                        x11_receive(f);
        }
}

/* Leaves the command's process group and closes its descriptors: Ctrl-C is for the command only. */
static void leave_terminal(struct forwarder *f) {
        sigset_t none;

        f->alive = dup2(f->alive, STDERR_FILENO + 1);
        (void)syscall(SYS_close_range, STDERR_FILENO + 2, ~0u, 0);
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

        (void)setpgid(0, 0);
        (void)signal(SIGPIPE, SIG_IGN);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(nothing, STDOUT_FILENO);
}

void x11_forward(const char *program, uint32_t job) {
        int ends[2];

        if (!server.ready)
                return;
        server.ready = false;
        if (pipe2(ends, O_CLOEXEC) < 0) {
                command_error(program, "X11: %s", strerror(errno));
                return;
        }
        pid_t pid = fork();
        if (pid == 0) {
                struct forwarder f = { .program = program,
                        .job = job,
                        .alive = ends[0],
                        .ask_at = 1 };
                leave_terminal(&f);
                x11_forward_run(&f);
                _exit(EXIT_SUCCESS);
        }
        if (pid < 0)
                command_error(program, "X11: %s", strerror(errno));
        close(ends[0]); /* the other end stays open as long as this process */
}
