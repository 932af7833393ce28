/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/environment.h"

#include <stdarg.h>

struct environment {
        char **line;
        /* Length of each name. Most names differ in length, so that a search by environment_put()
           is fast. */
        size_t *name;
        size_t n, allocated, names_allocated;
};

struct environment *environment_new(void) {
        return xnew0(struct environment, 1);
}

struct environment *environment_copy(struct environment *e) {
        struct environment *copy = environment_new();

        for (char **line = environment_vector(e); *line; line++)
                environment_put(copy, *line);
        return copy;
}

struct environment *environment_free(struct environment *e) {
        if (!e)
                return NULL;
        texts_free(e->line, e->n);
        free(e->name);
        free(e);
        return NULL;
}

static size_t environment_find(const struct environment *e, const char *name, size_t len) {
        size_t i = 0;

        while (i < e->n && (e->name[i] != len || memcmp(e->line[i], name, len) != 0))
                i++;
        return i;
}

static void environment_append(struct environment *e, char *line, size_t len) {
        GROW(e->line, e->allocated, e->n);
        GROW(e->name, e->names_allocated, e->n);
        e->line[e->n] = line;
        e->name[e->n++] = len;
}

static void environment_take_line(struct environment *e, char *line) {
        size_t len = strcspn(line, "="), i = environment_find(e, line, len);

        if (i < e->n) {
                free(e->line[i]);
                e->line[i] = line;
        } else
                environment_append(e, line, len);
}

void environment_put(struct environment *e, const char *line) {
        if (strchr(line, '=') && *line != '=')
                environment_take_line(e, xstrdup(line));
}

void environment_add(struct environment *e, const char *line) {
        environment_append(e, xstrdup(line), strcspn(line, "="));
}

void environment_set(struct environment *e, const char *name, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *value = xvasprintf(format, ap);
        va_end(ap);
        environment_take_line(e, xasprintf("%s=%s", name, value));
}

void environment_unset(struct environment *e, const char *name) {
        size_t i = environment_find(e, name, strlen(name));

        if (i >= e->n)
                return;
        free(e->line[i]);
        e->line[i] = e->line[--e->n];
        e->name[i] = e->name[e->n];
}

const char *environment_get(const struct environment *e, const char *name) {
        size_t len = strlen(name), i = environment_find(e, name, len);

        return i < e->n ? e->line[i] + len + 1 : NULL;
}

void environment_default(struct environment *e, const char *name, const char *value) {
        if (!environment_get(e, name))
                environment_set(e, name, "%s", value);
}

char **environment_vector(struct environment *e) {
        GROW(e->line, e->allocated, e->n);
        e->line[e->n] = NULL;
        return e->line;
}

size_t environment_count(const struct environment *e) {
        return e->n;
}
