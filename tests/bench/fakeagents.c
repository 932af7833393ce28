/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fakeagents - one process that plays the agents of many nodes, for measurements of the controller
 *
 *     fakeagents ADDRESS PORT KEYFILE HOSTLIST [CPUS [STEP_MS [BOOT_MS]]]
 *
 * Each node has a connection of its own and speaks the real protocol: it registers, its steps "run"
 * for STEP_MS (0: until they are terminated), a job can be frozen, thawed and ended.  No process is
 * ever started.  Prints "registered N" once, when the controller has welcomed all.  Ends at
 * SIGTERM, or when a connection is lost.
 *
 * What goes down a tree of slumberds is handed on within the process; with FAKEAGENTS_OLD in the
 * environment the nodes are of an earlier build, which the controller tells itself.
 *
 * With BOOT_MS the nodes "boot", one after another evenly over that time, and each launch prints a
 * line
 *
 *     launch NODE A B
 *
 * with the microseconds since this node, and since the last of all nodes so far, sent its
 * registration. */
#include "lib/abilities.h"
#include "lib/bitset.h"
#include "lib/conn/conn.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"
#include "lib/tree_rows.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#define AT_ONCE 64                  /* handshakes; more would only wait for each other */
#define BEAT    (30 * USEC_PER_SEC) /* the default; */
#define SLICES  1000                /* each node's at another time, as of real ones */

struct farm {
        sd_event *event;
        struct cluster_key *key;
        const char *address;
        uint16_t port;
        struct hostlist *names;
        struct fake *nodes, *by_name; /* the second: sorted copies */
        size_t n, started, welcome, slice;
        uint32_t cpus;
        usec_t step_time;
        usec_t boot_time, began; /* boot_time 0: all at once */
        usec_t registered;       /* when a node was last */
};

struct fake {
        struct farm *farm;
        size_t at; /* in farm->nodes */
        const char *name;
        struct conn *conn;
        struct running *steps;
        usec_t registered;
        uint8_t tree_key[TREE_KEY_SIZE];
};

struct running {
        struct fake *fake;
        uint32_t job, step, restarts;
        uint32_t *ranks;
        size_t n_ranks;
        sd_event_source *timer;
        struct running *next;
};

static void next_node(struct farm *f);

/* ---- steps ---- */

static void send_ended(struct running *s, uint32_t status) {
        Slumber__StepEnded ended = SLUMBER__STEP_ENDED__INIT;
        _cleanup_free_ Slumber__TaskExit *exits = xnew(Slumber__TaskExit, s->n_ranks);
        _cleanup_free_ Slumber__TaskExit **list = xnew(Slumber__TaskExit *, s->n_ranks);

        for (size_t i = 0; i < s->n_ranks; i++) {
                exits[i] = (Slumber__TaskExit)SLUMBER__TASK_EXIT__INIT;
                exits[i].rank = s->ranks[i];
                exits[i].status = status;
                list[i] = &exits[i];
        }
        ended.job_id = s->job;
        ended.step_id = s->step;
        ended.restarts = s->restarts;
        ended.node = (char *)(uintptr_t)s->fake->name;
        ended.tasks = list;
        ended.n_tasks = s->n_ranks;
        ended.end_time = now_realtime();
        ended.last = true;
        ENVELOPE(env, STEP_ENDED, step_ended, &ended);
        (void)conn_send(s->fake->conn, &env);
}

static void step_end(struct running *s, uint32_t status) {
        struct running **p = &s->fake->steps;

        send_ended(s, status);
        while (*p != s)
                p = &(*p)->next;
        *p = s->next;
        sd_event_source_disable_unref(s->timer);
        free(s->ranks);
        free(s);
}

static int on_step_time(sd_event_source *source, uint64_t t, void *user) {
        step_end(user, 0);
        return 0;
}

