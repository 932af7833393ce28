/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/arena.h"

#include <sys/mman.h>

#define ALIGNMENT   _Alignof(max_align_t)
#define CHUNK_FIRST ((size_t)64 << 10) /* enough for a short answer */
#define CHUNK_REST  ((size_t)2 << 20)  /* a large page: a single fault instead of 512 */

struct arena_chunk {
        struct arena_chunk *next;
        size_t size;
        _Alignas(max_align_t) uint8_t data[];
};

static struct arena_chunk *new_chunk(size_t size) {
        void *p = NULL;

        if (size < CHUNK_REST)
                return xmalloc(size);
        if (posix_memalign(&p, CHUNK_REST, size) != 0)
                return xmalloc(size); /* ends the process if memory is exhausted */
        (void)madvise(p, size, MADV_HUGEPAGE);
        return p;
}

static void add_chunk(struct arena *a, size_t size) {
        size_t room = MAX(a->chunks ? CHUNK_REST : CHUNK_FIRST, sizeof(struct arena_chunk) + size);
        struct arena_chunk *c = new_chunk(room);

        c->next = a->chunks;
        c->size = room - sizeof *c;
        a->chunks = c;
        a->used = 0;
}

void *arena_alloc(struct arena *a, size_t size) {
        assert(size <= SIZE_MAX / 2);
        size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (!a->chunks || a->chunks->size - a->used < size)
                add_chunk(a, size);
        void *p = a->chunks->data + a->used;
        a->used += size;
        return p;
}

void arena_reset(struct arena *a) {
        struct arena_chunk *older = a->chunks ? TAKE(a->chunks->next) : NULL;

        for (struct arena_chunk *c; (c = older);) {
                older = c->next;
                free(c);
        }
        a->used = 0;
}

void arena_done(struct arena *a) {
        struct arena_chunk *c;

        while ((c = a->chunks)) {
                a->chunks = c->next;
                free(c);
        }
        *a = (struct arena){ 0 };
}
