/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PMI-1.1 and PMI-2: how tasks of an MPI program find each other (docs/launch.md, "MPI").
 *
 * Each task inherits an end of a socket pair, PMI_FD; the task's first line selects the version.
 * When all tasks of a node have entered the barrier or fence, the nodes exchange new keys, and then
 * each node lets its tasks go on. Tasks are not trusted: each task's memory is limited, and a
 * malformed message ends the step. A task not reading its answers is not read from. After a program
 * has finished, the same task may run another program. */
#include "agent/step/mpi/pmi.h"
#include "agent/pmi/pmi_wire.h"
#include "agent/step/mpi/exchange.h"
#include "agent/step/mpi/pmi_names.h"
#include "agent/step/mpi/pmi_space.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

/* maximum bytes of keys and values put by the tasks of a node since the last barrier */
#define FRESH_MAX    ((size_t)15 << 20)
#define ANSWERS_MAX  (64u << 10) /* bytes queued for a task; no command is read above */
#define FILES_SPARED 64          /* descriptors for the step daemon itself */
#define MAPPING      "PMI_process_mapping"

struct pmi_task {
        int fd, its; /* fd: the step daemon's end; its: the task's end until the fork; -1: closed */
        enum pmi_version version;
        bool entered;   /* waits in the barrier */
        uint32_t begun; /* number of the task's programs: answers to earlier ones are dropped */
        char *thread;   /* PMI-2: thread id of the fence, or of the waiting question */
        char *wanted;   /* name of the node attribute which the task waits for */
        char *in, *out;
        size_t n_in, n_out, a_in, a_out;
};

struct pmi {
        struct pmi_task *tasks;
        size_t n_entered;
        bool fencing; /* set when the last task has entered: the nodes exchange keys */
        struct pmi_space keys, attributes;
        char *fresh; /* keys put since the last barrier, for the other nodes: see pmi_pairs() */
        size_t n_fresh, a_fresh;
};

static struct pmi_task *pmi_task_of(const struct step *s, const struct task *t) {
        return &s->pmi->tasks[t - s->tasks];
}

/* ---- keys and values ---- */

static void pmi_add_fresh(struct pmi *p, const char *text) {
        size_t size = strlen(text) + 1;

        if (p->n_fresh + size > p->a_fresh) {
                p->a_fresh = MAX(2 * p->a_fresh, p->n_fresh + size);
                p->fresh = xrenew(p->fresh, p->a_fresh);
        }
        memcpy(p->fresh + p->n_fresh, text, size);
        p->n_fresh += size;
}

static bool pmi_put_pair(struct step *s, const char *key, const char *value) {
        struct pmi *p = s->pmi;

        if (p->n_fresh > FRESH_MAX || !pmi_space_put_checked(&p->keys, key, value))
                return false;
        pmi_add_fresh(p, key);
        pmi_add_fresh(p, value);
        return true;
}

/* Returns the value of a key; NULL: no task has put the key. */
static const char *pmi_get_value(const struct step *s, const char *key) {
        const char *mapping = s->launch->process_mapping;

        if (key && streq(key, MAPPING))
                return *mapping && strlen(mapping) <= PMI_VALUE_MAX ? mapping : NULL;
        return pmi_space_get(&s->pmi->keys, key);
}

/* ---- answers ---- */

static void pmi_task_close(struct pmi_task *p) {
        if (p->fd >= 0)
                close(TAKE_FD(p->fd));
        free(TAKE(p->in));
        free(TAKE(p->out));
        p->n_in = p->n_out = p->a_in = p->a_out = 0;
}

static void pmi_task_flush(struct pmi_task *p) {
        ssize_t n = p->fd < 0 || !p->n_out
                                    ? 0
                                    : send(p->fd, p->out, p->n_out, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0 && errno != EAGAIN && errno != EINTR)
                pmi_task_close(p);
        if (n <= 0)
                return;
        p->n_out -= (size_t)n;
        memmove(p->out, p->out + n, p->n_out);
}

