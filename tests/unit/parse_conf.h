/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/parse_conf.h - the text of a slurm.conf, parsed */
#pragma once

#include "lib/config/config.h"
#include "tests/unit/test.h"

/* Four nodes in one partition. */
#define BASE "ClusterName=c\nSlurmctldHost=ctl\nNodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL\n"

static inline int parse(const char *text, struct config **ret, struct fail *fail) {
        return config_parse("slurm.conf", text, strlen(text), ret, fail);
}

static inline struct config *must_parse(const char *text) {
        struct config *config = NULL;
        struct fail fail = { 0 };

        if (parse(text, &config, &fail) < 0)
                fail_msg("%s", fail.text);
        return config;
}

static inline const char *setting(const struct config *config, const char *key) {
        for (size_t i = 0; i < config->n_settings; i++)
                if (streq(config->settings[i].key, key))
                        return config->settings[i].value;
        fail_msg("no setting %s", key);
        return NULL;
}
