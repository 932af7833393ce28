/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/ended/ended_step.h - the rows of the accounts (model/ended_step.h) of a job's steps */
#pragma once

#include "controller/model/ended_step.h"

struct cluster;
struct job;
struct step;

/* The step has ended on all of its nodes, or never will: the row becomes an effect, once. */
void step_is_over(struct cluster *c, struct job *j, struct step *s, usec_t now);
/* The same of the batch script; use NULL: not known. */
void batch_is_over(struct cluster *c, struct job *j, uint32_t status, const struct step_use *use,
                usec_t now);
/* The job lets go of its last node: what has not been told of its steps never will be. */
void steps_are_over(struct cluster *c, struct job *j, usec_t now);
