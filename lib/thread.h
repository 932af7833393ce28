/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/thread.h - threads and forks beside an event loop: no signal reaches what they run */
#pragma once

#include "lib/base.h"

#include <pthread.h>
#include <sys/types.h>

/* A thread with every signal blocked, of at most 15 letters' name in ps. */
int thread_start(pthread_t *ret, const char *name, void *(*work)(void *user), void *user);
/* A mutex, and a condition with deadlines of CLOCK_MONOTONIC. */
void thread_locks_init(pthread_mutex_t *mutex, pthread_cond_t *wake);

/* fork() with every signal blocked, so that no handler of ours runs in the child; work() is called
   there, and does not return. The child's number, or a negative errno. */
pid_t thread_fork(void (*work)(void *user), void *user);
