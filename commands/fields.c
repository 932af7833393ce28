/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists made of fields. A format is parsed once into columns; each record is a row, in which each
 * column asks its field for the text, and pads or cuts the text. A row needs no memory except a
 * field's scratch.
 *
 * Sections: members, parsing -o, parsing -O, printing, parsing -S (rows.c sorts). Widths count bytes, as in
 * Slurm. */
#include "commands/fields.h"

#include "lib/printable.h"

#include <ctype.h>
#include <stdarg.h>
#include <strings.h>

const char *scratch_printf(struct scratch *s, const char *format, ...) {
        va_list ap;
        int n;

        va_start(ap, format);
        n = vsnprintf(s->text, s->size, format, ap);
        va_end(ap);
        assert(n >= 0);
        if ((size_t)n < s->size)
                return s->text;

        s->size = (size_t)n + 64;
        s->text = xrenew(s->text, s->size);
        va_start(ap, format);
        vsnprintf(s->text, s->size, format, ap);
        va_end(ap);
        return s->text;
}

const char *scratch_number(struct scratch *s, uint64_t n) {
        enum { DIGITS = 20 };

        if (s->size <= DIGITS) {
                s->size = DIGITS + 64;
                s->text = xrenew(s->text, s->size);
        }
        char *p = s->text + DIGITS;
        *p = 0;
        do
                *--p = (char)('0' + n % 10);
        while (n /= 10);
        return p;
}

void scratch_done(struct scratch *s) {
        free(TAKE(s->text));
        s->size = 0;
}

/* ---- members ---- */

/* NULL: the record has no such struct. */
static const void *member_find(const void *record, const struct member *m) {
        const void *of = record;

        if (of && m->behind)
                memcpy(&of, (const char *)record + m->behind - 1, sizeof(void *));
        return of ? (const char *)of + m->at : NULL;
}

uint64_t member_number(const void *record, const struct member *m) {
        const void *at = member_find(record, m);

        if (!at || m->type <= MEMBER_TEXT)
                return 0;
        return m->type == MEMBER_I32   ? (uint64_t) * (const int32_t *)at
               : m->type == MEMBER_U32 ? *(const uint32_t *)at
                                       : *(const uint64_t *)at;
}

const char *member_text(const void *record, const struct member *m, struct scratch *s) {
        const void *at = member_find(record, m);

        if (m->type <= MEMBER_TEXT) {
                const char *text = at && m->type == MEMBER_TEXT ? *(const char *const *)at : NULL;
                return isempty(text) ? strempty(m->none) : text;
        }
        uint64_t n = member_number(record, m);
        if (m->none && (!at || (m->zero_is_none && n == 0)))
                return m->none;
        return m->type <= MEMBER_I64 && (int64_t)n < 0 ? scratch_printf(s, "%lld", (long long)n)
                                                       : scratch_number(s, n);
}

const char *field_text(const struct field *f, const void *record, struct scratch *s,
                const void *user) {
        return f->text ? f->text(record, &f->member, s, user) : member_text(record, &f->member, s);
}

bool field_has_number(const struct field *f) {
        return f->number || (f->member.type > MEMBER_TEXT && !f->member.zero_is_none);
}

uint64_t field_number(const struct field *f, const void *record, const void *user) {
        bool is_signed = f->member.type == MEMBER_I32 || f->member.type == MEMBER_I64;

        if (f->number)
                return f->number(record, &f->member, user);
        /* negative numbers come first */
        return member_number(record, &f->member) ^ (is_signed ? UINT64_C(1) << 63 : 0);
}

/* ---- formats ---- */

static struct column *add_column(struct format *f, const struct field *field) {
        GROW(f->columns, f->allocated, f->n_columns);
        f->columns[f->n_columns] = (struct column){ .field = field };
        return &f->columns[f->n_columns++];
}

static const struct field *find_letter(const struct field_table *table, char letter) {
        for (size_t i = 0; i < table->n_fields; i++)
                if (letter && table->fields[i].letter == letter)
                        return &table->fields[i];
        return NULL;
}

static const struct field *find_name(const struct field_table *table, const char *name, size_t n) {
        for (size_t i = 0; i < table->n_fields; i++) {
                const char *have = table->fields[i].name;

                if (have && strncasecmp(have, name, n) == 0 && have[n] == 0)
                        return &table->fields[i];
        }
        return NULL;
}

/* Parses "[.][digits]" at *p. */
static void column_parse_width(const char **p, struct column *c) {
        unsigned width = 0;

        if (**p == '.') {
                c->right = true;
                ++*p;
        }
        for (; isdigit((unsigned char)**p); ++*p)
                width = MIN(width * 10 + (unsigned)(**p - '0'), FIELD_WIDTH_MAX);
        c->width = width;
}

static void format_add_all(struct format *f, const struct field_table *table) {
        struct column *last = NULL;

        for (size_t i = 0; i < table->n_fields; i++)
                if (table->fields[i].letter) {
                        last = add_column(f, &table->fields[i]);
                        last->suffix = xstrdup("|");
                }
        if (last)
                last->suffix[0] = 0;
}

