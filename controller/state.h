/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/state.h - saves and loads the state */
#pragma once

#include "controller/loop/controller.h"

/* any_name: accept the state of a cluster with a different name. */
int load_state(struct controller *ctl, bool any_name, struct fail *fail);
void save_identity(struct controller *ctl); /* the cluster that owns the state */
/* Stores what a controller of another host needs; only for several controllers. */
void save_host(struct controller *ctl);
void save_clock(struct controller *ctl);
void save_changes(struct controller *ctl);
