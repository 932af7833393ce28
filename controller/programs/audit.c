/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power audit: every audit_interval all BMCs are read and the readings are passed to
 * nodes/audit.h; likewise the BMC of a node without a connected slumberd, and BMCs named by
 * "scontrol power audit".
 *
 * A BMC that has not answered by the deadline of a round is asked again with a longer deadline, in
 * a round for slow BMCs, so that a slow BMC delays no other BMC.
 *
 * A round is a set of nodes worked off in slices, with one child at a time.  The slices of a
 * regular round are spread over half of the interval, so that thousands of BMCs cause no burst on
 * their network; other rounds run at once.  Nodes are kept by index only until the configuration is
 * read again, which ends all rounds. */
#include "controller/programs/audit.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/node_events.h"
#include "controller/orders/clock.h"
#include "controller/programs/power_file.h"
#include "controller/programs/power_status.h"
#include "lib/log.h"

#include <limits.h>

#define SLICE      256
#define MANUAL_MAX 4 /* simultaneous "scontrol power audit" */
/* long enough to read a lost rack in one round, and for a restarted slumberd to reconnect */
#define LOOK_DELAY (300 * USEC_PER_MSEC)
#define FIRST_MAX  (60 * USEC_PER_SEC) /* maximum delay of the first audit after the start */

enum round_kind {
        ROUND_REGULAR,
        ROUND_LOOK,
        ROUND_MANUAL,
        ROUND_WATTS, /* power consumption of nodes that are on */
        ROUND_SLOW,  /* BMCs that had not answered in time */
        ROUND_KIND_MAX,
};

struct round {
        struct controller *ctl;
        enum round_kind kind;
        struct bitset *todo;
        size_t slices;
        usec_t asked; /* time of this slice, by the cluster's clock */
        struct power_status *child;
        sd_event_source *pause;
        struct address to; /* reply address of ROUND_MANUAL */
        Slumber__AuditReply reply;
        size_t a_differences;
};

struct audit {
        struct controller *ctl;
        char *program;
        sd_event_source *timer, *look_timer, *watts_timer;
        struct bitset *look; /* nodes to be read soon */
        struct bitset *slow; /* nodes to be read in a ROUND_SLOW */
        struct round **rounds;
        size_t n_rounds, a_rounds;
};

/* ---- differences for the reply ---- */

static void add_difference(struct round *round, const char *node, const char *state,
                const char *observed, const char *text) {
        Slumber__AuditDifference *d = xnew(Slumber__AuditDifference, 1);

        slumber__audit_difference__init(d);
        d->node = xstrdup(node);
        d->state = xstrdup(state);
        d->observed = xstrdup(observed);
        d->text = xstrdup(text);
        GROW(round->reply.differences, round->a_differences, round->reply.n_differences);
        round->reply.differences[round->reply.n_differences++] = d;
}

static void free_differences(Slumber__AuditReply *reply) {
        for (size_t i = 0; i < reply->n_differences; i++) {
                free(reply->differences[i]->node);
                free(reply->differences[i]->state);
                free(reply->differences[i]->observed);
                free(reply->differences[i]->text);
                free(reply->differences[i]);
        }
        free(reply->differences);
}

/* ---- rounds ---- */

static struct round *find_round(const struct audit *a, enum round_kind kind) {
        for (size_t i = 0; i < a->n_rounds; i++)
                if (a->rounds[i]->kind == kind)
                        return a->rounds[i];
        return NULL;
}

static void audit_round_free(struct round *round) {
        struct audit *a = round->ctl->audit;

        for (size_t i = 0; i < a->n_rounds; i++)
                if (a->rounds[i] == round)
                        a->rounds[i] = a->rounds[--a->n_rounds];
        power_status_free(round->child);
        sd_event_source_disable_unref(round->pause);
        address_done(&round->to);
        bitset_free(round->todo);
        free_differences(&round->reply);
        free(round);
}

static void audit_arm_event(sd_event_source *timer, usec_t after) {
        (void)sd_event_source_set_time_relative(timer, after);
        (void)sd_event_source_set_enabled(timer, SD_EVENT_ONESHOT);
}

static void audit_arm_timer(struct audit *a, usec_t after) {
        audit_arm_event(a->timer, after);
}

static void round_end(struct round *round) {
        struct controller *ctl = round->ctl;
        usec_t interval = ctl->cluster->config->site.audit_interval,
               watts = ctl->cluster->config->site.watts_interval;

        if (round->kind == ROUND_WATTS && watts != USEC_INFINITY)
                audit_arm_event(ctl->audit->watts_timer, watts);
        if (round->kind == ROUND_REGULAR && interval != USEC_INFINITY)
                audit_arm_timer(ctl->audit, interval);
        if (round->kind == ROUND_MANUAL) {
                ENVELOPE(env, AUDIT_REPLY, audit_reply, &round->reply);
                reply_durable(ctl, &round->to, &env);
        }
        audit_round_free(round);
}

