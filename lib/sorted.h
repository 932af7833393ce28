/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/sorted.h - lists of a query (users, job IDs): sorted once, then searched for each record
 *
 * Both the list and the records can be very many: a linear search would cost their product. */
#pragma once

#include "lib/base.h"

/* Compares uint32_t, for qsort() and bsearch(). */
int number_compare(const void *a, const void *b);
/* Sorts in ascending order and removes duplicates. */
void sort_numbers(uint32_t *list, size_t *n);
bool sorted_has_number(const uint32_t *list, size_t n, uint32_t number);

enum name_case { EXACT_CASE, ANY_CASE }; /* must be equal for both functions */
void sort_names(char **list, size_t n, enum name_case of);
bool sorted_has_name(char *const *list, size_t n, const char *name, enum name_case of);
