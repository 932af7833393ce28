/* SPDX-License-Identifier: GPL-3.0-or-later */
/* submit/filter.h - serves cli_filter.lua to the command that has started this process */
#pragma once

#include "submit/script.h"

#define OPTIONS_MAX 512 /* limit for the options of all commands */

extern const struct script_kind filter_script;

/* slumber-submit --filter: serves the command at fd until the command closes it. Returns the
   exit code. */
int submit_filter(int fd);
