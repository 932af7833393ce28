/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/countlist.h"

#include "lib/timetext.h"

#define NAMES_MAX 10000 /* per list */
#define COUNT_MAX INT32_MAX

/* A word of the text; place is its position. */
struct word {
        const char *name;
        size_t length, place;
        uint64_t count;
};

struct reading {
        const char *text;
        struct word *words;
        size_t n, allocated;
        bool layers; /* names may end in parentheses with any characters inside */
        struct fail *fail;
};

static int count_word_by_name(const void *a, const void *b) {
        const struct word *x = a, *y = b;
        int r = memcmp(x->name, y->name, MIN(x->length, y->length));

        if (r == 0)
                r = (x->length > y->length) - (x->length < y->length);
        return r ? r : (x->place > y->place) - (x->place < y->place);
}

static int count_word_by_place(const void *a, const void *b) {
        const struct word *x = a, *y = b;

        return (x->place > y->place) - (x->place < y->place);
}

/* Reads one word: "name", "name:2", "name=2". */
static int count_word_read(struct reading *r, const char *word, size_t length) {
        size_t name = 0;
        uint64_t count = 1;

        while (name < length && !strchr(":=()@| \t", word[name]) &&
                        (unsigned char)word[name] >= ' ')
                name++;
        if (r->layers && name > 0 && name < length && word[name] == '(') {
                const char *close = memchr(word + name, ')', length - name);
                name = close && close > word + name + 1 ? (size_t)(close - word) + 1 : name;
        }
        if (name == 0)
                return fail_set(r->fail, -EINVAL, "\"%.100s\": a name is expected at \"%.*s\"",
                                r->text, (int)MIN(length, (size_t)100), word);
        if (name < length) {
                _cleanup_free_ char *number = xstrndup(word + name + 1, length - name - 1);
                if ((word[name] != ':' && word[name] != '=') ||
                                uint_parse(number, 0, COUNT_MAX, &count) < 0)
                        return fail_set(r->fail, -EINVAL,
                                        "\"%.100s\": \"%.*s\" is not a name and a count up to %d",
                                        r->text, (int)MIN(length, (size_t)100), word, COUNT_MAX);
        }
        if (count == 0)
                return 0;
        GROW(r->words, r->allocated, r->n);
        r->words[r->n] = (struct word){ word, name, r->n, count };
        r->n++;
        return 0;
}

/* Returns the length up to the next separator outside parentheses. */
static size_t length_of(const struct reading *r, const char *word, const char *separators) {
        size_t length = strcspn(word, separators);
        const char *open = r->layers ? memchr(word, '(', length) : NULL;
        const char *close = open ? strchr(open, ')') : NULL;

        return close ? (size_t)(close - word) + strcspn(close, separators) : length;
}

static int count_words_read(struct reading *r, const char *separators) {
        const char *p = r->text;

        while (*p) {
                size_t length = length_of(r, p, separators);
                int e = count_word_read(r, p, length);

                if (e < 0)
                        return e;
                p += length;
                if (*p && !*++p)
                        return fail_set(r->fail, -EINVAL,
                                        "\"%.100s\": a name is expected at its end", r->text);
        }
        return 0;
}

/* Merges equal names at the place of the first and adds their counts. Sorts, because a user may
   write thousands of names. */
static int count_words_join(struct reading *r, bool any) {
        size_t n = 0;

        if (r->n > 1)
                list_sort(r->words, r->n, sizeof r->words[0], count_word_by_name);
        for (size_t i = 0, k; i < r->n; i = k) {
                struct word w = r->words[i];

                for (k = i + 1; k < r->n && r->words[k].length == w.length &&
                                memcmp(r->words[k].name, w.name, w.length) == 0;
                                k++)
                        w.count += r->words[k].count;
                if (any && k > i + 1)
                        return fail_set(r->fail, -EINVAL, "\"%.100s\": %.*s stands twice", r->text,
                                        (int)MIN(w.length, (size_t)100), w.name);
                if (w.count > COUNT_MAX)
                        return fail_set(r->fail, -ERANGE, "\"%.100s\": more than %d of %.*s",
                                        r->text, COUNT_MAX, (int)MIN(w.length, (size_t)100),
                                        w.name);
                r->words[n++] = w;
        }
        if (n > NAMES_MAX)
                return fail_set(r->fail, -E2BIG, "more than %d names", NAMES_MAX);
        if (n > 1)
                list_sort(r->words, n, sizeof r->words[0], count_word_by_place);
        r->n = n;
        return 0;
}

static struct countlist *count_words_to_list(const struct reading *r, bool any) {
        struct countlist *c = r->n ? xmalloc(sizeof *c + r->n * sizeof c->list[0]) : NULL;

        if (!c)
                return NULL;
        *c = (struct countlist){ .any = any, .n = r->n };
        for (size_t i = 0; i < r->n; i++)
                c->list[i] = (struct count){ xstrndup(r->words[i].name, r->words[i].length),
                        (uint32_t)r->words[i].count };
        return c;
}

static int countlist_parse_reading(struct reading *reading, bool may_any, struct countlist **ret) {
        const char *text = reading->text;
        struct fail *fail = reading->fail;
        bool any = may_any && strchr(text, '|');
        int r = 0;

        if (any && text[strcspn(text, ",;")])
                r = fail_set(fail, -EINVAL, "\"%.100s\": commas and \"|\" do not go together",
                                text);
        if (r >= 0)
                r = count_words_read(reading, any ? "|" : ",;");
        if (r >= 0)
                r = count_words_join(reading, any);
        if (r >= 0)
                *ret = count_words_to_list(reading, any);
        free(reading->words);
        return r;
}

int countlist_parse(const char *text, bool may_any, struct countlist **ret, struct fail *fail) {
        return countlist_parse_reading(&(struct reading){ .text = text, .fail = fail }, may_any,
                        ret);
}

int countlist_parse_layers(const char *text, struct countlist **ret, struct fail *fail) {
        return countlist_parse_reading(
                        &(struct reading){ .text = text, .layers = true, .fail = fail }, false,
                        ret);
}

static struct countlist *copy_range(const struct countlist *c, size_t from, size_t n) {
        struct countlist *to = xmalloc(sizeof *to + n * sizeof to->list[0]);

        *to = (struct countlist){ .any = c->any && n > 1, .n = n };
        for (size_t i = 0; i < n; i++)
                to->list[i] = (struct count){ xstrdup(c->list[from + i].name),
                        c->list[from + i].n };
        return to;
}

struct countlist *countlist_copy(const struct countlist *c) {
        return c ? copy_range(c, 0, c->n) : NULL;
}

struct countlist *countlist_join(struct countlist *a, struct countlist *b) {
        if (!a || !b)
                return a ? a : b;
        a = xrealloc_array(a, 1, sizeof *a + (a->n + b->n) * sizeof a->list[0]);
        memcpy(&a->list[a->n], b->list, b->n * sizeof b->list[0]);
        a->n += b->n;
        free(b);
        return a;
}

struct countlist *countlist_one(const struct countlist *c, size_t at) {
        assert(at < c->n);
        return copy_range(c, at, 1);
}

char *countlist_text(const struct countlist *c) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (size_t i = 0; c && i < c->n; i++)
                fprintf(out, "%s%s:%u",
                                i == 0   ? ""
                                : c->any ? "|"
                                         : ",",
                                c->list[i].name, c->list[i].n);
        memstream_close(out);
        return text;
}

struct countlist *countlist_free(struct countlist *c) {
        for (size_t i = 0; c && i < c->n; i++)
                free(c->list[i].name);
        free(c);
        return NULL;
}
