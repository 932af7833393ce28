/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates by administrators: nodes, their power, partitions, power saving, the log; reconfiguration
 * and shutdown. controller/updates/ has the rules. */
#include "controller/agents/dynamic.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/indexes/node_deadline.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/programs/running.h"
#include "controller/requests/handlers.h"
#include "controller/requests/settings.h"
#include "controller/updates/exclude_update.h"
#include "controller/updates/node_update.h"
#include "controller/updates/partition_update.h"
#include "lib/log.h"

#include <systemd/sd-daemon.h>

#define ABORT_PAUSE (100 * USEC_PER_MSEC) /* for the answer to leave */

/* ---- nodes ---- */

/* Returns the message's text; NULL if absent. */
static const char *update_text(const Slumber__Text *t) {
        return t ? t->value : NULL;
}

static struct node_update node_update_of(const Slumber__NodeUpdate *m) {
        struct node_update u = {
                .state = m->state,
                .reason = update_text(m->reason),
                .comment = update_text(m->comment),
                .extra = update_text(m->extra),
                .features = update_text(m->features),
                .active_features = update_text(m->active_features),
                .topology = update_text(m->topology),
                .lists = {
                        [NODE_LIST_ADDRESSES] = update_text(m->addresses),
                        [NODE_LIST_HOSTNAMES] = update_text(m->hostnames),
                        [NODE_LIST_IDS] = update_text(m->instance_ids),
                        [NODE_LIST_TYPES] = update_text(m->instance_types),
                },
                .new_weight = m->weight,
                .new_resume_after = m->resume_after,
        };

        if (m->weight)
                u.weight = (uint32_t)m->weight->value;
        if (m->resume_after)
                u.resume_after = m->resume_after->value == NO_LIMIT
                                                 ? NO_LIMIT
                                                 : MIN(m->resume_after->value,
                                                                   (uint64_t)UINT32_MAX) *
                                                                   USEC_PER_SEC;
        return u;
}

void handle_node_update(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__NodeUpdate *m = env->node_update;
        struct fail fail = { 0 };

        if (*m->create || m->remove) {
                dynamic_request(ctl, caller, *m->create, *m->create ? m->create : m->nodes);
                return;
        }
        const struct node_update u = node_update_of(m);
        enum slumber_error e = nodes_update(ctl->cluster, m->nodes, &u, caller->uid,
                        controller_now(ctl), &fail);
        controller_changed(ctl);
        if (e == SLUMBER_OK)
                log_info("Nodes %s updated by uid %u%s%s", m->nodes, (unsigned)caller->uid,
                                *m->state ? ": " : "", m->state);
        reply_result(ctl, &caller->from, e, fail.text);
}

void handle_power(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__PowerRequest *m = env->power;
        const struct node_update u = {
                .state = m->up      ? m->force ? "POWER_UP_FORCE" : "POWER_UP"
                         : m->force ? "POWER_DOWN_FORCE"
                         : m->asap  ? "POWER_DOWN_ASAP"
                                    : "POWER_DOWN",
                .reason = *m->reason ? m->reason : NULL,
                .action = *m->action ? m->action : NULL,
        };
        struct fail fail = { 0 };
        enum slumber_error e;

        if (m->up && (m->asap || *m->reason)) {
                e = SLUMBER_NOT_SUPPORTED;
                fail_set(&fail, 0, "power up takes neither asap nor a reason");
        } else {
                e = nodes_update(ctl->cluster, m->nodes, &u, caller->uid, controller_now(ctl),
                                &fail);
                controller_changed(ctl);
        }
        reply_result(ctl, &caller->from, e, fail.text);
}

void handle_reboot(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__RebootRequest *m = env->reboot;
        const struct reboot_wish w = {
                m->asap,
                m->force,
                (enum node_next)m->next,
                update_text(m->reason),
                *m->action ? m->action : NULL,
                caller->uid,
        };
        _cleanup_free_ char *skipped = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_PROTOCOL;

        if (m->next < NODE_NEXT_MAX) {
                e = nodes_reboot(ctl->cluster, m->nodes, &w, controller_now(ctl), &skipped, &fail);
                controller_changed(ctl);
        }
        if (e == SLUMBER_OK || skipped)
                log_info("Reboot of %s wanted by uid %u", m->nodes, (unsigned)caller->uid);
        reply_result(ctl, &caller->from, e, skipped ? skipped : fail.text);
}

/* ---- partitions ---- */

void handle_partition_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__PartitionUpdate *m = env->partition_update;
        _cleanup_free_ struct update_setting *settings = settings_of(m->settings, m->n_settings);
        usec_t now = controller_now(ctl);
        struct fail fail = { 0 };
        enum slumber_error e = m->remove && (m->create || m->n_settings)
                                               ? SLUMBER_PROTOCOL /* no such command */
                               : m->remove ? partition_delete(ctl->cluster, m->name, now, &fail)
                               : m->create ? partition_create(ctl->cluster, m->name, settings,
                                                             m->n_settings, now, &fail)
                                           : partition_update(ctl->cluster, m->name, settings,
                                                             m->n_settings, now, &fail);

        if (e == SLUMBER_OK) {
                if (m->create || m->remove)
                        log_info("Partition %s %s by uid %u", m->name,
                                        m->create ? "created" : "deleted", (unsigned)caller->uid);
                controller_changed(ctl);
        }
        reply_result(ctl, &caller->from, e, fail.text);
}

