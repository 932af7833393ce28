/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/background.h"

#include "lib/base.h"

#include <fcntl.h>

int background_enter(int *ret_ready, struct fail *fail) {
        int fds[2];
        char byte;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
        pid_t pid = fork();
        if (pid < 0)
                return fail_set(fail, -errno, "cannot fork: %s", strerror(errno));
        if (pid > 0) {
                close(fds[1]);
                _exit(read(fds[0], &byte, 1) == 1 ? 0 : 1);
        }
        close(fds[0]);
        (void)setsid();
        *ret_ready = fds[1];
        return 0;
}

void background_ready(int ready, bool silent) {
        if (ready < 0)
                return;
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        if (silent)
                (void)dup2(null, STDERR_FILENO);
        (void)!write(ready, "1", 1);
        close(ready);
        close(null);
}
