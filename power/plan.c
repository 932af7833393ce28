/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides the next step with one BMC.
 *
 * A verb is a list of goals, each a state to be read back and the command to reach it. Only a
 * reading reaches a goal, never an acknowledgement. The next goal begins afterwards: "on" is never
 * sent while "off" is in progress, where "on" would be lost or would cancel the "off".
 *
 * After a command, readings follow with growing intervals. The command is repeated once, when half
 * of the remaining time has passed without effect (it may have been lost). After a fault the state
 * is unknown, since the command may have arrived: it is read again. Configuration faults end the
 * request at once, since BMCs lock accounts. */
#include "power/plan.h"

/* Time from acknowledgement to the first reading: most BMCs and simulators have switched by
   then. */
#define SETTLE       (40 * USEC_PER_MSEC)
#define INTERVAL_MAX (5 * USEC_PER_SEC) /* slow enough for BMCs that fail under frequent requests */
/* Failed readings before "status" gives up: the first and one in a fresh session; more for a BMC
   that is merely busy. */
#define STATUS_SILENT_MAX 2
#define STATUS_FAULTS_MAX 4

struct goal {
        enum power_state state;
        enum plan_act send;
};
static const struct goal goals[POWER_VERB_MAX][3] = {
        [POWER_ON] = { { POWER_IS_ON, PLAN_SEND_ON } },
        [POWER_OFF] = { { POWER_IS_OFF, PLAN_SEND_OFF } },
        [POWER_SOFT] = { { POWER_IS_OFF, PLAN_SEND_SOFT } },
        [POWER_CYCLE] = { { POWER_IS_OFF, PLAN_SEND_OFF }, { POWER_IS_ON, PLAN_SEND_ON } },
};

void plan_begin(struct plan *plan, enum power_verb verb, usec_t now, usec_t deadline,
                const struct power_conf *conf, const struct power_bmc *bmc) {
        assert(verb < POWER_VERB_MAX);

        *plan = (struct plan){
                .verb = verb,
                .deadline = deadline,
                .poll = conf->poll,
                .cycle_pause = conf->cycle_pause,
                .when = now,
                .interval = conf->poll,
        };
        const struct power_driver *driver = bmc->access ? bmc->access->driver : NULL;
        plan->noun = driver ? driver->noun : "BMC";
        plan->silence_is_off = driver && driver->silence_is_off;
        snprintf(plan->node, sizeof plan->node, "%s", bmc->node);
        snprintf(plan->address, sizeof plan->address, "%s", bmc->address);
}

static enum plan_act fail_with(struct plan *plan, enum power_fault fault, const char *text) {
        plan->cause.fault = fault;
        snprintf(plan->cause.fail.text, sizeof plan->cause.fail.text, "%s", text);
        return PLAN_FAILED;
}

static const char *wanted_text(const struct plan *plan) {
        return power_state_text(goals[plan->verb][plan->goal].state);
}

/* A check with a known state is done, even if the identity cannot be read. */
static enum plan_act plan_check_over(const struct plan *plan) {
        return plan->read ? PLAN_DONE : PLAN_FAILED;
}

enum plan_act plan_expired(struct plan *plan) {
        struct fail why;

        if (plan->read && !plan->cause.fail.text[0]) {
                plan->cause.fault = POWER_FAULT_SILENT;
                fail_set(&plan->cause.fail, 0, "%s %s did not answer in time", plan->noun,
                                plan->address);
        }
        if (plan->read)
                return PLAN_DONE;
        if (plan->sent && plan->state != POWER_UNKNOWN) {
                fail_set(&why, 0, "%s %s acknowledged power %s but %s stays %s", plan->noun,
                                plan->address,
                                plan->verb == POWER_SOFT ? "soft" : wanted_text(plan), plan->node,
                                power_state_text(plan->state));
                return fail_with(plan, POWER_FAULT_STUCK, why.text);
        }
        if (plan->cause.fail.text[0])
                return PLAN_FAILED;
        if (plan->sent) {
                fail_set(&why, 0, "%s %s acknowledged power %s but the state of %s cannot be read",
                                plan->noun, plan->address, wanted_text(plan), plan->node);
                return fail_with(plan, POWER_FAULT_STUCK, why.text);
        }
        if (plan->state == POWER_IS_CHANGING) {
                fail_set(&why, 0, "%s %s reported %s as changing until the deadline", plan->noun,
                                plan->address, plan->node);
                return fail_with(plan, POWER_FAULT_STUCK, why.text);
        }
        fail_set(&why, 0, "%s %s did not answer in time", plan->noun, plan->address);
        return fail_with(plan, POWER_FAULT_SILENT, why.text);
}

static enum plan_act read_after(struct plan *plan, usec_t now, usec_t wait) {
        if (now >= plan->deadline)
                return plan_expired(plan);
        /* The last reading is shortly before the deadline. */
        usec_t left = plan->deadline - now;
        plan->when = now + MIN(wait, left > 2 * SETTLE ? left - SETTLE : left);
        return PLAN_READ;
}

