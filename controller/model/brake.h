/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/brake.h - the brake on waking: what it is at present; nodes/brake.h says what it
   does */
#pragma once

#include "lib/base.h"

enum brake_by {
        BRAKE_OFF,
        /* a program has told of a fault that is not the node's, or could not be run, or failed as a
           whole */
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
        enum brake_by by; /* BRAKE_OFF: nodes are woken as ever */
        /* oldest first; a node that fails again and again is in it once */
        struct wake_result *last;
        size_t n;
        /* Points in time, 0 = none */
        /* since the brake is on; the first of the failures that led to it */
        usec_t since, failed_from;
        usec_t probe_at; /* the next probe not before */
        usec_t armed;    /* a turn comes then */
        usec_t worked;   /* the last wake that went well */
        /* the last POWER_UP by hand, and the last probe, or the brake, began; neither is stored */
        usec_t asked, begun;
        char *asked_for; /* the first node of that POWER_UP; NULL: none yet */
        usec_t pause;    /* a duration: to the next probe, if this one fails */
        uint32_t probes; /* that have failed */
        char *probe;     /* the node under way; NULL */
        char *probed;    /* the one before it: another one is next */
        char *cause;     /* for people */
        /* why nodes cannot be switched off, as the log was told last; NULL: one could, since */
        char *off_cause;
        bool by_exit; /* the cause is the program's exit status alone ... */
        /* ... which has been shown to mean nothing: its nodes came up all the same */
        bool exit_ignored;
        bool wanted; /* a pending job waits for it to end */
        bool dirty;  /* to be stored */
};
