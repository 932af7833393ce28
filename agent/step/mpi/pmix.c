/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step daemon's side of PMIx (docs/launch.md, "MPI"): a socket whose address the tasks know,
 * the server (pmixd.c), started when the first task connects, and the server's requests to other
 * nodes. */
#include "agent/pmi/pmix_line.h"
#include "agent/pmi/tcp_user.h"
#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmi.h"
#include "agent/step/mpi/pmi_names.h"
#include "agent/step/mpi/pmix_some.h"
#include "built.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define SERVER       "slumberpmixd"
#define BACKLOG      1024
#define OUT_MAX      ((size_t)128 << 20) /* maximum bytes queued for a server not reading */
#define CHUNK        (64u << 10)
#define SERVER_LINE  3 /* descriptor numbers in the server */
#define SERVER_PORT  4
#define SERVER_FIRST 5

struct buffer {
        uint8_t *data;
        size_t size, allocated;
};

struct pmix {
        int listener; /* -1: passed to the server */
        uint16_t port;
        int line; /* socket to the server; -1: not started, or ended */
        struct buffer in, out;
};

static void buffer_add(struct buffer *b, const void *data, size_t size) {
        if (b->size + size > b->allocated) {
                b->allocated = MAX(2 * b->allocated, b->size + size);
                b->data = xrenew(b->data, b->allocated);
        }
        if (size)
                memcpy(b->data + b->size, data, size);
        b->size += size;
}

static void buffer_drop(struct buffer *b, size_t size) {
        b->size -= size;
        memmove(b->data, b->data + size, b->size);
        if (!b->size) {
                free(TAKE(b->data));
                b->allocated = 0;
        }
}

/* ---- the server ---- */

/* Becomes the server. first: accepted connection of a task; -1: none. */
static void run_server(struct step *s, int line, int first, bool inside) __attribute__((noreturn));
static void run_server(struct step *s, int line, int first, bool inside) {
        static const int ignored[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
        struct rlimit files;
        char path[PATH_MAX];
        char *v[] = { (char *)(uintptr_t)SERVER, NULL };
        char *e[] = { (char *)(uintptr_t) "PMIX_MCA_gds=hash",
                (char *)(uintptr_t) "PATH=/usr/bin:/bin", NULL };
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof SERVER);
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

        while (n > 0 && path[n - 1] != '/')
                n--;
        if (n <= 0)
                _exit(EXIT_FAILURE);
        strcpy(path + n, SERVER);
        (void)setsid();
        if (task_enter(s, s->group, inside) < 0 || task_become_user(s) < 0)
                _exit(EXIT_FAILURE);
        /* the server needs three descriptors a task, and must survive signals asking tasks to
           end */
        if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
                files.rlim_cur = files.rlim_max;
                (void)setrlimit(RLIMIT_NOFILE, &files);
        }
        for (size_t i = 0; i < ELEMENTSOF(ignored); i++)
                (void)signal(ignored[i], SIG_IGN);
        /* moved first, so that dup2() overwrites none of them */
        int own = fcntl(line, F_DUPFD_CLOEXEC, SERVER_FIRST + 1);
        int port = fcntl(s->pmix->listener, F_DUPFD_CLOEXEC, SERVER_FIRST + 1);
        int task = first < 0 ? -1 : fcntl(first, F_DUPFD_CLOEXEC, SERVER_FIRST + 1);
        for (int i = 0; i < SERVER_LINE; i++)
                (void)dup2(nothing, i);
        if (dup2(own, SERVER_LINE) < 0 || dup2(port, SERVER_PORT) < 0)
                _exit(EXIT_FAILURE);
        if (task < 0 || dup2(task, SERVER_FIRST) < 0)
                (void)close(SERVER_FIRST);
        execve(path, v, e);
        _exit(EXIT_FAILURE);
}

static void server_send(struct step *s, enum pmix_line_kind kind, uint32_t number, const void *data,
                size_t size) {
        struct pmix_line_head head = { kind, number, (uint32_t)size };
        struct pmix *x = s->pmix;

        if (x->line < 0 || x->out.size > OUT_MAX)
                return;
        buffer_add(&x->out, &head, sizeof head);
        buffer_add(&x->out, data, size);
}

