/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other files ask of the connection to the controller, which upstream.c makes and hears. */
#include "agent/machine/gpus_known.h"
#include "agent/state/agent.h"

bool upstream_prepares(const struct agent *a) {
        return !a->welcome && (a->asking || gpus_being_asked(a->gpus));
}

bool upstream_up(const struct agent *a) {
        return a->controller && a->ready && !upstream_prepares(a);
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
