/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber.yaml from memory; a refusal must say why. */
#include "lib/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(site_config_done) struct site_config config = { 0 };
        struct fail fail = { "" };

        if (site_config_parse(&config, "slumber.yaml", (const char *)data, size, &fail) < 0 &&
                        !fail.text[0])
                abort();
        return 0;
}