/* answers: the controller is told by a message of its own; else as a part of a tree's answer. */
static void on_launch(struct fake *k, const Slumber__LaunchStep *m, bool answers) {
        Slumber__CredentialBody *body = m->credential ? slumber__credential_body__unpack(NULL,
                                                                        m->credential->body.len,
                                                                        m->credential->body.data)
                                                      : NULL;
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error none = SLUMBER__ERROR__INIT;
        struct running *s;

        if (!body)
                return;
        if (k->farm->boot_time) {
                usec_t now = now_monotonic();
                printf("launch %s %llu %llu\n", k->name, (unsigned long long)(now - k->registered),
                                (unsigned long long)(now - k->farm->registered));
                fflush(stdout);
        }
        s = xnew0(struct running, 1);
        *s = (struct running){ .fake = k,
                .job = body->job_id,
                .step = body->step_id,
                .restarts = body->restarts,
                .n_ranks = MAX(m->n_ranks, (size_t)1),
                .next = k->steps };
        s->ranks = xnew0(uint32_t, s->n_ranks);
        if (m->n_ranks)
                memcpy(s->ranks, m->ranks, m->n_ranks * sizeof *m->ranks);
        k->steps = s;
        result.job_id = s->job;
        result.step_id = s->step;
        result.restarts = s->restarts;
        result.node = (char *)(uintptr_t)k->name;
        result.error = &none;
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        if (answers)
                (void)conn_send(k->conn, &env);
        if (k->farm->step_time)
                (void)sd_event_add_time_relative(k->farm->event, &s->timer, CLOCK_MONOTONIC,
                                k->farm->step_time, 1000, on_step_time, s);
        slumber__credential_body__free_unpacked(body, NULL);
}

/* ---- jobs ---- */

static void on_terminate(struct fake *k, const Slumber__TerminateJob *m) {
        Slumber__JobGone gone = SLUMBER__JOB_GONE__INIT;
        Slumber__Error none = SLUMBER__ERROR__INIT;

        for (struct running *s = k->steps, *next; s; s = next) {
                next = s->next;
                if (s->job == m->job_id && s->restarts == m->restarts)
                        step_end(s, SIGTERM);
        }
        gone.job_id = m->job_id;
        gone.restarts = m->restarts;
        gone.node = (char *)(uintptr_t)k->name;
        gone.error = &none;
        ENVELOPE(env, JOB_GONE, job_gone, &gone);
        (void)conn_send(k->conn, &env);
}

static void on_freeze(struct fake *k, const Slumber__FreezeJob *m) {
        Slumber__FreezeResult result = SLUMBER__FREEZE_RESULT__INIT;
        Slumber__Error none = SLUMBER__ERROR__INIT;

        result.job_id = m->job_id;
        result.frozen = m->freeze;
        result.serial = m->serial;
        result.node = (char *)(uintptr_t)k->name;
        result.error = &none;
        ENVELOPE(env, FREEZE_RESULT, freeze_result, &result);
        (void)conn_send(k->conn, &env);
}

/* ---- the connection ---- */

static void on_welcome(struct fake *k, const Slumber__RegisterReply *m) {
        struct farm *f = k->farm;

        if (m->tree_key.len == TREE_KEY_SIZE)
                memcpy(k->tree_key, m->tree_key.data, TREE_KEY_SIZE);
        if (m->error && m->error->code) {
                fprintf(stderr, "fakeagents: %s: %s\n", k->name, m->error->text);
                (void)sd_event_exit(f->event, 1);
                return;
        }
        if (++f->welcome == f->n) {
                printf("registered %zu\n", f->n);
                fflush(stdout);
        }
        if (!f->boot_time)
                next_node(f);
}

static void on_job_message(struct fake *k, Envelope *env, bool in_tree) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_LAUNCH_STEP)
                on_launch(k, env->launch_step, !in_tree);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_TERMINATE_JOB)
                on_terminate(k, env->terminate_job);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_FREEZE_JOB)
                on_freeze(k, env->freeze_job);
}

static int compare_names(const void *a, const void *b) {
        return strcmp(((const struct fake *)a)->name, ((const struct fake *)b)->name);
}

/* A varint at *p, which is moved behind it; false: there is none before end. */
static bool varint(const uint8_t **p, const uint8_t *end, uint64_t *ret) {
        *ret = 0;
        for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
                uint8_t byte = *(*p)++;
                *ret |= (uint64_t)(byte & 0x7f) << shift;
                if (byte < 0x80)
                        return true;
        }
        return false;
}

static size_t put_varint(uint8_t *to, uint64_t v) {
        size_t n = 0;

        for (; v >= 0x80; v >>= 7)
                to[n++] = (uint8_t)(v | 0x80);
        to[n++] = (uint8_t)v;
        return n;
}

/* The message of a row without what all rows have in common: its last field is cut off where that
   would begin.  Real nodes unpack that each for itself, at the same time; here one process would do
   it for all of them.  -EBADMSG: begin is no such message. */
