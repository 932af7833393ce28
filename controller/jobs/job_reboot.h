/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/jobs/job_reboot.h - reboots of newly allocated nodes (--reboot, or features) */
#pragma once

#include "controller/model/cluster.h"

/* Returns whether RebootProgram is set and helpers.conf allows j's user to change features. */
bool reboot_allowed(const struct cluster *c, const struct job *j);
/* reboot_allowed() and, with --delay-boot, the delay is over. */
bool reboot_allowed_now(const struct cluster *c, const struct job *j);
/* Reboots n at once for the job that gets n, with the features n->active. n stays allocated to the
   job. */
void reboot_for_features(struct cluster *c, struct node *n, usec_t now);
/* Adds n to an FX_REBOOT effect. RebootProgram gets the features as its argument: consecutive nodes
   with the same features share an effect. */
void reboot_tell(struct cluster *c, const struct node *n);
