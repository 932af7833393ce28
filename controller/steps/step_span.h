/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_span.h - a step over several components of a heterogeneous job: each
 * component's view of the whole (guide "Heterogeneous job support", "Launching Applications") */
#pragma once

#include "controller/steps/step_fit.h"

/* The tasks of one component. */
struct span_part {
        const struct job *job;
        const Slumber__StepSpec *spec;
        const struct fit *fit;
};

/* Fills ret[i] with each component's view of the whole step; freed by span_free(). leader: leader
   of the heterogeneous job. */
void spans_new(const struct job *leader, const struct span_part *parts, size_t n,
                struct step_span **ret);
/* Makes s share the lists of o if equal; returns false if they differ. */
bool span_share(struct step_span *s, const struct step_span *o);
/* Fills the stored form; the lists are borrowed. */
void span_pack(const struct step_span *s, Slumber__StepSpan *to);
/* Returns the span of a stored record; NULL: invalid for a step with so many tasks and nodes. The
   caller frees by span_free(). */
struct step_span *span_unpack(const Slumber__StepSpan *from, uint32_t tasks, size_t nodes);
/* Returns the ranks of all tasks, first node first; the caller frees. */
uint32_t *span_ranks(const struct step_span *s);
/* Returns the number of tasks on nodes before the component's. */
uint32_t span_tasks_before(const struct step_span *s);