static int unpack_own(const ProtobufCBinaryData *begin, Envelope **ret) {
        const uint8_t *p = begin->data, *end = begin->data + begin->len;
        _cleanup_free_ uint8_t *data = xmalloc(begin->len + 10);
        uint64_t tag, size;

        while (p < end && varint(&p, end, &tag)) {
                const uint8_t *length = p;
                if (!varint(&p, end, &size))
                        break;
                if ((tag & 7) == 0)
                        continue;
                if ((tag & 7) != 2)
                        break;
                if (size > (size_t)(end - p)) {
                        size_t before = (size_t)(length - begin->data), own = (size_t)(end - p);
                        memcpy(data, begin->data, before);
                        before += put_varint(data + before, own);
                        memcpy(data + before, p, own);
                        return wire_unpack(data, before + own, ret);
                }
                p += size;
        }
        return p == end ? wire_unpack(begin->data, begin->len, ret) : -EBADMSG;
}

/* Returns the node that it is for; NULL: it is malformed. */
static struct fake *on_row(struct farm *f, const Slumber__TreeRow *row) {
        Slumber__TreeRowBody *body = slumber__tree_row_body__unpack(NULL, row->body.len,
                        row->body.data);
        _cleanup_envelope_ Envelope *env = NULL;

        if (!body)
                return NULL;
        struct fake key = { .name = body->node };
        struct fake *k = bsearch(&key, f->by_name, f->n, sizeof key, compare_names);
        if (k)
                k = &f->nodes[k->at];
        if (k && unpack_own(&body->begin, &env) >= 0)
                on_job_message(k, env, true);
        slumber__tree_row_body__free_unpacked(body, NULL);
        return k;
}

/* All that k's slumberd and those below it would do: of what goes between them nothing is seen by
   the controller but the answer. */
static void on_tree(struct fake *k, const Slumber__TreeMessage *m) {
        Slumber__TreeAnswer answer = SLUMBER__TREE_ANSWER__INIT;
        uint32_t last = m->n_rows ? m->rows[m->n_rows - 1]->number : 0;
        _cleanup_(bitset_freep) struct bitset *all = bitset_new((size_t)last + 1);

        _cleanup_free_ uint64_t *had = xnew(uint64_t, m->n_rows),
                                *launched = xnew(uint64_t, m->n_rows);
        size_t n = 0;
        for (size_t i = 0; i < m->n_rows; i++) {
                const struct fake *node = on_row(k->farm, m->rows[i]);
                if (!node)
                        continue;
                had[n] = tree_proof(node->tree_key, m->id, TREE_HAD);
                launched[n++] = tree_proof(node->tree_key, m->id, TREE_LAUNCHED);
                bitset_add(all, m->rows[i]->number);
        }
        _cleanup_free_ char *text = bitset_text(all);
        answer.id = m->id;
        tree_answer_say(&answer, TREE_HAD, text, had, n);
        tree_answer_say(&answer, TREE_LAUNCHED, text, launched, n);
        ENVELOPE(env, TREE_ANSWER, tree_answer, &answer);
        (void)conn_send(k->conn, &env);
}

static void on_message(struct conn *c, Envelope *env, void *user) {
        struct fake *k = user;

        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_REGISTER_REPLY:
                on_welcome(k, env->register_reply);
                break;
        case SLUMBER__ENVELOPE__BODY_TREE_MESSAGE:
                on_tree(k, env->tree_message);
                break;
        default:
                on_job_message(k, env, false);
        }
}

static void on_ready(struct conn *c, void *user) {
        Slumber__Register m = SLUMBER__REGISTER__INIT;
        Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;
        struct fake *k = user;

        hw.cpus = hw.sockets = k->farm->cpus;
        hw.boards = hw.cores = hw.threads = 1;
        hw.real_memory = hw.free_memory = 1u << 20;
        hw.arch = (char *)(uintptr_t) "x86_64";
        hw.os = (char *)(uintptr_t) "Linux";
        m.node = (char *)(uintptr_t)k->name;
        m.version = (char *)(uintptr_t)SLURM_VERSION;
        m.protocol = WIRE_VERSION;
        m.boot_time = m.start_time = m.now = now_realtime();
        m.hardware = &hw;
        m.cgroup = (char *)(uintptr_t) "none";
        if (!getenv("FAKEAGENTS_OLD")) {
                m.can = CAN_TREE;
                m.listens = 1; /* to which nothing connects: no stream comes here */
        }
        k->registered = k->farm->registered = now_monotonic();
        ENVELOPE(env, REGISTER_NODE, register_node, &m);
        env.id = 1;
        (void)conn_send(c, &env);
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
        struct fake *k = user;

        fprintf(stderr, "fakeagents: %s: %s\n", k->name, why);
        k->conn = NULL;
        (void)sd_event_exit(k->farm->event, 1);
}

