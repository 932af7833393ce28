/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that dominate the time of the scheduler's plan. Most x86 processors count bits by one
 * instruction, newer ones in eight words at once; compilers use neither unless told. Each loop has
 * three variants; the first call chooses. */
#include "lib/words.h"

struct way {
        size_t (*count)(const uint64_t *word, size_t n);
        size_t (*count_and)(const uint64_t *a, const uint64_t *b, size_t n);
        size_t (*meet)(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t n);
};

#define WAY(name, attributes)                                                                      \
        attributes static size_t count_##name(const uint64_t *word, size_t n) {                    \
                size_t sum = 0;                                                                    \
                for (size_t i = 0; i < n; i++)                                                     \
                        sum += (size_t)__builtin_popcountll(word[i]);                              \
                return sum;                                                                        \
        }                                                                                          \
        attributes static size_t count_and_##name(const uint64_t *a, const uint64_t *b,            \
                        size_t n) {                                                                \
                size_t sum = 0;                                                                    \
                for (size_t i = 0; i < n; i++)                                                     \
                        sum += (size_t)__builtin_popcountll(a[i] & b[i]);                          \
                return sum;                                                                        \
        }                                                                                          \
        attributes static size_t meet_##name(uint64_t *to, const uint64_t *a, const uint64_t *b,   \
                        size_t n) {                                                                \
                size_t sum = 0;                                                                    \
                for (size_t i = 0; i < n; i++) {                                                   \
                        to[i] = a[i] & b[i];                                                       \
                        sum += (size_t)__builtin_popcountll(to[i]);                                \
                }                                                                                  \
                return sum;                                                                        \
        }                                                                                          \
        static const struct way way_##name = { count_##name, count_and_##name, meet_##name };

WAY(plain, )

#ifdef __x86_64__
#include <immintrin.h>

WAY(popcnt, __attribute__((target("popcnt"))))

#define WIDE __attribute__((target("avx512f,avx512vpopcntdq")))

/* Returns the first n of eight words, the others 0. */
WIDE static __m512i words_part(const uint64_t *word, size_t n) {
        return n >= 8 ? _mm512_loadu_si512(word)
                      : _mm512_maskz_loadu_epi64((__mmask8)((1u << n) - 1), word);
}

WIDE static size_t count_wide(const uint64_t *word, size_t n) {
        __m512i sum = _mm512_setzero_si512();

        for (size_t i = 0; i < n; i += 8)
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(words_part(word + i, n - i)));
        return (size_t)_mm512_reduce_add_epi64(sum);
}

WIDE static size_t count_and_wide(const uint64_t *a, const uint64_t *b, size_t n) {
        __m512i sum = _mm512_setzero_si512();

        for (size_t i = 0; i < n; i += 8)
                sum = _mm512_add_epi64(sum,
                                _mm512_popcnt_epi64(_mm512_and_si512(words_part(a + i, n - i),
                                                words_part(b + i, n - i))));
        return (size_t)_mm512_reduce_add_epi64(sum);
}

WIDE static size_t meet_wide(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t n) {
        __m512i sum = _mm512_setzero_si512();

        for (size_t i = 0; i < n; i += 8) {
                __m512i both = _mm512_and_si512(words_part(a + i, n - i), words_part(b + i, n - i));
                if (n - i >= 8)
                        _mm512_storeu_si512(to + i, both);
                else
                        _mm512_mask_storeu_epi64(to + i, (__mmask8)((1u << (n - i)) - 1), both);
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
        }
        return (size_t)_mm512_reduce_add_epi64(sum);
}

static const struct way way_wide = { count_wide, count_and_wide, meet_wide };
#endif

static const struct way *variant_choose(void) {
#ifdef __x86_64__
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"))
                return &way_wide;
        if (__builtin_cpu_supports("popcnt"))
                return &way_popcnt;
#endif
        return &way_plain;
}

/* Returns the variant to use. A race is harmless: all threads choose equally. */
static const struct way *variant_in_use(void) {
        static const struct way *chosen;
        const struct way *w = __atomic_load_n(&chosen, __ATOMIC_RELAXED);

        if (!w) {
                w = variant_choose();
                __atomic_store_n(&chosen, w, __ATOMIC_RELAXED);
        }
        return w;
}

size_t words_count(const uint64_t *word, size_t n) {
        return variant_in_use()->count(word, n);
}

size_t words_count_and(const uint64_t *a, const uint64_t *b, size_t n) {
        return variant_in_use()->count_and(a, b, n);
}

size_t words_meet(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t n) {
        return variant_in_use()->meet(to, a, b, n);
}
