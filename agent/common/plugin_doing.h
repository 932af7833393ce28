/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/plugin_doing.h - which plug-in's callback a step daemon runs, for slumberd
 *
 * It stands in the file "plugin" of the step's folder, which the step daemon has mapped.  Only
 * daemons write there. */
#pragma once

#include "lib/base.h"

struct spank_doing;

/* NULL: it cannot be made, and slumberd will not know. */
struct spank_doing *plugin_doing_make(const char *folder);
/* "plug-in PATH: slurm_spank_init() crashed (signal 11)", "...() has ended the step daemon"; NULL:
   no callback runs or ran.  The caller frees. */
char *plugin_doing_text(const char *folder);
/* Kills the step daemon if a callback runs: true. */
bool plugin_doing_kill(const char *folder);
