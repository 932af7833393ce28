/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/bucket.h - SuspendRate and ResumeRate: a token bucket each (power-saving
   guide, ResumeRate) */
#pragma once

#include "lib/base.h"

struct bucket {
        uint32_t rate; /* nodes a minute, 0 = no limit */
        /* it holds what flows in within span at most: a burst after a quiet spell */
        uint32_t capacity, tokens;
        usec_t refilled; /* up to here tokens have been counted */
        usec_t armed;    /* the caller's: when it will look again */
};

/* span: power_save_interval */
void bucket_init(struct bucket *b, uint32_t rate, usec_t span, usec_t now);
/* Takes one token; false: none is there. */
bool bucket_take(struct bucket *b, usec_t now);
/* When an empty bucket has as many as are wanted, or what flows in within BUCKET_BEAT, the next
   token at least; USEC_INFINITY without a limit. */
#define BUCKET_BEAT USEC_PER_SEC
usec_t bucket_next(const struct bucket *b, size_t wanted);
/* When as many will have been there from now on, with those that are there already; now: they are,
   or there is no limit. */
usec_t bucket_after(const struct bucket *b, size_t wanted, usec_t now);
