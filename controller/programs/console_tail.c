/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/programs/console_tail.h"

#define LINES 3 /* fits into a Reason and still helps */
#define ESC   0x1b

/* Returns the length of the escape sequence at the beginning of p: a CSI with parameters, or ESC
   and one byte; a truncated sequence extends to the end. */
static size_t escape_length(const char *p, size_t size) {
        size_t n = 2;

        if (size < 2 || p[1] != '[')
                return MIN(size, 2);
        while (n < size && (p[n] < 0x40 || p[n] > 0x7e) && p[n] >= ' ')
                n++;
        return n < size && p[n] >= 0x40 && p[n] <= 0x7e ? n + 1 : n;
}

static char *console_printable(const char *line, size_t size) {
        char *text = xnew(char, size + 1);
        size_t n = 0;

        for (size_t i = 0; i < size;) {
                char c = line[i];
                if (c == ESC) {
                        i += escape_length(line + i, size - i);
                        continue;
                }
                i++;
                if (c == '\t')
                        c = ' ';
                if (c < ' ' || c > '~')
                        c = '?';
                if (n && text[n - 1] == c && (c == ' ' || c == '?'))
                        continue;
                text[n++] = c;
        }
        while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '?'))
                n--;
        text[n] = '\0';
        return text;
}

static bool ends_line(char c) {
        return c == '\n' || c == '\r';
}

char *console_tail_text(const char *data, size_t size) {
        char *all = NULL;
        size_t end = size;

        for (unsigned lines = 0; lines < LINES && end > 0;) {
                size_t begin = end;
                while (begin > 0 && !ends_line(data[begin - 1]))
                        begin--;
                _cleanup_free_ char *line = console_printable(data + begin, end - begin);
                end = begin > 0 ? begin - 1 : 0;
                if (!*line)
                        continue;
                char *more = xasprintf("%s%s%s", line, all ? " | " : "", all ? all : "");
                free(all);
                all = more;
                lines++;
        }
        return all;
}
