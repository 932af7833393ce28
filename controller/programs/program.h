/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/program.h - the site's programs: SuspendProgram, ResumeProgram,
 * ResumeFailProgram
 *
 * A program runs without a shell, as basename and host list, with SLURM_CONF and (where there is
 * one) SLURM_RESUME_FILE and SLUMBER_RESULT_FD and SLUMBER_DEADLINE as its whole environment, in a
 * process group of its own, its standard input and output on /dev/null, no signal blocked or
 * ignored, and no other descriptor of ours.  What it writes to standard error goes to memory; its
 * last lines are kept to explain a failure. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

struct program;

struct program_request {
        const char *path;         /* absolute */
        const char *hostlist;     /* its argument */
        const char *arguments[3]; /* instead of hostlist and features, when there is a first one */
        const char *const *argv;  /* instead of all these, from argv[1] on; ends with NULL */
        const char *features;     /* the second one, of RebootProgram; NULL: none */
        const char *slurm_conf;
        char *const *environment; /* NAME=value beside that, ends with NULL; NULL: nothing */
        /* text of the resume file (controller/programs/resume_file.h); NULL: none */
        const char *resume_json;
        /* duration, for each node: SLUMBER_DEADLINE, in milliseconds; 0: none */
        usec_t deadline;
        int result_fd; /* handed down as SLUMBER_RESULT_FD, stays the caller's; 0: none */
        /* A file that must not be there; the child makes it before it becomes the program, so that
           one start among several controllers' comes to be: -EEXIST.  NULL: none. */
        const char *once;
        const char *cwd; /* "/" when NULL or when it cannot be entered */
        uid_t uid;       /* differ from ours only if we are root */
        gid_t gid;
        usec_t timeout; /* duration; then SIGTERM to the group and PROGRAM_KILL_DELAY later SIGKILL;
                           0 and USEC_INFINITY: no limit */
};

#define PROGRAM_KILL_DELAY (5 * USEC_PER_SEC)

#define PROGRAM_SAID_MAX 4000 /* bytes of what it said last */

#define PROGRAM_STATUS_UNKNOWN (-1) /* of one that is not our child */

/* said: the last whole lines of its standard error, without control characters; "" if there were
   none. */
typedef void (*program_ended)(pid_t pid, int status, bool timed_out, const char *said, void *user);

/* SIGCHLD must be blocked in all threads (sd_event_add_child wants it so).  When the program has
   ended, ended() is called with its wait status, and *ret is freed after that call.  What it left
   running in its process group goes on, unless it was stopped for its time.  fail says why it could
   not be run. */
int program_start(sd_event *event, const struct program_request *req, program_ended ended,
                void *user, struct program **ret, struct fail *fail);
/* As if it had been started here: one that runs already, perhaps started by an earlier run of the
   controller.  start is its process_start(), timeout counts from then.  -ESRCH: it runs no more.
 */
int program_adopt(sd_event *event, pid_t pid, uint64_t start, usec_t timeout, program_ended ended,
                void *user, struct program **ret);
pid_t program_pid(const struct program *p);
void program_signal(const struct program *p, int sig); /* to its group */
usec_t program_age(uint64_t start);                    /* a duration */
/* Stops watching: the program goes on alone, without its resume file; ended() is not called. Frees
   p. */
struct program *program_detach(struct program *p); /* takes NULL, returns NULL */
