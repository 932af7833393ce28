/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/power_save/power_save.h - decides which nodes are switched off and on now
 * (power-saving guide) */
#pragma once

#include "controller/model/cluster.h"

/* Examines only nodes with an event: cluster.to_suspend, to_resume, boot_failed.  Starts each
   program at most once, except for PowerActions named by requests. */
void power_save_pass(struct cluster *c, usec_t now);
/* The waking half of the pass, which does not depend on the idle nodes: used while a scheduling
   pass is still under way. */
void power_save_wake(struct cluster *c, usec_t now);
/* A restart of slumberctld: starts the decided programs that may never have run. */
void power_save_restart(struct cluster *c, usec_t now);
