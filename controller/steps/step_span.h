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

/* What each of n components knows of the whole; the owner of ret[i] is its step.  leader: of the
   heterogeneous job. */
void spans_new(const struct job *leader, const struct span_part *parts, size_t n,
                struct step_span **ret);
/* s has the lists of o instead of its own, if these are the same; else false. */
bool span_share(struct step_span *s, const struct step_span *o);
/* As it is kept; the lists are borrowed. */
void span_pack(const struct step_span *s, Slumber__StepSpan *to);
/* Of a record; NULL: it is not one of a step with so many tasks and nodes. */
struct step_span *span_unpack(const Slumber__StepSpan *from, uint32_t tasks, size_t nodes);
/* Ranks of all tasks, those of its first node first, and so on; the caller frees. */
uint32_t *span_ranks(const struct step_span *s);
/* So many tasks are on the nodes before the component's. */
uint32_t span_tasks_before(const struct step_span *s);
