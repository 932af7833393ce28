/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/rendezvous.h - where slumberd and a step daemon meet: an abstract Unix socket with a
 * random name
 *
 * A step's daemon outlives slumberd, and the next slumberd must find it: the name stands in the
 * step's record.  It has no file, which would cost a step more than anything else that slumberd
 * does for it.  No process can take a name before its step does; a process that takes it
 * afterwards, or connects to it, is known by SO_PEERCRED and refused. */
#pragma once

#include "lib/fail.h"

/* What a step daemon is born with. */
enum {
        STEP_FD_LISTENER, /* for the next slumberd */
        STEP_FD_LINE,     /* to this one */
        STEP_FDS,
};

/* The two ends of a line; they are close-on-exec and do not block. */
int rendezvous_pair(int *ret_ours, int *ret_its, struct fail *fail);
/* A listening descriptor, close-on-exec; the caller frees *ret_name. */
int rendezvous_listen(char **ret_name, struct fail *fail);
/* A connected descriptor that does not block; -ECONNREFUSED: no daemon of ours is there; -EAGAIN: a
   crowd of strangers stands before us, which the daemon refuses: come again. */
int rendezvous_connect(const char *name);
/* The next connection; -EPERM: another user's, which has been closed. */
int rendezvous_accept(int listener);
