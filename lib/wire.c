/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing, unpacking, and the blocking calls of commands.
 *
 * A command does little more than fork, exec and one request: this file needs libc and
 * libprotobuf-c only, and reads into one buffer. Unpacking has a memory budget: two bytes of a list
 * can stand for a message of hundreds, and 64 MiB of them must not exhaust a daemon's memory.
 * docs/protocol.md, "Limits". */
#include "lib/wire.h"

#include "lib/errors.h"
#include "lib/frame.h"
#include "lib/printable.h"

#include <malloc.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* ---- packing ---- */

int wire_pack(const Envelope *env, uint8_t **ret, size_t *ret_size) {
        Envelope copy = *env; /* shallow copy: only the version differs */

        copy.version = WIRE_VERSION;
        size_t size = slumber__envelope__get_packed_size(&copy);
        if (size > WIRE_FRAME_MAX)
                return -EMSGSIZE;

        uint8_t *frame = xmalloc(FRAME_HEADER + size);
        frame_put_length(frame, size);
        slumber__envelope__pack(&copy, frame + FRAME_HEADER);
        *ret = frame;
        *ret_size = FRAME_HEADER + size;
        return 0;
}

void *wire_copy(const ProtobufCMessage *m) {
        size_t size = protobuf_c_message_get_packed_size(m);
        _cleanup_free_ uint8_t *data = xmalloc(size + 1);

        protobuf_c_message_pack(m, data);
        void *copy = protobuf_c_message_unpack(m->descriptor, NULL, size, data);
        if (!copy) /* cannot be malformed: packed just now */
                out_of_memory();
        return copy;
}

struct wire_tail {
        unsigned refs;
        size_t size;
        uint8_t data[];
};

struct wire_tail *wire_tail_new(const ProtobufCMessage *m) {
        size_t size = protobuf_c_message_get_packed_size(m);
        struct wire_tail *t = xmalloc(sizeof *t + size);

        *t = (struct wire_tail){ .refs = 1, .size = size };
        protobuf_c_message_pack(m, t->data);
        return t;
}

struct wire_tail *wire_tail_ref(struct wire_tail *t) {
        t->refs++;
        return t;
}

struct wire_tail *wire_tail_unref(struct wire_tail *t) {
        if (t && --t->refs == 0)
                free(t);
        return NULL;
}

unsigned wire_tail_refs(const struct wire_tail *t) {
        return t->refs;
}

const uint8_t *wire_tail_data(const struct wire_tail *t, size_t *ret_size) {
        *ret_size = t->size;
        return t->data;
}

static size_t put_varint(uint8_t *to, uint64_t value) {
        size_t n = 0;

        for (; value >= 0x80; value >>= 7)
                to[n++] = (uint8_t)(value | 0x80);
        to[n++] = (uint8_t)value;
        return n;
}

#define VARINT_MAX  10
#define WIRE_LENGTH 2 /* protobuf's wire type of a message */

/* A packed message is a sequence of fields: this function packs the first ones, tail has the
   last. */
int wire_pack_before(const Envelope *env, const struct wire_tail *tail, uint8_t **ret,
                size_t *ret_size) {
        /* Any member of the union of bodies. */
        const ProtobufCMessage *body = &env->launch_step->base;
        Envelope outer = *env;

        outer.version = WIRE_VERSION;
        outer.body_case = SLUMBER__ENVELOPE__BODY__NOT_SET;
        size_t head = slumber__envelope__get_packed_size(&outer),
               own = protobuf_c_message_get_packed_size(body);
        _cleanup_free_ uint8_t *frame = xmalloc(FRAME_HEADER + head + 2 * VARINT_MAX + own);
        uint8_t *p = frame + FRAME_HEADER;
        p += slumber__envelope__pack(&outer, p);
        p += put_varint(p, (uint64_t)env->body_case << 3 | WIRE_LENGTH);
        p += put_varint(p, own + tail->size);
        p += protobuf_c_message_pack(body, p);
        size_t size = (size_t)(p - frame) - FRAME_HEADER + tail->size;
        if (size > WIRE_FRAME_MAX)
                return -EMSGSIZE;
        frame_put_length(frame, size);
        *ret_size = (size_t)(p - frame);
        *ret = TAKE(frame);
        return 0;
}

/* ---- unpacking ---- */

/* Regular messages need at most 30 times their packed size if small (few bytes, but a struct with
   room for every field), and 8 times if they are long lists. */
#define BUDGET_BASE  ((size_t)1 << 20)
#define BUDGET_SMALL ((size_t)64)
#define BUDGET_LARGE ((size_t)8)
#define BUDGET_BONUS ((size_t)64 << 20)

