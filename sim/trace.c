/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace.h"

#include <strings.h>

static const char *const left_out_words[] = {
        [LEFT_NEVER_RAN] = "cancelled before they started",
        [LEFT_PART] = "parts of a job that another line sums up",
        [LEFT_NO_RUN] = "of unknown run time",
        [LEFT_NO_SIZE] = "of an unknown number of processors",
};
_Static_assert(ELEMENTSOF(left_out_words) == TRACE_LEFT_OUT_MAX, "a reason without a word");

const char *trace_left_out_text(int why) {
        assert(why >= 0 && why < TRACE_LEFT_OUT_MAX);
        return left_out_words[why];
}

const char *trace_label_of(const struct trace *t, const char *label) {
        for (size_t i = 0; i < t->n_labels; i++)
                if (strcasecmp(t->labels[i].label, label) == 0)
                        return t->labels[i].value;
        return NULL;
}

/* ---- words: an open-addressing hash table, at most half full ---- */

struct word_table {
        char **slots;
        size_t size, n;
};

static uint64_t word_hash(const char *text, size_t n) {
        uint64_t h = 14695981039346656037u;

        for (size_t i = 0; i < n; i++)
                h = (h ^ (uint8_t)text[i]) * 1099511628211u;
        return h ^ h >> 32;
}

static size_t word_table_slot(const struct word_table *w, const char *text, size_t n) {
        size_t at = word_hash(text, n) & (w->size - 1);

        while (w->slots[at] && !(strncmp(w->slots[at], text, n) == 0 && !w->slots[at][n]))
                at = (at + 1) & (w->size - 1);
        return at;
}

static void word_table_grow(struct word_table *w) {
        struct word_table old = *w;

        w->size = old.size ? old.size * 2 : 64;
        w->slots = xnew0(char *, w->size);
        for (size_t i = 0; i < old.size; i++)
                if (old.slots[i])
                        w->slots[word_table_slot(w, old.slots[i], strlen(old.slots[i]))] =
                                        old.slots[i];
        free(old.slots);
}

const char *trace_word(struct trace *t, const char *text, size_t n) {
        struct word_table *w = t->words;

        if (2 * w->n >= w->size)
                word_table_grow(w);
        size_t at = word_table_slot(w, text, n);
        if (!w->slots[at]) {
                w->slots[at] = xstrndup(text, n);
                w->n++;
        }
        return w->slots[at];
}

struct trace *trace_new(void) {
        struct trace *t = xnew0(struct trace, 1);

        t->words = xnew0(struct word_table, 1);
        return t;
}

struct trace *trace_free(struct trace *t) {
        if (!t)
                return NULL;
        for (size_t i = 0; i < t->words->size; i++)
                free(t->words->slots[i]);
        free(t->words->slots);
        free(t->words);
        for (size_t i = 0; i < t->n_more; i++)
                free(t->more[i]);
        free(t->more);
        free(t->labels);
        free(t->users);
        free(t->jobs);
        free(t);
        return NULL;
}

const char *trace_user(const struct trace *t, uint32_t uid) {
        return uid >= TRACE_FIRST_UID && uid - TRACE_FIRST_UID < t->n_users
                               ? t->users[uid - TRACE_FIRST_UID]
                               : NULL;
}

struct trace_more *trace_more_new(struct trace *t) {
        GROW(t->more, t->a_more, t->n_more);
        return t->more[t->n_more++] = xnew0(struct trace_more, 1);
}

/* ---- lines ---- */

int trace_lines(const char *text, size_t size,
                int (*line)(const char *text, size_t n, unsigned number, void *user), void *user) {
        unsigned number = 0;
        int r = 0;

        for (size_t at = 0; at < size && r >= 0;) {
                const char *end = memchr(text + at, '\n', size - at);
                size_t n = end ? (size_t)(end - text) - at : size - at;
                r = line(text + at, n && text[at + n - 1] == '\r' ? n - 1 : n, ++number, user);
                at += n + 1;
        }
        return r;
}

/* ---- order ---- */

static int by_submit(const void *a, const void *b) {
        const struct trace_job *x = a, *y = b;

        if (x->submit != y->submit)
                return x->submit < y->submit ? -1 : 1;
        return x->line < y->line ? -1 : x->line > y->line;
}

int trace_sort(struct trace *t, const char *file, struct fail *fail) {
        _cleanup_free_ uint32_t *at = NULL, *was = NULL;
        uint32_t last = 0;

        if (t->n == 0)
                return fail_set(fail, -EINVAL, "%s: there is no job in it", file);
        at = xnew(uint32_t, t->n);
        was = xnew(uint32_t, t->n);
        for (size_t i = 0; i < t->n; i++)
                last = MAX(last, t->jobs[i].line);
        /* Original positions, identified by line, while sorting. */
        for (size_t i = 0; i < t->n; i++) {
                was[i] = t->jobs[i].line;
                last = MAX(last, was[i]);
        }
        list_sort(t->jobs, t->n, sizeof t->jobs[0], by_submit);
        _cleanup_free_ uint32_t *place = xnew0(uint32_t, (size_t)last + 1);
        for (size_t i = 0; i < t->n; i++)
                place[t->jobs[i].line] = (uint32_t)i;
        for (size_t i = 0; i < t->n; i++)
                at[i] = place[was[i]];
        for (size_t i = 0; i < t->n; i++) {
                struct trace_job *j = &t->jobs[i];
                if (j->after == UINT32_MAX)
                        continue;
                j->after = at[j->after];
                if (j->after >= i)
                        return fail_set(fail, -EINVAL,
                                        "%s line %u: job %s comes after job %s, which is submitted later",
                                        file, j->line, j->name, t->jobs[j->after].name);
        }
        return 0;
}

/* ---- numbers ---- */

int seconds_read(const char *text, size_t n, usec_t *ret) {
        usec_t v = 0, unit = USEC_PER_SEC;
        bool minus = n && text[0] == '-'; /* minus zero, as some programs print: -0.000000 */
        size_t i = minus, first = i;

        for (; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
                v = v * 10 + (usec_t)(text[i] - '0') * USEC_PER_SEC;
                if (v > TRACE_TIME_MAX)
                        return -ERANGE;
        }
        bool digits = i > first;
        if (i < n && text[i] == '.')
                for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
                        unit /= 10;
                        v += (usec_t)(text[i] - '0') * unit;
                        digits = true;
                }
        if (!digits || i < n || (minus && v))
                return -EINVAL;
        *ret = v;
        return 0;
}