/* ---- power saving ---- */

void handle_config_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__ConfigUpdate *m = env->config_update;
        _cleanup_free_ struct update_setting *settings = settings_of(m->settings, m->n_settings);
        struct fail fail = { 0 };
        unsigned kinds;
        enum slumber_error e = exclusions_update_all(ctl->cluster, settings, m->n_settings,
                        controller_now(ctl), &kinds, &fail);

        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                if (kinds & 1u << k)
                        log_info("%s is %s now, by uid %u", exclude_kind_text(k),
                                        strna(ctl->cluster->exclusions.text[k]),
                                        (unsigned)caller->uid);
        controller_changed(ctl);
        reply_result(ctl, &caller->from, e, fail.text);
}

/* ---- the log ---- */

static int debug_flag_change(const char *text, unsigned *flags, struct fail *fail) {
        _cleanup_free_ char *unused = NULL;
        unsigned changed;
        int r;

        if (*text != '+' && *text != '-')
                return fail_set(fail, -EINVAL, "setdebugflags takes +FLAG or -FLAG, not \"%.100s\"",
                                text);
        r = debug_flags_parse(text + 1, &changed, &unused, fail);
        if (r >= 0 && unused)
                r = fail_set(fail, -EOPNOTSUPP,
                                "debug flag %.200s is not implemented by Slumber yet", unused);
        if (r >= 0)
                *flags = *text == '+' ? *flags | changed : *flags & ~changed;
        return r;
}

static void set_dampening(struct controller *ctl, uint32_t factor) {
        struct config *config = ctl->cluster->config;
        char text[16];

        snprintf(text, sizeof text, "%u", factor);
        config->priority.dampening = factor;
        config_put_setting(config, "FairShareDampeningFactor", text);
        log_info("FairShareDampeningFactor is %u until the next start or reconfiguration", factor);
}

void handle_debug(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__DebugRequest *m = env->debug;
        unsigned flags = ctl->cluster->debug;
        struct fail fail = { 0 };
        int r = 0, level = *m->level ? log_level_parse(m->level) : log_level();

        for (size_t i = 0; i < m->n_flags && r >= 0; i++)
                r = debug_flag_change(m->flags[i], &flags, &fail);
        if (r >= 0 && level < 0)
                r = fail_set(&fail, level, "there is no log level \"%.100s\"", m->level);
        if (r >= 0 && m->dampening_factor > UINT16_MAX)
                r = fail_set(&fail, -ERANGE, "FairShareDampeningFactor is more than %u",
                                UINT16_MAX);
        if (r < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_UPDATE, fail.text);
                return;
        }
        bool more = flags & ~ctl->cluster->debug;
        ctl->cluster->debug = flags;
        for (size_t k = 0; more && k < ctl->cluster->n_nodes; k++) /* there is more to log now */
                node_rearm(ctl->cluster, ctl->cluster->nodes[k], controller_now(ctl));
        if (more)
                controller_changed(ctl);
        ctl->usual_log_level = ctl->usual_log_level ? ctl->usual_log_level : log_level();
        log_set_level(level);
        if (m->dampening_factor)
                set_dampening(ctl, m->dampening_factor);
        _cleanup_free_ char *text = debug_flags_text(flags);
        log_info("The log's level is %s, DebugFlags are %s, by uid %u",
                        *m->level ? m->level : "as it was", text ? text : "none",
                        (unsigned)caller->uid);
        reply_result(ctl, &caller->from, SLUMBER_OK, NULL);
}

/* ---- reconfigure ---- */

void handle_reconfigure(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        controller_want_reconfigure(ctl, &caller->from);
}

/* ---- shutdown ---- */

/* The shutdown changes no state, so the answer leaves at once, before a relaying slumberd stops. */
static int on_abort(sd_event_source *s, uint64_t usec, void *user) {
        abort();
}

void handle_shutdown(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__AgentStop stop = SLUMBER__AGENT_STOP__INIT;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        bool agents = env->shutdown->agents;

        if (env->shutdown->abort) {
                log_info("Aborting, as uid %u asks", (unsigned)caller->uid);
                ENVELOPE(done, OK, ok, &ok);
                reply_now(&caller->from, &done);
                int r = sd_event_add_time_relative(ctl->event, NULL, CLOCK_BOOTTIME, ABORT_PAUSE, 1,
                                on_abort, NULL);
                if (r < 0) { /* the answer may not be relayed without the pause */
                        log_error(r, "Aborting at once: there is no timer: %m");
                        abort();
                }
                return;
        }
        log_info("Stopping%s, as uid %u asks", agents ? " with all agents" : "",
                        (unsigned)caller->uid);
        ENVELOPE(reply, OK, ok, &ok);
        reply_now(&caller->from, &reply);
        for (size_t i = 0; i < ctl->cluster->n_nodes && agents; i++) {
                ENVELOPE(order, AGENT_STOP, agent_stop, &stop);
                (void)agent_send(ctl, ctl->cluster->nodes[i], &order);
        }
        programs_wait(ctl);
}
