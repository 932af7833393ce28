/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/rendezvous.h - the socket between slumberd and a step daemon: an abstract Unix
 * socket with a random name
 *
 * A step daemon outlives slumberd, and the next slumberd must find the daemon: the step's record
 * has the name. A socket file would cost a step more than all the rest of slumberd's work. The
 * random name cannot be taken before the step's daemon has it; a process that takes the name
 * afterwards, or connects to it, is recognized by SO_PEERCRED and refused. */
#pragma once

#include "lib/fail.h"

/* Descriptors passed to a new step daemon. */
enum {
        STEP_FD_LISTENER, /* listening socket for later slumberds */
        STEP_FD_LINE,     /* connection to the current slumberd */
        STEP_FDS,
};

/* Creates a connected pair of sockets, close-on-exec and non-blocking. */
int rendezvous_pair(int *ret_ours, int *ret_its, struct fail *fail);
/* Returns a listening descriptor, close-on-exec; the caller frees *ret_name. */
int rendezvous_listen(char **ret_name, struct fail *fail);
/* Returns a connected non-blocking descriptor. -ECONNREFUSED: no step daemon of the user is
   listening; -EAGAIN: the queue is full of foreign connections, which the daemon refuses: try
   again. */
int rendezvous_connect(const char *name);
/* Accepts the next connection. -EPERM: a foreign user's connection, already closed. */
int rendezvous_accept(int listener);
