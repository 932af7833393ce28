/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/check.h - a configuration and what it needs of this host, before anything is done with
   it */
#pragma once

#include "lib/config/config.h"

/* Every file and every program that it names.  *ret is what could be read, on failure too, and the
   caller's; fail->all is there and has all faults.  start: a program that is missing is not a
   fault, as its file system may be late, and power.yaml is not looked at. */
int configuration_read(const char *path, bool start, struct config **ret, struct fail *fail);
/* slumberctld --check: prints what becomes of each key to stdout, all that is told of it to stderr;
   the exit code. */
int configuration_check(const char *path);
/* As SlurmUser: those that are missing are done without, and logged; -EINVAL, -EACCES, -EPERM: one
   is there and no program. */
int programs_drop_missing(struct config *config, struct fail *fail);
/* A sentence, if StateSaveLocation holds what Slurm has left there; the caller frees. NULL: it does
   not. */
char *state_of_slurm(const struct config *config);
