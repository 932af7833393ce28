/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/power_file.h - whether power.yaml could be used, by a child, "slumber-power
 * --check-file": as SlurmUser, as when a node is to be woken, and whatever the programs of today
 * are */
#pragma once

#include "lib/config/config.h"

/* Blocks until the child has ended, 10 s at most.  0 also where there is none, and no program of
   the configuration needs one.  -EINVAL: each error ("PATH line N: KEY: what was expected") is a
   fault of fail.  What is possible and hardly meant (nodes that are missing, times that cross)
   becomes a warning of config. */
int power_file_check(struct config *config, struct fail *fail);
/* Of slumber-power: beside us, or in a build folder; the caller frees. */
char *slumber_power_path(void);
