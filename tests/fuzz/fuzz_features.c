/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/feature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct features *f, const struct node *n) {
        uint64_t nodes = 0;
        bool any = !features_alternatives(f);

        for (size_t i = 0; i < features_alternatives(f); i++)
                any |= features_has_alternative(f, i, n, FEATURES_NOW);
        for (size_t i = 0; i < features_counts(f); i++) {
                (void)features_is_counted(f, i, n, FEATURES_NOW);
                assert(features_count(f, i) > 0);
                nodes += features_count(f, i);
        }
        assert(features_nodes(f) == MIN(nodes, (uint64_t)UINT32_MAX));
        assert(any || !features_match(f, n, FEATURES_NOW));
        assert(!(features_alternatives(f) && features_counts(f)));
        (void)features_may_change(f, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        _cleanup_(features_freep) struct features *f = NULL;
        char names[] = "a,b,fast", changeable[] = "fast";
        struct node n = { .features = names, .changeable = changeable };
        struct fail fail = { 0 };

        if (features_parse(text, &f, &fail) >= 0)
                look(f, &n);
        else
                assert(!f && *fail.text);
        return 0;
}
