/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node_features.h - features that depend on how a node was booted
 *
 * Guide, "node features" (helpers.conf): a changeable feature is available while a cloud node is
 * off, becomes active when the node is given to a job requesting the feature, and stays active
 * until the node is off again; an inactive feature is unavailable while the node is up.  An idle
 * node that is not CLOUD may be rebooted for a feature (reboot.h).  A sleeping node that is not
 * CLOUD is woken, probably has the features of its last boot, and is rebooted if a feature
 * requested by its jobs is missing.  Features not named in helpers.conf are always active. */
#pragma once

#include "controller/model/node.h"
#include "lib/files/helpers.h"

struct features;

/* Determines n's changeable features, after a change of the configuration or by scontrol. */
void node_features_configure(struct node *n, const struct helpers *helpers);
/* True if n can be given to a job requesting the feature.  when: enum features_when. */
bool node_features_has(const struct node *n, const char *name, size_t length, unsigned when);
/* True if no boot can have all these features (a comma list) at once. */
bool node_features_clash(const struct node *n, const char *names);

/* Gives n to a job requesting f (NULL: no features), which determines the features of the next boot
   unless already determined.  Returns true if n must be rebooted. */
bool node_features_settle(struct node *n, const struct features *f);
void node_features_forget(struct node *n); /* the node is off */
/* Takes the features reported by the agent (comma list; "": no helper reported, so the assumed
   features stay). -EINVAL with fail: an active feature is missing. */
int node_features_reported(struct node *n, const char *names, struct fail *fail);
/* Takes the features reported after a wake of a node that is not CLOUD: the report is believed.
   Returns false if a job on n requests more; active is then set to the features for a reboot. */
bool node_features_woken(struct node *n, const char *names);
/* True if n in its present state has the features requested by j. */
bool node_features_serve(const struct node *n, const struct job *j);
/* Checks scontrol update ActiveFeatures=names for a node with these features, possibly set by the
   same update. -EINVAL with fail: a name is not a feature of n, or a feature that is always active
   is left out. */
int node_features_check(const struct node *n, const char *features, const char *names,
                struct fail *fail);
void node_features_set(struct node *n, const char *names);
/* active features; NULL: none; the caller frees */
char *node_features_active(const struct node *n);
