/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/oci/oci_line.h"

#include <stdio.h>
#include <string.h>

#define PLAIN                                                                                      \
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"                                     \
        "0123456789/._+:=,@-"

static void oci_put_word(FILE *out, const char *word, bool quote) {
        if (!quote && *word && word[strspn(word, PLAIN)] == 0) {
                fputs(word, out);
                return;
        }
        fputc('\'', out);
        for (const char *p = word; *p; p++)
                if (*p == '\'')
                        fputs("'\\''", out);
                else
                        fputc(*p, out);
        fputc('\'', out);
}

static void oci_put_arguments(FILE *out, char *const *arguments) {
        for (size_t i = 0; arguments && arguments[i]; i++) {
                if (i > 0)
                        fputc(' ', out);
                oci_put_word(out, arguments[i], true);
        }
}

static void oci_put_letter(FILE *out, char letter, const struct oci_names *n) {
        const struct {
                char letter;
                const char *text;
        } texts[] = {
                { 'b', n->bundle },
                { 'e', n->env_file },
                { 'm', n->folder },
                { 'n', n->node },
                { 'r', n->root },
                { 's', n->step },
                { 'u', n->user },
        };
        const struct {
                char letter;
                uint32_t number;
        } numbers[] = {
                { 'j', n->job },
                { 'p', n->pid },
                { 't', n->task },
                { 'U', n->uid },
        };

        if (letter == '%')
                fputc('%', out);
        else if (letter == '@')
                oci_put_arguments(out, n->arguments);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].letter == letter)
                        oci_put_word(out, strempty(texts[i].text), false);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].letter == letter)
                        fprintf(out, "%u", numbers[i].number);
}

char *oci_line(const char *pattern, const struct oci_names *names) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        for (const char *p = pattern; *p; p++)
                if (*p == '%' && p[1])
                        oci_put_letter(out, *++p, names);
                else
                        fputc(*p, out);
        memstream_close(out);
        return text;
}
