/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberpmixd - the PMIx server of a step on a node (docs/launch.md, "MPI")
 *
 * The step daemon starts the server when a task first connects to the port in PMIX_SERVER_URI, as
 * the step's user in the step's cgroup: libpmix has threads of its own and reads what users'
 * programs send, so libpmix must run neither in the step daemon nor as root. Descriptor 3 is the
 * line to the step daemon (pmix_line.h), descriptor 4 the listening socket to which tasks connect.
 * Tasks' data is forwarded to the library's own port, whose number is known only after the library
 * has started. */
#include "agent/pmi/pmixd.h"
#include "agent/pmi/tcp_user.h"

#include "lib/hostlist.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pmix.h>
#include <pmix_server.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#define LINE_FD   3
#define LISTEN_FD 4
#define FIRST_FD  5 /* connection of a first task, if open */
#define CHUNK     (64u << 10)

/* ---- the line ---- */

static pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;

void pmixd_say(enum pmix_line_kind kind, uint32_t number, const void *first, size_t first_size,
                const void *data, size_t size) {
        struct pmix_line_head head = { kind, number, (uint32_t)(first_size + size) };

        (void)pthread_mutex_lock(&line_lock);
        int r = first_size + size > PMIX_LINE_MAX ? -EMSGSIZE
                                                  : fd_write(LINE_FD, &head, sizeof head);
        if (r >= 0)
                r = fd_write(LINE_FD, first, first_size);
        if (r >= 0)
                r = fd_write(LINE_FD, data, size);
        (void)pthread_mutex_unlock(&line_lock);
        if (r < 0)
                _exit(EXIT_FAILURE); /* the step daemon is gone, or the message too large */
}

static void pmixd_die(const char *format, ...) _printf_(1, 2) __attribute__((noreturn));
static void pmixd_die(const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        pmixd_say(PMIX_LINE_FAILED, 0, NULL, 0, text, strlen(text));
        _exit(EXIT_FAILURE);
}

static void line_read_bytes(void *data, size_t size) {
        for (char *p = data; size;) {
                ssize_t n = read(LINE_FD, p, size);
                if (n <= 0 && !(n < 0 && errno == EINTR))
                        _exit(EXIT_SUCCESS); /* the step has ended */
                p += MAX(n, (ssize_t)0);
                size -= (size_t)MAX(n, (ssize_t)0);
        }
}

/* Reads a message; the result is followed by a zero byte. The caller frees. */
static uint8_t *line_read_message(struct pmix_line_head *ret) {
        line_read_bytes(ret, sizeof *ret);
        uint8_t *data = xmalloc((size_t)ret->size + 1);
        line_read_bytes(data, ret->size);
        data[ret->size] = 0;
        return data;
}

/* ---- the step ---- */

static struct {
        char nspace[PMIX_MAX_NSLEN + 1], host[PMIX_MAX_NSLEN + 1];
        struct pmix_setup is;
        uint32_t *node; /* node of each rank */
        struct hostlist *nodes;
} step;

static void take_setup(void) {
        struct pmix_line_head head;
        _cleanup_free_ uint8_t *data = line_read_message(&head);
        struct fail fail = { 0 };

        if (head.kind != PMIX_LINE_SETUP || head.size < sizeof step.is)
                pmixd_die("no step was described");
        memcpy(&step.is, data, sizeof step.is);
        const char *mapping = (const char *)data + sizeof step.is;
        const char *nodes = mapping + strlen(mapping) + 1, *host = nodes + strlen(nodes) + 1;
        snprintf(step.nspace, sizeof step.nspace, MPI_SPACE, step.is.job, step.is.step);
        snprintf(step.host, sizeof step.host, "%s", host);
        if (hostlist_parse(nodes, &step.nodes, &fail) < 0 ||
                        hostlist_count(step.nodes) != step.is.n_nodes)
                pmixd_die("the nodes of the step are malformed: %s", fail.text);
        step.node = xnew0(uint32_t, step.is.n_tasks);
        names_begin(step.nspace, step.is.n_tasks);
        if (pmi_mapping_parse(mapping, step.node, step.is.n_tasks) < 0)
                pmixd_die("where the tasks are is malformed");
        for (uint32_t i = 0; i < step.is.n_tasks; i++)
                if (step.node[i] >= step.is.n_nodes)
                        pmixd_die("task %u is on no node", i);
}

/* ---- requests of the library ---- */

