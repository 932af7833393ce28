/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/wordlist.h"

#include <strings.h>

struct words_reader words_read(const char *text) {
        char *copy = text && *text ? xstrdup(text) : NULL;

        return (struct words_reader){ .copy = copy, .rest = copy };
}

char *words_next(struct words_reader *reader, const char *separators) {
        return reader->copy ? strtok_r(NULL, separators, &reader->rest) : NULL;
}

void words_read_done(struct words_reader *reader) {
        free(reader->copy);
}

bool wordlist_has(const char *text, const char *separators, const char *word) {
        for_each_word(w, text, separators)
                if (strcasecmp(w, word) == 0)
                        return true;
        return false;
}

void texts_add_words(char ***texts, size_t *n, const char *text, const char *separators) {
        for_each_word(w, text, separators) {
                *texts = xrenew(*texts, *n + 1);
                (*texts)[(*n)++] = xstrdup(w);
        }
}

void text_add_word(char **text, const char *separator, const char *format, ...) {
        size_t length = strlen(strempty(*text));
        va_list args;

        va_start(args, format);
        _cleanup_free_ char *word = xvasprintf(format, args);
        va_end(args);
        const char *before = length ? separator : "";
        size_t n = strlen(before), m = strlen(word);
        *text = xrenew(*text, length + n + m + 1);
        memcpy(*text + length, before, n);
        memcpy(*text + length + n, word, m + 1);
}

/* Returns "A, B and C"; the caller frees. */
static char *flags_sentence(const struct flag_word *table, size_t n) {
        char *text = NULL;

        for (size_t i = 0; i < n; i++)
                text_add_word(&text, i + 1 < n ? ", " : " and ", "%s", table[i].word);
        return text;
}

int flags_parse(const char *text, const char *separators, const struct flag_word *table, size_t n,
                unsigned *ret, struct fail *fail) {
        unsigned set = *ret;

        for_each_word(w, text, separators) {
                size_t i = 0;

                while (i < n && strcasecmp(table[i].word, w) != 0)
                        i++;
                if (i == n) {
                        _cleanup_free_ char *words = flags_sentence(table, n);
                        return fail_set(fail, -EINVAL, "\"%.100s\" is not one of %s", w, words);
                }
                set |= table[i].bits;
        }
        *ret = set;
        return 0;
}

char *flags_text(unsigned set, const struct flag_word *table, size_t n, const char *separator) {
        char *text = xstrdup("");

        for (size_t i = 0; i < n; i++)
                if (table[i].bits && (table[i].bits & set) == table[i].bits)
                        text_add_word(&text, separator, "%s", table[i].word);
        return text;
}
