/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/partition.h"

#include <strings.h>

static const char *const words[] = {
        [PARTITION_INACTIVE] = "INACTIVE",
        [PARTITION_DOWN] = "DOWN",
        [PARTITION_DRAIN] = "DRAIN",
        [PARTITION_UP] = "UP",
};

const char *partition_state_text(unsigned state) {
        assert(state < ELEMENTSOF(words));
        return words[state];
}

int partition_state_parse(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcasecmp(words[i], word) == 0)
                        return (int)i;
        return -EINVAL;
}

struct partition *partition_free(struct partition *p) {
        if (!p)
                return NULL;
        free(p->name);
        bitset_free(p->nodes);
        free(p);
        return NULL;
}
