/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/step_end.h - the end of a step as reported by a node */
#pragma once

#include "controller/ended/ended_step.h"
#include "controller/loop/controller.h"

/* Returns the step's usage on the node; the caller calls step_use_done(). */
struct step_use step_use_of(const Slumber__StepEnded *m);
/* Acknowledges the end to n's agent once the end is durable. An absent agent repeats its report. */
void step_end_ack(struct controller *ctl, const struct node *n, const Slumber__StepEnded *m);
