/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/mail_environment.h - the job that MailProg is told of, as variables */
#pragma once

#include "controller/model/cluster.h"

struct mail_facts {
        const char *type;                   /* "Began", "Ended", "Failed", "Requeued" */
        const char *queued_time, *run_time; /* "00:01:02"; NULL: not told */
        bool ended;
        int least, most; /* exit codes: of an array the range, else both the job's */
        bool range;      /* ... of an array */
};

/* As Slurm names them; the caller frees by mail_environment_free().  Ends with NULL. */
char **mail_environment(const struct cluster *c, const struct job *j,
                const struct mail_facts *facts);
char **mail_environment_free(char **list); /* takes NULL, returns NULL */
