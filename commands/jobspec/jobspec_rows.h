/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobspec/jobspec_rows.h - shared by the files with options of sbatch, srun and salloc, a
 * file for each subject
 *
 * Each file has a table with a row for each option, sorted by name, supported options before
 * refused options. jobspec.c joins the tables. */
#pragma once

#include "commands/jobspec/jobspec.h"

#define JOB_COUNT_MAX (UINT32_MAX - 2)
#define NICE_DEFAULT  100 /* --nice without a number */

struct job_row {
        unsigned commands; /* enum job_command; ENV(): commands reading the environment, too */
        struct option_row row;
};

/* The option may be given as SBATCH_NAME, SALLOC_NAME or SLURM_NAME, besides variables in
   jobspec_env.c. */
#define ENV_SHIFT     8
#define ENV(commands) ((commands) << ENV_SHIFT)
/* The option restricts or selects resources of a job: refused for a step in an existing job. */
#define NO_STEP (1u << 16)
/* Later components of a heterogeneous request inherit the option unless given there; all other
   options start anew (Slurm's guide "Heterogeneous job support", "Submitting jobs"). */
#define CARRIED (1u << 17)

/* Returns the rows of all subjects in sequence; NULL: the end. */
const struct job_row *job_row_at(size_t i);

/* Sets the time of SBATCH_WAIT4SWITCH and the like. */
int job_options_switch_wait(struct job_options *o, const char *value, struct fail *fail);

#define DECLARE_JOB_ROWS(subject)                                                                  \
        extern const struct job_row job_rows_##subject[];                                          \
        extern const size_t n_job_rows_##subject
DECLARE_JOB_ROWS(gres);
DECLARE_JOB_ROWS(place);
DECLARE_JOB_ROWS(queue);
DECLARE_JOB_ROWS(size);
DECLARE_JOB_ROWS(step);
DECLARE_JOB_ROWS(words);

/* jobspec_shown.c: values as shown by -v. */
extern const struct option_shown job_options_shown[];
extern const size_t n_job_options_shown;

/* Keeps text until the process ends, also for several components; returns text. */
char *job_option_keep(char *text);
/* Set fail to "Invalid --x specification", and "x is not implemented by Slumber yet"; return the
   error. */
int job_option_invalid(const char *option, struct fail *fail);
int job_option_later(const char *what, struct fail *fail);
/* Reads names of nodes from a file; *field, a const char *, is valid until the process ends.
   fail names file and line. */
int job_names_file(void *field, const char *path, const char *option, struct fail *fail);
/* Like job_names_file(), for a file that may be a list for --distribution=arbitrary. */
int job_node_file(void *field, const char *path, const char *option, struct fail *fail);
/* --distribution=arbitrary, SLURM_HOSTFILE: derives nodes and tasks. */
int job_arbitrary_check(struct job_options *o, struct fail *fail);
/* Replaces --hint by the options that the hint stands for; both together are an error. */
int job_hint_check(struct job_options *o, struct fail *fail);
/* --cpu-bind, --mem-bind: jobspec_bind.c. */
int job_set_cpu_bind(void *options, const char *value, struct fail *fail);
int job_set_mem_bind(void *options, const char *value, struct fail *fail);
/* Reads a size in MB; plain: its bit of plain_sizes. */
int job_option_size(struct job_options *o, uint64_t *field, unsigned plain, const char *value,
                const char *option, struct fail *fail);
/* Called before --mem, --mem-per-cpu or --mem-per-gpu is set: drops memory requested by the
   environment in any of these ways. */
void job_option_says_memory(struct job_options *o);
/* Reads a number from 1 to JOB_COUNT_MAX. */
int job_option_count(uint32_t *field, const char *value, const char *option, struct fail *fail);
/* Sets a bool of the message: true, or value ("0", "1"). */
int job_option_yes(void *field, const char *value, struct fail *fail);
/* Accepts the single supported value of an option, which has no effect. */
int job_option_only(const char *value, const char *word, const char *option, struct fail *fail);

#define DEFINE_ONLY(function, option, word)                                                        \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return job_option_only(value ? value : "", (word), (option), fail);                \
        }

#define BOTH     (JOB_SBATCH | JOB_SRUN)
#define ALL      (BOTH | JOB_SALLOC)
#define AT(name) offsetof(struct job_options, name)
/* A field of the message, by its name: needs no further code. */
#define WIRE(name) offsetof(struct job_options, spec.name)
#define WIRE_TEXT(commands, name, letter, field, argument, help)                                   \
        TEXT(commands, name, letter, spec.field, argument, help)
#define WIRE_FLAG(commands, name, letter, field, help)                                             \
        CALL_FLAG(commands, name, letter, WIRE(field), job_option_yes, help)
#define WIRE_YES_NO(commands, name, letter, field, help)                                           \
        CALL_OPT(commands, name, letter, WIRE(field), job_option_yes, "0|1", help)
#define TEXT(commands, name, letter, field, argument, help)                                        \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_TEXT, AT(field), NULL, (argument), (help)         \
                }                                                                                  \
        }
#define FLAG(commands, name, letter, field, help)                                                  \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_FLAG, AT(field), NULL, NULL, (help)               \
                }                                                                                  \
        }
#define CALL(commands, name, letter, offset, set, argument, help)                                  \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_CALL, (offset), (set), (argument), (help)         \
                }                                                                                  \
        }
#define CALL_FLAG(commands, name, letter, offset, set, help)                                       \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_CALL_FLAG, (offset), (set), NULL, (help)          \
                }                                                                                  \
        }
#define CALL_OPT(commands, name, letter, offset, set, argument, help)                              \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_CALL_OPTIONAL, (offset), (set), (argument),       \
                                        (help)                                                     \
                }                                                                                  \
        }
#define REFUSED(commands, name, letter)                                                            \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_REFUSED, 0, NULL, NULL, NULL                      \
                }                                                                                  \
        }
/* Refused for good: why is part of a sentence. */
#define NEVER(commands, name, letter, why)                                                         \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_REFUSED, 0, NULL, (why), NULL                     \
                }                                                                                  \
        }
#define NEVER_ARG(commands, name, letter, why)                                                     \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_REFUSED_ARG, 0, NULL, (why), NULL                 \
                }                                                                                  \
        }
#define NEVER_OPT(commands, name, letter, why)                                                     \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_REFUSED_OPTIONAL, 0, NULL, (why), NULL            \
                }                                                                                  \
        }
#define REFUSED_ARG(commands, name, letter)                                                        \
        {                                                                                          \
                (commands), {                                                                      \
                        (name), (letter), OPTION_REFUSED_ARG, 0, NULL, NULL, NULL                  \
                }                                                                                  \
        }
