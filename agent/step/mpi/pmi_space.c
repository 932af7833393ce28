/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/step/mpi/pmi_space.h"

#include "agent/pmi/pmi_wire.h"

#include <search.h>

#define SPACE_MAX  ((size_t)64 << 20)
#define PAIR_COSTS 64 /* memory of a pair besides its texts, bytes, estimated */

struct pair {
        char *key, *value;
};

static int pair_compare_keys(const void *a, const void *b) {
        return strcmp(((const struct pair *)a)->key, ((const struct pair *)b)->key);
}

static void pair_free(void *p) {
        struct pair *pair = p;

        free(pair->key);
        free(pair->value);
        free(pair);
}

static struct pair *pair_find(const struct pmi_space *space, const char *key) {
        struct pair asked = { .key = (char *)(uintptr_t)key };
        struct pair **found = tfind(&asked, &space->tree, pair_compare_keys);

        return found ? *found : NULL;
}

void pmi_space_put(struct pmi_space *space, const char *key, const char *value) {
        struct pair *pair = pair_find(space, key);

        if (pair) {
                space->size += strlen(value);
                space->size -= strlen(pair->value);
                free_and_strdup(&pair->value, value);
                return;
        }
        pair = xnew(struct pair, 1);
        *pair = (struct pair){ xstrdup(key), xstrdup(value) };
        space->size += strlen(key) + strlen(value) + PAIR_COSTS;
        if (!tsearch(pair, &space->tree, pair_compare_keys))
                out_of_memory();
}

bool pmi_space_drop(struct pmi_space *space, const char *key) {
        struct pair *pair = pair_find(space, key);

        if (!pair)
                return false;
        (void)tdelete(pair, &space->tree, pair_compare_keys);
        space->size -= strlen(pair->key) + strlen(pair->value) + PAIR_COSTS;
        pair_free(pair);
        return true;
}

const char *pmi_space_get(const struct pmi_space *space, const char *key) {
        const struct pair *pair = pair_find(space, strempty(key));

        return pair ? pair->value : NULL;
}

static bool pair_fits(const struct pmi_space *space, const char *key, size_t key_max,
                const char *value, size_t value_max) {
        return !isempty(key) && value && strlen(key) <= key_max && strlen(value) <= value_max &&
               space->size < SPACE_MAX;
}

bool pmi_space_put_checked(struct pmi_space *space, const char *key, const char *value) {
        if (!pair_fits(space, key, PMI_KEY_MAX, value, PMI_VALUE_MAX))
                return false;
        pmi_space_put(space, key, value);
        return true;
}

bool pmi_space_put_long(struct pmi_space *space, const char *key, const char *value) {
        if (!pair_fits(space, key, PMI_LONG_KEY_MAX, value, PMI_LONG_VALUE_MAX))
                return false;
        pmi_space_put(space, key, value);
        return true;
}

void pmi_space_done(struct pmi_space *space) {
        tdestroy(space->tree, pair_free);
        *space = (struct pmi_space){ 0 };
}
