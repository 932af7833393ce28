/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.conf from memory; a refusal must say why, and what is taken has a place for each
   node. */
#include "lib/files/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(topology_freep) struct topology *t = NULL;
        _cleanup_free_ char *text = xmalloc(size + 1), *pattern = NULL, *address = NULL;
        struct fail fail = { 0 };

        memcpy(text, data, size);
        text[size] = 0;
        if (topology_parse("topology.conf", text, size, &t, &fail) < 0) {
                assert(fail.text[0] && !t);
                return 0;
        }
        for (size_t i = 0; i < t->n; i++)
                assert(t->list[i].nodes && (t->list[i].level == 0) == !t->list[i].switches);
        address = topology_address(t, 0, "n1", &pattern);
        assert(strstr(address, "n1") && strstr(pattern, "node"));
        return 0;
}
