/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/script.h - the file of a batch script in the step's folder (see spool.h), where
 * only slumberd's user can create files
 *
 * An existing file is reused only if empty and owned by slumberd's user, or if owned by the
 * script's user: the user of an earlier script may still have the file open. */
#pragma once

#include "lib/base.h"

#define SCRIPT_MODE 0500

/* Writes a script of size bytes to path, readable and executable by its user (SCRIPT_MODE);
   replaces an earlier script completely. Returns 0 or a negative errno. */
int script_write(const char *path, const void *data, size_t size, uid_t uid, gid_t gid);
