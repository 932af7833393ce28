/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/gpubind.h - --gpu-bind: the GPUs of a step on a node that each of its tasks sees */
#pragma once

#include "lib/fail.h"

#define GPU_BIND_MAX 1024 /* maximum items of a list, and maximum GPUs of a node */

struct gpu_bind;

/* Reads "[verbose,]single:2", "map_gpu:0*2,1". -EINVAL: fail lists the valid forms. */
int gpu_bind_parse(const char *text, struct gpu_bind **ret, struct fail *fail);
/* Returns the binding as shown for jobs and steps, "gres/gpu:single:2"; NULL for "". The caller
   frees. */
char *gpu_bind_tres(const char *text);
/* Bindings single:TASKS and per_task:N; both numbers at least 1. */
struct gpu_bind *gpu_bind_single(uint32_t tasks);
struct gpu_bind *gpu_bind_per_task(uint32_t n);
struct gpu_bind *gpu_bind_free(struct gpu_bind *b); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct gpu_bind *, gpu_bind_free)
bool gpu_bind_is_none(const struct gpu_bind *b); /* tasks see no GPU */
bool gpu_bind_is_verbose(const struct gpu_bind *b);
/* True if the task (rank on the node) sees the GPU with index at among all GPUs of the step on the
   node, and with number on the node. */
bool gpu_bind_has(const struct gpu_bind *b, size_t task, size_t at, size_t all, size_t number);
