/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/jobid.h - job and step ids and signals as users type them */
#pragma once

#include "lib/fail.h"
#include "lib/wire.h"

struct job_id {
        uint32_t job;
        /* of an array: "3", "1-5,9"; of a heterogeneous job: "+1"; NULL: the job, or all of it */
        char *tasks;
        bool has_step;
        uint32_t step; /* a number or STEP_BATCH */
        uint32_t part; /* of a heterogeneous step: as Step.part; 0: the step, or all of it */
};

/* "12", "12.0", "12.batch", "12_3", "12_[1-5,9]", "12_3.0", "12+1", "12+1.0"; what is no id is
   -EINVAL.  The caller calls job_id_done(). */
int job_id_parse(const char *text, struct job_id *ret);
/* Also "12.0+1", a component of a heterogeneous step. */
int job_id_parse_part(const char *text, struct job_id *ret);
void job_id_done(struct job_id *id);
/* "12", "12_3", "12_[1-5,9]", "12+1" without the step; the caller frees. */
char *job_id_text(const struct job_id *id);
/* The next word of a list with commas, those in brackets apart; NULL at its end. *list is cut and
   moved on. */
char *job_id_next(char **list);

/* Ids as a request wants them; pointers into the list that they were made of. */
struct job_id_request {
        uint32_t *ids;
        size_t n_ids;
        Slumber__JobTasks *tasks, **task_pointers;
        size_t n_tasks;
};
/* Those without a step. */
void job_id_request_init(struct job_id_request *r, const struct job_id *list, size_t n);
void job_id_request_done(struct job_id_request *r);

/* "9", "KILL", "SIGKILL" in any case. */
int signal_parse(const char *text, uint32_t *ret);
