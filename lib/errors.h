/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/errors.h - what a request may be refused for, with Slurm's words for it */
#pragma once

#include "lib/strtab.h"

enum slumber_error {
        SLUMBER_OK,
        SLUMBER_FAILED, /* the text of the Error message says it all */
        SLUMBER_BAD_PARTITION,
        SLUMBER_NODES_NOT_AVAILABLE,
        SLUMBER_BAD_LICENSE,
        SLUMBER_BAD_FEATURE,
        SLUMBER_BAD_TIME,
        SLUMBER_TOO_MANY_CPUS,
        SLUMBER_BAD_NODE_COUNT,
        SLUMBER_BAD_QOS,
        SLUMBER_BAD_ACCOUNT,
        SLUMBER_BAD_RESERVATION,
        SLUMBER_BAD_JOB_ID,
        SLUMBER_ACCESS_DENIED,
        SLUMBER_ALREADY_DONE,
        SLUMBER_PARTITION_NOT_AVAILABLE,
        SLUMBER_BAD_NODE_NAME,
        SLUMBER_BAD_NODE_STATE,
        SLUMBER_NODE_REASON_MISSING,
        SLUMBER_JOB_PENDING,
        SLUMBER_JOB_SUSPENDED,
        SLUMBER_JOB_NOT_SUSPENDED,
        SLUMBER_JOB_NOT_RUNNING,
        SLUMBER_JOB_NOT_PENDING,
        SLUMBER_JOB_HELD,
        SLUMBER_NOT_SUPPORTED,
        SLUMBER_NODES_BUSY,
        SLUMBER_NODES_BOOTING,
        SLUMBER_BAD_TASK_COUNT,
        SLUMBER_TOO_MANY_JOBS,
        SLUMBER_STORE_FULL,
        SLUMBER_TOO_BIG,
        SLUMBER_PROTOCOL,
        SLUMBER_MEMORY_NOT_AVAILABLE,
        SLUMBER_PARTITION_DOWN,
        SLUMBER_BAD_UPDATE,
        SLUMBER_NOT_REQUEUEABLE,
        SLUMBER_BAD_CREDENTIAL,
        SLUMBER_JOB_ENDED,
        SLUMBER_CANNOT_FREEZE,
        SLUMBER_CONTROLLER_AWAY,
        SLUMBER_BAD_STEP_ID,
        SLUMBER_NO_CHANGE,
        SLUMBER_BAD_SCRIPT,
        SLUMBER_MAX_POWERED_NODES,
        SLUMBER_NOT_TOP_PRIORITY,
        SLUMBER_BAD_USER,
        SLUMBER_GROUP_NOT_PERMITTED,
        SLUMBER_ERROR_MAX,
};

/* slumber_error_text(): the sentence; never NULL for a value of the enum. */
DECLARE_STRTAB(slumber_error);
