/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/het_wait.h - why a heterogeneous job waits although nodes are free */
#pragma once

#include "controller/model/het.h"

struct cluster;

/* Returns why j alone may not start: held, or unmet dependencies. REASON_NONE: no obstacle but
   perhaps the begin time. */
enum job_reason job_awaits(const struct cluster *c, const struct job *j);
/* Returns the most severe reason of all components of h. A component that is not in the queue (not
   yet, or still completing) counts as CLEANING. */
enum job_reason het_awaits(const struct cluster *c, const struct het *h);
/* Returns whether the begin time of a component is still to come. */
bool het_begins_later(const struct het *h, usec_t now);
/* Sets the reason of het_awaits(), or BeginTime, for all components not held themselves. Once no
 * reason is left, an older reason becomes Priority until the next pass. */
void het_tell_awaited(struct cluster *c, const struct het *h, usec_t now);
