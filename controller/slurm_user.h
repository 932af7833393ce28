/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/slurm_user.h - the user of the daemon, the files and the programs */
#pragma once

#include "lib/config/config.h"

/* If started as root with a different SlurmUser: becomes SlurmUser for good, with the groups.
   Files readable by root only must be read before.  -EPERM: started by any other user; -ENOENT:
   SlurmUser is a number without an account. */
int slurm_user_become(const struct config *config, struct fail *fail);
