/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/fields.h - tables of what a list command can print: -o "%.18i %P", -O "JobID:10,Name",
 * -S "P,-t"
 *
 * A field knows its letter, its long name, its heading, and how to get its text out of a record. */
#pragma once

#include "lib/fail.h"

/* Where a field may build its text; grows, and is used again for the next cell. */
struct scratch {
        char *text;
        size_t size;
};
const char *scratch_printf(struct scratch *s, const char *format, ...) _printf_(2, 3);
const char *scratch_number(struct scratch *s,
                uint64_t n); /* lists are full of them: printf() takes ten times as long */
void scratch_done(struct scratch *s);

/* Text of one cell: borrowed from the record or from s. */
typedef const char *field_text_t(const void *record, struct scratch *s, const void *user);
/* What to sort by where the text does not do. */
typedef uint64_t field_number_t(const void *record, const void *user);

enum field_flag {
        FIELD_UNCUT = 1,   /* a text longer than the column is printed whole (lengths of time) */
        FIELD_NATURAL = 2, /* sorts n2 before n10 */
        FIELD_MARKED = 4,  /* sorts by number only when "#" stands before it */
        FIELD_FEW = 8,     /* made of the few fields of a record that most lists do with */
};

struct field {
        char letter;         /* of -o and -S; 0 = none */
        const char *name;    /* of -O, in any case; NULL = none */
        const char *heading; /* first row */
        field_text_t *text;
        field_number_t *number;
        unsigned flags; /* enum field_flag */
};

struct field_table {
        const struct field *fields;
        size_t n_fields;
        const char *bad_letter; /* what to say before an unknown letter, and an unknown name */
        const char *bad_name;
        const char *bad_sort;
};

#define FIELD_WIDTH_MAX  4096
#define FIELD_NAME_WIDTH 20 /* -O without a width */

struct column {
        const struct field *field; /* NULL: only the suffix */
        unsigned width;            /* 0 = as long as it is */
        bool right;
        char *suffix;
};
struct format {
        struct column *columns;
        size_t n_columns, allocated;
};

struct line { /* not ended by 0; the caller frees text */
        char *text;
        size_t n, size;
};

/* Both say on stderr what they do not know and go on without it, as Slurm does. */
void format_parse_letters(struct format *f, const char *text, const struct field_table *table);
void format_parse_names(struct format *f, const char *text, const struct field_table *table);
void format_heading(const struct format *f, FILE *out);
/* Appends to line; s is for the cells. */
void format_row(const struct format *f, const void *record, const void *user, struct scratch *s,
                struct line *line);
void format_done(struct format *f);

struct sort_key {
        const struct field *field;
        bool down, marked; /* marked: "#" stood before it */
};
#define SORT_KEYS_MAX 16
struct sort {
        struct sort_key keys[SORT_KEYS_MAX];
        size_t n_keys;
};
/* -S list of letters or names, with "+", "-", "#". -EINVAL: one of them is not there, and that was
   said on stderr. */
int sort_parse(struct sort *sort, const char *text, const struct field_table *table);
/* Nothing is shown or sorted by that takes more than those few? */
bool fields_are_few(const struct format *f, const struct sort *sort);
