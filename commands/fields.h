/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/fields.h - tables of the fields that a list command can print: -o "%.18i %P", -O
 * "JobID:10,Name", -S "P,-t"
 *
 * A field has a letter, a long name, a heading, and what it shows: a member of the record, or the
 * text of a function. */
#pragma once

#include <stddef.h>

#include "lib/fail.h"

/* Room in which a field may build its text; reused for the next cell. */
struct scratch {
        char *text;
        size_t size;
};
const char *scratch_printf(struct scratch *s, const char *format, ...) _printf_(2, 3);
const char *scratch_number(struct scratch *s, uint64_t n); /* printf() is ten times slower */
void scratch_done(struct scratch *s);

/* A member of the record, or of a struct to which the record points. */
struct member {
        uint16_t behind; /* 1 + offset of the record's pointer to the struct; 0: the record itself */
        uint16_t at;     /* offset of the member in its struct */
        enum member_type {
                MEMBER_NONE,
                MEMBER_TEXT, /* char * */
                MEMBER_I32,  /* also a boolean of a message */
                MEMBER_I64,
                MEMBER_U32,
                MEMBER_U64,
        } type;
        unsigned detail; /* for the field's own functions */
        /* Shown for an empty text and without the struct; NULL: "", and 0 for a number. */
        const char *none;
        bool zero_is_none; /* a number of 0 is shown as none, and the field is sorted by text */
};
#define MEMBER_TYPE(of, name)                                                                      \
        _Generic(((of *)0)->name, char *: MEMBER_TEXT, int32_t: MEMBER_I32, int64_t: MEMBER_I64,   \
                        uint32_t: MEMBER_U32, uint64_t: MEMBER_U64)
/* The member of a row: a name of the record, or of the struct at the record's pointer.  Further
   arguments set values, as in .none = "N/A". */
#define MEMBER(record, name, ...)                                                                  \
        .member = { .at = offsetof(record, name), .type = MEMBER_TYPE(record, name), __VA_ARGS__ }
#define MEMBER_BEHIND(record, pointer, of, name, ...)                                              \
        .member = { .behind = 1 + offsetof(record, pointer),                                       \
                .at = offsetof(of, name),                                                          \
                .type = MEMBER_TYPE(of, name),                                                     \
                __VA_ARGS__ }
/* Returns the member's text, borrowed from the record or from s. */
const char *member_text(const void *record, const struct member *m, struct scratch *s);
/* Returns the member's number; 0 without the struct. */
uint64_t member_number(const void *record, const struct member *m);

/* Returns the text of a cell, borrowed from the record or from s. m: the row's member. */
typedef const char *field_text_t(const void *record, const struct member *m, struct scratch *s,
                const void *user);
/* Returns the number to sort by, for fields not sorted by text. */
typedef uint64_t field_number_t(const void *record, const struct member *m, const void *user);

enum field_flag {
        FIELD_UNCUT = 1,   /* a text longer than the column is printed whole (durations) */
        FIELD_NATURAL = 2, /* sorts n2 before n10 */
        FIELD_MARKED = 4,  /* sorts by number only with "#" before the field */
        FIELD_FEW = 8,     /* needs only the record's members that most lists use */
};

struct field {
        char letter;            /* letter in -o and -S; 0 = none */
        const char *name;       /* name in -O, in any case; NULL = none */
        const char *heading;    /* text in the first row */
        unsigned flags;         /* enum field_flag; from 1 << 8 on the command's own */
        field_text_t *text;     /* NULL: member_text() */
        field_number_t *number; /* NULL: sorted by the member if that is a number, else by text */
        struct member member;
};
/* What a field of a record shows, and the number to sort by if field_has_number(). */
const char *field_text(const struct field *f, const void *record, struct scratch *s,
                const void *user);
bool field_has_number(const struct field *f);
uint64_t field_number(const struct field *f, const void *record, const void *user);

struct field_table {
        const struct field *fields;
        size_t n_fields;
        const char *bad_letter; /* message before an unknown letter */
        const char *bad_name;
        const char *bad_sort;
};

#define FIELD_WIDTH_MAX  4096
#define FIELD_NAME_WIDTH 20 /* width of -O without a width */

struct column {
        const struct field *field; /* NULL: only the suffix */
        unsigned width;            /* 0 = length of the text */
        bool right;
        char *suffix;
};
struct format {
        struct column *columns;
        size_t n_columns, allocated;
};

/* A text without a terminating zero byte; the caller frees text. */
struct line {
        char *text;
        size_t n, size;
};

/* Both functions report unknown fields on stderr and ignore these, as Slurm does. */
void format_parse_letters(struct format *f, const char *text, const struct field_table *table);
void format_parse_names(struct format *f, const char *text, const struct field_table *table);
void format_heading(const struct format *f, FILE *out);
/* Appends to line; s is the cells' scratch. */
void format_row(const struct format *f, const void *record, const void *user, struct scratch *s,
                struct line *line);
void format_done(struct format *f);

struct sort_key {
        const struct field *field;
        bool down, marked; /* marked: with "#" */
};
#define SORT_KEYS_MAX 16
struct sort {
        struct sort_key keys[SORT_KEYS_MAX];
        size_t n_keys;
};
/* Parses -S, a list of letters or names with "+", "-", "#". -EINVAL: unknown fields, reported on
   stderr. */
int sort_parse(struct sort *sort, const char *text, const struct field_table *table);
/* Returns whether all columns and sort keys are FIELD_FEW. */
bool fields_are_few(const struct format *f, const struct sort *sort);
