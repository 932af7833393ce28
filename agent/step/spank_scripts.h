/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/spank_scripts.h - plug-ins outside of steps */
#pragma once

#include "lib/plugins/spank.h"
#include "lib/wire.h"

#define SPANK_DIR_VARIABLE "SLUMBER_PLUGIN_DIR" /* PluginDir, for spank_slurmd() */

/* slurmd_init, or ends: slurmd_exit; path: plugstack.conf.  The exit code; a failure is said. */
int spank_slurmd(const char *path, bool ends);

struct spank_script { /* shared with the child */
        struct spank_doing doing;
        char text[512]; /* what has failed */
};
/* In a child: job_prolog or job_epilog.  It ends with 0, or another code and the text. */
void spank_job_script(const Slumber__HookSpec *h, struct spank_script *result)
                __attribute__((noreturn));
