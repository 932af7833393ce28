/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/errors.h"

static const char *const texts[] = {
        [SLUMBER_OK] = "No error",
        [SLUMBER_FAILED] = "Unspecified error",
        [SLUMBER_BAD_PARTITION] = "Invalid partition name specified",
        [SLUMBER_NODES_NOT_AVAILABLE] = "Requested node configuration is not available",
        [SLUMBER_BAD_LICENSE] = "Invalid license specification",
        [SLUMBER_BAD_FEATURE] = "Invalid feature specification",
        [SLUMBER_BAD_TIME] = "Requested time limit is invalid (missing or exceeds some limit)",
        [SLUMBER_TOO_MANY_CPUS] = "More processors requested than permitted",
        [SLUMBER_BAD_NODE_COUNT] = "Node count specification invalid",
        [SLUMBER_BAD_QOS] = "Invalid qos specification",
        [SLUMBER_BAD_ACCOUNT] = "Invalid account or account/partition combination specified",
        [SLUMBER_BAD_RESERVATION] = "Requested reservation is invalid",
        [SLUMBER_BAD_JOB_ID] = "Invalid job id specified",
        [SLUMBER_ACCESS_DENIED] = "Access/permission denied",
        [SLUMBER_ALREADY_DONE] = "Job/step already completing or completed",
        [SLUMBER_PARTITION_NOT_AVAILABLE] = "Requested partition configuration not available now",
        [SLUMBER_BAD_NODE_NAME] = "Invalid node name specified",
        [SLUMBER_BAD_NODE_STATE] = "Invalid node state specified",
        [SLUMBER_NODE_REASON_MISSING] =
                        "You must specify a reason when DOWNING or DRAINING a node. Request denied",
        [SLUMBER_JOB_PENDING] = "Job is pending execution",
        [SLUMBER_JOB_SUSPENDED] = "Job is suspended",
        [SLUMBER_JOB_NOT_SUSPENDED] = "Job is not suspended",
        [SLUMBER_JOB_NOT_RUNNING] = "Job is not running",
        [SLUMBER_JOB_NOT_PENDING] = "Job is no longer pending execution",
        [SLUMBER_JOB_HELD] = "Job is in held state, pending scheduler release",
        [SLUMBER_NOT_SUPPORTED] = "Requested operation is not supported",
        [SLUMBER_NODES_BUSY] = "Requested nodes are busy",
        [SLUMBER_NODES_BOOTING] = "Allocated nodes are still booting",
        [SLUMBER_BAD_TASK_COUNT] = "Task count specification invalid",
        [SLUMBER_TOO_MANY_JOBS] = "Slurm controller can not accept more jobs (MaxJobCount)",
        [SLUMBER_STORE_FULL] = "The controller cannot write its state",
        [SLUMBER_TOO_BIG] = "The request is larger than its limit",
        [SLUMBER_PROTOCOL] = "Malformed message",
        [SLUMBER_MEMORY_NOT_AVAILABLE] = "Memory required by task is not available",
        [SLUMBER_PARTITION_DOWN] = "Required partition not available (inactive or drain)",
        [SLUMBER_BAD_UPDATE] = "Invalid update specification",
        [SLUMBER_BATCH_ONLY] = "Only batch jobs are accepted or processed",
        [SLUMBER_BAD_CREDENTIAL] = "Invalid job credential",
        [SLUMBER_JOB_ENDED] = "Job has ended",
        [SLUMBER_CANNOT_FREEZE] = "The job's processes could not be stopped",
        [SLUMBER_CONTROLLER_AWAY] = "Unable to contact slurm controller (connect failure)",
        [SLUMBER_BAD_STEP_ID] = "Invalid job step id specified",
        [SLUMBER_NO_CHANGE] = "Nothing to change",
        [SLUMBER_BAD_SCRIPT] = "Invalid batch script",
        [SLUMBER_MAX_POWERED_NODES] = "Cannot power up more nodes (max_powered_nodes)",
        [SLUMBER_NOT_TOP_PRIORITY] = "Immediate execution impossible, insufficient priority",
        [SLUMBER_BAD_USER] = "Invalid user id",
        [SLUMBER_GROUP_NOT_PERMITTED] = "User's group not permitted to use this partition",
        [SLUMBER_CONTROLLER_LOST] =
                        "The slurm controller went away before it answered; what was asked may have been done",
        [SLUMBER_BAD_DEPENDENCY] = "Job dependency problem",
        [SLUMBER_CIRCULAR_DEPENDENCY] = "Circular job dependency",
        [SLUMBER_BAD_ARRAY] = "Invalid job array specification",
        [SLUMBER_BAD_NICE] = "Invalid --nice value",
        [SLUMBER_BAD_GRES] = "Invalid generic resource (gres) specification",
        [SLUMBER_BAD_MCS_LABEL] = "Invalid mcs_label specified",
        [SLUMBER_ACCOUNTING_POLICY] =
                        "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
        [SLUMBER_RESERVATION_BUSY] = "Requested reservation is in use",
        [SLUMBER_RESERVATION_OVERLAP] = "Requested reservation overlaps with another reservation",
        [SLUMBER_RESERVATION_ACCESS] = "Access denied to requested reservation",
        [SLUMBER_RESERVATION_NAME] = "Duplicate reservation name",
        [SLUMBER_RESERVATION_EMPTY] = "Reservation request lacks users, groups or accounts",
        [SLUMBER_BAD_CLOCK_TIME] = "Invalid time specified",
        [SLUMBER_PARTITION_IN_USE] = "Partition is in use",
        [SLUMBER_BAD_TIME_MIN] =
                        "Invalid time-min specification (exceeds job's time or other limits)",
        [SLUMBER_BAD_CORE_COUNT] = "Core count for reservation node list is not consistent!",
        [SLUMBER_CORES_STAY] = "Core-based reservation can not be updated",
        [SLUMBER_BAD_PREFER] = "Invalid preferred feature specification",
        [SLUMBER_NO_SCRIPT] = "Job script not specified",
        [SLUMBER_JOB_FINISHED] = "Job has already finished",
        [SLUMBER_NODE_REFUSED] = "The node cannot join",
        [SLUMBER_NODE_DELETED] = "The node was deleted",
        [SLUMBER_NODE_AWAY] = "Communication connection failure",
        [SLUMBER_DISABLED] = "Requested operation is presently disabled",
        [SLUMBER_FRAGMENTED] =
                        "Immediate execution impossible, resources too fragmented for allocation",
        [SLUMBER_NO_DEFAULT_PARTITION] = "No partition specified or system default partition",
        [SLUMBER_BAD_ACCT_FREQUENCY] = "Invalid accounting frequency requested",
        [SLUMBER_TOO_MANY_THREADS] = "Cannot request more threads per core than the job allocation",
        [SLUMBER_BAD_BATCH_FEATURES] =
                        "Job --batch option is invalid or not a subset of --constraints",
        [SLUMBER_NODE_CONNECTED] = "Another slumberd is connected as this node",
        [SLUMBER_MISSING_TIME_LIMIT] = "Time limit specification required, but not provided",
        [SLUMBER_DUPLICATE_TRIGGER] = "Duplicate event trigger",
        [SLUMBER_NO_TRIGGER] = "No such process", /* Slurm's text */
        [SLUMBER_X11_NOT_AVAILABLE] = "X11 forwarding not available",
        [SLUMBER_PORTS_BUSY] = "Required ports are in use",
        [SLUMBER_TOO_MANY_PORTS] = "Requires more ports than can be reserved",
        [SLUMBER_CLUSTER_AWAY] = "The cluster does not answer",
        [SLUMBER_NODE_UNFIT] = "The node cannot run jobs",
        [SLUMBER_PROLOG_FAILED] = "Job prolog failed",
        [SLUMBER_EPILOG_FAILED] = "Job epilog failed",
        [SLUMBER_NOT_WHOLE_HET_JOB] =
                        "Operation not permitted on individual component of heterogeneous job",
        [SLUMBER_NOT_HET_LEADER] = "Job not heterogeneous job leader",
        [SLUMBER_STILL_WAITS] = "The request waits",
};
_Static_assert(ELEMENTSOF(texts) == SLUMBER_ERROR_MAX, "an error without words");

