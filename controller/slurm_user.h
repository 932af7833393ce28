/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/slurm_user.h - the user that the daemon, its files and its programs belong to */
#pragma once

#include "lib/config/config.h"

/* Started as root with another SlurmUser: becomes that user, for good, with its groups.  What only
   root may read is read before.  -EPERM when another user starts it; -ENOENT when SlurmUser is a
   number without an account. */
int slurm_user_become(const struct config *config, struct fail *fail);
