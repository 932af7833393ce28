/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The node's generic resources: the controller sends their files, and slumberd reports how many
 * resources exist. */
#include "agent/gres.h"
#include "agent/machine/gpus_known.h"
#include "agent/state/agent.h"

#include <sys/stat.h>

void gres_done(struct agent *a) {
        for (size_t i = 0; i < a->n_gres; i++)
                slumber__gres_device__free_unpacked(a->gres[i], NULL);
        free(TAKE(a->gres));
        a->n_gres = 0;
}

static uint64_t gres_count_found(const struct agent *a, const Slumber__GresDevice *d) {
        uint64_t found = d->count;
        struct stat st;

        for (size_t i = 0; i < d->n_files; i++)
                if (stat(d->files[i], &st) >= 0)
                        found++;
                else
                        log_warning(-errno, "gres/%s of node %s: %s: %m", d->name, a->node,
                                        d->files[i]);
        return found;
}

void gres_apply(struct agent *a, const Slumber__AgentConfig *config) {
        Slumber__GresReport m = SLUMBER__GRES_REPORT__INIT;

        gres_done(a);
        if (config->n_gres == 0)
                return;
        a->gres = xnew(Slumber__GresDevice *, config->n_gres);
        m.found = xnew(uint64_t, config->n_gres);
        for (size_t i = 0; i < config->n_gres; i++) {
                Slumber__GresDevice *d = wire_copy(&config->gres[i]->base);
                if (d)
                        a->gres[a->n_gres++] = d;
        }
        if (*config->gres_detect)
                gpus_find(a->gpus, a->node, a->gres, a->n_gres, &m);
        for (size_t i = 0; i < a->n_gres; i++)
                m.found[m.n_found++] = gres_count_found(a, a->gres[i]);
        ENVELOPE(env, GRES_REPORT, gres_report, &m);
        if (a->controller)
                (void)conn_send(a->controller, &env);
        free(m.found);
        free(m.cores);
}
