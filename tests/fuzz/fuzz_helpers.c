/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helpers.conf from memory; a refusal must say why. */
#include "lib/files/helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(helpers_freep) struct helpers *h = NULL;
        _cleanup_free_ char *text = xmalloc(size + 1);
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        if (helpers_parse("helpers.conf", text, size, &h, &fail) < 0 && !fail.text[0])
                abort();
        return 0;
}
