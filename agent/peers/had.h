/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/had.h - which numbered messages have come, to do each once: they may come again,
 * and overtake each other on different ways
 *
 * Pure. */
#pragma once

#include "lib/base.h"

struct had { /* zeroed: none */
        uint32_t last;
        uint64_t bits; /* of number last - k, at k */
};

/* number has come; true: it had come before, or is older than 64 others.  0, without a number:
 * false.
 */
static inline bool had_before(struct had *h, uint32_t number) {
        if (number == 0)
                return false;
        if (number > h->last) {
                uint32_t more = number - h->last;
                h->bits = (more < 64 ? h->bits << more : 0) | 1;
                h->last = number;
                return false;
        }
        uint32_t back = h->last - number;
        bool had = back >= 64 || (h->bits >> back & 1);
        h->bits |= back < 64 ? UINT64_C(1) << back : 0;
        return had;
}
