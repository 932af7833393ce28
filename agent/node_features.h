/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/node_features.h - features that helpers report */
#pragma once

#include "agent/state/agent.h"

/* What the controller says of this node's helpers. */
void features_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Runs the helpers unless they have been run, each for ExecTime at most; then upstream_prepared().
   a->features is their report. */
void features_run(struct agent *a, const Slumber__AgentConfig *config);
/* Into a registration; the caller frees its list with features_done_message(). */
void features_fill_message(const struct agent *a, Slumber__Register *m);
void features_done_message(Slumber__Register *m);
void features_done(struct agent *a);
