/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/power_file.h - whether power.yaml could be used, by a child, "slumber-power
 * --check-file": as SlurmUser, as when a node is to be woken, and whatever the programs of today
 * are */
#pragma once

#include "lib/config.h"

struct power_file {
        char *path;    /* NULL: there is none, and no program of the configuration needs one */
        char **errors; /* "PATH line N: KEY: what was expected" */
        size_t n_errors;
        /* what is possible and hardly meant: nodes that are missing, times that cross */
        char **notes;
        size_t n_notes;
};

/* Blocks until the child has ended, 10 s at most.  -EINVAL: there are errors, all of them. */
int power_file_check(const struct config *config, struct power_file *ret);
void power_file_done(struct power_file *f);
/* Of slumber-power: beside us, or in a build folder; the caller frees. */
char *slumber_power_path(void);
