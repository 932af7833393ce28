/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/thread.h"

#include <signal.h>

static sigset_t signals_block_all(void) {
        sigset_t all, old;

        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old);
        return old;
}

int thread_start(pthread_t *ret, const char *name, void *(*work)(void *user), void *user) {
        assert(ret);
        assert(name && strlen(name) < 16);
        assert(work);

        sigset_t old = signals_block_all();
        int r = pthread_create(ret, NULL, work, user);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        if (r == 0)
                pthread_setname_np(*ret, name);
        return -r;
}

void thread_locks_init(pthread_mutex_t *mutex, pthread_cond_t *wake) {
        pthread_condattr_t attributes;

        assert(mutex);
        assert(wake);

        pthread_mutex_init(mutex, NULL);
        pthread_condattr_init(&attributes);
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        pthread_cond_init(wake, &attributes);
        pthread_condattr_destroy(&attributes);
}

pid_t thread_fork(void (*work)(void *user), void *user) {
        assert(work);

        sigset_t old = signals_block_all();
        pid_t pid = fork();
        int error = errno;
        if (pid == 0) {
                work(user);
                _exit(127);
        }
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        return pid < 0 ? -error : pid;
}