struct pending { /* a request waiting for the step daemon's answer */
        struct pending *next;
        enum pmix_line_kind kind;
        uint32_t number;
        pmix_modex_cbfunc_t done;
        void *user;
};
static struct pending *pending; /* protected by line_lock */

static void pending_add(enum pmix_line_kind kind, uint32_t number, pmix_modex_cbfunc_t done,
                void *user) {
        struct pending *p = xnew(struct pending, 1);

        (void)pthread_mutex_lock(&line_lock);
        *p = (struct pending){ pending, kind, number, done, user };
        pending = p;
        (void)pthread_mutex_unlock(&line_lock);
}

/* Removes and returns the oldest request of the kind and number; NULL if none. */
static struct pending *pending_take(enum pmix_line_kind kind, uint32_t number) {
        struct pending **oldest = NULL, *p = NULL;

        (void)pthread_mutex_lock(&line_lock);
        for (struct pending **at = &pending; *at; at = &(*at)->next)
                if ((*at)->kind == kind && (*at)->number == number)
                        oldest = at;
        if (oldest) {
                p = *oldest;
                *oldest = p->next;
        }
        (void)pthread_mutex_unlock(&line_lock);
        return p;
}

static pmix_status_t server_connected(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done,
                void *user) {
        if (done)
                done(PMIX_SUCCESS, user);
        return PMIX_SUCCESS;
}

static pmix_status_t server_finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done,
                void *user) {
        if (done)
                done(PMIX_SUCCESS, user);
        return PMIX_SUCCESS;
}

static pmix_status_t server_aborted(const pmix_proc_t *proc, void *object, int status,
                const char *text, pmix_proc_t procs[], size_t n, pmix_op_cbfunc_t done,
                void *user) {
        const char *said = strempty(text);
        int32_t code = status;

        pmixd_say(PMIX_LINE_ABORT, proc->rank, &code, sizeof code, said,
                        MIN(strlen(said), (size_t)PMI_VALUE_MAX));
        if (done)
                done(PMIX_SUCCESS, user);
        return PMIX_SUCCESS;
}

/* Returns the number of the step's tasks in procs, and whether all are on this node. */
static size_t of_step(const pmix_proc_t procs[], size_t n, bool *ret_here) {
        *ret_here = true;
        for (size_t i = 0; i < n; i++) {
                if (strcmp(procs[i].nspace, step.nspace) != 0)
                        return 0;
                if (procs[i].rank == PMIX_RANK_WILDCARD)
                        return step.is.n_tasks;
                *ret_here &= procs[i].rank < step.is.n_tasks &&
                             step.node[procs[i].rank] == step.is.node;
        }
        return n;
}

static int rank_order(const void *a, const void *b) {
        const uint32_t *x = a, *y = b;

        return (*x > *y) - (*x < *y);
}

/* FNV-1a hash of the sorted ranks: equal on all nodes. */
static uint64_t rank_set_hash(const uint32_t *ranks, size_t n) {
        uint64_t h = 14695981039346656037u;

        for (size_t i = 0; i < n * sizeof *ranks; i++)
                h = (h ^ ((const uint8_t *)ranks)[i]) * 1099511628211u;
        return h;
}

/* Fence of some tasks on several nodes */
static pmix_status_t server_fence_some(const pmix_proc_t procs[], size_t n, char *data, size_t size,
                pmix_modex_cbfunc_t done, void *user) {
        static uint32_t number; /* the library calls from a single thread */
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, n);
        struct pmix_some_head head = { 0 };
        _cleanup_free_ char *text = NULL;
        size_t length;

        for (size_t i = 0; i < n; i++) {
                ranks[i] = procs[i].rank;
                if (strcmp(procs[i].nspace, step.nspace) != 0 || ranks[i] >= step.is.n_tasks)
                        return PMIX_ERR_NOT_SUPPORTED; /* tasks of other steps */
        }
        list_sort(ranks, n, sizeof *ranks, rank_order);
        head.set = rank_set_hash(ranks, n);
        for (size_t i = 0; i < n; i++)
                ranks[i] = step.node[ranks[i]];
        list_sort(ranks, n, sizeof *ranks, rank_order);
        for (size_t i = 0; i < n; i++)
                if (i == 0 || ranks[i] != ranks[head.n_nodes - 1])
                        ranks[head.n_nodes++] = ranks[i];
        FILE *out = memstream_open(&text, &length);
        fwrite(&head, sizeof head, 1, out);
        fwrite(ranks, sizeof *ranks, head.n_nodes, out);
        memstream_close(out);
        pending_add(PMIX_LINE_SOME, ++number, done, user);
        pmixd_say(PMIX_LINE_SOME, number, text, length, data, size);
        free(data);
        return PMIX_SUCCESS;
}

