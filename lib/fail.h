/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/fail.h - why something failed, in one sentence for a person, beside the negative errno */
#pragma once

#include "lib/base.h"

#define FAULTS_MAX 100 /* more at once are not read; the others are counted */

struct faults { /* all that is wrong with a configuration, in the order it was found */
        char **lines;
        size_t n, allocated, more;
};

struct fail {
        char text[512]; /* "" = nothing said */
        /* a configuration is read on behind a fault, which is left here; NULL: the first fault ends
           it */
        struct faults *all;
};

/* Sets the sentence and returns r, so that "return fail_set(fail, -EINVAL, ...)" is one line.
   fail may be NULL.  A sentence too long for the buffer is cut; what it quotes is made printable
   (printable.h). */
int fail_set(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
/* Puts words and ": " before what is there ("slurm.conf line 7: ..."). */
int fail_prefix(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
/* Moves the sentence to fail->all: true, and the reader goes on, to return its error at its end;
   where all is said already, nothing is put before it. false: no more than the first is wanted. */
bool fail_keep(struct fail *fail);
/* All of them on lines of their own, and how many there were beyond FAULTS_MAX; the caller
   frees. */
char *faults_text(const struct faults *faults);
void faults_done(struct faults *faults);
