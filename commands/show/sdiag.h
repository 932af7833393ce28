/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/sdiag.h - what sdiag asks and tells, for other commands */
#pragma once

#include "lib/wire.h"

/* *ret is a StatsReply, or Ok after a reset; the caller frees it. */
int sdiag_ask(bool reset, Envelope **ret, struct fail *fail);
/* Two lines: waking of nodes is stopped. */
void sdiag_print_brake(const Slumber__WakeBrake *b);
