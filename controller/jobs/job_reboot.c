/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/jobs/job_reboot.h"

#include "controller/accounts/bids.h"
#include "controller/indexes/changed.h"

bool reboot_allowed(const struct cluster *c, const struct job *j) {
        return !isempty(c->config->reboot_program) &&
               helpers_allow(c->config->helpers, j->user, j->uid);
}

bool reboot_allowed_now(const struct cluster *c, const struct job *j) {
        return reboot_allowed(c, j) &&
               (!j->asked.delay_boot || job_itself(j)->waiting.boot_delayed);
}

void reboot_tell(struct cluster *c, const struct node *n) {
        struct effect *fx = c->effects.n ? &c->effects.list[c->effects.n - 1] : NULL;

        if (!fx || fx->kind != FX_REBOOT || !streq(strempty(fx->text), strempty(n->active))) {
                fx = effects_add(&c->effects, FX_REBOOT);
                fx->nodes = bitset_new(c->n_nodes);
                fx->text = xstrdup(n->active);
        }
        bitset_add(fx->nodes, n->index);
}

void reboot_for_features(struct cluster *c, struct node *n, usec_t now) {
        n->power_request = now;
        n->program_started = false;
        reboot_tell(c, n);
        node_flag(c, n, NODE_REBOOT_ISSUED | NODE_NOT_RESPONDING, 0, now);
}
