/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/rows.h - lines of a list, made as records arrive
 *
 * Only a record's line and sort keys are kept: records are ten times as large. */
#pragma once

#include "commands/fields.h"

struct rows;

/* Arguments are borrowed. sort without keys: order of arrival. user: passed to the fields. */
struct rows *rows_new(const struct format *format, const struct sort *sort, const void *user);
struct rows *rows_free(struct rows *rows); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct rows *, rows_free)
void rows_add(struct rows *rows, const void *record);
/* Prints rows sorted; equal rows in order of arrival. */
void rows_print(struct rows *rows, FILE *out);
