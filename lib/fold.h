/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/fold.h - texts of --help within the width of a terminal */
#pragma once

#include "lib/base.h"

#define FOLD_WIDTH 79 /* columns: some terminals begin a new line behind the 80th */

/* Writes whole lines to out; one that is longer goes on below, at its second column (what stands
   behind two spaces or more), else a little further in than it begins.  A word is never cut. */
void fold_text(FILE *out, const char *text);
