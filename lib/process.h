/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/process.h - processes of this machine, named for good: whether they live */
#pragma once

#include "lib/process_id.h"

#include <sys/types.h>

/* Clock ticks from the machine's boot to the start of a process: with its number this names one,
   for numbers come round.  0: no such process runs; dead_too: one that is not reaped counts. */
uint64_t process_start(pid_t pid, bool dead_too);
/* In what the numbers and starts of processes that we see are counted: the boot in the upper half,
   in the lower one our host's name and our namespaces.  0: /proc does not say, or is of another pid
   namespace than ours. */
uint64_t process_space(void);
/* The process of that number in space; pid 0: it cannot be seen. */
struct process_id process_named(pid_t pid, uint64_t space);
bool process_same(const struct process_id *a, const struct process_id *b);
/* true: it has ended, at the latest with the boot before that of space, process_space() of now.
   false: it lives, or there is no telling: it is not known, or of another host or namespace. */
bool process_is_gone(const struct process_id *id, uint64_t space);
