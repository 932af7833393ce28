/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml from memory; a refusal must say why and where, and what is taken keeps to what the
   header promises. */
#include "lib/config/resources.h"

#include "lib/timetext.h"

static size_t find_node(const char *name, const void *user) {
        uint64_t n;

        (void)user;
        return *name == 'n' && uint_parse(name + 1, 1, 64, &n) >= 0 ? (size_t)n - 1 : SIZE_MAX;
}

static bool is_license(const char *name, const void *user) {
        (void)user;
        return streq(name, "matlab");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        const struct resource_names names = { .n_nodes = 64,
                .node = find_node,
                .license = is_license };
        _cleanup_(resources_freep) struct resources *r = NULL;
        struct fail fail = { 0 };

        if (resources_parse("resources.yaml", (const char *)data, size, &names, &r, &fail) < 0) {
                assert(fail.text[0] && !r);
                return 0;
        }
        for (size_t i = 0; r && i < r->n; i++) {
                const struct resource *res = &r->list[i];
                assert(res->name && res->n_layers && res->mode >= RESOURCE_MODE_1 &&
                                res->mode <= RESOURCE_MODE_3);
                for (size_t k = 0; k < res->n_layers; k++)
                        assert(!bitset_empty(res->layers[k].nodes) && *res->layers[k].text);
        }
        return 0;
}
