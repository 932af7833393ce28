/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/fail.h - why something failed, in one sentence for a person, beside the negative errno */
#pragma once

#include "lib/base.h"

struct fail {
        char text[512]; /* "" = nothing said */
};

/* Sets the sentence and returns r, so that "return fail_set(fail, -EINVAL, ...)" is one line.
   fail may be NULL.  A sentence too long for the buffer is cut; what it quotes is made printable (printable.h). */
int fail_set(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
/* Puts words and ": " before what is there ("slurm.conf line 7: ..."). */
int fail_prefix(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
