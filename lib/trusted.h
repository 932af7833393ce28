/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/trusted.h - paths that only root, or the user that a daemon runs as, can change */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

/* Whether path is an absolute path of an executable file that nobody but root and the process's own
   user can replace: its folders, the links on the way and their folders, the file itself. A folder
   with the sticky bit counts as safe, as only an entry's owner can replace it there. Negative errno
   with fail (which may be NULL): it is not, or it cannot be looked at. */
int trusted_program(const char *path, struct fail *fail);
/* The same of any regular file; owner is trusted like root (0: only root and the process's own
   user are). */
int trusted_file(const char *path, uid_t owner, struct fail *fail);
