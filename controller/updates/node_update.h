/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/node_update.h - scontrol update NodeName=, scontrol power, scontrol reboot */
#pragma once

#include "controller/model/cluster.h"
#include "controller/nodes/reboot.h"
#include "lib/errors.h"

/* Lists with a value for each node, in the order of the nodes. */
enum node_list {
        NODE_LIST_ADDRESSES,
        NODE_LIST_HOSTNAMES,
        NODE_LIST_IDS,
        NODE_LIST_TYPES,
        NODE_LIST_MAX
};

/* Texts are borrowed; NULL: not named; "": cleared, except state. */
struct node_update {
        const char *action; /* a PowerAction for State=POWER_..., instead of slurm.conf's program */
        const char *state, *reason, *comment, *extra, *features, *active_features, *topology;
        const char *lists[NODE_LIST_MAX];
        bool new_weight, new_resume_after;
        uint32_t weight;
        usec_t resume_after; /* NO_LIMIT: cancelled */
};

/* Updates the nodes of a hostlist.  Every node is tried; fail describes the first refusal, with the
   node.  An error that concerns all nodes changes no node. */
enum slumber_error nodes_update(struct cluster *c, const char *nodes, const struct node_update *u,
                uid_t uid, usec_t now, struct fail *fail);
/* *ret_skipped, owned by the caller: nodes that cannot be rebooted now, with
   SLUMBER_BAD_NODE_STATE; all further nodes are rebooted. */
enum slumber_error nodes_reboot(struct cluster *c, const char *nodes, const struct reboot_wish *w,
                usec_t now, char **ret_skipped, struct fail *fail);
