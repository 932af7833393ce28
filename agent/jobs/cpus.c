/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs of the machine, and the CPUs usable by slumberd and by jobs. */
#include "agent/jobs/cpus.h"
#include "agent/hardware/bind.h"
#include "agent/state/agent.h"

struct cpu_map *cpus_of(struct agent *a) {
        if (!a->cpus)
                a->cpus = hardware_cpus();
        return a->cpus;
}

bool cpus_are_known(struct agent *a) {
        return cpus_of(a) && a->units && a->units <= a->cpus->n;
}

struct bitset *cpus_own(const struct agent *a) {
        _cleanup_(bitset_freep) struct bitset *own = spec_cores_before(a);
        struct bitset *set = bitset_new(a->cpus->bits);

        for (size_t i = 0; i < a->cpus->n; i++)
                if (bitset_has(own, a->cpus->list[i].number))
                        bitset_add(set, a->cpus->list[i].number);
        return set;
}
