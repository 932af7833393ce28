/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/environment.h - the environment of a task: the user's, the controller's, the node's; the
 * later one wins */
#pragma once

#include "lib/wire.h"

struct environment {
        char **line; /* NULL-terminated once environment_vector() was called */
        /* how long each one's name is: most differ in that, and all are looked through for each
           that is set */
        size_t *name;
        size_t n, allocated, names_allocated;
};

void environment_done(struct environment *e);
/* "NAME=value"; a line that is not one is left out. */
void environment_put(struct environment *e, const char *line);
void environment_set(struct environment *e, const char *name, const char *format, ...)
                _printf_(3, 4);
/* Only if NAME is not there. */
void environment_default(struct environment *e, const char *name, const char *value);
void environment_unset(struct environment *e, const char *name);
const char *environment_get(const struct environment *e, const char *name);
char **environment_vector(struct environment *e); /* borrowed, for execve */

/* What all tasks of the step on this node share, and then what is one task's own. */
void environment_of_step(struct environment *e, const Slumber__StepdSpec *spec);
/* Its GPUs, by the files of gres.conf; a task (its number on the node, SIZE_MAX: all) those that
   --gpu-bind, --gpus-per-task or
   --ntasks-per-gpu leaves to it.  What is wrong with a list is said on its standard error. */
void environment_of_gpus(struct environment *e, const Slumber__StepdSpec *spec, size_t task);
void environment_of_task(struct environment *e, const Slumber__StepdSpec *spec, size_t local);
