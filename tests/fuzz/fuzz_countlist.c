/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --licenses and Licenses=: what is understood, written down again, is understood as the same. */
#include "lib/countlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = xstrndup((const char *)data, size);

        for (int any = 0; any < 2; any++) {
                _cleanup_(countlist_freep) struct countlist *list = NULL, *again = NULL;
                struct fail fail = { 0 };

                if (countlist_parse(text, any, &list, &fail) < 0) {
                        assert(!list && *fail.text);
                        continue;
                }
                assert(!list || (list->n && (any || !list->any)));
                _cleanup_free_ char *stored = countlist_text(list), *stored_again = NULL;
                assert(countlist_parse(stored, any, &again, &fail) >= 0);
                stored_again = countlist_text(again);
                assert(streq(stored, stored_again));
        }
        _cleanup_(countlist_freep) struct countlist *layers = NULL, *again = NULL;
        struct fail fail = { 0 };
        if (countlist_parse_layers(text, &layers, &fail) < 0) {
                assert(!layers && *fail.text);
                return 0;
        }
        _cleanup_free_ char *stored = countlist_text(layers);
        assert(countlist_parse_layers(stored, &again, &fail) >= 0);
        _cleanup_free_ char *stored_again = countlist_text(again);
        assert(streq(stored, stored_again));
        return 0;
}