struct budget {
        size_t left;
        bool exceeded;
};

static void *budget_alloc(void *user, size_t size) {
        struct budget *b = user;

        if (size > b->left) {
                b->exceeded = true;
                return NULL;
        }
        void *p = xmalloc(size);
        size_t real = malloc_usable_size(p);
        b->left -= MIN(real, b->left);
        return p;
}

static void budget_free(void *user, void *p) {
        struct budget *b = user;

        b->left += malloc_usable_size(p);
        free(p);
}

/* True if a field number is invalid. libprotobuf-c refuses field number 0, except in a longer
   encoding than necessary; after repacking by a daemon the receiver would refuse the message and
   end the daemon's connection. The recursion is as deep as the schema, which is not recursive. */
static bool has_bad_number(const ProtobufCMessage *m) {
        const ProtobufCMessageDescriptor *d = m->descriptor;

        for (unsigned i = 0; i < m->n_unknown_fields; i++)
                if (m->unknown_fields[i].tag == 0 || m->unknown_fields[i].tag >= 1u << 29)
                        return true;
        for (unsigned i = 0; i < d->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &d->fields[i];
                const char *field = (const char *)m + f->offset,
                           *quantifier = (const char *)m + f->quantifier_offset;

                if (f->type != PROTOBUF_C_TYPE_MESSAGE)
                        continue;
                if ((f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) &&
                                *(const uint32_t *)quantifier != f->id)
                        continue;
                bool repeated = f->label == PROTOBUF_C_LABEL_REPEATED;
                size_t n = repeated ? *(const size_t *)quantifier : 1;
                ProtobufCMessage *const *child = repeated ? *(ProtobufCMessage ***)field
                                                          : (ProtobufCMessage **)field;
                for (size_t k = 0; k < n; k++)
                        if (child[k] && has_bad_number(child[k]))
                                return true;
        }
        return false;
}

/* less: bytes subtracted from the budget. */
static int envelope_unpack_budget(const uint8_t *data, size_t size, size_t less, Envelope **ret) {
        if (size == 0)
                return -EBADMSG;
        if (size > WIRE_FRAME_MAX)
                return -EMSGSIZE;

        struct budget budget = {
                .left = BUDGET_BASE - less +
                        MIN(BUDGET_SMALL * size, BUDGET_LARGE * size + BUDGET_BONUS),
        };
        ProtobufCAllocator allocator = { budget_alloc, budget_free, &budget };
        _cleanup_envelope_ Envelope *env = slumber__envelope__unpack(&allocator, size, data);
        if (!env)
                return budget.exceeded ? -EMSGSIZE : -EBADMSG;
        if (has_bad_number(&env->base))
                return -EBADMSG;
        if (env->version != WIRE_VERSION)
                return -EPROTONOSUPPORT;
        *ret = TAKE(env);
        return 0;
}

int wire_unpack(const uint8_t *data, size_t size, Envelope **ret) {
        return envelope_unpack_budget(data, size, 0, ret);
}

/* Room for the envelope of the relaying daemon (recipient of the answer). */
#define RELAY_MARGIN 4096

int wire_pack_relayed(const Envelope *env, uint8_t **ret, size_t *ret_size) {
        _cleanup_envelope_ Envelope *again = NULL;
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        int r = wire_pack(env, &frame, &size);

        if (r >= 0)
                r = envelope_unpack_budget(frame + FRAME_HEADER, size - FRAME_HEADER, RELAY_MARGIN,
                                &again);
        if (r < 0)
                return r;
        *ret = TAKE(frame);
        *ret_size = size;
        return 0;
}

ProtobufCMessage *wire_unpack_within(const ProtobufCMessageDescriptor *kind, const uint8_t *data,
                size_t size, size_t most) {
        struct budget budget = { .left = most };
        ProtobufCAllocator allocator = { budget_alloc, budget_free, &budget };

        return protobuf_c_message_unpack(kind, &allocator, size, data);
}

static void *take_from_arena(void *arena, size_t size) {
        return arena_alloc(arena, size);
}

static void leave_to_arena(void *arena, void *p) {
}

/* Unpacks without a budget: commands trust the daemon of their host, which sends long lists, and
   relay nothing. Without an arena the caller frees. */
