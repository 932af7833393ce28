/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses options by a table.
 *
 * options_parse() makes the two arrays of getopt_long() from the rows and lets getopt walk through
 * argv: abbreviations, clusters of letters and "--" work as usual. Each option found goes to
 * option_apply(); options_set() also uses option_apply(), for values from the environment.
 *
 * Invariant: getopt returns VAL_ROW + index of the row for long options (the first row of several
 * consecutive spellings) and the letter for short ones; each letter is in one row only (the unit
 * test of options checks each table). */
#include "lib/options.h"

#include "lib/fold.h"

#include "lib/printable.h"

#include <getopt.h>

#define VAL_ROW   0x100
#define SEEN_FLAG "set" /* value in seen[] of an option without a value */

/* Number of arguments of each kind of option, in getopt's constants. */
static const int arguments[OPTION_KIND_MAX] = {
        [OPTION_TEXT] = required_argument,
        [OPTION_NUMBER] = required_argument,
        [OPTION_CALL] = required_argument,
        [OPTION_CALL_OPTIONAL] = optional_argument,
        [OPTION_IGNORED_ARG] = required_argument,
        [OPTION_REFUSED_ARG] = required_argument,
        [OPTION_REFUSED_OPTIONAL] = optional_argument,
        [OPTION_PLUGIN_ARG] = required_argument,
        [OPTION_PLUGIN_OPTIONAL] = optional_argument,
};

static void *option_field(const struct option_row *row, void *to) {
        return (char *)to + row->offset;
}

static int option_number_set(uint32_t *field, const char *value, struct fail *fail) {
        unsigned long long n;
        char *end;

        errno = 0;
        n = strtoull(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end || errno || n >= UINT32_MAX)
                return fail_set(fail, -EINVAL, "\"%s\" is not a number", value);
        *field = (uint32_t)n;
        return 0;
}

static int option_refuse(const struct option_row *row, struct fail *fail) {
        char letter[] = { row->letter, 0 };

        if (row->argument)
                return fail_set(fail, -ENOTSUP, "--%s is refused: %s", row->name, row->argument);
        return fail_set(fail, -ENOTSUP, "%s%s is not implemented by Slumber yet",
                        row->name ? "--" : "-", row->name ? row->name : letter);
}

static void option_version_print(const struct option_table *table, FILE *out) {
        if (table->own)
                fprintf(out, "%s %s\n", table->program, SLUMBER_VERSION);
        else
                options_version(out);
}

/* Returns 0, OPTIONS_DONE, or a negative errno with fail set. */
static int option_carry_out(const struct option_table *table, const struct option_row *row,
                const char *value, void *to, struct fail *fail) {
        void *field = option_field(row, to);

        switch (row->kind) {
        case OPTION_FLAG:
        case OPTION_UNFLAG:
                *(bool *)field = row->kind == OPTION_FLAG;
                return 0;
        case OPTION_COUNT:
                ++*(unsigned *)field;
                return 0;
        case OPTION_TEXT:
                *(const char **)field = value;
                return 0;
        case OPTION_NUMBER:
                return option_number_set(field, value, fail);
        case OPTION_CALL:
        case OPTION_CALL_FLAG:
        case OPTION_CALL_OPTIONAL:
                return row->set(field, value, fail);
        case OPTION_IGNORED:
        case OPTION_IGNORED_ARG:
                return 0;
        case OPTION_PLUGIN:
        case OPTION_PLUGIN_ARG:
        case OPTION_PLUGIN_OPTIONAL:
                return table->plugin(row->offset - OPTION_PLUGINS, value, fail);
        case OPTION_HELP:
                options_help(table, stdout);
                return OPTIONS_DONE;
        case OPTION_USAGE:
                options_usage(table, stdout);
                return OPTIONS_DONE;
        case OPTION_VERSION:
                option_version_print(table, stdout);
                return OPTIONS_DONE;
        case OPTION_REFUSED:
        case OPTION_REFUSED_ARG:
        case OPTION_REFUSED_OPTIONAL:
        case OPTION_KIND_MAX:
                break;
        }
        return option_refuse(row, fail);
}

