/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/gpubind.h - --gpu-bind: which of a step's GPUs on a node each of its tasks there sees */
#pragma once

#include "lib/fail.h"

#define GPU_BIND_MAX 1024 /* items of a list, and GPUs of a node: as many as are numbered */

struct gpu_bind;

/* "[verbose,]single:2", "map_gpu:0*2,1".  -EINVAL says what was expected. */
int gpu_bind_parse(const char *text, struct gpu_bind **ret, struct fail *fail);
/* How a job or step that is so bound shows it, "gres/gpu:single:2": the caller's; of "" NULL. */
char *gpu_bind_tres(const char *text);
/* One GPU each, of which tasks tasks in a row have the same; n GPUs each, one task after the
   other.  Both at least 1. */
struct gpu_bind *gpu_bind_single(uint32_t tasks);
struct gpu_bind *gpu_bind_per_task(uint32_t n);
struct gpu_bind *gpu_bind_free(struct gpu_bind *b); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct gpu_bind *, gpu_bind_free)
bool gpu_bind_is_none(const struct gpu_bind *b); /* tasks are told of no GPU */
bool gpu_bind_is_verbose(const struct gpu_bind *b);
/* Has the task, by its number on the node, the GPU that is the at-th of all that the step has
   there, and has that number? */
bool gpu_bind_has(const struct gpu_bind *b, size_t task, size_t at, size_t all, size_t number);
