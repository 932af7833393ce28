/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sending to the controller, by the connection of upstream.c, and to step daemons. */
#include "agent/machine/gpus_known.h"
#include "agent/state/agent.h"

#define HELD_MAX (10 * USEC_PER_SEC) /* requests wait for the next primary */

bool upstream_prepares(const struct agent *a) {
        return !a->welcome && (a->asking || gpus_being_asked(a->gpus));
}

bool upstream_up(const struct agent *a) {
        return a->controller && a->ready && !upstream_prepares(a);
}

bool upstream_has_several(const struct agent *a) {
        return !a->options.conf_server && a->config && a->config->n_controllers > 1 && !a->alone;
}

bool upstream_may_return(const struct agent *a) {
        return upstream_has_several(a) && a->lost_since &&
               now_monotonic() - a->lost_since < HELD_MAX;
}

void upstream_send(struct agent *a, Envelope *env) {
        if (upstream_up(a))
                (void)conn_send(a->controller, env);
}

bool upstream_full(const struct agent *a) {
        return a->controller && conn_above_mark(a->controller);
}

usec_t upstream_now(const struct agent *a) {
        return a->clock_known ? now_boottime() + (usec_t)a->controller_ahead : now_realtime();
}

void step_send(struct step *s, Envelope *env) {
        if (s->conn && !s->kept) /* the daemon may run a new step at any moment */
                (void)conn_send(s->conn, env);
}
