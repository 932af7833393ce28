/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/table.h - lists of accounts: columns of format=NAME[%WIDTH],..., padded, or separated
   by bars */
#pragma once

#include "commands/fields.h"

struct table_field {
        /* Name in format=, in any case, possibly shortened while unambiguous; also the heading */
        const char *name;
        int width; /* negative: left-aligned */
        /* heading NULL: the name; key: equal for alternative names of a field */
        const char *heading, *key;
        field_text_t *text; /* NULL: the table's value(), else member_text() */
        struct member member;
};
/* What a field of a record shows, in a table without value(). */
const char *table_field_text(const struct table_field *f, const void *record, struct scratch *s,
                const void *user);

enum table_style {
        TABLE_PADDED,   /* a text that is too long ends in "+" */
        TABLE_BARS_END, /* -p: a bar after each column */
        TABLE_BARS,     /* -P: a bar between columns */
};

struct table_column {
        const struct table_field *field;
        int width;
};
struct table {
        /* NULL: table_field_text() */
        const char *(*value)(const void *record, const struct table_field *field, struct scratch *s,
                        const void *user);
        enum table_style style;
        bool no_heading;
        /* An ambiguous beginning selects the first match (sacct) instead of an error (sacctmgr). */
        bool first_match;
        const char *delimiter; /* used instead of a bar; NULL: a bar */
        struct table_column columns[128];
        size_t n;
};

/* -EINVAL with fail set: unknown or ambiguous field, or too many columns. */
int table_parse(struct table *t, const char *format, const struct table_field *fields,
                size_t n_fields, struct fail *fail);
/* --helpformat: prints the names, four in a line. */
void table_help(const struct table_field *fields, size_t n, FILE *out);
void table_heading(const struct table *t, FILE *out);
void table_row(const struct table *t, const void *record, struct scratch *s, const void *user,
                FILE *out);
