/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/cpufreq.h - --cpu-freq, CpuFreqDef, CpuFreqGovernors: at which frequencies, and by which
 * governor, the CPUs of a step run */
#pragma once

#include "lib/fail.h"

enum cpu_governor {
        GOVERNOR_NONE, /* not said */
        GOVERNOR_CONSERVATIVE,
        GOVERNOR_ONDEMAND,
        GOVERNOR_PERFORMANCE,
        GOVERNOR_POWERSAVE,
        GOVERNOR_SCHEDUTIL,
        GOVERNOR_USERSPACE,
        GOVERNOR_MAX,
};

/* A frequency is 0, not said, or kHz up to the first of these, or one of the others: of those that
   the CPU has the lowest, the middle one, the highest but one, the highest.  They are in order. */
#define CPU_FREQ_KHZ_MAX 0x7fffffffu
#define CPU_FREQ_LOW     0x80000001u
#define CPU_FREQ_MEDIUM  0x80000002u
#define CPU_FREQ_HIGHM1  0x80000003u
#define CPU_FREQ_HIGH    0x80000004u

/* max alone: that frequency, by the governor UserSpace. */
struct cpu_freq {
        uint32_t min, max;
        enum cpu_governor governor;
};

/* "p1[-p2][:p3]", in any case: "low", "1200000-high:OnDemand", "performance".  -EINVAL says what is
   wrong with it. */
int cpu_freq_parse(const char *text, struct cpu_freq *ret, struct fail *fail);
char *cpu_freq_text(const struct cpu_freq *f); /* as it is read; the caller frees */
/* "Low", "1200000"; "" where it is not said.  The caller frees. */
char *cpu_freq_number_text(uint32_t frequency);
/* The governor that it sets: its own, or UserSpace for one frequency. */
enum cpu_governor cpu_freq_governor(const struct cpu_freq *f);

/* "OnDemand", and as the kernel says it: "ondemand"; "" for none. */
const char *cpu_governor_name(enum cpu_governor g);
const char *cpu_governor_kernel_name(enum cpu_governor g);
/* "OnDemand,UserSpace": a bit 1 << governor each. */
int cpu_governors_parse(const char *list, unsigned *ret, struct fail *fail);
/* -EACCES: it sets a governor that is none of these. */
int cpu_freq_allowed(const struct cpu_freq *f, unsigned governors, struct fail *fail);
