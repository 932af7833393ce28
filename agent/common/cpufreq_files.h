/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/common/cpufreq_files.h - the kernel's files with the frequencies of CPUs
 *
 * CPUs with a common frequency are a policy, numbered by the lowest CPU. Links leading out of the
 * tree are not followed. */
#pragma once

#include "lib/step/cpufreq.h"

#define CPUFREQ_TREE      "/sys/devices/system/cpu"
#define CPUFREQ_WORD_SIZE 32

/* Settings of a policy; frequencies in kHz. */
struct cpufreq_state {
        char governor[CPUFREQ_WORD_SIZE]; /* the kernel's name */
        uint32_t min, max;
        uint32_t speed; /* speed of the governor userspace; 0: a different governor */
};

/* Opens the tree for the functions below; the caller closes the descriptor. -ENOENT and more: no
   tree. */
int cpufreq_open(const char *tree);
/* Finds the policy of a CPU. -ENOENT: the CPU's frequency cannot be set. */
int cpufreq_policy(int tree, uint32_t cpu, uint32_t *ret_policy);
int cpufreq_read(int tree, uint32_t policy, struct cpufreq_state *ret, struct fail *fail);
/* Applies f, which must not be empty. A frequency unknown to the policy is replaced by the next
   known one. -ENOTSUP: the policy lacks the governor. */
int cpufreq_apply(int tree, uint32_t policy, const struct cpu_freq *f, struct fail *fail);
int cpufreq_restore(int tree, uint32_t policy, const struct cpufreq_state *state,
                struct fail *fail);
