/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/steps/srun_bcast.h - srun --bcast: the program of a step is copied to its job's nodes
 * before the step is made, by sbcast */
#pragma once

#include "commands/submit/srun.h"

/* Once, as --bcast says, of each component by itself: its argv[0] is the copy afterwards, and
   copy.libs the folder of its libraries with --send-libs.  Without --bcast nothing.  Logs errors; a
   signal to srun ends it. */
int srun_bcast(struct srun *s);
