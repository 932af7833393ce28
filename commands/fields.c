/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists made of fields.  A format is parsed once into columns; then every record is one row: each column asks its
 * field for the text and pads or cuts it.  Nothing is allocated per row but what a field puts into its scratch.
 *
 * The order of things: parsing -o, parsing -O, printing, sorting.  Widths count bytes, as Slurm does.
 */
#include "commands/fields.h"

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

void scratch_done(struct scratch *s) {
        free(TAKE(s->text));
        s->size = 0;
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

/* "[.][digits]" at *p. */
static void parse_width(const char **p, struct column *c) {
        unsigned width = 0;

        if (**p == '.') {
                c->right = true;
                ++*p;
        }
        for (; isdigit((unsigned char)**p); ++*p)
                width = MIN(width * 10 + (unsigned)(**p - '0'), FIELD_WIDTH_MAX);
        c->width = width;
}

static void add_all(struct format *f, const struct field_table *table) {
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
                        add_all(f, table);
                        p += 3;
                        n = strcspn(p, "%");
                        continue;
                }
                parse_width(&p, &c);
                c.field = find_letter(table, *p);
                n = *p ? 1 + strcspn(p + 1, "%") : 0;
                if (c.field)
                        c.suffix = xstrndup(p + 1, n - 1);
                else if (*p || p > start + 1) {
                        fprintf(stderr, "%s%c\n", table->bad_letter, *p ? *p : ' ');
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
                        add_all(f, table);
                else if (field) {
                        struct column *c = add_column(f, field);
                        const char *rest = p + name;

                        c->width = FIELD_NAME_WIDTH;
                        if (name < n) {
                                rest++;
                                parse_width(&rest, c);
                        }
                        c->suffix = xstrndup(rest, (size_t)(p + n - rest));
                } else if (n)
                        fprintf(stderr, "%s%.*s\n", table->bad_name, (int)n, p);
                p += n + (p[n] == ',');
        }
}

void format_done(struct format *f) {
        for (size_t i = 0; i < f->n_columns; i++)
                free(f->columns[i].suffix);
        free(f->columns);
        *f = (struct format){ 0 };
}

static void pad(size_t n, FILE *out) {
        while (n-- > 0)
                putc_unlocked(' ', out);
}

static void print_cell(const struct column *c, const char *text, bool cut, FILE *out) {
        size_t n = strlen(text), fill = 0;

        if (c->width && n < c->width)
                fill = c->width - n;
        else if (c->width && cut)
                n = c->width;
        if (c->right)
                pad(fill, out);
        fwrite_unlocked(text, 1, n, out);
        if (!c->right)
                pad(fill, out);
}

void format_heading(const struct format *f, FILE *out) {
        for (size_t i = 0; i < f->n_columns; i++) {
                const struct column *c = &f->columns[i];

                if (c->field)
                        print_cell(c, c->field->heading, true, out);
                if (c->suffix)
                        fputs_unlocked(c->suffix, out);
        }
        putc_unlocked('\n', out);
}

void format_row(const struct format *f, const void *record, const void *user, struct scratch *s,
                FILE *out) {
        for (size_t i = 0; i < f->n_columns; i++) {
                const struct column *c = &f->columns[i];

                if (c->field)
                        print_cell(c, c->field->text(record, s, user),
                                        !(c->field->flags & FIELD_UNCUT), out);
                if (c->suffix)
                        fputs_unlocked(c->suffix, out);
        }
        putc_unlocked('\n', out);
}

/* ---- sorting ---- */

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
                        fprintf(stderr, "%s%.*s\n", table->bad_sort, (int)n, p);
                        r = -EINVAL;
                }
                p += n + (p[n] == ',');
        }
        return r;
}

static int compare_key(
                struct sort *sort, const struct sort_key *key, const void *a, const void *b) {
        const struct field *f = key->field;
        const char *x, *y;

        if (f->number && (key->marked || !(f->flags & FIELD_MARKED))) {
                uint64_t n = f->number(a, sort->user), m = f->number(b, sort->user);

                return (n > m) - (n < m);
        }
        x = f->text(a, &sort->a, sort->user);
        y = f->text(b, &sort->b, sort->user);
        return f->flags & FIELD_NATURAL ? strverscmp(x, y) : strcmp(x, y);
}

static int compare_records(const void *a, const void *b, void *user) {
        struct sort *sort = user;

        for (size_t i = 0; i < sort->n_keys; i++) {
                const struct sort_key *key = &sort->keys[i];
                int r = compare_key(sort, key, *(const void *const *)a, *(const void *const *)b);

                if (r != 0)
                        return key->down ? -r : r;
        }
        return 0;
}

/* Merge sort by hand: qsort_r of glibc is stable only while memory lasts, and from 2.37 on not at all. */
static void merge(struct sort *sort, const void **records, const void **spare, size_t n) {
        size_t half = n / 2, i = 0, j = half;

        if (n < 2)
                return;
        merge(sort, records, spare, half);
        merge(sort, records + half, spare, n - half);
        if (compare_records(&records[half - 1], &records[half], sort) <= 0)
                return; /* in order already, as the controller's lists mostly are */
        memcpy(spare, records, half * sizeof *spare);
        for (size_t k = 0; i < half; k++) {
                bool second = j < n && compare_records(&records[j], &spare[i], sort) < 0;

                records[k] = second ? records[j++] : spare[i++];
        }
}

void sort_records(struct sort *sort, const void **records, size_t n) {
        _cleanup_free_ const void **spare = NULL;

        if (n < 2 || sort->n_keys == 0)
                return;
        spare = xnew(const void *, n);
        merge(sort, records, spare, n);
}

void sort_done(struct sort *sort) {
        scratch_done(&sort->a);
        scratch_done(&sort->b);
        sort->n_keys = 0;
}