static pmix_status_t server_fence(const pmix_proc_t procs[], size_t n, const pmix_info_t info[],
                size_t n_info, char *data, size_t size, pmix_modex_cbfunc_t done, void *user) {
        bool here;

        if (of_step(procs, n, &here) >= step.is.n_tasks) {
                pending_add(PMIX_LINE_FENCE, 0, done, user);
                pmixd_say(PMIX_LINE_FENCE, 0, NULL, 0, data, size);
                free(data);
                return PMIX_SUCCESS;
        }
        if (!here)
                return server_fence_some(procs, n, data, size, done, user);
        done(PMIX_SUCCESS, data, size, user, free, data);
        return PMIX_SUCCESS;
}

static pmix_status_t server_direct_modex(const pmix_proc_t *proc, const pmix_info_t info[],
                size_t n, pmix_modex_cbfunc_t done, void *user) {
        if (strcmp(proc->nspace, step.nspace) != 0 || proc->rank >= step.is.n_tasks)
                return PMIX_ERR_NOT_FOUND;
        uint32_t node = step.node[proc->rank];
        if (node == step.is.node)
                return PMIX_ERR_NOT_FOUND;
        pending_add(PMIX_LINE_TOLD, proc->rank, done, user);
        pmixd_say(PMIX_LINE_ASK, proc->rank, &node, sizeof node, NULL, 0);
        return PMIX_SUCCESS;
}

/* ---- unsupported requests ---- */

static pmix_status_t server_refuse_spawn(const pmix_proc_t *proc, const pmix_info_t info[],
                size_t n, const pmix_app_t apps[], size_t n_apps, pmix_spawn_cbfunc_t done,
                void *user) {
        _cleanup_free_ char *text = xasprintf(
                        "MPI_Comm_spawn of %.200s is refused: a step has the tasks that it began with",
                        n_apps ? strempty(apps[0].cmd) : "");

        pmixd_say(PMIX_LINE_REFUSED, proc->rank, NULL, 0, text, strlen(text));
        return PMIX_ERR_NOT_SUPPORTED;
}

static pmix_server_module_t module = {
        .client_connected = server_connected,
        .client_finalized = server_finalized,
        .abort = server_aborted,
        .fence_nb = server_fence,
        .direct_modex = server_direct_modex,
        .publish = names_publish,
        .lookup = names_lookup,
        .unpublish = names_unpublish,
        .spawn = server_refuse_spawn,
};

/* ---- messages of the step daemon ---- */

struct asked {
        uint32_t rank, node;
};

static void modex_found(pmix_status_t status, char *data, size_t size, void *user) {
        _cleanup_free_ struct asked *a = user;

        pmixd_say(PMIX_LINE_TOLD, a->rank, &a->node, sizeof a->node, data,
                        status == PMIX_SUCCESS ? size : 0);
}

static void modex_request(const struct pmix_line_head *head, const uint8_t *data) {
        struct asked *a = xnew0(struct asked, 1);
        pmix_proc_t proc;

        if (head->size >= sizeof a->node)
                memcpy(&a->node, data, sizeof a->node);
        a->rank = head->number;
        PMIX_LOAD_PROCID(&proc, step.nspace, a->rank);
        if (PMIx_server_dmodex_request(&proc, modex_found, a) != PMIX_SUCCESS)
                modex_found(PMIX_ERROR, NULL, 0, a);
}

static void pending_complete(enum pmix_line_kind kind, uint32_t number, uint8_t *data, size_t size,
                bool found) {
        _cleanup_free_ struct pending *p = pending_take(kind, number);

        if (p)
                p->done(found ? PMIX_SUCCESS : PMIX_ERR_NOT_FOUND, (const char *)data, size,
                                p->user, free, data);
        else
                free(data);
}

