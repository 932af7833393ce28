/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber.yaml from memory; a refusal must say why, also where all faults are wanted, and what is
   read of other clusters is whole. */
#include "lib/config/config.h"

static void check_clusters(const struct site_config *config) {
        for (size_t i = 0; i < config->n_clusters; i++)
                if (!config->clusters[i].key_file || !config->clusters[i].n_hosts)
                        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(site_config_done) struct site_config config = { 0 };
        struct fail fail = { 0 };

        _cleanup_(site_config_done) struct site_config again = { 0 };
        struct faults faults = { 0 };
        struct fail all = { .all = &faults };
        int r = site_config_parse(&config, "slumber.yaml", (const char *)data, size, &fail),
            whole = site_config_parse(&again, "slumber.yaml", (const char *)data, size, &all);
        (void)fail_keep(&all);
        if ((r < 0) != (whole < 0) || (r < 0 && (!fail.text[0] || !faults.n)))
                abort();
        check_clusters(&config);
        check_clusters(&again);
        faults_done(&faults);
        return 0;
}
