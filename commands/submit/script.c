/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch scripts: script_read() reads a script of limited size, script_check() gives Slurm's errors
 * for a file that is no script, script_lines() splits the #SBATCH, #PBS and #BSUB lines into words:
 * blanks separate, ' and " and \ quote as in a shell, a # at the start of a word ends the line.
 * #SBATCH lines end at the first line that is neither empty nor a comment. */
#include "commands/submit/script.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>

#define WORDS_MAX 4096 /* words on a line: far above any real number */

/* ---- reading ---- */

static int script_fd_read(int fd, char **ret, size_t *ret_size, struct fail *fail) {
        size_t allocated = 64 << 10, size = 0;
        _cleanup_free_ char *data = xmalloc(allocated + 1);

        for (;;) {
                ssize_t n = read(fd, data + size, allocated - size);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return fail_set(fail, -errno, "Unable to read the script: %s",
                                        strerror(errno));
                if (n == 0)
                        break;
                size += (size_t)n;
                if (size > SCRIPT_MAX)
                        return fail_set(fail, -EFBIG,
                                        "Job script is larger than its limit of %u bytes",
                                        SCRIPT_MAX);
                if (size == allocated) {
                        allocated *= 2;
                        data = xrealloc_array(data, allocated + 1, 1);
                }
        }
        data[size] = 0;
        *ret_size = size;
        *ret = TAKE(data);
        return 0;
}

int script_read(const char *path, char **ret, size_t *ret_size, struct fail *fail) {
        _cleanup_close_ int fd = -1;
        struct stat st;

        if (!path)
                return script_fd_read(STDIN_FILENO, ret, ret_size, fail);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "Unable to open file %s", path);
        if (S_ISDIR(st.st_mode))
                return fail_set(fail, -EISDIR, "%s is a folder, not a batch script", path);
        return script_fd_read(fd, ret, ret_size, fail);
}

