/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user writes, and what the store has: what is understood is written as text that is
   understood as the same. */
#include "controller/jobs/dependency.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);
        struct fail fail = { 0 };

        for (int stored = 0; stored < 2; stored++) {
                _cleanup_(dependencies_freep) struct dependencies *d = NULL, *again = NULL;

                if (dependencies_parse(text, stored, &d, &fail) < 0) {
                        assert(!d && *fail.text);
                        continue;
                }
                if (!d)
                        continue;
                _cleanup_free_ char *first = dependencies_text(d);
                assert(dependencies_parse(first, true, &again, &fail) >= 0);
                _cleanup_free_ char *second = dependencies_text(again);
                assert(streq(first, second));
                assert(dependencies_never(d) == dependencies_never(again));
        }
        return 0;
}
