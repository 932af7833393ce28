/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/stepio.h - streams of a step in srun and sattach: output as labelled lines,
   limits for input */
#pragma once

#include "lib/base.h"

/* One stream (output or errors) of all tasks, written to fd; fd stays the caller's. */
struct step_output;
/* label: each line starts with its rank, padded to the width of num_tasks - 1. */
struct step_output *step_output_new(int fd, uint32_t num_tasks, bool label);
struct step_output *step_output_free(struct step_output *o); /* o may be NULL; returns NULL */
DEFINE_CLEANUP(struct step_output *, step_output_free)
/* Writes bytes at offset of the rank's stream. Skips bytes written before; takes nothing after a
   gap, so the sender must send again. Blocks until written; with label an unfinished line is
   kept until completed. Returns the error of a failed write (-EPIPE: no reader) once; later
   bytes are dropped so that tasks need not wait. -EINVAL: no such rank. */
int step_output_write(struct step_output *o, uint32_t rank, uint64_t offset, const void *data,
                size_t size);
/* Returns the number of bytes taken from the rank's stream. */
uint64_t step_output_taken(const struct step_output *o, uint32_t rank);
/* Takes the next rank with bytes not yet acknowledged to the sender; false: none. Only ranks
   with at least least such bytes count. */
bool step_output_untold(struct step_output *o, size_t least, uint32_t *ret_rank);
/* Ends the rank's stream: writes the rest of a line, followed by a newline. */
int step_output_finish(struct step_output *o, uint32_t rank);

/* Standard input of a step goes to every node; each node reports the bytes taken by its tasks.
   Bytes not taken by all nodes are kept. */
struct step_input;
struct step_input *step_input_new(const char *const *nodes, size_t n);
struct step_input *step_input_free(struct step_input *i);
DEFINE_CLEANUP(struct step_input *, step_input_free)
size_t step_input_room(const struct step_input *i); /* bytes the caller may add now */
/* Keeps the next bytes for the task of rank, or for all (RANK_ALL); end: the input ends here.
   Returns the offset for the message. size must not exceed step_input_room(). */
uint64_t step_input_add(struct step_input *i, uint32_t rank, const void *data, size_t size,
                bool end);
/* Marks bytes up to taken (from the beginning) as taken by node; "": by all nodes. taken is
   limited to the bytes sent. */
void step_input_taken(struct step_input *i, const char *node, uint64_t taken);
/* Iterates over the bytes not taken by a node, to send again after a lost connection: parts of
   at most part_max bytes for one rank or all. A zeroed *part gives the first part, a previous
   part the next; false: no more parts. */
struct step_input_part {
        uint64_t offset;
        const uint8_t *data;
        size_t size;
        uint32_t rank;
        bool end;
};
bool step_input_again(const struct step_input *i, const char *node, size_t part_max,
                struct step_input_part *part);
void step_input_gone(struct step_input *i, const char *node); /* the node's tasks have ended */
bool step_input_unwanted(const struct step_input *i);         /* no node reads any more */

struct step_file_names {
        uint32_t job, step;
        uint32_t array_job, array_task; /* array_job 0: the job is no task of an array */
        const char *user, *name;
};
/* Expands a name such as "job-%j.out" of a file written by srun: %j %J %A %a %s %u %x %%, with a
   width ("%4j"); other letters stay. The caller frees the name. */
char *step_file_name(const char *pattern, const struct step_file_names *names);
/* Returns true if the pattern has one of letters after a "%". Letters "tnN" mean a file for each
   task or node, opened by the nodes. */
bool step_file_has(const char *pattern, const char *letters);
