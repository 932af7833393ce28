/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberd --login: the daemon of a host without node. Nothing is registered for scheduling and
 * no job runs here; commands of the host reach the controller through slumberd, which also has
 * the streams of the commands' steps. */
#include "agent/login.h"
#include "agent/peers/peers.h"
#include "agent/state/agent.h"
#include "agent/users/relay.h"
#include "lib/abilities.h"

void login_register(struct agent *a) {
        Slumber__Register m = SLUMBER__REGISTER__INIT;

        m.node = a->node;
        m.version = (char *)(uintptr_t)SLURM_VERSION;
        m.protocol = WIRE_VERSION;
        m.now = now_realtime();
        m.instance = a->instance;
        m.listens = peers_port(a->peers);
        m.can = CAN_STREAMS | CAN_VISIT_HOMES | CAN_ATTACH_AT_HOMES;
        m.login = true;
        ENVELOPE(env, REGISTER_NODE, register_node, &m);
        env.id = 1;
        (void)conn_send(a->controller, &env);
        a->registering = true;
}

void login_apply_config(struct agent *a, const Slumber__AgentConfig *c) {
        /* 0: no limit */
        a->slurmd_timeout = c->slurmd_timeout ? c->slurmd_timeout : USEC_INFINITY;
        a->heartbeat = c->heartbeat ? c->heartbeat : MIN(a->slurmd_timeout / 3, HEARTBEAT_LAST);
        free_and_strdup(&a->cluster_name, c->cluster_name);
        free_and_strdup(&a->plugin_dir, c->plugin_dir);
        free_and_strdup(&a->plugstack, c->plugstack);
        free_and_strdup(&a->cli_filter, c->cli_filter);
        relay_publish_plugins(a);
}

void login_beat(struct agent *a) {
        Slumber__Heartbeat beat = SLUMBER__HEARTBEAT__INIT;

        ENVELOPE(env, HEARTBEAT, heartbeat, &beat);
        upstream_send(a, &env);
}

int login_check(const struct agent_options *o, struct fail *fail) {
        const struct {
                bool given;
                const char *option;
        } others[] = {
                { o->dynamic, "-Z" },
                { o->future, "-F" },
                { o->conf_line, "--conf" },
                { o->boot_now, "-b" },
                { o->forget, "-c" },
                { o->stepd, "--stepd" },
                { o->instance_id, "--instance-id" },
                { o->instance_type, "--instance-type" },
                { o->extra, "--extra" },
        };

        for (size_t i = 0; o->login && i < ELEMENTSOF(others); i++)
                if (others[i].given)
                        return fail_set(fail, -EINVAL,
                                        "--login and %s: a login host is no node, and has no jobs",
                                        others[i].option);
        return 0;
}
