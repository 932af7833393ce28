/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/plugins/plugstack.h"

#include "lib/config/config_private.h"
#include "lib/trusted.h"

#include <glob.h>

#define PLUGINS_MAX   256  /* in all files */
#define WORDS_MAX     256  /* on one line */
#define LINE_SIZE_MAX 8192 /* bytes */
#define DEPTH_MAX     8    /* nested includes */

/* ---- the text ---- */

struct place {
        struct plugstack *p;
        const char *file, *dir;
        unsigned line;
        plugstack_include_t *include;
        void *user;
};

/* Returns the path of name in the first folder of dirs that has the file, else in the first
   folder. */
static char *plugin_path_find(const char *dirs, const char *name) {
        for (const char *p = dirs;;) {
                size_t n = strcspn(p, ":");
                char *path = xasprintf("%.*s/%s", (int)n, p, name);

                if (!strchr(dirs, ':') || access(path, F_OK) == 0)
                        return path;
                free(path);
                if (!p[n])
                        return xasprintf("%.*s/%s", (int)strcspn(dirs, ":"), dirs, name);
                p += n + 1;
        }
}

static int plugstack_add(const struct place *at, bool required, char **words, size_t n,
                struct fail *fail) {
        struct plugstack *p = at->p;

        if (n == 0)
                return fail_set(fail, -EINVAL, "the path of a plug-in is missing");
        if (p->n == PLUGINS_MAX)
                return fail_set(fail, -E2BIG, "more than %d plug-ins", PLUGINS_MAX);
        if (*words[0] != '/' && isempty(at->dir))
                return fail_set(fail, -EINVAL, "%.200s is relative, and there is no PluginDir",
                                words[0]);
        GROW(p->list, p->allocated, p->n);
        struct plugstack_entry *e = &p->list[p->n++];
        *e = (struct plugstack_entry){
                .required = required,
                .path = *words[0] == '/' ? xstrdup(words[0]) : plugin_path_find(at->dir, words[0]),
                .argv = xnew0(char *, n),
                .argc = (int)n - 1,
                .file = xstrdup(at->file),
                .line = at->line,
        };
        for (size_t i = 1; i < n; i++)
                e->argv[i - 1] = xstrdup(words[i]);
        return 0;
}

static int plugstack_include(const struct place *at, char **words, size_t n, struct fail *fail) {
        if (n != 1)
                return fail_set(fail, -EINVAL, "include takes one pattern of files");
        if (!at->include)
                return fail_set(fail, -EINVAL,
                                "include %.200s: this text has no folder to look in; write "
                                "the lines of that file instead",
                                words[0]);
        return at->include(at->p, words[0], at->user, fail);
}

