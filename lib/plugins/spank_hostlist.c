/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host lists for plug-ins: functions of slurm/slurm.h, exported by name (spank.symbols). Errors
 * never end the program: an invalid list is NULL or adds nothing. */
#include "lib/hostlist.h"

#include <slurm/slurm.h>

struct slumber_names {
        char **names;
        size_t n, allocated;
        size_t first; /* names before first were shifted */
};

static int spank_hostlist_add(hostlist_t *list, const char *text) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (isempty(text))
                return 0;
        if (hostlist_parse_repeats(text, &names, NULL) < 0)
                return -1;
        for (size_t i = 0; i < hostlist_count(names); i++) {
                GROW(list->names, list->allocated, list->n);
                list->names[list->n++] = xstrdup(hostlist_get(names, i));
        }
        return (int)hostlist_count(names);
}

hostlist_t *slurm_hostlist_create(const char *text) {
        hostlist_t *list = xnew0(hostlist_t, 1);

        if (spank_hostlist_add(list, text) >= 0)
                return list;
        slurm_hostlist_destroy(list);
        return NULL;
}

void slurm_hostlist_destroy(hostlist_t *list) {
        for (size_t i = list ? list->first : 0; list && i < list->n; i++)
                free(list->names[i]);
        if (list)
                free(list->names);
        free(list);
}

int slurm_hostlist_count(hostlist_t *list) {
        return list ? (int)(list->n - list->first) : 0;
}

int slurm_hostlist_find(hostlist_t *list, const char *name) {
        for (size_t i = list ? list->first : 0; list && name && i < list->n; i++)
                if (streq(list->names[i], name))
                        return (int)(i - list->first);
        return -1;
}

int slurm_hostlist_push(hostlist_t *list, const char *text) {
        return list ? MAX(spank_hostlist_add(list, text), 0) : 0;
}

int slurm_hostlist_push_host(hostlist_t *list, const char *name) {
        return name && !strpbrk(name, "[],") ? slurm_hostlist_push(list, name) : 0;
}

char *slurm_hostlist_shift(hostlist_t *list) {
        return list && list->first < list->n ? list->names[list->first++] : NULL;
}

void slurm_hostlist_uniq(hostlist_t *list) {
        struct hostlist *sorted = hostlist_new();

        for (char *name; (name = slurm_hostlist_shift(list)); free(name))
                if (!hostlist_has(sorted, name))
                        hostlist_push(sorted, name);
        hostlist_sort(sorted);
        if (list)
                list->first = list->n = 0;
        for (size_t i = 0; list && i < hostlist_count(sorted); i++) {
                GROW(list->names, list->allocated, list->n);
                list->names[list->n++] = xstrdup(hostlist_get(sorted, i));
        }
        hostlist_free(sorted);
}

char *slurm_hostlist_ranged_string_malloc(hostlist_t *list) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        _cleanup_free_ char *text = NULL;
        size_t size;

        if (!list)
                return NULL;
        FILE *f = memstream_open(&text, &size);
        for (size_t i = list->first; i < list->n; i++)
                fprintf(f, "%s%s", i > list->first ? "," : "", list->names[i]);
        memstream_close(f);
        return *text && hostlist_parse_repeats(text, &names, NULL) >= 0 ? hostlist_text(names)
                                                                        : xstrdup(text);
}

ssize_t slurm_hostlist_ranged_string(hostlist_t *list, size_t n, char *buf) {
        _cleanup_free_ char *text = slurm_hostlist_ranged_string_malloc(list);

        if (!text || !buf || strlen(text) >= n)
                return -1;
        strcpy(buf, text);
        return (ssize_t)strlen(text);
}
