/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's part of helpers.conf, as sent to slumberd, and whether slumberd has run the helpers. */
#include "controller/agents/agent_config.h"
#include "controller/loop/controller.h"

void agent_helpers_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m) {
        const struct helpers *h = c->config->helpers;

        m->helpers = h ? xnew(Slumber__NodeHelper *, h->n) : NULL;
        for (size_t i = 0; h && i < h->n; i++) {
                if (h->list[i].nodes && !hostlist_has(h->list[i].nodes, n->name))
                        continue;
                Slumber__NodeHelper *to = m->helpers[m->n_helpers++] = xnew(Slumber__NodeHelper, 1);
                slumber__node_helper__init(to);
                to->feature = h->list[i].feature; /* the texts belong to the configuration */
                to->program = h->list[i].program;
        }
        m->helper_time = h ? h->exec_time : 0;
}

void agent_helpers_done(Slumber__AgentConfig *m) {
        for (size_t i = 0; i < m->n_helpers; i++)
                free(m->helpers[i]);
        free(TAKE(m->helpers));
        m->n_helpers = 0;
}

bool agent_helpers_run(const struct cluster *c, const struct node *n, const Slumber__Register *m) {
        Slumber__AgentConfig wanted = SLUMBER__AGENT_CONFIG__INIT;

        agent_helpers_fill(c, n, &wanted);
        bool same = m->n_helpers_run == wanted.n_helpers;
        for (size_t i = 0; same && i < wanted.n_helpers; i++)
                same = streq(m->helpers_run[i]->feature, wanted.helpers[i]->feature) &&
                       streq(m->helpers_run[i]->program, wanted.helpers[i]->program);
        agent_helpers_done(&wanted);
        return same;
}
