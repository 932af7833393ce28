/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/process.h - unique names for this machine's processes, to learn whether one still runs */
#pragma once

#include "lib/process_id.h"

#include <sys/types.h>

/* Returns the process's start in clock ticks since boot; with the pid, which is reused, it
   identifies the process. 0: no such process runs; dead_too: a zombie counts as running. */
uint64_t process_start(pid_t pid, bool dead_too);
/* Returns the space in which pids and start times are valid: the boot in the upper half; host name
   and namespaces in the lower half. 0: /proc is missing or belongs to another pid namespace. */
uint64_t process_space(void);
/* Returns the identity of process pid in space; pid 0 in the result: not visible. */
struct process_id process_named(pid_t pid, uint64_t space);
bool process_same(const struct process_id *a, const struct process_id *b);
/* true: the process has ended, at the latest with an earlier boot; space: current process_space().
   false: the process runs, or its state is unknown (unknown pid, other host or namespace). */
bool process_is_gone(const struct process_id *id, uint64_t space);
