/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/scope.h - a systemd scope for processes that outlive the service which starts them */
#pragma once

#include "lib/fail.h"

/* The service with the caller as its main process: "slumberd" for slumberd.service; the caller
   frees.  NULL: systemd did not start this process. */
char *scope_unit(void);
/* Path below the mount point of the scope's cgroup, delegated to the caller; one that is there
   already is taken over, unless it is another program's (-EBUSY). holder: a program that is run as
   "HOLDER --hold" and stays in the leaf PATH/holder, so that the scope is there also while nothing
   else is in it.  Waits for systemd, some 20 ms, when there is no scope yet.  mount: of cgroup2. */
int scope_open(const char *name, const char *mount, const char *holder, char **ret_path,
                struct fail *fail);
/* The service of the caller has MemoryHigh= so many bytes until the machine is booted again, 0: no
   limit, if it has one of this function's.  Where an administrator has set it ("systemctl
   set-property"), that stays.  Waits for systemd, some ms. */
int scope_limit_service(uint64_t memory, struct fail *fail);