static void hear_line(void) {
        struct pmix_line_head head;
        uint8_t *data = line_read_message(&head);

        switch ((enum pmix_line_kind)head.kind) {
        case PMIX_LINE_FENCE:
                pending_complete(PMIX_LINE_FENCE, head.number, data, head.size, true);
                break;
        case PMIX_LINE_SOME:
                pending_complete(PMIX_LINE_SOME, head.number, data, head.size, true);
                break;
        case PMIX_LINE_ASK:
                modex_request(&head, data);
                free(data);
                break;
        case PMIX_LINE_TOLD:
                pending_complete(PMIX_LINE_TOLD, head.number, data, head.size, head.size > 0);
                break;
        case PMIX_LINE_NAME:
                names_answered(head.number, data, head.size);
                free(data);
                break;
        case PMIX_LINE_SETUP:
        case PMIX_LINE_SOME_ALL:
        case PMIX_LINE_SOME_HEARD:
        case PMIX_LINE_ABORT:
        case PMIX_LINE_REFUSED:
        case PMIX_LINE_FAILED:
        case PMIX_LINE_KIND_MAX:
                pmixd_die("the step daemon said what it never says");
        }
}

/* ---- the namespace ---- */

struct infos {
        pmix_info_t *list;
        size_t n, allocated;
};

static void infos_add(struct infos *l, const char *key, const void *value, pmix_data_type_t type) {
        GROW(l->list, l->allocated, l->n);
        PMIX_INFO_CONSTRUCT(&l->list[l->n]);
        PMIX_INFO_LOAD(&l->list[l->n], key, value, type);
        l->n++;
}

static void infos_add_u32(struct infos *l, const char *key, uint32_t value) {
        infos_add(l, key, &value, PMIX_UINT32);
}

static void infos_add_u16(struct infos *l, const char *key, size_t value) {
        uint16_t number = (uint16_t)value;

        infos_add(l, key, &number, PMIX_UINT16);
}

/* Returns the ranks of each node: "0,3;1,2"; the caller frees. */
static char *map_ranks_text(void) {
        size_t n_nodes = step.is.n_nodes, size;
        _cleanup_free_ FILE **out = xnew(FILE *, n_nodes);
        _cleanup_free_ char **text = xnew0(char *, n_nodes);
        _cleanup_free_ size_t *sizes = xnew0(size_t, n_nodes);
        char *all = NULL;
        FILE *whole = memstream_open(&all, &size);

        for (size_t i = 0; i < n_nodes; i++)
                out[i] = memstream_open(&text[i], &sizes[i]);
        for (uint32_t rank = 0; rank < step.is.n_tasks; rank++) {
                FILE *f = out[step.node[rank]];
                fprintf(f, "%s%u", ftell(f) ? "," : "", rank);
        }
        for (size_t i = 0; i < n_nodes; i++) {
                memstream_close(out[i]);
                fprintf(whole, "%s%s", i ? ";" : "", text[i]);
                free(text[i]);
        }
        memstream_close(whole);
        return all;
}

static char *map_nodes_text(void) {
        char *all = NULL;
        size_t size;
        FILE *out = memstream_open(&all, &size);

        for (size_t i = 0; i < hostlist_count(step.nodes); i++)
                fprintf(out, "%s%s", i ? "," : "", hostlist_get(step.nodes, i));
        memstream_close(out);
        return all;
}

static void add_maps(struct infos *l) {
        _cleanup_free_ char *nodes = map_nodes_text(), *ranks = map_ranks_text();
        char *regex = NULL, *ppn = NULL;

        if (PMIx_generate_regex(nodes, &regex) != PMIX_SUCCESS ||
                        PMIx_generate_ppn(ranks, &ppn) != PMIX_SUCCESS)
                pmixd_die("libpmix cannot describe the nodes");
        infos_add(l, PMIX_NODE_MAP, regex, PMIX_REGEX);
        infos_add(l, PMIX_PROC_MAP, ppn, PMIX_REGEX);
        free(regex);
        free(ppn);
}

/* Adds the data of each rank. Returns the number of ranks on this node; *ret_peers: their list. */
static uint32_t add_ranks(struct infos *l, char **ret_peers) {
        _cleanup_free_ uint32_t *used = xnew0(uint32_t, step.is.n_nodes);
        size_t size;
        FILE *out = memstream_open(ret_peers, &size);

        for (uint32_t rank = 0; rank < step.is.n_tasks; rank++) {
                uint32_t node = step.node[rank], local = used[node]++;
                struct infos of = { 0 };
                pmix_rank_t number = rank;

                infos_add(&of, PMIX_RANK, &number, PMIX_PROC_RANK);
                infos_add_u32(&of, PMIX_APPNUM, 0);
                infos_add_u32(&of, PMIX_GLOBAL_RANK, rank);
                infos_add_u32(&of, PMIX_APP_RANK, rank);
                infos_add_u16(&of, PMIX_LOCAL_RANK, local);
                infos_add_u16(&of, PMIX_NODE_RANK, local);
                infos_add_u32(&of, PMIX_NODEID, node);
                infos_add(&of, PMIX_HOSTNAME, hostlist_get(step.nodes, node), PMIX_STRING);
                pmix_data_array_t array = { 0 };
                array.type = PMIX_INFO;
                array.size = of.n;
                array.array = of.list;
                infos_add(l, PMIX_PROC_DATA, &array, PMIX_DATA_ARRAY);
                free(of.list);
                if (node == step.is.node)
                        fprintf(out, "%s%u", local ? "," : "", rank);
        }
        memstream_close(out);
        return used[step.is.node];
}

