/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/gres.h"

#include "lib/timetext.h"

#include <ctype.h>

#define ITEMS_MAX 100 /* items of one list: every node is checked for every item */
#define COUNT_MAX INT64_MAX

struct word { /* a piece of text */
        const char *at;
        size_t n;
};

struct reader {
        const char *text;
        enum gres_text kind;
        struct fail *fail;
};

static int gres_word_wrong(const struct reader *r, struct word w, const char *what) {
        return fail_set(r->fail, -EINVAL, "\"%.100s\": \"%.*s\" %s", r->text,
                        (int)MIN(w.n, (size_t)100), w.at, what);
}

/* Returns the text up to the next comma outside parentheses. */
static struct word gres_next_item(const char *p) {
        size_t n = 0;

        for (bool inside = false; p[n] && (inside || p[n] != ','); n++)
                inside = p[n] == '(' ? true : p[n] == ')' ? false : inside;
        return (struct word){ p, n };
}

static bool is_count(struct word w) {
        size_t digits = 0;

        while (digits < w.n && isdigit((unsigned char)w.at[digits]))
                digits++;
        return digits > 0 &&
               (digits == w.n || (digits + 1 == w.n && strchr("KkMmGgTt", w.at[digits])));
}

static bool gres_word_is_name(struct word w) {
        for (size_t i = 0; i < w.n; i++)
                if (!isalnum((unsigned char)w.at[i]) && !strchr("_.-", w.at[i]))
                        return false;
        return w.n > 0;
}

static int gres_count_read(const struct reader *r, struct word w, uint64_t *ret) {
        static const char units[] = "kmgt";
        char last = (char)tolower((unsigned char)w.at[w.n - 1]);
        const char *unit = isdigit((unsigned char)last) ? NULL : strchr(units, last);
        _cleanup_free_ char *digits = xstrndup(w.at, unit ? w.n - 1 : w.n);
        uint64_t count;

        if (uint_parse(digits, 0, COUNT_MAX, &count) < 0)
                return gres_word_wrong(r, w, "is too large a count");
        for (const char *u = units; unit && u <= unit; u++) {
                if (count > COUNT_MAX / 1024)
                        return gres_word_wrong(r, w, "is too large a count");
                count *= 1024;
        }
        *ret = count;
        return 0;
}

/* Reads "(S:0-1)" of a node's gres, "(IDX:0,2)" of a job's. */
static int read_bracket(const struct reader *r, struct word w, struct gres_item *item) {
        const char *key = r->kind == GRES_CONFIGURED ? "S:" : "IDX:";
        size_t n = strlen(key), digits = 0;

        if (r->kind == GRES_ASKED || w.n < n + 3 || w.at[w.n - 1] != ')' ||
                        strncmp(w.at + 1, key, n) != 0)
                return gres_word_wrong(r, w, "is not understood");
        while (strchr("0123456789,-", w.at[1 + n + digits]) && digits < w.n)
                digits++;
        if (digits != w.n - n - 2)
                return gres_word_wrong(r, w, "is not a list of numbers");
        *(r->kind == GRES_CONFIGURED ? &item->sockets : &item->units) = xstrndup(w.at + 1 + n,
                        digits);
        return 0;
}

/* "gres/gpu" or "gres:gpu", Slurm's TRES form, is read as "gpu" */
static void skip_prefix(struct word *w) {
        if (w->n > 5 && (strncmp(w->at, "gres/", 5) == 0 || strncmp(w->at, "gres:", 5) == 0)) {
                w->at += 5;
                w->n -= 5;
        }
}

