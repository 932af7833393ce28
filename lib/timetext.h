/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/timetext.h - durations and points in time in all of Slurm's spellings */
#pragma once

#include "lib/fail.h"

/* A length of time: "90" (minutes), "M:S", "H:M:S", "D-H", "D-H:M", "D-H:M:S";
   UNLIMITED, INFINITE and -1 give NO_LIMIT. */
int duration_parse(const char *text, usec_t *ret, struct fail *fail);
/* One of those that Slurm keeps in minutes (limits of jobs, partitions, accounts): rounded up to
   whole ones. */
int limit_parse(const char *text, usec_t *ret, struct fail *fail);
/* A number of seconds of slurm.conf ("300"); INFINITE, UNLIMITED, -1 give NO_LIMIT. */
int seconds_parse(const char *text, usec_t *ret, struct fail *fail);
/* SuspendTime: as seconds_parse; NONE and any negative number give NO_LIMIT too. */
int suspend_time_parse(const char *text, usec_t *ret, struct fail *fail);
/* A point in time of --begin and friends, CLOCK_REALTIME in the local zone: "now", "now+1hour",
   "HH:MM[:SS] [AM|PM]", "midnight", "noon", "elevenses", "fika", "teatime", "today", "tomorrow",
   "MMDDYY", "MM/DD[/YY]", "YYYY-MM-DD[THH:MM[:SS]]", "uts..."; a time of day that has passed is
   tomorrow's. */
int time_parse(const char *text, usec_t now, usec_t *ret, struct fail *fail);

#define TIMETEXT_MAX 64
/* "[D-]HH:MM:SS", "UNLIMITED" for NO_LIMIT: as scontrol prints it.  Return buf. */
const char *duration_text(usec_t d, char buf[TIMETEXT_MAX]);
/* "M:SS", "H:MM:SS", "D-HH:MM:SS": as squeue prints it (zero is 0:00). */
const char *duration_short(usec_t d, char buf[TIMETEXT_MAX]);
/* ISO local time, or as SLURM_TIME_FORMAT (given by the caller, may be NULL) says; 0 = "Unknown",
   NO_LIMIT too. */
const char *time_text(usec_t t, const char *format, char buf[TIMETEXT_MAX]);

/* Memory: "4G", "100", "512K" (rounded up) into MB; the unit of a plain number is MB. */
int memory_parse(const char *text, uint64_t *ret_mb, struct fail *fail);
/* Sizes of a request that were said without a unit, as bits: GB where SchedulerParameters has
   default_gbytes. */
enum plain_size {
        PLAIN_MEM_PER_NODE = 1,
        PLAIN_MEM_PER_CPU = 2,
        PLAIN_MEM_PER_GPU = 4,
        PLAIN_TMP_DISK = 8,
};
/* mb, which was said as so many GB if plain. */
static inline uint64_t size_in_mb(uint64_t mb, bool plain) {
        return !plain ? mb : mb > UINT64_MAX / 1024 ? UINT64_MAX : mb * 1024;
}
/* "100M", "4G" (whole units only), "0". */
const char *memory_text(uint64_t mb, char buf[TIMETEXT_MAX]);
/* Whole decimal numbers within limits; nothing else may stand in text. */
int uint_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret);
/* JobAcctGatherFrequency and --acctg-freq, "30" or "task=30,energy=60", in seconds up to max: *ret
   is that of the tasks, and stays where only others are named.  -EINVAL: text is neither. */
#define ACCT_FREQUENCY_NEVER UINT32_MAX /* --acctg-freq=0 in messages, where 0 is: not said */
int sampling_parse(const char *text, uint64_t max, uint64_t *ret);
