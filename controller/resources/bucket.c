/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/bucket.h"

void bucket_init(struct bucket *b, uint32_t rate, usec_t span, usec_t now) {
        *b = (struct bucket){
                .rate = rate,
                .capacity = MAX(1u, (uint32_t)(rate * MAX(span / USEC_PER_SEC, 1u) / 60)),
                .refilled = now,
        };
}

static usec_t bucket_period(const struct bucket *b) {
        return MAX(1u, 60 * USEC_PER_SEC / b->rate);
}

static void bucket_refill(struct bucket *b, usec_t now) {
        if (now <= b->refilled)
                return;
        usec_t periods = (now - b->refilled) / bucket_period(b);
        b->tokens = periods >= b->capacity ? b->capacity
                                           : (uint32_t)MIN(b->capacity, b->tokens + periods);
        b->refilled += periods * bucket_period(b);
}

bool bucket_take(struct bucket *b, usec_t now) {
        if (b->rate == 0)
                return true;
        bucket_refill(b, now);
        if (b->tokens == 0)
                return false;
        b->tokens--;
        return true;
}

usec_t bucket_next(const struct bucket *b, size_t wanted) {
        if (!b->rate)
                return USEC_INFINITY;
        return b->refilled + MAX((usec_t)1, MIN((usec_t)wanted, BUCKET_BEAT / bucket_period(b))) *
                                             bucket_period(b);
}

usec_t bucket_after(const struct bucket *b, size_t wanted, usec_t now) {
        struct bucket then = *b;

        if (!b->rate)
                return now;
        bucket_refill(&then, now);
        return wanted <= then.tokens
                               ? now
                               : MAX(now, then.refilled + (wanted - then.tokens) *
                                                                                 bucket_period(b));
}
