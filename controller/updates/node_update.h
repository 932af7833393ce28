/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/node_update.h - scontrol update nodename=, scontrol power, scontrol reboot */
#pragma once

#include "controller/model/cluster.h"
#include "controller/nodes/reboot.h"
#include "lib/errors.h"

/* Lists of values for a list of nodes, in the same order. */
enum node_list {
        NODE_LIST_ADDRESSES,
        NODE_LIST_HOSTNAMES,
        NODE_LIST_IDS,
        NODE_LIST_TYPES,
        NODE_LIST_MAX
};

/* All borrowed; NULL: not named; "": cleared, but for the state. */
struct node_update {
        const char *action; /* of a state POWER_...: a PowerAction instead of slurm.conf's program
                             */
        const char *state, *reason, *comment, *extra, *features, *active_features, *topology;
        const char *lists[NODE_LIST_MAX];
        bool new_weight, new_resume_after;
        uint32_t weight;
        usec_t resume_after; /* NO_LIMIT: taken back */
};

/* The nodes of a host list.  Every node is tried; the first refusal is what fail says, with its
   node.  What is wrong for all of them changes nothing. */
enum slumber_error nodes_update(struct cluster *c, const char *nodes, const struct node_update *u,
                uid_t uid, usec_t now, struct fail *fail);
/* *ret_skipped, the caller's: which nodes cannot be rebooted now, where it is
   SLUMBER_BAD_NODE_STATE; the others are. */
enum slumber_error nodes_reboot(struct cluster *c, const char *nodes, const struct reboot_wish *w,
                usec_t now, char **ret_skipped, struct fail *fail);