void format_parse_letters(struct format *f, const char *text, const struct field_table *table) {
        size_t n = strcspn(text, "%");

        if (n)
                add_column(f, NULL)->suffix = xstrndup(text, n);
        for (const char *p = text + n; *p == '%'; p += n) {
                const char *start = p++;
                struct column c = { 0 };

                if (strncmp(p, "all", 3) == 0) {
                        format_add_all(f, table);
                        p += 3;
                        n = strcspn(p, "%");
                        continue;
                }
                column_parse_width(&p, &c);
                c.field = find_letter(table, *p);
                n = *p ? 1 + strcspn(p + 1, "%") : 0;
                if (c.field)
                        c.suffix = xstrndup(p + 1, n - 1);
                else if (*p || p > start + 1) {
                        printable_fprintf(stderr, "%s%c\n", table->bad_letter, *p ? *p : ' ');
                        c = (struct column){ .suffix = xstrndup(start, (size_t)(p - start) + n) };
                } else
                        continue;
                *add_column(f, NULL) = c;
        }
}

void format_parse_names(struct format *f, const char *text, const struct field_table *table) {
        for (const char *p = text; *p;) {
                size_t n = strcspn(p, ","), name = MIN(strcspn(p, ":"), n);
                const struct field *field = find_name(table, p, name);

                if (n == 3 && strncasecmp(p, "all", n) == 0)
                        format_add_all(f, table);
                else if (field) {
                        struct column *c = add_column(f, field);
                        const char *rest = p + name;

                        c->width = FIELD_NAME_WIDTH;
                        if (name < n) {
                                rest++;
                                column_parse_width(&rest, c);
                        }
                        c->suffix = xstrndup(rest, (size_t)(p + n - rest));
                } else if (n)
                        printable_fprintf(stderr, "%s%.*s\n", table->bad_name, (int)n, p);
                p += n + (p[n] == ',');
        }
}

void format_done(struct format *f) {
        for (size_t i = 0; i < f->n_columns; i++)
                free(f->columns[i].suffix);
        free(f->columns);
        *f = (struct format){ 0 };
}

/* ---- printing ---- */

static char *line_room(struct line *line, size_t n) {
        if (line->n + n >= line->size) {
                line->size = 2 * (line->n + n) + 256;
                line->text = xrenew(line->text, line->size);
        }
        line->n += n;
        return line->text + line->n - n;
}

static void line_add_text(struct line *line, const char *text, size_t n) {
        memcpy(line_room(line, n), text, n);
}

static void add_cell(struct line *line, const struct column *c, const char *text, bool cut) {
        size_t n = strlen(text), fill = 0;

        if (c->width && n < c->width)
                fill = c->width - n;
        else if (c->width && cut)
                n = c->width;
        if (c->right)
                memset(line_room(line, fill), ' ', fill);
        line_add_text(line, text, n);
        if (!c->right)
                memset(line_room(line, fill), ' ', fill);
}

static void end_column(struct line *line, const struct column *c) {
        if (c->suffix)
                line_add_text(line, c->suffix, strlen(c->suffix));
}

void format_heading(const struct format *f, FILE *out) {
        struct line line = { 0 };

        for (size_t i = 0; i < f->n_columns; i++) {
                if (f->columns[i].field)
                        add_cell(&line, &f->columns[i], f->columns[i].field->heading, true);
                end_column(&line, &f->columns[i]);
        }
        line_add_text(&line, "\n", 1);
        fwrite(line.text, 1, line.n, out);
        free(line.text);
}

void format_row(const struct format *f, const void *record, const void *user, struct scratch *s,
                struct line *line) {
        for (size_t i = 0; i < f->n_columns; i++) {
                const struct column *c = &f->columns[i];

                if (c->field)
                        add_cell(line, c, field_text(c->field, record, s, user),
                                        !(c->field->flags & FIELD_UNCUT));
                end_column(line, c);
        }
        line_add_text(line, "\n", 1);
}

/* ---- sort keys ---- */

int sort_parse(struct sort *sort, const char *text, const struct field_table *table) {
        int r = 0;

        for (const char *p = text; *p;) {
                struct sort_key key = { 0 };
                size_t n;

                for (; *p == '+' || *p == '-' || *p == '#'; p++) {
                        key.down = key.down || *p == '-';
                        key.marked = key.marked || *p == '#';
                }
                n = strcspn(p, ",");
                key.field = n == 1 ? find_letter(table, *p) : find_name(table, p, n);
                if (key.field && sort->n_keys < SORT_KEYS_MAX)
                        sort->keys[sort->n_keys++] = key;
                else if (!key.field && n) {
                        printable_fprintf(stderr, "%s%.*s\n", table->bad_sort, (int)n, p);
                        r = -EINVAL;
                }
                p += n + (p[n] == ',');
        }
        return r;
}

bool fields_are_few(const struct format *f, const struct sort *sort) {
        bool few = true;

        for (size_t i = 0; i < f->n_columns; i++)
                few = few && (!f->columns[i].field || f->columns[i].field->flags & FIELD_FEW);
        for (size_t i = 0; i < sort->n_keys; i++)
                few = few && sort->keys[i].field->flags & FIELD_FEW;
        return few;
}
