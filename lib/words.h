/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/words.h - bit sets as arrays of words, by the best instructions of the processor */
#pragma once

#include "lib/base.h"

/* Returns the number of bits set. */
size_t words_count(const uint64_t *word, size_t n);
/* Returns the number of bits set in both. */
size_t words_count_and(const uint64_t *a, const uint64_t *b, size_t n);
/* Sets to = a and b and returns the number of bits set; to may be a or b. */
size_t words_meet(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t n);