static void server_set_up(struct step *s) {
        const Slumber__LaunchStep *l = s->launch;
        struct pmix_setup setup = { step_known_job(s), s->credential->step_id, l->node_rank,
                l->num_nodes, l->num_tasks, s->user.uid, s->user.gid };
        const char *const texts[] = { l->process_mapping, l->step_nodes, s->spec->node };
        struct buffer b = { 0 };

        buffer_add(&b, &setup, sizeof setup);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                buffer_add(&b, texts[i], strlen(texts[i]) + 1);
        server_send(s, PMIX_LINE_SETUP, 0, b.data, b.size);
        free(b.data);
}

static void server_lost(struct step *s, const char *why) {
        if (s->pmix->line >= 0)
                close(TAKE_FD(s->pmix->line));
        if (s->n_running == 0 || s->terminating)
                return;
        step_complain(s, "PMIx: %s: the step is ended", why);
        step_abort(s, &s->tasks[0], EXIT_FAILURE);
}

static void server_start(struct step *s, int first) {
        struct pmix *x = s->pmix;
        int fds[2];
        bool inside;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0) {
                close(TAKE_FD(x->listener));
                server_lost(s, strerror(errno));
                return;
        }
        x->line = fds[0];
        (void)fcntl(x->line, F_SETFL, O_NONBLOCK);
        (void)fcntl(x->listener, F_SETFL, 0);
        pid_t pid = cg_fork(s->group, &inside);
        if (pid == 0)
                run_server(s, fds[1], first, inside);
        close(fds[1]);
        close(TAKE_FD(x->listener));
        if (pid < 0)
                server_lost(s, "its server cannot be started");
        else
                server_set_up(s);
}

/* ---- other nodes ---- */

/* Head of a message between nodes. rank: the task asked about, on the node asked; the answer
   repeats the rank. */
struct question {
        uint32_t kind, rank;
};

static void some_said(struct step *s, uint32_t from, uint32_t kind, const uint8_t *data,
                size_t size) {
        int r = 0;

        if (kind == PMIX_LINE_SOME_ALL)
                pmix_some_all(s, data, size);
        else if (kind == PMIX_LINE_SOME_HEARD)
                pmix_some_heard(s, from);
        else
                r = pmix_some_part(s, from, data, size);
        if (r < 0)
                server_lost(s, strerror(-r));
}

void pmix_some_lost(struct step *s, const char *why) {
        server_lost(s, why);
}

void pmix_some_done(struct step *s, uint32_t number, const void *data, size_t size) {
        server_send(s, PMIX_LINE_SOME, number, data, size);
}

int pmix_some_send(struct step *s, uint32_t node, uint32_t kind, uint64_t set, const void *data,
                size_t size) {
        const struct question q = { kind, 0 };
        struct buffer b = { 0 };

        buffer_add(&b, &q, sizeof q);
        buffer_add(&b, &set, sizeof set);
        buffer_add(&b, data, size);
        int r = exchange_send(s, node, EXCHANGE_PMIX, b.data, b.size);
        free(b.data);
        return r;
}

static void other_said(struct step *s, uint32_t from, const uint8_t *data, size_t size,
                void *user) {
        struct question q;
        struct buffer b = { 0 };

        if (size < sizeof q)
                return;
        memcpy(&q, data, sizeof q);
        if (q.kind == PMIX_LINE_SOME || q.kind == PMIX_LINE_SOME_ALL ||
                        q.kind == PMIX_LINE_SOME_HEARD) {
                some_said(s, from, q.kind, data + sizeof q, size - sizeof q);
                return;
        }
        if (s->pmix->listener >= 0) /* no task has connected yet: the answer waits for one */
                server_start(s, -1);
        if (q.kind == PMIX_LINE_ASK)
                buffer_add(&b, &from, sizeof from);
        buffer_add(&b, data + sizeof q, size - sizeof q);
        if (q.kind == PMIX_LINE_ASK || q.kind == PMIX_LINE_TOLD)
                server_send(s, q.kind, q.rank, b.data, b.size);
        free(b.data);
}

