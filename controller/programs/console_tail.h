/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/console_tail.h - the last lines of a node's console, fit for a Reason */
#pragma once

#include "lib/base.h"

/* Returns the last three lines of data with printable text, joined by " | "; NULL if none.  A
   console contains arbitrary output of the node and the users: terminal escape sequences are left
   out, and each run of characters outside printable ASCII becomes "?".  The caller frees. */
char *console_tail_text(const char *data, size_t size);
