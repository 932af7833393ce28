/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/script.h - the file of a batch script, in its step's folder (see spool.h), where
 * only slumberd's user can make files
 *
 * A file that waits there is used if it has no owner yet, or if an earlier script of the same user
 * stood in it: its user may still have it open. */
#pragma once

#include "lib/base.h"

#define SCRIPT_MODE 0500

/* Writes a script of size bytes to path, for its user to read and run (SCRIPT_MODE): nothing of an
   earlier script is left in the file.  0 or a negative errno. */
int script_write(const char *path, const void *data, size_t size, uid_t uid, gid_t gid);
