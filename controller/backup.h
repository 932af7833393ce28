/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/backup.h - several controllers: which one this is, and the wait of a backup */
#pragma once

#include "controller/loop/controller.h"

/* Returns whether slumber.yaml and slurm.conf name several controllers of one store. */
bool controllers_are_several(const struct config *config);
/* Finds this controller among the SlurmctldHost lines. name: option -N; NULL: the host's name.
   -EINVAL: no line names this controller, and there are several. */
int controllers_choose(struct config *config, const char *name, struct fail *fail);
/* Waits as a backup until this controller may become primary: returns 1. 0: asked to stop.
   on_waiting(): called once, when another controller is primary or the store cannot be reached. */
int backup_wait(const struct config *config, void (*on_waiting)(void *user), void *user,
                struct fail *fail);
/* Renews the lease from now on, if there are several controllers. */
int primary_begin(struct controller *ctl, struct fail *fail);
/* Called before effects of a durable batch: this process may have been stopped since, and its jobs
   may be another controller's by now. Does not return then. */
void primary_confirm(struct controller *ctl);
/* Another controller is primary: what this process knows may be out of date, so it begins again as a
   backup. Replies and effects that wait are dropped; programs that run go on. */
_Noreturn void primary_lost(const char *why, const struct controller *ctl);
enum primary_program { PRIMARY_ON, PRIMARY_OFF };
/* Runs SlurmctldPrimaryOnProg or SlurmctldPrimaryOffProg, if this is one of several controllers.
   Waits some seconds for the end; a program that takes longer goes on. */
void primary_program_run(const struct config *config, enum primary_program which);
/* Replaces this process by a new slumberctld with the same arguments: a backup. Returns only after
   a failure, with a negative errno. */
int backup_begin_again(void);
/* Keeps the arguments and the folder for backup_begin_again(). Returns whether this process has begun
   again: options for one start (-c, -i, --accept-state) are over, and a daemon is in the background
   already. */
bool backup_keep_arguments(char **argv);
