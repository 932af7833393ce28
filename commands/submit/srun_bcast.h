/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/srun_bcast.h - srun --bcast: sbcast copies the step's program to the job's nodes
 * before the step is requested */
#pragma once

#include "commands/submit/srun.h"

/* Copies the program of each component with --bcast; no-op when called again, or without
   --bcast. Afterwards argv[0] of the component is the copy's path, and with --send-libs
   copy.libs is the folder of the libraries. Returns 0, or a negative errno after logging the
   error. A signal that ends srun ends the copying. */
int srun_bcast(struct srun *s);
