/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/feature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        _cleanup_(features_freep) struct features *f = NULL;
        char names[] = "a,b,fast";
        struct node n = { .features = names };
        struct fail fail = { 0 };

        if (features_parse(text, &f, &fail) >= 0)
                (void)features_match(f, &n, FEATURES_NOW);
        else
                assert(!f && *fail.text);
        return 0;
}
