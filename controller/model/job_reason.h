/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_reason.h - why a job is pending or has ended, in Slurm's words
 *
 * Reasons about resource limits are composed from the limit and the resource. */
#pragma once

#include "lib/strtab.h"

#define JOB_REASONS(X)                                                                             \
        X(NONE, "None")                                                                            \
        X(PRIORITY, "Priority")                                                                    \
        X(RESOURCES, "Resources")                                                                  \
        X(DEPENDENCY, "Dependency")                                                                \
        X(HELD_ADMIN, "JobHeldAdmin")                                                              \
        X(HELD_USER, "JobHeldUser")                                                                \
        X(BEGIN_TIME, "BeginTime")                                                                 \
        X(PARTITION_DOWN, "PartitionDown")                                                         \
        X(PARTITION_INACTIVE, "PartitionInactive")                                                 \
        X(PARTITION_NODE_LIMIT, "PartitionNodeLimit")                                              \
        X(PARTITION_TIME_LIMIT, "PartitionTimeLimit")                                              \
        X(NODE_NOT_AVAILABLE, "ReqNodeNotAvail")                                                   \
        X(NODE_DOWN, "NodeDown")                                                                   \
        X(BAD_CONSTRAINTS, "BadConstraints")                                                       \
        X(LAUNCH_FAILED, "JobLaunchFailure")                                                       \
        X(NON_ZERO_EXIT, "NonZeroExitCode")                                                        \
        X(RAISED_SIGNAL, "RaisedSignal")                                                           \
        X(TIME_LIMIT, "TimeLimit")                                                                 \
        X(REQUEUE_LIMIT, "JobHoldMaxRequeue")                                                      \
        X(CLEANING, "Cleaning")                                                                    \
        X(OUT_OF_MEMORY, "OutOfMemory")                                                            \
        X(MAX_POWERED_NODES, "MaxPoweredUpNodes")                                                  \
        X(POWER_NOT_AVAIL, "PowerNotAvail") /* nodes cannot be woken (brake.h) */                  \
        X(ACCOUNT, "AccountNotAllowed")                                                            \
        X(DEPENDENCY_NEVER, "DependencyNeverSatisfied")                                            \
        X(ARRAY_LIMIT, "JobArrayTaskLimit")                                                        \
        X(QOS_NOT_ALLOWED, "QOSNotAllowed")                                                        \
        X(BAD_ACCOUNT, "InvalidAccount")                                                           \
        X(BAD_QOS, "InvalidQOS")                                                                   \
        X(LICENSES, "Licenses")                                                                    \
        X(QOS_GRP_JOBS, "QOSGrpJobsLimit")                                                         \
        X(ASSOC_GRP_JOBS, "AssocGrpJobsLimit")                                                     \
        X(QOS_MAX_JOBS, "QOSMaxJobsPerUserLimit")                                                  \
        X(ASSOC_MAX_JOBS, "AssocMaxJobsLimit")                                                     \
        X(ACCOUNT_MAX_JOBS, "MaxJobsPerAccount")                                                   \
        X(QOS_MAX_WALL, "QOSMaxWallDurationPerJobLimit")                                           \
        X(ASSOC_MAX_WALL, "AssocMaxWallDurationPerJobLimit")                                       \
        X(DEADLINE, "DeadLine")                                                                    \
        X(RESERVATION, "Reservation")                                                              \
        X(RESV_DELETED, "ReservationDeleted")                                                      \
        X(QOS_GRP_WALL, "QOSGrpWallLimit")                                                         \
        X(ASSOC_GRP_WALL, "AssocGrpWallLimit")                                                     \
        X(USAGE_THRESHOLD, "QOSUsageThreshold")                                                    \
        X(PARTITION_CONFIG, "PartitionConfig")     /* requests more CPUs than the partition has */ \
        X(MAX_MEMORY, "MaxMemPerLimit")            /* exceeds MaxMemPerNode or MaxMemPerCPU */     \
        X(QOS_GRP_SUBMIT, "QOSGrpSubmitJobsLimit") /* further jobs are refused */                  \
        X(ASSOC_GRP_SUBMIT, "AssocGrpSubmitJobsLimit")                                             \
        X(QOS_MAX_SUBMIT, "QOSMaxSubmitJobPerUserLimit")                                           \
        X(ASSOC_MAX_SUBMIT, "AssocMaxSubmitJobLimit")                                              \
        X(ACCOUNT_MAX_SUBMIT, "MaxSubmitJobsPerAccount")                                           \
        X(INACTIVE_LIMIT, "InactiveLimit")                                                         \
        X(PROLOG, "Prolog")

/* X(limit, words: before the resource, "Cpu", "Mem", after the resource; last word for CPUs,
   memory, nodes). */
#define LIMIT_REASONS(X)                                                                           \
        X(QOS_GRP, "QOSGrp", "Cpu", "Mem", "", "Limit", "Limit", "Limit")                          \
        X(ASSOC_GRP, "AssocGrp", "Cpu", "Mem", "", "Limit", "Limit", "Limit")                      \
        X(QOS_JOB, "QOSMax", "Cpu", "Memory", "PerJob", "Limit", "", "Limit")                      \
        X(ASSOC_JOB, "AssocMax", "Cpu", "Mem", "PerJob", "Limit", "", "Limit")                     \
        X(QOS_USER, "QOSMax", "Cpu", "Memory", "PerUser", "Limit", "", "Limit")                    \
        X(ACCOUNT, "Max", "Cpu", "Memory", "PerAccount", "", "", "")                               \
        X(QOS_MIN, "QOSMin", "Cpu", "Memory", "", "NotSatisfied", "", "")                          \
        X(QOS_MINS, "QOSMax", "Cpu", "Memory", "MinutesPerJob", "Limit", "", "")                   \
        X(ASSOC_MINS, "AssocMax", "Cpu", "Mem", "MinutesPerJob", "Limit", "", "")                  \
        /* limits on past usage */                                                                 \
        X(QOS_USED, "QOSGrp", "CPU", "Memory", "Minutes", "Limit", "", "")                         \
        X(ASSOC_USED, "AssocGrp", "CPU", "Mem", "Minutes", "Limit", "", "")                        \
        /* limits on the remaining use by running jobs */                                          \
        X(QOS_RUN, "QOSGrp", "CPU", "Memory", "RunMinutes", "Limit", "", "")                       \
        X(ASSOC_RUN, "AssocGrp", "CPU", "Mem", "RunMinutes", "Limit", "", "")

/* Limits on each node, which exclude node counts, billing and licenses: X(limit, word before, word
   for memory). */
#define NODE_LIMIT_REASONS(X)                                                                      \
        X(QOS_PER_NODE, "QOSMax", "Memory")                                                        \
        X(ASSOC_PER_NODE, "AssocMax", "Mem")

#define REASON_PLAIN(name, word) REASON_##name,
#define REASON_LIMIT(limit, ...)                                                                   \
        REASON_##limit##_CPU, REASON_##limit##_MEM, REASON_##limit##_NODE,                         \
                        REASON_##limit##_BILLING, REASON_##limit##_GRES, REASON_##limit##_LICENSE,

/* The order is that of enum tres: code adds a column to a limit's first reason.  Three columns of a
   node limit have no word. */
enum job_reason {
        JOB_REASONS(REASON_PLAIN) LIMIT_REASONS(REASON_LIMIT) NODE_LIMIT_REASONS(REASON_LIMIT)
                        REASON_MAX,
};
#undef REASON_PLAIN
#undef REASON_LIMIT

DECLARE_STRTAB(job_reason);
