/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/script_foreign.h - #PBS and #BSUB lines of a batch script as options of sbatch */
#pragma once

#include "commands/submit/script.h"
#include "lib/options.h"

/* Sets the options of a line in *to (a struct of table, sbatch's); *to borrows texts from line.
   Calls not_read(text, user) for each option that is not read, such as "-k oe" or "-l pmem=1gb".
   Returns -EINVAL and other errors of options_set(), with fail. */
int script_foreign(const struct option_table *table, struct script_line *line, void *to,
                void (*not_read)(const char *text, void *user), void *user, struct fail *fail);