static void pmi_task_answer(struct pmi_task *p, const char *text, size_t size) {
        if (p->fd < 0)
                return;
        if (p->n_out + size > p->a_out) {
                p->a_out = MAX(2 * p->a_out, p->n_out + size);
                p->out = xrenew(p->out, p->a_out);
        }
        memcpy(p->out + p->n_out, text, size);
        p->n_out += size;
        pmi_task_flush(p);
}

static void pmi_task_printf(struct pmi_task *p, const char *format, ...) _printf_(2, 3);
static void pmi_task_printf(struct pmi_task *p, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        pmi_task_answer(p, text, strlen(text));
}

/* End of the words of an answer. */
#define END ((const char *)NULL)

/* PMI-2: answers a command with pairs of texts, terminated by END. */
static void pmi2_respond(struct pmi_task *p, const char *command, const char *thread, int rc, ...)
                __attribute__((sentinel));
static void pmi2_respond(struct pmi_task *p, const char *command, const char *thread, int rc, ...) {
        _cleanup_free_ char *name = xasprintf("%s-response", command);
        char *text = NULL, length[PMI_LENGTH + 16];
        size_t size;
        FILE *out = memstream_open(&text, &size);
        va_list ap;
        const char *key;

        pmi_write_word(out, "cmd", name);
        if (thread)
                pmi_write_word(out, "thrid", thread);
        fprintf(out, "rc=%d;", rc);
        va_start(ap, rc);
        while ((key = va_arg(ap, const char *)))
                pmi_write_word(out, key, va_arg(ap, const char *));
        va_end(ap);
        memstream_close(out);
        snprintf(length, sizeof length, "%*zu", PMI_LENGTH, size);
        pmi_task_answer(p, length, PMI_LENGTH);
        pmi_task_answer(p, text, size);
        free(text);
}

static void pmi_task_fail(struct step *s, struct task *t, const char *what) {
        pmi_task_close(pmi_task_of(s, t));
        step_complain(s, "task %u: PMI: %s: the step is ended", t->rank, what);
        step_abort(s, t, EXIT_FAILURE);
}

/* ---- the barrier ---- */

static void barrier_release(struct step *s) {
        s->pmi->n_entered = 0;
        s->pmi->fencing = false;
        for (size_t i = 0; i < s->n_tasks; i++) {
                struct pmi_task *p = &s->pmi->tasks[i];
                _cleanup_free_ char *thread = TAKE(p->thread);

                p->entered = false;
                if (p->version == PMI_2)
                        pmi2_respond(p, "kvs-fence", thread, 0, END);
                else
                        pmi_task_printf(p, "cmd=barrier_out rc=0\n");
        }
}

static void take_pair(const char *key, const char *value, void *user) {
        struct step *s = user;

        pmi_space_put(&s->pmi->keys, key, value);
}

static void barrier_exchanged(const struct exchange_part *parts, size_t n_nodes, void *user) {
        struct step *s = user;

        for (size_t i = 0; i < n_nodes; i++)
                if (i != exchange_node(s) &&
                                pmi_pairs(parts[i].data, parts[i].size, take_pair, s) < 0)
                        step_complain(s, "PMI: what node %zu of the step has put is malformed", i);
        barrier_release(s);
}

static void barrier_enter(struct step *s, struct task *t, const char *thread) {
        struct pmi *p = s->pmi;

        if (pmi_task_of(s, t)->entered) {
                pmi_task_fail(s, t, "it has entered a barrier twice");
                return;
        }
        pmi_task_of(s, t)->entered = true;
        free(pmi_task_of(s, t)->thread);
        pmi_task_of(s, t)->thread = xstrdup(thread);
        if (++p->n_entered < s->n_tasks)
                return;
        p->fencing = true;
        int r = exchange_all(s, p->fresh, p->n_fresh, barrier_exchanged, s);
        p->n_fresh = 0;
        if (r < 0)
                pmi_task_fail(s, t, strerror(-r));
}

