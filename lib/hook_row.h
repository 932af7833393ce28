/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/hook_row.h - runs the programs of a hook (prolog, epilog) one by one, in a separate process
 *
 * The separate process, the runner, outlives the daemon that started it. Before the first program
 * the runner creates a file, which must not exist yet: no hook runs twice. Lines of the file
 * beginning with '@' name the runner and, before its start, each program; the text behind these
 * lines is the hook's result: "ok" or the reason of the failure. If the runner is gone, the daemon
 * reads from the file whether the hook had started, had ended, or was killed with the runner; the
 * daemon then kills the rest of the program.
 *
 * Programs run as the runner's user: only programs that nobody but root and the runner's user can
 * change are run (trusted.h). Processes left in a program's process group are killed; a daemon with
 * its own session survives. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct hook_row {
        char *const *files; /* paths and patterns, run in reverse alphabetical order */
        size_t n_files;
        char *const *environment; /* the whole environment; NULL-terminated */
        usec_t timeout;           /* duration, for each program; 0: none */
        int fd;                   /* from hook_begin() */
        int stop_fd;              /* readable: end the hook; -1: never */
};

/* ---- the runner ---- */

/* Flushes a file and its name in the folder to disk. */
int hook_sync(const char *path);
/* Creates the file; the caller closes the descriptor. durable: the file, and later the text of
   hook_end(), survive a power failure. -EEXIST: the hook has begun already. */
int hook_begin(const char *path, bool durable, struct fail *fail);
/* Forks a child with default signals that leads its own process group, recorded in the file. */
pid_t hook_fork(const struct hook_row *row, struct fail *fail);
/* Waits for the child and kills the rest of its process group. what: name of the program in errors
   -ETIMEDOUT (took too long) and -EINTR (stopped). */
int hook_await(const struct hook_row *row, pid_t pid, const char *what, int *ret_status,
                struct fail *fail);
/* Runs all programs; stops at the first failure. */
int hook_run_row(const struct hook_row *row, struct fail *fail);
/* Writes the hook's result. Negative errno: the file cannot be written. */
int hook_end(int fd, bool durable, bool ok, const char *text);

/* ---- readers of the file ---- */

#define HOOK_RESULT_MAX 512

struct hook_result {
        bool same_boot;                       /* the file was written since the last boot */
        pid_t runner, program;                /* 0: not recorded yet */
        uint64_t runner_start, program_start; /* start times as from process_start() */
        bool ended;
        char text[HOOK_RESULT_MAX]; /* "ok", or the reason of the failure */
};

/* Reads the file. -ENOENT: the hook has not begun. */
int hook_read(const char *path, struct hook_result *ret);
/* Kills the rest of the program; false: some processes still run. */
bool hook_left_end(const struct hook_result *result);