static void register_all(void) {
        struct infos l = { 0 };
        char *peers = NULL;
        uint32_t n_local = add_ranks(&l, &peers);
        pmix_proc_t proc;

        add_maps(&l);
        infos_add_u32(&l, PMIX_UNIV_SIZE, step.is.n_tasks);
        infos_add_u32(&l, PMIX_JOB_SIZE, step.is.n_tasks);
        infos_add_u32(&l, PMIX_MAX_PROCS, step.is.n_tasks);
        infos_add_u32(&l, PMIX_JOB_NUM_APPS, 1);
        infos_add_u32(&l, PMIX_APPNUM, 0);
        infos_add_u32(&l, PMIX_NUM_NODES, step.is.n_nodes);
        infos_add_u32(&l, PMIX_NODE_SIZE, n_local);
        infos_add_u32(&l, PMIX_LOCAL_SIZE, n_local);
        infos_add_u32(&l, PMIX_NODEID, step.is.node);
        infos_add(&l, PMIX_LOCAL_PEERS, peers, PMIX_STRING);
        pmix_status_t r = PMIx_server_register_nspace(step.nspace, (int)n_local, l.list, l.n, NULL,
                        NULL);
        if (r != PMIX_SUCCESS && r != PMIX_OPERATION_SUCCEEDED)
                pmixd_die("libpmix does not take the step: %s", PMIx_Error_string(r));
        free(peers);
        for (uint32_t rank = 0; rank < step.is.n_tasks; rank++) {
                if (step.node[rank] != step.is.node)
                        continue;
                PMIX_LOAD_PROCID(&proc, step.nspace, rank);
                r = PMIx_server_register_client(&proc, step.is.uid, step.is.gid, NULL, NULL, NULL);
                if (r != PMIX_SUCCESS && r != PMIX_OPERATION_SUCCEEDED)
                        pmixd_die("libpmix does not take task %u: %s", rank, PMIx_Error_string(r));
        }
}

/* Returns the library's own port, from the environment that libpmix makes for tasks. */
static uint16_t own_port(void) {
        static const char name[] = "PMIX_SERVER_URI";
        char **env = NULL;
        pmix_proc_t proc;
        unsigned long port = 0;

        PMIX_LOAD_PROCID(&proc, step.nspace, PMIX_RANK_WILDCARD);
        (void)PMIx_server_setup_fork(&proc, &env);
        for (size_t i = 0; env && env[i]; i++) {
                const char *colon = strrchr(env[i], ':');
                if (strncmp(env[i], name, strlen(name)) == 0 && strstr(env[i], "tcp4") && colon)
                        port = strtoul(colon + 1, NULL, 10);
        }
        if (port == 0 || port > UINT16_MAX)
                pmixd_die("libpmix listens on no port");
        return (uint16_t)port;
}

static uint16_t start_library(void) {
        struct infos l = { 0 };
        pmix_rank_t rank = step.is.node;

        infos_add(&l, PMIX_SERVER_NSPACE, step.nspace, PMIX_STRING);
        infos_add(&l, PMIX_SERVER_RANK, &rank, PMIX_PROC_RANK);
        infos_add(&l, PMIX_HOSTNAME, step.host, PMIX_STRING);
        infos_add_u32(&l, PMIX_USERID, step.is.uid);
        infos_add_u32(&l, PMIX_GRPID, step.is.gid);
        pmix_status_t r = PMIx_server_init(&module, l.list, l.n);
        if (r != PMIX_SUCCESS)
                pmixd_die("libpmix does not start: %s", PMIx_Error_string(r));
        register_all();
        return own_port();
}

/* ---- forwarding between tasks and the library ---- */

struct way { /* one direction of a connection */
        int from, to;
        bool over;
        size_t n, done;
        char data[CHUNK];
};

