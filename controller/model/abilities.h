/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/abilities.h - slumberds of earlier builds: abilities lacking (lib/abilities.h)
 */
#pragma once

#include "controller/model/cluster.h"
#include "lib/abilities.h"

/* True if n lacks no ability needed by j in particular. A node that has never registered is assumed
   to lack none. */
bool abilities_serve(const struct node *n, const struct job *j);
/* Checks abilities needed by every job on n. lacks: bits of enum slumberd_ability.  Returns -EINVAL
   with fail if the configuration needs a lacking ability. */
int abilities_check(const struct config *config, const struct node *n, unsigned lacks,
                struct fail *fail);
/* "the slumberd of n1 is of an earlier build without --container"; the caller frees. */
char *abilities_lack_text(const struct node *n, enum slumberd_ability what);
/* The keys of cgroup.conf about memory of jobs that a slumberd lacking these abilities ignores:
   "AllowedRAMSpace, MaxRAMPercent"; NULL: none.  The caller frees the text. */
char *abilities_unheeded(const struct config *config, unsigned lacks);
