/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/sdiag.h - sdiag's request and parts of its output, for other commands */
#pragma once

#include "lib/wire.h"

/* Asks for statistics, or resets the counters. *ret is a StatsReply, or Ok after a reset; the
   caller frees *ret. */
int sdiag_ask(bool reset, Envelope **ret, struct fail *fail);
/* Prints two lines about a stop of node wake-ups. */
void sdiag_print_brake(const Slumber__WakeBrake *b);
