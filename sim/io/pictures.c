/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws pictures by the script pictures.py, a child process without shell that reads the files of
 * --out. */
#include "sim/io/io.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>

#define SCRIPT "pictures.py"

extern char **environ;

/* Returns the script's path: beside the program in a build folder, else as installed. The caller
   frees. */
static char *script_path(void) {
        char self[PATH_MAX] = "";
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = n > 0 ? strrchr(self, '/') : NULL;

        if (slash) {
                *slash = 0;
                char *beside = xasprintf("%s/" SCRIPT, self);
                if (access(beside, F_OK) == 0)
                        return beside;
                free(beside);
        }
        return xstrdup(PICTURES_FOLDER "/" SCRIPT);
}

int pictures_run(const char *argument, struct fail *fail) {
        _cleanup_free_ char *script = script_path();
        char *argv[] = { script, (char *)(uintptr_t)argument, NULL };
        int status = 0;
        pid_t pid;

        int r = posix_spawn(&pid, script, NULL, NULL, argv, environ);
        if (r != 0)
                return fail_set(fail, -r, "--pictures: %s, which draws them, cannot be run: %s",
                                script, strerror(r));
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return fail_set(fail, -errno, "--pictures: %s is lost: %s", script,
                                        strerror(errno));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
                return fail_set(fail, -EIO, "--pictures: %s has failed", script);
        return 0;
}
