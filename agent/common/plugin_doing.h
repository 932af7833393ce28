/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/plugin_doing.h - tells slumberd which plug-in callback a step daemon runs
 *
 * The callback is named in the file "plugin" of the step's folder, mapped by the step daemon. Only
 * daemons write to the file. */
#pragma once

#include "lib/base.h"

struct spank_doing;

/* Creates and maps the file. NULL: failed, and slumberd will not know the callback. */
struct spank_doing *plugin_doing_make(const char *folder);
/* Returns "plug-in PATH: slurm_spank_init() crashed (signal 11)" or "... has ended the step daemon,
   or was ended with it"; the caller frees. NULL: no callback runs or ran. */
char *plugin_doing_text(const char *folder);
/* Kills the step daemon if a callback runs; returns true if killed. */
bool plugin_doing_kill(const char *folder);
