/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/jobs/cpus.h - the CPUs of the machine, and which of them slumberd itself has */
#pragma once

#include "agent/state/agent.h"

/* ---- cpus.c ---- */
/* As hwloc knows them, read when they are first asked for; NULL: they are unknown. */
struct cpu_map *cpus_of(struct agent *a);
bool cpus_are_known(struct agent *a); /* which of them are the cores of slurm.conf */
/* What slumberd may use itself; a group that confines it is not left.  cpus_of() was not NULL; the
   caller frees. */
struct bitset *cpus_own(const struct agent *a);

/* ---- spec_cores.c ---- */
/* Keeps slumberd and step daemons from now on to so many MB; 0: to none. */
void spec_memory_apply(struct agent *a, uint64_t mb);
/* Keeps slumberd to cores ("3,6-7" of the node; "": to none), or off them. */
void spec_cores_apply(struct agent *a, const char *cores, bool off);
/* What it may use when it is not kept so; the caller frees. */
struct bitset *spec_cores_before(const struct agent *a);
/* The calling process, a child, has that again. */
void spec_cores_leave(const struct agent *a);
