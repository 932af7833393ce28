/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/indexes/node_sharing.h - restrictions on sharing nodes: --exclusive=user and =mcs,
 * ExclusiveUser, MCS labels
 *
 * While a job that shares only with its own user is on a node, the node is restricted to that user;
 * MCS labels work alike.  A job with the node alone (--exclusive) is neither restricted nor a
 * restriction. */
#pragma once

#include "controller/indexes/yield.h"

/* True if j shares nodes only with jobs of its user. */
bool shares_with_own_user(const struct job *j);
/* True if j shares nodes only with jobs of its user, or of its MCS label. */
bool keeps_to_its_own(const struct cluster *c, const struct job *j);
/* True if no job on n excludes j, and j excludes none.  Jobs gone in base are ignored; jobs in of,
   which may be preempted, are ignored only if they have the node alone. */
bool may_share_node(const struct cluster *c, const struct node *n, const struct job *j,
                const struct yield *base, const struct yield *of);
/* A job restricting n to one user, or to one label; NULL: none. */
const struct job *node_sharing_owner(const struct node *n);
const struct job *node_sharing_labeller(const struct cluster *c, const struct node *n);
/* Sets cluster.has_sharing_rules if j has such a restriction. */
void node_sharing_note(struct cluster *c, const struct job *j);

/* MCSParameters=privatedata: true if the label (NULL: none) may be the user's.  A job without label
   hides nothing, as in Slurm; a label of mcs/label belongs to no user. */
bool mcs_admits(const struct cluster *c, const struct submitter *submitter, const char *label);
/* Sets the label of j by MCSPlugin and MCSParameters.  Returns SLUMBER_BAD_MCS_LABEL, or
   SLUMBER_NOT_SUPPORTED with fail. */
enum slumber_error mcs_label(const struct cluster *c, struct job *j,
                const struct submitter *submitter, struct fail *fail);
