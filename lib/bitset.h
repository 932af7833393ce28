/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/bitset.h - dense set of small numbers (nodes, cores); the size is fixed by bitset_new() */
#pragma once

#include "lib/base.h"

struct bitset {
        size_t bits;
        size_t words;
        uint64_t word[];
};

struct bitset *bitset_new(size_t bits); /* empty */
struct bitset *bitset_copy(const struct bitset *b);
struct bitset *bitset_free(struct bitset *b); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct bitset *, bitset_free)

static inline bool bitset_has(const struct bitset *b, size_t i) {
        assert(i < b->bits);
        return b->word[i / 64] >> (i % 64) & 1;
}
static inline void bitset_add(struct bitset *b, size_t i) {
        assert(i < b->bits);
        b->word[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline void bitset_del(struct bitset *b, size_t i) {
        assert(i < b->bits);
        b->word[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static inline void bitset_put(struct bitset *b, size_t i, bool on) {
        if (on)
                bitset_add(b, i);
        else
                bitset_del(b, i);
}
void bitset_add_range(struct bitset *b, size_t from, size_t n);
/* Adds from, from + step and so on, up to last (last itself only if reached). */
void bitset_add_steps(struct bitset *b, size_t from, size_t last, size_t step);
void bitset_clear(struct bitset *b);
void bitset_fill(struct bitset *b);
size_t bitset_count(const struct bitset *b);
size_t bitset_count_below(const struct bitset *b, size_t i); /* members less than i */
bool bitset_empty(const struct bitset *b);
/* Both sets of the functions below have equal sizes; the first set is changed. */
void bitset_and(struct bitset *a, const struct bitset *b);
void bitset_or(struct bitset *a, const struct bitset *b);
void bitset_minus(struct bitset *a, const struct bitset *b);
void bitset_assign(struct bitset *a, const struct bitset *b);
bool bitset_overlaps(const struct bitset *a, const struct bitset *b);
bool bitset_contains(const struct bitset *a, const struct bitset *b); /* b is part of a */
bool bitset_equal(const struct bitset *a, const struct bitset *b);
size_t bitset_count_and(const struct bitset *a, const struct bitset *b);
/* Adds bits from to from + a->bits - 1 of b to a, shifted to 0; from + a->bits <= b->bits. */
void bitset_or_part(struct bitset *a, const struct bitset *b, size_t from);
/* True if, for some i < n, bit a_from + i of a and bit b_from + i of b are both set. */
bool bitset_parts_overlap(const struct bitset *a, size_t a_from, const struct bitset *b,
                size_t b_from, size_t n);
/* Returns the first member at or after from; SIZE_MAX if none. */
static inline size_t bitset_next(const struct bitset *b, size_t from) {
        if (from >= b->bits)
                return SIZE_MAX;

        size_t w = from / 64;
        uint64_t v = b->word[w] & (UINT64_MAX << (from % 64));
        while (!v) {
                if (++w == b->words)
                        return SIZE_MAX;
                v = b->word[w];
        }
        return w * 64 + (size_t)__builtin_ctzll(v);
}
#define bitset_for_each(i, b)                                                                      \
        for (size_t i = bitset_next((b), 0); i != SIZE_MAX; i = bitset_next((b), i + 1))
/* Text as "0-3,6"; the caller frees. bitset_parse() adds the numbers of such a text; -EINVAL: bad
   text or a number beyond the set. */
char *bitset_text(const struct bitset *b);
int bitset_parse(struct bitset *b, const char *text);
