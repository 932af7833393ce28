/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/console_tail.h - the last lines of a node's console, fit for a Reason */
#pragma once

#include "lib/base.h"

/* The last three lines of data that have anything printable in them, joined by " | "; NULL when
   there is none.  A console has whatever a node, or a user on it, writes: terminals' escape
   sequences are left out and what is not printable ASCII becomes "?", once for each run.  The
   caller frees. */
char *console_tail_text(const char *data, size_t size);