/* ---- PMI-1.1 ---- */

static const char *of_space(const struct step *s) {
        static char name[PMI_NAME_MAX];

        snprintf(name, sizeof name, "%u.%u", step_known_job(s), s->credential->step_id);
        return name;
}

static void pmi_task_init(struct step *s, struct task *t, const struct pmi_words *w) {
        struct pmi_task *p = pmi_task_of(s, t);
        const char *version = strempty(pmi_word(w, "pmi_version"));

        if (s->pmi->fencing) {
                pmi_task_fail(s, t, "it has begun anew in a barrier");
                return;
        }
        s->pmi->n_entered -= p->entered; /* the earlier program was killed in the barrier */
        p->entered = false;
        p->begun++;
        free(TAKE(p->thread));
        free(TAKE(p->wanted));
        p->version = streq(version, "2") ? PMI_2 : PMI_1;
        if (p->version == PMI_2)
                pmi_task_printf(p, "cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0\n");
        else
                pmi_task_printf(p, "cmd=response_to_init rc=%d pmi_version=1 pmi_subversion=1\n",
                                streq(version, "1") ? 0 : -1);
}

static void get_maxes(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi_task_printf(pmi_task_of(s, t),
                        "cmd=maxes rc=0 kvsname_max=%d keylen_max=%d vallen_max=%d\n", PMI_NAME_MAX,
                        PMI_KEY_MAX, PMI_VALUE_MAX);
}

static void get_appnum(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi_task_printf(pmi_task_of(s, t), "cmd=appnum rc=0 appnum=0\n");
}

static void get_universe_size(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi_task_printf(pmi_task_of(s, t), "cmd=universe_size rc=0 size=%u\n",
                        s->launch->num_tasks);
}

static void get_my_kvsname(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi_task_printf(pmi_task_of(s, t), "cmd=my_kvsname rc=0 kvsname=%s\n", of_space(s));
}

static void put_1(struct step *s, struct task *t, const struct pmi_words *w) {
        if (pmi_put_pair(s, pmi_word(w, "key"), pmi_word(w, "value")))
                pmi_task_printf(pmi_task_of(s, t), "cmd=put_result rc=0 msg=success\n");
        else
                pmi_task_printf(pmi_task_of(s, t),
                                "cmd=put_result rc=-1 msg=too_long_or_too_many\n");
}

static void get_1(struct step *s, struct task *t, const struct pmi_words *w) {
        const char *value = pmi_get_value(s, pmi_word(w, "key"));

        if (value)
                pmi_task_printf(pmi_task_of(s, t), "cmd=get_result rc=0 msg=success value=%s\n",
                                value);
        else
                pmi_task_printf(pmi_task_of(s, t),
                                "cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
}

static void barrier_in(struct step *s, struct task *t, const struct pmi_words *w) {
        barrier_enter(s, t, NULL);
}

static void ask_name(struct step *s, struct task *t, enum pmi_name_act act, const char *name,
                const char *port, const char *thread) {
        pmi_name_ask(s,
                        &(struct pmi_name){ .act = act,
                                        .task = (uint32_t)(t - s->tasks),
                                        .begun = pmi_task_of(s, t)->begun,
                                        .thread = thread,
                                        .name = name,
                                        .port = port },
                        now_monotonic());
}

static void publish_name(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_PUBLISH, pmi_word(w, "service"), pmi_word(w, "port"), NULL);
}

static void lookup_name(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_LOOKUP, pmi_word(w, "service"), NULL, NULL);
}

static void unpublish_name(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_UNPUBLISH, pmi_word(w, "service"), NULL, NULL);
}

