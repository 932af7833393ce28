/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/squeue.h - the table of jobs, apart from where the jobs come from */
#pragma once

#include "commands/fields.h"
#include "commands/job_text.h"

struct squeue_view {
        usec_t now;              /* the controller's clock */
        const char *time_format; /* $SLURM_TIME_FORMAT or NULL */
        bool noconvert;
        const char *cluster; /* of --clusters; NULL: that was not said */
};
struct step_row { /* a record of squeue -s */
        const Job *job;
        const Step *step;
};

/* The fields of jobs and of steps; their records are Job and struct step_row, their user a
   squeue_view. */
const struct field_table *squeue_job_fields(void);
const struct field_table *squeue_step_fields(void);
/* Numbers of what fields of FIELD_FEW, and squeue_selects(), need of a job. */
struct squeue_few {
        uint32_t *job, *spec;
        size_t n_job, n_spec;
};
void squeue_few_init(struct squeue_few *few);
void squeue_few_done(struct squeue_few *few);
/* "1.batch", "1.0" */
const char *step_id_text(const struct step_row *row, struct scratch *s);

/* What the options select.  Lists of words are as typed, NULL = all. */
struct squeue_filter {
        const uint32_t *users; /* uids */
        size_t n_users;
        const char *accounts, *names, *partitions, *qos, *reservation, *licenses, *steps;
        bool by_user, all_states;
        bool but_user; /* those of other users than that */
        bool has_states, states[SHOWN_MAX];
        struct hostlist *nodes;
};
bool squeue_selects(const struct squeue_filter *f, const Job *job);
bool squeue_selects_step(const struct squeue_filter *f, const struct step_row *row);
