/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/task_environment.h - the environment of a task: the user's, the controller's and the
 * node's variables; later ones win */
#pragma once

#include "lib/environment.h"
#include "lib/wire.h"

/* Sets the variables common to all tasks of the step on the node. */
void environment_of_step(struct environment *e, const Slumber__StepdSpec *spec);
/* Sets the variables with the GPUs, by the files of gres.conf. task: number on the node, with the
   GPUs left by --gpu-bind, --gpus-per-task or --ntasks-per-gpu; SIZE_MAX: the step. Errors go to
   the step's standard error. */
void environment_of_gpus(struct environment *e, const Slumber__StepdSpec *spec, size_t task);
void environment_of_task(struct environment *e, const Slumber__StepdSpec *spec, size_t local);
