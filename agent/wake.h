/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/wake.h - registration after a sleep of the machine */
#pragma once

#include "agent/state/agent.h"

void wake_watch(struct agent *a);  /* registers again after each sleep from now on */
void wake_expect(struct agent *a); /* the controller has requested a sleep */
void wake_done(struct agent *a);