/* Sends a question or an answer of the server to another node, whose number begins the data. */
static void tell_other(struct step *s, const struct pmix_line_head *head, const uint8_t *data) {
        struct question q = { head->kind, head->number };
        struct buffer b = { 0 };
        uint32_t node;

        if (head->size < sizeof node)
                return;
        memcpy(&node, data, sizeof node);
        buffer_add(&b, &q, sizeof q);
        buffer_add(&b, data + sizeof node, head->size - sizeof node);
        if (exchange_send(s, node, EXCHANGE_PMIX, b.data, b.size) < 0 && q.kind == PMIX_LINE_ASK)
                server_send(s, PMIX_LINE_TOLD, q.rank, NULL, 0);
        free(b.data);
}

/* Parts of all nodes are here: the server ends the fence. */
static void fence_exchanged(const struct exchange_part *parts, size_t n_nodes, void *user) {
        struct step *s = user;
        struct buffer all = { 0 };

        for (size_t i = 0; i < n_nodes; i++)
                buffer_add(&all, parts[i].data, parts[i].size);
        server_send(s, PMIX_LINE_FENCE, 0, all.data, all.size);
        free(all.data);
}

static void fence_enter(struct step *s, const struct pmix_line_head *head, const uint8_t *data) {
        int r = exchange_all(s, data, head->size, fence_exchanged, s);

        if (r < 0)
                server_lost(s, strerror(-r));
}

static void fence_some(struct step *s, const struct pmix_line_head *head, const uint8_t *data) {
        int r = pmix_some_enter(s, head->number, data, head->size);

        if (r < 0)
                server_lost(s, r == -EBADMSG ? "its server said what none says" : strerror(-r));
}

/* ---- names ---- */

/* Reads two NUL-terminated texts; false: malformed. */
static bool read_texts(const uint8_t *data, size_t size, const char *ret[2]) {
        const char *end = (const char *)data + size;
        const char *at = (const char *)data;

        for (size_t i = 0; i < 2; i++) {
                const char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
                if (!zero)
                        return false;
                ret[i] = at;
                at = zero + 1;
        }
        return at == end;
}

static void name_asked(struct step *s, const struct pmix_line_head *line, const uint8_t *data) {
        struct pmix_name_head head;
        const char *texts[2];

        if (line->size < sizeof head ||
                        !read_texts(data + sizeof head, line->size - sizeof head, texts)) {
                server_lost(s, "its server said what none says");
                return;
        }
        memcpy(&head, data, sizeof head);
        _cleanup_free_ char *name = xasprintf(PMIX_NAME_PREFIX "%s", texts[0]);
        struct pmi_name n = { .act = head.act < PMI_NAME_FORGET ? (enum pmi_name_act)head.act
                                                                : PMI_NAME_LOOKUP,
                .task = PMI_NAME_OF_PMIX,
                .begun = line->number,
                .patience = head.patience * USEC_PER_MSEC,
                .name = name,
                .port = texts[1] };
        pmi_name_ask(s, &n, now_monotonic());
}

void pmix_name_answered(struct step *s, const struct pmi_name *n) {
        uint32_t outcome = n->late ? PMIX_NAME_LATE : n->done ? PMIX_NAME_DONE : PMIX_NAME_NO;
        struct buffer b = { 0 };
        const char *value = strempty(n->port);

        if (!s->pmix)
                return;
        buffer_add(&b, &outcome, sizeof outcome);
        buffer_add(&b, value, strlen(value) + 1);
        server_send(s, PMIX_LINE_NAME, n->begun, b.data, b.size);
        free(b.data);
}

/* ---- messages of the server ---- */

static struct task *pmix_find_task(struct step *s, uint32_t rank) {
        for (size_t i = 0; i < s->n_tasks; i++)
                if (s->tasks[i].rank == rank)
                        return &s->tasks[i];
        return NULL;
}

/* Ends the step. The server ends with the step, so its end is not an error. */
static void pmix_end_step(struct step *s, struct task *t, int code) {
        step_abort(s, t, code);
        if (s->pmix->line >= 0)
                close(TAKE_FD(s->pmix->line));
}

