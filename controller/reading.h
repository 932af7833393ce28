/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reading.h - the configuration is read again, beside the loop */
#pragma once

#include "controller/loop/controller.h"

void reading_begin(struct controller *ctl); /* for those in ctl->reconfigure; there must be none */
bool reading_is_over(const struct controller *ctl);
/* What it has read: as configuration_read(); fail->all stays the reading's. */
int reading_take(struct controller *ctl, struct config **ret, struct fail *fail);
/* Answers those that wait for it. */
void reading_end(struct controller *ctl, int r, const struct fail *fail);
void reading_drop(struct controller *ctl); /* at the end of the controller */
