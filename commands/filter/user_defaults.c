/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/filter/user_defaults.h"

#include "commands/jobspec/jobspec_rows.h"
#include "lib/printable.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>

#define ALL_COMMANDS (JOB_SBATCH | JOB_SRUN | JOB_SALLOC)

static const struct {
        const char *name;
        unsigned bits;
} commands[] = {
        { "", ALL_COMMANDS },
        { "*", ALL_COMMANDS },
        { "sbatch", JOB_SBATCH },
        { "srun", JOB_SRUN },
        { "salloc", JOB_SALLOC },
};

/* ---- reading ---- */

/* Removes surrounding white space in place. */
static char *user_defaults_trim(char *text) {
        size_t n;

        while (isspace((unsigned char)*text))
                text++;
        for (n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
                text[n - 1] = 0;
        return text;
}

static bool user_default_is_option(const char *name) {
        return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == 0 &&
               *name != '-';
}

static int user_default_parse_command(struct user_default *row, const char *name,
                struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                if (streq(commands[i].name, name)) {
                        row->commands = commands[i].bits;
                        row->named = commands[i].bits != ALL_COMMANDS;
                        return 0;
                }
        return fail_set(fail, -EINVAL,
                        "\"%.100s\" is no command: sbatch, srun, salloc or * was expected", name);
}

/* Parses "salloc:*:partition=debug" or "partition = debug". */
static int user_default_parse_line(struct user_default *row, char *line, struct fail *fail) {
        char *equals = strchr(line, '=');
        int r = 0;

        if (equals)
                *equals++ = 0;
        char *colon = strchr(line, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;
        *row = (struct user_default){ .commands = ALL_COMMANDS,
                .value = equals ? user_defaults_trim(equals) : "" };
        if (second)
                *second = 0;
        if (colon)
                *colon = 0;
        if (second) {
                const char *cluster = user_defaults_trim(colon + 1);
                row->cluster = *cluster && !streq(cluster, "*") ? cluster : NULL;
        }
        row->option = user_defaults_trim(second ? second + 1 : colon ? colon + 1 : line);
        if (colon)
                r = user_default_parse_command(row, user_defaults_trim(line), fail);
        if (r >= 0 && !user_default_is_option(row->option))
                r = fail_set(fail, -EINVAL,
                                "\"%.100s\" is no option: COMMAND:CLUSTER:OPTION=VALUE was expected",
                                row->option);
        if (r >= 0 && has_control(row->value))
                r = fail_set(fail, -EINVAL, "%.100s: a control character", row->option);
        return r;
}

static int user_defaults_add_line(struct user_defaults *d, unsigned number, char *text,
                struct fail *fail) {
        char *line = user_defaults_trim(text);

        if (!*line || *line == '#')
                return 0;
        if (d->n == USER_DEFAULTS_ROWS)
                return fail_set(fail, -E2BIG, "%s line %u: more than %d defaults", d->file, number,
                                USER_DEFAULTS_ROWS);
        if (d->n % 16 == 0)
                d->rows = xrenew(d->rows, d->n + 16);
        struct user_default *row = &d->rows[d->n++];
        int r = user_default_parse_line(row, line, fail);
        row->line = number;
        return r < 0 ? fail_prefix(fail, r, "%s line %u", d->file, number) : 0;
}

int user_defaults_parse(const char *file, const char *text, size_t size, struct user_defaults *ret,
                struct fail *fail) {
        unsigned number = 1;
        int r = 0;

        *ret = (struct user_defaults){ .file = xstrdup(file) };
        if (size > USER_DEFAULTS_SIZE)
                return fail_set(fail, -E2BIG, "%s: larger than %d bytes", file, USER_DEFAULTS_SIZE);
        if (memchr(text, 0, size))
                return fail_set(fail, -EINVAL, "%s: a byte of 0: text was expected", file);
        ret->text = xstrndup(text, size);
        for (char *p = ret->text, *next; r >= 0 && p; p = next, number++) {
                next = strchr(p, '\n');
                if (next)
                        *next++ = 0;
                r = user_defaults_add_line(ret, number, p, fail);
        }
        return r;
}

/* Reads a file of the user or root; another owner's contents cannot be trusted. */
static int user_defaults_read_file(const char *path, char *buf, size_t *ret_size,
                struct fail *fail) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        struct stat st;
        ssize_t n = 1;

        *ret_size = 0;
        if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
                return 0;
        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%s: not a regular file", path);
        if (st.st_uid != 0 && st.st_uid != geteuid())
                return fail_set(fail, -EPERM, "%s belongs to another user", path);
        while (n > 0 && *ret_size <= USER_DEFAULTS_SIZE) {
                n = read(fd, buf + *ret_size, USER_DEFAULTS_SIZE + 1 - *ret_size);
                if (n < 0)
                        return fail_set(fail, -errno, "%s: %s", path, strerror(errno));
                *ret_size += (size_t)n;
        }
        return 0;
}

int user_defaults_read(struct user_defaults *ret, struct fail *fail) {
        const char *home = getenv("HOME");
        size_t size = 0;

        *ret = (struct user_defaults){ 0 };
        if (!home || *home != '/')
                return 0;
        _cleanup_free_ char *path = xasprintf("%s/.slurm/defaults", home),
                            *buf = xmalloc(USER_DEFAULTS_SIZE + 2);
        int r = user_defaults_read_file(path, buf, &size, fail);
        return r < 0 ? r : user_defaults_parse(path, buf, size, ret, fail);
}

/* ---- applying defaults ---- */

static bool any_has(const char *option) {
        return job_options_has(JOB_SBATCH, option) || job_options_has(JOB_SRUN, option) ||
               job_options_has(JOB_SALLOC, option);
}

static bool user_default_is_yes(const char *value) {
        return !*value || streq(value, "yes") || streq(value, "true") || streq(value, "1") ||
               streq(value, "set");
}

static int user_default_set(const struct user_default *row, struct job_options *o,
                struct fail *fail) {
        /* "set" stands for no value (options_take_no_value()). */
        bool flag = job_options_take_no_value(o->command, row->option, ""),
             bare = job_options_take_no_value(o->command, row->option, "set");

        if (!job_options_has(o->command, row->option)) {
                if (!row->named && any_has(row->option))
                        return 0;
                return fail_set(fail, -EINVAL, "%s --%.100s",
                                row->named ? "this command has no option" : "no command has option",
                                row->option);
        }
        if (flag && !user_default_is_yes(row->value))
                return fail_set(fail, -EINVAL, "--%s takes no value, and there is \"%.100s\"",
                                row->option, row->value);
        if (!*row->value && !bare)
                return fail_set(fail, -EINVAL, "--%s needs a value", row->option);
        return job_options_set(o, row->option, flag || !*row->value ? "set" : row->value, fail);
}

int user_defaults_set(const struct user_defaults *d, const char *cluster, struct job_options *o,
                struct fail *fail) {
        for (size_t i = 0; i < d->n; i++) {
                const struct user_default *row = &d->rows[i];
                if (!(row->commands & o->command) ||
                                (row->cluster && !streq(row->cluster, cluster)))
                        continue;
                int r = user_default_set(row, o, fail);
                if (r != 0)
                        return r > 0 ? r
                                     : fail_prefix(fail, -EINVAL, "%s line %u", d->file, row->line);
        }
        return 0;
}

void user_defaults_done(struct user_defaults *d) {
        free(d->file);
        free(d->text);
        free(d->rows);
        *d = (struct user_defaults){ 0 };
}
