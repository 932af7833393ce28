/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/rows.h"

#include "lib/arena.h"

union key {
        uint64_t number;
        const char *text;
};
struct row {
        const char *text;
        size_t n;
        union key keys[]; /* values of the sort keys */
};

struct rows {
        const struct format *format;
        const struct sort *sort;
        const void *user;
        struct row **list;
        size_t n, allocated;
        struct arena arena;
        struct scratch cell;
        struct line line;
};

struct rows *rows_new(const struct format *format, const struct sort *sort, const void *user) {
        struct rows *rows = xnew0(struct rows, 1);

        rows->format = format;
        rows->sort = sort;
        rows->user = user;
        return rows;
}

struct rows *rows_free(struct rows *rows) {
        if (!rows)
                return NULL;
        arena_done(&rows->arena);
        scratch_done(&rows->cell);
        free(rows->line.text);
        free(rows->list);
        free(rows);
        return NULL;
}

static bool sort_key_is_number(const struct sort_key *key) {
        return field_has_number(key->field) && (key->marked || !(key->field->flags & FIELD_MARKED));
}

static char *rows_copy_text(struct rows *rows, const char *text, size_t n) {
        return memcpy(arena_alloc(&rows->arena, n), text, n);
}

/* Neighbours often have an equal partition or state: equal texts are stored once. */
static const char *keep_key(struct rows *rows, const char *text, size_t i) {
        const char *before = rows->n ? rows->list[rows->n - 1]->keys[i].text : NULL;

        return before && streq(before, text) ? before
                                             : rows_copy_text(rows, text, strlen(text) + 1);
}

void rows_add(struct rows *rows, const void *record) {
        size_t n_keys = rows->sort->n_keys;
        struct row *row = arena_alloc(&rows->arena, sizeof *row + n_keys * sizeof *row->keys);

        rows->line.n = 0;
        format_row(rows->format, record, rows->user, &rows->cell, &rows->line);
        row->n = rows->line.n;
        row->text = rows_copy_text(rows, rows->line.text, row->n);
        for (size_t i = 0; i < n_keys; i++) {
                const struct sort_key *key = &rows->sort->keys[i];
                if (sort_key_is_number(key))
                        row->keys[i].number = field_number(key->field, record, rows->user);
                else
                        row->keys[i].text = keep_key(rows,
                                        field_text(key->field, record, &rows->cell, rows->user), i);
        }
        GROW(rows->list, rows->allocated, rows->n);
        rows->list[rows->n++] = row;
}

static int compare_key(const struct sort_key *key, const union key *a, const union key *b) {
        if (sort_key_is_number(key))
                return (a->number > b->number) - (a->number < b->number);
        if (a->text == b->text)
                return 0;
        return key->field->flags & FIELD_NATURAL ? strverscmp(a->text, b->text)
                                                 : strcmp(a->text, b->text);
}

static int rows_compare(const struct sort *sort, const struct row *a, const struct row *b) {
        for (size_t i = 0; i < sort->n_keys; i++) {
                int r = compare_key(&sort->keys[i], &a->keys[i], &b->keys[i]);

                if (r != 0)
                        return sort->keys[i].down ? -r : r;
        }
        return 0;
}

/* Merge sort, as glibc's qsort_r is stable only with enough memory, and from 2.37 on not at all. */
static void rows_merge_sort(const struct sort *sort, struct row **list, struct row **spare,
                size_t n) {
        size_t half = n / 2, i = 0, j = half;

        if (n < 2)
                return;
        rows_merge_sort(sort, list, spare, half);
        rows_merge_sort(sort, list + half, spare, n - half);
        if (rows_compare(sort, list[half - 1], list[half]) <= 0)
                return; /* sorted already, as most lists of the controller */
        memcpy(spare, list, half * sizeof(struct row *));
        for (size_t k = 0; i < half; k++) {
                bool second = j < n && rows_compare(sort, list[j], spare[i]) < 0;

                list[k] = second ? list[j++] : spare[i++];
        }
}

void rows_print(struct rows *rows, FILE *out) {
        _cleanup_free_ struct row **spare = xnew(struct row *, rows->n / 2 + 1);

        if (rows->sort->n_keys > 0)
                rows_merge_sort(rows->sort, rows->list, spare, rows->n);
        for (size_t i = 0; i < rows->n; i++)
                fwrite_unlocked(rows->list[i]->text, 1, rows->list[i]->n, out);
}
