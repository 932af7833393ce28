/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber.yaml from memory; a refusal must say why. */
#include "lib/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(config_freep) struct config *config = xnew0(struct config, 1);
        struct fail fail = { "" };

        if (config_parse_site(config, "slumber.yaml", (const char *)data, size, &fail) < 0 &&
                        !fail.text[0])
                abort();
        return 0;
}
