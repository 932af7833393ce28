/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each line has the words that would follow the command's name, and goes to the command's table of
 * verbs. Only lines can be "quit", "exit", "!!" (repeats the previous line), and switches, which
 * are options of the command.
 *
 * Input is read unbuffered, so that a question of sacctmgr gets the next line as its answer. */
#include "commands/prompt.h"

#include "lib/printable.h"

#include <ctype.h>
#include <strings.h>

size_t prompt_words(char *line, char ***ret) {
        size_t n = 0, allocated = 0;
        char *to = line, quote;

        *ret = NULL;
        for (const char *p = line;; p++) {
                while (isspace((unsigned char)*p))
                        p++;
                GROW(*ret, allocated, n);
                if (!*p)
                        break;
                (*ret)[n++] = to;
                for (quote = 0; *p && (quote || !isspace((unsigned char)*p)); p++)
                        if (quote ? *p == quote : *p == '"' || *p == '\'')
                                quote = quote ? 0 : *p;
                        else
                                *to++ = *p;
                bool last = !*p;
                *to++ = 0; /* to never passes p */
                if (last)
                        p--;
        }
        (*ret)[n] = NULL;
        return n;
}

static bool is_short_for(const char *word, const char *name, size_t least) {
        size_t n = strlen(word);

        return n >= least && strncasecmp(word, name, n) == 0;
}

bool prompt_switch(const struct prompt *p, const char *word) {
        const char *name = NULL;

        for (const struct prompt_switch *s = p->switches; s->name; s++)
                if (name ? streq(s->name, name) : is_short_for(word, s->name, s->least)) {
                        *(bool *)((char *)p->user + s->offset) = s->value;
                        name = s->name;
                }
        return name;
}

static int prompt_refuse_arguments(const char *word) {
        printable_fprintf(stderr, "too many arguments for keyword:%s\n", word);
        return EXIT_FAILURE;
}

/* *code is unchanged if the line has no result. */
static void prompt_run_line(const struct prompt *p, char *line, bool *end, int *code) {
        _cleanup_free_ char **words = NULL;
        size_t n = prompt_words(line, &words);

        if (n == 0)
                return;
        *end = is_short_for(words[0], "quit", 4) || is_short_for(words[0], "exit", 2);
        if (!*end && !prompt_switch(p, words[0]))
                *code = p->run(p->user, (int)n, words);
        else if (n > 1)
                *code = prompt_refuse_arguments(words[0]);
        else if (!*end)
                *code = EXIT_SUCCESS;
        fflush(stdout); /* keeps stdout and stderr in order */
}

/* Returns the line; for "!!" the previous line, NULL if none. */
static char *line_or_last(const char *line, char **last) {
        _cleanup_free_ char *copy = xstrdup(line);
        _cleanup_free_ char **words = NULL;
        size_t n = prompt_words(copy, &words);

        if (n == 1 && streq(words[0], "!!"))
                return *last ? xstrdup(*last) : NULL;
        if (n) {
                free(*last);
                *last = xstrdup(line);
        }
        return xstrdup(line);
}

int prompt_read(const struct prompt *p) {
        _cleanup_free_ char *line = NULL, *last = NULL;
        bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), end = false;
        int code = EXIT_SUCCESS;
        size_t size = 0;

        setvbuf(stdin, NULL, _IONBF, 0);
        while (!end) {
                if (asks) {
                        printf("%s: ", p->program);
                        fflush(stdout);
                }
                errno = 0;
                if (getline(&line, &size, stdin) < 0)
                        break;
                _cleanup_free_ char *now = line_or_last(line, &last);
                if (now) {
                        prompt_run_line(p, now, &end, &code);
                        continue;
                }
                fprintf(stderr, "no previous command\n");
                code = EXIT_FAILURE;
        }
        if (asks && !end)
                putchar('\n');
        if (!end && errno) {
                command_error(p->program, "standard input cannot be read: %s", strerror(errno));
                return EXIT_FAILURE;
        }
        return code;
}