static void answer_name_1(struct pmi_task *p, const struct pmi_name *n) {
        static const char *const names[PMI_NAME_ACT_MAX] = { "publish", "lookup", "unpublish" };

        if (n->done && n->act == PMI_NAME_LOOKUP)
                pmi_task_printf(p, "cmd=lookup_result rc=0 msg=success port=%s\n", n->port);
        else
                pmi_task_printf(p, "cmd=%s_result rc=%d msg=%s\n", names[n->act], n->done ? 0 : -1,
                                n->done                      ? "success"
                                : n->act == PMI_NAME_PUBLISH ? "too_long_or_too_many"
                                                             : "service_not_found");
}

/* Answers the last of several spawn commands. */
static void spawn_1(struct step *s, struct task *t, const struct pmi_words *w) {
        if (streq(strempty(pmi_word(w, "totspawns")), strempty(pmi_word(w, "spawnssofar"))))
                pmi_task_printf(pmi_task_of(s, t),
                                "cmd=spawn_result rc=-1 msg=no_spawn_in_a_step\n");
}

static void finalize_1(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi_task_of(s, t)->version = PMI_UNKNOWN;
        pmi_task_printf(pmi_task_of(s, t), "cmd=finalize_ack rc=0\n");
}

/* ---- PMI-1.1 and PMI-2 ---- */

static void pmi_abort_step(struct step *s, struct task *t, const struct pmi_words *w) {
        const char *code = pmi_word(w, "exitcode"), *why = pmi_word(w, "msg");
        int number = code ? atoi(code) : EXIT_FAILURE;

        step_complain(s, "task %u has aborted the step with exit code %d%s%.*s", t->rank, number,
                        isempty(why) ? "" : ": ", PMI_VALUE_MAX, strempty(why));
        step_abort(s, t, number);
}

/* ---- PMI-2 ---- */

static const char *thread_of(const struct pmi_words *w) {
        return pmi_word(w, "thrid");
}

static void pmi2_fullinit(struct step *s, struct task *t, const struct pmi_words *w) {
        char rank[16], size[16];

        snprintf(rank, sizeof rank, "%u", t->rank);
        snprintf(size, sizeof size, "%u", s->launch->num_tasks);
        pmi2_respond(pmi_task_of(s, t), "fullinit", thread_of(w), 0, "pmi-version", "2",
                        "pmi-subversion", "0", "rank", rank, "size", size, "appnum", "0",
                        "debugged", "FALSE", "pmiverbose", "FALSE", END);
}

static void job_getid(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi2_respond(pmi_task_of(s, t), "job-getid", thread_of(w), 0, "jobid", of_space(s), END);
}

static void pmi2_answer_found(struct step *s, struct task *t, const char *command,
                const char *thread, const char *value) {
        pmi2_respond(pmi_task_of(s, t), command, thread, 0, "found", value ? "TRUE" : "FALSE",
                        "value", strempty(value), END);
}

static void done_or_not(struct step *s, struct task *t, const struct pmi_words *w, bool done,
                const char *why_not) {
        if (done)
                pmi2_respond(pmi_task_of(s, t), pmi_command(w), thread_of(w), 0, END);
        else
                pmi2_respond(pmi_task_of(s, t), pmi_command(w), thread_of(w), -1, "errmsg", why_not,
                                END);
}

static void kvs_put(struct step *s, struct task *t, const struct pmi_words *w) {
        done_or_not(s, t, w, pmi_put_pair(s, pmi_word(w, "key"), pmi_word(w, "value")),
                        "too long or too many keys");
}

static void kvs_get(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi2_answer_found(s, t, "kvs-get", thread_of(w), pmi_get_value(s, pmi_word(w, "key")));
}

static void kvs_fence(struct step *s, struct task *t, const struct pmi_words *w) {
        barrier_enter(s, t, thread_of(w));
}

static void info_getjobattr(struct step *s, struct task *t, const struct pmi_words *w) {
        const char *key = strempty(pmi_word(w, "key"));
        char size[16];

        snprintf(size, sizeof size, "%u", s->launch->num_tasks);
        pmi2_answer_found(s, t, "info-getjobattr", thread_of(w),
                        streq(key, MAPPING)          ? pmi_get_value(s, key)
                        : streq(key, "universeSize") ? size
                                                     : NULL);
}