/* MPI_Comm_spawn is refused. Open MPI returns the error to the calling task only; other tasks of
   its communicator would wait for ever for the result. The communicator is unknown: a call with
   MPI_COMM_SELF, on which no other task waits, and a call of all tasks look the same. So the step
   is ended, unless the step has a single task. */
static void server_on_refused(struct step *s, const struct pmix_line_head *head,
                const uint8_t *data) {
        struct task *t = pmix_find_task(s, head->number);
        bool alone = s->launch->num_tasks <= 1;

        if (!t)
                return;
        step_complain(s, "task %u: %.*s%s", head->number, (int)MIN(head->size, 1000u),
                        (const char *)data,
                        alone ? "" : ": the step is ended, as others of its tasks may wait for it");
        if (!alone)
                pmix_end_step(s, t, EXIT_FAILURE);
}

static void server_on_abort(struct step *s, const struct pmix_line_head *head,
                const uint8_t *data) {
        struct task *t = pmix_find_task(s, head->number);
        int32_t code = EXIT_FAILURE;

        if (head->size >= sizeof code)
                memcpy(&code, data, sizeof code);
        if (!t)
                return;
        step_complain(s, "task %u has aborted the step with exit code %d", head->number, code);
        pmix_end_step(s, t, code);
}

static void server_on_failed(struct step *s, const struct pmix_line_head *head,
                const uint8_t *data) {
        _cleanup_free_ char *why = xasprintf("%.*s", (int)MIN(head->size, 1000u),
                        (const char *)data);

        server_lost(s, why);
}

static void server_on_message(struct step *s, const struct pmix_line_head *head,
                const uint8_t *data) {
        switch ((enum pmix_line_kind)head->kind) {
        case PMIX_LINE_FENCE:
                fence_enter(s, head, data);
                break;
        case PMIX_LINE_SOME:
                fence_some(s, head, data);
                break;
        case PMIX_LINE_ASK:
        case PMIX_LINE_TOLD:
                tell_other(s, head, data);
                break;
        case PMIX_LINE_ABORT:
                server_on_abort(s, head, data);
                break;
        case PMIX_LINE_NAME:
                name_asked(s, head, data);
                break;
        case PMIX_LINE_REFUSED:
                server_on_refused(s, head, data);
                break;
        case PMIX_LINE_FAILED:
                server_on_failed(s, head, data);
                break;
        case PMIX_LINE_SETUP:
        case PMIX_LINE_SOME_ALL:
        case PMIX_LINE_SOME_HEARD:
        case PMIX_LINE_KIND_MAX:
        default:
                server_lost(s, "its server said what none says");
        }
}

static void server_run_messages(struct step *s) {
        struct buffer *in = &s->pmix->in;
        struct pmix_line_head head;

        while (s->pmix->line >= 0 && in->size >= sizeof head) {
                memcpy(&head, in->data, sizeof head);
                if (head.size > PMIX_LINE_MAX) {
                        server_lost(s, "its server said too much");
                        return;
                }
                if (in->size - sizeof head < head.size)
                        return;
                server_on_message(s, &head, in->data + sizeof head);
                buffer_drop(in, sizeof head + head.size);
        }
}

static void server_receive(struct step *s) {
        uint8_t data[CHUNK];
        ssize_t n = recv(s->pmix->line, data, sizeof data, 0);

        if (n > 0) {
                buffer_add(&s->pmix->in, data, (size_t)n);
                server_run_messages(s);
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
                server_lost(s, "its server has ended");
        }
}

static void server_flush(struct step *s) {
        struct pmix *x = s->pmix;
        ssize_t n = x->out.size ? send(x->line, x->out.data, x->out.size, MSG_NOSIGNAL) : 0;

        if (n > 0)
                buffer_drop(&x->out, (size_t)n);
        else if (n < 0 && errno != EAGAIN && errno != EINTR)
                server_lost(s, "its server has ended");
}

/* ---- start and end ---- */

