/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/squeue.h - fields of squeue and selection of jobs */
#pragma once

#include "commands/fields.h"
#include "commands/job_text.h"

struct squeue_view {
        usec_t now;              /* time of the answer, by the controller's clock */
        const char *time_format; /* $SLURM_TIME_FORMAT or NULL */
        bool noconvert;
        const char *cluster; /* NULL: no --clusters */
};
struct step_row { /* a line of squeue -s */
        const Job *job;
        const Step *step;
};

/* Fields of jobs and of steps: a record is a Job or a struct step_row, user is a squeue_view. */
const struct field_table *squeue_job_fields(void);
const struct field_table *squeue_step_fields(void);
/* Numbers of the message fields of Job and JobSpec needed by FIELD_FEW fields and
   squeue_selects(). */
struct squeue_few {
        uint32_t *job, *spec;
        size_t n_job, n_spec;
};
void squeue_few_init(struct squeue_few *few);
void squeue_few_done(struct squeue_few *few);
/* Returns "1.batch" or "1.0". */
const char *step_id_text(const struct step_row *row, struct scratch *s);

/* Filters of the options. Lists are as typed; NULL: all. */
struct squeue_filter {
        const uint32_t *users; /* uids */
        size_t n_users;
        const char *accounts, *names, *partitions, *qos, *reservation, *licenses, *steps;
        bool by_user, all_states;
        bool but_user; /* selects users not in the list */
        bool has_states, states[SHOWN_MAX];
        struct hostlist *nodes;
};
bool squeue_selects(const struct squeue_filter *f, const Job *job);
bool squeue_selects_step(const struct squeue_filter *f, const struct step_row *row);
