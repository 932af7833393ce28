/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/fail.h - a sentence for people saying why a call failed, beside the negative errno */
#pragma once

#include "lib/base.h"

#define FAULTS_MAX 100 /* maximum lines kept; more faults are only counted */

struct faults { /* faults of a configuration, in the order found, without duplicates */
        char **lines;
        size_t n, allocated, more;
};

struct fail {
        char text[512]; /* "": no sentence yet */
        /* Collects all faults while a configuration is read on after a fault; NULL: reading ends at
           the first fault. */
        struct faults *all;
};

/* Sets the sentence and returns r, for "return fail_set(fail, -EINVAL, ...)". fail may be NULL.
   Cuts a sentence too long for the buffer and makes quoted text printable (printable.h). */
int fail_set(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
/* Puts words and ": " before the sentence ("slurm.conf line 7: ...") and returns r. */
int fail_prefix(struct fail *fail, int r, const char *format, ...) _printf_(3, 4);
/* Moves the sentence to fail->all and returns true: the caller reads on and returns an error at the
   end; fail_prefix() does not change moved sentences. false: the caller stops at the first
   fault. */
bool fail_keep(struct fail *fail);
/* Returns all faults, one per line, and the number beyond FAULTS_MAX; the caller frees. */
char *faults_text(const struct faults *faults);
void faults_done(struct faults *faults);
