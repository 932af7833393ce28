/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/rows.h - the lines of a list, made as its records come
 *
 * Of a record is kept its line and what it is sorted by, so that it can be forgotten: records are
 * ten times as long. */
#pragma once

#include "commands/fields.h"
#include "lib/arena.h"

struct rows {
        const struct format *format;
        const struct sort *sort; /* by nothing: in the order in which they come */
        const void *user;        /* of the fields */
        struct row **list;
        size_t n, allocated;
        struct arena arena;
        struct scratch cell;
        struct line line;
};

void rows_add(struct rows *rows, const void *record);
/* Sorted; equal ones as they came. */
void rows_print(struct rows *rows, FILE *out);
void rows_done(struct rows *rows);
