/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step daemons without a step: new daemons, and daemons whose step is over.
 *
 * A few idle daemons are kept for the next steps: ending a daemon and starting a new one costs more
 * than a short step. Daemons idle for a whole heartbeat are ended. A new daemon is requested only
 * after the step was written to the daemon's socket, so that the daemon finds the step at once. */
#include "agent/jobs/stepds.h"
#include "agent/jobs/launch_queue.h"
#include "agent/state/agent.h"

/* Maximum number of idle daemons: about as many as end during one launch. An idle daemon has 300 KB
   of its own. */
#define IDLE_MAX 16

static void idle_on_message(struct conn *c, Envelope *env, void *user);
static void idle_on_closed(struct conn *c, int r, const char *why, void *user);
static const struct conn_ops idle_ops = { .message = idle_on_message, .closed = idle_on_closed };

struct stepd *stepd_free(struct stepd *d) {
        if (!d)
                return NULL;
        for (int i = 0; i < STEP_FDS; i++)
                if (d->fds[i] >= 0)
                        close(d->fds[i]);
        conn_close(d->conn);
        free(d->socket);
        free(d);
        return NULL;
}

/* Removes d from the list of idle daemons; returns d. */
static struct stepd *stepd_unlink(struct stepd *d) {
        struct stepd **p = &d->agent->stepds;

        while (*p != d)
                p = &(*p)->next;
        *p = d->next;
        return d;
}

static void idle_on_message(struct conn *c, Envelope *env, void *user) {
        (void)c, (void)env; /* an idle daemon sends no messages */
        stepd_free(stepd_unlink(user));
}

static void idle_on_closed(struct conn *c, int r, const char *why, void *user) {
        (void)c, (void)r, (void)why;
        /* conn_close() by stepd_free() is a no-op for the ended connection */
        stepd_free(stepd_unlink(user));
}

static struct stepd *stepd_new(struct agent *a, struct conn *conn, char *socket) {
        struct stepd *d = xnew0(struct stepd, 1);

        *d = (struct stepd){ .agent = a, .conn = conn, .socket = socket, .fds = { -1, -1 } };
        return d;
}

static int stepd_prepare(struct agent *a, struct stepd **ret, struct fail *fail) {
        _cleanup_close_ int listener = -1, ours = -1, its = -1;
        _cleanup_free_ char *socket = NULL;
        struct conn *conn;
        int r = listener = rendezvous_listen(&socket, fail);

        if (r >= 0)
                r = rendezvous_pair(&ours, &its, fail);
        if (r < 0)
                return r;
        r = conn_adopt(a->event, TAKE_FD(ours), NULL, NULL, &conn);
        if (r < 0)
                return fail_set(fail, r, "cannot hear slumberstepd: %s", strerror(-r));
        *ret = stepd_new(a, conn, TAKE(socket));
        (*ret)->fds[STEP_FD_LISTENER] = TAKE_FD(listener);
        (*ret)->fds[STEP_FD_LINE] = TAKE_FD(its);
        return 0;
}

/* A killed daemon may be in the list until slumberd reads the daemon's connection. */
int stepd_get(struct agent *a, struct stepd **ret, struct fail *fail) {
        while (a->stepds && conn_hung_up(a->stepds->conn))
                stepd_free(stepd_unlink(a->stepds));
        if (!a->stepds)
                return stepd_prepare(a, ret, fail);
        *ret = stepd_unlink(a->stepds);
        return 0;
}

bool stepd_is_new(const struct stepd *d) {
        return d->fds[STEP_FD_LINE] >= 0;
}

int stepd_start(struct stepd *d, struct fail *fail) {
        if (!stepd_is_new(d))
                return 0;
        d->agent->stepd_asked = now_monotonic();
        return spawner_ask(d->agent, d->fds, fail);
}

bool stepds_wanted(const struct agent *a) {
        size_t n = 0;

        for (const struct stepd *d = a->stepds; d; d = d->next)
                n++;
        return n < IDLE_MAX || launches_wait(a);
}

void stepd_idle(struct agent *a, struct conn *conn, char *socket) {
        struct stepd *d = stepd_new(a, conn, socket);

        if (!stepds_wanted(a)) {
                stepd_free(d);
                return;
        }
        a->stepd_came = now_monotonic();
        conn_set_ops(conn, &idle_ops, d);
        d->next = a->stepds;
        a->stepds = d;
}

void stepds_beat(struct agent *a) {
        struct stepd *next;

        for (struct stepd *d = a->stepds; d; d = next) {
                next = d->next;
                if (d->old)
                        stepd_free(stepd_unlink(d));
                else
                        d->old = true;
        }
}

void stepds_done(struct agent *a) {
        while (a->stepds)
                stepd_free(stepd_unlink(a->stepds));
}
