/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/power_file.h - checks power.yaml with a child, "slumber-power --check-file",
 * as SlurmUser, as when a node is woken, whatever programs are configured */
#pragma once

#include "lib/config/config.h"

/* Blocks until the child has ended, 10 s at most.  Returns 0 also if power.yaml does not exist and
   no configured program needs the file.  -EINVAL: each error ("PATH line N: KEY: what was
   expected") is a fault of fail.  Doubtful settings (missing nodes, crossing times) become warnings
   of config. */
int power_file_check(struct config *config, struct fail *fail);
/* Returns the path of slumber-power: beside this program, or in a build folder; the caller
   frees. */
char *slumber_power_path(void);
