/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/rows.h - the lines of a list, made as its records come
 *
 * Of a record is kept its line and what it is sorted by, so that it can be forgotten: records are
 * ten times as long. */
#pragma once

#include "commands/fields.h"

struct rows;

/* All are borrowed.  sort by nothing: in the order in which they come.  user: of the fields. */
struct rows *rows_new(const struct format *format, const struct sort *sort, const void *user);
struct rows *rows_free(struct rows *rows); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct rows *, rows_free)
void rows_add(struct rows *rows, const void *record);
/* Sorted; equal ones as they came. */
void rows_print(struct rows *rows, FILE *out);
