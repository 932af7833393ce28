/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/proc.h - processes as /proc shows them */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct proc_entry {
        pid_t pid, parent;
        char state;
        uint64_t start; /* ticks after boot: with the pid, a unique identity */
        char name[32];
};

struct pid_set { /* growing array */
        pid_t *pid;
        size_t n, allocated;
};

int proc_read(pid_t pid, struct proc_entry *ret);
/* Lists all processes by pid; the caller frees. Processes in known, also by pid, are not read
   again: a read takes 10 us. */
int proc_list(const struct proc_entry *known, size_t n_known, struct proc_entry **ret,
                size_t *ret_n);
/* True if the process's initial environment has a line NAME=VALUE that equals prefix or continues
   with '/'. */
bool proc_has_marker(pid_t pid, const char *prefix);
/* Returns the real user: a set-uid program counts as its caller's. */
int proc_real_uid(pid_t pid, uid_t *ret);
void pid_set_add(struct pid_set *set, pid_t pid);
bool pid_set_has(const struct pid_set *set, pid_t pid);
void pid_set_done(struct pid_set *set);
