/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's part of gres.conf, as sent to slumberd, and slumberd's report. */
#include "controller/agents/agent_config.h"
#include "controller/agents/agents.h"
#include "controller/loop/controller.h"

#include "controller/loop/wall_clock.h"
#include "controller/nodes/node_events.h"
#include "lib/log.h"

const char *agent_gres_detect(const struct cluster *c, const struct node *n) {
        const enum gres_detect detect = config_gres_detect(c->config, n->name);

        return n->n_gres && detect > GRES_DETECT_OFF ? gres_detect_names[detect] : "";
}

bool agent_gpus_asked(const struct cluster *c, const struct node *n, const Slumber__Register *m) {
        const char *wanted = agent_gres_detect(c, n);

        return !m->gpus_asked || !*wanted || streq(m->gpus_asked->value, wanted);
}

void agent_gres_fill(const struct cluster *c, const struct node *n, Slumber__AgentConfig *m) {
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;

        if (!n->n_gres || gres_list_parse(n->gres, GRES_CONFIGURED, &has, NULL) < 0 || !has)
                return;
        struct gres_device *devices = config_gres_devices(c->config, n->name, has);
        m->gres_detect = (char *)(uintptr_t)agent_gres_detect(c, n);
        m->gres = xnew(Slumber__GresDevice *, n->n_gres);
        for (size_t i = 0; i < n->n_gres; i++) {
                Slumber__GresDevice *to = m->gres[m->n_gres++] = xnew(Slumber__GresDevice, 1);

                slumber__gres_device__init(to);
                to->name = n->gres_items[i].name;
                if (n->gres_items[i].type)
                        to->type = n->gres_items[i].type;
                to->count = devices[i].count - devices[i].n_files;
                to->files = TAKE(devices[i].files); /* the names belong to the configuration */
                to->n_files = devices[i].n_files;
                to->env = devices[i].env;
                to->shards = TAKE(devices[i].shards);
                to->n_shards = devices[i].n_shards;
        }
        gres_devices_free(devices, n->n_gres);
}

void agent_gres_done(Slumber__AgentConfig *m) {
        for (size_t i = 0; i < m->n_gres; i++) {
                free(m->gres[i]->files);
                free(m->gres[i]->shards);
                free(m->gres[i]);
        }
        free(TAKE(m->gres));
        m->n_gres = 0;
}

void agent_gres_report(struct controller *ctl, struct node *n, const Slumber__GresReport *m) {
        /* the configuration has changed meanwhile: a further report follows */
        if (m->n_found != n->n_gres)
                return;
        const struct node_gres_found found = { m->found, m->problem, m->cores, m->n_cores };
        node_gres_reported(ctl->cluster, n, &found, controller_now(ctl));
        controller_changed(ctl);
}
