/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/filter.h - cli_filter.lua for a command that has started this process */
#pragma once

#include "submit/script.h"

#define OPTIONS_MAX 512 /* of all commands */

extern const struct script_kind filter_script;

/* slumber-submit --filter: serves the command at fd until it is gone.  The exit code. */
int submit_filter(int fd);
