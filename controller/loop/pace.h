/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/pace.h - how soon a turn may end. Pure.
 *
 * Storing a turn may take far longer than the turn: a job on thousands of nodes is recorded anew
 * for each node reporting the end. After such a turn the next turn gathers more messages, so that
 * storing takes a fifth of the time (more if PACE_MOST limits the gathering). A turn ends without
 * delay if a command waits for the end or if the last turn had little to store. */
#pragma once

#include "lib/base.h"

#define PACE_SHARE 4                    /* ratio of gathering to storing */
#define PACE_LEAST (USEC_PER_MSEC / 2)  /* storing below this duration causes no delay */
#define PACE_MOST  (50 * USEC_PER_MSEC) /* limit of gathering */

struct pace {
        usec_t due; /* CLOCK_MONOTONIC: earliest end of this turn; 0: at any time */
        bool asked; /* a command waits for the end of this turn */
};

/* Notes the end of a turn at now; took: the time for packing the changes of the turn. */
void pace_next(struct pace *p, usec_t now, usec_t took);
/* Returns how long the turn has to gather still; 0: the turn may end. */
usec_t pace_wait(const struct pace *p, usec_t now);