/* Applies one option, unless skipped, and records the value in table->seen; returns the result of
   option_carry_out(). */
static int option_apply(const struct option_table *table, const struct option_row *row,
                const char *value, void *to, struct fail *fail) {
        static const char *const counts[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
        bool skip = table->skip && table->skip[row - table->rows];
        int r = skip ? 0 : option_carry_out(table, row, value, to, fail);

        if (skip)
                return 0;
        if (r != 0 || !table->seen || !row->name)
                return r;
        const char *shown = value ? value : SEEN_FLAG;
        if (row->kind == OPTION_COUNT)
                shown = counts[MIN(*(unsigned *)option_field(row, to),
                                (unsigned)ELEMENTSOF(counts) - 1)];
        table->seen[row - table->rows] = shown;
        return 0;
}

/* True if row is another spelling of the preceding row: an abbreviation of both is not
   ambiguous. */
static bool is_spelling(const struct option_row *row, const struct option_row *first) {
        return row > first && row->name && row[-1].name && row->set == row[-1].set &&
               row->offset == row[-1].offset && row->kind == row[-1].kind &&
               row->kind < OPTION_IGNORED;
}

static void fill_getopt(const struct option_table *table, struct option *longs, char *shorts) {
        const struct option *before = NULL;

        if (table->stop)
                *shorts++ = '+';
        *shorts++ = ':'; /* suppresses getopt's own messages; option_complain() writes messages */
        for (size_t i = 0; i < table->n_rows; i++) {
                const struct option_row *row = &table->rows[i];
                int argument = arguments[row->kind];

                if (row->name) {
                        int val = is_spelling(row, table->rows) ? before->val : VAL_ROW + (int)i;

                        *longs = (struct option){ row->name, argument, NULL, val };
                        before = longs++;
                }
                if (!row->letter)
                        continue;
                *shorts++ = row->letter;
                for (int n = 0; n < argument; n++) /* required is 1, optional 2 */
                        *shorts++ = ':';
        }
        *longs = (struct option){ 0 };
        *shorts = 0;
}

static const struct option_row *option_row_of(const struct option_table *table, int val) {
        if (val >= VAL_ROW)
                return &table->rows[val - VAL_ROW];
        for (size_t i = 0; i < table->n_rows; i++)
                if (table->rows[i].letter == val)
                        return &table->rows[i];
        return NULL;
}

static int option_row_by_name(const void *a, const void *b) {
        const struct option_row *const *x = a, *const *y = b;

        return strcmp((*x)->name, (*y)->name);
}

/* Sets ret to the rows in the order of --help. Parsing does not need the order, thus saves the
   sorting. */
static void option_rows_list(const struct option_table *table,
                const struct option_row *ret[static OPTION_ROWS_MAX]) {
        assert(table->n_rows <= OPTION_ROWS_MAX);
        assert(table->n_by_name <= table->n_rows);

        for (size_t i = 0; i < table->n_rows; i++)
                ret[i] = &table->rows[i];
        list_sort(ret, table->n_by_name, sizeof ret[0], option_row_by_name);
}

static void complain_long(const struct option_table *table, const char *word) {
        const struct option_row *rows[OPTION_ROWS_MAX];
        size_t n = strcspn(word + 2, "=");
        bool first = true;

        option_rows_list(table, rows);
        for (size_t i = 0; i < table->n_rows; i++) {
                const char *name = rows[i]->name;

                if (!name || strncmp(name, word + 2, n) != 0)
                        continue;
                if (first)
                        printable_fprintf(stderr, "%s: option '%s' is ambiguous; possibilities:",
                                        table->program, word);
                fprintf(stderr, " '--%s'", name);
                first = false;
        }
        if (first)
                printable_fprintf(stderr, "%s: unrecognized option '%s'\n", table->program, word);
        else
                fputc('\n', stderr);
}

/* Writes the message of glibc's getopt, with any C library. result ':': missing argument; word:
   last argument read. */
static void option_complain(const struct option_table *table, int result, const char *word) {
        const char *name = optopt >= VAL_ROW ? table->rows[optopt - VAL_ROW].name : NULL;

        if (name && result == ':')
                fprintf(stderr, "%s: option '--%s' requires an argument\n", table->program, name);
        else if (name)
                fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", table->program,
                                name);
        else if (optopt == 0)
                complain_long(table, word);
        else if (result == ':')
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", table->program,
                                optopt);
        else
                fprintf(stderr, "%s: invalid option -- '%c'\n", table->program, optopt);
}

