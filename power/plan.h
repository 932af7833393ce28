/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/plan.h - what to do next with one BMC, decided from what was seen; no clock, no I/O */
#pragma once

#include "power/power.h"

enum plan_act {
        PLAN_READ, /* open a session if there is none, read the state at plan->when */
        PLAN_SEND_ON,
        PLAN_SEND_OFF,
        PLAN_SEND_SOFT,
        PLAN_DONE,
        PLAN_FAILED,
};

struct plan {
        /* given */
        enum power_verb verb;
        usec_t deadline; /* absolute, the clock of "now" */
        usec_t poll, cycle_pause;
        char node[HOSTLIST_NAME_MAX + 1], address[HOSTLIST_NAME_MAX + 1];
        const char *noun; /* what the address is one of */
        bool silence_is_off;
        /* written by plan.c only */
        unsigned goal; /* index into the verb's list of goals */
        usec_t when;
        usec_t interval; /* to the next reading */
        usec_t sent_at;  /* 0: nothing sent towards the present goal */
        unsigned sent;   /* how often, towards the present goal */
        unsigned faults; /* in a row */
        bool changed;
        bool read;                      /* of a check: the state; its identity is next */
        double watts;                   /* written by the pool */
        struct power_identity identity; /* likewise */
        enum power_state state; /* last read, or unknown after a command with an unknown result */
        struct power_cause cause;
};

/* Times from now on are those of one clock, never 0. */
void plan_begin(struct plan *plan, enum power_verb verb, usec_t now, usec_t deadline,
                const struct power_conf *conf, const struct power_bmc *bmc);
enum plan_act plan_seen(struct plan *plan, enum power_state state, usec_t now);
enum plan_act plan_sent(struct plan *plan, usec_t now);        /* the BMC acknowledged */
enum plan_act plan_sent_unread(struct plan *plan, usec_t now); /* and there is nothing to read */
enum plan_act plan_measured(struct plan *plan, double watts);
enum plan_act plan_check_seen(struct plan *plan, enum power_state state, usec_t now);
enum plan_act plan_checked(struct plan *plan, const struct power_identity *identity);
enum plan_act plan_fault(struct plan *plan, const struct power_cause *cause, usec_t now);
/* Another request has the BMC: nothing could be asked. */
enum plan_act plan_held(struct plan *plan, usec_t now);
/* The deadline has passed: fills the cause.  PLAN_DONE for a check that has read the state. */
enum plan_act plan_expired(struct plan *plan);
