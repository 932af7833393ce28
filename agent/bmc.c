/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power operations of remote nodes whose BMCs the controller does not reach (power.yaml "via").
 *
 * Each request goes to a child, slumber-power --worker, over a socket pair: the child may block,
 * and only the child has the passwords in memory. Results are forwarded as they arrive. A request
 * ends with the controller's connection: the controller then gives nodes without a result to a
 * new host. */
#include "agent/bmc.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"
#include "agent/wake.h"
#include "lib/child.h"
#include "lib/timer.h"

#include <signal.h>
#include <sys/socket.h>

#define WORKS_MAX    16 /* for an audit, Resume and Suspend programs and users at a time */
#define DEADLINE_MAX (3600 * USEC_PER_SEC)
/* tolerance for the worker, which is late by less than a second */
#define SLACK (10 * USEC_PER_SEC)

struct bmc_work {
        struct agent *agent;
        uint64_t id;
        struct conn *conn;
        pid_t pid;
        sd_event_source *limit;
        bool over; /* the controller has the final result */
        struct bmc_work *next;
};

static void work_free(struct bmc_work *w) {
        struct bmc_work **p = &w->agent->bmc_works;

        while (*p != w)
                p = &(*p)->next;
        *p = w->next;
        sd_event_source_disable_unref(w->limit);
        free(w);
}

/* Kills the worker. A program run by the worker for a node continues until its end or time
   limit. */
static void work_kill(struct bmc_work *w) {
        (void)kill(-w->pid, SIGKILL);
        conn_close(w->conn);
        work_free(w);
}

/* ---- results ---- */

static void bmc_send_error(struct agent *a, uint64_t id, int code, const char *text) {
        Slumber__Error e = SLUMBER__ERROR__INIT;

        set_error(&e, code, text);
        ENVELOPE(env, ERROR, error, &e);
        env.reply_to = id;
        upstream_send(a, &env);
}

static void work_on_message(struct conn *c, Envelope *env, void *user) {
        struct bmc_work *w = user;

        (void)c;
        env->id = 0;
        env->reply_to = w->id;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                w->over = true;
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_BMC_RESULTS)
                w->over |= env->bmc_results->last;
        else
                return;
        upstream_send(w->agent, env);
}

static void work_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct bmc_work *w = user;

        (void)c, (void)r, (void)why;
        if (!w->over)
                bmc_send_error(w->agent, w->id, SLUMBER_FAILED,
                                "slumber-power has died on its way");
        work_free(w);
}

static int on_limit(sd_event_source *source, uint64_t t, void *user) {
        struct bmc_work *w = user;

        (void)source, (void)t;
        log_warning(0, "Killing slumber-power: it does not end");
        bmc_send_error(w->agent, w->id, SLUMBER_FAILED, "slumber-power has not ended in time");
        work_kill(w);
        return 0;
}

/* ---- start ---- */

static int bmc_check_request(const struct agent *a, const Slumber__BmcRequest *m,
                struct fail *fail) {
        size_t n = 0;

        for (const struct bmc_work *w = a->bmc_works; w; w = w->next)
                n++;
        if (n >= WORKS_MAX)
                return fail_set(fail, -EBUSY, "%s has %zu power operations under way", a->node, n);
        if (m->uid != 0 && a->config && m->uid != a->config->slurm_uid)
                return fail_set(fail, -EACCES,
                                "%s takes power operations of root and SlurmUser only, not of uid "
                                "%u",
                                a->node, m->uid);
        return 0;
}

char *agent_power_program(void) {
        return program_beside("slumber-power", "power");
}

static int worker_spawn(struct agent *a, int fd, pid_t *ret, struct fail *fail) {
        _cleanup_free_ char *program = agent_power_program();
        _cleanup_free_ char *lock = xasprintf("%s/power.lock", a->spool);
        _cleanup_free_ char *conf = a->config ? xasprintf("SLURM_CONF=%s", a->config->path) : NULL;
        _cleanup_free_ char *socket = a->socket ? xasprintf("SLUMBER_SOCKET=%s", a->socket) : NULL;
        _cleanup_free_ char *bus = xasprintf("DBUS_SYSTEM_BUS_ADDRESS=%s",
                        strempty(getenv("DBUS_SYSTEM_BUS_ADDRESS")));
        char *argv[] = { (char *)"slumber-power", (char *)"--worker", lock, NULL };
        char *more[] = { conf, socket, getenv("DBUS_SYSTEM_BUS_ADDRESS") ? bus : NULL };
        struct child_program s = { program, argv, { (char *)(uintptr_t)CHILD_PATH }, CHILD_NOTHING,
                CHILD_NOTHING, fd };
        size_t n = 1;

        for (size_t i = 0; i < ELEMENTSOF(more); i++)
                if (more[i])
                        s.envp[n++] = more[i];
        return child_start(&s, ret, fail);
}

static int work_start(struct agent *a, uint64_t id, struct bmc_work **ret, struct fail *fail) {
        static const struct conn_ops ops = { .message = work_on_message, .closed = work_on_closed };
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        _cleanup_close_ int ours = fds[0], theirs = fds[1];
        struct bmc_work *w = xnew0(struct bmc_work, 1);
        *w = (struct bmc_work){ .agent = a, .id = id, .next = a->bmc_works };
        int r = timer_new(a->event, USEC_PER_SEC, on_limit, w, &w->limit);
        if (r < 0)
                fail_set(fail, r, "cannot limit slumber-power's time: %s", strerror(-r));
        if (r >= 0)
                r = worker_spawn(a, theirs, &w->pid, fail);
        if (r >= 0)
                r = program_reap(a->event, w->pid, fail);
        if (r >= 0) {
                r = conn_adopt(a->event, TAKE_FD(ours), &ops, w, &w->conn);
                if (r < 0)
                        fail_set(fail, r, "cannot watch slumber-power: %s", strerror(-r));
        }
        if (r < 0) {
                sd_event_source_disable_unref(w->limit);
                free(w);
                return r;
        }
        a->bmc_works = w;
        *ret = w;
        return 0;
}

void bmc_request(struct agent *a, Envelope *env) {
        Slumber__BmcRequest *m = env->bmc_request;
        struct bmc_work *w = NULL;
        uint64_t id = env->id;
        struct fail fail = { 0 };
        int r = bmc_check_request(a, m, &fail);

        if (r >= 0)
                r = work_start(a, id, &w, &fail);
        if (r < 0) {
                log_warning(0, "A power operation (%s) is refused: %s", m->verb, fail.text);
                bmc_send_error(a, id, r == -EACCES ? SLUMBER_ACCESS_DENIED : SLUMBER_FAILED,
                                fail.text);
                return;
        }
        if (m->itself && m->n_accesses == 1 && streq(m->accesses[0]->driver, "logind-suspend"))
                wake_expect(a);
        log_info("Power %s of %zu nodes for uid %u", m->verb, m->n_nodes, m->uid);
        timer_arm(w->limit, MIN(m->deadline, DEADLINE_MAX) + SLACK);
        (void)conn_send(w->conn, env);
}

void bmc_stop(struct agent *a, uint64_t id) {
        for (struct bmc_work *w = a->bmc_works; w; w = w->next)
                if (w->id == id) {
                        log_info("A power operation is stopped");
                        work_kill(w);
                        return;
                }
}

void bmc_stop_all(struct agent *a) {
        while (a->bmc_works)
                work_kill(a->bmc_works);
}