static void try_help(const struct option_table *table) {
        fprintf(stderr, "Try \"%s --help\" for more information\n", table->program);
}

int options_error(const struct option_table *table, const char *format, ...) {
        va_list ap;

        fprintf(stderr, "%s: error: ", table->program);
        va_start(ap, format);
        printable_vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
        try_help(table);
        return -EINVAL;
}

int options_only(const struct option_table *table, int argc, char **argv, void *to) {
        int first, r = options_parse(table, argc, argv, to, &first);

        if (r == 0 && first < argc)
                return options_error(table, "unexpected argument \"%s\"", argv[first]);
        return r;
}

int options_parse(const struct option_table *table, int argc, char **argv, void *to,
                int *ret_first) {
        struct option longs[OPTION_ROWS_MAX + 1];
        char shorts[3 * OPTION_ROWS_MAX + 3];
        struct fail fail = { 0 };
        int val, r;

        assert(table->n_rows <= OPTION_ROWS_MAX);

        fill_getopt(table, longs, shorts);
        optind = 0; /* glibc: restart, also in repeated calls */
        while ((val = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
                const struct option_row *row = option_row_of(table, val);

                if (!row) {
                        option_complain(table, val, argv[optind - 1]);
                        try_help(table);
                        return -EINVAL;
                }
                r = option_apply(table, row, optarg, to, &fail);
                if (r < 0)
                        printable_fprintf(stderr, "%s: error: %s\n", table->program, fail.text);
                if (r != 0)
                        return r;
        }
        *ret_first = optind;
        return 0;
}

int options_set(const struct option_table *table, const char *name, const char *value, void *to,
                struct fail *fail) {
        for (size_t i = 0; i < table->n_rows; i++) {
                const struct option_row *row = &table->rows[i];

                if (!row->name || !streq(row->name, name))
                        continue;
                if (!value && arguments[row->kind] == required_argument)
                        return fail_set(fail, -EINVAL, "option '--%s' requires an argument", name);
                return option_apply(table, row, value, to, fail);
        }
        return fail_set(fail, -ENOENT, "unknown option --%s", name);
}

static char *value_shown(const struct option_table *table, const char *name, const char *value) {
        char *text = NULL;

        for (size_t i = 0; i < table->n_shown && !text; i++)
                if (streq(table->shown[i].name, name))
                        text = table->shown[i].text(streq(value, SEEN_FLAG) ? NULL : value);
        return text ? text : xstrdup(value);
}

static void say_value(const struct option_table *table, const struct option_row *row,
                const char *value, FILE *out) {
        _cleanup_free_ char *text = value_shown(table, row->name, value);

        fprintf(out, "%s: %-20s: %s\n", table->program, row->name, text);
}

bool options_take_no_value(const struct option_table *table, const char *name, const char *value) {
        for (size_t i = 0; i < table->n_rows; i++)
                if (streq(strempty(table->rows[i].name), name)) {
                        int argument = arguments[table->rows[i].kind];
                        return argument == no_argument ||
                               (argument == optional_argument && streq(value, SEEN_FLAG));
                }
        return false;
}

char *options_value(const struct option_table *table, const char *const *where, const char *name) {
        for (size_t i = 0; i < table->n_rows; i++)
                if (where[i] && streq(strempty(table->rows[i].name), name))
                        return value_shown(table, name, where[i]);
        return NULL;
}

void options_say(const struct option_table *table, FILE *out) {
        static const char rule[] = "-------------------- --------------------";
        const struct option_row *rows[OPTION_ROWS_MAX];

        option_rows_list(table, rows);
        fprintf(out, "%s: defined options\n%s: %s\n", table->program, table->program, rule);
        for (size_t i = 0; i < table->n_rows; i++) {
                const char *seen = table->seen[rows[i] - table->rows];

                if (seen)
                        say_value(table, rows[i], seen, out);
        }
        fprintf(out, "%s: %s\n%s: end of defined options\n", table->program, rule, table->program);
}

static const char *seen_of(const struct option_table *table, const char *name) {
        for (size_t i = 0; i < table->n_rows; i++)
                if (table->rows[i].name && streq(table->rows[i].name, name))
                        return table->seen[i];
        return NULL;
}

void options_say_settings(const struct option_table *table, const struct option_setting *settings,
                size_t n, FILE *out) {
        static const char rule[] = "-----------------------------";

        fprintf(out, "%s\n", rule);
        for (size_t i = 0; i < n; i++) {
                const struct option_setting *s = &settings[i];
                const char *value = s->name ? seen_of(table, s->name) : NULL;

                if (value && streq(value, SEEN_FLAG))
                        value = streq(s->unset, "false") ? "true" : "1";
                fprintf(out, "%-11s = %s\n", s->label, value ? value : s->unset);
        }
        fprintf(out, "%s\n", rule);
}

static bool option_is_refused(const struct option_row *row) {
        return row->kind == OPTION_REFUSED || row->kind == OPTION_REFUSED_ARG ||
               row->kind == OPTION_REFUSED_OPTIONAL;
}

static bool of_plugin(const struct option_row *row) {
        return row->kind >= OPTION_PLUGIN && row->kind <= OPTION_PLUGIN_OPTIONAL;
}

#define HEAD_WIDTH                                                                                 \
        29 /* columns of an option with its argument; the help of a longer one begins below */

/* Further lines of a plug-in's help are indented below the first; other help texts become one line,
   to be folded. */
static void help_text(const struct option_row *row, int column, FILE *out) {
        for (const char *p = row->help; *p; p++)
                if (*p == '\n' && of_plugin(row))
                        fprintf(out, "\n%*s", column, "");
                else
                        fputc(*p == '\n' ? ' ' : *p, out);
        fputc('\n', out);
}

static void help_row(const struct option_row *row, const char *indent, FILE *out) {
        const char *argument = row->argument ? row->argument : "value";
        char head[128], letter[5] = "    ";
        int kind = arguments[row->kind];

        if (row->letter)
                snprintf(letter, sizeof letter, "-%c%s", row->letter, row->name ? ", " : "");
        snprintf(head, sizeof head, "%s%s%s%s%s%s", letter, row->name ? "--" : "",
                        row->name ? row->name : "",
                        kind == no_argument         ? ""
                        : kind == optional_argument ? "[="
                        : row->name                 ? "="
                                                    : " ",
                        kind == no_argument ? "" : argument, kind == optional_argument ? "]" : "");
        int column = (int)strlen(indent) + HEAD_WIDTH + 1;
        if (strlen(head) > HEAD_WIDTH)
                fprintf(out, "%s%s\n%*s", indent, head, column, "");
        else
                fprintf(out, "%s%-*s ", indent, HEAD_WIDTH, head);
        help_text(row, column, out);
}

static bool in_section(const struct option_row *row, const struct option_section *section) {
        for (size_t i = 0; row->name && section->names[i]; i++)
                if (streq(section->names[i], row->name))
                        return true;
        return false;
}

/* Returns the section of a row: those of the table, then "Help options:", then (in tables with
 * sections) "Other options:" with the version, then plug-ins' options; -1: the leading part without
 * section. */
static int section_of(const struct option_table *table, const struct option_row *row) {
        if (row->kind == OPTION_HELP || row->kind == OPTION_USAGE)
                return (int)table->n_sections;
        if (row->kind == OPTION_VERSION && table->n_sections)
                return (int)table->n_sections + 1;
        if (of_plugin(row))
                return (int)table->n_sections + 2;
        for (size_t i = 0; i < table->n_sections; i++)
                if (in_section(row, &table->sections[i]))
                        return (int)i;
        return -1;
}

static void help_section(const struct option_table *table, const struct option_row *const *rows,
                int section, const char *heading, FILE *out) {
        bool first = true;

        for (size_t i = 0; i < table->n_rows; i++) {
                if (!rows[i]->help || option_is_refused(rows[i]) ||
                                section_of(table, rows[i]) != section)
                        continue;
                if (first && heading)
                        fprintf(out, "\n%s\n", heading);
                first = false;
                help_row(rows[i], "  ", out);
        }
}

/* --help of scontrol and sacctmgr: options, then commands. */
static void help_commands(const struct option_table *table, const struct option_row *const *rows,
                FILE *out) {
        fprintf(out, "%s [<OPTION>] [<COMMAND>]\n    Valid <OPTION> values are:\n", table->program);
        for (size_t i = 0; i < table->n_rows; i++)
                if (rows[i]->help && !option_is_refused(rows[i]))
                        help_row(rows[i], "     ", out);
        fprintf(out,
                        "\n  Without a <COMMAND>, %s reads commands from standard input, one a line,\n"
                        "  until its end, \"quit\" or \"exit\"; \"!!\" is the last one again.\n\n"
                        "    Valid <COMMAND> values are:\n",
                        table->program);
        table->commands(out);
}

static void help_write(const struct option_table *table, FILE *out) {
        const struct option_row *rows[OPTION_ROWS_MAX];
        int n = (int)table->n_sections;

        option_rows_list(table, rows);
        if (table->commands) {
                help_commands(table, rows, out);
                return;
        }
        if (table->synopsis)
                fputs(table->synopsis, out);
        else if (table->skeleton)
                fputs(table->skeleton, out);
        else
                fprintf(out, "Usage: %s [OPTIONS%s]%s%s\n", table->program,
                                table->stop ? "..." : "", table->operands ? " " : "",
                                table->operands ? table->operands : "");
        fputs(table->about ? table->about : "", out);
        help_section(table, rows, -1, table->heading, out);
        for (int i = 0; i < n; i++)
                help_section(table, rows, i, table->sections[i].heading, out);
        help_section(table, rows, n, "Help options:", out);
        help_section(table, rows, n + 1, "Other options:", out);
        help_section(table, rows, n + 2, "Options provided by plugins:", out);
        fputs(table->notes ? table->notes : "", out);
}

/* Writes the text from write(), folded. */
static void put_folded(void (*write)(const struct option_table *table, FILE *out),
                const struct option_table *table, FILE *out) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        FILE *f = memstream_open(&text, &size);

        write(table, f);
        memstream_close(f);
        fold_text(out, text);
}

