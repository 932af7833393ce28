/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/config_now.h - the configuration that is in force, as a slurm.conf */
#pragma once

#include "controller/model/cluster.h"

struct config_asked {
        const char *heading; /* the first line */
        const char *debug;   /* SlurmctldDebug that scontrol setdebug has set; NULL: it has not */
        bool secrets;        /* with passwords */
};
/* What the files say, with what scontrol has changed since of nodes, partitions, settings of power
   saving and the log (config_write()).  A node that is drained, failing or DOWN by more than its
   silence has that as its State, unless it is a cloud's or FUTURE.  The caller frees. */
char *cluster_config_text(const struct cluster *c, const struct config_asked *asked);
