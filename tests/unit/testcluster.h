/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/testcluster.h - a cluster from the text of a slurm.conf; after test.h */
#pragma once

#include "controller/model/cluster.h"

static inline struct cluster *cluster_of(const char *conf, usec_t now) {
        struct config *config = NULL;
        struct cluster *c = NULL;
        struct fail fail = { 0 };

        if (config_parse("test.conf", conf, strlen(conf), &config, &fail) < 0 ||
                        cluster_new(config, now, &c, &fail) < 0)
                fail_msg("%s", fail.text);
        return c;
}
