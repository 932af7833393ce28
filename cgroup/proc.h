/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/proc.h - what /proc says about processes */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct proc_entry {
        pid_t pid, parent;
        char state;
        uint64_t start; /* ticks after boot: with the pid, names a process for good */
        char name[32];
};

struct pid_set { /* a plain growing array */
        pid_t *pid;
        size_t n, allocated;
};

int proc_read(pid_t pid, struct proc_entry *ret);
/* All processes by number; the caller frees. Those of known, which is by number too, are not looked
   at again: to look takes 10 us each. */
int proc_list(const struct proc_entry *known, size_t n_known, struct proc_entry **ret,
                size_t *ret_n);
/* true if the environment that the process was started with has a line NAME=VALUE that begins with
   prefix and goes on with its end or '/'. */
bool proc_has_marker(pid_t pid, const char *prefix);
/* The user that started it: a program that is set-uid is its caller's. */
int proc_real_uid(pid_t pid, uid_t *ret);
void pid_set_add(struct pid_set *set, pid_t pid);
bool pid_set_has(const struct pid_set *set, pid_t pid);
void pid_set_done(struct pid_set *set);