static int unpack_trusted(const uint8_t *data, size_t size, struct arena *arena, Envelope **ret) {
        ProtobufCAllocator of_arena = { take_from_arena, leave_to_arena, arena };
        Envelope *env = size ? slumber__envelope__unpack(arena ? &of_arena : NULL, size, data)
                             : NULL;

        if (!env)
                return -EBADMSG;
        if (env->version != WIRE_VERSION) {
                if (!arena)
                        slumber__envelope__free_unpacked(env, NULL);
                return -EPROTONOSUPPORT;
        }
        *ret = env;
        return 0;
}

ProtobufCMessage *wire_read_record(struct arena *arena, const ProtobufCMessageDescriptor *kind,
                ProtobufCBinaryData packed) {
        ProtobufCAllocator of_arena = { take_from_arena, leave_to_arena, arena };

        return protobuf_c_message_unpack(kind, &of_arena, packed.len, packed.data);
}

const char *wire_strerror(int r) {
        switch (-r) {
        case EBADMSG:
                return "a malformed message";
        case EMSGSIZE:
                return "a message beyond the size limit";
        case EPROTONOSUPPORT:
                return "a message of another protocol version";
        case ECONNRESET:
                return "the other side closed the connection";
        case ETIMEDOUT:
                return "no answer in time";
        default:
                return strerror(-r);
        }
}

/* ---- blocking calls of commands ---- */

struct wire {
        int fd;
        uint64_t last_id; /* of requests of wire_call() */
        usec_t patience;  /* from wire_when_slow() */
        void (*say_slow)(const char *why);
        void (*say_told)(const char *lines); /* from wire_when_told() */
        struct frame_buffer *in;
        char *cluster; /* addressed cluster; NULL: the local one */
        bool shown;    /* texts from the daemon are cleaned for a terminal */
};

/* ---- cleaning texts ---- */

static void clean_message(ProtobufCMessage *m);

static void clean_value(const ProtobufCFieldDescriptor *f, void *value) {
        if (!value)
                return;
        if (f->type == PROTOBUF_C_TYPE_STRING)
                printable_clean(value);
        else
                clean_message(value);
}

static void clean_message(ProtobufCMessage *m) {
        for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                void *at = (char *)m + f->offset;
                const void *quantifier = (const char *)m + f->quantifier_offset;

                if (f->type != PROTOBUF_C_TYPE_STRING && f->type != PROTOBUF_C_TYPE_MESSAGE)
                        continue;
                if (f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
                                *(const uint32_t *)quantifier != f->id)
                        continue;
                if (f->label != PROTOBUF_C_LABEL_REPEATED) {
                        clean_value(f, *(void **)at);
                        continue;
                }
                for (size_t k = 0, n = *(const size_t *)quantifier; k < n; k++)
                        clean_value(f, (*(void ***)at)[k]);
        }
}

void wire_clean(const struct wire *w, ProtobufCMessage *record) {
        if (w->shown || w->cluster)
                clean_message(record);
}

/* ---- connections ---- */

int wire_make_folder(const char *socket, uid_t uid, gid_t gid, struct fail *fail) {
        const char *slash = strrchr(socket, '/');
        _cleanup_free_ char *folder = slash ? xstrndup(socket, (size_t)(slash - socket)) : NULL;

        if (isempty(folder))
                return 0;
        if (mkdir(folder, 0755) < 0)
                return errno == EEXIST ? 0
                                       : fail_set(fail, -errno,
                                                         "cannot make the socket's folder %s: %s",
                                                         folder, strerror(errno));
        if (chown(folder, uid, gid) < 0) {
                int r = -errno;
                (void)rmdir(folder);
                return fail_set(fail, r, "cannot give the socket's folder %s to user %u: %s",
                                folder, (unsigned)uid, strerror(-r));
        }
        return 0;
}

char *wire_slumberd_socket(const char *socket) {
        const char *slash = strrchr(socket, '/');

        return xasprintf("%.*sslumberd.sock", slash ? (int)(slash - socket + 1) : 0, socket);
}

struct wire *wire_new(int fd) {
        struct wire *w = xnew0(struct wire, 1);

        w->fd = fd;
        w->in = frame_buffer_new(WIRE_FRAME_MAX);
        return w;
}

struct wire *wire_free(struct wire *w) {
        if (!w)
                return NULL;
        if (w->fd >= 0)
                close(w->fd);
        frame_buffer_free(w->in);
        free(w->cluster);
        free(w);
        return NULL;
}

int wire_fd(const struct wire *w) {
        return w->fd;
}

