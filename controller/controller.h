/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/controller.h - the daemon: its start, its loop, its end */
#pragma once

#include "controller/loop/controller.h"

struct controller_start {
        bool forget;   /* -c: all stored jobs and node states */
        bool any_name; /* -i: go on with the state of a cluster of another name */
        /* --accept-state: go on with files that are older than they were */
        bool accept_state;
        struct cluster_key *key; /* taken over; NULL: read here */
};

/* Takes config over, also on failure, after which nothing is left that was not there before. */
int controller_new(struct config *config, const struct controller_start *how,
                struct controller **ret, struct fail *fail);
struct controller *controller_free(struct controller *ctl);
DEFINE_CLEANUP(struct controller *, controller_free)
/* Before anything is concluded from what comes in, or from the time: whether the loop stood still
   (indexes/listen.h). */
void controller_look_for_pause(struct controller *ctl);
