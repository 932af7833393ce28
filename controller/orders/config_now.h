/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/orders/config_now.h - the configuration in force, as a slurm.conf */
#pragma once

#include "controller/model/cluster.h"

struct config_asked {
        const char *heading; /* first line of the text */
        const char *debug;   /* SlurmctldDebug set by scontrol setdebug; NULL: not set */
        bool secrets;        /* with passwords */
};
/* Returns the configuration of the files, with scontrol's changes of nodes, partitions, power
   saving and logging (config_write()).  A node that is drained, failing, or DOWN (except for not
   responding) gets the state as State, unless the node is a cloud node or FUTURE.  The caller
   frees. */
char *cluster_config_text(const struct cluster *c, const struct config_asked *asked);
