/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

static void put(posix_spawn_file_actions_t *files, int fd, int as) {
        if (fd == CHILD_NOTHING)
                posix_spawn_file_actions_addopen(files, as, "/dev/null", O_RDWR, 0);
        else
                posix_spawn_file_actions_adddup2(files, fd, as);
}

int child_start(const struct child_program *s, pid_t *ret, struct fail *fail) {
        return child_start_with(s, s->envp, ret, fail);
}

int child_start_with(const struct child_program *s, char *const *environment, pid_t *ret,
                struct fail *fail) {
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attr;
        sigset_t none, all;

        assert(s && s->program && s->argv);
        assert(ret);

        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_init(&attr);
        posix_spawnattr_setflags(&attr,
                        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attr, &none);
        posix_spawnattr_setsigdefault(&attr, &all);
        posix_spawn_file_actions_init(&files);
        put(&files, s->input, STDIN_FILENO);
        put(&files, s->output, STDOUT_FILENO);
        put(&files, s->error, STDERR_FILENO);
        int r = posix_spawn(ret, s->program, &files, &attr, s->argv, environment);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attr);
        return r > 0 ? fail_set(fail, -r, "%s cannot be started: %s", s->program, strerror(r)) : 0;
}
