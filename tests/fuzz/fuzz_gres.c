/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of generic resources, in the three ways they are written, and gres.conf. */
#include "lib/config/config.h"
#include "lib/gres.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_list(const char *text, enum gres_text kind) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL, *again = NULL;
        struct fail fail = { 0 };

        if (gres_list_parse(text, kind, &list, &fail) < 0) {
                assert(!list && *fail.text);
                return;
        }
        _cleanup_free_ char *stored = gres_list_text(list, ""), *stored_again = NULL;
        assert(gres_list_parse(stored, kind, &again, &fail) >= 0);
        stored_again = gres_list_text(again, "");
        assert(streq(stored, stored_again));
}

static void as_file(const char *text, size_t size) {
        static const char conf[] =
                        "ClusterName=c\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp/x\nGresTypes=gpu,nic,shard\n"
                        "NodeName=n[1-2] CPUs=8 Gres=gpu:a:2,nic:3,shard:5\nPartitionName=p Nodes=ALL\n";
        _cleanup_(config_freep) struct config *c = NULL;
        _cleanup_(gres_list_freep) struct gres_list *has = NULL;
        struct fail fail = { 0 };

        assert(config_parse("slurm.conf", conf, strlen(conf), &c, &fail) >= 0);
        if (gres_conf_parse(c, "gres.conf", text, size, &fail) < 0) {
                assert(*fail.text);
                return;
        }
        assert(gres_list_parse(c->nodes[0].gres, GRES_CONFIGURED, &has, NULL) >= 0);
        gres_devices_free(config_gres_devices(c, "n1", has), has->n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);

        for (int kind = GRES_CONFIGURED; kind <= GRES_HELD; kind++)
                as_list(text, (enum gres_text)kind);
        as_file(text, strlen(text));
        return 0;
}
