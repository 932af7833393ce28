/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/power_save/power_save.h - which nodes are switched off and on now (power-saving
   guide) */
#pragma once

#include "controller/model/cluster.h"

/* Looks only at nodes that something has happened to: cluster.to_suspend, to_resume, boot_failed.
   Asks for at most one run of each program. */
void power_save_pass(struct cluster *c, usec_t now);
/* Its half that does not need to know the idle nodes: while the queue is being gone through yet. */
void power_save_wake(struct cluster *c, usec_t now);
/* After a restart: programs that were decided upon and may never have been started are asked for
   again. */
void power_save_restart(struct cluster *c, usec_t now);
