/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/options.h - a program's options as a table with one row each; also the source of --help and
 * --usage
 *
 * --help lists the rows in table order, except rows listed by name (n_by_name). Slurm's options
 * that Slumber does not support are REFUSED rows: the error names the unsupported option, instead
 * of calling it a typing mistake. */
#pragma once

#include "lib/fail.h"

enum option_kind {
        OPTION_FLAG,          /* bool at offset becomes true */
        OPTION_UNFLAG,        /* bool at offset becomes false */
        OPTION_COUNT,         /* unsigned at offset grows by one (-vvv) */
        OPTION_TEXT,          /* const char * at offset, borrowed from argv */
        OPTION_NUMBER,        /* uint32_t at offset, a plain decimal number */
        OPTION_CALL,          /* calls set(to + offset, value, fail); argument required */
        OPTION_CALL_FLAG,     /* like OPTION_CALL without argument: value is NULL */
        OPTION_CALL_OPTIONAL, /* like OPTION_CALL; value is NULL if the argument is left out */
        OPTION_IGNORED,       /* accepted without effect (help says so) */
        OPTION_IGNORED_ARG,   /* like OPTION_IGNORED with an argument */
        /* Slurm's option without argument, not supported; argument: the reason, if it never will
           be. */
        OPTION_REFUSED,
        OPTION_REFUSED_ARG,      /* like OPTION_REFUSED with argument */
        OPTION_REFUSED_OPTIONAL, /* like OPTION_REFUSED with optional argument */
        OPTION_PLUGIN,           /* a plug-in's option, calls plugin(); no argument */
        OPTION_PLUGIN_ARG,
        OPTION_PLUGIN_OPTIONAL,
        OPTION_HELP,
        OPTION_USAGE,
        OPTION_VERSION,
        OPTION_KIND_MAX,
};

/* Returns 0, or a negative errno with the reason in fail ("Invalid node count"); value as in
   argv. */
typedef int option_set_t(void *field, const char *value, struct fail *fail);

struct option_row {
        const char *name; /* long name; NULL: letter only */
        char letter;      /* 0: long name only */
        enum option_kind kind;
        size_t offset; /* plug-in's option: OPTION_PLUGINS plus number */
        option_set_t *set;
        const char *argument; /* name of the argument in --help */
        const char *help;     /* may have several lines; NULL: not listed */
};

/* Options under a heading of their own in --help. */
struct option_section {
        const char *heading;      /* "Constraint options:" */
        const char *const *names; /* long names, NULL-terminated */
};

/* Value of an option as -v shows it, for options with several forms of the value. text() gets NULL
   for an option without value; the caller frees. text() returns NULL: show the value as given. */
struct option_shown {
        const char *name;
        char *(*text)(const char *value);
};

#define OPTION_PLUGINS  ((size_t)1 << 20) /* larger than the offset of any field */
#define OPTION_ROWS_MAX 512 /* rows of one table: more options than any Slurm command has */

struct option_table {
        const char *program;
        /* "[job_id...]": operands after the options, for --help; may be NULL */
        const char *operands;
        bool stop; /* true: the first operand ends the options (srun, sbatch) */
        const struct option_row *rows;
        size_t n_rows;
        /* Lists the commands of a program like scontrol; otherwise NULL. */
        void (*commands)(FILE *out);
        const char *heading; /* heading of options without a section; may be NULL */
        const struct option_section *sections;
        size_t n_sections;
        /* Last value set for each row, from command line, script or environment; may be NULL. */
        const char **seen;
        const bool *skip; /* NULL, or a flag for each row: true disables the option */
        /* Applies a plug-in's option by number; value is NULL without argument. */
        int (*plugin)(size_t number, const char *value, struct fail *fail);
        const struct option_shown *shown;
        size_t n_shown;
        /* The first n_by_name rows are listed by name; each must have a name. */
        size_t n_by_name;
        /* "Usage: ..." in whole lines, for a program with several forms; NULL: made from the
           rows. */
        const char *synopsis;
        /* First lines of --help, as in Slurm; NULL: made from operands. */
        const char *skeleton;
        /* Whole lines between usage and options of --help; may be NULL. */
        const char *about;
        const char *notes; /* whole lines after the options; may be NULL */
        /* Slurm has no such program: --version prints Slumber's version only. */
        bool own;
};

#define OPTION_ROWS_HELP(letter_of_help)                                                           \
        { "help", (letter_of_help), OPTION_HELP, 0, NULL, NULL, "show this text" },                \
                        { "usage", 0, OPTION_USAGE, 0, NULL, NULL, "show the options in short" },  \
        {                                                                                          \
                "version", 'V', OPTION_VERSION, 0, NULL, NULL, "show the version"                  \
        }

/* --clusters of commands using command_clusters(). */
#define OPTION_ROWS_ALL_CLUSTERS(at)                                                               \
        { "clusters", 'M', OPTION_TEXT, (at), NULL, "names",                                       \
                "on these clusters: of slumber.yaml, or all" },                                    \
        {                                                                                          \
                "cluster", 0, OPTION_TEXT, (at), NULL, "names", NULL                               \
        }
/* --clusters of commands using command_cluster(). */
#define OPTION_ROWS_CLUSTERS(at)                                                                   \
        { "clusters", 'M', OPTION_TEXT, (at), NULL, "names",                                       \
                "on this cluster: its ClusterName or all" },                                       \
        {                                                                                          \
                "cluster", 0, OPTION_TEXT, (at), NULL, "names", NULL                               \
        }

/* Result of options_parse() after --help or --version: the caller exits with 0. */
#define OPTIONS_DONE 1

/* Sets the fields of *to from argv and *ret_first to the index of the first operand. Permutes argv
   as getopt does, unless table->stop. May be called again for another argv (lines of a script) with
   the same *to. On failure writes "squeue: error: ..." to stderr and returns a negative errno. */
int options_parse(const struct option_table *table, int argc, char **argv, void *to,
                int *ret_first);
/* options_parse() of a program without operands: an operand is an error. */
int options_only(const struct option_table *table, int argc, char **argv, void *to);
/* Writes "slumberd: error: ..." and a hint at --help to stderr; returns -EINVAL. */
int options_error(const struct option_table *table, const char *format, ...) _printf_(2, 3);
/* Sets an option as --name=value on the command line would (for environment variables). name: long
   name; value: NULL for an option without argument. -ENOENT: the table has no such name. */
int options_set(const struct option_table *table, const char *name, const char *value, void *to,
                struct fail *fail);

/* Returns the last value set, as -v shows it, or NULL; the caller frees. where: table->seen, which
   must not be NULL, or a copy. */
char *options_value(const struct option_table *table, const char *const *where, const char *name);
/* True if the option takes no argument, or value stands for a left-out optional argument. */
bool options_take_no_value(const struct option_table *table, const char *name, const char *value);
/* Writes "sbatch: partition : main" for each option set, for -v. table->seen must not be NULL. */
void options_say(const struct option_table *table, FILE *out);
/* Writes the settings of a command in effect, "all = true", in table order between two rules, for
   -v. */
struct option_setting {
        const char *label;
        const char *name;  /* name of the option; NULL: unsupported, always shown as unset */
        const char *unset; /* text shown if the option was not given */
};
void options_say_settings(const struct option_table *table, const struct option_setting *settings,
                size_t n, FILE *out);
void options_help(const struct option_table *table, FILE *out);
void options_usage(const struct option_table *table, FILE *out);
/* Writes "slurm 25.05.0 (Slumber 0.2.0)". */
void options_version(FILE *out);
