/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/spank_scripts.h - plug-ins called outside of steps */
#pragma once

#include "lib/plugins/spank.h"
#include "lib/wire.h"

#define SPANK_DIR_VARIABLE "SLUMBER_PLUGIN_DIR" /* PluginDir for spank_slurmd() */

/* Calls slurmd_init, or slurmd_exit if ends is set. path: plugstack.conf. Returns the exit code;
   failures are printed. */
int spank_slurmd(const char *path, bool ends);

struct spank_script { /* shared with the child */
        struct spank_doing doing;
        char text[512]; /* description of the failure */
};
/* Calls job_prolog or job_epilog; runs in a child. Exit code 0, or another code with a text in
   result. */
void spank_job_script(const Slumber__HookSpec *h, struct spank_script *result)
                __attribute__((noreturn));
