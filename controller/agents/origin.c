/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/agents/origin.h"

#include "lib/abilities.h"
#include "lib/conn/conn.h"

#include <strings.h>

static bool has_address(const struct controller *ctl, const struct node *n, const char *address) {
        const struct peer *p = ctl->agents[n->index];

        return p && p->conn && p->can & CAN_TELL_ORIGIN &&
               (streq(strempty(peer_slumberd_host(n, p)), address) ||
                               streq(strempty(conn_peer_address(p->conn)), address));
}

/* A host may have several nodes, each of which knows all processes of the host. */
static const struct node *origin_find_node(const struct controller *ctl, const struct node *asks,
                const Slumber__Origin *m) {
        static const char mapped[] = "::ffff:"; /* an IPv4 address on an IPv6 socket */
        bool is_mapped = strncasecmp(m->from, mapped, strlen(mapped)) == 0 && strchr(m->from, '.');
        const char *from = is_mapped ? m->from + strlen(mapped) : m->from;

        for (size_t i = 0; i < asks->n_jobs; i++) {
                const struct job *j = asks->jobs[i];

                for (size_t k = 0; j->uid == m->uid && k < j->placed.n_alloc; k++) {
                        const struct node *n = j->placed.alloc[k].node;
                        if (n != asks && has_address(ctl, n, from))
                                return n;
                }
        }
        return NULL;
}

void origin_asked(struct controller *ctl, struct peer *p, const Envelope *env) {
        Slumber__Origin m = *env->origin;
        const struct node *to = m.answer ? cluster_node(ctl->cluster, m.node)
                                         : origin_find_node(ctl, p->node, &m);

        if (!m.answer)
                m.node = p->node->name;
        if (!m.answer && !to) {
                m.answer = true;
                m.job = 0;
                to = p->node;
        }
        ENVELOPE(copy, ORIGIN, origin, &m);
        if (to)
                (void)agent_send(ctl, to, &copy);
}
