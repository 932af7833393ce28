/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/records.h - records of scontrol show, line by line as in Slurm 25.05 */
#pragma once

#include "commands/job_text.h"
#include "commands/node_text.h"

struct record_view {
        bool one_liner, details;
        const char *time_format; /* $SLURM_TIME_FORMAT or NULL */
        usec_t now;
};

void record_print_job(const struct record_view *v, const Job *job, FILE *out);
void record_print_step(const struct record_view *v, const Job *job, const Step *step, FILE *out);
void record_print_node(const struct record_view *v, const Node *node, FILE *out);
/* node: fetched with_power */
void record_print_power(const struct record_view *v, const Node *node, FILE *out);
void record_print_partition(const struct record_view *v, const Partition *p, FILE *out);
void record_print_config(const struct record_view *v, const Slumber__ConfigList *config, FILE *out);
