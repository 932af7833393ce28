/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/mail_environment.h - the job that MailProg is told of, as variables */
#pragma once

#include "controller/model/cluster.h"
#include "lib/environment.h"

/* As Slurm names them, whatever has happened to j; type: "Began", "Ended", "Failed", "Requeued".
   The caller frees. */
struct environment *mail_environment(const struct cluster *c, const struct job *j,
                const char *type);
