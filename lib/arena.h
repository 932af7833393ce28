/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/arena.h - allocates many small pieces that are freed together
 *
 * A list of ten thousand records has a hundred thousand pieces: a malloc for each would cost more
 * than all other work on the list. */
#pragma once

#include "lib/base.h"

/* A zeroed arena is empty. */
struct arena {
        struct arena_chunk *chunks; /* newest first */
        size_t used;                /* bytes used of the newest chunk */
};

/* Returns memory aligned for every type, not cleared, valid until arena_reset() or arena_done(). */
void *arena_alloc(struct arena *a, size_t size);
/* Frees all pieces. The newest chunk stays allocated for the next pieces: page faults of fresh
   memory are the main cost when a message is read. */
void arena_reset(struct arena *a);
void arena_done(struct arena *a);
