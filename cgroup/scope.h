/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/scope.h - a systemd scope for processes that outlive the service starting them */
#pragma once

#include "lib/fail.h"

/* Returns the unit of the service whose main process is the caller: "slumberd" for
   slumberd.service; the caller frees. NULL: not started by systemd. */
char *scope_unit(void);
/* Opens a scope and returns its cgroup's path below the mount point, delegated to the caller. An
   existing scope is taken over, unless it is another program's (-EBUSY). holder: program run as
   "HOLDER --hold" in the leaf PATH/holder, to keep the scope while it is empty otherwise. Waits for
   systemd, some 20 ms, to create a scope. mount: of cgroup2. */
int scope_open(const char *name, const char *mount, const char *holder, char **ret_path,
                struct fail *fail);
/* Sets MemoryHigh= of the caller's service until reboot; 0: removes a limit set by this function.
   An administrator's setting ("systemctl set-property") stays. Waits for systemd, some ms. */
int scope_limit_service(uint64_t memory, struct fail *fail);
