/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/hook_row.h - the programs of a hook, one after the other, in a process of their own
 *
 * That process, the runner, outlives the daemon that has started it.  It makes a file before the
 * first program, which must not be there before: so no hook runs twice.  The lines of the file that
 * begin with '@' name the runner, and each program before it begins; what is behind them is what
 * came of the hook: "ok", or why it has failed.  A daemon that finds the runner gone knows by the
 * file whether the hook has begun, has ended, or was killed with its runner; then it ends what is
 * left of the program.
 *
 * Programs run as the runner's own user, so only those that nobody but that user and root can
 * change (trusted.h).  What they leave in their process group ends with them; a daemon in a session
 * of its own goes on. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>

struct hook_row {
        char *const *files; /* paths and patterns: in reverse alphabetical order */
        size_t n_files;
        char *const *environment; /* ends with NULL; nothing is added */
        usec_t timeout;           /* of each program, a duration; 0: none */
        int fd;                   /* of hook_begin() */
        int stop_fd;              /* readable: the hook is to be ended; -1: it never is */
};

/* ---- the runner ---- */

/* A file and its name in its folder are on the disk. */
int hook_sync(const char *path);
/* Makes the file; the descriptor is the caller's.  durable: it outlives a power failure, likewise
   what hook_end() writes.  -EEXIST: the hook has begun already. */
int hook_begin(const char *path, bool durable, struct fail *fail);
/* fork(); the child leads a group of its own, which is noted, and has the signals that a program
   expects. */
pid_t hook_fork(const struct hook_row *row, struct fail *fail);
/* Waits for that child and ends what it leaves in its group.  what is named where it takes too
   long (-ETIMEDOUT) or is stopped (-EINTR). */
int hook_await(const struct hook_row *row, pid_t pid, const char *what, int *ret_status,
                struct fail *fail);
/* All of its programs; the first that fails ends the row. */
int hook_run_row(const struct hook_row *row, struct fail *fail);
/* What came of it.  Negative errno: it cannot be written. */
int hook_end(int fd, bool durable, bool ok, const char *text);

/* ---- those that look at it ---- */

#define HOOK_RESULT_MAX 512

struct hook_result {
        bool same_boot;                       /* all below is of this boot */
        pid_t runner, program;                /* 0: none is named yet */
        uint64_t runner_start, program_start; /* as process_start() */
        bool ended;
        char text[HOOK_RESULT_MAX]; /* "ok", or why it has failed */
};

/* -ENOENT: it has not begun. */
int hook_read(const char *path, struct hook_result *ret);
/* Kills what is left of the program; false: it is not gone yet. */
bool hook_left_end(const struct hook_result *result);
