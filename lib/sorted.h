/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/sorted.h - lists that a question chooses by: put in order once, then looked up in for each
 * record
 *
 * Users may name very many, and the records are very many: to go through the list for each would
 * take their product. */
#pragma once

#include "lib/base.h"

/* Ascending, each once. */
void sort_numbers(uint32_t *list, size_t *n);
bool sorted_has_number(const uint32_t *list, size_t n, uint32_t number);

enum name_case { EXACT_CASE, ANY_CASE }; /* the same for both functions */
void sort_names(char **list, size_t n, enum name_case of);
bool sorted_has_name(char *const *list, size_t n, const char *name, enum name_case of);
