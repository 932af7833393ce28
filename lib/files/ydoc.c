/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the nodes of a document by tables of keys. ydoc_build.c makes the nodes. */
#include "lib/files/ydoc.h"

#include "lib/files/lines.h"
#include "lib/files/ydoc_build.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

#define NAME_MOST  64
#define WORDS_MOST 4096 /* in one list of words: MAC addresses */
#define KEYS_SHOWN 320  /* maximum length of a list of known keys in a message */

/* ---- messages ---- */

static _printf_(4, 0) int ydoc_vwrong(struct ydoc *y, uint32_t line, uint32_t column,
                const char *format, va_list args) {
        _cleanup_free_ char *text = xvasprintf(format, args);
        _cleanup_free_ char *place = line ? xasprintf(" line %u column %u", line, column) : NULL;
        const char *within = strempty(y->within);

        return fail_set(y->fail, -EINVAL, "%s%s%s%s%s%s", strempty(y->file), strempty(place),
                        y->file ? ": " : "", within, *within ? ": " : "", text);
}

int ydoc_wrong(struct ydoc *y, const struct ynode *at, const char *format, ...) {
        va_list args;

        va_start(args, format);
        int e = ydoc_vwrong(y, at->line, at->column, format, args);
        va_end(args);
        return e;
}

int ydoc_wrong_at(struct ydoc *y, uint32_t line, uint32_t column, const char *format, ...) {
        va_list args;

        va_start(args, format);
        int e = ydoc_vwrong(y, line, column, format, args);
        va_end(args);
        return e;
}

/* Returns the key of the current value with ": "; "" outside maps. The caller frees. */
static char *field_prefix(const struct ydoc *y) {
        return y->field ? xasprintf("%s: ", y->field->key) : xstrdup("");
}

int ydoc_wrong_value(struct ydoc *y, const struct ynode *at, const char *expected) {
        _cleanup_free_ char *key = field_prefix(y);

        return ydoc_wrong(y, at, "%s\"%.100s\" is not %s", key, at->text, expected);
}

static int wrong_type(struct ydoc *y, const struct ynode *at, const char *expected) {
        static const char *const stands[] = { "a text", "a list", "a mapping" }, *const empty[] = {
                "nothing", "an empty list", "an empty mapping"
        };
        _cleanup_free_ char *key = field_prefix(y);

        return ydoc_wrong(y, at, "%s%s stands here, expected %s", key,
                        at->n ? stands[at->type] : empty[at->type], expected);
}

bool ydoc_continues(struct ydoc *y, int e, int *failed) {
        if (e >= 0)
                return true;
        *failed = *failed ? *failed : e;
        return y->n_faults++ < FAULTS_MAX && fail_keep(y->fail);
}

/* ---- types of values ---- */

void *ydoc_place(const struct ydoc *y, void *to) {
        return (char *)to + y->field->offset;
}

static bool is_plain_text(const struct ynode *n) {
        return n->type == YNODE_TEXT && n->n && strlen(n->text) == n->n;
}

int ydoc_text(struct ydoc *y, const struct ynode *n, const char *expected, const char **ret) {
        if (n->type != YNODE_TEXT || n->n == 0)
                return wrong_type(y, n, expected);
        if (!is_plain_text(n)) {
                _cleanup_free_ char *key = field_prefix(y);
                return ydoc_wrong(y, n, "%sa zero byte stands here, expected %s", key, expected);
        }
        *ret = n->text;
        return 0;
}

/* Reports a value that is not of its type: no text, or another text. */
static int wrong_text(struct ydoc *y, const struct ynode *n, const char *expected) {
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        return e < 0 ? e : ydoc_wrong_value(y, n, expected);
}

int ydoc_path(struct ydoc *y, const struct ynode *n, void *to) {
        const char *text = NULL;
        int e = ydoc_text(y, n, "an absolute path", &text);

        if (e >= 0 && *text != '/')
                e = ydoc_wrong_value(y, n, "an absolute path");
        if (e >= 0)
                free_and_strdup(ydoc_place(y, to), text);
        return e;
}

int ydoc_name_read(struct ydoc *y, const struct ynode *n, const char *expected, char **ret) {
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

        if (e < 0)
                return e;
        for (const char *p = text; *p; p++)
                if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
                                    *p))
                        return ydoc_wrong(y, n,
                                        "\"%.100s\" is not %s: letters, digits, \"_\", \"-\" and \".\" were expected",
                                        text, expected);
        if (n->n > NAME_MOST)
                return ydoc_wrong(y, n, "\"%.100s\" is longer than %d characters", text, NAME_MOST);
        free(*ret);
        *ret = xstrdup(text);
        return 0;
}

