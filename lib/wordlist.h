/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/wordlist.h - texts that are lists of words: "a,b,c" */
#pragma once

#include "lib/fail.h"

/* ---- reading ---- */

struct words_reader { /* of for_each_word() alone */
        char *copy, *rest;
        bool over;
};
struct words_reader words_read(const char *text);
char *words_next(struct words_reader *reader, const char *separators);
void words_read_done(struct words_reader *reader);

/* Runs the block behind it for each word of text (NULL: none), as char *WORD in a copy, which ends
   with the loop. separators: each of these characters; there are no empty words. break, continue and
   return work as in other loops. */
#define for_each_word(word, text, separators)                                                      \
        for (_cleanup_(words_read_done) struct words_reader word##_reader = words_read(text);      \
                        !word##_reader.over; word##_reader.over = true)                            \
                for (char *word; (word = words_next(&word##_reader, separators));)

/* Returns whether word is in the list, in any case. */
bool wordlist_has(const char *text, const char *separators, const char *word);

/* Adds a copy of each word of text (NULL: none) to the list of *n texts, which texts_free() frees. */
void texts_add_words(char ***texts, size_t *n, const char *text, const char *separators);

/* ---- writing ---- */

/* Adds a word to *text, malloced or NULL, behind a separator unless the text is empty; for lists that
   are kept as a text. */
void text_add_word(char **text, const char *separator, const char *format, ...) _printf_(3, 4);

/* ---- words for bits ---- */

struct flag_word {
        const char *word;
        unsigned bits;
};

/* Adds the bits of each word of text (NULL: none), in any case, to *ret. -EINVAL: "WORD" is not one
   of..., with the table's words; *ret is unchanged. */
int flags_parse(const char *text, const char *separators, const struct flag_word *table, size_t n,
                unsigned *ret, struct fail *fail);
/* Returns the words that have a bit and no bits but those of set, in the table's order; the caller
   frees. */
char *flags_text(unsigned set, const struct flag_word *table, size_t n, const char *separator);