static int plugstack_take_line(const struct place *at, char *line, struct fail *fail) {
        char *words[WORDS_MAX], *save = NULL;
        size_t n = 0;

        line[strcspn(line, "#")] = 0;
        for (char *w = strtok_r(line, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
                if (n == WORDS_MAX)
                        return fail_set(fail, -E2BIG, "more than %d words", WORDS_MAX);
                words[n++] = w;
        }
        if (n == 0)
                return 0;
        if (streq(words[0], "required") || streq(words[0], "optional"))
                return plugstack_add(at, *words[0] == 'r', words + 1, n - 1, fail);
        if (streq(words[0], "include"))
                return plugstack_include(at, words + 1, n - 1, fail);
        return fail_set(fail, -EINVAL, "\"%.100s\": required, optional or include was expected",
                        words[0]);
}

int plugstack_parse(struct plugstack *p, const char *file, const char *text, size_t size,
                const char *dir, plugstack_include_t *how, void *user, struct fail *fail) {
        struct place at = { p, file, dir, 0, how, user };
        int r = config_is_text(file, text, size, fail);

        if (r < 0)
                return r;
        for (const char *s = text, *end = text + size; s < end;) {
                const char *stop = memchr(s, '\n', (size_t)(end - s));
                size_t n = (size_t)((stop ? stop : end) - s);
                _cleanup_free_ char *line = xstrndup(s, MIN(n, (size_t)LINE_SIZE_MAX));

                at.line++;
                r = n > LINE_SIZE_MAX
                                    ? fail_set(fail, -E2BIG, "longer than %d bytes", LINE_SIZE_MAX)
                                    : plugstack_take_line(&at, line, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s line %u", file, at.line);
                s += n + 1;
        }
        return 0;
}

void plugstack_done(struct plugstack *p) {
        for (size_t i = 0; i < p->n; i++) {
                struct plugstack_entry *e = &p->list[i];

                texts_free(e->argv, e->argc);
                free(e->path);
                free(e->file);
        }
        free(p->list);
        *p = (struct plugstack){ 0 };
}

/* ---- the files ---- */

int plugstack_check_file(const char *path, uid_t owner, struct fail *fail) {
        int r = trusted_file(path, owner, fail);

        if (r == -ENOENT)
                return fail_set(fail, r, "%.200s: %s", path, strerror(-r));
        return r == -EPERM ? fail_prefix(fail, r, "%.200s is not used", path) : r;
}

struct reading {
        const char *path, *dir;
        uid_t owner;
        unsigned depth;
};

static int plugstack_read_file(struct plugstack *p, const struct reading *from, struct fail *fail);

static int include_files(struct plugstack *p, const char *pattern, void *user, struct fail *fail) {
        const struct reading *from = user;
        _cleanup_free_ char *folder = config_folder(from->path),
                            *whole = *pattern == '/' ? xstrdup(pattern)
                                                     : xasprintf("%s/%s", folder, pattern);
        glob_t found;
        int r = 0;

        if (from->depth == DEPTH_MAX)
                return -ELOOP;
        int n = glob(whole, GLOB_ERR, NULL, &found);
        if (n == GLOB_NOMATCH && !strpbrk(pattern, "*?["))
                return fail_set(fail, -EINVAL, "include %.200s: there is no such file", pattern);
        if (n == GLOB_NOMATCH)
                return 0;
        if (n != 0)
                return fail_set(fail, -EIO, "include %.200s: the folder cannot be read", pattern);
        for (size_t i = 0; r >= 0 && i < found.gl_pathc; i++) {
                struct reading next = { found.gl_pathv[i], from->dir, from->owner,
                        from->depth + 1 };
                r = plugstack_read_file(p, &next, fail);
                r = r == -ENOENT ? -ESTALE : r; /* only the first file may be missing */
        }
        globfree(&found);
        /* reported at the first file: the full list of names would be too long */
        return r == -ELOOP ? fail_set(fail, r, "files include each other more than %d deep",
                                             DEPTH_MAX)
                           : r;
}

static int plugstack_read_file(struct plugstack *p, const struct reading *from, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(from->path, &text, &size, fail);

        if (r >= 0)
                r = plugstack_check_file(from->path, from->owner, fail);
        if (r < 0)
                return r;
        return plugstack_parse(p, from->path, text, size, from->dir, include_files,
                        (void *)(uintptr_t)from, fail);
}

int plugstack_read(struct plugstack *p, const char *path, const char *dir, uid_t owner,
                struct fail *fail) {
        struct reading from = { path, dir, owner, 0 };

        return plugstack_read_file(p, &from, fail);
}

/* ---- links for commands ---- */

char *cli_filter_link(const char *socket) {
        return xasprintf("%s.cli_filter", socket);
}

char *plugstack_link(const char *socket) {
        return xasprintf("%s.plugstack", socket);
}

char *plugstack_dir_link(const char *socket) {
        return xasprintf("%s.plugins", socket);
}

/* Replaces a link atomically: a command finds the old or the new target. */
static int set_link(const char *at, const char *to, struct fail *fail) {
        _cleanup_free_ char *next = xasprintf("%s~", at);
        char now[4096];
        ssize_t n = readlink(at, now, sizeof now);

        if (n == (ssize_t)strlen(to) && memcmp(now, to, (size_t)n) == 0)
                return 0;
        (void)unlink(next);
        if (symlink(to, next) < 0 || rename(next, at) < 0)
                return fail_set(fail, -errno, "cannot make the link %s: %s", at, strerror(errno));
        return 0;
}

static int remove_link(const char *at, struct fail *fail) {
        return unlink(at) == 0 || errno == ENOENT
                               ? 0
                               : fail_set(fail, -errno, "cannot remove the link %s: %s", at,
                                                 strerror(errno));
}

int plugstack_publish(const char *socket, const char *path, const char *dir, const char *filter,
                struct fail *fail) {
        _cleanup_free_ char *file = plugstack_link(socket), *folder = plugstack_dir_link(socket),
                            *script = cli_filter_link(socket);
        int r = isempty(filter) ? remove_link(script, fail) : set_link(script, filter, fail);

        if (r >= 0)
                r = set_link(folder, dir, fail);
        return r < 0 ? r : set_link(file, path, fail);
}
