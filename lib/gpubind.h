/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/gpubind.h - --gpu-bind: which of a step's GPUs on a node each of its tasks there sees */
#pragma once

#include "lib/fail.h"

#define GPU_BIND_MAX 1024 /* items of a list, and GPUs of a node: as many as are numbered */

enum gpu_bind_kind {
        GPU_BIND_ALL,      /* "closest": tasks do not know where GPUs are, so that all are */
        GPU_BIND_NONE,     /* they are told of none */
        GPU_BIND_SINGLE,   /* one each; so many tasks in a row have the same */
        GPU_BIND_PER_TASK, /* so many each, one task after the other */
        GPU_BIND_MAP,      /* the one that the list says, by its number */
        GPU_BIND_MASK,     /* those that the list says, bit by bit */
};

struct gpu_bind {
        enum gpu_bind_kind kind;
        bool verbose;
        uint32_t count; /* of single and per_task */
        uint64_t *list; /* of map and mask */
        size_t n_list;
};

/* "[verbose,]single:2", "map_gpu:0*2,1".  -EINVAL says what was expected. */
int gpu_bind_parse(const char *text, struct gpu_bind *ret, struct fail *fail);
void gpu_bind_done(struct gpu_bind *b);
/* Has the task, by its number on the node, the GPU that is the at-th of all that the step has
   there, and has that number? */
bool gpu_bind_has(const struct gpu_bind *b, size_t task, size_t at, size_t all, size_t number);
