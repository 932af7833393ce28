/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a file into lines of Key=Value words. read_joined() joins lines continued by "\" and drops
 * comments. Line ends inside a joined line are kept as line feeds, white space for split_words(),
 * so that a word's line number is known. Include is followed here, at most INCLUDE_DEPTH deep and
 * INCLUDE_MAX files in total. */
#include "lib/files/lines.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>

#define INCLUDE_DEPTH 8   /* ends a file that includes itself */
#define INCLUDE_MAX   256 /* included files; more than any cluster uses */

struct reader {
        config_line_t handle;
        void *userdata;
        const char *dir;
        unsigned depth, files;
};

struct cursor { /* a position in one file */
        const char *file;
        const char *p, *end;
        unsigned line;
};

static int lines_read_text(struct reader *rd, const char *file, const char *text, size_t size,
                struct fail *fail);

char *config_folder(const char *path) {
        const char *slash = strrchr(path, '/');

        if (!slash)
                return xstrdup(".");
        return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int config_load(const char *path, char **ret, size_t *ret_size, struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        _cleanup_free_ char *text = NULL;
        struct stat st;
        size_t used = 0;
        ssize_t n = 1;

        /* A file may be missing, but a dangling link is an error. */
        if (fd < 0 && errno == ENOENT && path_is_there(path))
                return fail_set(fail, -ELOOP, "%s: a link to a file that is not there", path);
        if (fd < 0 || fstat(fd, &st) < 0) {
                int r = -errno;
                return fail_set(fail, r, "%s: %s", path, strerror(-r));
        }
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%s: not a regular file", path);
        if (st.st_size > (off_t)CONFIG_SIZE_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", path, CONFIG_SIZE_MAX);
        text = xmalloc((size_t)st.st_size + 1);
        while (n > 0 && used < (size_t)st.st_size) {
                n = read(fd, text + used, (size_t)st.st_size - used);
                if (n < 0 && errno != EINTR) {
                        int r = -errno;
                        return fail_set(fail, r, "%s: %s", path, strerror(-r));
                }
                used += n > 0 ? (size_t)n : 0;
        }
        text[used] = 0;
        *ret = TAKE(text);
        *ret_size = used;
        return 0;
}

bool word_in(const char *word, const char *words) {
        size_t length = strlen(word);

        for (const char *p = words; p && *p;) {
                size_t n = strcspn(p, "|");
                if (n == length && strncasecmp(p, word, n) == 0)
                        return true;
                p += n + (p[n] == '|');
        }
        return false;
}

void config_line_done(struct config_line *line) {
        for (size_t i = 0; i < line->n; i++) {
                free(line->words[i].key);
                free(line->words[i].value);
        }
        free(line->words);
        free(line->file);
        *line = (struct config_line){ 0 };
}

/* Appends the physical line at c to buf without its comment; returns 1 if the line is continued. */
static int read_physical(struct cursor *c, char *buf, size_t *used) {
        const char *eol = memchr(c->p, '\n', (size_t)(c->end - c->p));
        const char *stop = eol ? eol : c->end;
        bool quoted = false;
        size_t n = *used;

        for (const char *p = c->p; p < stop; p++) {
                if (*p == '"')
                        quoted = !quoted;
                if (*p == '#' && !quoted)
                        break;
                if (*p == '\\' && p + 1 < stop && p[1] == '#')
                        p++;
                buf[n++] = *p;
        }
        c->p = eol ? eol + 1 : c->end;
        while (n > *used && isspace((unsigned char)buf[n - 1]))
                n--;
        int more = n > *used && buf[n - 1] == '\\';
        if (more)
                buf[n - 1] = '\n';
        *used = n;
        return more;
}

static void skip_space(struct cursor *c) {
        for (; isspace((unsigned char)*c->p); c->p++)
                c->line += *c->p == '\n';
}

static int line_take_value(struct cursor *c, char **ret, struct fail *fail) {
        const char *from = c->p, *to;

        if (*from == '"') {
                to = strchr(++from, '"');
                if (!to)
                        return fail_set(fail, -EINVAL, "a quote is not closed");
                c->p = to + 1;
                if (*c->p && !isspace((unsigned char)*c->p))
                        return fail_set(fail, -EINVAL, "white space is missing behind a quote");
        } else {
                to = from + strcspn(from, " \t\n\r\v\f");
                c->p = to;
        }
        *ret = xstrndup(from, (size_t)(to - from));
        return 0;
}

static int line_take_word(struct cursor *c, struct config_line *line, struct fail *fail) {
        unsigned at = c->line;
        const char *key = c->p;
        char *value = NULL;

        while (isalnum((unsigned char)*c->p) || *c->p == '_')
                c->p++;
        size_t length = (size_t)(c->p - key);
        skip_space(c);
        if (length == 0 || *c->p != '=')
                return fail_set(fail, -EINVAL, "\"%.*s\" is not Key=Value",
                                (int)MIN(length ? length : strcspn(key, " \t\n\r\v\f"),
                                                (size_t)100),
                                key);
        c->p++;
        skip_space(c);
        int r = line_take_value(c, &value, fail);
        if (r < 0)
                return fail_prefix(fail, r, "%.*s", (int)MIN(length, (size_t)100), key);
        GROW(line->words, line->allocated, line->n);
        line->words[line->n++] = (struct config_word){ xstrndup(key, length), value, at };
        return 0;
}

/* *ret_inside: a fault inside the included file, which already names its place. */
static int read_include(struct reader *rd, struct cursor *c, int *ret_inside, struct fail *fail) {
        _cleanup_free_ char *name = NULL, *path = NULL, *text = NULL;
        size_t size;

        int r = line_take_value(c, &name, fail);
        if (r < 0)
                return r;
        skip_space(c);
        if (!*name || *c->p)
                return fail_set(fail, -EINVAL, "Include takes one file name");
        if (!rd->dir)
                return fail_set(fail, -EINVAL, "Include is not possible here");
        if (rd->depth >= INCLUDE_DEPTH || ++rd->files > INCLUDE_MAX)
                return fail_set(fail, -ELOOP,
                                "Include %.100s: more than %d files deep or %d files in all", name,
                                INCLUDE_DEPTH, INCLUDE_MAX);
        path = *name == '/' ? xstrdup(name) : xasprintf("%s/%s", rd->dir, name);
        r = config_load(path, &text, &size, fail);
        if (r < 0)
                return fail_prefix(fail, r, "Include");
        rd->depth++;
        *ret_inside = lines_read_text(rd, path, text, size, fail);
        rd->depth--;
        return 0;
}

static bool is_include(const char *p) {
        if (strncasecmp(p, "include", 7) != 0 || !isspace((unsigned char)p[7]))
                return false;
        p += 7 + strspn(p + 7, " \t\n\r\v\f");
        return *p && *p != '=';
}

/* Reads one joined line and ends it with NUL. */
static int read_joined(struct reader *rd, struct cursor *c, struct fail *fail) {
        struct config_line line = { 0 };
        int r = 0;

        skip_space(c);
        if (!*c->p)
                return 0;
        if (is_include(c->p)) {
                unsigned at = c->line;
                c->p += 7;
                skip_space(c);
                int inside = 0;
                r = read_include(rd, c, &inside, fail);
                return r < 0 ? fail_prefix(fail, r, "%s line %u", c->file, at) : inside;
        }
        line.file = xstrdup(c->file);
        for (; r >= 0 && *c->p; skip_space(c)) {
                unsigned at = c->line;
                r = line_take_word(c, &line, fail);
                if (r < 0)
                        fail_prefix(fail, r, "%s line %u", c->file, at);
        }
        if (r >= 0)
                r = rd->handle(&line, rd->userdata, fail);
        config_line_done(&line);
        return r;
}

int config_is_text(const char *file, const char *text, size_t size, struct fail *fail) {
        const char *zero = memchr(text, 0, size);
        size_t line = 1;

        for (const char *p = text; zero && p < zero; p++)
                line += *p == '\n';
        return zero ? fail_set(fail, -EINVAL, "%s line %zu: a zero byte: it is not a text file",
                                      file, line)
                    : 0;
}

/* Returns the length of a byte order mark, which some editors put at the start of UTF-8 files. */
static size_t mark_length(const char *text, size_t size) {
        static const char mark[] = "\xef\xbb\xbf";

        return size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

static int lines_read_text(struct reader *rd, const char *file, const char *text, size_t size,
                struct fail *fail) {
        size_t mark = mark_length(text, size);
        struct cursor c = { file, text + mark, text + size, 1 };
        _cleanup_free_ char *buf = NULL;
        int failed = config_is_text(file, text, size, fail);

        if (failed < 0)
                return failed;
        buf = xmalloc(size + 2);
        while (c.p < c.end) {
                unsigned lines = 1;
                size_t used = 0;
                while (read_physical(&c, buf, &used) && c.p < c.end)
                        lines++;
                buf[used] = 0;
                struct cursor joined = { file, buf, buf + used, c.line };
                c.line += lines;
                int r = read_joined(rd, &joined, fail);
                if (r < 0 && !fail_keep(fail))
                        return r;
                failed = failed ? failed : r;
        }
        return failed;
}

int config_lines(const char *file, const char *dir, const char *text, size_t size,
                config_line_t handle, void *userdata, struct fail *fail) {
        struct reader rd = { .handle = handle, .userdata = userdata, .dir = dir };

        assert(file);
        assert(text);
        assert(handle);

        if (size > CONFIG_SIZE_MAX)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", file, CONFIG_SIZE_MAX);
        return lines_read_text(&rd, file, text, size, fail);
}
