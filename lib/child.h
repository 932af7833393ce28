/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/child.h - a program in a process group of its own, with the signals that a program expects */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

#define CHILD_NOTHING (-1) /* /dev/null */

/* What a site's program is given as PATH unless it is set otherwise. */
#define CHILD_PATH "PATH=/usr/sbin:/usr/bin:/sbin:/bin"

struct child_program {
        const char *program; /* a path */
        char *const *argv;
        char *envp[6]; /* ends with NULL */
        /* become its standard streams; stay the caller's; CHILD_NOTHING */
        int output, error, input;
};

/* The path of an installed program beside this one; in a build folder it is in ../folder.  The
   caller frees. */
char *program_beside(const char *name, const char *folder);
/* Where the program is that a user has called name: there, if it has a slash; else the first file
   of that name that may be executed in the folders of path (as the variable PATH; NULL: none),
   then, with here, in the working folder.  Where none may be executed: the first that is there,
   which exec refuses; where none is there: name.  The caller frees. */
char *program_find(const char *name, const char *path, bool here);
/* Starts it; the caller waits for *ret, which leads its group.  Negative errno with fail
   (which may be NULL): it could not be started. */
int child_start(const struct child_program *s, pid_t *ret, struct fail *fail);
/* The same with an environment of any length instead of envp. */
int child_start_with(const struct child_program *s, char *const *environment, pid_t *ret,
                struct fail *fail);

/* What it prints, until it closes its output, and its wait status; streams: STDOUT_FILENO, or
   STDERR_FILENO for what it says there alone.  The environment is empty.  Blocks.  -EIO: it has not
   ended within patience, and is killed, or prints more than most bytes.  The caller frees *ret. */
int child_output(const char *program, char *const *argv, int stream, usec_t patience, size_t most,
                char **ret, int *ret_status, struct fail *fail);
