/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/triggerevent.h - events of triggers (strigger) as bits; the values are stored */
#pragma once

#include "lib/base.h"

enum trigger_event {
        /* Events of nodes, named by the trigger or by its job. */
        TRIGGER_UP = 1 << 0, /* back in service from DOWN */
        TRIGGER_DOWN = 1 << 1,
        TRIGGER_DRAINED = 1 << 2,
        TRIGGER_DRAINING = 1 << 3, /* set to drain while jobs still run */
        TRIGGER_RESUME = 1 << 4,   /* scontrol update State=RESUME */
        TRIGGER_FAIL = 1 << 5,
        TRIGGER_IDLE = 1 << 6, /* for the trigger's offset */
        /* Events of a job. */
        TRIGGER_TIME = 1 << 7, /* its time limit */
        TRIGGER_FINI = 1 << 8,
        /* Event of the cluster. */
        TRIGGER_RECONFIG = 1 << 9,
        /* Events of slumberctld. */
        TRIGGER_CTLD_FAILED = 1 << 10,  /* ended without being stopped */
        TRIGGER_CTLD_RESUMED = 1 << 11, /* back after such an end */
        TRIGGER_CTLD_STARTED = 1 << 12,
        TRIGGER_ACCT_FULL = 1 << 13, /* accounting rows wait because their disk is full */
};
#define TRIGGER_EVENTS_NODE                                                                        \
        (TRIGGER_UP | TRIGGER_DOWN | TRIGGER_DRAINED | TRIGGER_DRAINING | TRIGGER_RESUME |         \
                        TRIGGER_FAIL | TRIGGER_IDLE)
#define TRIGGER_EVENTS_JOB (TRIGGER_TIME | TRIGGER_FINI)
#define TRIGGER_EVENTS_CTLD                                                                        \
        (TRIGGER_CTLD_FAILED | TRIGGER_CTLD_RESUMED | TRIGGER_CTLD_STARTED | TRIGGER_ACCT_FULL)
#define TRIGGER_EVENTS_CLUSTER (TRIGGER_RECONFIG | TRIGGER_EVENTS_CTLD)
#define TRIGGER_EVENTS_ALL     ((1u << 14) - 1)

/* Returns Slurm's words in Slurm's order with commas, "down,up", or "unknown"; the caller frees. */
char *trigger_events_text(uint32_t events);
/* Returns the bit of a word ("primary_slurmctld_failure"); 0: unknown event. */
uint32_t trigger_event_of(const char *word);
