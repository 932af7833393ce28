/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/table.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

#define WIDTH_MAX 4096

static bool field_begins(const struct table_field *f, const char *with, size_t length) {
        return strncasecmp(f->name, with, length) == 0;
}

static bool fields_are_same(const struct table_field *a, const struct table_field *b) {
        return a == b || (a->key && b->key && streq(a->key, b->key));
}

static const struct table_field *find_first(const struct table_field *fields, size_t n,
                const char *name, size_t length) {
        for (size_t i = 0; i < n; i++)
                if (field_begins(&fields[i], name, length))
                        return &fields[i];
        return NULL;
}

/* Finds a full name, or an unambiguous beginning. A beginning is also unambiguous if all other
   matches continue the shortest match: "maxj" is MaxJobs, not MaxJobsAccrue. */
static const struct table_field *find_only(const struct table_field *fields, size_t n,
                const char *name, size_t length, bool *ret_several) {
        const struct table_field *found = NULL;

        for (size_t i = 0; i < n; i++)
                if (field_begins(&fields[i], name, length) &&
                                (!found || strlen(fields[i].name) < strlen(found->name)))
                        found = &fields[i];
        for (size_t i = 0; i < n && found && found->name[length]; i++)
                *ret_several |= field_begins(&fields[i], name, length) &&
                                !fields_are_same(&fields[i], found) &&
                                !field_begins(&fields[i], found->name, strlen(found->name));
        return *ret_several ? NULL : found;
}

/* Parses "20" or "-20". */
static int field_parse_width(const char *text, int *ret) {
        uint64_t v;
        bool left = *text == '-';

        if (uint_parse(text + left, 1, WIDTH_MAX, &v) < 0)
                return -EINVAL;
        *ret = left ? -(int)v : (int)v;
        return 0;
}

static int table_add_column(struct table *t, const char *word, const struct table_field *fields,
                size_t n_fields, struct fail *fail) {
        size_t length = strcspn(word, "%");
        const struct table_field *field = NULL;
        bool several = false;

        if (length)
                field = t->first_match ? find_first(fields, n_fields, word, length)
                                       : find_only(fields, n_fields, word, length, &several);
        if (!field)
                return fail_set(fail, -EINVAL, "%s field \"%.*s\"",
                                several ? "Ambiguous" : "Unknown", (int)length, word);
        if (t->n == ELEMENTSOF(t->columns))
                return fail_set(fail, -EINVAL, "format= has more than %zu fields",
                                ELEMENTSOF(t->columns));
        struct table_column *c = &t->columns[t->n++];
        *c = (struct table_column){ field, field->width };
        if (word[length] && field_parse_width(word + length + 1, &c->width) < 0)
                return fail_set(fail, -EINVAL, "\"%s\" is not a width", word + length + 1);
        return 0;
}

int table_parse(struct table *t, const char *format, const struct table_field *fields,
                size_t n_fields, struct fail *fail) {
        int r;

        t->n = 0;
        for_each_word(w, format, ",")
                if ((r = table_add_column(t, w, fields, n_fields, fail)) < 0)
                        return r;
        return t->n ? 0 : fail_set(fail, -EINVAL, "format= names no field");
}

static void cell_print_padded(const char *text, int width, FILE *out) {
        size_t room = (size_t)abs(width);

        if (strlen(text) > room)
                fprintf(out, "%.*s+ ", (int)room - 1, text);
        else
                fprintf(out, "%*s ", width, text);
}

static void cell_print_bars(const struct table *t, size_t i, const char *text, FILE *out) {
        fprintf(out, "%s%s", text,
                        t->style == TABLE_BARS && i + 1 == t->n ? ""
                        : t->delimiter                          ? t->delimiter
                                                                : "|");
}

static void cell_print(const struct table *t, size_t i, const char *text, FILE *out) {
        if (t->style == TABLE_PADDED)
                cell_print_padded(text, t->columns[i].width, out);
        else
                cell_print_bars(t, i, text, out);
}

/* A heading is cut without "+". */
static void heading_print(const struct table *t, size_t i, FILE *out) {
        const struct table_field *f = t->columns[i].field;
        const char *text = f->heading ? f->heading : f->name;
        int width = t->columns[i].width;

        if (t->style == TABLE_PADDED)
                fprintf(out, "%*.*s ", width, abs(width), text);
        else
                cell_print_bars(t, i, text, out);
}

void table_help(const struct table_field *fields, size_t n, FILE *out) {
        for (size_t i = 0; i < n; i++)
                fprintf(out, "%-19s%s", fields[i].name, (i + 1) % 4 == 0 ? "\n" : " ");
        if (n % 4)
                fputc('\n', out);
}

void table_heading(const struct table *t, FILE *out) {
        if (t->no_heading)
                return;
        for (size_t i = 0; i < t->n; i++)
                heading_print(t, i, out);
        putc('\n', out);
        if (t->style != TABLE_PADDED)
                return;
        for (size_t i = 0; i < t->n; i++) {
                for (int k = 0; k < abs(t->columns[i].width); k++)
                        putc('-', out);
                putc(' ', out);
        }
        putc('\n', out);
}

const char *table_field_text(const struct table_field *f, const void *record, struct scratch *s,
                const void *user) {
        return f->text ? f->text(record, &f->member, s, user) : member_text(record, &f->member, s);
}

void table_row(const struct table *t, const void *record, struct scratch *s, const void *user,
                FILE *out) {
        for (size_t i = 0; i < t->n; i++) {
                const struct table_field *f = t->columns[i].field;
                cell_print(t, i,
                                t->value ? t->value(record, f, s, user)
                                         : table_field_text(f, record, s, user),
                                out);
        }
        putc('\n', out);
}
