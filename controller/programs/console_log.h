/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/console_log.h - what slumber-power has kept of a node's console */
#pragma once

#include "lib/config/config.h"

/* The last lines in console_dir of slumber.yaml, fit for a Reason, and when they were written;
   NULL: nothing, or nothing written since then (CLOCK_REALTIME).  The caller frees. */
char *console_log_tail(const struct config *config, const char *node, usec_t since,
                usec_t *ret_written);