/* Takes ownership of nodes. */
static struct round *round_new(struct controller *ctl, enum round_kind kind, struct bitset *nodes) {
        struct audit *a = ctl->audit;
        struct round *round = xnew0(struct round, 1);

        round->ctl = ctl;
        round->kind = kind;
        round->todo = nodes;
        round->slices = (bitset_count(nodes) + SLICE - 1) / SLICE;
        slumber__audit_reply__init(&round->reply);
        GROW(a->rounds, a->a_rounds, a->n_rounds);
        a->rounds[a->n_rounds++] = round;
        return round;
}

static void round_go_on(struct round *round);

static int on_pause_over(sd_event_source *source, uint64_t usec, void *user) {
        struct round *round = user;

        (void)source, (void)usec;
        round->pause = sd_event_source_disable_unref(round->pause);
        round_go_on(round);
        return 0;
}

/* Starts the next slice, at once or after a pause. */
static void round_next(struct round *round) {
        struct controller *ctl = round->ctl;
        bool regular = round->kind == ROUND_REGULAR || round->kind == ROUND_WATTS;
        usec_t interval = round->kind == ROUND_WATTS ? ctl->cluster->config->site.watts_interval
                                                     : ctl->cluster->config->site.audit_interval;
        usec_t spread = interval / 2 / MAX((size_t)1, round->slices);

        if (!regular || bitset_empty(round->todo) ||
                        sd_event_add_time_relative(ctl->event, &round->pause, CLOCK_BOOTTIME,
                                        spread, USEC_PER_SEC / 10, on_pause_over, round) < 0)
                round_go_on(round);
}

/* Reports a wrong BMC: a power request for n would switch another node. */
static void note_wrong_bmc(struct round *round, const struct node *n, const char *state,
                enum node_observed seen, const char *wrong) {
        log_fields(LOG_WARNING, 0, 0, n->name, "Node %s has the wrong BMC in power.yaml: %s",
                        n->name, wrong);
        add_difference(round, n->name, state, node_observed_text((int)seen), wrong);
}

static void round_take_reading(struct round *round, const struct power_reading *reading) {
        struct controller *ctl = round->ctl;
        struct node *n = cluster_node(ctl->cluster, reading->node);

        if (!n)
                return;
        if (round->kind == ROUND_WATTS) {
                /* unless the node is being switched */
                if (reading->watts >= 0 && n->power_request <= round->asked)
                        energy_reading(ctl->cluster, n, (uint64_t)(reading->watts * 1000),
                                        controller_now(ctl));
                return;
        }
        if (reading->kind == POWER_READ_NO_BMC) {
                round->reply.unknown++;
                return;
        }
        _cleanup_free_ char *state = node_state_long(n);
        if (reading->silent && (round->kind == ROUND_REGULAR || round->kind == ROUND_LOOK))
                bitset_add(ctl->audit->slow, n->index);
        if (reading->kind == POWER_READ_FAILED) {
                add_difference(round, n->name, state, "unknown", reading->error);
                return;
        }
        enum node_observed seen = reading->kind == POWER_READ_ON ? OBSERVED_ON : OBSERVED_OFF;
        round->reply.read++;
        unsigned before = n->bmc_power;
        if (reading->wrong)
                note_wrong_bmc(round, n, state, seen, reading->wrong);
        enum audit_result result = node_observed(ctl->cluster, n, seen, round->asked,
                        controller_now(ctl));
        if (result == AUDIT_AGREES || result == AUDIT_CHANGING)
                return;
        bool stays = result == AUDIT_LEFT_ALONE || result == AUDIT_ASKED;
        if (!stays || n->bmc_power != before)
                log_fields(LOG_WARNING, 0, 0, n->name, "Node %s is %s and its BMC reads %s: %s",
                                n->name, state, node_observed_text((int)seen),
                                audit_result_text((int)result));
        add_difference(round, n->name, state, node_observed_text((int)seen),
                        audit_result_text((int)result));
}

/* At most one round of slow BMCs runs at a time. */
static void read_slow(struct controller *ctl) {
        struct audit *a = ctl->audit;

        if (bitset_empty(a->slow) || find_round(a, ROUND_SLOW))
                return;
        struct round *round = round_new(ctl, ROUND_SLOW, TAKE(a->slow));
        a->slow = bitset_new(ctl->cluster->n_nodes);
        round_go_on(round);
}