static void info_putnodeattr(struct step *s, struct task *t, const struct pmi_words *w) {
        const char *key = pmi_word(w, "key"), *value = pmi_word(w, "value");
        bool done = pmi_space_put_checked(&s->pmi->attributes, key, value);

        done_or_not(s, t, w, done, "too long or too many attributes");
        for (size_t i = 0; i < s->n_tasks && done; i++) {
                struct pmi_task *p = &s->pmi->tasks[i];
                if (!p->wanted || !streq(p->wanted, key))
                        continue;
                _cleanup_free_ char *wanted = TAKE(p->wanted), *thread = TAKE(p->thread);
                pmi2_answer_found(s, &s->tasks[i], "info-getnodeattr", thread, value);
        }
}

static void info_getnodeattr(struct step *s, struct task *t, const struct pmi_words *w) {
        const char *key = strempty(pmi_word(w, "key"));
        const char *value = pmi_space_get(&s->pmi->attributes, key);
        struct pmi_task *p = pmi_task_of(s, t);

        if (value || !streq(strempty(pmi_word(w, "wait")), "TRUE") || p->wanted || p->entered) {
                pmi2_answer_found(s, t, "info-getnodeattr", thread_of(w), value);
                return;
        }
        p->wanted = xstrdup(key);
        p->thread = xstrdup(thread_of(w));
}

static void name_publish(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_PUBLISH, pmi_word(w, "name"), pmi_word(w, "port"), thread_of(w));
}

static void name_lookup(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_LOOKUP, pmi_word(w, "name"), NULL, thread_of(w));
}

static void name_unpublish(struct step *s, struct task *t, const struct pmi_words *w) {
        ask_name(s, t, PMI_NAME_UNPUBLISH, pmi_word(w, "name"), NULL, thread_of(w));
}

static void answer_name_2(struct pmi_task *p, const struct pmi_name *n) {
        static const char *const names[PMI_NAME_ACT_MAX] = { "name-publish", "name-lookup",
                "name-unpublish" };

        if (!n->done)
                pmi2_respond(p, names[n->act], n->thread, -1, "errmsg",
                                n->act == PMI_NAME_PUBLISH ? "too long or too many names"
                                                           : "no such name",
                                END);
        else if (n->act == PMI_NAME_LOOKUP)
                pmi2_respond(p, names[n->act], n->thread, 0, "port", n->port, END);
        else
                pmi2_respond(p, names[n->act], n->thread, 0, END);
}

void pmi_name_answered(struct step *s, const struct pmi_name *n) {
        struct pmi_task *p = s->pmi && n->task < s->n_tasks ? &s->pmi->tasks[n->task] : NULL;

        if (!p || p->begun != n->begun)
                return;
        if (p->version == PMI_1)
                answer_name_1(p, n);
        else if (p->version == PMI_2)
                answer_name_2(p, n);
}

static void pmi2_refuse(struct step *s, struct task *t, const struct pmi_words *w) {
        done_or_not(s, t, w, false, "not possible in a step");
}

static void finalize_2(struct step *s, struct task *t, const struct pmi_words *w) {
        pmi2_respond(pmi_task_of(s, t), "finalize", thread_of(w), 0, END);
        pmi_task_of(s, t)->version = PMI_UNKNOWN;
}

/* ---- commands ---- */

