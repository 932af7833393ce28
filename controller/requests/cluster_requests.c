/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of users for other clusters, asked by this slumberctld, and the list of clusters. */
#include "controller/clusters/far.h"
#include "controller/clusters/links.h"
#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/requests/handlers.h"
#include "controller/requests/request_check.h"

void handle_cluster_request(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__ClusterRequest *m = env->cluster_request;
        const struct site_cluster *c = site_cluster_find(&ctl->cluster->config->site, m->cluster);
        _cleanup_envelope_ Envelope *request = NULL;
        struct fail fail = { 0 };
        const char *why = NULL;

        if (!c) {
                fail_set(&fail, -ENOENT, "slumber.yaml names no cluster %.64s", m->cluster);
                reply_result(ctl, &caller->from, SLUMBER_FAILED, fail.text);
                return;
        }
        const struct far_request *row = far_read(m, &request, &why);
        if (!row) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED, why);
        } else if (!(c->there & row->right)) {
                fail_set(&fail, -EACCES,
                                "users of this cluster may not %s in cluster %s (slumber.yaml)",
                                cluster_right_doing(row->right), c->name);
                reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, fail.text);
        } else if (request_is_short(ctl, caller, request, false)) {
                links_ask(ctl, c->name, caller, row, request);
        }
}

void handle_cluster_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const struct config *config = ctl->cluster->config;
        size_t n = config->site.n_clusters + 1;
        _cleanup_free_ Slumber__ClusterRecord *records = xnew0(Slumber__ClusterRecord, n);
        _cleanup_free_ Slumber__ClusterRecord **list = xnew0(Slumber__ClusterRecord *, n);
        _cleanup_free_ const char **words = xnew0(const char *, n *CLUSTER_RIGHTS_MAX);
        Slumber__ClusterList m = SLUMBER__CLUSTER_LIST__INIT;

        (void)env;
        for (size_t i = 0; i < n; i++) {
                Slumber__ClusterRecord *r = list[i] = &records[i];
                const struct site_cluster *c = i ? &config->site.clusters[i - 1] : NULL;
                const char *host = strempty(config->controller_address), *away = "";

                slumber__cluster_record__init(r);
                if (c)
                        away = links_away(ctl, c->name, &host);
                else if (!*host)
                        host = config->controller_host;
                r->name = c ? c->name : config->cluster_name;
                r->host = (char *)(uintptr_t)host;
                r->port = c ? c->port : config->slurmctld_port;
                r->away = (char *)(uintptr_t)away;
                r->there = (char **)(uintptr_t)(words + i * CLUSTER_RIGHTS_MAX);
                r->n_there = c ? far_words(c->there, words + i * CLUSTER_RIGHTS_MAX) : 0;
        }
        m.clusters = list;
        m.n_clusters = n;
        ENVELOPE(reply, CLUSTER_LIST, cluster_list, &m);
        reply_now(&caller->from, &reply);
}
