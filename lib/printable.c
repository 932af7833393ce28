/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/printable.h"

size_t utf8_length(const char *text) {
        static const struct {
                unsigned char from, to, second_from, second_to;
                size_t length;
        } forms[] = {
                { 0x01, 0x7f, 0x00, 0xff, 1 },
                { 0xc2, 0xdf, 0x80, 0xbf, 2 },
                { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
                { 0xe1, 0xec, 0x80, 0xbf, 3 },
                { 0xed, 0xed, 0x80, 0x9f, 3 },
                { 0xee, 0xef, 0x80, 0xbf, 3 },
                { 0xf0, 0xf0, 0x90, 0xbf, 4 },
                { 0xf1, 0xf3, 0x80, 0xbf, 4 },
                { 0xf4, 0xf4, 0x80, 0x8f, 4 },
        };
        const unsigned char *s = (const unsigned char *)text;
        size_t f = 0;

        while (f < ELEMENTSOF(forms) && (s[0] < forms[f].from || s[0] > forms[f].to))
                f++;
        if (f == ELEMENTSOF(forms))
                return 0;
        if (forms[f].length > 1 && (s[1] < forms[f].second_from || s[1] > forms[f].second_to))
                return 0;
        for (size_t i = 2; i < forms[f].length; i++)
                if ((s[i] & 0xc0) != 0x80)
                        return 0;
        return forms[f].length;
}

/* True for control characters of ASCII and of Latin-1 (U+0080 to U+009F, also obeyed by terminals),
 * and characters that change text direction: embeddings and overrides U+202A to U+202E, isolates
 * U+2066 to U+2069. */
static bool is_ctrl_char(const char *s, size_t n) {
        const unsigned char *p = (const unsigned char *)s;

        if (n == 1)
                return *p < 0x20 || *p == 0x7f;
        if (n == 2)
                return p[0] == 0xc2 && p[1] < 0xa0;
        return n == 3 && p[0] == 0xe2 &&
               ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
                               (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

bool has_control(const char *text) {
        for (size_t n; *text; text += n) {
                n = utf8_length(text);
                /* A terminal in 8-bit mode obeys single bytes. */
                if (n > 0 ? is_ctrl_char(text, n) : (unsigned char)*text < 0xa0)
                        return true;
                n = MAX(n, 1u);
        }
        return false;
}

void printable_copy(char *to, size_t size, const char *from) {
        static const char digits[] = "0123456789abcdef";
        size_t used = 0;

        assert(size > 0);
        while (*from) {
                size_t n = utf8_length(from);
                bool shown = n > 0 && (*from == '\n' || *from == '\t' || !is_ctrl_char(from, n));
                if (used + (shown ? n : 4) >= size)
                        break;
                if (shown) {
                        memcpy(to + used, from, n);
                        used += n;
                        from += n;
                        continue;
                }
                const unsigned char c = (unsigned char)*from++;
                memcpy(to + used, (const char[]){ '\\', 'x', digits[c >> 4], digits[c & 15] }, 4);
                used += 4;
        }
        to[used] = 0;
}

void printable_clean(char *text) {
        while (*text) {
                if (*text >= ' ' && *text <= '~') { /* the common case */
                        text++;
                        continue;
                }
                size_t n = utf8_length(text);
                bool obeyed = n > 0 ? is_ctrl_char(text, n) && *text != '\n' && *text != '\t'
                                    : (unsigned char)*text < 0xa0;
                n = MAX(n, 1u);
                if (obeyed)
                        memset(text, '?', n);
                text += n;
        }
}

void printable_vfprintf(FILE *f, const char *format, va_list ap) {
        _cleanup_free_ char *text = xvasprintf(format, ap), *shown = NULL;
        size_t size = 4 * strlen(text) + 1;

        shown = xmalloc(size);
        printable_copy(shown, size, text);
        fputs(shown, f);
}

void printable_fprintf(FILE *f, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        printable_vfprintf(f, format, ap);
        va_end(ap);
}
