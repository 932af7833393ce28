/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/srun_bcast.h - srun --bcast: the program of a step is copied to its job's nodes
 * before the step is made, by sbcast */
#pragma once

#include "commands/submit/srun.h"

/* Copies the program of each component that has --bcast, at the first call only.  Afterwards
   argv[0] of the component is the copy's path, and with --send-libs copy.libs is the folder of its
   libraries.  Does nothing without --bcast.  0, or a negative errno after the error was logged; a
   signal that ends srun ends it. */
int srun_bcast(struct srun *s);
