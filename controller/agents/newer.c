/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/agents/newer.h"

#include "controller/agents/agents.h"
#include "controller/records/identity.h"

#include "lib/log.h"

#include <inttypes.h>

/* Disconnects all slumberds: reports would be misattributed to jobs of this state.  Nodes keep
   their states; no slumberd counts as lost. */
static void agents_disconnect_all(struct controller *ctl, struct peer *p) {
        p->node = NULL;
        for (size_t i = 0; i < ctl->cluster->n_nodes; i++) {
                struct peer *other = ctl->agents[i];

                ctl->agents[i] = NULL;
                if (!other || other == p)
                        continue;
                other->node = NULL;
                peer_drop(ctl, other);
        }
}

static void newer_state_stop(struct controller *ctl, struct peer *p, const char *node,
                const struct state_seen *seen) {
        struct identity *id = ctl->identity;
        bool again = id->newer.node;

        identity_stop(id, node, seen);
        controller_changed(ctl); /* the halt is stored */
        if (again)
                return;
        _cleanup_free_ char *text = identity_text(id, ctl->cluster);
        log_error(0, "Nothing is scheduled any more: %s", text);
        agents_disconnect_all(ctl, p);
}

static void newer_state_accept(struct controller *ctl, const char *node,
                const struct state_seen *seen) {
        identity_accept(ctl->identity, ctl->cluster, seen);
        log_warning(0,
                        "--accept-state: node %s knows generation %" PRIu64
                        " of the state and JobId=%u; the next job has JobId=%u",
                        node, seen->generation, (uint32_t)seen->given, ctl->cluster->next_job_id);
        controller_changed(ctl);
}

bool newer_refuses(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        struct state_seen seen = { 0 };
        struct fail fail = { 0 };
        const char *node = config_node_name_check(m->node, &fail) >= 0 ? m->node : "(unknown)";

        if (m->seen)
                seen = (struct state_seen){ m->seen->state, m->seen->generation, m->seen->start,
                        m->seen->given, m->seen->proof };
        if (seen.state && seen.state == ctl->identity->now.state &&
                        !identity_has_told(ctl->identity, &seen))
                log_warning_folded("Node %s says what it knows of the state without a proof: that "
                                   "counts as nothing",
                                node);
        if (identity_is_older(ctl->identity, ctl->cluster, &seen)) {
                if (ctl->identity->accepts)
                        newer_state_accept(ctl, node, &seen);
                else
                        newer_state_stop(ctl, p, node, &seen);
        }
        if (!ctl->identity->newer.node)
                return false;
        _cleanup_free_ char *text = identity_text(ctl->identity, ctl->cluster);
        agent_answer(ctl, &(struct address){ p, 0, env->id }, NULL, SLUMBER_FAILED, text);
        return true;
}