int wire_connect_path(const char *path, struct wire **ret, struct fail *fail) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        if (strlen(path) >= sizeof address.sun_path)
                return fail_set(fail, -ENAMETOOLONG, "socket path \"%s\" is longer than %zu bytes",
                                path, sizeof address.sun_path - 1);
        strcpy(address.sun_path, path);

        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
                int r = -errno;
                return fail_set(fail, r,
                                "%s: %s: %s; is slumberd or slumberctld running on this host? "
                                "(A login host, which is no node, runs slumberd --login; "
                                "$SLUMBER_SOCKET names another socket.)",
                                slumber_error_text(SLUMBER_CONTROLLER_AWAY), path, strerror(-r));
        }
        *ret = wire_new(TAKE_FD(fd));
        (*ret)->shown = true;
        return 0;
}

int wire_connect(struct wire **ret, struct fail *fail) {
        const char *path = getenv("SLUMBER_SOCKET");

        return wire_connect_path(isempty(path) ? WIRE_SOCKET_DEFAULT : path, ret, fail);
}

/* Waits for events until deadline (CLOCK_MONOTONIC). A blocking descriptor needs this only for the
   time-out, a descriptor with O_NONBLOCK for every read and write. */
static int wait_for(int fd, short events, usec_t deadline) {
        for (;;) {
                struct pollfd p = { .fd = fd, .events = events };
                struct timespec ts = { 0 };

                if (deadline != USEC_INFINITY) {
                        usec_t now = now_monotonic();
                        usec_t left = deadline > now ? deadline - now : 0;
                        ts.tv_sec = (time_t)(left / USEC_PER_SEC);
                        ts.tv_nsec = (long)(left % USEC_PER_SEC) * 1000;
                }
                int n = ppoll(&p, 1, deadline == USEC_INFINITY ? NULL : &ts, NULL);
                if (n > 0)
                        return 0;
                if (n == 0)
                        return -ETIMEDOUT;
                if (errno != EINTR)
                        return -errno;
        }
}

/* Avoids SIGPIPE on sockets; a pipe (from slumberd to its step daemon) needs write(). */
static ssize_t send_some(int fd, const uint8_t *data, size_t size) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

        return n < 0 && errno == ENOTSOCK ? write(fd, data, size) : n;
}

static int send_all(int fd, const uint8_t *data, size_t size) {
        while (size > 0) {
                ssize_t n = send_some(fd, data, size);
                int r = 0;

                if (n >= 0) {
                        data += n;
                        size -= (size_t)n;
                } else if (errno == EAGAIN)
                        r = wait_for(fd, POLLOUT, USEC_INFINITY);
                else if (errno != EINTR)
                        r = errno == EPIPE ? -ECONNRESET : -errno;
                if (r < 0)
                        return r;
        }
        return 0;
}

int wire_send(struct wire *w, const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        int r;

        r = wire_pack(env, &frame, &size);
        if (r < 0)
                return r;
        return send_all(w->fd, frame, size);
}

bool wire_buffered(const struct wire *w) {
        return frame_buffer_peek(w->in) != 0;
}

static int wire_fill(struct wire *w, usec_t deadline) {
        size_t size;
        uint8_t *space = frame_buffer_space(w->in, &size);

        if (deadline != USEC_INFINITY) {
                int r = wait_for(w->fd, POLLIN, deadline);
                if (r < 0)
                        return r;
        }
        ssize_t n = read(w->fd, space, size);
        if (n > 0) {
                frame_buffer_filled(w->in, (size_t)n);
                return 0;
        }
        if (n == 0)
                return -ECONNRESET;
        if (errno == EAGAIN)
                return wait_for(w->fd, POLLIN, deadline);
        return errno == EINTR ? 0 : -errno;
}

static int wire_receive_envelope(struct wire *w, usec_t timeout, struct arena *arena,
                Envelope **ret) {
        usec_t deadline = timeout == USEC_INFINITY ? USEC_INFINITY : now_monotonic() + timeout;
        const uint8_t *data;
        size_t size;
        int r;

        while ((r = frame_buffer_next(w->in, &data, &size)) == 0) {
                r = wire_fill(w, deadline);
                if (r < 0)
                        return r;
        }
        if (r >= 0)
                r = unpack_trusted(data, size, arena, ret);
        if (r >= 0)
                wire_clean(w, &(*ret)->base);
        return r;
}

int wire_receive(struct wire *w, usec_t timeout, Envelope **ret) {
        return wire_receive_envelope(w, timeout, NULL, ret);
}

/* Keeps each line of a refusal, for a caller that collects faults. */
static void keep_lines(const char *text, struct fail *fail) {
        while (fail && fail->all && *text) {
                size_t n = strcspn(text, "\n");
                fail_set(fail, -EREMOTE, "%.*s", (int)n, text);
                (void)fail_keep(fail);
                text += n + (text[n] == '\n');
        }
}

