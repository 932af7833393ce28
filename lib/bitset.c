/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/bitset.h"

#include "lib/words.h"

struct bitset *bitset_new(size_t bits) {
        size_t words = (bits + 63) / 64;
        struct bitset *b = xcalloc(1, sizeof *b + words * sizeof b->word[0]);

        b->bits = bits;
        b->words = words;
        return b;
}

struct bitset *bitset_copy(const struct bitset *b) {
        struct bitset *copy = bitset_new(b->bits);

        memcpy(copy->word, b->word, b->words * sizeof b->word[0]);
        return copy;
}

struct bitset *bitset_free(struct bitset *b) {
        free(b);
        return NULL;
}

void bitset_add_range(struct bitset *b, size_t from, size_t n) {
        assert(from + n <= b->bits);
        for (size_t i = from, end = from + n; i < end;) {
                size_t some = MIN(64 - i % 64, end - i);
                b->word[i / 64] |= UINT64_MAX >> (64 - some) << (i % 64);
                i += some;
        }
}

void bitset_add_steps(struct bitset *b, size_t from, size_t last, size_t step) {
        uint64_t pattern = 0;

        assert(step > 0 && last < b->bits);
        for (size_t i = 0; i < 64; i += step)
                pattern |= UINT64_C(1) << i;
        for (size_t i = from; i <= last;) {
                size_t after = MIN(63 - i % 64, last - i); /* bits of the current word after i */
                b->word[i / 64] |= (pattern & UINT64_MAX >> (63 - after)) << (i % 64);
                i += (after / step + 1) * step;
        }
}

void bitset_clear(struct bitset *b) {
        memset(b->word, 0, b->words * sizeof b->word[0]);
}

void bitset_fill(struct bitset *b) {
        memset(b->word, 0xff, b->words * sizeof b->word[0]);
        if (b->bits % 64)
                b->word[b->words - 1] = (UINT64_C(1) << (b->bits % 64)) - 1;
}

size_t bitset_count(const struct bitset *b) {
        return words_count(b->word, b->words);
}

size_t bitset_count_below(const struct bitset *b, size_t i) {
        size_t n = words_count(b->word, i / 64);

        assert(i <= b->bits);
        if (i % 64)
                n += (size_t)__builtin_popcountll(b->word[i / 64] & (UINT64_MAX >> (64 - i % 64)));
        return n;
}

bool bitset_empty(const struct bitset *b) {
        for (size_t i = 0; i < b->words; i++)
                if (b->word[i])
                        return false;
        return true;
}

void bitset_and(struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        for (size_t i = 0; i < a->words; i++)
                a->word[i] &= b->word[i];
}

void bitset_or(struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        for (size_t i = 0; i < a->words; i++)
                a->word[i] |= b->word[i];
}

void bitset_minus(struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        for (size_t i = 0; i < a->words; i++)
                a->word[i] &= ~b->word[i];
}

void bitset_assign(struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        memcpy(a->word, b->word, a->words * sizeof a->word[0]);
}

bool bitset_overlaps(const struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        for (size_t i = 0; i < a->words; i++)
                if (a->word[i] & b->word[i])
                        return true;
        return false;
}

bool bitset_contains(const struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        for (size_t i = 0; i < a->words; i++)
                if (b->word[i] & ~a->word[i])
                        return false;
        return true;
}

bool bitset_equal(const struct bitset *a, const struct bitset *b) {
        return a->bits == b->bits && memcmp(a->word, b->word, a->words * sizeof a->word[0]) == 0;
}

size_t bitset_count_and(const struct bitset *a, const struct bitset *b) {
        assert(a->bits == b->bits);
        return words_count_and(a->word, b->word, a->words);
}

/* Returns 64 bits of b starting at bit from; bits beyond the set are 0. */
static uint64_t word_from(const struct bitset *b, size_t from) {
        size_t w = from / 64, shift = from % 64;
        uint64_t v = b->word[w] >> shift;

        return shift && w + 1 < b->words ? v | b->word[w + 1] << (64 - shift) : v;
}

static uint64_t first_bits(size_t n) {
        return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

void bitset_or_part(struct bitset *a, const struct bitset *b, size_t from) {
        assert(from + a->bits <= b->bits);
        for (size_t i = 0; i < a->bits; i += 64)
                a->word[i / 64] |= word_from(b, from + i) & first_bits(a->bits - i);
}

bool bitset_parts_overlap(const struct bitset *a, size_t a_from, const struct bitset *b,
                size_t b_from, size_t n) {
        assert(a_from + n <= a->bits && b_from + n <= b->bits);
        for (size_t i = 0; i < n; i += 64)
                if (word_from(a, a_from + i) & word_from(b, b_from + i) & first_bits(n - i))
                        return true;
        return false;
}

/* Writes into a plain buffer, not a stream: the record of one large job needs thousands of
   texts. */
char *bitset_text(const struct bitset *b) {
        size_t length = 0, allocated = 24;
        char *text = xmalloc(allocated);

        *text = 0;
        for (size_t i = bitset_next(b, 0); i != SIZE_MAX;) {
                char part[48];
                size_t end = i;
                while (end + 1 < b->bits && bitset_has(b, end + 1))
                        end++;
                int n = snprintf(part, sizeof part, end > i ? "%s%zu-%zu" : "%s%zu",
                                length ? "," : "", i, end);
                if (length + (size_t)n >= allocated)
                        text = xrenew(text, allocated = 2 * allocated + (size_t)n);
                memcpy(text + length, part, (size_t)n + 1);
                length += (size_t)n;
                i = bitset_next(b, end + 1);
        }
        return text;
}

static int range_number_parse(const char **text, size_t limit, size_t *ret) {
        char *end;

        if (**text < '0' || **text > '9')
                return -EINVAL;
        errno = 0;
        unsigned long v = strtoul(*text, &end, 10);
        if (errno || v >= limit)
                return -EINVAL;
        *text = end;
        *ret = v;
        return 0;
}

int bitset_parse(struct bitset *b, const char *text) {
        while (*text) {
                size_t from, to;

                if (range_number_parse(&text, b->bits, &from) < 0)
                        return -EINVAL;
                to = from;
                if (*text == '-') {
                        text++;
                        if (range_number_parse(&text, b->bits, &to) < 0 || to < from)
                                return -EINVAL;
                }
                bitset_add_range(b, from, to - from + 1);
                if (*text == ',' && text[1])
                        text++;
                else if (*text)
                        return -EINVAL;
        }
        return 0;
}
