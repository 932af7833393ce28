/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/child.h - runs a program in a process group of its own, with default signals */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

#define CHILD_NOTHING (-1) /* standard stream on /dev/null */

/* PATH for a site's program, unless configured. */
#define CHILD_PATH "PATH=/usr/sbin:/usr/bin:/sbin:/bin"

struct child_program {
        const char *program; /* a path */
        char *const *argv;
        char *envp[6]; /* ends with NULL */
        /* Standard streams of the program, or CHILD_NOTHING; the caller keeps the descriptors. */
        int output, error, input;
};

/* Returns the path of a program installed beside the running one; in a build folder the path is
   ../folder/name. The caller frees. */
char *program_beside(const char *name, const char *folder);
/* Finds the program called name. A name with a slash is returned unchanged. Otherwise the first
   executable file in the folders of path (like PATH; NULL: none), then, if here, in the working
   folder. If no file is executable: the first existing file, which exec refuses; if none exists:
   name. The caller frees. */
char *program_find(const char *name, const char *path, bool here);
/* Starts the program; *ret is its process and process group; the caller waits for it. Negative
   errno with fail (may be NULL): not started. */
int child_start(const struct child_program *s, pid_t *ret, struct fail *fail);
/* child_start() with an environment of any length instead of envp. */
int child_start_with(const struct child_program *s, char *const *environment, pid_t *ret,
                struct fail *fail);

/* Runs the program with an empty environment and waits for its end (blocks). *ret is the output on
   stream (STDOUT_FILENO or STDERR_FILENO); the caller frees. -EIO: killed after patience, or after
   more than most bytes of output. */
int child_output(const char *program, char *const *argv, int stream, usec_t patience, size_t most,
                char **ret, int *ret_status, struct fail *fail);
