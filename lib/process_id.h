/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/process_id.h - what names a process of this machine for good: its number comes round, begins
   anew with each boot, and is another process's in another pid namespace */
#pragma once

#include "lib/base.h"

struct process_id {
        uint32_t pid;   /* 0: it is not known */
        uint64_t start; /* process_start() */
        uint64_t space; /* process_space(), lib/process.h */
};
