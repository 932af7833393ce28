/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/bucket.h - SuspendRate and ResumeRate: a token bucket each (power-saving
   guide, ResumeRate) */
#pragma once

#include "lib/base.h"

struct bucket {
        uint32_t rate; /* nodes per minute, 0 = no limit */
        /* capacity: tokens of one span, a burst after an idle period */
        uint32_t capacity, tokens;
        usec_t refilled; /* time up to which tokens have been counted */
        usec_t armed;    /* owned by the caller: time of the next attempt */
};

/* span: power_save_interval */
void bucket_init(struct bucket *b, uint32_t rate, usec_t span, usec_t now);
/* Takes a token; false: none is left. */
bool bucket_take(struct bucket *b, usec_t now);
/* Returns when an empty bucket has `wanted` tokens, or the tokens of BUCKET_BEAT, but at least one
   token; USEC_INFINITY without a limit. */
#define BUCKET_BEAT USEC_PER_SEC
usec_t bucket_next(const struct bucket *b, size_t wanted);
/* Returns when `wanted` tokens will have been available, present tokens included; now if available,
   or without a limit. */
usec_t bucket_after(const struct bucket *b, size_t wanted, usec_t now);