static const struct command {
        enum pmi_version version;
        const char *name;
        void (*handle)(struct step *s, struct task *t, const struct pmi_words *w);
} commands[] = {
        { PMI_UNKNOWN, "init", pmi_task_init },
        { PMI_1, "init", pmi_task_init },
        { PMI_1, "get_maxes", get_maxes },
        { PMI_1, "get_appnum", get_appnum },
        { PMI_1, "get_universe_size", get_universe_size },
        { PMI_1, "get_my_kvsname", get_my_kvsname },
        { PMI_1, "put", put_1 },
        { PMI_1, "get", get_1 },
        { PMI_1, "barrier_in", barrier_in },
        { PMI_1, "publish_name", publish_name },
        { PMI_1, "lookup_name", lookup_name },
        { PMI_1, "unpublish_name", unpublish_name },
        { PMI_1, "spawn", spawn_1 },
        { PMI_1, "abort", pmi_abort_step },
        { PMI_1, "finalize", finalize_1 },
        { PMI_2, "fullinit", pmi2_fullinit },
        { PMI_2, "job-getid", job_getid },
        { PMI_2, "job-connect", pmi2_refuse },
        { PMI_2, "job-disconnect", pmi2_refuse },
        { PMI_2, "kvs-put", kvs_put },
        { PMI_2, "kvs-get", kvs_get },
        { PMI_2, "kvs-fence", kvs_fence },
        { PMI_2, "info-getjobattr", info_getjobattr },
        { PMI_2, "info-putnodeattr", info_putnodeattr },
        { PMI_2, "info-getnodeattr", info_getnodeattr },
        { PMI_2, "name-publish", name_publish },
        { PMI_2, "name-lookup", name_lookup },
        { PMI_2, "name-unpublish", name_unpublish },
        { PMI_2, "spawn", pmi2_refuse },
        { PMI_2, "abort", pmi_abort_step },
        { PMI_2, "finalize", finalize_2 },
};

static void pmi_handle_command(struct step *s, struct task *t, const char *body, size_t size) {
        enum pmi_version version = pmi_task_of(s, t)->version;
        struct pmi_words w;

        if (pmi_words_parse(version, body, size, &w) < 0) {
                pmi_task_fail(s, t, "its message is no command");
        } else {
                const char *name = pmi_command(&w);
                size_t i = 0;

                while (i < ELEMENTSOF(commands) &&
                                (commands[i].version != version || !streq(commands[i].name, name)))
                        i++;
                if (i < ELEMENTSOF(commands)) {
                        commands[i].handle(s, t, &w);
                } else {
                        _cleanup_free_ char *why = xasprintf("\"%.64s\" is no command%s", name,
                                        version == PMI_UNKNOWN ? " to begin with" : "");
                        pmi_task_fail(s, t, why);
                }
        }
        pmi_words_done(&w);
}

static void pmi_task_run_commands(struct step *s, struct task *t) {
        struct pmi_task *p = pmi_task_of(s, t);
        const char *body;
        size_t size, done = 0;
        ssize_t n = 0;

        while (p->fd >= 0 && p->n_out < ANSWERS_MAX &&
                        (n = pmi_message(p->version, p->in + done, p->n_in - done, &body, &size)) >
                                        0) {
                done += (size_t)n;
                pmi_handle_command(s, t, body, size);
        }
        if (p->fd < 0)
                return;
        p->n_in -= done;
        memmove(p->in, p->in + done, p->n_in);
        if (n < 0)
                pmi_task_fail(s, t,
                                n == -EMSGSIZE ? "its message is longer than any may be"
                                               : "its message has no length");
        else if (!p->n_in) {
                free(TAKE(p->in));
                p->a_in = 0;
        }
}

static void pmi_task_receive(struct pmi_task *p) {
        if (!p->in)
                p->in = xmalloc(p->a_in = PMI_MESSAGE_MAX);
        ssize_t n = recv(p->fd, p->in + p->n_in, p->a_in - p->n_in, MSG_DONTWAIT);
        if (n > 0)
                p->n_in += (size_t)n;
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
                pmi_task_close(p);
}

/* ---- in the step daemon ---- */

static bool asked_for(const struct step *s, const char *type) {
        return streq(s->launch->spec->mpi, type);
}

