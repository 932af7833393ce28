/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/node_features.h - features reported by helpers */
#pragma once

#include "agent/state/agent.h"

/* Applies the helpers of the controller's settings. */
void features_apply(struct agent *a, const Slumber__AgentConfig *config);
/* Runs the helpers unless already run, each for ExecTime at most, and calls upstream_prepared() at
   the end. a->features is the result. */
void features_run(struct agent *a, const Slumber__AgentConfig *config);
/* Adds the features to a registration; the caller frees the list by features_done_message(). */
void features_fill_message(const struct agent *a, Slumber__Register *m);
void features_done_message(Slumber__Register *m);
void features_done(struct agent *a);
