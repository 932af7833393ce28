/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/rendezvous.h - where slumberd and a step daemon meet: an abstract Unix socket with a random name
 *
 * A step's daemon outlives slumberd, and the next slumberd must find it: the name stands in the step's record.  It has no
 * file, whose making would cost a step more than anything else that slumberd does for it.  Nobody can take a name before its
 * step does; who takes it afterwards, or connects to it, is known by the kernel's word (SO_PEERCRED) and refused. */
#pragma once

#include "lib/fail.h"

/* A listening descriptor, close-on-exec; the caller frees *ret_name. */
int rendezvous_listen(char **ret_name, struct fail *fail);
/* A connected descriptor that does not block; -ECONNREFUSED: no daemon of ours is there.  Waits, for seconds at most, where
   a crowd of strangers stands before us: the daemon sends them away. */
int rendezvous_connect(const char *name);
/* The next who has connected; -EPERM: somebody else, who has been sent away. */
int rendezvous_accept(int listener);
