/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/program.h - runs a site's program: SuspendProgram, ResumeProgram,
 * ResumeFailProgram
 *
 * A program runs without a shell, with basename and hostlist as arguments, in a process group of
 * its own, without blocked or ignored signals.  The whole environment is SLURM_CONF and (where
 * used) SLURM_RESUME_FILE, SLUMBER_RESULT_FD and SLUMBER_DEADLINE.  Standard input and output are
 * /dev/null, and no other descriptor of slumberctld is inherited.  Standard error goes to memory;
 * the last lines are kept to explain a failure. */
#pragma once

#include "lib/fail.h"

#include <sys/types.h>
#include <systemd/sd-event.h>

struct program;

struct program_request {
        const char *path;         /* absolute */
        const char *hostlist;     /* the argument */
        const char *arguments[3]; /* replace hostlist and features if arguments[0] is set */
        const char *const *argv;  /* replaces all arguments, from argv[1] on; ends with NULL */
        const char *features;     /* second argument, for RebootProgram; NULL: none */
        const char *slurm_conf;
        char *const *environment; /* additional NAME=value, ends with NULL; NULL: none */
        /* text of the resume file (controller/programs/resume_file.h); NULL: none */
        const char *resume_json;
        /* duration for each node: SLUMBER_DEADLINE, in milliseconds; 0: none */
        usec_t deadline;
        int result_fd; /* passed on as SLUMBER_RESULT_FD, remains owned by the caller; 0: none */
        /* A file that must not exist (-EEXIST); the child creates the file before executing the
           program, so that only one of several controllers' starts succeeds.  NULL: none. */
        const char *once;
        const char *cwd; /* "/" if NULL or inaccessible */
        uid_t uid;       /* different from ours only if we are root */
        gid_t gid;
        /* duration until SIGTERM to the group, and SIGKILL after PROGRAM_KILL_DELAY; 0 and
           USEC_INFINITY: no limit */
        usec_t timeout;
};

#define PROGRAM_KILL_DELAY (5 * USEC_PER_SEC)

#define PROGRAM_SAID_MAX 4000 /* bytes kept of the last output */

#define PROGRAM_STATUS_UNKNOWN (-1) /* status of a program that is not our child */

/* said: the last whole lines of standard error, without control characters; "" if none. */
typedef void (*program_ended)(pid_t pid, int status, bool timed_out, const char *said, void *user);

/* Starts a program.  SIGCHLD must be blocked in all threads (as sd_event_add_child requires).  At
   the end of the program ended() is called with the wait status, and *ret is freed after the call.
   Processes left in the program's group continue unless the timeout has passed.  fail says why the
   program could not be run. */
int program_start(sd_event *event, const struct program_request *req, program_ended ended,
                void *user, struct program **ret, struct fail *fail);
/* Adopts a running program, perhaps started by an earlier run of slumberctld, as if started here.
   start is process_start() of the program; timeout counts from then.  -ESRCH: no longer running. */
int program_adopt(sd_event *event, pid_t pid, uint64_t start, usec_t timeout, program_ended ended,
                void *user, struct program **ret);
pid_t program_pid(const struct program *p);
void program_signal(const struct program *p, int sig); /* to the process group */
usec_t program_age(uint64_t start);                    /* a duration; start: process_start() */
/* Stops watching and frees p: the program continues without a resume file; ended() is not
   called. */
struct program *program_detach(struct program *p); /* takes NULL, returns NULL */