int pmi_begin(struct step *s, struct fail *fail) {
        struct rlimit files;

        if (s->launch->batch || !(asked_for(s, "") || asked_for(s, "pmi2")))
                return 0;
        pmi_names_begin(s);
        if (getrlimit(RLIMIT_NOFILE, &files) >= 0 &&
                        s->n_tasks * TASK_FILES + FILES_SPARED > files.rlim_cur) {
                if (asked_for(s, "pmi2"))
                        return fail_set(fail, -EMFILE,
                                        "--mpi=pmi2: %zu tasks need more descriptors than the %llu of this node",
                                        s->n_tasks, (unsigned long long)files.rlim_cur);
                step_debug(s, LOG_INFO,
                                "%zu tasks need more descriptors than the %llu of this node: they have no PMI",
                                s->n_tasks, (unsigned long long)files.rlim_cur);
                return 0;
        }
        s->pmi = xnew0(struct pmi, 1);
        s->pmi->tasks = xnew0(struct pmi_task, s->n_tasks);
        for (size_t i = 0; i < s->n_tasks; i++)
                s->pmi->tasks[i].fd = s->pmi->tasks[i].its = -1;
        return 0;
}

int pmi_open(struct step *s, struct task *t, struct fail *fail) {
        int fds[2];

        if (!s->pmi)
                return 0;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket for PMI: %s", strerror(errno));
        pmi_task_of(s, t)->fd = fds[0];
        pmi_task_of(s, t)->its = fds[1];
        return 0;
}

void pmi_opened(struct step *s, struct task *t) {
        if (s->pmi && pmi_task_of(s, t)->its >= 0)
                close(TAKE_FD(pmi_task_of(s, t)->its));
}

/* Puts the task's end in place of signal_fd, a descriptor of the step daemon only: a low number,
   the same for all tasks. */
void pmi_take(struct step *s, const struct task *t) {
        struct environment *e = s->environment;

        if (!s->pmi || dup3(pmi_task_of(s, t)->its, s->signal_fd, O_CLOEXEC) < 0)
                return;
        environment_set(e, "PMI_FD", "%d", s->signal_fd);
        environment_set(e, "PMI_RANK", "%u", t->rank);
        environment_set(e, "PMI_SIZE", "%u", s->launch->num_tasks);
        environment_set(e, "PMI_JOBID", "%s", of_space(s));
}

void pmi_keep(const struct step *s) {
        if (s->pmi)
                (void)fcntl(s->signal_fd, F_SETFD, 0);
}

bool pmi_is_offered(const struct step *s) {
        return s->pmi;
}

int pmi_move(const struct step *s, int to) {
        environment_set(s->environment, "PMI_FD", "%d", to);
        if (s->signal_fd == to)
                return 0;
        int r = dup2(s->signal_fd, to) < 0 ? -errno : 0;
        (void)close(s->signal_fd);
        return r;
}

int pmi_wants(const struct step *s, const struct task *t, short *ret_events) {
        const struct pmi_task *p = s->pmi ? pmi_task_of(s, t) : NULL;

        *ret_events = p && p->n_out ? POLLOUT : POLLIN;
        return p ? p->fd : -1;
}

void pmi_serve(struct step *s, struct task *t) {
        struct pmi_task *p = pmi_task_of(s, t);

        pmi_task_flush(p);
        if (p->fd >= 0 && !p->n_out && p->n_in < PMI_MESSAGE_MAX)
                pmi_task_receive(p);
        if (p->fd >= 0 && p->n_in)
                pmi_task_run_commands(s, t);
}

void pmi_done(struct step *s) {
        struct pmi *p = s->pmi;

        pmi_names_done(s);
        if (!p)
                return;
        for (size_t i = 0; i < s->n_tasks; i++) {
                pmi_opened(s, &s->tasks[i]);
                pmi_task_close(&p->tasks[i]);
                free(p->tasks[i].thread);
                free(p->tasks[i].wanted);
        }
        pmi_space_done(&p->keys);
        pmi_space_done(&p->attributes);
        free(p->fresh);
        free(p->tasks);
        free(TAKE(s->pmi));
}
