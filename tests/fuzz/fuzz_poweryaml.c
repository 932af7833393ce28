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
        struct power_problems problems = { 0 };
        (void)power_conf_parse_all("fuzz", (const char *)data, size, &all, &problems);
        /* The first of all faults is the one that would be told alone. */
        assert((r < 0) == (problems.n > 0) && (r < 0) == (all == NULL));
        assert(r >= 0 || streq(problems.lines[0], fail.text));
        power_problems_done(&problems);
        for (size_t i = 0; conf && i < conf->n_bmcs; i++)
                assert(power_conf_lookup(conf, conf->bmcs[i].node) == &conf->bmcs[i]);
        return 0;
}
