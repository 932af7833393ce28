/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/step/pattern.h"

#include "lib/wire.h"

#include <ctype.h>

static char *pattern_drop_backslashes(const char *pattern) {
        char *text = xmalloc(strlen(pattern) + 1), *p = text;

        for (; *pattern; pattern++)
                if (*pattern != '\\')
                        *p++ = *pattern;
        *p = 0;
        return text;
}

/* Value of %a for a job that is not an array task, as in Slurm. */
#define NO_ARRAY_TASK 4294967294u

static char *pattern_number(uint32_t n, unsigned width) {
        return xasprintf("%0*u", (int)width, n);
}

/* Returns the value of a letter, freed by the caller; NULL: the letter has no meaning. */
static char *pattern_letter(char c, unsigned width, const struct pattern_names *n) {
        bool batch = n->step == STEP_BATCH;

        switch (c) {
        case '%':
                return xstrdup("%");
        case 'A':
                return pattern_number(n->array_job ? n->array_job : n->job, width);
        case 'a':
                return pattern_number(n->array_job ? n->array_task : NO_ARRAY_TASK, width);
        case 'b':
                return pattern_number(n->array_job ? n->array_task % 10 : NO_ARRAY_TASK % 10,
                                width);
        case 'j':
                return pattern_number(n->job, width);
        case 'J':
                return batch ? pattern_number(n->job, width) : xasprintf("%u.%u", n->job, n->step);
        case 's':
                return batch ? xstrdup("batch") : pattern_number(n->step, width);
        case 't':
                return pattern_number(n->rank, width);
        case 'n':
                return pattern_number(n->node_rank, width);
        case 'r':
                return pattern_number(n->restarts, width);
        case 'N':
                return xstrdup(n->node);
        case 'u':
                return xstrdup(n->user);
        case 'x':
                return xstrdup(n->name);
        default:
                return NULL;
        }
}

char *pattern_expand(const char *pattern, const struct pattern_names *names) {
        char *text = NULL;
        size_t size = 0;

        if (strchr(pattern, '\\'))
                return pattern_drop_backslashes(pattern);
        FILE *out = memstream_open(&text, &size);
        for (const char *p = pattern; *p; p++) {
                const char *c = p + 1;
                unsigned width = 0;

                for (; *p == '%' && isdigit((unsigned char)*c); c++)
                        width = MIN(width * 10 + (unsigned)(*c - '0'), PATTERN_WIDTH_MAX);
                _cleanup_free_ char *value = *p == '%' ? pattern_letter(*c, width, names) : NULL;
                if (value)
                        p = c;
                fprintf(out, "%s%.*s", value ? value : "", value ? 0 : 1, p);
        }
        memstream_close(out);
        return text;
}
