/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/controller.h - the daemon: start, event loop, end */
#pragma once

#include "controller/loop/controller.h"

struct controller_start {
        bool forget;   /* -c: forget all stored jobs and node states */
        bool any_name; /* -i: accept the state of a cluster with a different name */
        /* --accept-state: accept files older than at the last run */
        bool accept_state;
        struct cluster_key *key; /* taken over; NULL: read by controller_new() */
};

/* Takes config over, even on failure; a failure leaves no trace. */
int controller_new(struct config *config, const struct controller_start *how,
                struct controller **ret, struct fail *fail);
struct controller *controller_free(struct controller *ctl);
DEFINE_CLEANUP(struct controller *, controller_free)