static int wire_error_fail(const Slumber__Error *error, uint32_t *ret_code, struct fail *fail) {
        uint32_t code = error->code ? error->code : SLUMBER_FAILED;
        const char *text = code < SLUMBER_ERROR_MAX ? slumber_error_text((int)code) : NULL;

        if (ret_code)
                *ret_code = code;
        keep_lines(strempty(error->text), fail);
        if (!isempty(error->text))
                return fail_set(fail, -EREMOTE, "%s", error->text);
        if (text)
                return fail_set(fail, -EREMOTE, "%s", text);
        return fail_set(fail, -EREMOTE, "Error %u", code);
}

void wire_set_cluster(struct wire *w, const char *cluster) {
        free_and_strdup(&w->cluster, cluster);
}

static int send_to_cluster(struct wire *w, const Envelope *request) {
        _cleanup_free_ uint8_t *frame = NULL;
        Slumber__ClusterRequest m = SLUMBER__CLUSTER_REQUEST__INIT;
        size_t size;
        int r = wire_pack(request, &frame, &size);

        if (r < 0)
                return r;
        m.cluster = w->cluster;
        m.request.data = frame + FRAME_HEADER;
        m.request.len = size - FRAME_HEADER;
        ENVELOPE(env, CLUSTER_REQUEST, cluster_request, &m);
        env.id = request->id;
        return wire_send(w, &env);
}

int wire_ask(struct wire *w, Envelope *request, struct fail *fail) {
        request->id = ++w->last_id;
        int r = w->cluster ? send_to_cluster(w, request) : wire_send(w, request);
        return r < 0 ? fail_set(fail, r, "cannot send the request: %s", wire_strerror(r)) : 0;
}

void wire_when_slow(struct wire *w, usec_t after, void (*say)(const char *why)) {
        w->patience = after;
        w->say_slow = say;
}

void wire_when_told(struct wire *w, void (*say)(const char *lines)) {
        w->say_told = say;
}

/* Receives one message of an answer; calls say_slow() after w->patience. */
static int receive_answer(struct wire *w, struct arena *arena, bool *slow, Envelope **ret) {
        int r = wire_receive_envelope(w, w->patience && !*slow ? w->patience : USEC_INFINITY, arena,
                        ret);

        if (r != -ETIMEDOUT)
                return r;
        *slow = true;
        w->say_slow(NULL);
        return wire_receive_envelope(w, USEC_INFINITY, arena, ret);
}

/* Handles a notice without a request: the reason for a delayed answer. */
static void take_notice(struct wire *w, const Envelope *env, bool *slow) {
        if (env->reply_to || env->body_case != SLUMBER__ENVELOPE__BODY_ERROR ||
                        (env->error->code != SLUMBER_STORE_FULL &&
                                        env->error->code != SLUMBER_STILL_WAITS) ||
                        !w->patience)
                return;
        if (!*slow)
                w->say_slow(strempty(env->error->text));
        *slow = true;
}

static int wire_answer(struct wire *w, uint64_t id, Envelope **ret_reply, uint32_t *ret_code,
                struct fail *fail) {
        bool slow = false;

        for (;;) {
                _cleanup_envelope_ Envelope *env = NULL;
                int r = receive_answer(w, NULL, &slow, &env);

                if (r < 0)
                        return fail_set(fail, r, "no answer from the daemon: %s", wire_strerror(r));
                if (env->reply_to != id) {
                        take_notice(w, env, &slow);
                        continue;
                }
                if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR) {
                        if (w->say_told && !isempty(env->error->told))
                                w->say_told(env->error->told);
                        return wire_error_fail(env->error, ret_code, fail);
                }
                *ret_reply = TAKE(env);
                return 0;
        }
}

int wire_answer_in(struct wire *w, uint64_t id, struct arena *arena, Envelope **ret_reply,
                uint32_t *ret_code, struct fail *fail) {
        Envelope *env;
        bool slow = false;

        do {
                int r = receive_answer(w, arena, &slow, &env);

                if (r < 0)
                        return fail_set(fail, r, "no answer from the daemon: %s", wire_strerror(r));
        } while (env->reply_to != id);
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                return wire_error_fail(env->error, ret_code, fail);
        *ret_reply = env;
        return 0;
}

int wire_call(struct wire *w, Envelope *request, Envelope **ret_reply, uint32_t *ret_code,
                struct fail *fail) {
        int r = wire_ask(w, request, fail);

        return r < 0 ? r : wire_answer(w, request->id, ret_reply, ret_code, fail);
}
