/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/abilities.h - slumberds of earlier builds: what they cannot do (lib/abilities.h)
 */
#pragma once

#include "controller/model/cluster.h"
#include "lib/abilities.h"

/* n can serve j: it lacks nothing that j alone asks for.  A node that has never registered is
   believed to lack nothing. */
bool abilities_serve(const struct node *n, const struct job *j);
/* lacks: bits of enum slumberd_ability.  -EINVAL with fail: the configuration has something for
   each job on n that its slumberd lacks. */
int abilities_check(const struct config *config, const struct node *n, unsigned lacks,
                struct fail *fail);
/* "the slumberd of n1 is of an earlier build without --container"; the caller frees. */
char *abilities_lack_text(const struct node *n, enum slumberd_ability what);
/* The keys of cgroup.conf that act on jobs' memory and that a slumberd which lacks this does not
   heed, "AllowedRAMSpace, MaxRAMPercent"; NULL: none.  The caller frees. */
char *abilities_unheeded(const struct config *config, unsigned lacks);
