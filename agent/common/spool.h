/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/spool.h - the node's spool folder: the steps of the node, recorded for the next
 * slumberd
 *
 *     SPOOL/lock                          held by the one slumberd using the folder
 *     SPOOL/port                          last port of slumberd for connections of slumberds
 *     SPOOL/state_seen                    the controller's state as last seen, see state_seen.h
 *     SPOOL/steps/JOB.RESTARTS.STEP/      STEP is a number or "batch"
 *         record        a packed StepdSpec without script and environment, with the step daemon's
 *                       address, or with the end of a batch script
 *         slurm_script  of a batch step
 *         x11/          of an extern step, see below
 *         spec          of a step with a container: the whole StepdSpec
 *
 *     SPOOL/steps/.spare-N/   folders for future steps: new, or of ended steps
 *     SPOOL/steps/.gone-N/    users' folders being removed
 *
 *     SPOOL/hooks/JOB.RESTARTS            a packed HookRecord: the hooks of the job run so far
 *     SPOOL/hooks/JOB.RESTARTS.prolog     the result, see hook_run.c; .epilog likewise
 *
 *     SPOOL/makers/JOB.RESTARTS           steps made by the node, see stepmgr/journal.h
 *     SPOOL/homes/JOB                     the step manager's node for commands of the job on this
 *                                         node, see stepmgr/address_files.h
 *
 * slumberd's working folder is the spool folder: names below are relative to the spool. */
#pragma once

#include "lib/wire.h"

struct step_name {
        uint32_t job, restarts, step;
};

char *step_name_text(const struct step_name *name); /* "7.0.batch"; the caller frees */
int step_name_parse(const char *text, struct step_name *ret);
char *step_name_folder(const struct step_name *name); /* "steps/7.0.batch" */

/* Folder of the user within an extern step's folder, with the file of X11's cookie
   (agent/step/x11.c). */
#define SPOOL_X11 "x11"

/* Creates, locks and enters the folder; mode 0711 for root (a batch script is executed by its
   user), else 0700. A folder writable by foreign users is refused. -EBUSY: in use by a second
   slumberd. *ret_lock must stay open. */
int spool_open(const char *path, int *ret_lock, struct fail *fail);
/* Called before a step: recreates a removed or replaced spool folder, below parents writable only
   by root and slumberd's user. Records of running steps are lost. 1: recreated, *lock_fd is the new
   lock; 0: unchanged. */
int spool_look(int *lock_fd, struct fail *fail);
/* Creates a spare folder for a future step; false: enough exist, or the creation failed (a launch
   will report the reason). */
bool spool_make_spare(void);
/* Creates the step's folder with the record. After an error a folder without a record may
   remain. */
int spool_make_step(const struct step_name *name, const Slumber__StepdSpec *record,
                struct fail *fail);
void spool_remove_step(const struct step_name *name);
/* Records the socket of a step's new step daemon. */
int spool_write_socket(const struct step_name *name, const char *socket, struct fail *fail);
/* Called when nothing about the step remains to be reported: a later slumberd only removes the
   folder. */
void spool_remove_record(const struct step_name *name);
/* Appends the step's end to the record, so that a later slumberd need not ask the step daemon. On
   error (negative errno) the record is unchanged. */
int spool_keep_end(const struct step_name *name, const Slumber__StepEnded *ended);
/* Reads the step's record; the caller frees. (*ret)->ended is NULL if the end was recorded in an
   earlier boot. -ENOENT: none. */
int spool_read_record(const struct step_name *name, Slumber__StepdSpec **ret);
/* Write and read the whole StepdSpec of a step with a container; -ENOENT: no container. */
int spool_write_spec(const struct step_name *name, const Slumber__StepdSpec *spec,
                struct fail *fail);
int spool_read_spec(const struct step_name *name, Slumber__StepdSpec **ret);
/* Write and read the numbered signals of srun received by a step (agent/peers/had.h). Write errors
   are ignored; false: unknown. */
void spool_write_signals(const struct step_name *name, uint32_t last, uint64_t bits);
bool spool_read_signals(const struct step_name *name, uint32_t *ret_last, uint64_t *ret_bits);
/* Write and read slumberd's port. Write errors are ignored; 0: unknown. */
void spool_write_port(uint16_t port);
uint16_t spool_read_port(void);

/* ---- hooks of a job ---- */
/* Parses "7.0"; false: invalid. */
bool hook_name_parse(const char *text, uint32_t *ret_job, uint32_t *ret_restarts);
/* Returns the path of a hook's file; of: "" (record), ".prolog" or ".epilog"; the caller frees. */
char *spool_hook_path(uint32_t job, uint32_t restarts, const char *of);
/* Flushes the record to disk in a separate thread. */
void spool_sync_hook(uint32_t job, uint32_t restarts);
int spool_write_hook(uint32_t job, uint32_t restarts, const Slumber__HookRecord *record,
                struct fail *fail);
int spool_read_hook(uint32_t job, uint32_t restarts, Slumber__HookRecord **ret);
void spool_remove_hook(uint32_t job, uint32_t restarts);
