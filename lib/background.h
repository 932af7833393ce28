/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/background.h - a daemon that was started without -D leaves the terminal, once it is known
 * that it runs
 *
 * Call enter before there are threads, and before what a fork would not take along.  The process
 * that started the daemon waits until it is ready; if that never comes, its exit code is 1, and the
 * reason is on stderr, which stays what it is so long. */
#pragma once

#include "lib/fail.h"

/* Returns in the child alone, which leads a session of its own; *ret_ready is for
   background_ready(). */
int background_enter(int *ret_ready, struct fail *fail);
/* Standard input and output become /dev/null, stderr too if nothing is said there (silent). ready
   is taken; -1: nothing is done. */
void background_ready(int ready, bool silent);
