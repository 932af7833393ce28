/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/node_features.h - features that a node has only after the right boot
 *
 * Guide, "node features" (helpers.conf): a changeable feature is available while a cloud node is
 * off, becomes active when a job that asks for it is given the node, stays so until the node is off
 * again, and cannot be had meanwhile if it is not active.  Another node that is idle may be
 * rebooted for it (reboot.h), and one that sleeps is woken: it has what its last boot had, most
 * likely, and is rebooted if it comes up without what its jobs ask for.  A feature that
 * helpers.conf does not name is always active. */
#pragma once

#include "controller/model/node.h"
#include "lib/files/helpers.h"

struct features;

/* From configuration or scontrol: which of its features can change. */
void node_features_configure(struct node *n, const struct helpers *helpers);
/* Can a job that asks for it be given n?  when: enum features_when */
bool node_features_has(const struct node *n, const char *name, size_t length, unsigned when);
/* No boot could have all of these (a comma list) at once. */
bool node_features_clash(const struct node *n, const char *names);

/* It is given to a job that asks for f (NULL: nothing), which settles its next boot; nothing if
   that is settled.  True: it must be rebooted for it. */
bool node_features_settle(struct node *n, const struct features *f);
void node_features_forget(struct node *n); /* it is off */
/* What its agent reports (comma list; "": its helpers report nothing, and what the controller
   thinks holds).  -EINVAL with fail: an active feature is missing. */
int node_features_reported(struct node *n, const char *names, struct fail *fail);
/* The same of a node, no cloud's, that was off: whatever it has is true.  False: a job that has it
   asks for more, and active is what it must be rebooted into. */
bool node_features_woken(struct node *n, const char *names);
/* Has n, as it is, what j asks for? */
bool node_features_serve(const struct node *n, const struct job *j);
/* scontrol update ActiveFeatures=names of a node that has these features (or will have them, by the
   same update). -EINVAL with fail: not one of them, or one is left out that cannot be inactive. */
int node_features_check(const struct node *n, const char *features, const char *names,
                struct fail *fail);
void node_features_set(struct node *n, const char *names);
/* all that it has now; the caller frees; NULL: none */
char *node_features_active(const struct node *n);
