/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/pidfile.h - the number of a daemon that runs, for programs that want to end it:
   SlurmctldPidFile, SlurmdPidFile */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct pidfile;

/* Opens or makes it, as the present user (root may in /run), and gives it to owner, which this
   process may become later.  Another daemon's number stays in it.  path NULL or "": there is none,
   *ret is not touched.  The other two take NULL. */
int pidfile_open(const char *path, uid_t owner, struct pidfile **ret, struct fail *fail);
void pidfile_write(const struct pidfile *p); /* of the process that calls */
/* It goes if this process's number is in it, or none; where its folder allows no removal, it is
   left empty. */
struct pidfile *pidfile_free(struct pidfile *p); /* returns NULL */
