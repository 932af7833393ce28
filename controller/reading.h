/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reading.h - reads the configuration again, in a thread */
#pragma once

#include "controller/loop/controller.h"

/* Starts a reading for the requests in ctl->reconfigure; no reading may be under way. */
void reading_begin(struct controller *ctl);
bool reading_is_over(const struct controller *ctl);
/* Returns the result, see configuration_read(); fail->all stays owned by the reading. */
int reading_take(struct controller *ctl, struct config **ret, struct fail *fail);
/* Answers the waiting requests. */
void reading_end(struct controller *ctl, int r, const struct fail *fail);
void reading_drop(struct controller *ctl); /* called at the end of slumberctld */
