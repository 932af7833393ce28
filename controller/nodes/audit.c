/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a node's power with the reading of the BMC: a table [recorded state][reading], and one
 * function for each disagreement.  The rule for a node that is recorded as off but reads on:
 *
 *   BMC read off since our power-off,   switched on by hand: the controller waits for the node's
 *   or no power-off of ours             registration, as after a resume
 *   BMC never read off since            our power-off did not work: after the second such audit
 *   our power-off                       in a row SuspendProgram runs again
 *
 * A node that is recorded as on but reads off has lost power: the node is DOWN at once, and jobs
 * return to the queue without waiting for SlurmdTimeout.  Only the node's slumberd can show that
 * the BMC is wrong (or that power.yaml names the wrong BMC): a connected slumberd is asked first.
 * Nodes that an admin has taken out of service are left alone. */
#include "controller/nodes/audit.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/nodes/node_events.h"

#define STRIKES 2 /* audits in a row */

static const char by_hand_text[] = "switched on by hand (audit)";
static const char stuck_text[] = "still on after power-off (audit)";
static const char lost_text[] = "power is off (audit)";

static const char *const observed_words[] = {
        [OBSERVED_NOTHING] = "unknown",
        [OBSERVED_OFF] = "off",
        [OBSERVED_ON] = "on",
};
_Static_assert(ELEMENTSOF(observed_words) == OBSERVED_MAX, "a reading without a word");
DEFINE_STRTAB(node_observed, observed_words)

static const char *const result_words[] = {
        [AUDIT_AGREES] = "as it should be",
        [AUDIT_CHANGING] = "its power is changing",
        [AUDIT_LEFT_ALONE] = "out of service, left alone",
        [AUDIT_SUSPECT] = "its power-off may not have worked",
        [AUDIT_OFF_AGAIN] = "its power-off did not work, it is switched off again",
        [AUDIT_SWITCHED_ON] = "switched on by hand",
        [AUDIT_POWER_LOST] = "its power is lost, it is down",
        [AUDIT_ASKED] = "but its agent is connected and is asked",
};
_Static_assert(ELEMENTSOF(result_words) == AUDIT_RESULT_MAX, "a result without a word");
DEFINE_STRTAB(audit_result, result_words)

static bool audit_wrote_reason(const char *reason) {
        return reason && (streq(reason, by_hand_text) || streq(reason, stuck_text));
}

/* ---- disagreements ---- */

static enum audit_result reading_agrees(struct cluster *c, struct node *n, usec_t now) {
        (void)c, (void)n, (void)now;
        return AUDIT_AGREES;
}

static enum audit_result reading_changes(struct cluster *c, struct node *n, usec_t now) {
        (void)c, (void)n, (void)now;
        return AUDIT_CHANGING;
}

/* A later reading of on means that the node was switched on by hand. */
static enum audit_result reading_confirms_off(struct cluster *c, struct node *n, usec_t now) {
        if (!n->off_read_at)
                note_node(c, FACT_NODE_RECORD, n);
        n->off_read_at = now;
        n->audit_strikes = 0;
        if (n->reason && streq(n->reason, stuck_text))
                node_set_reason(c, n, NULL, 0, now);
        return AUDIT_AGREES;
}

static bool is_wanted_otherwise(const struct cluster *c, const struct node *n) {
        return n->flags & (NODE_POWER_UP_WANTED | NODE_POWER_DOWN_WANTED) ||
               bitset_has(c->to_resume, n->index) || bitset_has(c->to_suspend, n->index);
}

static bool is_in_service(const struct node *n) {
        return n->base == NODE_IDLE && !(n->flags & (NODE_DRAIN | NODE_FAIL));
}

static enum audit_result reading_shows_switched_on(struct cluster *c, struct node *n, usec_t now) {
        cluster_log(c, 0, n,
                        "Node %s was switched on by hand: its BMC reads on, waiting for its registration",
                        n->name);
        /* the node is in service: an earlier reason is obsolete */
        node_set_reason(c, n, by_hand_text, c->config->slurm_uid, now);
        int r = node_power_event(c, n, NODE_SWITCHED_ON, now);
        assert(r >= 0);
        return AUDIT_SWITCHED_ON;
}

static enum audit_result is_on(struct cluster *c, struct node *n, usec_t now) {
        if (is_wanted_otherwise(c, n))
                return AUDIT_CHANGING;
        if (!is_in_service(n))
                return AUDIT_LEFT_ALONE;
        if (n->off_read_at || !n->power_request)
                return reading_shows_switched_on(c, n, now);
        if (!cluster_has_switch(c, false))
                return AUDIT_LEFT_ALONE;
        if (++n->audit_strikes < STRIKES)
                return AUDIT_SUSPECT;
        n->audit_strikes = 0;
        cluster_log(c, 0, n,
                        "Node %s is still on after its power-off, says its BMC: it is switched off again",
                        n->name);
        if (isempty(n->reason))
                node_set_reason(c, n, stuck_text, c->config->slurm_uid, now);
        free_and_strdup(&n->action, NULL);
        node_flag(c, n, NODE_POWER_DOWN_WANTED, 0, now);
        bitset_add(c->to_suspend, n->index);
        return AUDIT_OFF_AGAIN;
}