static void on_read(const struct power_reading *list, size_t n, const char *error, void *user) {
        struct round *round = user;

        round->child = NULL;
        if (error)
                log_warning(0, "BMCs cannot be read: %s", error);
        if (error && round->kind == ROUND_MANUAL) {
                reply_result(round->ctl, &round->to, SLUMBER_FAILED, error);
                audit_round_free(round);
                return;
        }
        struct controller *ctl = round->ctl;
        for (size_t i = 0; i < n; i++)
                round_take_reading(round, &list[i]);
        controller_changed(ctl);
        round_next(round);
        read_slow(ctl);
}

static char *take_slice(struct round *round) {
        _cleanup_(bitset_freep) struct bitset *slice = bitset_new(round->ctl->cluster->n_nodes);
        size_t n = 0;

        bitset_for_each(i, round->todo) {
                if (n++ == SLICE)
                        break;
                bitset_add(slice, i);
        }
        bitset_for_each(i, slice)
                bitset_del(round->todo, i);
        return cluster_nodes_text(round->ctl->cluster, slice);
}

static void round_go_on(struct round *round) {
        /* A check reads the BMC's inventory with dozens of requests. */
        static const struct {
                enum power_status_verb verb;
                usec_t deadline;
        } ways[ROUND_KIND_MAX] = {
                [ROUND_REGULAR] = { POWER_STATUS_POWER, 5 * USEC_PER_SEC },
                [ROUND_LOOK] = { POWER_STATUS_POWER, 5 * USEC_PER_SEC },
                [ROUND_MANUAL] = { POWER_STATUS_CHECK, 60 * USEC_PER_SEC },
                [ROUND_WATTS] = { POWER_STATUS_WATTS, 5 * USEC_PER_SEC },
                [ROUND_SLOW] = { POWER_STATUS_POWER, 60 * USEC_PER_SEC },
        };
        struct controller *ctl = round->ctl;
        const struct config *config = ctl->cluster->config;
        struct fail fail = { 0 };

        if (bitset_empty(round->todo)) {
                round_end(round);
                return;
        }
        _cleanup_free_ char *hosts = take_slice(round);
        struct power_status_request req = { ctl->audit->program, config->site.power_file,
                config->path, hosts, ways[round->kind].verb, ways[round->kind].deadline };
        round->asked = controller_now(ctl);
        if (power_status_start(ctl->event, &req, on_read, round, &round->child, &fail) < 0) {
                bitset_clear(round->todo);
                on_read(NULL, 0, fail.text, round);
        }
}

/* ---- starts of rounds ---- */

static bool has_power_file(const struct controller *ctl) {
        return access(ctl->cluster->config->site.power_file, R_OK) == 0;
}

static int audit_on_timer(sd_event_source *source, uint64_t usec, void *user) {
        struct audit *a = user;
        struct controller *ctl = a->ctl;
        struct bitset *all;

        (void)source, (void)usec;
        if (!has_power_file(ctl) || ctl->cluster->n_nodes == 0) {
                audit_arm_timer(a, ctl->cluster->config->site.audit_interval);
                return 0;
        }
        all = bitset_new(ctl->cluster->n_nodes);
        for (size_t i = 0; i < ctl->cluster->n_nodes; i++)
                if (ctl->cluster->nodes[i]->base != NODE_FUTURE)
                        bitset_add(all, i);
        round_go_on(round_new(ctl, ROUND_REGULAR, all));
        return 0;
}

static int on_watts_timer(sd_event_source *source, uint64_t usec, void *user) {
        struct audit *a = user;

        (void)source, (void)usec;
        if (has_power_file(a->ctl) && !find_round(a, ROUND_WATTS))
                round_go_on(round_new(a->ctl, ROUND_WATTS,
                                bitset_copy(a->ctl->cluster->power[NODE_ON])));
        else
                audit_arm_event(a->watts_timer, a->ctl->cluster->config->site.watts_interval);
        return 0;
}

static void arm_look(struct audit *a) {
        if (a->look_timer)
                (void)sd_event_source_set_time_relative(a->look_timer, LOOK_DELAY);
        if (a->look_timer)
                (void)sd_event_source_set_enabled(a->look_timer, SD_EVENT_ONESHOT);
}

/* At most one ROUND_LOOK runs at a time. */
static int audit_on_look(sd_event_source *source, uint64_t usec, void *user) {
        struct audit *a = user;
        struct bitset *lost;

        (void)source, (void)usec;
        if (find_round(a, ROUND_LOOK)) {
                arm_look(a);
                return 0;
        }
        lost = bitset_copy(a->look);
        bitset_clear(a->look);
        bitset_for_each(i, lost)
                if (a->ctl->cluster->nodes[i]->connected)
                        bitset_del(lost, i);
        round_go_on(round_new(a->ctl, ROUND_LOOK, lost));
        return 0;
}

