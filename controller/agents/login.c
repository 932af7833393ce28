/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/agents/login.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/store/lease.h"
#include "lib/log.h"
#include "lib/timer.h"

/* A login host silent for ASK is asked, and dropped after ASKED questions without an answer: TCP
   would keep the resources of the host's commands for a long time when the host loses power.  A
   controller that was stopped has asked no more often than the controller ran. */
#define ASK   (5 * USEC_PER_SEC)
#define ASKED 4u

/* Fills the settings for the daemon and its commands; the texts belong to the configuration. */
static void login_fill_config(const struct controller *ctl, Slumber__AgentConfig *c) {
        const struct config *config = ctl->cluster->config;
        const struct {
                char **to, *value;
        } texts[] = {
                { &c->cluster_name, config->cluster_name },
                { &c->plugin_dir, config->plugin_dir },
                { &c->plugstack, config->plugstack_path },
                { &c->cli_filter, config->filter },
                { &c->controller_host, ctl->host },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = texts[i].value;
        c->slurmd_timeout = config->slurmd_timeout;
        c->heartbeat = config->site.heartbeat;
}

static void login_answer(struct controller *ctl, struct peer *p, uint64_t id, const char *refusal) {
        Slumber__RegisterReply m = SLUMBER__REGISTER_REPLY__INIT;
        Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        if (refusal) {
                error.code = SLUMBER_BAD_NODE_NAME;
                error.text = (char *)(uintptr_t)refusal;
                m.error = &error;
        } else {
                login_fill_config(ctl, &c);
                m.config = &c;
                m.now = controller_now(ctl);
                m.lease = ctl->lease ? lease_number() : 0;
        }
        ENVELOPE(env, REGISTER_REPLY, register_reply, &m);
        reply_now(&(struct address){ p, 0, id }, &env);
}

static void drop_silent(struct controller *ctl, struct peer *p, usec_t now) {
        log_warning(0, "The login host at %s has been silent for %llu s: its connection is closed",
                        conn_peer_address(p->conn),
                        (unsigned long long)((now - p->heard) / USEC_PER_SEC));
        peer_drop(ctl, p);
}

static int on_ask(sd_event_source *source, uint64_t t, void *user) {
        struct controller *ctl = user;
        usec_t now = now_monotonic();
        bool any = false;

        (void)t;
        /* backwards: the last peer replaces a dropped peer */
        for (size_t i = ctl->n_peers; i-- > 0;) {
                struct peer *p = ctl->peers[i];
                if (!p->login || !p->conn)
                        continue;
                any = true;
                if (now - p->heard < ASK)
                        p->unanswered = 0;
                else if (p->unanswered++ < ASKED)
                        (void)agent_ask(p);
                else
                        drop_silent(ctl, p, now);
        }
        if (any)
                timer_arm(source, ASK);
        return 0;
}

static int begin_to_ask(struct controller *ctl) {
        int r = 0;

        if (!ctl->login_ask)
                r = timer_new(ctl->event, USEC_PER_SEC, on_ask, ctl, &ctl->login_ask);
        if (r >= 0 && !timer_is_armed(ctl->login_ask))
                timer_arm(ctl->login_ask, ASK);
        return r;
}

void login_done(struct controller *ctl) {
        ctl->login_ask = sd_event_source_disable_unref(ctl->login_ask);
}

void login_register(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        struct fail fail = { 0 };

        if (p->node || m->protocol > WIRE_VERSION || config_node_name_check(m->node, &fail) < 0) {
                log_warning_folded("Registration of a login host from %s refused: %s",
                                conn_peer_address(p->conn),
                                *fail.text ? fail.text : "it is malformed");
                login_answer(ctl, p, env->id,
                                *fail.text ? fail.text : "the registration is malformed");
                return;
        }
        p->login = true;
        p->instance = m->instance;
        p->listens = m->listens <= UINT16_MAX ? (uint16_t)m->listens : 0;
        p->can = m->can;
        int r = begin_to_ask(ctl);
        if (r < 0)
                log_warning(r, "Silence of login hosts is not noticed: cannot make a timer: %m");
        log_info("Login host %s (%s) is connected", m->node, conn_peer_address(p->conn));
        login_answer(ctl, p, env->id, NULL);
}

void login_configs_send(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_peers; i++) {
                Slumber__AgentConfig c = SLUMBER__AGENT_CONFIG__INIT;
                if (!ctl->peers[i]->login || !ctl->peers[i]->conn)
                        continue;
                login_fill_config(ctl, &c);
                ENVELOPE(env, AGENT_CONFIG, agent_config, &c);
                (void)conn_send(ctl->peers[i]->conn, &env);
        }
}

void login_heard(struct controller *ctl, struct peer *p) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;

        beat.now = controller_now(ctl);
        ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
        (void)conn_send(p->conn, &env);
}
