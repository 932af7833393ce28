/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/brake.h - state of the brake on waking; nodes/brake.h describes the behaviour */
#pragma once

#include "lib/base.h"

enum brake_by {
        BRAKE_OFF,
        /* A program reported a common fault, could not be run, or failed as a whole. */
        BRAKE_COMMON,
        BRAKE_ROW,
        BRAKE_SHARE,
        BRAKE_BY_MAX,
};

struct wake_result {
        char *node;
        bool failed;
        usec_t at;
};

struct brake {
        enum brake_by by; /* BRAKE_OFF: nodes are woken without restriction */
        /* Results of the last wakes, oldest first; repeated failures of a node count as one
           entry. */
        struct wake_result *last;
        size_t n;
        /* Points in time, 0 = none: */
        /* start of the brake, and the first failure leading to the brake */
        usec_t since, failed_from;
        usec_t probe_at; /* earliest time of the next probe */
        usec_t armed;    /* time of the next armed turn */
        usec_t worked;   /* the last successful wake */
        /* The last POWER_UP by hand, and the start of the last probe or of the brake; neither is
           stored. */
        usec_t asked, begun;
        char *asked_for; /* the first node of that POWER_UP; NULL: none yet */
        usec_t pause;    /* duration until the next probe if the present probe fails */
        uint32_t probes; /* number of failed probes */
        char *probe;     /* the node of the present probe; NULL */
        char *probed;    /* the node of the last probe: the next probe takes the following node */
        char *cause;     /* text for users */
        /* Why nodes cannot be switched off, as logged last; NULL: a later power-off succeeded. */
        char *off_cause;
        bool by_exit; /* the cause is merely the exit status of a program */
        /* The exit status proved meaningless, as the nodes came up anyway. */
        bool exit_ignored;
        bool wanted; /* a pending job waits for the end of the brake */
        bool dirty;  /* must be stored */
};
