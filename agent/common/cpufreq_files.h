/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/cpufreq_files.h - the kernel's files of the frequencies of CPUs
 *
 * CPUs whose frequency changes together are a policy, which goes by the lowest of their numbers.
 * No link out of the tree is followed. */
#pragma once

#include "lib/step/cpufreq.h"

#define CPUFREQ_TREE      "/sys/devices/system/cpu"
#define CPUFREQ_WORD_SIZE 32

/* How a policy is set; kHz. */
struct cpufreq_state {
        char governor[CPUFREQ_WORD_SIZE]; /* the kernel's word */
        uint32_t min, max;
        uint32_t speed; /* of the governor userspace; 0: another one */
};

/* A descriptor of the tree, for the others.  -ENOENT and others: there is none. */
int cpufreq_open(const char *tree);
/* -ENOENT: the frequency of this CPU cannot be set. */
int cpufreq_policy(int tree, uint32_t cpu, uint32_t *ret_policy);
int cpufreq_read(int tree, uint32_t policy, struct cpufreq_state *ret, struct fail *fail);
/* As f says, which sets something; frequencies that the policy has not become the next that it has.
   -ENOTSUP: it has not that governor. */
int cpufreq_apply(int tree, uint32_t policy, const struct cpu_freq *f, struct fail *fail);
int cpufreq_restore(int tree, uint32_t policy, const struct cpufreq_state *state,
                struct fail *fail);
