/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/terminal.h - the terminal on standard input, raw while another one at the far end makes
 * signals, echo and lines */
#pragma once

#include "lib/base.h"

/* Until terminal_restore() or the end of the process.  false: there is none, it is another process
   group's, or it is raw already. */
bool terminal_make_raw(void);
void terminal_restore(void); /* may be called again, and by a signal's handler */
