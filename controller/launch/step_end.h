/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_end.h - the end of a step as a node tells it */
#pragma once

#include "controller/ended/ended_step.h"
#include "controller/loop/controller.h"

/* What the step has used there; the caller calls step_use_done(). */
struct step_use step_use_of(const Slumber__StepEnded *m);
/* n's agent hears that the end is known, once it is durable; one that is away tells it again. */
void step_end_ack(struct controller *ctl, const struct node *n, const Slumber__StepEnded *m);
