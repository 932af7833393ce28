/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/table.h - lists of the accounts: columns of format=NAME[%WIDTH],..., padded, or with
   bars between them */
#pragma once

#include "commands/fields.h"

struct table_field {
        /* of format=, in any case, as short as it is the only one, or the others go on with it; and
           the heading */
        const char *name;
        int width;          /* below 0: to the left */
        field_text_t *text; /* NULL: the table's value() */
        /* NULL: the name; rows with the same key are spellings of one field */
        const char *heading, *key;
};

enum table_style {
        TABLE_PADDED,   /* a text that is too long ends in "+" */
        TABLE_BARS_END, /* -p: a bar behind each */
        TABLE_BARS,     /* -P: a bar between */
};

struct table_column {
        const struct table_field *field;
        int width;
};
struct table {
        const char *(*value)(const void *record, const struct table_field *field, struct scratch *s,
                        const void *user);
        enum table_style style;
        bool no_heading;
        /* a beginning that several names have means the first of them (sacct), and is not refused
           (sacctmgr) */
        bool first_match;
        const char *delimiter; /* instead of a bar; NULL: that */
        struct table_column columns[128];
        size_t n;
};

/* -EINVAL with a sentence: there is no such field, or several, or too many columns. */
int table_parse(struct table *t, const char *format, const struct table_field *fields,
                size_t n_fields, struct fail *fail);
/* --helpformat: the names, four in a line. */
void table_help(const struct table_field *fields, size_t n, FILE *out);
void table_heading(const struct table *t, FILE *out);
void table_row(const struct table *t, const void *record, struct scratch *s, const void *user,
                FILE *out);