static int listen_here(struct pmix *x) {
        struct sockaddr_in at = { .sin_family = AF_INET,
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t size = sizeof at;

        x->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (x->listener < 0 || bind(x->listener, (struct sockaddr *)&at, size) < 0 ||
                        listen(x->listener, BACKLOG) < 0 ||
                        getsockname(x->listener, (struct sockaddr *)&at, &size) < 0)
                return -errno;
        x->port = ntohs(at.sin_port);
        return 0;
}

int pmix_begin(struct step *s, struct fail *fail) {
        const char *asked = s->launch->batch || step_has_oci(s) ? "none" : s->launch->spec->mpi;

        if (!streq(asked, "") && !streq(asked, "pmix"))
                return 0;
        if (!SLUMBER_PMIX)
                return !*asked ? 0
                               : fail_set(fail, -EOPNOTSUPP,
                                                 "--mpi=pmix: slumberstepd is built without it");
        s->pmix = xnew0(struct pmix, 1);
        s->pmix->listener = s->pmix->line = -1;
        int r = listen_here(s->pmix);
        if (r >= 0) {
                pmi_names_begin(s);
                if (exchange_nodes(s) > 1)
                        exchange_hook(s, EXCHANGE_PMIX, other_said, NULL);
                return 0;
        }
        pmix_done(s);
        if (!*asked) {
                step_debug(s, LOG_INFO, "no PMIx: %s", strerror(-r));
                return 0;
        }
        return fail_set(fail, r, "--mpi=pmix: cannot listen on 127.0.0.1: %s", strerror(-r));
}

/* Variables by which libpmix 2 to 4 finds its server. */
void pmix_take(struct step *s, const struct task *t) {
        static const char *const uris[] = { "PMIX_SERVER_URI41", "PMIX_SERVER_URI4",
                "PMIX_SERVER_URI3", "PMIX_SERVER_URI21", "PMIX_SERVER_URI2" };
        static const char *const fixed[] = {
                "PMIX_SECURITY_MODE=native",
                "PMIX_GDS_MODULE=hash",
                "PMIX_BFROP_BUFFER_TYPE=PMIX_BFROP_BUFFER_NON_DESC",
        };
        struct environment *e = s->environment;
        char space[64];

        if (!s->pmix)
                return;
        snprintf(space, sizeof space, MPI_SPACE, step_known_job(s), s->credential->step_id);
        environment_set(e, "PMIX_NAMESPACE", "%s", space);
        environment_set(e, "PMIX_RANK", "%u", t->rank);
        environment_set(e, "PMIX_HOSTNAME", "%s", s->spec->node);
        for (size_t i = 0; i < ELEMENTSOF(uris); i++)
                environment_set(e, uris[i], "%s.%u;tcp4://127.0.0.1:%u", space,
                                s->launch->node_rank, s->pmix->port);
        for (size_t i = 0; i < ELEMENTSOF(fixed); i++)
                environment_put(e, fixed[i]);
}

int pmix_wants(const struct step *s, short *ret_events) {
        const struct pmix *x = s->pmix;

        *ret_events = POLLIN;
        if (!x)
                return -1;
        if (x->line < 0)
                return x->listener;
        if (x->out.size)
                *ret_events |= POLLOUT;
        return x->line;
}

/* Starts the server at the first connection. The port is open to the whole host: connections of
   other users are ignored. */
static void accept_first(struct step *s) {
        _cleanup_close_ int fd = accept4(s->pmix->listener, NULL, NULL, SOCK_CLOEXEC);

        if (fd >= 0 && s->n_running && tcp_peer_is(fd, s->user.uid))
                server_start(s, fd);
}

void pmix_serve(struct step *s) {
        if (s->pmix->listener >= 0)
                accept_first(s);
        if (s->pmix->line >= 0)
                server_flush(s);
        if (s->pmix->line >= 0)
                server_receive(s);
}

void pmix_done(struct step *s) {
        struct pmix *x = s->pmix;

        if (!x)
                return;
        if (x->listener >= 0)
                close(x->listener);
        if (x->line >= 0)
                close(x->line);
        free(x->in.data);
        free(x->out.data);
        pmix_some_end(s);
        free(TAKE(s->pmix));
}
