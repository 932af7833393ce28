/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/dependency.h - what a job waits for: what is known of it; jobs/dependency.h
   says what follows */
#pragma once

#include "lib/base.h"

enum dependency_kind {
        DEPENDENCY_AFTER,        /* it runs, or will not */
        DEPENDENCY_ANY,          /* it has ended */
        DEPENDENCY_BURST_BUFFER, /* ... and its data is out: the same, without burst buffers */
        DEPENDENCY_CORRELATED,   /* aftercorr: of jobs without tasks what afterok is */
        DEPENDENCY_NOT_OK,
        DEPENDENCY_OK,
        DEPENDENCY_SINGLETON, /* the user's earlier jobs of the same name have ended */
};

struct dependency {
        enum dependency_kind kind;
        /* of a singleton: the one that it waits for at present, 0 = none looked for yet */
        uint32_t job;
        /* of an array, or the offset of a component; DEPENDENCY_WHOLE: all of them, or the job has
           neither */
        uint32_t task;
        bool component; /* job+task */
        bool array;     /* job is one: shown with _* */
        usec_t delay;   /* after:ID+MINUTES */
        bool failed;    /* it can never be met as things are */
        /* Not to be seen by the user: what the controller has of it does not count, and of the
           accounts only that user's rows; shown as (unknown) whether the job is there or not. */
        bool hidden;
};

struct dependencies {
        bool any; /* one is enough ("?" between them) */
        size_t n, allocated;
        struct dependency *of;
};

#define DEPENDENCY_WHOLE UINT32_MAX

/* Takes NULL, returns NULL. */
struct dependencies *dependencies_free(struct dependencies *d);
DEFINE_CLEANUP(struct dependencies *, dependencies_free)