/* no_sooner: minimum wait from now. */
static enum plan_act next_reading_after(struct plan *plan, usec_t now, usec_t no_sooner) {
        usec_t wait = MAX(plan->interval, no_sooner);

        plan->interval = MIN(plan->interval * 2, INTERVAL_MAX);
        return read_after(plan, now, wait);
}

static enum plan_act next_reading(struct plan *plan, usec_t now) {
        return next_reading_after(plan, now, 0);
}

/* True if the command of the current goal may be sent now. */
static bool plan_may_send(const struct plan *plan, usec_t now) {
        if (plan->sent == 0)
                return true;
        return plan->sent == 1 && now >= plan->sent_at + (plan->deadline - plan->sent_at) / 2;
}

static enum plan_act plan_goal_reached(struct plan *plan, usec_t now) {
        plan->changed = plan->changed || plan->sent > 0;
        plan->goal++;
        if (!goals[plan->verb][plan->goal].state)
                return PLAN_DONE;
        plan->sent = 0;
        plan->sent_at = 0;
        plan->interval = plan->poll;
        return read_after(plan, now, plan->changed ? plan->cycle_pause : 0);
}

static enum plan_act status_seen(struct plan *plan) {
        struct fail why;

        if (plan->state != POWER_UNKNOWN)
                return PLAN_DONE;
        fail_set(&why, 0, "the state of %s cannot be read (%s %s)", plan->node, plan->noun,
                        plan->address);
        return fail_with(plan, POWER_FAULT_REFUSED, why.text);
}

enum plan_act plan_seen(struct plan *plan, enum power_state state, usec_t now) {
        assert(state < POWER_STATE_MAX);

        plan->state = state;
        plan->faults = 0;
        if (plan->cause.fault != POWER_FAULT_NOT_NOW) /* the reason why the state is unchanged */
                plan->cause = (struct power_cause){ 0 };
        if (plan->verb == POWER_STATUS)
                return status_seen(plan);
        const struct goal *goal = &goals[plan->verb][plan->goal];
        if (state == goal->state)
                return plan_goal_reached(plan, now);
        if (state == POWER_UNKNOWN && goal->state == POWER_IS_OFF && plan->silence_is_off &&
                        plan->sent)
                return plan_goal_reached(plan, now);
        if (now >= plan->deadline)
                return plan_expired(plan);
        if (state == POWER_IS_CHANGING)
                return next_reading(plan, now);
        return plan_may_send(plan, now) ? goal->send : next_reading(plan, now);
}

enum plan_act plan_measured(struct plan *plan, double watts) {
        plan->faults = 0;
        plan->cause = (struct power_cause){ 0 };
        plan->watts = watts;
        return PLAN_DONE;
}

enum plan_act plan_check_seen(struct plan *plan, enum power_state state, usec_t now) {
        plan->faults = 0;
        plan->cause = (struct power_cause){ 0 };
        plan->state = state;
        plan->read = true;
        plan->when = now;
        return PLAN_READ;
}

enum plan_act plan_checked(struct plan *plan, const struct power_identity *identity) {
        plan->faults = 0;
        plan->cause = (struct power_cause){ 0 };
        plan->identity = *identity;
        return PLAN_DONE;
}

enum plan_act plan_sent_unread(struct plan *plan, usec_t now) {
        plan->sent++;
        plan->state = POWER_UNKNOWN;
        return plan_goal_reached(plan, now);
}

enum plan_act plan_sent(struct plan *plan, usec_t now) {
        if (!plan->sent_at)
                plan->sent_at = now;
        plan->sent++;
        plan->interval = plan->poll;
        return read_after(plan, now, SETTLE);
}

enum plan_act plan_fault(struct plan *plan, const struct power_cause *cause, usec_t now) {
        assert(cause->fault > POWER_OK && cause->fault < POWER_FAULT_MAX);

        /* The state stays as read in a check, and after a refusal if no command was sent. */
        if (!plan->read && (plan->sent || cause->fault != POWER_FAULT_REFUSED))
                plan->state = POWER_UNKNOWN;
        plan->faults++;
        /* A request cut short by the deadline must not replace an earlier cause. */
        if (cause->fault != POWER_FAULT_SILENT || now < plan->deadline || !plan->cause.fail.text[0])
                plan->cause = *cause;
        if (cause->fault == POWER_FAULT_CONFIG || cause->fault == POWER_FAULT_SHARED ||
                        cause->fault == POWER_FAULT_REFUSED)
                return plan_check_over(plan);
        unsigned limit = cause->fault == POWER_FAULT_SILENT ? STATUS_SILENT_MAX : STATUS_FAULTS_MAX;
        if (power_verb_only_reads(plan->verb) && plan->faults >= limit)
                return plan_check_over(plan);
        return next_reading_after(plan, now, cause->retry_after);
}

enum plan_act plan_held(struct plan *plan, usec_t now) {
        plan->cause.fault = POWER_FAULT_BUSY;
        fail_set(&plan->cause.fail, 0, "another request to %s %s is under way", plan->noun,
                        plan->address);
        return read_after(plan, now, plan->poll);
}
