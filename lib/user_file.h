/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/user_file.h - opens files that a user names, with the user's identity
 *
 * The kernel checks the user's permissions, but files of a process in /proc belong to the opening
 * process: /proc/self/maps would be the daemon's, /proc/self/fd/5 a descriptor of the daemon.
 * Therefore paths must not use magic links of /proc nor end at a file of a process in /proc; other
 * files of /proc (/proc/cpuinfo) are allowed. /dev/stdin, /dev/stdout, /dev/stderr and /dev/fd/0 to
 * 2 are the daemon's streams: /dev/null. */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

/* open() with O_CLOEXEC and O_NOCTTY. Returns a descriptor or a negative errno; -ELOOP for
   forbidden files of /proc, -ENOSYS if the kernel (before Linux 5.6) or a filter has no
   openat2(). */
int user_file_open(const char *path, int flags, mode_t mode);
/* chdir(): returns 0 or a negative errno as user_file_open(). */
int user_file_chdir(const char *path);
/* Returns an error text for the result r. */
const char *user_file_error(int r);
