/* SPDX-License-Identifier: GPL-3.0-or-later */
/* story FILE...: tells each story in virtual time and compares what happens with what is written.
 * story --update FILE...: writes down what happens instead.
 * story --words: the commands.
 *
 * A story has lines "conf" ... "end" (slurm.conf, and with "yaml ", "gres.conf " or "topology.conf
 * " before it what stands in slumber.yaml or that file; a later block is a reconfigure at that
 * moment), "at TIME [COMMAND]", and below each command "> ..." what came to pass up to it and by
 * it.  Other lines are comments.  After every turn the rules of check.c must hold. */
#include "tests/scenario/story.h"

#include <stdarg.h>

struct teller {
        struct story s;
        const char *path;
        size_t line;
        char **written; /* the whole file as it should be */
        size_t n_written, a_written;
        char *failed;
};

void story_out(struct story *s, const char *format, ...) {
        va_list ap;

        GROW(s->out, s->a_out, s->n_out);
        va_start(ap, format);
        s->out[s->n_out++] = xvasprintf(format, ap);
        va_end(ap);
}

static void on_line(const char *line, void *user) {
        struct teller *t = user;

        story_out(&t->s, "%s", line);
}

static void on_turn(struct world *w, void *user) {
        struct teller *t = user;
        char *wrong = t->failed ? NULL : world_check(w);

        if (wrong) {
                story_out(&t->s, "WRONG: %s", wrong);
                t->failed = wrong;
        }
}

static bool on_commit(struct world *w, void *user) {
        struct teller *t = user;

        records_commit(&t->s.store, w);
        return true;
}

static void write_line(struct teller *t, const char *prefix, const char *line) {
        GROW(t->written, t->a_written, t->n_written);
        t->written[t->n_written++] = xasprintf("%s%s", prefix, line);
}

/* What happened goes below the command. */
static void flush_out(struct teller *t) {
        for (size_t i = 0; i < t->s.n_out; i++) {
                write_line(t, "> ", t->s.out[i]);
                free(t->s.out[i]);
        }
        t->s.n_out = 0;
}

/* Words are separated by blanks; "several words" in quotes are one.  WORDS_MAX + 1: too many. */
static size_t split(char *line, char *words[WORDS_MAX + 1]) {
        size_t n = 0;

        for (char *p = line; *p && n <= WORDS_MAX;) {
                p += strspn(p, " ");
                if (!*p)
                        break;
                char end = *p == '"' ? '"' : ' ';
                p += *p == '"';
                words[n++] = p;
                p = strchrnul(p, end);
                if (*p)
                        *p++ = 0;
        }
        return n;
}

static int at(struct teller *t, const char *line, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(line);
        char *words[WORDS_MAX + 1], *end;
        size_t n = split(copy, words);

        if (!t->s.w)
                return fail_set(fail, -EINVAL, "no conf block stands before this");
        if (n > WORDS_MAX)
                return fail_set(fail, -EINVAL, "a line has %d words at most", WORDS_MAX);
        double when = n > 1 ? strtod(words[1], &end) : -1;
        usec_t then = t->s.w->start + (usec_t)(when * 1e6 + 0.5);
        if (when < 0 || !streq(end, "s") || then < t->s.w->now)
                return fail_set(fail, -EINVAL,
                                "at wants a time in seconds, not before the last: at 12.5s");
        world_advance(t->s.w, then);
        if (n == 2)
                return 0;
        int r = story_command(&t->s, words + 2, n - 2, fail);
        if (r >= 0)
                world_turn(t->s.w);
        return r;
}

static int configure(struct teller *t, const char *conf, struct fail *fail) {
        if (!t->s.w) {
                int r = world_new(conf, &t->s.w, fail);
                if (r < 0)
                        return r;
                t->s.w->tell = on_line;
                t->s.w->after_turn = on_turn;
                t->s.w->commit = on_commit;
                t->s.w->user = t;
                world_turn(t->s.w);
                return 0;
        }
        struct fail why = { 0 };
        if (world_reconfigure(t->s.w, conf, &why) < 0)
                story_out(&t->s, "refused: %s", why.text);
        world_turn(t->s.w);
        return 0;
}

