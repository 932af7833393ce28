/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/dependency.h - dependencies of a job, as data; jobs/dependency.h evaluates
   them */
#pragma once

#include "lib/base.h"

enum dependency_kind {
        DEPENDENCY_AFTER,        /* the job has started or was cancelled */
        DEPENDENCY_ANY,          /* the job has ended */
        DEPENDENCY_BURST_BUFFER, /* like DEPENDENCY_ANY: burst buffers are not supported */
        DEPENDENCY_CORRELATED,   /* aftercorr; like afterok unless both jobs are arrays */
        DEPENDENCY_NOT_OK,
        DEPENDENCY_OK,
        DEPENDENCY_SINGLETON, /* the user's earlier jobs with equal name have ended */
};

struct dependency {
        enum dependency_kind kind;
        /* Singleton: the earlier job now waited for; 0: not searched yet. */
        uint32_t job;
        /* Array task or offset of a component; DEPENDENCY_WHOLE: the whole job. */
        uint32_t task;
        bool component; /* written job+task */
        bool array;     /* job is an array: displayed with _* */
        usec_t delay;   /* delay of after:ID+MINUTES */
        bool failed;    /* can never be satisfied in the present state */
        /* The user may not see the job: its state in the controller is ignored, and only the user's
           own rows in the accounts count. Displayed as (unknown), whether or not the job exists. */
        bool hidden;
};

struct dependencies {
        bool any; /* "?" between the dependencies: one is enough */
        size_t n, allocated;
        struct dependency *of;
};

#define DEPENDENCY_WHOLE UINT32_MAX

/* Accepts NULL, returns NULL. */
struct dependencies *dependencies_free(struct dependencies *d);
DEFINE_CLEANUP(struct dependencies *, dependencies_free)
