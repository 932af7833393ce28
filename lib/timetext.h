/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/timetext.h - durations and points in time in all of Slurm's spellings */
#pragma once

#include "lib/fail.h"

/* Reads a duration: "90" (minutes), "M:S", "H:M:S", "D-H", "D-H:M", "D-H:M:S"; UNLIMITED, INFINITE
   and -1 give NO_LIMIT. */
int duration_parse(const char *text, usec_t *ret, struct fail *fail);
/* Reads a duration that Slurm keeps in minutes (limits of jobs, partitions, accounts): rounded up
   to whole minutes. */
int limit_parse(const char *text, usec_t *ret, struct fail *fail);
/* Reads a number of seconds of slurm.conf ("300"); INFINITE, UNLIMITED, -1 give NO_LIMIT. */
int seconds_parse(const char *text, usec_t *ret, struct fail *fail);
/* Reads SuspendTime like seconds_parse(); NONE and any negative number also give NO_LIMIT. */
int suspend_time_parse(const char *text, usec_t *ret, struct fail *fail);
/* Reads a point in time (--begin and others), CLOCK_REALTIME from local time: "now", "now+1hour",
   "HH:MM[:SS] [AM|PM]", "midnight", "noon", "elevenses", "fika", "teatime", "today", "tomorrow",
   "MMDDYY", "MM/DD[/YY]", "YYYY-MM-DD[THH:MM[:SS]]", "uts...". A time of day already past is
   tomorrow. */
int time_parse(const char *text, usec_t now, usec_t *ret, struct fail *fail);

#define TIMETEXT_MAX 64
/* Writes "[D-]HH:MM:SS", "UNLIMITED" for NO_LIMIT, as scontrol prints. Returns buf. */
const char *duration_text(usec_t d, char buf[TIMETEXT_MAX]);
/* Writes "M:SS", "H:MM:SS", "D-HH:MM:SS", as squeue prints (zero is 0:00). Returns buf. */
const char *duration_short(usec_t d, char buf[TIMETEXT_MAX]);
/* Writes local time in ISO format, or in format (SLURM_TIME_FORMAT, from the caller, may be NULL);
   "Unknown" for 0 and NO_LIMIT. Returns buf. */
const char *time_text(usec_t t, const char *format, char buf[TIMETEXT_MAX]);

/* Reads memory, "4G", "100", "512K" (rounded up), in MB; the unit of a plain number is MB. */
int memory_parse(const char *text, uint64_t *ret_mb, struct fail *fail);
/* Bits: sizes of a request given without unit. The unit is GB if SchedulerParameters has
   default_gbytes. */
enum plain_size {
        PLAIN_MEM_PER_NODE = 1,
        PLAIN_MEM_PER_CPU = 2,
        PLAIN_MEM_PER_GPU = 4,
        PLAIN_TMP_DISK = 8,
};
/* Returns mb, or mb * 1024 if plain (the number meant GB). */
static inline uint64_t size_in_mb(uint64_t mb, bool plain) {
        return !plain ? mb : mb > UINT64_MAX / 1024 ? UINT64_MAX : mb * 1024;
}
/* Writes "100M", "4G" (whole units only), "0". Returns buf. */
const char *memory_text(uint64_t mb, char buf[TIMETEXT_MAX]);
/* Reads a decimal number from min to max; -EINVAL: other text. */
int uint_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret);
/* Reads JobAcctGatherFrequency or --acctg-freq, "30" or "task=30,energy=60", in seconds up to max.
   *ret is the interval of tasks, unchanged if only other kinds are given. -EINVAL: malformed. */
#define ACCT_FREQUENCY_NEVER UINT32_MAX /* --acctg-freq=0 in messages, where 0 means unset */
int sampling_parse(const char *text, uint64_t max, uint64_t *ret);