static void next_node(struct farm *f) {
        static const struct conn_ops ops = {
                .message = on_message,
                .closed = on_closed,
                .ready = on_ready,
        };
        struct fail fail = { 0 };

        if (f->started == f->n)
                return;
        struct fake *k = &f->nodes[f->started++];
        if (conn_connect_tls(f->event, f->address, f->port, f->key, &ops, k, &k->conn, &fail) < 0) {
                fprintf(stderr, "fakeagents: %s\n", fail.text);
                (void)sd_event_exit(f->event, 1);
        }
}

static int on_beat(sd_event_source *source, uint64_t t, void *user) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;
        struct farm *f = user;

        ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
        for (size_t i = f->slice++ % SLICES; i < f->n; i += SLICES)
                if (f->nodes[i].conn)
                        (void)conn_send(f->nodes[i].conn, &env);
        (void)sd_event_source_set_time_relative(source, BEAT / SLICES);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* Node number i is up after i+1 parts of the time. */
static int on_boot(sd_event_source *source, uint64_t t, void *user) {
        struct farm *f = user;
        usec_t passed = now_monotonic() - f->began;

        while (f->started < f->n && passed * f->n >= f->boot_time * (f->started + 1))
                next_node(f);
        if (f->started == f->n)
                return 0;
        (void)sd_event_source_set_time_relative(source,
                        f->boot_time * (f->started + 1) / f->n - passed + 1);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* ---- arguments ---- */

static int parse(struct farm *f, int argc, char **argv, struct fail *fail) {
        uint64_t port, cpus = 1, step_ms = 10, boot_ms = 0;
        int r;

        if (argc < 5 || argc > 8 || uint_parse(argv[2], 1, UINT16_MAX, &port) < 0 ||
                        (argc > 5 && uint_parse(argv[5], 1, 65535, &cpus) < 0) ||
                        (argc > 6 && uint_parse(argv[6], 0, 3600000, &step_ms) < 0) ||
                        (argc > 7 && uint_parse(argv[7], 0, 3600000, &boot_ms) < 0))
                return fail_set(fail, -EINVAL,
                                "usage: fakeagents ADDRESS PORT KEYFILE HOSTLIST [CPUS [STEP_MS [BOOT_MS]]]");
        f->address = argv[1];
        f->port = (uint16_t)port;
        f->cpus = (uint32_t)cpus;
        f->step_time = step_ms * USEC_PER_MSEC;
        f->boot_time = boot_ms * USEC_PER_MSEC;
        f->began = now_monotonic();
        r = cluster_key_read(argv[3], &f->key, fail);
        return r < 0 ? r : hostlist_parse(argv[4], &f->names, fail);
}

static void set_up(struct farm *f) {
        struct rlimit limit;
        sigset_t set;

        if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
                limit.rlim_cur = limit.rlim_max;
                (void)setrlimit(RLIMIT_NOFILE, &limit);
        }
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        (void)sigprocmask(SIG_BLOCK, &set, NULL);
        (void)signal(SIGPIPE, SIG_IGN);
        f->n = hostlist_count(f->names);
        f->nodes = xnew0(struct fake, f->n);
        for (size_t i = 0; i < f->n; i++)
                f->nodes[i] = (struct fake){ .farm = f,
                        .at = i,
                        .name = hostlist_get(f->names, i) };
        f->by_name = xnew(struct fake, f->n);
        memcpy(f->by_name, f->nodes, f->n * sizeof *f->nodes);
        qsort(f->by_name, f->n, sizeof *f->by_name, compare_names);
}

int main(int argc, char **argv) {
        struct farm f = { 0 };
        struct fail fail = { 0 };
        int r = parse(&f, argc, argv, &fail);

        if (r < 0) {
                fprintf(stderr, "fakeagents: %s\n", fail.text);
                return 1;
        }
        set_up(&f);
        r = sd_event_default(&f.event);
        if (r >= 0)
                r = sd_event_add_signal(f.event, NULL, SIGTERM, NULL, NULL);
        if (r >= 0)
                r = sd_event_add_signal(f.event, NULL, SIGINT, NULL, NULL);
        if (r >= 0)
                r = sd_event_add_time_relative(f.event, &(sd_event_source *){ NULL },
                                CLOCK_MONOTONIC, BEAT / SLICES, 0, on_beat, &f);
        if (r >= 0 && f.boot_time)
                r = sd_event_add_time_relative(f.event, &(sd_event_source *){ NULL },
                                CLOCK_MONOTONIC, 0, 1, on_boot, &f);
        for (size_t i = 0; r >= 0 && !f.boot_time && i < MIN(f.n, (size_t)AT_ONCE); i++)
                next_node(&f);
        if (r >= 0)
                r = sd_event_loop(f.event);
        return r < 0 ? 1 : r;
}
