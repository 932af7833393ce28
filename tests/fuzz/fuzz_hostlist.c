/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parses must print, and what is printed must parse to the same names. */
#include "lib/hostlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(hostlist_freep) struct hostlist *hl = NULL, *again = NULL;
        _cleanup_free_ char *text = xstrndup((const char *)data, size), *printed = NULL;
        struct fail fail;

        if (hostlist_parse(text, &hl, &fail) < 0)
                return 0;
        printed = hostlist_text(hl);
        if (hostlist_parse(printed, &again, &fail) < 0)
                abort();
        if (hostlist_count(hl) != hostlist_count(again))
                abort();
        for (size_t i = 0; i < hostlist_count(hl); i++)
                if (!streq(hostlist_get(hl, i), hostlist_get(again, i)))
                        abort();
        hostlist_sort(hl);
        return 0;
}
