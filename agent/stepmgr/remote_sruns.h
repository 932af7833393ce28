/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/remote_sruns.h - sruns and sattaches on other hosts, served by a step manager on
 * this node */
#pragma once

#include "agent/state/agent.h"

/* Handles a Visit from the slumberd of the command's host. */
void remote_srun_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m);
void remote_sruns_peer_lost(struct agent *a, const struct peer *p);
bool remote_sruns_use_peer(const struct agent *a, const struct peer *p);
/* The step manager of j ends: frees all clients of j, which have no step any more. */
void remote_sruns_free_of_job(struct agent *a, const struct job *j);
void remote_sruns_done(struct agent *a);
