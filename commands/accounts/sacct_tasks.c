/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Array tasks named in --jobs, as sorted ranges: sacct looks up each record of an array, and both
 * may be numerous. */
#include "commands/accounts/sacct.h"

#define TASKS_MAX 4000001 /* largest MaxArraySize; array indices are smaller */

static void add_range(struct task_ranges *r, uint64_t from, uint64_t to) {
        GROW(r->list, r->allocated, r->n);
        r->list[r->n++] = (struct task_range){ (uint32_t)from, (uint32_t)to };
}

/* Parses "3", "1-5" or "1-9:2". */
static int task_ranges_add_word(struct task_ranges *r, char *word) {
        char *step_text = strchr(word, ':'), *to_text;
        uint64_t from, to, step = 1;

        if (step_text)
                *step_text++ = 0;
        to_text = strchr(word, '-');
        if (to_text)
                *to_text++ = 0;
        if (uint_parse(word, 0, UINT32_MAX, &from) < 0 ||
                        uint_parse(to_text ? to_text : word, from, UINT32_MAX, &to) < 0 ||
                        (step_text && (!to_text || uint_parse(step_text, 1, UINT32_MAX, &step) <
                                                                      0)))
                return -EINVAL;
        if (step == 1)
                add_range(r, from, to);
        for (uint64_t i = from; step > 1 && i <= MIN(to, TASKS_MAX); i += step)
                add_range(r, i, i);
        return 0;
}

int task_ranges_add(struct task_ranges *r, const char *text) {
        _cleanup_free_ char *copy = xstrdup(text);
        int added = 0;

        for (char *word = copy; word && added >= 0;) {
                char *next = strchr(word, ',');
                if (next)
                        *next++ = 0;
                added = task_ranges_add_word(r, word);
                word = next;
        }
        return added;
}

static int by_begin(const void *a, const void *b) {
        const struct task_range *x = a, *y = b;

        return (x->from > y->from) - (x->from < y->from);
}

void task_ranges_sort(struct task_ranges *r) {
        size_t kept = 0;

        list_sort(r->list, r->n, sizeof r->list[0], by_begin);
        for (size_t i = 0; i < r->n; i++)
                if (kept && r->list[i].from <= (uint64_t)r->list[kept - 1].to + 1)
                        r->list[kept - 1].to = MAX(r->list[kept - 1].to, r->list[i].to);
                else
                        r->list[kept++] = r->list[i];
        r->n = kept;
}

bool task_ranges_meet(const struct task_ranges *r, uint32_t from, uint32_t to) {
        size_t first = FIRST_NOT(r->n, i, r->list[i].to < from);

        return first < r->n && r->list[first].from <= to;
}

void task_ranges_done(struct task_ranges *r) {
        free(TAKE(r->list));
        r->n = r->allocated = 0;
}
