/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/options.h - a program's options as a table, one row each; --help and --usage come from it
 *
 * The order of the rows is the order of --help, but for those that the table wants listed by name.
 * Options of Slurm's that Slumber does not have yet stand in the table too, as REFUSED, so that
 * they are refused by name and not as a typing mistake. */
#pragma once

#include "lib/fail.h"

enum option_kind {
        OPTION_FLAG,          /* bool at offset becomes true */
        OPTION_UNFLAG,        /* bool at offset becomes false */
        OPTION_COUNT,         /* unsigned at offset grows by one (-vvv) */
        OPTION_TEXT,          /* const char * at offset: borrowed from argv, which must stay */
        OPTION_NUMBER,        /* uint32_t at offset, a plain decimal number */
        OPTION_CALL,          /* set(to + offset, value, fail); an argument is needed */
        OPTION_CALL_FLAG,     /* the same without argument: value is NULL */
        OPTION_CALL_OPTIONAL, /* the argument may be left out: value is NULL then */
        OPTION_IGNORED,       /* accepted, no effect (said in help) */
        OPTION_IGNORED_ARG,   /* the same with an argument */
        /* known to Slurm, not here, or (argument is the reason) never: without argument */
        OPTION_REFUSED,
        OPTION_REFUSED_ARG,      /* ... with one */
        OPTION_REFUSED_OPTIONAL, /* ... with one that may be left out */
        OPTION_PLUGIN,           /* of a plug-in: plugin(), without argument */
        OPTION_PLUGIN_ARG,
        OPTION_PLUGIN_OPTIONAL,
        OPTION_HELP,
        OPTION_USAGE,
        OPTION_VERSION,
        OPTION_KIND_MAX,
};

/* 0, or a negative errno with the reason in fail ("Invalid node count"); value as in argv. */
typedef int option_set_t(void *field, const char *value, struct fail *fail);

struct option_row {
        const char *name; /* long name; NULL = only the letter */
        char letter;      /* 0 = only the long name */
        enum option_kind kind;
        size_t offset; /* of a plug-in: OPTION_PLUGINS and its number */
        option_set_t *set;
        const char *argument; /* its name in --help */
        const char *help;     /* may have several lines; NULL = not listed */
};

/* Options that --help shows under a heading of their own. */
struct option_section {
        const char *heading;      /* "Constraint options:" */
        const char *const *names; /* long names, NULL behind the last one */
};

/* How -v shows an option with several forms of its value; text(NULL) of one without a value.  The
   caller's string; NULL: as it was said. */
struct option_shown {
        const char *name;
        char *(*text)(const char *value);
};

#define OPTION_PLUGINS  ((size_t)1 << 20) /* larger than the offset of any field */
#define OPTION_ROWS_MAX 512 /* of a table: more options than any command of Slurm's has */

struct option_table {
        const char *program;
        const char *operands; /* "[job_id...]": what follows the options, for --help; may be NULL */
        bool stop;            /* the first operand ends the options (srun, sbatch) */
        const struct option_row *rows;
        size_t n_rows;
        /* of a program of commands (scontrol): lists them; otherwise NULL */
        void (*commands)(FILE *out);
        const char *heading; /* of the options that stand in no section; may be NULL */
        const struct option_section *sections;
        size_t n_sections;
        /* one for each row, or NULL: what it was set to last, by whatever source */
        const char **seen;
        const bool *skip; /* one for each row, or NULL: those that have no effect */
        /* options of plug-ins: that of this number; value is NULL without one */
        int (*plugin)(size_t number, const char *value, struct fail *fail);
        const struct option_shown *shown;
        size_t n_shown;
        /* so many of the first rows are listed in the order of their names (each has one) */
        size_t n_by_name;
        /* "Usage: ..." of a program that is called in several ways, whole lines; NULL: made of the
           rows */
        const char *synopsis;
        /* the first lines of --help, in the words of Slurm's; NULL: made of operands */
        const char *skeleton;
        /* whole lines between the usage and the options of --help; may be NULL */
        const char *about;
        const char *notes; /* whole lines behind them; may be NULL */
        /* Slurm has no such program: --version tells Slumber's version alone */
        bool own;
};

#define OPTION_ROWS_HELP(letter_of_help)                                                           \
        { "help", (letter_of_help), OPTION_HELP, 0, NULL, NULL, "show this text" },                \
                        { "usage", 0, OPTION_USAGE, 0, NULL, NULL, "show the options in short" },  \
        {                                                                                          \
                "version", 'V', OPTION_VERSION, 0, NULL, NULL, "show the version"                  \
        }

/* --clusters, for command_clusters(). */
#define OPTION_ROWS_ALL_CLUSTERS(at)                                                               \
        { "clusters", 'M', OPTION_TEXT, (at), NULL, "names",                                       \
                "on these clusters: of slumber.yaml, or all" },                                    \
        {                                                                                          \
                "cluster", 0, OPTION_TEXT, (at), NULL, "names", NULL                               \
        }
/* --clusters, for command_cluster(). */
#define OPTION_ROWS_CLUSTERS(at)                                                                   \
        { "clusters", 'M', OPTION_TEXT, (at), NULL, "names",                                       \
                "on this cluster: its ClusterName or all" },                                       \
        {                                                                                          \
                "cluster", 0, OPTION_TEXT, (at), NULL, "names", NULL                               \
        }

/* What options_parse() answers when it did all there was to do (--help, --version): exit with 0. */
#define OPTIONS_DONE 1

/* Sets the fields of *to from argv and puts the index of the first operand into *ret_first (argv is
   permuted as getopt does it, unless table->stop).  May be called again for another argv (lines of
   a script) with the same *to. A failure is a negative errno and has been said on stderr: "squeue:
   error: ..." */
int options_parse(const struct option_table *table, int argc, char **argv, void *to,
                int *ret_first);
/* The same of a program that takes nothing but options: an operand is refused. */
int options_only(const struct option_table *table, int argc, char **argv, void *to);
/* "slumberd: error: ..." and where there is help, on stderr; -EINVAL. */
int options_error(const struct option_table *table, const char *format, ...) _printf_(2, 3);
/* As if --name=value stood on the command line (variables of the environment); name is a long name,
   value NULL for an option without argument.  -ENOENT for a name that the table does not have. */
int options_set(const struct option_table *table, const char *name, const char *value, void *to,
                struct fail *fail);

/* As if it stood there again: what was set last, as -v shows it (the caller's), or NULL. The table
   has seen; where: that, or a copy of it. */
char *options_value(const struct option_table *table, const char *const *where, const char *name);
/* The option has no argument; or may be without one, and value is what stands for that. */
bool options_take_no_value(const struct option_table *table, const char *name, const char *value);
/* "sbatch: partition : main"...: what was set, for -v.  The table has seen. */
void options_say(const struct option_table *table, FILE *out);
/* "all = true"... between two rules, the settings of a command in effect, in the order of rows; for
   -v. */
struct option_setting {
        const char *label;
        const char *name;  /* of the option; NULL: Slumber has none, it is always as unset says */
        const char *unset; /* what stands there when the option was not given */
};
void options_say_settings(const struct option_table *table, const struct option_setting *settings,
                size_t n, FILE *out);
void options_help(const struct option_table *table, FILE *out);
void options_usage(const struct option_table *table, FILE *out);
/* "slurm 25.05.0 (Slumber 0.2.0)" */
void options_version(FILE *out);