DEFINE_STRTAB(slumber_error, texts)

/* Slurm's error numbers of refused requests, with the names known to job_submit.lua. */
static const struct {
        uint32_t number;
        enum slumber_error error;
        const char *name;
} numbers[] = {
        { 1001, SLUMBER_NODE_AWAY, NULL },
        { 2000, SLUMBER_BAD_PARTITION, "ESLURM_INVALID_PARTITION_NAME" },
        { 2001, SLUMBER_NO_DEFAULT_PARTITION, NULL },
        { 2002, SLUMBER_ACCESS_DENIED, "ESLURM_ACCESS_DENIED" },
        { 2003, SLUMBER_GROUP_NOT_PERMITTED, NULL },
        { 2005, SLUMBER_TOO_MANY_CPUS, NULL },
        { 2006, SLUMBER_BAD_NODE_COUNT, "ESLURM_INVALID_NODE_COUNT" },
        { 2009, SLUMBER_NO_SCRIPT, NULL },
        { 2010, SLUMBER_BAD_USER, NULL },
        { 2013, SLUMBER_NOT_TOP_PRIORITY, NULL },
        { 2014, SLUMBER_NODES_NOT_AVAILABLE, NULL },
        { 2015, SLUMBER_PARTITION_NOT_AVAILABLE, NULL },
        { 2016, SLUMBER_NODES_BUSY, NULL },
        { 2017, SLUMBER_BAD_JOB_ID, NULL },
        { 2018, SLUMBER_BAD_NODE_NAME, NULL },
        { 2021, SLUMBER_ALREADY_DONE, NULL },
        { 2024, SLUMBER_JOB_PENDING, NULL },
        { 2025, SLUMBER_BAD_TASK_COUNT, "ESLURM_BAD_TASK_COUNT" },
        { 2028, SLUMBER_BAD_NODE_STATE, NULL },
        { 2029, SLUMBER_BAD_FEATURE, "ESLURM_INVALID_FEATURE" },
        { 2035, SLUMBER_FRAGMENTED, NULL },
        { 2037, SLUMBER_DISABLED, NULL },
        { 2038, SLUMBER_BAD_DEPENDENCY, NULL },
        { 2039, SLUMBER_BATCH_ONLY, NULL },
        { 2042, SLUMBER_JOB_HELD, NULL },
        { 2044, SLUMBER_MEMORY_NOT_AVAILABLE, "ESLURM_INVALID_TASK_MEMORY" },
        { 2045, SLUMBER_BAD_ACCOUNT, "ESLURM_INVALID_ACCOUNT" },
        { 2048, SLUMBER_BAD_LICENSE, "ESLURM_INVALID_LICENSES" },
        { 2050, SLUMBER_ACCOUNTING_POLICY, "ESLURM_ACCOUNTING_POLICY" },
        { 2051, SLUMBER_BAD_TIME, "ESLURM_INVALID_TIME_LIMIT" },
        { 2052, SLUMBER_RESERVATION_ACCESS, NULL },
        { 2053, SLUMBER_BAD_RESERVATION, NULL },
        { 2054, SLUMBER_BAD_CLOCK_TIME, NULL },
        { 2055, SLUMBER_RESERVATION_BUSY, NULL },
        { 2058, SLUMBER_RESERVATION_OVERLAP, NULL },
        { 2059, SLUMBER_PORTS_BUSY, NULL },
        { 2060, SLUMBER_TOO_MANY_PORTS, NULL },
        { 2066, SLUMBER_BAD_QOS, "ESLURM_INVALID_QOS" },
        { 2070, SLUMBER_PARTITION_DOWN, NULL },
        { 2071, SLUMBER_CIRCULAR_DEPENDENCY, NULL },
        { 2072, SLUMBER_BAD_GRES, "ESLURM_INVALID_GRES" },
        { 2073, SLUMBER_JOB_NOT_PENDING, NULL },
        { 2075, SLUMBER_PARTITION_IN_USE, NULL },
        { 2080, SLUMBER_RESERVATION_EMPTY, NULL },
        { 2081, SLUMBER_BAD_ARRAY, NULL },
        { 2082, SLUMBER_RESERVATION_NAME, NULL },
        { 2084, SLUMBER_JOB_FINISHED, NULL },
        { 2085, SLUMBER_JOB_NOT_RUNNING, NULL },
        { 2087, SLUMBER_JOB_NOT_SUSPENDED, NULL },
        { 2089, SLUMBER_DUPLICATE_TRIGGER, NULL },
        { 2099, SLUMBER_BAD_MCS_LABEL, NULL },
        { 2107, SLUMBER_NOT_HET_LEADER, NULL },
        { 2108, SLUMBER_NOT_WHOLE_HET_JOB, NULL },
        { 2109, SLUMBER_CORES_STAY, NULL },
        { 2111, SLUMBER_BAD_CORE_COUNT, NULL },
        { 2112, SLUMBER_X11_NOT_AVAILABLE, NULL },
        { 2114, SLUMBER_BAD_BATCH_FEATURES, NULL },
        { 2123, SLUMBER_BAD_NICE, NULL },
        { 2124, SLUMBER_BAD_TIME_MIN, NULL },
        { 2133, SLUMBER_BAD_PREFER, NULL },
        { 4003, SLUMBER_BAD_ACCT_FREQUENCY, NULL },
        { 4004, SLUMBER_BAD_CREDENTIAL, NULL },
        { 8000, SLUMBER_MISSING_TIME_LIMIT, "ESLURM_MISSING_TIME_LIMIT" },
};

uint32_t slumber_error_number(enum slumber_error e) {
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].error == e)
                        return numbers[i].number;
        return 0;
}

int slumber_error_of(uint64_t number) {
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].number == number)
                        return (int)numbers[i].error;
        return -ENOENT;
}

const char *slumber_error_name(enum slumber_error e) {
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].error == e)
                        return numbers[i].name;
        return NULL;
}