static int gres_item_read(const struct reader *r, struct word whole, struct gres_item *item) {
        struct word w = whole, parts[3];
        size_t n = 0, bracket;

        if (r->kind == GRES_ASKED)
                skip_prefix(&w);
        for (bracket = 0; bracket < w.n && w.at[bracket] != '('; bracket++)
                ;
        for (size_t i = 0; i <= bracket; i++) {
                size_t length = 0;
                while (i + length < bracket && w.at[i + length] != ':' &&
                                !(r->kind == GRES_ASKED && w.at[i + length] == '='))
                        length++;
                if (n == ELEMENTSOF(parts))
                        return gres_word_wrong(r, whole, "has too many parts");
                parts[n++] = (struct word){ w.at + i, length };
                i += length;
        }
        item->count = 1;
        bool counted = n > 1 && is_count(parts[n - 1]);
        if (counted && gres_count_read(r, parts[--n], &item->count) < 0)
                return -EINVAL;
        if (n == 3 || !gres_word_is_name(parts[0]) ||
                        (parts[0].n == 4 && strncmp(parts[0].at, "gres", 4) == 0) ||
                        (n == 2 && !gres_word_is_name(parts[1])))
                return gres_word_wrong(r, whole, "is not name[:type][:count]");
        item->name = xstrndup(parts[0].at, parts[0].n);
        item->type = n == 2 ? xstrndup(parts[1].at, parts[1].n) : NULL;
        if (item->type && streq(item->type, "no_consume"))
                return gres_word_wrong(r, whole, "is not implemented: no_consume");
        return bracket < w.n ? read_bracket(r, (struct word){ w.at + bracket, w.n - bracket }, item)
                             : 0;
}

static void gres_item_done(struct gres_item *item) {
        free(item->name);
        free(item->type);
        free(item->sockets);
        free(item->units);
        free(item->of_gpus);
}

struct gres_item *gres_list_add(struct gres_list **g, struct gres_item item) {
        size_t n = *g ? (*g)->n : 0;

        *g = xrealloc_array(*g, 1, sizeof **g + (n + 1) * sizeof item);
        (*g)->n = n + 1;
        (*g)->list[n] = item;
        return &(*g)->list[n];
}

static void gres_list_drop(struct gres_list **list, size_t i) {
        struct gres_list *l = *list;

        gres_item_done(&l->list[i]);
        memmove(&l->list[i], &l->list[i + 1], (--l->n - i) * sizeof l->list[0]);
        if (l->n == 0)
                *list = gres_list_free(l);
}

/* Merges the item into the list. Takes ownership of the item. */
static int gres_list_take_item(const struct reader *r, struct gres_list **list, struct word w,
                struct gres_item *item) {
        for (size_t i = 0; *list && i < (*list)->n; i++) {
                struct gres_item *old = &(*list)->list[i];
                if (!streq(old->name, item->name))
                        continue;
                /* the last count is used */
                if (r->kind == GRES_ASKED && texts_equal(old->type, item->type)) {
                        old->count = item->count;
                        if (old->count == 0)
                                gres_list_drop(list, i);
                        gres_item_done(item);
                        return 0;
                }
                if (texts_equal(old->type, item->type))
                        return gres_word_wrong(r, w, "stands twice");
                if (!old->type || !item->type)
                        return gres_word_wrong(r, w, "stands with and without type identification");
        }
        if (item->count == 0) {
                gres_item_done(item);
                return 0;
        }
        if (*list && (*list)->n == ITEMS_MAX)
                return fail_set(r->fail, -E2BIG, "more than %d kinds of generic resources",
                                ITEMS_MAX);
        gres_list_add(list, *item);
        return 0;
}

int gres_list_parse(const char *text, enum gres_text kind, struct gres_list **ret,
                struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        const struct reader r = { text, kind, fail };

        for (const char *p = text; *p;) {
                struct word w = gres_next_item(p);
                struct gres_item item = { 0 };
                int e = gres_item_read(&r, w, &item);

                if (e >= 0)
                        e = gres_list_take_item(&r, &list, w, &item);
                if (e < 0) {
                        gres_item_done(&item);
                        return e;
                }
                p += w.n;
                if (*p && !*++p)
                        return fail_set(fail, -EINVAL, "\"%.100s\": a name is expected at its end",
                                        text);
        }
        *ret = TAKE(list);
        return 0;
}

char *gres_list_text(const struct gres_list *g, const char *prefix) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (size_t i = 0; g && i < g->n; i++) {
                const struct gres_item *item = &g->list[i];
                fprintf(out, "%s%s%s%s%s:%llu", i ? "," : "", prefix, item->name,
                                item->type ? ":" : "", strempty(item->type),
                                (unsigned long long)item->count);
                if (item->sockets)
                        fprintf(out, "(S:%s)", item->sockets);
                if (item->units)
                        fprintf(out, "(IDX:%s)", item->units);
                if (item->of_gpus)
                        fprintf(out, "(%s)", item->of_gpus);
        }
        memstream_close(out);
        return text;
}

struct gres_list *gres_list_free(struct gres_list *g) {
        for (size_t i = 0; g && i < g->n; i++)
                gres_item_done(&g->list[i]);
        free(g);
        return NULL;
}