int ydoc_name(struct ydoc *y, const struct ynode *n, void *to) {
        return ydoc_name_read(y, n, y->field->expected, ydoc_place(y, to));
}

/* Returns "a, b or c" of "a|b|c"; the caller frees. */
static char *choice_text(const char *words) {
        const char *last = strrchr(words, '|');
        size_t n = 0;
        char *ret = NULL;

        for_each_word(w, words, "|") {
                text_add_word(&ret, last && words + n == last + 1 ? " or " : ", ", "%s", w);
                n += strlen(w) + 1;
        }
        return ret;
}

int ydoc_choice(struct ydoc *y, const struct ynode *n, void *to) {
        if (is_plain_text(n) && word_in(n->text, y->field->words)) {
                free_and_strdup(ydoc_place(y, to), n->text);
                return 0;
        }
        _cleanup_free_ char *expected = choice_text(y->field->words);
        return wrong_text(y, n, expected);
}

int ydoc_truth_read(struct ydoc *y, const struct ynode *n, bool *ret) {
        const char *text = NULL;
        int e = ydoc_text(y, n, "true or false", &text);

        if (e < 0)
                return e;
        *ret = word_in(text, "true|yes|on");
        return *ret || word_in(text, "false|no|off") ? 0 : ydoc_wrong_value(y, n, "true or false");
}

int ydoc_truth(struct ydoc *y, const struct ynode *n, void *to) {
        return ydoc_truth_read(y, n, ydoc_place(y, to));
}

int ydoc_number(struct ydoc *y, const struct ynode *n, void *to) {
        const struct ydoc_field *f = y->field;
        uint64_t v = 0;

        if (is_plain_text(n) && uint_parse(n->text, f->min, f->max, &v) >= 0) {
                *(uint32_t *)ydoc_place(y, to) = (uint32_t)v;
                return 0;
        }
        _cleanup_free_ char *range = xasprintf("a number from %llu to %llu",
                        (unsigned long long)f->min, (unsigned long long)f->max);
        return wrong_text(y, n, f->expected ? f->expected : range);
}

static int later_set(struct ydoc *y, const struct ynode *n, const char *text, void *to) {
        struct ydoc_text *place = ydoc_place(y, to);

        free_and_strdup(&place->text, text);
        place->line = n->line;
        place->column = n->column;
        return 0;
}

int ydoc_later(struct ydoc *y, const struct ynode *n, void *to) {
        const char *text = NULL;
        int e = ydoc_text(y, n, y->field->expected, &text);

        return e < 0 ? e : later_set(y, n, text, to);
}

int ydoc_words(struct ydoc *y, const struct ynode *n, void *to) {
        _cleanup_free_ char *all = NULL;
        int e = 0;

        if (n->type != YNODE_LIST)
                return ydoc_later(y, n, to);
        if (n->n > WORDS_MOST)
                return ydoc_wrong(y, n, "%s: more than %d words, expected %s", y->field->key,
                                WORDS_MOST, y->field->expected);
        for (size_t i = 0; i < n->n && e >= 0; i++) {
                const char *word = NULL;
                e = ydoc_text(y, n->items[i], y->field->expected, &word);
                if (e >= 0)
                        text_add_word(&all, ",", "%s", word);
        }
        return e < 0 ? e : later_set(y, n, strempty(all), to);
}

/* ---- lists and maps ---- */

static int wrong_list(struct ydoc *y, const struct ynode *at, const char *what) {
        _cleanup_free_ char *expected = xasprintf("a list of %s", what);

        return wrong_type(y, at, expected);
}

int ydoc_list(struct ydoc *y, const struct ynode *n, const char *what, size_t most,
                ydoc_read_t read, void *to) {
        const struct ydoc_field *field = y->field;
        int failed = 0;

        if (n->type != YNODE_LIST)
                return wrong_list(y, n, what);
        if (n->n > most)
                return ydoc_wrong(y, n, "%u %s, more than %zu", n->n, what, most);
        for (size_t i = 0; i < n->n; i++) {
                int e = read(y, n->items[i], to);
                y->field = field;
                if (!ydoc_continues(y, e, &failed))
                        break;
        }
        return failed;
}

