/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/sorted.h"

int number_compare(const void *a, const void *b) {
        const uint32_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

void sort_numbers(uint32_t *list, size_t *n) {
        size_t kept = 0;

        list_sort(list, *n, sizeof list[0], number_compare);
        for (size_t i = 0; i < *n; i++)
                if (kept == 0 || list[kept - 1] != list[i])
                        list[kept++] = list[i];
        *n = kept;
}

bool sorted_has_number(const uint32_t *list, size_t n, uint32_t number) {
        size_t at = FIRST_NOT(n, i, list[i] < number);

        return at < n && list[at] == number;
}

static int sorted_by_name(const void *a, const void *b) {
        char *const *x = a, *const *y = b;

        return strcmp(*x, *y);
}

static int by_name_in_any_case(const void *a, const void *b) {
        char *const *x = a, *const *y = b;

        return strcasecmp(*x, *y);
}

void sort_names(char **list, size_t n, enum name_case of) {
        list_sort(list, n, sizeof list[0], of == ANY_CASE ? by_name_in_any_case : sorted_by_name);
}

bool sorted_has_name(char *const *list, size_t n, const char *name, enum name_case of) {
        int (*order)(const char *, const char *) = of == ANY_CASE ? strcasecmp : strcmp;
        size_t at = FIRST_NOT(n, i, order(list[i], name) < 0);

        return at < n && order(list[at], name) == 0;
}
