/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/job_text.h - a job in Slurm's words, shared by squeue and scontrol show */
#pragma once

#include "commands/fields.h"
#include "commands/query.h"
#include "lib/timetext.h"

/* The state that is shown: the base state, or the flag that hides it. */
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
int job_shown_parse(const char *word, size_t n); /* either, in any case; -EINVAL */

bool job_finished(const Job *job); /* its base state is final */
bool job_pending(const Job *job);
const char *job_reason(const Job *job);
/* The same, but for a job with booting nodes: "WaitsFor:n7,until:10:31:05", one word. */
/* "None", "Resources", or the longer words */
const char *job_waits_or_reason(const Job *job, struct scratch *s);
usec_t job_start(const Job *job); /* begun, planned, or asked for by --begin; 0 = unknown */
/* ended, or its limit from job_start() on for one that waits; 0 = unknown, or without a limit */
usec_t job_end(const Job *job);
uint32_t job_nodes(const Job *job); /* allocated, or wanted at least */
uint32_t job_cpus(const Job *job);
uint32_t job_tasks(const Job *job);
uint32_t job_min_cpus_node(const Job *job);
const char *job_memory(const Job *job, bool per_cpu, bool noconvert, char buf[TIMETEXT_MAX]);
const char *job_oversubscribe(const Job *job);
/* ",billing=7" of what the controller says (0: CPUs), "" for nothing; into buf. */
#define BILLING_TEXT_MAX 32
const char *billing_text(uint64_t said, uint32_t cpus, char *buf);
const char *job_tres(const Job *job, bool allocated, struct scratch *s);
/* Of a step that runs; its memory is what it has asked for, else all that its job has there. */
const char *step_tres(const Job *job, const Step *step, struct scratch *s);

enum job_stream {
        JOB_STDIN,
        JOB_STDOUT,
        JOB_STDERR,
};
/* "12", "12_3", "12_[4-9%2]"; "3", "4-9%2", "N/A".  A long list of tasks ends with "...", as
   SLURM_BITSTR_LEN (64) says. The caller frees. */
char *job_array_id(const Job *job);
char *job_array_tasks(const Job *job);
/* Of a component of a heterogeneous job all of its ids: "123-127"; the caller frees. */
char *job_het_set(const Job *job);
/* Several tasks share the record. */
bool job_is_rest(const Job *job);

/* The path with its patterns filled in, absolute by the job's folder. */
const char *job_shown_file(const Job *job, enum job_stream stream, struct scratch *s);
/* The same with the patterns as they are. */
const char *job_file_pattern(const Job *job, enum job_stream stream, struct scratch *s);