int ydoc_items(struct ydoc *y, const struct ynode *n, void *to) {
        const struct ydoc_field *f = y->field;

        if (f->single && n->type == YNODE_TEXT)
                return f->item(y, n, to);
        if (n->type == YNODE_LIST && n->n < f->min)
                return wrong_list(y, n, f->expected);
        return ydoc_list(y, n, f->expected, f->max, f->item, to);
}

int ydoc_submap(struct ydoc *y, const struct ynode *n, void *to) {
        return ydoc_map(y, n, y->field->form, ydoc_place(y, to));
}

/* Returns " (a, b, c)", the keys of a map; "" if they are too many for a message. The caller
   frees. */
static char *form_keys(const struct ydoc_form *form) {
        _cleanup_free_ char *all = NULL;

        for (size_t i = 0; i < form->n_fields; i++)
                text_add_word(&all, ", ", "%s", form->fields[i].key);
        return strlen(strempty(all)) < KEYS_SHOWN ? xasprintf(" (%s)", strempty(all)) : xstrdup("");
}

static int read_pair(struct ydoc *y, const struct ynode *const *pair, const struct ydoc_form *form,
                uint64_t *seen, void *to) {
        const char *name = NULL;
        size_t i = 0;

        y->field = NULL;
        int e = ydoc_text(y, pair[0], "a key", &name);
        if (e < 0)
                return e;
        while (i < form->n_fields && !streq(form->fields[i].key, name))
                i++;
        if (i == form->n_fields) {
                _cleanup_free_ char *keys = form_keys(form);
                return ydoc_wrong(y, pair[0], "%.100s is not a key of %s%s", name, form->what,
                                keys);
        }
        if (*seen >> i & 1)
                return ydoc_wrong(y, pair[0], "%s stands twice", name);
        *seen |= UINT64_C(1) << i;
        y->field = &form->fields[i];
        return y->field->read(y, pair[1], to);
}

/* Checks that the needed keys of a map are present. */
static int check_needed(struct ydoc *y, const struct ynode *n, const struct ydoc_form *form,
                uint64_t seen) {
        int failed = 0;

        for (size_t i = 0; i < form->n_fields; i++)
                if (form->fields[i].needed && !(seen >> i & 1) &&
                                !ydoc_continues(y,
                                                ydoc_wrong(y, n, "%s has no %s", form->what,
                                                                form->fields[i].key),
                                                &failed))
                        break;
        return failed;
}

int ydoc_map(struct ydoc *y, const struct ynode *n, const struct ydoc_form *form, void *to) {
        const struct ydoc_field *outer = y->field;
        uint64_t seen = 0;
        int failed = 0;

        if (n->type != YNODE_MAP) {
                _cleanup_free_ char *expected = xasprintf("%s as a mapping (key: value)",
                                form->what);
                return wrong_type(y, n, expected);
        }
        for (size_t i = 0; i < n->n; i += 2)
                if (!ydoc_continues(y, read_pair(y, &n->items[i], form, &seen, to), &failed))
                        return failed;
        y->field = outer;
        /* A missing key may be one of the faulty ones, misspelt. */
        return failed ? failed : check_needed(y, n, form, seen);
}

const struct ynode *ydoc_find(const struct ynode *map, const char *key) {
        for (size_t i = 0; i < map->n; i += 2)
                if (map->items[i]->type == YNODE_TEXT && streq(map->items[i]->text, key))
                        return map->items[i];
        return NULL;
}

int ydoc_begins(struct ydoc *y, const struct ynode *n, const char *key) {
        if (n->type != YNODE_MAP || n->n == 0 || ydoc_find(n, key) == n->items[0])
                return 0; /* ydoc_map() reports the missing keys */
        return ydoc_wrong(y, n->items[0], "%s was expected as the first key", key);
}

int ydoc_read(struct ydoc *y, const char *text, size_t size, ydoc_read_t root, void *to) {
        const struct ynode *top = NULL;

        if (size > y->most)
                return fail_set(y->fail, -EFBIG, "%s: larger than %zu bytes", y->file, y->most);
        int e = ydoc_build(y, text, size, &top);
        if (e >= 0 && top && !(top->type == YNODE_TEXT && top->n == 0))
                e = root(y, top, to);
        arena_done(&y->nodes);
        return e;
}
