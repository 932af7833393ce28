/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/power.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        struct fail fail = { 0 };

        int r = power_conf_parse("fuzz", (const char *)data, size, &conf, &fail);
        /* A refusal says why, and nothing else comes of it. */
        assert((r < 0) == (conf == NULL));
        assert((r < 0) == (fail.text[0] != '\0'));
        _cleanup_(power_conf_unrefp) struct power_conf *all = NULL;
        struct faults faults = { 0 };
        struct fail each = { .all = &faults };
        int whole = power_conf_parse("fuzz", (const char *)data, size, &all, &each);
        (void)fail_keep(&each);
        /* The first of all faults is the one that would be told alone. */
        assert((r < 0) == (faults.n > 0) && (r < 0) == (all == NULL) && (r < 0) == (whole < 0));
        assert(r >= 0 || streq(faults.lines[0], fail.text));
        faults_done(&faults);
        for (size_t i = 0; conf && i < conf->n_bmcs; i++)
                assert(power_conf_lookup(conf, conf->bmcs[i].node) == &conf->bmcs[i]);
        return 0;
}
