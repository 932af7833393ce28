/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/ended/ended_step.h - makes the accounting rows (model/ended_step.h) of a job's
   steps */
#pragma once

#include "controller/model/ended_step.h"

struct cluster;
struct job;
struct step;

/* Emits the step's row as an effect, once, when the step has ended on all nodes or no further
   report is expected. */
void step_is_over(struct cluster *c, struct job *j, struct step *s, usec_t now);
/* Emits the batch script's row, once; use NULL: unknown. */
void batch_is_over(struct cluster *c, struct job *j, uint32_t status, const struct step_use *use,
                usec_t now);
/* Emits all missing rows when the job gives up its last node. */
void steps_are_over(struct cluster *c, struct job *j, usec_t now);
