/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/submit/script_foreign.h - #PBS and #BSUB lines of a batch script, as options of sbatch
 */
#pragma once

#include "commands/submit/script.h"
#include "lib/options.h"

/* Sets in *to (a struct of table, sbatch's) what line asks for; line keeps the texts that *to
   borrows.  What of it is not read is said by not_read(text, user): "-k oe", "-l pmem=1gb". -EINVAL
   and others of options_set(), with fail. */
int script_foreign(const struct option_table *table, struct script_line *line, void *to,
                void (*not_read)(const char *text, void *user), void *user, struct fail *fail);
