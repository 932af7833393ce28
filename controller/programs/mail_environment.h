/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/mail_environment.h - environment variables that describe the job to
 * MailProg */
#pragma once

#include "controller/model/cluster.h"
#include "lib/environment.h"

/* Returns Slurm's variables for j, whatever the event; type: "Began", "Ended", "Failed",
   "Requeued".  The caller frees. */
struct environment *mail_environment(const struct cluster *c, const struct job *j,
                const char *type);
