/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/peers/had.h - remembers which numbered messages have arrived, so that each is handled once:
 * messages may be repeated, and overtake each other by different ways
 *
 * Pure. */
#pragma once

#include "lib/base.h"

/* A zeroed struct arrived has no message. */
struct arrived {
        uint32_t last;
        uint64_t bits; /* bit k: number last - k has arrived */
};

/* Notes message number; returns true if the number had arrived before, or is 64 or more below the
 * last. 0, no number: false. */
static inline bool arrived_before(struct arrived *h, uint32_t number) {
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
