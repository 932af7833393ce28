/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/effects.h - effects carried out */
#pragma once

#include "controller/loop/controller.h"

void effect_carry_out(struct controller *ctl, const struct effect *fx);
