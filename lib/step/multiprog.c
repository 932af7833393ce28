/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/multiprog.h"

#define RANKS_MAX 65535 /* per list: more than the tasks of any step */

struct cursor {
        const char *p;
        unsigned line;
};

struct words {
        char **word;
        size_t n, allocated;
};

static void multiprog_words_done(struct words *w) {
        texts_free(w->word, w->n);
        *w = (struct words){ 0 };
}

void multiprog_free(char **arguments) {
        for (size_t i = 0; arguments && arguments[i]; i++)
                free(arguments[i]);
        free(arguments);
}

static bool line_is_continued(const char *p) {
        return *p == '\\' && p[1] == '\n';
}

/* Reads one word without its quotes; -EINVAL: unclosed quote. */
static int multiprog_read_word(struct cursor *c, char **ret, struct fail *fail) {
        char *word = NULL, quote = 0;
        unsigned line = c->line;
        size_t size;
        FILE *f = memstream_open(&word, &size);

        for (; *c->p && (quote || !strchr(" \t\r\n", *c->p)); c->p++) {
                if (line_is_continued(c->p)) {
                        c->p++;
                        c->line++;
                } else if (*c->p == '\\' && c->p[1] && quote != '\'') {
                        fputc(*++c->p, f);
                } else if (*c->p == quote) {
                        quote = 0;
                } else if (!quote && (*c->p == '"' || *c->p == '\'')) {
                        quote = *c->p;
                } else {
                        c->line += *c->p == '\n';
                        fputc(*c->p, f);
                }
        }
        memstream_close(f);
        if (quote) {
                free(word);
                return fail_set(fail, -EINVAL, "line %u: %c is not closed", line, quote);
        }
        *ret = word;
        return 0;
}

static void skip_blanks(struct cursor *c) {
        for (;; c->p++)
                if (line_is_continued(c->p)) {
                        c->p++;
                        c->line++;
                } else if (*c->p != ' ' && *c->p != '\t' && *c->p != '\r') {
                        return;
                }
}

/* Reads the next line that is not empty; returns 0 at the end. */
static int multiprog_read_line(struct cursor *c, struct words *ret, unsigned *ret_line,
                struct fail *fail) {
        multiprog_words_done(ret);
        while (*c->p) {
                skip_blanks(c);
                if (*c->p == '#')
                        c->p += strcspn(c->p, "\n");
                if (*c->p == '\n') {
                        c->p++;
                        c->line++;
                        if (ret->n)
                                return 1;
                } else if (*c->p) {
                        if (ret->n == 0)
                                *ret_line = c->line;
                        GROW(ret->word, ret->allocated, ret->n);
                        int r = multiprog_read_word(c, &ret->word[ret->n], fail);
                        if (r < 0)
                                return r;
                        ret->n++;
                }
        }
        return ret->n > 0;
}

static int rank_read(const char **p, uint32_t *ret) {
        uint64_t n = 0;

        if (**p < '0' || **p > '9')
                return -EINVAL;
        for (; **p >= '0' && **p <= '9'; ++*p)
                if ((n = n * 10 + (uint64_t)(**p - '0')) > RANKS_MAX)
                        return -ERANGE;
        *ret = (uint32_t)n;
        return 0;
}

/* Returns 1 with the rank's index in the list, 0 if absent; -EINVAL: malformed. */
static int rank_in_list(const char *list, uint32_t rank, uint32_t *ret_at) {
        uint32_t at = 0;
        bool found = false;

        if (streq(list, "*")) {
                *ret_at = rank;
                return 1;
        }
        for (const char *p = list;; p++) {
                uint32_t first, last;
                if (rank_read(&p, &first) < 0)
                        return -EINVAL;
                last = first;
                if (*p == '-') {
                        p++;
                        if (rank_read(&p, &last) < 0 || last < first)
                                return -EINVAL;
                }
                if (!found && rank >= first && rank <= last) {
                        *ret_at = at + rank - first;
                        found = true;
                }
                at += last - first + 1;
                if (!*p)
                        return found;
                if (*p != ',')
                        return -EINVAL;
        }
}

static char *multiprog_expand_word(const char *word, uint32_t rank, uint32_t at) {
        char *text = NULL;
        size_t size;
        FILE *f = memstream_open(&text, &size);

        for (const char *p = word; *p; p++)
                if (*p == '%' && (p[1] == 't' || p[1] == 'o'))
                        fprintf(f, "%u", *++p == 't' ? rank : at);
                else if (*p == '%' && p[1] == '%')
                        fputc(*++p, f);
                else
                        fputc(*p, f);
        memstream_close(f);
        return text;
}

/* Reads lines until one is for rank. */
static int multiprog_find_line(const char *text, uint32_t rank, struct words *ret, uint32_t *ret_at,
                struct fail *fail) {
        struct cursor c = { text, 1 };
        unsigned line = 0;
        int r;

        while ((r = multiprog_read_line(&c, ret, &line, fail)) > 0) {
                r = rank_in_list(ret->word[0], rank, ret_at);
                if (r < 0)
                        return fail_set(fail, r,
                                        "line %u: \"%.100s\" is not a list of tasks (0-3,7 or *)",
                                        line, ret->word[0]);
                if (ret->n < 2)
                        return fail_set(fail, -EINVAL,
                                        "line %u: there is no program behind \"%.100s\"", line,
                                        ret->word[0]);
                if (r > 0)
                        return 0;
        }
        return r < 0 ? r : fail_set(fail, -ENOENT, "no line is for task %u", rank);
}

int multiprog_arguments(const char *text, uint32_t rank, char ***ret, struct fail *fail) {
        struct words w = { 0 };
        uint32_t at;
        int r = multiprog_find_line(text, rank, &w, &at, fail);

        if (r >= 0) {
                *ret = xnew0(char *, w.n);
                for (size_t i = 1; i < w.n; i++)
                        (*ret)[i - 1] = multiprog_expand_word(w.word[i], rank, at);
        }
        multiprog_words_done(&w);
        return r;
}

int multiprog_check(const char *text, uint32_t num_tasks, struct fail *fail) {
        struct words w = { 0 };
        struct fail why = { 0 };
        uint32_t at;
        /* No task has this rank: reads all lines up to a *. */
        int r = multiprog_find_line(text, UINT32_MAX - 1, &w, &at, &why);

        r = r == -ENOENT ? 0 : r < 0 ? fail_set(fail, r, "%s", why.text) : 0;
        for (uint32_t rank = 0; r >= 0 && rank < num_tasks; rank++)
                r = multiprog_find_line(text, rank, &w, &at, fail);
        multiprog_words_done(&w);
        return r;
}
