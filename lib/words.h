/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/words.h - sets as arrays of words, by whatever instructions the processor has */
#pragma once

#include "lib/base.h"

/* How many bits are set. */
size_t words_count(const uint64_t *word, size_t n);
/* How many are set in both. */
size_t words_count_and(const uint64_t *a, const uint64_t *b, size_t n);
/* to = a and b, and how many are set in it; to may be one of them. */
size_t words_meet(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t n);
