/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/batch.h - launches of batch scripts */
#pragma once

#include "controller/loop/controller.h"

/* FX_LAUNCH */
void batch_launch(struct controller *ctl, uint32_t job);
