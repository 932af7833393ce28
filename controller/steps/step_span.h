/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_span.h - a step over several components of a heterogeneous job: what each
 * of them knows of the whole (guide "Heterogeneous job support", "Launching Applications") */
#pragma once

#include "controller/steps/step_fit.h"

/* One component of it: where its tasks are. */
struct span_part {
        const struct job *job;
        const Slumber__StepSpec *spec;
        const struct fit *fit;
};

/* What the component of that number knows of the whole; its owner is the step.  leader: of the
   heterogeneous job. */
struct step_span *span_new(const struct job *leader, const struct span_part *parts, size_t n,
                size_t part);
/* As it is kept; the lists are borrowed. */
void span_pack(const struct step_span *s, Slumber__StepSpan *to);
/* Of a record; NULL: it is not one of a step with so many tasks and nodes. */
struct step_span *span_unpack(const Slumber__StepSpan *from, uint32_t tasks, size_t nodes);
/* Ranks of all tasks, those of its first node first, and so on; the caller frees. */
uint32_t *span_ranks(const struct step_span *s);
/* So many tasks are on the nodes before the component's. */
uint32_t span_tasks_before(const struct step_span *s);