void audit_look(struct controller *ctl, const struct effect *fx) {
        struct audit *a = ctl->audit;

        if (!has_power_file(ctl) || ctl->cluster->config->site.audit_interval == USEC_INFINITY)
                return;
        if (bitset_empty(a->look))
                arm_look(a);
        bitset_add(a->look, fx->node->index);
}

void handle_audit(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const char *nodes = *env->audit->nodes ? env->audit->nodes : "ALL";
        struct bitset *set = NULL;
        struct fail fail = { 0 };
        size_t manual = 0;

        for (size_t i = 0; i < ctl->audit->n_rounds; i++)
                manual += ctl->audit->rounds[i]->kind == ROUND_MANUAL;
        if (!has_power_file(ctl)) {
                fail_set(&fail, 0, "%s: %s", ctl->cluster->config->site.power_file,
                                strerror(errno));
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED, fail.text);
        } else if (manual >= MANUAL_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED, "several audits are under way");
        } else if (cluster_nodes_parse(ctl->cluster, nodes, &set, &fail) < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_NODE_NAME, fail.text);
        } else {
                log_info("Audit of nodes %s wanted by uid %u", nodes, (unsigned)caller->uid);
                struct round *round = round_new(ctl, ROUND_MANUAL, set);
                round->to = address_copy(&caller->from);
                round_go_on(round);
        }
}

/* ---- start and end ---- */

/* Sets the timers of the next regular rounds, counted from now. */
static void audit_plan_rounds(struct audit *a, usec_t at_most) {
        usec_t interval = a->ctl->cluster->config->site.audit_interval;

        if (interval == USEC_INFINITY)
                (void)sd_event_source_set_enabled(a->timer, SD_EVENT_OFF);
        else
                audit_arm_timer(a, MIN(interval, at_most));
        interval = a->ctl->cluster->config->site.watts_interval;
        if (interval == USEC_INFINITY)
                (void)sd_event_source_set_enabled(a->watts_timer, SD_EVENT_OFF);
        else
                audit_arm_event(a->watts_timer, MIN(interval, at_most));
}

static void end_rounds(struct audit *a, const char *why) {
        while (a->n_rounds) {
                struct round *round = a->rounds[a->n_rounds - 1];
                if (round->kind == ROUND_MANUAL && why)
                        reply_result(a->ctl, &round->to, SLUMBER_FAILED, why);
                audit_round_free(round);
        }
}

void audit_clock_set(struct controller *ctl, int64_t by) {
        for (size_t i = 0; i < ctl->audit->n_rounds; i++)
                ctl->audit->rounds[i]->asked = clock_moved(ctl->audit->rounds[i]->asked, by);
}

void audit_reconfigured(struct controller *ctl) {
        struct audit *a = ctl->audit;

        end_rounds(a, "the configuration was read again meanwhile");
        bitset_free(a->look);
        bitset_free(a->slow);
        a->look = bitset_new(ctl->cluster->n_nodes);
        a->slow = bitset_new(ctl->cluster->n_nodes);
        audit_plan_rounds(a, USEC_INFINITY);
}

int audit_new(struct controller *ctl) {
        struct audit *a = ctl->audit = xnew0(struct audit, 1);
        int r;

        a->ctl = ctl;
        a->program = slumber_power_path();
        a->look = bitset_new(ctl->cluster->n_nodes);
        a->slow = bitset_new(ctl->cluster->n_nodes);
        r = sd_event_add_time_relative(ctl->event, &a->timer, CLOCK_BOOTTIME, 0, USEC_PER_SEC / 10,
                        audit_on_timer, a);
        if (r >= 0)
                r = sd_event_add_time_relative(ctl->event, &a->look_timer, CLOCK_BOOTTIME, 0,
                                USEC_PER_SEC / 100, audit_on_look, a);
        if (r >= 0)
                r = sd_event_add_time_relative(ctl->event, &a->watts_timer, CLOCK_BOOTTIME, 0,
                                USEC_PER_SEC / 10, on_watts_timer, a);
        if (r < 0)
                return r;
        (void)sd_event_source_set_enabled(a->look_timer, SD_EVENT_OFF);
        audit_plan_rounds(a, FIRST_MAX);
        return 0;
}

void audit_free(struct controller *ctl) {
        struct audit *a = ctl->audit;

        if (!a)
                return;
        end_rounds(a, NULL);
        sd_event_source_disable_unref(a->timer);
        sd_event_source_disable_unref(a->look_timer);
        sd_event_source_disable_unref(a->watts_timer);
        bitset_free(a->look);
        bitset_free(a->slow);
        free(a->rounds);
        free(a->program);
        free(a);
        ctl->audit = NULL;
}
