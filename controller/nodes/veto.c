/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/nodes/veto.h"

#include "controller/indexes/changed.h"

void node_set_veto(struct cluster *c, struct node *n, const char *text, usec_t now) {
        if (isempty(text) ? !n->veto : n->veto && strncmp(n->veto, text, VETO_TEXT_MAX) == 0)
                return;
        free(n->veto);
        n->veto = isempty(text) ? NULL : xstrndup(text, VETO_TEXT_MAX);
        if (n->veto) {
                cluster_log(c, 0, n, "Node %s must not be switched off: %s", n->name, n->veto);
        } else {
                cluster_log(c, 0, n, "Node %s may be switched off again", n->name);
                if (n->last_busy && n->power == NODE_ON)
                        n->last_busy = now;
        }
        cluster_node_changed(c, n, now);
}
