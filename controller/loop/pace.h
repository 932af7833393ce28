/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/pace.h - how soon a turn may end.  Pure.
 *
 * What a turn stores may take far longer than what led to it: the record of a job on thousands of
 * nodes is written anew as each of them says that its part has ended.  After such a turn more is
 * gathered before the next one ends, so that storing takes a fifth of the time; where it takes
 * longer than PACE_MOST allows for, more.  A turn that a command waits for, and one after a turn
 * that had little to store, does not wait. */
#pragma once

#include "lib/base.h"

#define PACE_SHARE 4                    /* gathering takes so many times what storing took */
#define PACE_LEAST (USEC_PER_MSEC / 2)  /* storing that took less holds nothing up */
#define PACE_MOST  (50 * USEC_PER_MSEC) /* of gathering */

struct pace {
        usec_t due; /* CLOCK_MONOTONIC: the turn of now may end then; 0: at any time */
        bool asked; /* a command waits for its end */
};

/* A turn has ended at now; packing what it stores took so long. */
void pace_next(struct pace *p, usec_t now, usec_t took);
/* How long the turn is to gather yet; 0: it may end. */
usec_t pace_wait(const struct pace *p, usec_t now);
