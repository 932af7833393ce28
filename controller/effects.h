/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/effects.h - carries out effects */
#pragma once

#include "controller/loop/controller.h"

void effect_carry_out(struct controller *ctl, const struct effect *fx);