/* The lines of a conf block, the node's machine room around them. */
static int conf_block(struct teller *t, char **lines, size_t n, size_t *i, struct fail *fail) {
        _cleanup_free_ char *conf = xstrdup(
                        "ClusterName=story\nSlurmctldHost=localhost\nSlurmUser=root\n"
                        "StateSaveLocation=/tmp/story-state\n");

        for (; ++*i < n && !streq(lines[*i], "end");) {
                _cleanup_free_ char *before_it = conf;
                write_line(t, "", lines[*i]);
                conf = xasprintf("%s%s\n", before_it, lines[*i]);
        }
        if (*i == n)
                return fail_set(fail, -EINVAL, "a conf block has no end");
        write_line(t, "", lines[*i]);
        return configure(t, conf, fail);
}

static int tell_story(struct teller *t, char **lines, size_t n, struct fail *fail) {
        for (size_t i = 0; i < n; i++) {
                int r = 0;
                t->line = i + 1;
                if (lines[i][0] == '>')
                        continue; /* compared as a whole at the end */
                write_line(t, "", lines[i]);
                if (streq(lines[i], "conf"))
                        r = conf_block(t, lines, n, &i, fail);
                else if (strncmp(lines[i], "at ", 3) == 0)
                        r = at(t, lines[i], fail);
                if (r < 0)
                        return r;
                flush_out(t);
        }
        return 0;
}

static char **read_lines(const char *path, size_t *ret_n) {
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char **lines = NULL, *line = NULL;
        size_t n = 0, allocated = 0, size = 0;

        if (!f) {
                fprintf(stderr, "%s: %m\n", path);
                exit(1);
        }
        while (getline(&line, &size, f) >= 0) {
                line[strcspn(line, "\n")] = 0;
                GROW(lines, allocated, n);
                lines[n++] = xstrdup(line);
        }
        free(line);
        *ret_n = n;
        return lines;
}

static void free_lines(char **lines, size_t n) {
        for (size_t i = 0; i < n; i++)
                free(lines[i]);
        free(lines);
}

static bool compare(const struct teller *t, char **lines, size_t n) {
        for (size_t i = 0; i < MAX(n, t->n_written); i++) {
                const char *want = i < n ? lines[i] : "(the end)";
                const char *got = i < t->n_written ? t->written[i] : "(the end)";
                if (streq(want, got))
                        continue;
                fprintf(stderr, "%s:%zu:\n  written   %s\n  happened  %s\n", t->path, i + 1, want,
                                got);
                return false;
        }
        return true;
}

static bool update(const struct teller *t) {
        _cleanup_fclose_ FILE *f = fopen(t->path, "we");

        for (size_t i = 0; f && i < t->n_written; i++)
                fprintf(f, "%s\n", t->written[i]);
        return f && fflush(f) == 0;
}

static bool run(const char *path, bool updating) {
        struct teller t = { .path = path };
        struct fail fail = { 0 };
        size_t n = 0;
        char **lines = read_lines(path, &n);
        bool good = tell_story(&t, lines, n, &fail) >= 0;

        if (!good)
                fprintf(stderr, "%s:%zu: %s\n", path, t.line, fail.text);
        else
                good = updating ? update(&t) : compare(&t, lines, n);
        if (t.failed)
                fprintf(stderr, "%s: %s\n", path, t.failed);
        good = good && !t.failed;
        world_free(t.s.w);
        records_done(&t.s.store);
        free(t.failed);
        free_lines(t.s.out, t.s.n_out);
        free_lines(t.written, t.n_written);
        free_lines(lines, n);
        return good;
}

int main(int argc, char **argv) {
        bool updating = argc > 1 && streq(argv[1], "--update"), good = true;
        int first = 1 + updating;

        if (argc == 2 && streq(argv[1], "--words")) {
                story_words(stdout);
                return 0;
        }
        if (first >= argc) {
                fprintf(stderr, "usage: story [--update] FILE... | story --words\n");
                return 2;
        }
        for (int i = first; i < argc; i++)
                good = run(argv[i], updating) && good;
        return good ? 0 : 1;
}
