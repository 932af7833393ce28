/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/loop/memory.h - memory of a peak goes back to the kernel */
#pragma once

#include "lib/base.h"

struct memory {
        usec_t looked; /* CLOCK_MONOTONIC: when last; 0: never */
        uint64_t resident, unused; /* bytes, after it was given back the last time; or less, as it was since */
};

/* What the allocator keeps free is given back, where it is 16 MB or more; it looks once in 10 s at most.  To be called now
   and then while nothing else is to be done, as it takes a while. */
void memory_review(struct memory *m);
