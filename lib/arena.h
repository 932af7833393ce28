/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/arena.h - memory for many small pieces that go together
 *
 * A list of ten thousand records is a hundred thousand pieces: one malloc each would cost more than
 * all the rest. */
#pragma once

#include "lib/base.h"

/* All zero is an empty one. */
struct arena {
        struct arena_chunk *chunks; /* the newest first */
        size_t used;                /* of the newest */
};

/* Aligned for every type, not cleared.  Lives until arena_reset() or arena_done(). */
void *arena_alloc(struct arena *a, size_t size);
/* All pieces are gone, the newest room stays for the next ones: fresh memory is what reading them
   costs most. */
void arena_reset(struct arena *a);
void arena_done(struct arena *a);
