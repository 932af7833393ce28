/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/check.h - reads and checks a configuration with everything needed on this host, before
 * any use */
#pragma once

#include "lib/config/config.h"

/* Checks every file and program that the configuration names.  *ret holds whatever could be read,
   even after a failure, and is owned by the caller; fail->all must be set and collects all faults.
   start: a missing program is no fault, because a file system may be late, and power.yaml is not
   checked. */
int configuration_read(const char *path, bool start, struct config **ret, struct fail *fail);
/* slumberctld --check: prints the use of each key to stdout, all messages to stderr; returns the
   exit code. */
int configuration_check(const char *path);
/* Called as SlurmUser: missing programs are removed from config, and logged.  -EINVAL, -EACCES,
   -EPERM: a file exists but is not executable. */
int programs_drop_missing(struct config *config, struct fail *fail);
/* Returns a sentence if StateSaveLocation contains state of Slurm, else NULL; the caller frees. */
char *state_of_slurm(const struct config *config);
