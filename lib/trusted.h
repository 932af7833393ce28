/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/trusted.h - checks that only root or the daemon's user can change a path */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

/* Returns 0 if path is absolute and an executable file that only root and the process's user can
   replace: the file, its folders, and symbolic links on the way with their folders. A folder with
   the sticky bit is safe, since only the owner of an entry can replace it. Negative errno with fail
   (may be NULL): not trusted or not accessible. */
int trusted_program(const char *path, struct fail *fail);
/* trusted_program() for any regular file; owner is trusted like root (0: only root and the
   process's user are). */
int trusted_file(const char *path, uid_t owner, struct fail *fail);
