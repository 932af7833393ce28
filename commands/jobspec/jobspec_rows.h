/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobspec/jobspec_rows.h - for the files that make up the options of sbatch, srun and
 * salloc, one for each subject
 *
 * Each has a table: one line for each option, by name within those that work and those that are
 * refused.  jobspec.c puts the tables together, sorted by name. */
#pragma once

#include "commands/jobspec/jobspec.h"

#define JOB_COUNT_MAX (UINT32_MAX - 2)
#define NICE_DEFAULT  100 /* --nice without a number */

struct job_row {
        unsigned commands; /* enum job_command; ENV(): those that read it from their environment */
        struct option_row row;
};

/* SBATCH_NAME, SALLOC_NAME or SLURM_NAME stands for the option, as its other variables do
   (jobspec_env.c). */
#define ENV_SHIFT     8
#define ENV(commands) ((commands) << ENV_SHIFT)
/* It restricts or selects what a job gets, and a step in a job that is there cannot have it. */
#define NO_STEP (1u << 16)
/* A later component of a heterogeneous request has it, too, unless it says otherwise; all else
   begins anew there (guide "Heterogeneous job support", "Submitting jobs"). */
#define CARRIED (1u << 17)

/* The rows of all subjects, one after the other; NULL: there are no more. */
const struct job_row *job_row_at(size_t i);

/* ..._WAIT4SWITCH */
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

/* jobspec_shown.c: how -v shows them. */
extern const struct option_shown job_options_shown[];
extern const size_t n_job_options_shown;

/* Options live as long as the process, also those of several components. */
char *job_option_keep(char *text);
/* "Invalid --x specification" and "x is not implemented by Slumber yet", to be returned. */
int job_option_invalid(const char *option, struct fail *fail);
int job_option_later(const char *what, struct fail *fail);
/* What --hint stands for; it does not go with what it stands for. */
/* Reads names of nodes from a file: *field, a const char *, is kept until the end of the process.
   fail names file and line. */
int job_names_file(void *field, const char *path, const char *option, struct fail *fail);
/* The same of a file which may be a list for --distribution=arbitrary. */
int job_node_file(void *field, const char *path, const char *option, struct fail *fail);
/* --distribution=arbitrary, SLURM_HOSTFILE: what follows for nodes and tasks. */
int job_arbitrary_check(struct job_options *o, struct fail *fail);
int job_hint_check(struct job_options *o, struct fail *fail);
/* --cpu-bind, --mem-bind: jobspec_bind.c. */
int job_set_cpu_bind(void *options, const char *value, struct fail *fail);
int job_set_mem_bind(void *options, const char *value, struct fail *fail);
/* A size, MB; plain: its bit of plain_sizes. */
int job_option_size(struct job_options *o, uint64_t *field, unsigned plain, const char *value,
                const char *option, struct fail *fail);
/* Called before --mem, --mem-per-cpu or --mem-per-gpu is set: drops the memory that the environment
   asked for by any of the three. */
void job_option_says_memory(struct job_options *o);
/* A number from 1 to JOB_COUNT_MAX. */
int job_option_count(uint32_t *field, const char *value, const char *option, struct fail *fail);
/* Of a bool of the message: yes, or what value says ("0", "1"). */
int job_option_yes(void *field, const char *value, struct fail *fail);
/* For an option with one known value, which changes nothing. */
int job_option_only(const char *value, const char *word, const char *option, struct fail *fail);

#define DEFINE_ONLY(function, option, word)                                                        \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return job_option_only(value ? value : "", (word), (option), fail);                \
        }

#define BOTH     (JOB_SBATCH | JOB_SRUN)
#define ALL      (BOTH | JOB_SALLOC)
#define AT(name) offsetof(struct job_options, name)
/* A field of the message that is sent, by its name there: nothing more is to be written for it. */
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
/* For good: why is a part of a sentence. */
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
