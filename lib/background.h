/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/background.h - a daemon started without -D leaves the terminal once the daemon is ready
 *
 * Call background_enter() before threads, locks or other state that fork() does not inherit. The
 * parent process waits until the daemon is ready; the parent's exit code is 1 if the daemon ends
 * earlier. The reason is on stderr, which stays open until background_ready(). */
#pragma once

#include "lib/fail.h"

/* Returns only in the child, which leads a new session; *ret_ready is for background_ready(). */
int background_enter(int *ret_ready, struct fail *fail);
/* Redirects stdin and stdout to /dev/null (silent: stderr too) and lets the parent exit with 0.
   Closes ready; does nothing if ready is -1. */
void background_ready(int ready, bool silent);
