/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests about the cluster's controllers: scontrol ping and scontrol takeover. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/jobs/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/wall_clock.h"
#include "controller/programs/gather.h"
#include "controller/requests/handlers.h"
#include "controller/store/lease.h"
#include "lib/log.h"

#define TAKEOVER_PAUSE (50 * USEC_PER_MSEC) /* for the answer to leave */

/* Fills a row for each SlurmctldHost line; returns their number, 0 without backups. */
static size_t states_fill(const struct controller *ctl, Slumber__ControllerState *states,
                Slumber__ControllerState **list) {
        const struct config *config = ctl->cluster->config;
        size_t n = ctl->lease ? config->n_controllers : 0;
        uint64_t up = 0;

        if (ctl->lease)
                lease_backups(ctl->lease, &up);
        for (size_t i = 0; i < n; i++) {
                list[i] = &states[i];
                slumber__controller_state__init(list[i]);
                list[i]->host = config->controllers[i].host;
                list[i]->up = config->controller_host == config->controllers[i].host ||
                              (i < 64 && up >> i & 1);
        }
        return n;
}

void handle_ping(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        size_t most = ctl->cluster->config->n_controllers;
        _cleanup_free_ Slumber__ControllerState *states = xnew0(Slumber__ControllerState, most);
        _cleanup_free_ Slumber__ControllerState **list = xnew0(Slumber__ControllerState *, most);
        Slumber__PingReply m = SLUMBER__PING_REPLY__INIT;
        struct job *held = env->ping->job_id ? cluster_job(ctl->cluster, env->ping->job_id) : NULL;

        if (held && held->uid == caller->uid)
                job_holder_answered(held);
        if (env->ping->job_id)
                return;
        m.host = ctl->host;
        m.version = (char *)(uintptr_t)SLUMBER_VERSION;
        m.now = controller_now(ctl);
        m.cluster = ctl->cluster->config->cluster_name;
        m.n_controllers = states_fill(ctl, states, list);
        m.controllers = list;
        ENVELOPE(reply, PING_REPLY, ping_reply, &m);
        reply_now(&caller->from, &reply);
}

static int takeover_on_answered(sd_event_source *s, uint64_t usec, void *user) {
        struct controller *ctl = user;

        (void)s, (void)usec;
        if (ctl->stopping)
                return 0;
        gather_flush(ctl);
        ctl->hands_over = true;
        return sd_event_exit(ctl->event, 0);
}

static bool takeover_is_possible(struct controller *ctl, const struct caller *caller,
                uint32_t position) {
        const struct config *config = ctl->cluster->config;
        _cleanup_free_ char *text = NULL;
        uint64_t up = 0;

        if (ctl->lease)
                lease_backups(ctl->lease, &up);
        if (!ctl->lease)
                text = xstrdup("there is no backup controller that could take over");
        else if (position >= MIN(config->n_controllers, (size_t)64))
                text = xasprintf("invalid backup controller index (%u)", position);
        else if (config->controllers[position].host == config->controller_host)
                text = xasprintf("%s is the primary already", config->controller_host);
        else if (!(up >> position & 1))
                text = xasprintf("%s does not wait as a backup controller",
                                config->controllers[position].host);
        if (text)
                reply_result(ctl, &caller->from, SLUMBER_FAILED, text);
        return !text;
}

/* Programs that run go on: the successor finds their outcome. */
void handle_takeover(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct config *config = ctl->cluster->config;
        uint32_t position = env->takeover->position;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        struct fail fail = { 0 };

        if (!takeover_is_possible(ctl, caller, position))
                return;
        int r = lease_reserve(ctl->lease, position, &fail);
        if (r >= 0)
                r = sd_event_add_time_relative(ctl->event, NULL, CLOCK_BOOTTIME, TAKEOVER_PAUSE, 1,
                                takeover_on_answered, ctl);
        if (r < 0) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                *fail.text ? fail.text : strerror(-r));
                return;
        }
        log_info("%s hands over to %s, as uid %u asks", config->controller_host,
                        config->controllers[position].host, (unsigned)caller->uid);
        ENVELOPE(reply, OK, ok, &ok);
        reply_now(&caller->from, &reply);
}
