/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/stepio.h - a step's streams at srun's end: labelled lines out, and how much may
   be sent in */
#pragma once

#include "lib/base.h"

/* One stream (output or errors) of all tasks, written to fd, which stays the caller's. */
struct step_output;
/* With label each line begins with its rank, as wide as that of num_tasks - 1. */
struct step_output *step_output_new(int fd, uint32_t num_tasks, bool label);
struct step_output *step_output_free(struct step_output *o); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct step_output *, step_output_free)
/* Bytes that lie at offset of the rank's stream.  Those that were written before are passed over;
   behind a gap nothing is taken, its sender is to be asked again.  Blocks until written; with label
   an unfinished line is kept until its rest comes.  After a write that failed (-EPIPE: no reader)
   bytes are dropped, so that the tasks need not wait.  A rank that the step does not have is
   -EINVAL. */
int step_output_write(struct step_output *o, uint32_t rank, uint64_t offset, const void *data,
                size_t size);
/* How far the rank's stream has been taken. */
uint64_t step_output_taken(const struct step_output *o, uint32_t rank);
/* The next rank that has taken bytes without a message to their sender: false when there is none.
   With least, only those where it is that many. */
bool step_output_untold(struct step_output *o, size_t least, uint32_t *ret_rank);
/* The rank's stream has ended: what is left of a line is written, with a newline. */
int step_output_finish(struct step_output *o, uint32_t rank);

/* Standard input goes to every node of the step; each says what its tasks have taken. What not all
   have is kept. */
struct step_input;
struct step_input *step_input_new(const char *const *nodes, size_t n);
struct step_input *step_input_free(struct step_input *i);
DEFINE_CLEANUP(struct step_input *, step_input_free)
size_t step_input_room(const struct step_input *i); /* bytes that may be sent now */
/* The next bytes, to be sent at the offset that is returned, for the task of that rank or all
   (RANK_ALL); end: nothing follows them. */
uint64_t step_input_add(struct step_input *i, uint32_t rank, const void *data, size_t size,
                bool end);
/* All up to taken, counted from the beginning; node "" is all of them. More than was sent is
   cut. */
void step_input_taken(struct step_input *i, const char *node, uint64_t taken);
/* What a node does not have, if what was under way to it is lost, in parts of at most part_max
   bytes and for one rank or all: the first for a part that is all 0, then the one behind the part
   that it was given; false when there is no more. */
struct step_input_part {
        uint64_t offset;
        const uint8_t *data;
        size_t size;
        uint32_t rank;
        bool end;
};
bool step_input_again(const struct step_input *i, const char *node, size_t part_max,
                struct step_input_part *part);
void step_input_gone(struct step_input *i, const char *node); /* its tasks have ended */
bool step_input_unwanted(const struct step_input *i);         /* no reader is left */

struct step_file_names {
        uint32_t job, step;
        uint32_t array_job, array_task; /* array_job 0: the job is no task of an array */
        const char *user, *name;
};
/* "job-%j.out" for a file that srun itself writes: %j %J %A %a %s %u %x %%, with a width ("%4j");
   others stay. malloced */
char *step_file_name(const char *pattern, const struct step_file_names *names);
/* Has the pattern one of these behind a "%"?  With "tnN" each task or node has a file of its own,
   which the nodes open. */
bool step_file_has(const char *pattern, const char *letters);
