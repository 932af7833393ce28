/* SPDX-License-Identifier: GPL-3.0-or-later */
/* power/plan.h - decides the next step with one BMC from observations; no clock, no I/O */
#pragma once

#include "power/power.h"

enum plan_act {
        PLAN_READ, /* open a session if needed, read the state at plan->when */
        PLAN_SEND_ON,
        PLAN_SEND_OFF,
        PLAN_SEND_SOFT,
        PLAN_DONE,
        PLAN_FAILED,
};

struct plan {
        /* Input. */
        enum power_verb verb;
        usec_t deadline; /* absolute, by the clock of "now" */
        usec_t poll, cycle_pause;
        char node[HOSTLIST_NAME_MAX + 1], address[HOSTLIST_NAME_MAX + 1];
        const char *noun; /* kind of address, for messages */
        bool silence_is_off;
        /* Written by plan.c only. */
        unsigned goal; /* index in the verb's list of goals */
        usec_t when;
        usec_t interval; /* to the next reading */
        usec_t sent_at;  /* 0: no command sent for the current goal */
        unsigned sent;   /* commands sent for the current goal */
        unsigned faults; /* consecutive faults */
        bool changed;
        bool read;                      /* check: the state is known, the identity is next */
        double watts;                   /* set by the pool */
        struct power_identity identity; /* set by the pool */
        enum power_state state; /* last read, or unknown after a command with unknown result */
        struct power_cause cause;
};

/* Times of all functions are of one clock, never 0. */
void plan_begin(struct plan *plan, enum power_verb verb, usec_t now, usec_t deadline,
                const struct power_conf *conf, const struct power_bmc *bmc);
enum plan_act plan_seen(struct plan *plan, enum power_state state, usec_t now);
enum plan_act plan_sent(struct plan *plan, usec_t now); /* acknowledged by the BMC */
/* acknowledged; no state can be read. */
enum plan_act plan_sent_unread(struct plan *plan, usec_t now);
enum plan_act plan_measured(struct plan *plan, double watts);
enum plan_act plan_check_seen(struct plan *plan, enum power_state state, usec_t now);
enum plan_act plan_checked(struct plan *plan, const struct power_identity *identity);
enum plan_act plan_fault(struct plan *plan, const struct power_cause *cause, usec_t now);
/* Another request uses the BMC. */
enum plan_act plan_held(struct plan *plan, usec_t now);
/* The deadline has passed: fills the cause. PLAN_DONE for a check with a known state. */
enum plan_act plan_expired(struct plan *plan);