static bool readable_file(const char *path) {
        struct stat st;

        return access(path, R_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *script_find(const char *name) {
        const char *path = getenv("PATH");

        if (strchr(name, '/') || access(name, F_OK) == 0 || !path)
                return xstrdup(name);
        while (*path) {
                size_t n = strcspn(path, ":");
                _cleanup_free_ char *file = xasprintf("%.*s/%s", (int)n, path, name);

                if (n > 0 && readable_file(file))
                        return TAKE(file);
                path += n + (path[n] == ':');
        }
        return xstrdup(name);
}

int script_check(const char *script, size_t size, struct fail *fail) {
        if (size == 0)
                return fail_set(fail, -EINVAL, "Batch script is empty!");
        if (strspn(script, " \t\r\n") == size)
                return fail_set(fail, -EINVAL, "Batch script contains only whitespace!");
        if (size < 3 || script[0] != '#' || script[1] != '!')
                return fail_set(fail, -EINVAL,
                                "This does not look like a batch script.  The first\n"
                                "line must start with #! followed by the path to an interpreter.\n"
                                "For instance: #!/bin/sh");
        if (strlen(script) != size)
                return fail_set(fail, -EINVAL,
                                "The Slurm controller does not allow scripts that\n"
                                "contain a NULL character '\\0'.");
        if (strstr(script, "\r\n"))
                return fail_set(fail, -EINVAL,
                                "Batch script contains DOS line breaks (\\r\\n)\n"
                                "instead of expected UNIX line breaks (\\n).");
        return 0;
}

/* ---- lines and words ---- */

/* Takes one word off *p. Returns 1: *ret is the word, owned by the caller; 0: no word left;
 * -EINVAL: an open quote, in *ret_quote. */
static int next_word(const char **p, const char *end, char **ret, char *ret_quote) {
        const char *s = *p;
        char quote = 0, *out;

        while (s < end && isspace((unsigned char)*s))
                s++;
        if (s == end || *s == '#')
                return 0;
        _cleanup_free_ char *word = out = xmalloc((size_t)(end - s) + 1);
        for (; s < end && (quote || (*s != '#' && !isspace((unsigned char)*s))); s++) {
                if (quote ? *s == quote : *s == '"' || *s == '\'')
                        quote = quote ? 0 : *s;
                else if (*s == '\\' && quote != '\'' && s + 1 < end)
                        *out++ = *++s;
                else
                        *out++ = *s;
        }
        *out = 0;
        *p = s;
        if (quote) {
                *ret_quote = quote;
                return -EINVAL;
        }
        *ret = TAKE(word);
        return 1;
}

static void script_line_done(struct script_line *line) {
        texts_free(line->argv, (size_t)line->argc);
        texts_free(line->kept, line->n_kept);
}

static int split_words(const char *p, const char *end, struct script_line *line, char *ret_quote) {
        size_t allocated = 0;
        int r;

        GROW(line->argv, allocated, (size_t)line->argc);
        line->argv[line->argc++] = xstrdup("sbatch");
        do {
                char *word = NULL;

                GROW(line->argv, allocated, (size_t)line->argc);
                r = line->argc > WORDS_MAX ? -E2BIG : next_word(&p, end, &word, ret_quote);
                line->argv[line->argc] = word;
                if (r > 0)
                        line->argc++;
        } while (r > 0);
        return r;
}

static bool line_begins_with(const char *p, const char *end, const char *prefix) {
        size_t n = strlen(prefix);

        return (size_t)(end - p) >= n && memcmp(p, prefix, n) == 0;
}

static int script_line_add(struct script_lines *l, enum script_kind kind, const char *p,
                const char *end, unsigned number, const char *name, struct fail *fail) {
        struct script_line line = { .kind = kind, .number = number };
        char quote = '?';
        int r;

        if (p < end && !isspace((unsigned char)*p) && kind != SCRIPT_SBATCH)
                return 0; /* a longer word, such as "#PBS_NODEFILE is ..." */
        if (p < end && !isspace((unsigned char)*p))
                return fail_set(fail, -EINVAL, "Invalid directive found in batch script: %.*s",
                                (int)MIN(end - p, 200), p);
        r = split_words(p, end, &line, &quote);
        if (r < 0) {
                script_line_done(&line);
                if (r == -E2BIG)
                        return fail_set(fail, r, "%s: line %u: too many words", name, number);
                return fail_set(fail, r, "%s: line %u: Unmatched `%c` in [%.*s]", name, number,
                                quote, (int)MIN(end - p, 200), p);
        }
        while (p < end && isspace((unsigned char)*p))
                p++;
        line.plain = line.argc > 1 && line_begins_with(p, end, line.argv[1]);
        l->lines = xrenew(l->lines, l->n + 1);
        l->lines[l->n++] = line;
        return 0;
}

static bool is_blank_or_comment(const char *p, const char *end) {
        while (p < end && isspace((unsigned char)*p))
                p++;
        return p == end || *p == '#';
}

static const char *const prefixes[SCRIPT_KIND_MAX] = {
        [SCRIPT_SBATCH] = "#SBATCH",
        [SCRIPT_PBS] = "#PBS",
        [SCRIPT_BSUB] = "#BSUB",
};

const char *script_prefix(enum script_kind kind) {
        return prefixes[kind];
}

int script_lines(const char *script, size_t size, const char *name, struct script_lines *ret,
                struct fail *fail) {
        const char *p = script, *stop = script + size;
        struct script_lines l = { 0 };
        bool head = true; /* only empty lines and comments so far */
        int r = 0;

        for (unsigned number = 1; p < stop && r >= 0; number++) {
                const char *end = memchr(p, '\n', (size_t)(stop - p));

                end = end ? end : stop;
                head &= is_blank_or_comment(p, end);
                for (int kind = head ? SCRIPT_SBATCH : SCRIPT_PBS; kind < SCRIPT_KIND_MAX && r >= 0;
                                kind++)
                        if (line_begins_with(p, end, prefixes[kind]))
                                r = script_line_add(&l, (enum script_kind)kind,
                                                p + strlen(prefixes[kind]), end, number, name,
                                                fail);
                p = end < stop ? end + 1 : stop;
        }
        if (r < 0) {
                script_lines_done(&l);
                return r;
        }
        *ret = l;
        return 0;
}

void script_lines_done(struct script_lines *l) {
        for (size_t i = 0; i < l->n; i++)
                script_line_done(&l->lines[i]);
        free(l->lines);
        *l = (struct script_lines){ 0 };
}
