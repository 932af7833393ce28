/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/fold.h"

#define COLUMN_MAX 40 /* maximum start of a second column */
#define FURTHER    2

static size_t spaces_count(const char *p, size_t n) {
        size_t k = 0;

        while (k < n && p[k] == ' ')
                k++;
        return k;
}

/* Returns the indentation of the continuation of a line of n bytes. */
static size_t indent_of(const char *line, size_t n) {
        static const char usage[] = "Usage: ";
        size_t first = spaces_count(line, n);

        if (n > strlen(usage) && strncmp(line, usage, strlen(usage)) == 0)
                return strlen(usage);
        for (size_t i = first; i + 1 < n && i < COLUMN_MAX; i++)
                if (line[i] == ' ' && line[i + 1] == ' ')
                        return i + spaces_count(line + i, n - i);
        return first && first < COLUMN_MAX / 2 ? first + FURTHER : first;
}

/* Returns the length of the first part of a line of n bytes: up to a space within room, or up to
   the end of the first word after from. */
static size_t break_at(const char *line, size_t n, size_t from, size_t room) {
        size_t at = MIN(n, room);

        while (at > from && at < n && line[at] != ' ')
                at--;
        if (at > from || at == n)
                return at;
        for (at = from + spaces_count(line + from, n - from); at < n && line[at] != ' ';)
                at++;
        return at;
}

static void fold_line(FILE *out, const char *line, size_t n) {
        size_t indent = n > FOLD_WIDTH ? indent_of(line, n) : 0, from = indent;

        for (size_t room = FOLD_WIDTH; n > room; room = FOLD_WIDTH - indent) {
                size_t at = break_at(line, n, from, room);

                fprintf(out, "%.*s\n", (int)at, line);
                at += spaces_count(line + at, n - at);
                line += at;
                n -= at;
                if (n == 0)
                        return;
                fprintf(out, "%*s", (int)indent, "");
                from = 0;
        }
        fprintf(out, "%.*s\n", (int)n, line);
}

void fold_text(FILE *out, const char *text) {
        while (*text) {
                size_t n = strcspn(text, "\n");

                fold_line(out, text, n);
                text += n + (text[n] == '\n');
        }
}