static struct pollfd *polled;
static struct way **ways; /* pairs: from the task, to the task */
static size_t n_ways, a_ways, a_polled;

static int to_library(uint16_t port) {
        struct sockaddr_in at = {
                .sin_family = AF_INET,
                .sin_port = htons(port),
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        };
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) < 0)
                close(TAKE_FD(fd));
        return fd;
}

static void add_way(int from, int to) {
        int one = 1;

        GROW(ways, a_ways, n_ways);
        ways[n_ways] = xnew(struct way, 1);
        ways[n_ways]->from = from;
        ways[n_ways]->to = to;
        ways[n_ways]->over = false;
        ways[n_ways]->n = ways[n_ways]->done = 0;
        n_ways++;
        (void)fcntl(from, F_SETFL, O_NONBLOCK);
        (void)setsockopt(from, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void task_add_ways(int task, uint16_t port) {
        int library = to_library(port);

        if (library < 0) {
                close(task);
                return;
        }
        add_way(task, library);
        add_way(library, task);
}

static void accept_task(uint16_t port) {
        int task = accept4(LISTEN_FD, NULL, NULL, SOCK_CLOEXEC);

        if (task < 0 && (errno == EMFILE || errno == ENFILE))
                pmixd_die("accept: %s", strerror(errno));
        if (task < 0)
                return;
        if (tcp_peer_is(task, geteuid()))
                task_add_ways(task, port);
        else
                close(task);
}

static void way_forward(struct way *w) {
        if (w->done == w->n) {
                ssize_t n = recv(w->from, w->data, sizeof w->data, 0);
                if (n < 0 && (errno == EAGAIN || errno == EINTR))
                        return;
                w->over = n <= 0;
                w->done = 0;
                w->n = (size_t)MAX(n, (ssize_t)0);
                if (w->over)
                        (void)shutdown(w->to, SHUT_WR);
        }
        ssize_t n = w->done < w->n ? send(w->to, w->data + w->done, w->n - w->done, MSG_NOSIGNAL)
                                   : 0;
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
                w->over = true;
                w->done = w->n;
                (void)shutdown(w->from, SHUT_RD);
        }
        w->done += (size_t)MAX(n, (ssize_t)0);
}

/* Closes pairs with both directions finished. */
static void drop_ways(void) {
        size_t kept = 0;

        for (size_t i = 0; i < n_ways; i += 2) {
                struct way *there = ways[i], *back = ways[i + 1];
                if (there->over && back->over && there->done == there->n && back->done == back->n) {
                        close(there->from);
                        close(back->from);
                        free(there);
                        free(back);
                        continue;
                }
                ways[kept++] = there;
                ways[kept++] = back;
        }
        n_ways = kept;
}

static void pmixd_run_loop(uint16_t port) {
        enum { LINE, LISTEN, FIXED };

        for (;;) {
                if (a_polled < n_ways + FIXED) {
                        a_polled = 2 * (n_ways + FIXED);
                        polled = xrenew(polled, a_polled);
                }
                polled[LINE] = (struct pollfd){ .fd = LINE_FD, .events = POLLIN };
                polled[LISTEN] = (struct pollfd){ .fd = LISTEN_FD, .events = POLLIN };
                for (size_t i = 0; i < n_ways; i++) {
                        const struct way *w = ways[i];
                        bool full = w->done < w->n;
                        polled[FIXED + i] = (struct pollfd){
                                .fd = full      ? w->to
                                      : w->over ? -1
                                                : w->from,
                                .events = full ? POLLOUT : POLLIN,
                        };
                }
                size_t n = n_ways;
                if (poll(polled, n + FIXED, -1) < 0 && errno != EINTR)
                        pmixd_die("poll: %s", strerror(errno));
                for (size_t i = 0; i < n; i++)
                        if (polled[FIXED + i].revents)
                                way_forward(ways[i]);
                drop_ways();
                if (polled[LINE].revents)
                        hear_line();
                if (polled[LISTEN].revents)
                        accept_task(port);
        }
}

int main(void) {
        standard_streams_open();
        (void)fcntl(LINE_FD, F_SETFD, FD_CLOEXEC);
        (void)fcntl(LISTEN_FD, F_SETFD, FD_CLOEXEC);
        bool first = fcntl(FIRST_FD, F_SETFD, FD_CLOEXEC) == 0;
        take_setup();
        uint16_t port = start_library();
        if (first)
                task_add_ways(FIRST_FD, port);
        pmixd_run_loop(port);
}
