/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/job_text.h - a job in Slurm's terms, for squeue and scontrol show */
#pragma once

#include "commands/fields.h"
#include "commands/query.h"
#include "lib/timetext.h"

/* The displayed state: the base state, or a flag shown in its place. */
enum job_shown {
        SHOWN_COMPLETING = 12, /* 0 to 11 are enum JobState */
        SHOWN_CONFIGURING,
        SHOWN_RESIZING,
        SHOWN_RESV_DEL_HOLD,
        SHOWN_REQUEUED,
        SHOWN_REQUEUE_FED,
        SHOWN_REQUEUE_HOLD,
        SHOWN_REVOKED,
        SHOWN_SIGNALING,
        SHOWN_SPECIAL_EXIT,
        SHOWN_STAGE_OUT,
        SHOWN_STOPPED,
        SHOWN_MAX,
};

int job_shown(const Job *job);
const char *job_shown_long(int shown);           /* "RUNNING" */
const char *job_shown_short(int shown);          /* "R" */
int job_shown_parse(const char *word, size_t n); /* long or short, in any case; -EINVAL: unknown */

bool job_finished(const Job *job); /* the base state is final */
bool job_pending(const Job *job);
const char *job_reason(const Job *job); /* "None", "Resources", or a longer text */
/* Like job_reason(), but for a job suspended for a preemptor "StoppedFor:12,until:10:31:05", and
   for a job with booting nodes "WaitsFor:n7,until:10:31:05"; no blanks. */
const char *job_waits_or_reason(const Job *job, struct scratch *s);
usec_t job_start(const Job *job); /* started, planned or requested by --begin; 0 = unknown */
/* Returns the end; of a pending job job_start() plus the time limit; 0 = unknown, or no limit. */
usec_t job_end(const Job *job);
uint32_t job_nodes(const Job *job); /* allocated, or minimum requested */
uint32_t job_cpus(const Job *job);
uint32_t job_tasks(const Job *job);
uint32_t job_min_cpus_node(const Job *job);
const char *job_memory(const Job *job, bool per_cpu, bool noconvert, char buf[TIMETEXT_MAX]);
const char *job_oversubscribe(const Job *job);
/* Writes ",billing=7" to buf, from the controller's value (0: CPUs); "" if no cost. */
#define BILLING_TEXT_MAX 32
const char *billing_text(uint64_t said, uint32_t cpus, char *buf);
const char *job_tres(const Job *job, bool allocated, struct scratch *s);
/* TRES of a running step; memory: requested by the step, else all of the job's memory on the
   nodes. */
const char *step_tres(const Job *job, const Step *step, struct scratch *s);

enum job_stream {
        JOB_STDIN,
        JOB_STDOUT,
        JOB_STDERR,
};
/* "12", "12_3", "12_[4-9%2]"; tasks: "3", "4-9%2", "N/A". A long list of tasks is cut to
   SLURM_BITSTR_LEN (64) and ends with "...". The caller frees. */
char *job_array_id(const Job *job);
char *job_array_tasks(const Job *job);
/* Returns the ids of all components of a heterogeneous job: "123-127"; the caller frees. */
char *job_het_set(const Job *job);
/* Returns whether the record stands for several array tasks. */
bool job_is_rest(const Job *job);

/* Returns the absolute path of a stream with patterns replaced. */
const char *job_shown_file(const Job *job, enum job_stream stream, struct scratch *s);
/* Returns the absolute path of a stream with unchanged patterns. */
const char *job_file_pattern(const Job *job, enum job_stream stream, struct scratch *s);
