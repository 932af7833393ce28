/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/spool.h - the node's folder: which steps are here, written so that a new slumberd
 * finds them
 *
 *     SPOOL/lock                          held by the one slumberd that uses the folder
 *     SPOOL/port                          where it listens for other slumberds, or did
 *     SPOOL/state_seen                    what controllers have told it, see state_seen.h
 *     SPOOL/steps/JOB.RESTARTS.STEP/      STEP is a number or "batch"
 *         record        a packed StepdSpec without script and environment, with the step daemon's
 *                       address, or with the end of a script
 *         slurm_script  of a batch step
 *         x11/          of an extern step, see below
 *         spec          of one with a container: all that its step daemon was told
 *
 *     SPOOL/steps/.spare-N/   folders for the next steps: new ones and those of ended steps
 *     SPOOL/steps/.gone-N/    users' folders that are being removed
 *
 *     SPOOL/hooks/JOB.RESTARTS            a packed HookRecord: which hooks of the job have run here
 *     SPOOL/hooks/JOB.RESTARTS.prolog     what came of it, see hook_run.c; likewise .epilog
 *
 *     SPOOL/makers/JOB.RESTARTS           steps that this node makes, see maker/journal.h
 *     SPOOL/homes/JOB                     which node makes those of commands here, see
 * maker/home_files.h
 *
 * slumberd's working folder is the spool folder: names below are relative to it. */
#pragma once

#include "lib/wire.h"

struct step_name {
        uint32_t job, restarts, step;
};

char *step_name_text(const struct step_name *name); /* "7.0.batch"; the caller frees */
int step_name_parse(const char *text, struct step_name *ret);
char *step_name_folder(const struct step_name *name); /* "steps/7.0.batch" */

/* In the folder of an extern step: the user's, with the file of X11's cookie (agent/step/x11.c). */
#define SPOOL_X11 "x11"

/* Makes and locks the folder and goes there; its mode is 0711 for root (a batch script is exec'ed
   by its user), 0700 for others.  A folder that another user could change is refused. -EBUSY:
   another slumberd has it.  *ret_lock is to be kept open. */
int spool_open(const char *path, int *ret_lock, struct fail *fail);
/* Before a step: a folder that was removed, or has another in its place, is made anew, below
   parents that only root and slumberd's user can change; records of steps that run are lost with
   it.  1: it was, *lock_fd is the new one's; 0: it is there. */
int spool_look(int *lock_fd, struct fail *fail);
/* Makes a folder ahead of its step; false: there are enough, or it cannot be made (the step's own
   launch will say why). */
bool spool_make_spare(void);
/* The step's folder, with its record in it; on error there may be a folder without one. */
int spool_make_step(const struct step_name *name, const Slumber__StepdSpec *record,
                struct fail *fail);
void spool_remove_step(const struct step_name *name);
/* Another step daemon, which listens there, has the step. */
int spool_write_socket(const struct step_name *name, const char *socket, struct fail *fail);
/* Nothing more is to be told of the step: a later slumberd only tidies its folder up. */
void spool_remove_record(const struct step_name *name);
/* Appends the step's end to its record, so that a later slumberd need not ask the step daemon.  On
   error (negative errno) the record is unchanged. */
int spool_keep_end(const struct step_name *name, const Slumber__StepEnded *ended);
/* (*ret)->ended is NULL if the end was recorded in an earlier boot. */
int spool_read_record(const struct step_name *name, Slumber__StepdSpec **ret);
/* Of a step with a container; -ENOENT: it has none. */
int spool_write_spec(const struct step_name *name, const Slumber__StepdSpec *spec,
                struct fail *fail);
int spool_read_spec(const struct step_name *name, Slumber__StepdSpec **ret);
/* Which numbered signals of its srun a step has had (agent/peers/had.h): a failure to write it is
   passed over, and false: it is not known. */
void spool_write_signals(const struct step_name *name, uint32_t last, uint64_t bits);
bool spool_read_signals(const struct step_name *name, uint32_t *ret_last, uint64_t *ret_bits);
/* Where slumberd listens; a failure to write it is passed over, 0: it is not known. */
void spool_write_port(uint16_t port);
uint16_t spool_read_port(void);

/* ---- hooks of a job ---- */
/* "7.0"; false: it is something else. */
bool hook_name_parse(const char *text, uint32_t *ret_job, uint32_t *ret_restarts);
/* of: "" for the record, ".prolog", ".epilog"; the caller frees */
char *spool_hook_path(uint32_t job, uint32_t restarts, const char *of);
/* Has the record written to the disk, beside the loop. */
void spool_sync_hook(uint32_t job, uint32_t restarts);
int spool_write_hook(uint32_t job, uint32_t restarts, const Slumber__HookRecord *record,
                struct fail *fail);
int spool_read_hook(uint32_t job, uint32_t restarts, Slumber__HookRecord **ret);
void spool_remove_hook(uint32_t job, uint32_t restarts);
