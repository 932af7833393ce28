/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.yaml from memory, and behind a zero byte Topology= of a node n1; a refusal must say why,
   and what is taken keeps to what the header promises. */
#include "lib/files/topology.h"

static void check(const struct topologies *all) {
        assert(all->n && all->usual < all->n);
        for (size_t i = 0; i < all->n; i++) {
                const struct topology *t = all->list[i];
                assert(t->name && t->index == i && (t->tops > 0) == (t->n > 0));
                for (size_t k = 0; k < t->n; k++) {
                        const struct topology_switch *s = &t->list[k];
                        _cleanup_free_ char *pattern = NULL,
                                            *address = topology_address(t, k, "n1", &pattern);
                        assert(s->nodes && (s->level == 0) == !s->switches);
                        assert(strstr(address, s->name) && strstr(pattern, "node"));
                }
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        const char *zero = size ? memchr(data, 0, size) : NULL;
        size_t n = zero ? (size_t)(zero - (const char *)data) : size;
        _cleanup_(topologies_freep) struct topologies *all = NULL, *placed = NULL;
        struct fail fail = { 0 };

        if (topologies_parse("topology.yaml", (const char *)data, n, &all, &fail) < 0) {
                assert(fail.text[0] && !all);
                return 0;
        }
        check(all);
        _cleanup_free_ char *text = xstrndup(zero ? zero + 1 : "", zero ? size - n - 1 : 0);
        const struct topology_place place = { "n1", text };
        int r = topologies_place(all, &place, 1, true, &placed, &fail);
        assert(r >= 0 || fail.text[0]);
        check(placed);
        return 0;
}
