/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/cpufreq.h - --cpu-freq, CpuFreqDef, CpuFreqGovernors: frequency and governor of a step's
 * CPUs */
#pragma once

#include "lib/fail.h"

enum cpu_governor {
        GOVERNOR_NONE, /* unset */
        GOVERNOR_CONSERVATIVE,
        GOVERNOR_ONDEMAND,
        GOVERNOR_PERFORMANCE,
        GOVERNOR_POWERSAVE,
        GOVERNOR_SCHEDUTIL,
        GOVERNOR_USERSPACE,
        GOVERNOR_MAX,
};

/* A frequency is 0 (unset), kHz up to CPU_FREQ_KHZ_MAX, or a constant: the CPU's lowest, middle,
   second highest or highest frequency. Constants are in ascending order. */
#define CPU_FREQ_KHZ_MAX 0x7fffffffu
#define CPU_FREQ_LOW     0x80000001u
#define CPU_FREQ_MEDIUM  0x80000002u
#define CPU_FREQ_HIGHM1  0x80000003u
#define CPU_FREQ_HIGH    0x80000004u

/* max without min: that frequency, by governor UserSpace. */
struct cpu_freq {
        uint32_t min, max;
        enum cpu_governor governor;
};

/* Reads "p1[-p2][:p3]" in any case: "low", "1200000-high:OnDemand", "performance". -EINVAL: fail
   explains the fault. */
int cpu_freq_parse(const char *text, struct cpu_freq *ret, struct fail *fail);
char *cpu_freq_text(const struct cpu_freq *f); /* text for cpu_freq_parse(); the caller frees */
/* Returns "Low" or "1200000"; "" if unset. The caller frees. */
char *cpu_freq_number_text(uint32_t frequency);
/* Returns the governor to set: f's own, or UserSpace for a single frequency. */
enum cpu_governor cpu_freq_governor(const struct cpu_freq *f);

/* Names as in Slurm, "OnDemand", and as in the kernel, "ondemand"; "" for none. */
const char *cpu_governor_name(enum cpu_governor g);
const char *cpu_governor_kernel_name(enum cpu_governor g);
/* Reads "OnDemand,UserSpace": a bit 1 << governor for each. */
int cpu_governors_parse(const char *list, unsigned *ret, struct fail *fail);
/* Checks the governor against the allowed ones; -EACCES: not allowed. */
int cpu_freq_allowed(const struct cpu_freq *f, unsigned governors, struct fail *fail);
