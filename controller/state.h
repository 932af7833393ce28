/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/state.h - the state between memory and store */
#pragma once

#include "controller/loop/controller.h"

/* any_name: also the state of a cluster of another name. */
int load_state(struct controller *ctl, bool any_name, struct fail *fail);
void save_identity(struct controller *ctl); /* the cluster that the state belongs to */
void save_clock(struct controller *ctl);
void save_changes(struct controller *ctl);
