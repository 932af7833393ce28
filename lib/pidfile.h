/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/pidfile.h - file with the process number of a running daemon, for programs that stop the
   daemon: SlurmctldPidFile, SlurmdPidFile */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct pidfile;

/* Opens or creates the file as the current user (root may in /run) and gives it to owner, the user
   of the process later. Leaves another daemon's number in the file. path NULL or "": no file, *ret
   untouched. The other two functions take NULL. */
int pidfile_open(const char *path, uid_t owner, struct pidfile **ret, struct fail *fail);
void pidfile_write(const struct pidfile *p); /* writes the caller's process number */
/* Removes the file if it has this process's number or is empty; empties it where the folder forbids
   removal. Returns NULL. */
struct pidfile *pidfile_free(struct pidfile *p);
