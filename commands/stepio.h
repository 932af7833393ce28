/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/stepio.h - a step's streams at srun's end: labelled lines out, and how much may be sent in */
#pragma once

#include "lib/base.h"

/* One stream (output or errors) of all tasks, written to fd, which stays the caller's. */
struct step_output;
/* With label each line begins with its rank, as wide as that of num_tasks - 1. */
struct step_output *step_output_new(int fd, uint32_t num_tasks, bool label);
struct step_output *step_output_free(struct step_output *o); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct step_output *, step_output_free)
/* Blocks until written; with label an unfinished line is kept until its rest comes.  After a write that failed
   (-EPIPE: nobody reads) bytes are dropped, so that the tasks need not wait.  A rank that the step does not have is
   -EINVAL. */
int step_output_write(struct step_output *o, uint32_t rank, const void *data, size_t size);
/* The rank's stream has ended: what is left of a line is written, with a newline. */
int step_output_finish(struct step_output *o, uint32_t rank);

/* Standard input goes to every node of the step; each acknowledges what its tasks have read. */
struct step_input;
struct step_input *step_input_new(const char *const *nodes, size_t n);
struct step_input *step_input_free(struct step_input *i);
DEFINE_CLEANUP(struct step_input *, step_input_free)
size_t step_input_room(const struct step_input *i); /* bytes that may be sent now */
void step_input_sent(struct step_input *i, size_t size);
/* node "" is all of them.  More than was sent is cut. */
void step_input_credit(struct step_input *i, const char *node, uint64_t bytes);
void step_input_gone(struct step_input *i, const char *node); /* its tasks have ended */
bool step_input_unwanted(const struct step_input *i);         /* nobody is left to read */

/* "job-%j.out" for a file that srun itself writes: %j %J %A %s %u %x %%, with a width ("%4j"); others stay. */
char *step_file_name(const char *pattern, uint32_t job, uint32_t step, const char *user,
                const char *name);
/* Does each task or node have a file of its own (%t %n %N)?  Then the nodes open it. */
bool step_file_is_per_task(const char *pattern);
