/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/task_environment.h - the environment of a task: the user's, the controller's, the
 * node's; the later one wins */
#pragma once

#include "lib/environment.h"
#include "lib/wire.h"

/* What all tasks of the step on this node share, and then what is one task's own. */
void environment_of_step(struct environment *e, const Slumber__StepdSpec *spec);
/* Its GPUs, by the files of gres.conf; a task (its number on the node, SIZE_MAX: all) those that
   --gpu-bind, --gpus-per-task or
   --ntasks-per-gpu leaves to it.  What is wrong with a list is said on its standard error. */
void environment_of_gpus(struct environment *e, const Slumber__StepdSpec *spec, size_t task);
void environment_of_task(struct environment *e, const Slumber__StepdSpec *spec, size_t local);