void options_help(const struct option_table *table, FILE *out) {
        put_folded(help_write, table, out);
}

static int usage_row(const struct option_row *row, char *buf, size_t size) {
        const char *argument = row->argument ? row->argument : "value";
        bool takes = arguments[row->kind] != no_argument;

        if (row->letter)
                return snprintf(buf, size, " [-%c%s%s]", row->letter, takes ? " " : "",
                                takes ? argument : "");
        return snprintf(buf, size, " [--%s%s%s]", row->name, takes ? "=" : "",
                        takes ? argument : "");
}

static void usage_write(const struct option_table *table, FILE *out) {
        const struct option_row *rows[OPTION_ROWS_MAX];
        char word[128];

        if (table->commands) {
                help_write(table, out);
                return;
        }
        if (table->synopsis) {
                fputs(table->synopsis, out);
                return;
        }
        int column = fprintf(out, "Usage: %s", table->program);
        option_rows_list(table, rows);
        for (size_t i = 0; i < table->n_rows; i++) {
                const struct option_row *row = rows[i];
                int n;

                if (!row->help || option_is_refused(row))
                        continue;
                n = usage_row(row, word, sizeof word);
                if (column + n > 78)
                        column = fprintf(out, "\n      ") - 1;
                fputs(word, out);
                column += n;
        }
        const char *operands = strempty(table->operands);
        if (*operands && column + 1 + (int)strlen(operands) > 78)
                fprintf(out, "\n      ");
        fprintf(out, "%s%s\n", *operands ? " " : "", operands);
}

void options_usage(const struct option_table *table, FILE *out) {
        put_folded(usage_write, table, out);
}

void options_version(FILE *out) {
        fprintf(out, "slurm %s (Slumber %s)\n", SLURM_VERSION, SLUMBER_VERSION);
}
