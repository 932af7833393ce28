/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/cpus.h - the CPUs of the machine, and the CPUs slumberd may use */
#pragma once

#include "agent/state/agent.h"

/* ---- cpus.c ---- */
/* Returns the CPUs found by hwloc, read at the first call; borrowed. NULL: unknown. */
struct cpu_map *cpus_of(struct agent *a);
bool cpus_are_known(struct agent *a); /* true: the CPUs of each core of slurm.conf are known */
/* Returns the CPUs slumberd may use; a cpuset confining slumberd is respected. Requires a cpus_of()
   other than NULL. The caller frees. */
struct bitset *cpus_own(const struct agent *a);

/* ---- spec_cores.c ---- */
/* Limits the memory of slumberd and the step daemons, in MB; 0: no limit. */
void spec_memory_apply(struct agent *a, uint64_t mb);
/* Binds slumberd to the CPUs of cores ("3,6-7", numbered within the node; "": no binding); off: to
   all CPUs except the CPUs of cores. */
void spec_cores_apply(struct agent *a, const char *cores, bool off);
/* Returns the CPUs of slumberd without the binding of spec_cores_apply(); the caller frees. */
struct bitset *spec_cores_before(const struct agent *a);
/* Undoes the binding of spec_cores_apply() for the calling process, a child of slumberd. */
void spec_cores_leave(const struct agent *a);
