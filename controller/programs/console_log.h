/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/console_log.h - the console output of a node that slumber-power has
 * recorded */
#pragma once

#include "lib/config/config.h"

/* Returns the last lines in console_dir of slumber.yaml, fit for a Reason, and in *ret_written
   their time; NULL if no line has been written since `since` (CLOCK_REALTIME).  The caller
   frees. */
char *console_log_tail(const struct config *config, const char *node, usec_t since,
                usec_t *ret_written);
