/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/script.h - the file of a batch script, in its step's folder (see spool.h), where
 * only slumberd's user can make files
 *
 * A file that waits there is used if it has no owner yet, or if an earlier script of the same user
 * stood in it: its user may still have it open. */
#pragma once

#include "lib/base.h"

/* For writing, at its beginning; what an earlier script left is cut off by script_close(). Or
   -errno. */
int script_open(const char *path, uid_t uid);
/* Takes fd over: the script ends where it was written to, and is the user's to read and run (mode
   0500). */
int script_close(int fd, uid_t uid, gid_t gid);
