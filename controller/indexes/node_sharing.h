/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/node_sharing.h - which jobs a job shares a node with: --exclusive=user and
 * =mcs, ExclusiveUser, MCS labels
 *
 * While a job that keeps to its user is on a node, the node is its user's; likewise with MCS
 * labels.  A job that has the node for itself (--exclusive) neither asks nor is asked. */
#pragma once

#include "controller/indexes/yield.h"

/* It keeps to jobs of its own user. */
bool shares_with_own_user(const struct job *j);
/* It keeps to jobs of its own user, or of its own MCS label: others have nothing of its nodes. */
bool keeps_to_its_own(const struct cluster *c, const struct job *j);
/* No job there keeps j away, nor j itself.  Those of base that are gone do not count; those of of,
   which may be stopped, count unless they have the node for themselves. */
bool may_share_node(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *base, const struct yield *of);
/* A job that makes n its user's, or its label's; NULL: none does. */
const struct job *node_sharing_owner(const struct node *n);
const struct job *node_sharing_labeller(const struct cluster *c, const struct node *n);
/* A job or partition with such rules has come: cluster.has_sharing_rules. */
void node_sharing_note(struct cluster *c, const struct job *j);

/* MCSParameters=privatedata: is that label (NULL: none) one that the user may have?  A job without
   a label hides nothing, as in Slurm; a label of mcs/label belongs to no user. */
bool mcs_admits(const struct cluster *c, const struct submitter *submitter, const char *label);
/* MCSPlugin and MCSParameters: gives j its label, or none. SLUMBER_BAD_MCS_LABEL,
   SLUMBER_NOT_SUPPORTED with fail. */
enum slumber_error mcs_label(const struct cluster *c, struct job *j,
                const struct submitter *submitter, struct fail *fail);
