/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/process_id.h - identity of a process; a bare pid is reused, restarts at boot, and means
   another process in another pid namespace */
#pragma once

#include "lib/base.h"

struct process_id {
        uint32_t pid;   /* 0: unknown */
        uint64_t start; /* process_start() */
        uint64_t space; /* process_space(), lib/process.h */
};
