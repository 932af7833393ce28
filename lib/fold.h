/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/fold.h - folds --help texts to the width of a terminal */
#pragma once

#include "lib/base.h"

#define FOLD_WIDTH 79 /* columns: some terminals begin a new line after the 80th */

/* Writes the lines of text to out. Folds a longer line: the rest begins at the second column (after
   two or more spaces), or slightly deeper than the line. Words are never cut. */
void fold_text(FILE *out, const char *text);
