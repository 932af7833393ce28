/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/user_file.h - files that a user names and a daemon opens with the user's identity
 *
 * The kernel checks the rights of the identity, but what /proc shows of a process belongs to the
 * process that opens it: /proc/self/maps would be the daemon's, /proc/self/fd/5 a descriptor of the
 * daemon.  So no path leads through a magic link of /proc, and none ends at a file of a process in
 * /proc; other files of /proc (/proc/cpuinfo) are like any file.  /dev/stdin, /dev/stdout,
 * /dev/stderr and /dev/fd/0 to 2 are /dev/null, as the daemon's own are. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

/* As open(), with O_CLOEXEC and O_NOCTTY.  A descriptor or a negative errno; -ELOOP for what is
   said above, -ENOSYS where the kernel (before Linux 5.6) or a filter has no openat2(). */
int user_file_open(const char *path, int flags, mode_t mode);
/* As chdir(): 0 or a negative errno, the same. */
int user_file_chdir(const char *path);
/* Why one of these failed, for a person. */
const char *user_file_error(int r);
