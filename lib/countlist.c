/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/countlist.h"

#include "lib/timetext.h"

#define NAMES_MAX 10000 /* of one list: it is looked through name by name */
#define COUNT_MAX INT32_MAX

static int add(struct countlist **list, const char *name, size_t length, uint64_t count, const char *text, struct fail *fail) {
        struct countlist *c = *list;

        for (size_t i = 0; i < c->n; i++)
                if (strlen(c->list[i].name) == length && strncmp(c->list[i].name, name, length) == 0) {
                        if (c->any)
                                return fail_set(fail, -EINVAL, "\"%.100s\": %s stands twice", text, c->list[i].name);
                        if (c->list[i].n + count > COUNT_MAX)
                                return fail_set(fail, -ERANGE, "\"%.100s\": more than %d of %s", text, COUNT_MAX, c->list[i].name);
                        c->list[i].n += (uint32_t)count;
                        return 0;
                }
        if (count == 0)
                return 0;
        if (c->n == NAMES_MAX)
                return fail_set(fail, -E2BIG, "more than %d names", NAMES_MAX);
        *list = c = xrealloc_array(c, 1, sizeof *c + (c->n + 1) * sizeof c->list[0]);
        c->list[c->n++] = (struct count){ xstrndup(name, length), (uint32_t)count };
        return 0;
}

/* One word: "name", "name:2", "name=2". */
static int parse_word(const char *word, size_t length, const char *text, struct countlist **list, struct fail *fail) {
        size_t name = 0;
        uint64_t count = 1;

        while (name < length && !strchr(":=()@| \t", word[name]) && (unsigned char)word[name] >= ' ')
                name++;
        if (name == 0)
                return fail_set(fail, -EINVAL, "\"%.100s\": a name is expected at \"%.*s\"", text, (int)MIN(length, (size_t)100), word);
        if (name < length) {
                _cleanup_free_ char *number = xstrndup(word + name + 1, length - name - 1);
                if ((word[name] != ':' && word[name] != '=') || uint_parse(number, 0, COUNT_MAX, &count) < 0)
                        return fail_set(fail, -EINVAL, "\"%.100s\": \"%.*s\" is not a name and a count up to %d", text,
                                        (int)MIN(length, (size_t)100), word, COUNT_MAX);
        }
        return add(list, word, name, count, text, fail);
}

int countlist_parse(const char *text, bool may_any, struct countlist **ret, struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *list = xnew0(struct countlist, 1);
        const char *p = text;

        list->any = may_any && strchr(text, '|');
        if (list->any && text[strcspn(text, ",;")])
                return fail_set(fail, -EINVAL, "\"%.100s\": commas and \"|\" do not go together", text);
        while (*p) {
                size_t length = strcspn(p, list->any ? "|" : ",;");
                int r = parse_word(p, length, text, &list, fail);

                if (r < 0)
                        return r;
                p += length;
                if (*p && !*++p)
                        return fail_set(fail, -EINVAL, "\"%.100s\": a name is expected at its end", text);
        }
        *ret = list->n ? TAKE(list) : NULL;
        return 0;
}

static struct countlist *copy_range(const struct countlist *c, size_t from, size_t n) {
        struct countlist *to = xmalloc(sizeof *to + n * sizeof to->list[0]);

        *to = (struct countlist){ .any = c->any && n > 1, .n = n };
        for (size_t i = 0; i < n; i++)
                to->list[i] = (struct count){ xstrdup(c->list[from + i].name), c->list[from + i].n };
        return to;
}

struct countlist *countlist_copy(const struct countlist *c) {
        return c ? copy_range(c, 0, c->n) : NULL;
}

struct countlist *countlist_one(const struct countlist *c, size_t at) {
        assert(at < c->n);
        return copy_range(c, at, 1);
}

char *countlist_text(const struct countlist *c) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        for (size_t i = 0; c && i < c->n; i++)
                fprintf(out, "%s%s:%u", i == 0 ? "" : c->any ? "|" : ",", c->list[i].name, c->list[i].n);
        fclose(out);
        return text;
}

struct countlist *countlist_free(struct countlist *c) {
        for (size_t i = 0; c && i < c->n; i++)
                free(c->list[i].name);
        free(c);
        return NULL;
}
