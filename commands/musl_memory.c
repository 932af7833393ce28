/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of short commands. musl's malloc() maps memory for each size class and unmaps an empty
 * class: a dozen system calls and TLB flushes for the 50 KB that sbatch needs once. Here the first
 * pieces are cut one after the other from a static block. free() reuses a piece of the block only
 * if it is the last piece. When the block is full, musl's malloc() takes over, so a long-running
 * srun has the usual allocator.
 *
 * The linker redirects all calls of malloc() and related functions here, including calls in
 * libraries (--wrap). */
#include "commands/musl_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)256 << 10) /* unused pages are never touched */
#define HEAD  ((size_t)16)        /* size before each piece */
#define LARGE ((size_t)64 << 10)  /* larger pieces come from musl */

static _Alignas(16) char block[BLOCK];
static atomic_size_t used;

static bool piece_is_in_block(const void *p) {
        return (uintptr_t)p - (uintptr_t)block < BLOCK;
}

static size_t *piece_size(void *p) {
        return (size_t *)(void *)((char *)p - HEAD);
}

/* At least one unit, so that no piece begins at the end of the block. */
static size_t piece_round_size(size_t size) {
        return ((size ? size : 1) + HEAD - 1) & ~(HEAD - 1);
}

/* Returns the end of piece p, as an offset in the block. */
static size_t piece_end(void *p) {
        return (size_t)((char *)p - block) + *piece_size(p);
}

/* Fails if another thread was faster; the caller then uses musl's malloc(). */
static bool move_end(size_t from, size_t to) {
        return to <= BLOCK && atomic_compare_exchange_strong(&used, &from, to);
}

void *__wrap_malloc(size_t size) {
        size_t at = atomic_load_explicit(&used, memory_order_relaxed),
               whole = HEAD + piece_round_size(size);
        char *p = block + at + HEAD;

        if (size >= LARGE || !move_end(at, at + whole))
                return __real_malloc(size);
        *piece_size(p) = whole - HEAD;
        return p;
}

void *__wrap_calloc(size_t n, size_t size) {
        void *p = size && n > SIZE_MAX / size ? __real_malloc(SIZE_MAX) : __wrap_malloc(n * size);

        return p ? memset(p, 0, n * size) : NULL;
}

void __wrap_free(void *p) {
        if (!piece_is_in_block(p))
                __real_free(p);
        else
                (void)move_end(piece_end(p), (size_t)((char *)p - block) - HEAD);
}

size_t __wrap_malloc_usable_size(void *p) {
        return piece_is_in_block(p) ? *piece_size(p) : __real_malloc_usable_size(p);
}

/* Resizes the last piece in place; returns whether size fits into p. */
static bool piece_resize(void *p, size_t size) {
        if (size < LARGE && move_end(piece_end(p),
                                            (size_t)((char *)p - block) + piece_round_size(size)))
                *piece_size(p) = piece_round_size(size);
        return size <= *piece_size(p);
}

void *__wrap_realloc(void *old, size_t size) {
        void *p;

        if (!old)
                return __wrap_malloc(size);
        if (!piece_is_in_block(old))
                return __real_realloc(old, size);
        if (piece_resize(old, size))
                return old;
        p = __wrap_malloc(size);
        if (!p)
                return NULL;
        memcpy(p, old, *piece_size(old));
        __wrap_free(old);
        return p;
}
