/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/thread.h - threads and child processes beside an event loop, with all signals blocked */
#pragma once

#include "lib/base.h"

#include <pthread.h>
#include <sys/types.h>

/* Starts a thread with all signals blocked; name for ps: at most 15 characters. */
int thread_start(pthread_t *ret, const char *name, void *(*work)(void *user), void *user);
/* Makes a mutex, and a condition with deadlines of CLOCK_MONOTONIC. */
void thread_locks_init(pthread_mutex_t *mutex, pthread_cond_t *wake);

/* fork() with all signals blocked, so that no signal handler runs in the child. The child calls
   work(), which must not return. Returns the child's pid or a negative errno. */
pid_t thread_fork(void (*work)(void *user), void *user);
