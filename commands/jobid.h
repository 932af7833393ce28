/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobid.h - job ids, step ids and signals as typed by users */
#pragma once

#include "lib/fail.h"
#include "lib/wire.h"

struct job_id {
        uint32_t job;
        /* Array tasks: "3", "1-5,9"; component of a heterogeneous job: "+1"; NULL: the whole
           job. */
        char *tasks;
        bool has_step;
        uint32_t step; /* number or STEP_BATCH */
        uint32_t part; /* component of a heterogeneous step, as Step.part; 0: the whole step */
};

/* Parses "12", "12.0", "12.batch", "12_3", "12_[1-5,9]", "12_3.0", "12+1", "12+1.0"; -EINVAL:
   not an id. The caller calls job_id_done(). */
int job_id_parse(const char *text, struct job_id *ret);
/* Like job_id_parse(), but accepts "12.0+1", a component of a heterogeneous step, too. */
int job_id_parse_part(const char *text, struct job_id *ret);
void job_id_done(struct job_id *id);
/* Returns "12", "12_3", "12_[1-5,9]" or "12+1", without the step; the caller frees. */
char *job_id_text(const struct job_id *id);
/* Returns the next word of a comma list; commas in brackets do not separate; NULL at the end.
   Cuts and advances *list. */
char *job_id_next(char **list);

/* Ids in the form of a request; texts are borrowed from the list of ids. */
struct job_id_request {
        uint32_t *ids;
        size_t n_ids;
        Slumber__JobTasks *tasks, **task_pointers;
        size_t n_tasks;
};
/* Uses ids without a step only. */
void job_id_request_init(struct job_id_request *r, const struct job_id *list, size_t n);
void job_id_request_done(struct job_id_request *r);

/* Parses "9", "KILL", "SIGKILL", in any case. */
int signal_parse(const char *text, uint32_t *ret);
