/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_reboot.h - reboots of nodes for the job that gets them: --reboot, or its
 * features */
#pragma once

#include "controller/model/cluster.h"

/* May nodes be rebooted for what j asks for? */
bool reboot_allowed(const struct cluster *c, const struct job *j);
/* ... and may they be now: --delay-boot is over? */
bool reboot_allowed_now(const struct cluster *c, const struct job *j);
/* At once, for the job that n is given to: n->active are its features then. It stays in service,
   for that job. */
void reboot_for_features(struct cluster *c, struct node *n, usec_t now);
/* FX_REBOOT. RebootProgram is told the features of the nodes that it is run for: those of one job
   that want the same go together, others alone. */
void reboot_tell(struct cluster *c, const struct node *n);
