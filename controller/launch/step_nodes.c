/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/launch/step_nodes.h"

#include "controller/loop/peers.h"
#include "lib/abilities.h"
#include "lib/addresses.h"
#include "lib/hostlist.h"

char *step_nodes_text(const struct job *j, const struct step *s) {
        _cleanup_free_ const char **names = xnew(const char *, j->placed.n_alloc);
        size_t n = 0;

        bitset_for_each(at, s->nodes)
                names[n++] = j->placed.alloc[at].node->name;
        return hostlist_compress(names, n);
}

char *relay_address(const struct peer *p) {
        if (p->local || !p->conn || (!p->node && !p->login) || !p->listens ||
                        !(p->can & CAN_STREAMS))
                return NULL;
        const char *host = p->node ? peer_slumberd_host(p->node, p) : conn_peer_address(p->conn);
        return isempty(host) ? NULL : xasprintf("%s:%u", host, p->listens);
}

bool step_nodes_have_streams(const struct controller *ctl, const struct job *j,
                const struct step *s, bool *ret_input_of_rank) {
        bool streams = true;

        *ret_input_of_rank = true;
        bitset_for_each(at, s->nodes) {
                const struct peer *p = ctl->agents[j->placed.alloc[at].node->index];
                bool here = p && p->conn;
                streams &= !here || p->can & CAN_STREAMS;
                *ret_input_of_rank &= here && p->can & CAN_INPUT_OF_RANK;
        }
        return streams;
}

struct node **step_nodes_list(const struct controller *ctl, const struct job *j,
                const struct step *s, size_t *ret_n) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct node **nodes = xnew0(struct node *,
                        s->span ? s->span->num_nodes : j->placed.n_alloc);
        size_t n = 0;

        if (s->span && hostlist_parse(s->span->nodes, &names, NULL) >= 0)
                for (size_t i = 0; i < hostlist_count(names); i++)
                        nodes[n++] = cluster_node(ctl->cluster, hostlist_get(names, i));
        if (!s->span)
                bitset_for_each(at, s->nodes)
                        nodes[n++] = j->placed.alloc[at].node;
        *ret_n = n;
        return nodes;
}

char **step_nodes_addresses(const struct controller *ctl, const struct job *j, const struct step *s,
                size_t *ret_n) {
        size_t n;
        _cleanup_free_ struct node **nodes = step_nodes_list(ctl, j, s, &n);
        _cleanup_free_ const char **hosts = xnew0(const char *, n + 1);
        _cleanup_free_ uint16_t *ports = xnew0(uint16_t, n + 1);

        for (size_t i = 0; i < n; i++) {
                const struct peer *p = nodes[i] ? ctl->agents[nodes[i]->index] : NULL;
                if (p && !p->conn)
                        p = NULL;
                hosts[i] = nodes[i] ? peer_slumberd_host(nodes[i], p) : "";
                ports[i] = p          ? p->listens
                           : nodes[i] ? nodes[i]->port /* configured port, used when the node is
                                                          back */
                                      : 0;
        }
        return addresses_rows(hosts, ports, n, ret_n);
}

void step_nodes_addresses_asked(struct controller *ctl, struct peer *p, const Envelope *env) {
        Slumber__StepAddresses m = *env->step_addresses;
        const struct job *j = cluster_job(ctl->cluster, m.job_id);
        const struct step *s = j && job_incarnation(j) == m.restarts ? job_step_find(j, m.step_id)
                                                                     : NULL;
        const struct job_node *jn = s ? job_node_find(j, p->node) : NULL;

        if (!jn || !bitset_has(s->nodes, (size_t)(jn - j->placed.alloc)))
                return; /* late, or no node of the step */
        m.addresses = step_nodes_addresses(ctl, j, s, &m.n_addresses);
        ENVELOPE(answer, STEP_ADDRESSES, step_addresses, &m);
        (void)agent_send(ctl, p->node, &answer);
        texts_free(m.addresses, m.n_addresses);
}
