/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/terminal.h - raw mode of the terminal on standard input, while the remote terminal
 * handles signals, echo and lines */
#pragma once

#include "lib/base.h"

/* Sets raw mode until terminal_restore() or the end of the process. false: not a terminal, not
   in the foreground, or raw already. */
bool terminal_make_raw(void);
void terminal_restore(void); /* may be called repeatedly, and by a signal handler */