static void lose_power(struct cluster *c, struct node *n, usec_t now) {
        n->answer_due = 0;
        if (n->connected)
                effects_add(&c->effects, FX_DISCONNECT)->node = n;
        n->connected = false;
        n->flags |= NODE_NOT_RESPONDING;
        if (audit_wrote_reason(n->reason))
                node_set_reason(c, n, NULL, 0, now);
        node_down(c, n, lost_text, now);
}

static enum audit_result has_lost_power(struct cluster *c, struct node *n, usec_t now) {
        if (n->flags & NODE_REBOOT_ISSUED)
                return AUDIT_CHANGING;
        if (n->base != NODE_IDLE && n->base != NODE_UNKNOWN)
                return AUDIT_LEFT_ALONE;
        if (!n->connected) {
                lose_power(c, n, now);
                return AUDIT_POWER_LOST;
        }
        if (!n->answer_due) {
                n->answer_due = now + AUDIT_ANSWER_WAIT;
                effects_add(&c->effects, FX_PROBE)->node = n;
                node_rearm(c, n, now);
        }
        return AUDIT_ASKED;
}

static enum audit_result (*const verdicts[NODE_POWER_MAX][OBSERVED_MAX])(struct cluster *c, struct node *n, usec_t now) = {
        [NODE_ON] = {
                [OBSERVED_OFF] = has_lost_power,
                [OBSERVED_ON] = reading_agrees,
        },
        [NODE_POWERING_DOWN] = {
                [OBSERVED_OFF] = reading_confirms_off,
                [OBSERVED_ON] = reading_changes,
        },
        [NODE_POWERED_DOWN] = {
                [OBSERVED_OFF] = reading_confirms_off,
                [OBSERVED_ON] = is_on,
        },
        [NODE_POWERING_UP] = {
                [OBSERVED_OFF] = reading_changes,
                [OBSERVED_ON] = reading_agrees,
        },
};

static void node_set_observed(struct cluster *c, struct node *n, enum node_observed seen,
                usec_t now) {
        n->observed_at = now;
        if (n->bmc_power != (unsigned)seen)
                note_node(c, FACT_NODE_RECORD, n);
        n->bmc_power = (unsigned)seen;
}

void audit_read_back(struct cluster *c, struct node *n, enum node_observed seen, usec_t now) {
        assert(seen > OBSERVED_NOTHING && seen < OBSERVED_MAX);

        node_set_observed(c, n, seen, now);
        if (seen == OBSERVED_OFF &&
                        (n->power == NODE_POWERING_DOWN || n->power == NODE_POWERED_DOWN))
                (void)reading_confirms_off(c, n, now);
}

enum audit_result node_observed(struct cluster *c, struct node *n, enum node_observed seen,
                usec_t asked, usec_t now) {
        assert(seen > OBSERVED_NOTHING && seen < OBSERVED_MAX);
        assert(verdicts[n->power][seen]);

        /* A message since the question is no change of power; a boot since the question is a
           change. */
        bool came_up = MAX(n->boot_time, n->start_time) > asked;
        if (n->power_request > asked || (seen == OBSERVED_OFF && came_up))
                return AUDIT_CHANGING;
        node_set_observed(c, n, seen, now);
        return verdicts[n->power][seen](c, n, now);
}

/* ---- a slumberd that must answer ---- */

void audit_due(struct cluster *c, struct node *n, usec_t now) {
        lose_power(c, n, now);
}

void audit_lost(struct cluster *c, struct node *n, usec_t now) {
        if (n->answer_due) {
                lose_power(c, n, now);
                return;
        }
        if (n->base != NODE_IDLE || n->flags & NODE_REBOOT_ISSUED ||
                        (n->looked_at && now < n->looked_at + AUDIT_LOOK_PAUSE))
                return;
        n->looked_at = now;
        effects_add(&c->effects, FX_LOOK)->node = n;
}

void audit_forget(struct cluster *c, struct node *n, enum node_event event, usec_t now) {
        bool off = event == NODE_SUSPENDED, up = event == NODE_REGISTERED;

        n->off_read_at = n->answer_due = 0;
        n->audit_strikes = 0;
        if (!n->reason)
                return;
        if ((off && streq(n->reason, by_hand_text)) || (up && streq(n->reason, stuck_text)))
                node_set_reason(c, n, NULL, 0, now);
}
