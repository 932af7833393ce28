/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/triggerevent.h - what a trigger (strigger) may wait for, as bits; they are stored */
#pragma once

#include "lib/base.h"

enum trigger_event {
        /* a node, of those that the trigger or its job names */
        TRIGGER_UP = 1 << 0, /* back in service from DOWN */
        TRIGGER_DOWN = 1 << 1,
        TRIGGER_DRAINED = 1 << 2,
        TRIGGER_DRAINING = 1 << 3, /* drained by name, and jobs run there still */
        TRIGGER_RESUME = 1 << 4,   /* scontrol update State=RESUME */
        TRIGGER_FAIL = 1 << 5,
        TRIGGER_IDLE = 1 << 6, /* for as long as the trigger's offset */
        /* a job */
        TRIGGER_TIME = 1 << 7, /* its time limit */
        TRIGGER_FINI = 1 << 8,
        /* the cluster */
        TRIGGER_RECONFIG = 1 << 9,
        /* slumberctld */
        TRIGGER_CTLD_FAILED = 1 << 10,  /* it ended without having been stopped */
        TRIGGER_CTLD_RESUMED = 1 << 11, /* ... and is back */
        TRIGGER_CTLD_STARTED = 1 << 12,
        TRIGGER_ACCT_FULL = 1 << 13, /* rows for the accounts wait for their disk */
};
#define TRIGGER_EVENTS_NODE                                                                        \
        (TRIGGER_UP | TRIGGER_DOWN | TRIGGER_DRAINED | TRIGGER_DRAINING | TRIGGER_RESUME |         \
                        TRIGGER_FAIL | TRIGGER_IDLE)
#define TRIGGER_EVENTS_JOB (TRIGGER_TIME | TRIGGER_FINI)
#define TRIGGER_EVENTS_CTLD                                                                        \
        (TRIGGER_CTLD_FAILED | TRIGGER_CTLD_RESUMED | TRIGGER_CTLD_STARTED | TRIGGER_ACCT_FULL)
#define TRIGGER_EVENTS_CLUSTER (TRIGGER_RECONFIG | TRIGGER_EVENTS_CTLD)
#define TRIGGER_EVENTS_ALL     ((1u << 14) - 1)

/* Slurm's words, in its order, with commas, malloced: "down,up"; "unknown" for none. */
char *trigger_events_text(uint32_t events);
/* The bit of a word ("primary_slurmctld_failure"); 0: there is no such event. */
uint32_t trigger_event_of(const char *word);
